"""Rotations, quaternions and transforms obey the laws of their groups, and each other."""

import numpy as np
import pytest
from dynarig.core.errors import ArgumentError
from dynarig.core.frames import (
    continuous_quaternions,
    cross_matrix,
    inverse_transform,
    minimal_rotation,
    quaternion_conjugate,
    quaternion_derivative,
    quaternion_from_rotation,
    quaternion_multiply,
    rotation_angle,
    rotation_axis,
    rotation_from_axis_angle,
    rotation_from_quaternion,
    rotation_from_rpy,
    rpy_from_rotation,
    transform,
    transform_from_xyz_rpy,
    transform_points,
)

from ...close import assert_close
from .samples import assert_rotations, unit


def random_rotations(rng, count):
    return rotation_from_rpy(rng.uniform(-np.pi, np.pi, (count, 3)))


def test_rpy_is_yaw_after_pitch_after_roll(rng):
    roll, pitch, yaw = rng.uniform(-3, 3, 3)
    x, y, z = np.eye(3)
    expected = (
        rotation_from_axis_angle(z, yaw)
        @ rotation_from_axis_angle(y, pitch)
        @ rotation_from_axis_angle(x, roll)
    )
    assert_close(rotation_from_rpy((roll, pitch, yaw)), expected, atol=1e-15)


@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3)])
def test_functions_keep_leading_axes(rng, shape):
    rpy = rng.uniform(-1, 1, (*shape, 3))
    rotation = rotation_from_rpy(rpy)
    assert rotation.shape == (*shape, 3, 3)
    assert rpy_from_rotation(rotation).shape == (*shape, 3)
    quaternion = quaternion_from_rotation(rotation)
    assert quaternion.shape == (*shape, 4)
    assert rotation_from_quaternion(quaternion).shape == (*shape, 3, 3)
    pose = transform_from_xyz_rpy(rpy, rpy)
    assert inverse_transform(pose).shape == (*shape, 4, 4)
    one = tuple(0 for _ in shape)
    np.testing.assert_array_equal(rotation[one], rotation_from_rpy(rpy[one]))


def test_rpy_round_trips_and_is_valid_at_gimbal_lock(rng):
    rotations = random_rotations(rng, 500)
    assert_close(rotation_from_rpy(rpy_from_rotation(rotations)), rotations, atol=1e-14)
    locked = rotation_from_rpy([(0.4, np.pi / 2, 1.1), (-2.0, -np.pi / 2, 0.3)])
    angles = rpy_from_rotation(locked)
    assert_close(rotation_from_rpy(angles), locked, atol=1e-9)
    np.testing.assert_array_equal(angles[:, 2], 0.0)


def test_cross_matrix_is_the_cross_product(rng):
    a, b = rng.normal(size=(2, 50, 3))
    assert_close((cross_matrix(a) @ b[..., None])[..., 0], np.cross(a, b), atol=4e-15)


def test_minimal_rotation_takes_start_to_end_by_the_angle_between(rng):
    for a, b in rng.normal(size=(200, 2, 3)):
        start, end = a / np.linalg.norm(a), b / np.linalg.norm(b)
        turn = minimal_rotation(start, end)
        assert_rotations(turn)
        assert_close(turn @ start, end, atol=1e-14)
        assert np.trace(turn) == pytest.approx(1.0 + 2.0 * start @ end, abs=1e-13)


@pytest.mark.parametrize("distance", [0.0, *(10.0**-n for n in range(17)), 7e-16, 3e-16])
def test_minimal_rotation_keeps_its_digits_near_opposite(rng, distance):
    a = unit(np.concatenate((rng.normal(size=(500, 3)), np.eye(3), -np.eye(3))))
    across = unit(np.cross(a, rng.normal(size=a.shape)))
    b = unit(np.sin(distance) * across - np.cos(distance) * a)
    turn = minimal_rotation(a, b)
    assert_rotations(turn, atol=1e-14)
    assert_close((turn @ a[..., None])[..., 0], b, atol=4e-15)
    # the smallest of those that do: by the angle between, about an axis perpendicular to both
    between = np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), (a * b).sum(axis=-1))
    assert_close(rotation_angle(turn), between, atol=4e-15)
    assert_close((rotation_axis(turn) * a).sum(axis=-1), 0.0, atol=4e-15)


