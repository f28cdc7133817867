"""Keys where velocities jump next to the ends, next to frames and next to each other."""

import numpy as np
import pytest
from dynarig.core.dynamics import System, compile_robot, constraints
from dynarig.core.dynamics.constraints import Port
from dynarig.core.dynamics.contact import Contact, ContactSystem, Plane, Sphere
from dynarig.core.key_segments import CLOSEST_KEYS
from dynarig.core.keyframes import joint_keys
from dynarig.core.simulate import run, simulate
from dynarig.core.urdf import parse_urdf

from ..close import assert_close
from .constraints.mechanisms import chain

BALL = """
<robot name="toy"><link name="world"/>
<link name="ball"><inertial><mass value="1"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="fall" type="prismatic"><parent link="world"/><child link="ball"/><axis xyz="0 0 1"/>
<limit lower="-5" upper="5" effort="0" velocity="0"/></joint></robot>
"""
FALL = np.sqrt(2.0 * 0.9 / 9.81)  # s, from 1 m to where a ball of 0.1 m touches
SPEED = 9.81 * FALL
FRAMES = 10  # that are baked
# frames from a whole one to the hit
OFFSETS = (-0.5, -0.05, -0.021, -0.019, -0.01, -0.001, -1e-9, 0.0, 1e-9, 0.001, 0.01, 0.021, 0.5)


@pytest.fixture(scope="module")
def bouncing():
    """A ball that falls from 1 m, and bounces to a quarter of its height."""
    model = compile_robot(parse_urdf(BALL), gravity=(0.0, 0.0, -9.81))
    floor = Contact(name="floor", a=Plane(Port(None)), b=Sphere(Port("ball"), 0.1), restitution=0.5)
    return run(simulate(ContactSystem(model, contacts=(floor,)), np.array([0.0, 1.5]), [1.0]))


@pytest.fixture(scope="module")
def hit_twice():
    """A function that makes a pendulum which is caught, and let go again some seconds later."""

    def make(between, start, rate=0.0):
        switches = (
            constraints.Switch.at(start, active=True),
            constraints.Switch.at(start + between, active=False),
        )
        hold = constraints.Hold(name="hold", port=Port("rod0"), active=False, switches=switches)
        system = System(chain([1.0]), constraints=(hold,))
        return run(simulate(system, np.array([0.0, 0.5]), [0.0], [rate]))

    return make


def off(motion, table, fps, start=0.0):
    """How far the curves of scalar joints are from a motion, at 401 places of each frame."""
    worst = 0.0
    for keys in table.keys:
        first, last = keys.frames[0], keys.frames[-1]
        frames = np.linspace(first, last, int(400 * (last - first)) + 1)
        truth = motion.sample((frames - start) / fps)[0][:, motion.model.q_index(keys.joint)]
        i = np.clip(np.searchsorted(keys.frames, frames, "right") - 1, 0, len(keys.frames) - 2)
        h = keys.frames[i + 1] - keys.frames[i]
        s = (frames - keys.frames[i]) / h
        y, m, n = keys.values[:, 0], h * keys.slopes[i, 0], h * keys.slopes_before[i + 1, 0]
        if table.interpolation == "LINEAR":
            curve = y[i] + s * (y[i + 1] - y[i])
        else:
            curve = (1 - s) ** 2 * ((1 + 2 * s) * y[i] + s * m)
            curve += s**2 * ((3 - 2 * s) * y[i + 1] - (1 - s) * n)
        worst = max(worst, np.abs(curve - truth[:, 0]).max())
    return worst


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("at_jumps", [True, False])
@pytest.mark.parametrize("tolerance", [None, 1e-3, 1e-5])
@pytest.mark.parametrize("interpolation", ["BEZIER", "LINEAR"])
def test_the_told_deviation_is_that_of_a_hit_anywhere_near_the_last_frame(
    bouncing, offset, at_jumps, tolerance, interpolation
):
    fps = (FRAMES + offset) / FALL
    table = joint_keys(
        bouncing,
        fps,
        0,
        FRAMES,
        interpolation=interpolation,
        tolerance=tolerance,
        keys_at_jumps=at_jumps,
    )
    (keys,) = table.keys
    worst = off(bouncing, table, fps)
    assert worst <= 1.03 * table.deviation + 1e-9
    assert np.diff(keys.frames).min() >= CLOSEST_KEYS * (1.0 - 1e-9)
    # poses are right at the first and at the last frame
    assert (keys.frames[0], keys.frames[-1]) == (0.0, FRAMES)
    assert_close(keys.values[[0, -1]], bouncing.sample([0.0, FRAMES / fps])[0], atol=1e-12)
    if tolerance is not None and worst > tolerance:
        # where it is missed no further key has room
        place = np.searchsorted(keys.frames, table.deviation_frame)
        assert keys.frames[place] == table.deviation_frame
        assert keys.frames[place + 1] - keys.frames[place] < 2.0 * CLOSEST_KEYS


