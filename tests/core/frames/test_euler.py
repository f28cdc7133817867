"""All twelve Euler sequences by one definition, away from gimbal lock, near it and at it."""

import numpy as np
import pytest
from dynarig.core.errors import ArgumentError, DynarigError, GimbalLockError
from dynarig.core.frames import (
    SEQUENCES,
    SYMMETRIC,
    TAIT_BRYAN,
    convert_rotation,
    euler_from_quaternion,
    euler_from_rotation,
    quaternion_from_euler,
    quaternion_from_rotation,
    quaternion_from_rpy,
    rotation_from_euler,
    rotation_from_quaternion,
    rotation_from_rpy,
    rpy_from_quaternion,
    rpy_from_rotation,
)

from ...close import assert_close
from .samples import DISTANCES, elementary, random_rotations

ROUNDING = 4e-15


def poles(sequence):
    return (0.0, np.pi) if sequence in SYMMETRIC else (-np.pi / 2, np.pi / 2)


def assert_in_range(angles, sequence):
    low, high = (0.0, np.pi) if sequence in SYMMETRIC else (-np.pi / 2, np.pi / 2)
    assert (angles[..., 1] >= low).all()
    assert (angles[..., 1] <= high).all()
    assert (np.abs(angles) <= np.pi).all()


def test_there_are_six_and_six():
    assert len(set(TAIT_BRYAN)) == len(set(SYMMETRIC)) == 6
    assert set(SEQUENCES) == set(TAIT_BRYAN) | set(SYMMETRIC)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_the_definition_is_the_product_of_active_turns(rng, sequence):
    for angles in rng.uniform(-7, 7, (20, 3)):
        a, b, c = (elementary(axis, x) for axis, x in zip(sequence, angles, strict=True))
        assert_close(rotation_from_euler(angles, sequence), a @ b @ c, atol=1e-15)
        assert_close(
            rotation_from_quaternion(quaternion_from_euler(angles, sequence)), a @ b @ c, atol=2e-15
        )


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_every_rotation_has_angles_and_they_give_it_back(rng, sequence):
    rotations = random_rotations(rng, 2000)
    angles = euler_from_rotation(rotations, sequence)
    assert_in_range(angles, sequence)
    assert_close(rotation_from_euler(angles, sequence), rotations, atol=ROUNDING)
    quaternions = quaternion_from_rotation(rotations) * rng.choice([-3.0, 0.2], (2000, 1))
    again = euler_from_quaternion(quaternions, sequence)
    assert_in_range(again, sequence)
    assert_close(rotation_from_euler(again, sequence), rotations, atol=ROUNDING)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_angles_in_range_come_back_themselves(rng, sequence):
    angles = rng.uniform(-3.1, 3.1, (500, 3))
    angles[:, 1] = angles[:, 1] / 2 + (np.pi / 2 if sequence in SYMMETRIC else 0.0)
    angles[:, 1] += 0.01 * (np.mean(poles(sequence)) - angles[:, 1])
    back = euler_from_rotation(rotation_from_euler(angles, sequence), sequence)
    assert_close(back, angles, atol=1e-13)
    back = euler_from_quaternion(quaternion_from_euler(angles, sequence), sequence)
    assert_close(back, angles, atol=1e-13)


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("distance", DISTANCES)
def test_round_trips_hold_at_any_distance_from_a_pole(rng, sequence, distance):
    angles = rng.uniform(-np.pi, np.pi, (100, 3))
    for pole in poles(sequence):
        # on the side of the pole that is in range, and beyond it
        for side in (-1.0, 1.0):
            angles[:, 1] = pole + side * distance
            rotations = rotation_from_euler(angles, sequence)
            back = euler_from_rotation(rotations, sequence)
            assert_in_range(back, sequence)
            # where the first angle is chosen, the bound on lock comes on top
            bound = ROUNDING + (2e-14 if distance < 1e-13 else 0.0)
            assert_close(rotation_from_euler(back, sequence), rotations, atol=bound)
            quaternions = quaternion_from_euler(angles, sequence)
            back = euler_from_quaternion(quaternions, sequence)
            assert_in_range(back, sequence)
            assert_close(rotation_from_euler(back, sequence), rotations, atol=bound)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_at_lock_the_first_angle_is_zero_or_the_call_is_refused(rng, sequence):
    for pole in poles(sequence):
        # as a user makes it, and as a product of matrices that carries rounding
        angles = np.array([0.7, pole, -1.9])
        a, b, c = (elementary(axis, x) for axis, x in zip(sequence, angles, strict=True))
        turn = random_rotations(rng, 1)[0]
        for rotation in (a @ b @ c, turn.T @ (turn @ a @ b @ c)):
            assert euler_from_rotation(rotation, sequence)[0] == 0.0
            q = quaternion_from_rotation(rotation)
            assert euler_from_quaternion(q, sequence)[0] == 0.0
            with pytest.raises(GimbalLockError, match=f"sequence {sequence} is at gimbal lock"):
                euler_from_rotation(rotation, sequence, gimbal_lock="raise")
            with pytest.raises(GimbalLockError, match="wanted"):
                euler_from_quaternion(q, sequence, gimbal_lock="raise")


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_raising_starts_at_a_determinant_of_a_millionth(sequence):
    inside = 1.0 if poles(sequence)[0] == 0.0 else -1.0
    far, near = (
        rotation_from_euler((0.3, poles(sequence)[0] + d * abs(inside), 0.2), sequence)
        for d in (1.1e-6, 0.9e-6)
    )
    euler_from_rotation(far, sequence, gimbal_lock="raise")
    with pytest.raises(GimbalLockError):
        euler_from_rotation(np.stack((far, near)), sequence, gimbal_lock="raise")