def test_minimal_rotation_turns_an_axis_round_by_convention():
    # about z; about y where the axis is z
    for n, about in enumerate((2, 2, 1)):
        axis = np.eye(3)[n]
        expected = -np.eye(3)
        expected[about, about] = 1.0
        for start in (axis, -axis, 3.0 * axis):
            np.testing.assert_array_equal(minimal_rotation(start, -start), expected)


def test_quaternions_compose_as_matrices_do(rng):
    p, q = rng.normal(size=(2, 300, 4))
    assert_close(
        rotation_from_quaternion(quaternion_multiply(p, q)),
        rotation_from_quaternion(p) @ rotation_from_quaternion(q),
        atol=1e-13,
    )
    assert_close(
        rotation_from_quaternion(quaternion_conjugate(p)),
        rotation_from_quaternion(p).swapaxes(-1, -2),
        atol=1e-14,
    )


def test_length_of_a_quaternion_does_not_matter(rng):
    q = rng.normal(size=(100, 4))
    assert_rotations(rotation_from_quaternion(q))
    assert_close(rotation_from_quaternion(7.5 * q), rotation_from_quaternion(q), atol=1e-14)


def test_quaternion_of_a_rotation_round_trips_even_at_half_turns(rng):
    half_turns = rotation_from_axis_angle([*np.eye(3), *(np.ones((1, 3)) / np.sqrt(3))], np.pi)
    for rotation in [*random_rotations(rng, 500), *half_turns, np.eye(3)]:
        q = quaternion_from_rotation(rotation)
        assert np.linalg.norm(q) == pytest.approx(1.0, abs=1e-14)
        assert q[0] >= 0.0
        assert_close(rotation_from_quaternion(q), rotation, atol=2e-14)


def test_quaternion_rate_is_the_derivative_of_the_rotation(rng):
    # R' = R [omega]x, with a central difference in time; q is deliberately not unit
    q, omega, h = rng.normal(size=4), rng.normal(size=3), 1e-6
    rate = quaternion_derivative(q, omega)
    difference = (
        rotation_from_quaternion(q + h * rate) - rotation_from_quaternion(q - h * rate)
    ) / (2.0 * h)
    assert_close(difference, rotation_from_quaternion(q) @ cross_matrix(omega), atol=1e-8)


def test_a_spinning_body_turns_as_the_published_case_says(data):
    import json

    case = json.loads((data / "planar_and_3d" / "quaternion_spin.json").read_text())["truth"]
    quarter = np.pi / 2.0
    # body_from_world after a time of pi/2 and pi with omega = (1, 0, 0)
    for turns, key in ((1, "t_pi_over_2_R_body_from_world"), (2, "t_pi")):
        world_from_body = rotation_from_axis_angle((1.0, 0.0, 0.0), turns * quarter)
        assert_close(world_from_body.T, case[key], atol=1e-15)


def test_continuous_quaternions_keep_rotations_and_never_jump(rng):
    angles = np.linspace(0.0, 60.0, 400)
    axis = np.array([1.0, 2.0, -1.0]) / np.sqrt(6.0)
    rotations = rotation_from_axis_angle(np.tile(axis, (400, 1)), angles)
    jumping = quaternion_from_rotation(rotations)
    smooth = continuous_quaternions(jumping)
    assert np.linalg.norm(np.diff(jumping, axis=0), axis=1).max() > 1.0
    assert np.linalg.norm(np.diff(smooth, axis=0), axis=1).max() < 0.1
    assert_close(rotation_from_quaternion(smooth), rotations, atol=1e-13)


def test_transforms_form_a_group(rng):
    xyz, rpy = rng.uniform(-2, 2, (2, 100, 3))
    a_from_b = transform_from_xyz_rpy(xyz, rpy)
    b_from_a = inverse_transform(a_from_b)
    assert_close(a_from_b @ b_from_a, np.eye(4) + 0 * a_from_b, atol=1e-14)
    assert_close(b_from_a, np.linalg.inv(a_from_b), atol=1e-13)
    points = rng.normal(size=(100, 7, 3))
    there = transform_points(a_from_b, points)
    assert_close(transform_points(b_from_a, there), points, atol=1e-14)
    assert_close(there[0, 0], a_from_b[0, :3, :3] @ points[0, 0] + xyz[0], atol=1e-15)


def test_a_wrong_shape_is_named():
    with pytest.raises(ArgumentError, match=r"rpy: wanted shape \(…, 3\), got \(2,\)"):
        rotation_from_rpy((1.0, 2.0))
    with pytest.raises(ArgumentError, match="translation: wanted numbers"):
        transform(np.eye(3), ("a", "b", "c"))
