"""Rigid transforms, twists and screws: SE(3) is a group, exp and log undo each other."""

import numpy as np
import pytest
from dynarig.core.frames import (
    adjoint,
    compose_transforms,
    cross_matrix,
    get_rot,
    interpolate_transforms,
    inverse_transform,
    ori,
    rotation_angle,
    transform,
    transform_from_twist,
    transform_points,
    transform_vectors,
    twist_from_transform,
)

from ...close import assert_close
from .samples import exponential, half_turns, random_rotations, unit


def random_transforms(rng, count):
    return transform(random_rotations(rng, count), rng.uniform(-3, 3, (count, 3)))


def twist_matrix(twists):
    out = np.zeros((*twists.shape[:-1], 4, 4))
    out[..., :3, :3] = cross_matrix(twists[..., :3])
    out[..., :3, 3] = twists[..., 3:]
    return out


def bracket(twists):
    """ad, with ad(a) b the commutator of the matrices of a and b."""
    out = np.zeros((*twists.shape[:-1], 6, 6))
    out[..., :3, :3] = out[..., 3:, 3:] = cross_matrix(twists[..., :3])
    out[..., 3:, :3] = cross_matrix(twists[..., 3:])
    return out


def test_transforms_compose_and_invert(rng):
    a, b, c = (random_transforms(rng, 50) for _ in range(3))
    assert_close(compose_transforms(a, b, c), a @ (b @ c), atol=1e-14)
    np.testing.assert_array_equal(compose_transforms(a), a)
    assert_close(inverse_transform(a @ b), inverse_transform(b) @ inverse_transform(a), atol=1e-14)
    np.testing.assert_array_equal(inverse_transform(np.eye(4)), np.eye(4))


def test_vectors_are_differences_of_points(rng):
    a, points = random_transforms(rng, 50), rng.normal(size=(50, 4, 3))
    assert_close(
        transform_vectors(a, np.diff(points, axis=1)),
        np.diff(transform_points(a, points), axis=1),
        atol=1e-14,
    )


@pytest.mark.parametrize(
    "angle", [0.0, 1e-300, 1e-100, 1e-12, 1e-8, 1e-4, 0.1, 0.499, 0.501, 1.0, 2.5, 3.1, np.pi, 5.0]
)
def test_the_exponential_is_the_series(rng, angle):
    twists = rng.normal(size=(100, 6))
    twists[:, :3] = angle * unit(twists[:, :3])
    assert_close(transform_from_twist(twists), exponential(twist_matrix(twists)), atol=5e-14)


@pytest.mark.parametrize(
    "angle",
    [0.0, 1e-300, 1e-160, 1e-12, 1e-8, 1e-4, 0.1, 0.499, 0.501, 1.0, 2.5, 3.1]
    + [np.pi - d for d in (1e-4, 1e-6, 1e-8, 1e-9)],
)
def test_the_logarithm_undoes_it(rng, angle):
    twists = rng.normal(size=(200, 6))
    twists[:, :3] = angle * unit(twists[:, :3])
    back = twist_from_transform(transform_from_twist(twists))
    assert_close(back[:, :3], twists[:, :3], atol=1e-12 * angle)
    assert_close(back, twists, atol=1e-12)


def test_every_transform_is_the_exponential_of_its_logarithm(rng):
    transforms = random_transforms(rng, 1000)
    turned = transform(half_turns(rng, 100), rng.normal(size=(106, 3)))
    for some in (transforms, turned, np.eye(4)):
        back = transform_from_twist(twist_from_transform(some))
        assert_close(back, some, atol=2e-14)


def test_the_adjoint_carries_twists_between_frames(rng):
    a, b = random_transforms(rng, 100), random_transforms(rng, 100)
    twists = rng.normal(size=(100, 6))
    carried = (adjoint(a) @ twists[..., None])[..., 0]
    assert_close(twist_matrix(carried), a @ twist_matrix(twists) @ inverse_transform(a), atol=1e-13)
    assert_close(
        transform_from_twist(carried),
        a @ transform_from_twist(twists) @ inverse_transform(a),
        atol=1e-13,
    )
    assert_close(adjoint(a @ b), adjoint(a) @ adjoint(b), atol=1e-13)
    assert_close(adjoint(inverse_transform(a)), np.linalg.inv(adjoint(a)), atol=1e-12)
    # Ad(exp(xi)) = exp(ad(xi))
    assert_close(adjoint(transform_from_twist(twists)), exponential(bracket(twists)), atol=1e-11)


def test_interpolation_follows_one_screw(rng):
    start, end = random_transforms(rng, 100), random_transforms(rng, 100)
    fractions = np.linspace(0.0, 1.0, 9)
    path = interpolate_transforms(start, end, fractions[:, None])
    assert_close(path[0], start, atol=1e-14)
    assert_close(path[-1], end, atol=1e-13)
    # every step is the same motion seen from the body
    steps = inverse_transform(path[:-1]) @ path[1:]
    assert_close(steps, np.broadcast_to(steps[0], steps.shape), atol=1e-13)
    # and the same seen from any other frame
    other = random_transforms(rng, 1)[0]
    assert_close(
        interpolate_transforms(other @ start, other @ end, 0.3),
        other @ interpolate_transforms(start, end, 0.3),
        atol=1e-13,
    )


def test_a_quarter_turn_about_a_distant_axis_is_a_circle():
    # about z through (1, 0, 0): the origin moves on a circle of radius 1
    end = transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], (1.0, -1.0, 0.0))
    path = interpolate_transforms(np.eye(4), end, np.linspace(0.0, 1.0, 7))
    assert_close(np.linalg.norm(path[:, :3, 3] - (1.0, 0.0, 0.0), axis=-1), 1.0, atol=1e-15)
    assert_close(rotation_angle(path[:, :3, :3]), np.linspace(0.0, np.pi / 2, 7), atol=4e-15)


def test_ori_is_the_transpose_of_get_rot(rng):
    class Frame:
        world_from_frame = random_transforms(rng, 6).reshape(2, 3, 4, 4)

    pose = Frame.world_from_frame
    for frame in (Frame(), pose, pose[..., :3, :3]):
        local_to_world = get_rot(frame)
        np.testing.assert_array_equal(local_to_world, pose[..., :3, :3])
        np.testing.assert_array_equal(ori(frame).R, local_to_world.swapaxes(-1, -2))
        assert not np.shares_memory(local_to_world, pose)
        assert not np.shares_memory(ori(frame).R, pose)
    # ori takes the frame's own axes, given in the world, to (1, 0, 0) and so on
    assert_close(
        ori(pose).R @ pose[..., :3, :3], np.broadcast_to(np.eye(3), (2, 3, 3, 3)), atol=1e-14
    )
