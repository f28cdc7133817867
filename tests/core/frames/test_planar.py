"""Planar frames, SE(2), and their lift into space."""

from types import SimpleNamespace

import numpy as np
import pytest
from dynarig.core.errors import ArgumentError
from dynarig.core.frames import (
    PlanarFrame,
    inverse_transform,
    inverse_transform_2d,
    lift_planar,
    ori_2d,
    phi_and_translation,
    plane_from_normal,
    rotation_from_axis_angle,
    transform_2d,
    transform_points,
    transform_points_2d,
    transform_vectors_2d,
)
from dynarig.core.mechanism import planar_axes

from ...close import assert_close
from .samples import assert_rotations, unit


def random_transforms(rng, count):
    return transform_2d(rng.uniform(-4, 4, count), rng.normal(size=(count, 2)))


def test_ori_2d_takes_the_world_to_the_frame():
    # a vector along the frame's own x axis has local coordinates (1, 0)
    phi = np.linspace(-7, 7, 50)
    along = np.stack((np.cos(phi), np.sin(phi)), axis=-1)
    local = (ori_2d(phi) @ along[..., None])[..., 0]
    assert_close(local, np.broadcast_to((1.0, 0.0), local.shape), atol=1e-15)
    assert_close(ori_2d(np.pi / 2), [[0, 1], [-1, 0]], atol=1e-15)
    assert ori_2d(np.zeros((2, 3))).shape == (2, 3, 2, 2)


def test_ori_2d_takes_a_frame_of_a_solution_too():
    frame = SimpleNamespace(phi=np.array([0.1, 0.2]), name="rod")
    assert isinstance(frame, PlanarFrame)
    np.testing.assert_array_equal(ori_2d(frame), ori_2d([0.1, 0.2]))


def test_orientations_add_up_through_joints(rng):
    a, b = rng.uniform(-4, 4, (2, 100))
    assert_close(ori_2d(b) @ ori_2d(a), ori_2d(a + b), atol=2e-15)


def test_planar_transforms_form_a_group(rng):
    a, b, c = (random_transforms(rng, 100) for _ in range(3))
    assert_close((a @ b) @ c, a @ (b @ c), atol=1e-14)
    back = inverse_transform_2d(a)
    assert_close(a @ back, np.broadcast_to(np.eye(3), a.shape), atol=4e-15)
    assert_close(back, np.linalg.inv(a), atol=1e-14)
    points = rng.normal(size=(100, 5, 2))
    assert_close(
        transform_points_2d(a @ b, points),
        transform_points_2d(a, transform_points_2d(b, points)),
        atol=1e-14,
    )
    # a vector is a difference of points
    assert_close(
        transform_vectors_2d(a, points[:, 1:] - points[:, :-1]),
        np.diff(transform_points_2d(a, points), axis=1),
        atol=1e-14,
    )


def test_angle_and_origin_come_back(rng):
    phi, p = rng.uniform(-np.pi, np.pi, 100), rng.normal(size=(100, 2))
    angle, origin = phi_and_translation(transform_2d(phi, p))
    assert_close(angle, phi, atol=1e-15)
    np.testing.assert_array_equal(origin, p)
    # the block is local to world, the transpose of ori_2d
    np.testing.assert_array_equal(transform_2d(phi, p)[:, :2, :2], ori_2d(phi).swapaxes(-1, -2))


def test_the_lift_keeps_points_and_products(rng):
    plane = plane_from_normal(rng.normal(size=3), rng.normal(size=3))
    a, b = random_transforms(rng, 20), random_transforms(rng, 20)
    points = rng.normal(size=(20, 4, 2))
    in_plane = transform_points_2d(a, points)
    flat = np.concatenate((in_plane, np.zeros((20, 4, 1))), axis=-1)
    raised = np.concatenate((points, np.zeros((20, 4, 1))), axis=-1)
    assert_close(
        transform_points(lift_planar(a, plane), raised),
        transform_points(plane, flat),
        atol=1e-14,
    )
    assert_close(
        lift_planar(a, plane) @ inverse_transform(plane) @ lift_planar(b, plane),
        lift_planar(a @ b, plane),
        atol=1e-14,
    )
    assert_close(lift_planar(a) @ lift_planar(b), lift_planar(a @ b), atol=1e-14)


def test_a_positive_angle_turns_about_the_normal(rng):
    normal = unit(rng.normal(size=3))
    plane = plane_from_normal(5.0 * normal)
    assert_close(plane[:3, 2], normal, atol=1e-15)
    assert_close(plane[:3, :2].T, planar_axes(normal), atol=1e-15)
    assert_rotations(plane[:3, :3])
    turned = lift_planar(transform_2d(0.7, (0.0, 0.0)), plane)
    assert_close(turned[:3, :3], rotation_from_axis_angle(normal, 0.7) @ plane[:3, :3], atol=1e-15)
    # a pendulum in the xz plane: the plane's normal is -y for x to turn towards z
    down = plane_from_normal((0.0, 0.0, -1.0))
    assert_close(down[:3, 2], (0.0, 0.0, -1.0), atol=1e-15)


def test_planes_that_almost_face_down_face_where_they_should():
    for tilt in (1e-3, 1e-8, 1e-10, 1e-12, 1e-15):
        normal = unit(np.array([np.sin(tilt), 0.3 * np.sin(tilt), -np.cos(tilt)]))
        plane = plane_from_normal(normal)
        assert_close(plane[:3, 2], normal, atol=2e-15)
        assert_close(np.cross(*planar_axes(normal)), normal, atol=2e-15)


@pytest.mark.parametrize(
    "wrong", [2.0 * np.eye(3), np.diag([1.0, -1.0, 1.0]), np.ones((3, 3)), np.full((3, 3), np.nan)]
)
def test_what_is_no_planar_transform_is_refused(wrong):
    for function in (inverse_transform_2d, phi_and_translation, lift_planar):
        with pytest.raises(ArgumentError, match="a_from_b: wanted"):
            function(wrong)