@pytest.mark.parametrize("offset", [-0.5, -0.05, -0.021, -1e-4, -1e-9, 0.0, 1e-9, 0.01, 0.021])
def test_a_tolerance_is_kept_unless_keys_may_not_stand_closer(bouncing, offset):
    fps = (FRAMES + offset) / FALL
    table = joint_keys(bouncing, fps, 0, FRAMES, tolerance=1e-4)
    assert off(bouncing, table, fps) < 1e-4


@pytest.mark.parametrize("offset", [-0.019, -0.01, -0.001, -1e-6])
def test_no_hit_just_before_the_last_frame_smears_the_curve(bouncing, offset):
    # the slope is that before the hit, and what is left is the way of the ball behind it
    fps = (FRAMES + offset) / FALL
    for at_jumps in (True, False):
        table = joint_keys(bouncing, fps, 0, FRAMES, keys_at_jumps=at_jumps)
        (keys,) = table.keys
        assert_close(keys.slopes_before[-1], [-SPEED / fps], atol=1e-3)
        assert off(bouncing, table, fps) <= 1.5 * SPEED / fps * -offset * 1.01


def test_a_hit_at_the_last_frame_itself_has_the_slope_before(bouncing):
    fps = FRAMES / bouncing.jumps[0].time
    (keys,) = joint_keys(bouncing, fps, 0, FRAMES).keys
    assert_close(keys.slopes_before[-1], [-SPEED / fps], atol=1e-9)
    assert_close(keys.slopes[-1], [0.5 * SPEED / fps], atol=1e-9)


@pytest.mark.parametrize("offset", [1e-9, 1e-6, 0.001, 0.01, 0.019, 0.021, 0.3])
@pytest.mark.parametrize("tolerance", [None, 1e-3])
def test_a_jump_at_the_first_frame_or_just_behind_it(hit_twice, offset, tolerance):
    fps = 24.0
    motion = hit_twice(0.4, offset / fps, rate=3.0)
    table = joint_keys(motion, fps, 0, 4, tolerance=tolerance)
    assert off(motion, table, fps) <= 1.03 * table.deviation + 1e-9
    # at most by the way that it still goes before it is caught
    assert table.deviation <= 3.01 / fps * (offset if offset < CLOSEST_KEYS else 1e-4) + 1e-9
    assert_close(table.keys[0].values[0], motion.sample(0.0)[0][:1], atol=1e-12)


@pytest.mark.parametrize("between", [1e-9, 1e-4, 0.01, 0.019, 0.021])
@pytest.mark.parametrize("start", [3.0, 3.49, 3.985])
def test_jumps_next_to_each_other(hit_twice, between, start):
    fps = 24.0
    motion = hit_twice(between / fps, start / fps)
    for tolerance in (None, 1e-3):
        table = joint_keys(motion, fps, 0, 10, tolerance=tolerance)
        assert off(motion, table, fps) <= 1.05 * table.deviation + 1e-9
        for keys in table.keys:
            assert np.diff(keys.frames).min() >= CLOSEST_KEYS * (1.0 - 1e-9)
    assert table.deviation < 1e-3


def test_of_jumps_next_to_each_other_the_largest_has_the_key(hit_twice):
    # it is caught at a speed, and let go at rest
    fps = 24.0
    motion = hit_twice(0.01 / fps, 3.3 / fps)
    (first, *_) = joint_keys(motion, fps, 0, 10).keys
    between = first.frames[np.abs(first.frames - 3.3) < 0.2]
    assert_close(between, [3.3], atol=1e-12)


def test_without_keys_at_jumps_a_hit_right_at_a_frame_has_both_slopes(bouncing):
    fps = 6.0 / bouncing.jumps[0].time
    (keys,) = joint_keys(bouncing, fps, 0, FRAMES, keys_at_jumps=False).keys
    assert_close(keys.frames, np.arange(FRAMES + 1.0), atol=0.0)
    assert_close(keys.slopes_before[6], [-SPEED / fps], atol=1e-9)
    assert_close(keys.slopes[6], [0.5 * SPEED / fps], atol=1e-9)


def test_a_last_frame_before_the_end_of_the_motion_is_no_other(bouncing):
    fps = (FRAMES - 0.01) / FALL
    whole = joint_keys(bouncing, fps, 0, FRAMES + 3).keys[0]
    # what comes later changes nothing of the curve before the hit
    part = joint_keys(bouncing, fps, 0, FRAMES).keys[0]
    assert_close(part.values[:-1], whole.values[: len(part.values) - 1], atol=1e-12)
    assert_close(part.slopes[:-1], whole.slopes[: len(part.values) - 1], atol=1e-12)
