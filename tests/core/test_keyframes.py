"""Keys: where they stand, that their interpolant is the motion, and that turns never wrap."""

import numpy as np
import pytest
from dynarig.core.dynamics import compile_tree
from dynarig.core.errors import TrajectoryError
from dynarig.core.keyframes import CLOSEST_KEYS, joint_keys
from dynarig.core.simulate import run, simulate
from dynarig.core.trajectory import Trajectory

from ..close import assert_close


@pytest.fixture(scope="module")
def motion(random_tree):
    model = compile_tree(random_tree(4, ["revolute", "prismatic"]), floating_base=True)
    v = np.array([8.0, -3.0, 5.0, 1.0, 0.0, 2.0, 20.0, 0.5])
    return run(simulate(model, np.linspace(0.0, 1.0, 25), v=v))


def hermite(keys, frame):
    """The interpolant of Bezier keys with handles at a third of the interval."""
    i = min(np.searchsorted(keys.frames, frame, side="right") - 1, len(keys.frames) - 2)
    h = keys.frames[i + 1] - keys.frames[i]
    s = (frame - keys.frames[i]) / h
    points = np.array(
        [
            keys.values[i],
            keys.values[i] + h * keys.slopes[i] / 3.0,
            keys.values[i + 1] - h * keys.slopes[i + 1] / 3.0,
            keys.values[i + 1],
        ]
    )
    weights = np.array([(1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s * s * (1 - s), s**3])
    return weights @ points


def coordinates(motion, joint, time):
    return motion.sample(time)[0][motion.model.q_index(joint)]


def test_keys_stand_on_whole_frames_and_are_the_motion_there(motion):
    table = joint_keys(motion, 24.0, 10, 34)
    assert [keys.joint for keys in table.keys] == list(motion.model.joint_names)
    for keys in table.keys:
        np.testing.assert_array_equal(keys.frames, np.arange(10, 35))
        for frame, value in zip(keys.frames, keys.values, strict=True):
            there = coordinates(motion, keys.joint, (frame - 10) / 24.0)
            if len(there) == 7:
                there[3:] /= np.linalg.norm(there[3:])
            assert_close(value, there, atol=1e-12)
    assert table.count == 25 * motion.model.nq


def test_slopes_are_the_derivative_of_the_values(motion):
    h = 1e-4
    for keys in joint_keys(motion, 24.0, 0, 24).keys:
        middle = 12
        before = coordinates(motion, keys.joint, (middle - h) / 24.0)
        after = coordinates(motion, keys.joint, (middle + h) / 24.0)
        if keys.joint == "floating_base":
            before[3:] /= np.linalg.norm(before[3:])
            after[3:] /= np.linalg.norm(after[3:])
        assert_close(keys.slopes[middle], (after - before) / (2 * h), atol=1e-5)


def test_deviation_is_the_distance_from_the_motion(motion):
    table = joint_keys(motion, 24.0, 0, 24)
    worst = 0.0
    for keys in table.keys[1:]:
        for frame in np.linspace(0.0, 24.0, 24 * 8 + 1):
            there = coordinates(motion, keys.joint, frame / 24.0)
            worst = max(worst, np.abs(hermite(keys, frame) - there).max())
    assert table.deviation >= worst > 0.0


@pytest.mark.parametrize("interpolation", ["BEZIER", "LINEAR"])
@pytest.mark.parametrize("tolerance", [1e-2, 1e-4])
def test_keys_are_added_until_the_tolerance_is_met(motion, interpolation, tolerance):
    plain = joint_keys(motion, 12.0, 0, 12, interpolation=interpolation)
    table = joint_keys(motion, 12.0, 0, 12, interpolation=interpolation, tolerance=tolerance)
    assert plain.deviation > tolerance
    for keys in table.keys:
        assert np.diff(keys.frames).min() >= CLOSEST_KEYS
        assert set(range(13)) <= set(keys.frames)
    closest = min(np.diff(keys.frames).min() for keys in table.keys)
    assert table.deviation <= tolerance or closest < 2.0 * CLOSEST_KEYS


def test_bezier_keys_are_nearer_than_linear_ones(motion):
    bezier, linear = (
        joint_keys(motion, 24.0, 0, 24, interpolation=kind) for kind in ("BEZIER", "LINEAR")
    )
    assert bezier.deviation < 0.1 * linear.deviation


def test_a_wheel_turns_on_and_on(pendulum):
    model = compile_tree(pendulum())
    motion = Trajectory.from_table(model, (0.0, 10.0), [[0.0], [200.0]])
    keys = joint_keys(motion, 24.0, 1, 1000, interpolation="LINEAR").keys[0]
    assert len(keys.frames) == 241
    assert keys.values[-1, 0] == 200.0
    np.testing.assert_allclose(np.diff(keys.values[:, 0]), 200.0 / 240.0)


def test_a_spinning_body_keeps_the_sign_of_its_quaternion(random_tree):
    model = compile_tree(random_tree(1, []), True, (0, 0, 0))
    spin = np.array([0.0, 0.0, 40.0, 0.0, 0.0, 0.0])  # 0.27 turns a frame
    keys = joint_keys(run(simulate(model, (0.0, 2.0), v=spin)), 24.0, 0, 48).keys[0]
    q = keys.values[:, 3:]
    assert_close(np.linalg.norm(q, axis=1), 1.0, atol=1e-12)
    assert np.einsum("ij,ij->i", q[1:], q[:-1]).min() > 0.6


def test_the_range_ends_with_the_motion_or_the_frames(motion):
    assert joint_keys(motion, 24.0, 1, 5).keys[0].frames[-1] == 5
    assert joint_keys(motion, 24.0, 1, 500).keys[0].frames[-1] == 25
    assert joint_keys(motion, 23.976, 1, 500).keys[0].frames[-1] == 24


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"interpolation": "CONSTANT"}, "interpolation: wanted BEZIER or LINEAR"),
        ({"fps": 0.0}, "fps: wanted a positive number"),
        ({"tolerance": -1.0}, "tolerance: wanted a positive number"),
        ({"frame_end": -1}, "no frame lies between 0 and -1"),
    ],
)
def test_wrong_arguments_are_refused(motion, options, message):
    with pytest.raises(TrajectoryError, match=message):
        joint_keys(motion, **{"fps": 24.0, "frame_start": 0, "frame_end": 9, **options})
