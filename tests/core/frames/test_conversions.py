"""Any representation to any other: one rotation, whatever the way; batches of any shape."""

import itertools

import numpy as np
import pytest
from dynarig.core.errors import ArgumentError
from dynarig.core.frames import (
    SEQUENCES,
    convert_rotation,
    euler_from_rotation,
    quaternion_from_rotation,
    rotation_from_euler,
    rotation_from_quaternion,
)
from dynarig.core.frames.batches import BLOCK

from ...close import assert_close
from .samples import half_turns, random_rotations

NAMES = (
    *("matrix", "quaternion", "quaternion_xyzw", "rotation_vector", "axis_angle", "rpy"),
    *SEQUENCES,
)
TAILS = {"matrix": (3, 3), "quaternion": (4,), "quaternion_xyzw": (4,)}


@pytest.mark.parametrize("source", NAMES)
def test_every_pair_gives_the_same_rotation(rng, source):
    turns = np.concatenate((random_rotations(rng, 50), half_turns(rng, 10), [np.eye(3)]))
    value = convert_rotation(turns, "matrix", source)
    for target in NAMES:
        there = convert_rotation(value, source, target)
        back = convert_rotation(there, target, "matrix")
        assert_close(back, turns, atol=1e-14, err_msg=f"{source} to {target}")


def test_names_mean_what_the_functions_do(rng):
    turns = random_rotations(rng, 20)
    q = quaternion_from_rotation(turns)
    np.testing.assert_array_equal(convert_rotation(turns, "matrix", "quaternion"), q)
    np.testing.assert_array_equal(
        convert_rotation(turns, "matrix", "quaternion_xyzw"), q[:, [1, 2, 3, 0]]
    )
    assert_close(
        convert_rotation(5.0 * q[:, [1, 2, 3, 0]], "quaternion_xyzw", "matrix"), turns, atol=2e-15
    )
    np.testing.assert_array_equal(
        convert_rotation(turns, "matrix", "rpy"), euler_from_rotation(turns, "ZYX")[:, ::-1]
    )
    axis, angle = convert_rotation(turns, "matrix", "axis_angle")
    assert_close(
        convert_rotation(turns, "matrix", "rotation_vector"), axis * angle[:, None], atol=4e-15
    )


def test_a_name_to_itself_gives_the_canonical_form():
    assert_close(
        convert_rotation((0.0, 0.0, 7.0), "rotation_vector", "rotation_vector"),
        (0.0, 0.0, 7.0 - 2.0 * np.pi),
        atol=1e-15,
    )
    np.testing.assert_allclose(
        convert_rotation((2.0, 0.0, 0.0, 0.0), "quaternion", "quaternion"), (1, 0, 0, 0)
    )
    axis, angle = convert_rotation(((0.0, -2.0, 0.0), 4.0), "axis_angle", "axis_angle")
    assert_close(axis, (0.0, 1.0, 0.0), atol=1e-15)
    assert angle == pytest.approx(2.0 * np.pi - 4.0)


@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3), (0,), (2, 0, 3)])
def test_leading_axes_are_kept(rng, shape):
    for source, target in itertools.product(NAMES, ("matrix", "quaternion", "rpy", "XYX")):
        turns = np.broadcast_to(random_rotations(rng, 1)[0], (*shape, 3, 3))
        value = convert_rotation(turns, "matrix", source)
        result = convert_rotation(value, source, target)
        assert result.shape == (*shape, *TAILS.get(target, (3,)))
        assert result.dtype == np.float64


@pytest.mark.parametrize("count", [1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 17])
def test_blocks_leave_no_seams(rng, count):
    q = rng.normal(size=(count, 4))
    turns = rotation_from_quaternion(q)
    some = np.unique(np.concatenate((np.arange(0, count, 997), [count - 1])))
    assert_close(turns[some], np.array([rotation_from_quaternion(q[n]) for n in some]), atol=1e-15)
    back = quaternion_from_rotation(turns)
    length = np.linalg.norm(q, axis=-1)
    assert_close(np.abs((back * q).sum(axis=-1)) / length, 1.0, atol=1e-14)
    angles = euler_from_rotation(turns, "YZX")
    assert_close(rotation_from_euler(angles, "YZX"), turns, atol=4e-15)


def test_strided_and_integer_input_is_read_and_left_alone(rng):
    q = rng.normal(size=(4, 30)).T[::2]
    assert not q.flags.c_contiguous
    kept = q.copy()
    turns = rotation_from_quaternion(q)
    np.testing.assert_array_equal(turns, rotation_from_quaternion(kept))
    np.testing.assert_array_equal(q, kept)
    assert_close(
        rotation_from_quaternion([1, 0, 0, 1]), [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-15
    )
    np.testing.assert_array_equal(
        convert_rotation(np.eye(3, dtype=np.int8), "matrix", "rpy"), np.zeros(3)
    )
    np.testing.assert_allclose(
        convert_rotation(np.float32([1, 2, 3]), "XYZ", "matrix"),
        rotation_from_euler((1, 2, 3), "XYZ"),
    )


@pytest.mark.parametrize("name", NAMES)
def test_results_are_new_and_read_only_input_is_fine(rng, name):
    turns = random_rotations(rng, 3)
    turns.flags.writeable = False
    value = convert_rotation(turns, "matrix", name)
    for part in value if isinstance(value, tuple) else (value,):
        assert part.flags.writeable
        assert part.flags.owndata
        assert not np.shares_memory(part, turns)
    again = convert_rotation(turns, "matrix", "matrix")
    assert not np.shares_memory(again, turns)


def test_axes_that_should_stay_put_do_exactly():
    for n, axis in enumerate(np.eye(3)):
        turn = convert_rotation((axis, 0.3), "axis_angle", "matrix")
        assert turn[n, n] == pytest.approx(1.0, abs=1e-15)
        others = [m for m in range(3) if m != n]
        np.testing.assert_array_equal(turn[n, others], 0.0)
        np.testing.assert_array_equal(turn[others, n], 0.0)


def test_unknown_names_are_named():
    with pytest.raises(ArgumentError, match=r"source: wanted one of matrix, .* got 'euler'"):
        convert_rotation(np.eye(3), "euler", "matrix")
    with pytest.raises(ArgumentError, match=r"target: wanted one of matrix, .* got 'xyz'"):
        convert_rotation(np.eye(3), "matrix", "xyz")
    with pytest.raises(ArgumentError, match="wanted a pair"):
        convert_rotation(np.ones(4), "axis_angle", "matrix")
