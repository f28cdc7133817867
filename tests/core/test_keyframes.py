"""Keys: where they stand, that their interpolant is the motion, and that turns never wrap."""

import numpy as np
import pytest
from dynarig.core.dynamics import compile_robot, compile_tree
from dynarig.core.dynamics.constraints import Port
from dynarig.core.dynamics.contact import Contact, ContactSystem, Plane, Sphere
from dynarig.core.errors import TrajectoryError
from dynarig.core.keyframes import CLOSEST_KEYS, joint_keys
from dynarig.core.simulate import run, simulate
from dynarig.core.trajectory import Trajectory
from dynarig.core.urdf import parse_urdf

from ..close import assert_close

BALL = """
<robot name="toy"><link name="world"/>
<link name="ball"><inertial><mass value="1"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="fall" type="prismatic"><parent link="world"/><child link="ball"/><axis xyz="0 0 1"/>
<limit lower="-5" upper="5" effort="0" velocity="0"/></joint></robot>
"""


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
            keys.values[i + 1] - h * keys.slopes_before[i + 1] / 3.0,
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


@pytest.fixture(scope="module")
def bouncing():
    """A ball of 0.1 m that falls from 1 m, as a joint and a contact."""
    model = compile_robot(parse_urdf(BALL), gravity=(0.0, 0.0, -9.81))
    floor = Contact(name="floor", a=Plane(Port(None)), b=Sphere(Port("ball"), 0.1), restitution=0.5)
    system = ContactSystem(model, contacts=(floor,))
    return run(simulate(system, np.linspace(0.0, 1.5, 37), [1.0]))


def test_a_bounce_has_a_key_of_its_own_with_both_slopes(bouncing):
    (keys,) = joint_keys(bouncing, 24.0, 1, 37).keys
    fall = np.sqrt(2.0 * 0.9 / 9.81)
    place = int(np.argmin(np.abs(keys.frames - (1.0 + 24.0 * fall))))
    assert_close(keys.frames[place], 1.0 + 24.0 * fall, atol=1e-9)
    assert_close(keys.values[place], [0.1], atol=1e-9)
    assert_close(keys.slopes_before[place], [-9.81 * fall / 24.0], atol=1e-9)
    assert_close(keys.slopes[place], [0.5 * 9.81 * fall / 24.0], atol=1e-9)
    # a parabola between bounces is met to the last digit, so the ball never sinks in
    lowest = min(hermite(keys, frame)[0] for frame in np.linspace(1.0, 37.0, 36 * 16 + 1))
    assert lowest > 0.1 - 1e-5


def test_without_keys_at_jumps_there_are_whole_frames_only(bouncing):
    table = joint_keys(bouncing, 24.0, 1, 37, keys_at_jumps=False)
    (keys,) = table.keys
    np.testing.assert_array_equal(keys.frames, np.arange(1.0, 38.0))
    np.testing.assert_array_equal(keys.slopes_before, keys.slopes)
    assert table.deviation > 1e-3


def test_what_holds_bodies_at_rest_is_no_loop(bouncing):
    assert any("comes to rest" in remark for remark in bouncing.remarks)
    assert joint_keys(bouncing, 24.0, 1, 37).gaps == ()
