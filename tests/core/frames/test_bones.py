"""The bone frame agrees with what Blender makes of an axis and a roll; the exact one is exact."""

import json

import numpy as np
import pytest
from dynarig.core.errors import ArgumentError
from dynarig.core.frames import (
    axis_roll_from_matrix,
    bone_matrix,
    head_tail_roll,
    matrix_from_axis_roll,
    minimal_rotation,
    rotation_from_axis_angle,
)

from ...close import assert_close
from .samples import assert_rotations, random_rotations, unit

MINUS_Y = np.array([0.0, -1.0, 0.0])
FLOAT32 = 2e-6  # Blender's own rounding, away from -Y
NEAR_MINUS_Y = 5e-5  # and within 35 degrees of it


def bone_cases(data):
    return json.loads((data / "bones" / "axis_roll.json").read_text())["cases"]


def bound(axis):
    return NEAR_MINUS_Y if axis[1] < -np.cos(np.radians(35.0)) else FLOAT32


def fan(rng, count):
    """Axes around -Y, at distances from 1e-7 rad to 1 rad."""
    distance = np.concatenate(([0.0], np.logspace(-7, 0, count - 1)))
    around = rng.uniform(0, 2 * np.pi, count)
    return np.stack(
        (np.sin(distance) * np.cos(around), -np.cos(distance), np.sin(distance) * np.sin(around)),
        axis=-1,
    )


def test_bone_matrices_equal_blenders(data):
    cases = bone_cases(data)
    assert len(cases) == 27
    for case in cases:
        axis = unit(np.array(case["axis"], dtype=float))
        assert_close(matrix_from_axis_roll(axis, case["roll"]), case["matrix"], atol=bound(axis))


def test_axes_and_rolls_come_back_as_blenders(data):
    for case in bone_cases(data):
        axis = unit(np.array(case["axis"], dtype=float))
        # of the matrix in full precision, as Blender takes it in its own
        rotation = matrix_from_axis_roll(axis, case["roll"])
        back, roll = axis_roll_from_matrix(rotation)
        assert_close(back, case["axis_back"], atol=bound(axis))
        difference = roll - case["roll_back"]
        assert abs(np.remainder(difference + np.pi, 2 * np.pi) - np.pi) < 2 * bound(axis)
        roll = axis_roll_from_matrix(rotation, axis)[1] - case["roll_back_with_axis"]
        assert abs(np.remainder(roll + np.pi, 2 * np.pi) - np.pi) < 2 * bound(axis)


def test_the_y_column_is_the_axis_and_the_frame_is_right_handed(rng):
    axes = unit(rng.normal(size=(2000, 3)))
    axes = axes[axes[:, 1] > -0.99]  # nearer to -Y Blender's own matrix is not orthonormal
    frames = matrix_from_axis_roll(axes, rng.uniform(-3, 3, len(axes)))
    assert_close(frames[..., :, 1], axes, atol=1e-14)
    assert_rotations(frames, 1e-12)


def test_axes_very_near_minus_y_are_snapped():
    near = (1e-4, -np.sqrt(1.0 - 1e-8), 0.0)
    np.testing.assert_array_equal(matrix_from_axis_roll(near), np.diag([-1.0, -1.0, 1.0]))
    exact = matrix_from_axis_roll(near, exact=True)
    assert_close(exact[:, 1], near, atol=5e-16)


def test_the_exact_frame_is_orthonormal_everywhere(rng):
    axes = np.concatenate((fan(rng, 3000), unit(rng.normal(size=(2000, 3))), np.eye(3), -np.eye(3)))
    rolls = rng.uniform(-3, 3, len(axes))
    frames = matrix_from_axis_roll(axes, rolls, exact=True)
    assert_rotations(frames, 4e-15)
    assert_close(frames[..., :, 1], axes, atol=2e-15)
    # without roll it is the smallest turn from Y to the axis, where there is one
    some = np.linalg.norm(axes - MINUS_Y, axis=1) > 1e-3
    smallest = minimal_rotation((0.0, 1.0, 0.0), axes[some])
    assert_close(matrix_from_axis_roll(axes[some], exact=True), smallest, atol=1e-12)


def test_the_two_frames_differ_only_near_minus_y(rng):
    axes = fan(rng, 5000)
    off = np.abs(matrix_from_axis_roll(axes) - matrix_from_axis_roll(axes, exact=True))
    off = off.max(axis=(-1, -2))
    distance = np.arccos(np.clip(-axes[:, 1], -1, 1))
    assert off[distance > 0.12].max() < 1e-13
    assert off[(distance > 3e-4) & (distance < 0.12)].max() < NEAR_MINUS_Y


@pytest.mark.parametrize("exact", [False, True])
def test_axis_and_roll_round_trip(rng, exact):
    axes, rolls = unit(rng.normal(size=(2000, 3))), rng.uniform(-np.pi, np.pi, 2000)
    if exact:
        axes = np.concatenate((axes, fan(rng, 500)))
        rolls = np.concatenate((rolls, rng.uniform(-np.pi, np.pi, 500)))
    frames = matrix_from_axis_roll(axes, rolls, exact=exact)
    axis, roll = axis_roll_from_matrix(frames, exact=exact)
    atol = 1e-13 if exact else NEAR_MINUS_Y
    assert_close(axis, axes, atol=atol)
    assert_close(np.cos(roll - rolls), 1.0, atol=atol)
    assert_close(np.sin(roll - rolls), 0.0, atol=atol)
    turns = random_rotations(rng, 1000)
    assert_close(
        matrix_from_axis_roll(*axis_roll_from_matrix(turns, exact=True), exact=True),
        turns,
        atol=1e-13,
    )


def test_roll_turns_about_the_axis(rng):
    axes, roll = unit(rng.normal(size=(100, 3))), rng.uniform(-3, 3, 100)
    assert_close(
        matrix_from_axis_roll(axes, roll, exact=True),
        rotation_from_axis_angle(axes, roll) @ matrix_from_axis_roll(axes, exact=True),
        atol=1e-15,
    )


def test_head_tail_and_roll_are_the_rest_matrix(rng):
    head, tail = rng.uniform(-2, 2, (2, 500, 3))
    roll = rng.uniform(-np.pi, np.pi, 500)
    matrix = bone_matrix(head, tail, roll, exact=True)
    length = np.linalg.norm(tail - head, axis=-1)
    np.testing.assert_array_equal(matrix[:, :3, 3], head)
    assert_close(matrix[:, :3, 1] * length[:, None], tail - head, atol=1e-14)
    back = head_tail_roll(matrix, length, exact=True)
    for value, expected in zip(back, (head, tail, roll), strict=True):
        assert_close(value, expected, atol=1e-12)
    np.testing.assert_allclose(
        bone_matrix((0, 0, 0), (0, 0, 3)), [[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    )


def test_a_bone_without_length_is_refused():
    with pytest.raises(ArgumentError, match=r"tail: wanted another point .* at \[1\]"):
        bone_matrix(np.zeros((2, 3)), [(1, 0, 0), (0, 0, 0)])
    with pytest.raises(ArgumentError, match="length: wanted numbers above 0, got 0"):
        head_tail_roll(np.eye(4), 0.0)