@pytest.mark.parametrize("target", ["rpy", *SEQUENCES])
def test_every_way_to_angles_can_be_asked_to_raise(target):
    sequence = "ZYX" if target == "rpy" else target
    angles = np.array([[0.3, 0.8, 0.2], [0.3, poles(sequence)[-1], 0.2]])
    rotations, q = rotation_from_euler(angles, sequence), quaternion_from_euler(angles, sequence)
    calls = [
        (convert_rotation, (rotations, "matrix", target)),
        (convert_rotation, (q, "quaternion", target)),
    ]
    if target == "rpy":
        calls += [(rpy_from_rotation, (rotations,)), (rpy_from_quaternion, (q,))]
    for function, (value, *names) in calls:
        answered = function(value, *names, gimbal_lock="choose")
        np.testing.assert_array_equal(answered, function(value, *names))
        far = function(value[:1], *names, gimbal_lock="raise")
        np.testing.assert_array_equal(far, answered[:1])
        with pytest.raises(GimbalLockError, match=rf"sequence {sequence} .* at \[1\]: wanted"):
            function(value, *names, gimbal_lock="raise")


def test_what_has_no_lock_never_raises():
    angles = np.array([0.3, np.pi / 2, 0.2])
    assert convert_rotation(angles, "ZYX", "matrix", gimbal_lock="raise").shape == (3, 3)
    assert convert_rotation(angles, "ZYX", "XYX", gimbal_lock="raise").shape == (3,)


def test_the_error_is_of_the_family():
    assert issubclass(GimbalLockError, ArgumentError)
    assert issubclass(ArgumentError, DynarigError)
    assert issubclass(ArgumentError, ValueError)


def test_rpy_is_zyx_in_reverse(rng):
    rpy = rng.uniform(-np.pi, np.pi, (200, 3))
    rotations = rotation_from_rpy(rpy)
    np.testing.assert_array_equal(rotations, rotation_from_euler(rpy[:, ::-1], "ZYX"))
    np.testing.assert_array_equal(
        rpy_from_rotation(rotations), euler_from_rotation(rotations, "ZYX")[:, ::-1]
    )
    quaternions = quaternion_from_rpy(rpy)
    assert_close(rotation_from_quaternion(quaternions), rotations, atol=2e-15)
    assert_close(rotation_from_rpy(rpy_from_quaternion(quaternions)), rotations, atol=ROUNDING)


def test_a_passive_matrix_of_aerospace_is_the_transpose():
    # yaw, pitch, roll 3-2-1: the direction cosine matrix takes north-east-down to body axes
    yaw, pitch, roll = 0.3, -0.2, 0.9
    body_from_ned = elementary("X", roll).T @ elementary("Y", pitch).T @ elementary("Z", yaw).T
    assert_close(rotation_from_euler((yaw, pitch, roll), "ZYX").T, body_from_ned, atol=1e-15)


def test_the_quaternion_of_angles_has_no_jumps():
    angles = np.zeros((1000, 3))
    angles[:, 0] = np.linspace(-10.0, 10.0, 1000)
    q = quaternion_from_euler(angles, "ZXZ")
    assert np.abs(np.diff(q, axis=0)).max() < 0.011
