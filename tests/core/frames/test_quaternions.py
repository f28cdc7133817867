"""Quaternions obey the laws of their algebra; interpolation is even, short and without jumps."""

import numpy as np
import pytest
from dynarig.core.errors import ArgumentError
from dynarig.core.frames import (
    continuous_quaternions,
    kernels,
    quaternion_conjugate,
    quaternion_distance,
    quaternion_from_axis_angle,
    quaternion_from_rotation,
    quaternion_from_scalar_last,
    quaternion_inverse,
    quaternion_multiply,
    quaternion_rotate,
    quaternion_slerp,
    quaternion_to_scalar_last,
    rotation_angle,
    rotation_from_quaternion,
    slerp_sequence,
    unit_quaternion,
)

from ...close import assert_close
from .samples import random_rotations, unit

ONE, E1, E2, E3 = np.eye(4)


def test_hamiltons_rule():
    for a, b, c in ((E1, E2, E3), (E2, E3, E1), (E3, E1, E2)):
        np.testing.assert_array_equal(quaternion_multiply(a, b), c)
        np.testing.assert_array_equal(quaternion_multiply(b, a), -c)
        np.testing.assert_array_equal(quaternion_multiply(a, a), -ONE)
    np.testing.assert_array_equal(quaternion_multiply(quaternion_multiply(E1, E2), E3), -ONE)


def test_group_axioms(rng):
    p, q, r = rng.normal(size=(3, 300, 4))
    product = quaternion_multiply
    assert_close(product(product(p, q), r), product(p, product(q, r)), atol=1e-13)
    np.testing.assert_array_equal(product(ONE, q), q)
    np.testing.assert_array_equal(product(q, ONE), q)
    for one in (product(q, quaternion_inverse(q)), product(quaternion_inverse(q), q)):
        assert_close(one, np.broadcast_to(ONE, q.shape), atol=1e-14)
    assert_close(
        quaternion_conjugate(product(p, q)),
        product(quaternion_conjugate(q), quaternion_conjugate(p)),
        atol=1e-14,
    )
    np.testing.assert_allclose(
        np.linalg.norm(product(p, q), axis=1),
        np.linalg.norm(p, axis=1) * np.linalg.norm(q, axis=1),
        rtol=1e-14,
    )


def test_rotating_a_vector_is_q_v_inverse_q(rng):
    q, v = rng.normal(size=(100, 4)), rng.normal(size=(100, 3))
    pure = np.concatenate((np.zeros((100, 1)), v), axis=1)
    expected = quaternion_multiply(quaternion_multiply(q, pure), quaternion_inverse(q))[:, 1:]
    assert_close(quaternion_rotate(q, v), expected, atol=1e-13)
    assert_close(
        quaternion_rotate(q, v), (rotation_from_quaternion(q) @ v[..., None])[..., 0], atol=1e-14
    )


def test_layouts_are_permutations(rng):
    q = rng.normal(size=(2, 5, 4))
    last = quaternion_to_scalar_last(q)
    np.testing.assert_array_equal(last[..., 3], q[..., 0])
    np.testing.assert_array_equal(last[..., :3], q[..., 1:])
    np.testing.assert_array_equal(quaternion_from_scalar_last(last), q)


def test_very_short_and_very_long_quaternions_are_rotations_too(rng):
    q = rng.normal(size=(10, 4))
    for length in (1e-300, 1e-200, 1e-110, 1e110, 1e200, 1e300):
        assert_close(rotation_from_quaternion(length * q), rotation_from_quaternion(q), atol=1e-14)
        assert_close(unit_quaternion(length * q), unit(q), atol=1e-15)


def test_distance_is_the_angle_between(rng):
    turns = random_rotations(rng, 200)
    p, q = quaternion_from_rotation(turns[:100]), quaternion_from_rotation(turns[100:])
    angle = rotation_angle(turns[:100].swapaxes(-1, -2) @ turns[100:])
    assert_close(quaternion_distance(2.0 * p, -q), angle, atol=1e-14)
    assert_close(quaternion_distance(p, -3.0 * p), 0.0, atol=1e-15)
    # tiny and nearly opposite ones keep their digits
    for small in (1e-12, 1e-8, np.pi - 1e-9):
        q = quaternion_multiply(p, quaternion_from_axis_angle((1.0, 2.0, 3.0), small))
        assert_close(quaternion_distance(p, q), small, atol=1e-15)


def test_slerp_turns_evenly_about_one_axis(rng):
    start, end = rng.normal(size=(2, 100, 4))
    fractions = np.linspace(0.0, 1.0, 11)
    between = quaternion_slerp(start, end, fractions[:, None])
    whole = quaternion_distance(start, end)
    assert_close(quaternion_distance(start, between), fractions[:, None] * whole, atol=1e-14)
    assert_close(quaternion_distance(between, end), (1.0 - fractions[:, None]) * whole, atol=1e-14)
    assert_close(np.linalg.norm(between, axis=-1), 1.0, atol=1e-15)
    assert_close(between[0], unit(start), atol=1e-15)


