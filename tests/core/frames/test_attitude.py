"""Attitude kinematics against published numbers, finite differences, and each other."""

import json

import numpy as np
import pytest
from dynarig.core.errors import ArgumentError, GimbalLockError
from dynarig.core.frames import (
    SEQUENCES,
    SYMMETRIC,
    angular_velocity_from_quaternion_derivative,
    angular_velocity_to_euler_rates,
    cross_matrix,
    euler_rates_to_angular_velocity,
    quaternion_derivative,
    quaternion_from_euler,
    rotation_from_euler,
    rotation_from_quaternion,
)
from dynarig.core.frames.sequences import euler_sequence

from ...close import assert_close

CLOSE, NEAR_LOCK = 1e-12, 1e-9


def ask(case):
    if case["fn"] == "quaternion_derivative":
        # three cases were asked with q_given, which their engine brought to unit length first
        q = case["q_scalar_first"] if "q_scalar_first" in case else case["q_stored"]
        return quaternion_derivative(q, case["omega"], case.get("scalar_first", True))
    if case["fn"] == "angular_velocity_from_quaternion_derivative":
        return angular_velocity_from_quaternion_derivative(
            case["q_scalar_first"], case["q_dot"], scalar_first=case["scalar_first"]
        )
    if case["fn"] == "euler_rates_to_angular_velocity":
        return euler_rates_to_angular_velocity(case["angles"], case["rates"], case["sequence"])
    return angular_velocity_to_euler_rates(case["angles"], case["omega"], case["sequence"])


def test_all_published_cases(data):
    file = data / "attitude" / "attitude_kinematics.json"
    cases = json.loads(file.read_text())["cases"]
    assert len(cases) == 230
    refused = 0
    for case in cases:
        if "error" in case:
            refused += 1
            with pytest.raises(GimbalLockError) as caught:
                ask(case)
            message = str(caught.value)
            assert case["sequence"] in message
            assert f"{case['angles'][1]:.10g}" in message
            assert "det E' = " in message
        else:
            near = "distance" in (case.get("tag") or "")
            assert_close(
                ask(case), case["result"], atol=NEAR_LOCK if near else CLOSE, err_msg=str(case)
            )
    assert refused == 28


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_euler_rates_are_the_derivative_of_the_rotation(rng, sequence):
    # R' = R [omega]x by a central difference of fourth order
    h = 1e-3
    for angles, rates in rng.uniform(-2, 2, (30, 2, 3)):
        one, two = (
            rotation_from_euler(angles + n * h * rates, sequence)
            - rotation_from_euler(angles - n * h * rates, sequence)
            for n in (1, 2)
        )
        derivative = (8.0 * one - two) / (12.0 * h)
        omega = euler_rates_to_angular_velocity(angles, rates, sequence)
        assert_close(
            derivative, rotation_from_euler(angles, sequence) @ cross_matrix(omega), atol=1e-10
        )


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_rates_come_back_and_the_determinant_is_the_stated_one(rng, sequence):
    angles, rates = rng.uniform(-3, 3, (2, 300, 3))
    axes = euler_sequence(sequence)
    determinant = axes.determinant(angles[:, 1])
    matrices = np.stack(
        [euler_rates_to_angular_velocity(angles, unit, sequence) for unit in np.eye(3)], axis=-1
    )
    assert_close(np.linalg.det(matrices), determinant, atol=1e-14)
    far = np.abs(determinant) > 0.01
    omega = euler_rates_to_angular_velocity(angles[far], rates[far], sequence)
    assert_close(
        angular_velocity_to_euler_rates(angles[far], omega, sequence), rates[far], atol=1e-12
    )


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_the_inverse_is_refused_below_a_millionth_and_answers_above(sequence):
    pole = 0.0 if sequence in SYMMETRIC else np.pi / 2
    omega = (0.3, -0.2, 0.5)
    for side in (-1.0, 1.0):
        near, far = ((0.4, pole + side * d, -0.7) for d in (0.999e-6, 1.001e-6))
        rates = angular_velocity_to_euler_rates(far, omega, sequence)
        assert_close(euler_rates_to_angular_velocity(far, rates, sequence), omega, atol=1e-9)
        with pytest.raises(GimbalLockError, match=r"second angle .* at \[1\].*det E' = -?9\.9"):
            angular_velocity_to_euler_rates([far, near], omega, sequence)


def test_euler_and_quaternion_rates_agree(rng):
    h = 1e-3
    for sequence in SEQUENCES:
        angles, rates = rng.uniform(-2, 2, (2, 50, 3))
        omega = euler_rates_to_angular_velocity(angles, rates, sequence)
        one, two = (
            quaternion_from_euler(angles + n * h * rates, sequence)
            - quaternion_from_euler(angles - n * h * rates, sequence)
            for n in (1, 2)
        )
        q_dot = quaternion_derivative(quaternion_from_euler(angles, sequence), omega)
        assert_close((8.0 * one - two) / (12.0 * h), q_dot, atol=1e-10)


def test_quaternion_rates_of_any_length_and_both_layouts(rng):
    q, omega = 3.0 * rng.normal(size=(100, 4)), rng.normal(size=(100, 3))
    q_dot = quaternion_derivative(q, omega)
    # the length of q stays
    assert_close((q * q_dot).sum(axis=-1), 0.0, atol=1e-13)
    last = quaternion_derivative(q, omega, scalar_first=False)
    np.testing.assert_array_equal(last[:, [3, 0, 1, 2]], q_dot)
    assert_close(angular_velocity_from_quaternion_derivative(q, q_dot), omega, atol=1e-14)
    assert_close(
        angular_velocity_from_quaternion_derivative(q, last, scalar_first=False),
        omega,
        atol=1e-14,
    )
    # what changes only the length is ignored
    assert_close(angular_velocity_from_quaternion_derivative(q, q_dot + 0.7 * q), omega, atol=1e-14)
    assert_close(
        angular_velocity_from_quaternion_derivative(1e-200 * q, 1e-200 * q_dot), omega, atol=1e-14
    )
    h = 1e-6
    difference = (rotation_from_quaternion(q + h * q_dot) - rotation_from_quaternion(q)) / h
    assert_close(difference, rotation_from_quaternion(q) @ cross_matrix(omega), atol=1e-4)


def test_batches_broadcast_and_integers_work():
    angles = np.zeros((4, 1, 3), dtype=int)
    omega = np.arange(6).reshape(2, 3)
    rates = angular_velocity_to_euler_rates(angles, omega, "XYZ")
    assert rates.shape == (4, 2, 3)
    np.testing.assert_array_equal(rates[0], omega)
    assert quaternion_derivative(np.ones((5, 1, 4), dtype=int), omega).shape == (5, 2, 4)
    with pytest.raises(ArgumentError, match=r"leading axes that broadcast, got \(3,\) of q"):
        quaternion_derivative(np.ones((3, 4)), np.ones((2, 3)))