def test_slerp_takes_the_short_way_unless_told_otherwise():
    turn = quaternion_from_axis_angle((0.0, 0.0, 1.0), np.array([0.0, 5.0]))
    short = quaternion_slerp(turn[0], turn[1], 0.5)
    long = quaternion_slerp(turn[0], turn[1], 0.5, shortest=False)
    assert_close(quaternion_distance(turn[0], short), np.pi - 2.5, atol=1e-15)
    assert_close(long, quaternion_from_axis_angle((0, 0, 1), 2.5), atol=1e-15)
    assert_close(quaternion_slerp(turn[0], -turn[0], 0.3), turn[0], atol=1e-15)
    with pytest.raises(ArgumentError, match="shortest=True"):
        quaternion_slerp(turn[0], -turn[0], 0.3, shortest=False)


def test_slerp_of_neighbours_keeps_its_digits():
    for small in (0.0, 1e-300, 1e-12, 1e-6):
        end = quaternion_from_axis_angle((0.0, 1.0, 0.0), small)
        middle = quaternion_slerp(ONE, end, 0.25)
        np.testing.assert_allclose(middle[2], small / 8.0, rtol=1e-9, atol=1e-160)


def test_a_sequence_is_interpolated_without_jumps(rng):
    times = np.cumsum(rng.uniform(0.1, 1.0, 12))
    nodes = rng.normal(size=(12, 4)) * rng.choice([-1.0, 1.0], (12, 1))
    at = np.linspace(times[0], times[-1], 20000)
    path = slerp_sequence(times, nodes, at)
    assert np.linalg.norm(np.diff(path, axis=0), axis=1).max() < 0.01
    assert_close(quaternion_distance(slerp_sequence(times, nodes, times), nodes), 0.0, atol=1e-14)
    assert_close(path[0], unit(nodes)[0], atol=1e-15)
    with pytest.raises(ArgumentError, match="at: wanted times from"):
        slerp_sequence(times, nodes, times[-1] + 1.0)
    with pytest.raises(ArgumentError, match="increasing"):
        slerp_sequence(times[::-1], nodes, times[3])
    with pytest.raises(ArgumentError, match=r"wanted shapes \(n,\) and \(…, n, 4\)"):
        slerp_sequence(times[:5], nodes, times[3])


def test_every_sequence_of_a_batch_is_interpolated_at_every_time(rng):
    times, at = np.arange(6.0), rng.uniform(0.0, 5.0, (7, 8))
    nodes = rng.normal(size=(2, 3, 6, 4))
    paths = slerp_sequence(times, nodes, at)
    assert paths.shape == (2, 3, 7, 8, 4)
    for i, j in np.ndindex(2, 3):
        np.testing.assert_array_equal(paths[i, j], slerp_sequence(times, nodes[i, j], at))
    assert slerp_sequence(times, nodes, 2.5).shape == (2, 3, 4)


def test_signs_are_made_continuous_along_every_sequence_of_a_batch(rng):
    jumping = rng.normal(size=(3, 40, 4))
    smooth = continuous_quaternions(jumping)
    assert ((smooth[:, 1:] * smooth[:, :-1]).sum(axis=-1) >= 0.0).all()
    np.testing.assert_array_equal(np.abs(smooth), np.abs(jumping))
    np.testing.assert_array_equal(smooth[:, 0], jumping[:, 0])
    np.testing.assert_array_equal(smooth[1], continuous_quaternions(jumping[1]))
    assert continuous_quaternions(np.zeros((0, 4))).shape == (0, 4)


def test_kernels_agree_with_the_checked_functions(rng):
    q, p = rng.normal(size=(2, 3, 5, 4))
    assert_close(kernels.rotation_of(q), rotation_from_quaternion(q), atol=1e-15)
    np.testing.assert_array_equal(kernels.product_of(p, q), quaternion_multiply(p, q))
    np.testing.assert_array_equal(kernels.rotation_of(ONE), np.eye(3))


def test_large_batches_are_the_small_ones_side_by_side(rng):
    q, p, omega = rng.normal(size=(5001, 4)), rng.normal(size=(5001, 4)), rng.normal(size=(5001, 3))
    some = slice(0, None, 50)
    for function, other in (
        (kernels.product_of, p),
        (kernels.rate_of, omega),
        (kernels.angular_velocity_of, p),
    ):
        whole = function(q, other)
        np.testing.assert_allclose(
            whole[some], function(q[some], other[some]), rtol=1e-12, atol=1e-14
        )
        # one against many
        assert_close(
            function(q[:1], np.tile(other, (3, 1, 1)))[2, 7], function(q[0], other[7]), atol=1e-14
        )
