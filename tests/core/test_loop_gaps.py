"""Loops between keys: how far curves open them, and that keys in between close them again."""

from itertools import pairwise

import numpy as np
import pytest

from ..close import assert_close
from .constraints.mechanisms import COUPLER, CRANK, GROUND, ROCKER, chain, four_bar

FPS, TOLERANCE = 24.0, 1e-4


@pytest.fixture(scope="module")
def motion():
    return motion_of(four_bar("Hinge"))


def motion_of(start, rate=12.0, duration=0.5, count=13):
    """A four-bar whose crank begins with that rate, rad/s."""
    from dynarig.core.simulate import run, simulate

    system, q = start
    _, v = system.projection.state(np.asarray(0.0), q, np.array([rate, 0.0, 0.0]))
    v *= rate / v[0]
    return run(simulate(system, np.linspace(0.0, duration, count), q, v))


def curve(keys, frames, linear=False):
    """The values of one coordinate's curve, by de Casteljau's construction."""
    i = np.clip(np.searchsorted(keys.frames, frames, "right") - 1, 0, len(keys.frames) - 2)
    h = keys.frames[i + 1] - keys.frames[i]
    s = (frames - keys.frames[i]) / h
    y, m = keys.values[:, 0], keys.slopes[:, 0]
    points = [y[i], y[i + 1]]
    if not linear:
        points = [y[i], y[i] + h * m[i] / 3.0, y[i + 1] - h * m[i + 1] / 3.0, y[i + 1]]
    while len(points) > 1:
        points = [a + s * (b - a) for a, b in pairwise(points)]
    return points[0]


def opened(table, frames, linear=False):
    """How far the end of the chain is from its place on the ground, by plane geometry."""
    angles = np.cumsum([curve(keys, frames, linear) for keys in table.keys], axis=0)
    lengths = np.array([CRANK, COUPLER, ROCKER])[:, None]
    x, y = (lengths * np.cos(angles)).sum(axis=0), (lengths * np.sin(angles)).sum(axis=0)
    return np.hypot(x - GROUND, y)


@pytest.mark.parametrize("interpolation", ["BEZIER", "LINEAR"])
def test_the_gap_is_told_and_keys_of_all_joints_of_the_loop_close_it(motion, interpolation):
    from dynarig.core.keyframes import CLOSEST_KEYS, joint_keys

    every = np.linspace(1.0, 13.0, 12 * 97 + 1)
    linear = interpolation == "LINEAR"
    wanted = 2e-3 if linear else TOLERANCE
    for tolerance in (None, wanted):
        table = joint_keys(
            motion, FPS, 1, 13, interpolation=interpolation, loop_tolerance=tolerance
        )
        (gap,) = table.gaps
        worst = opened(table, every, linear).max()
        assert gap.name == "loop"
        assert gap.is_met
        assert 0.9 * gap.opening < worst < 1.03 * gap.opening
        # only in a plane: hinges stay along each other
        assert gap.distance == gap.opening
        assert gap.angle < 1e-9
        if tolerance is None:
            assert gap.opening > 10.0 * wanted
            assert table.count == 3 * 13
    assert worst < wanted
    first, *others = table.keys
    assert set(range(1, 14)) < set(first.frames)
    assert np.diff(first.frames).min() >= CLOSEST_KEYS
    for keys in others:
        np.testing.assert_array_equal(keys.frames, first.frames)


def test_keys_between_frames_are_on_the_motion_with_its_velocity(motion):
    from dynarig.core.keyframes import joint_keys

    keys = joint_keys(motion, FPS, 0, 12).keys
    between = keys[0].frames % 1.0 > 0.0
    assert between.any()
    for index, own in enumerate(keys):
        q, v = motion.sample(own.frames / FPS)
        assert_close(own.values[between, 0], q[between, index], atol=1e-12)
        assert_close(own.slopes[between, 0], v[between, index] / FPS, atol=1e-12)


@pytest.mark.parametrize(("interpolation", "order"), [("BEZIER", 4), ("LINEAR", 2)])
def test_the_gap_falls_with_the_curves_order(motion, interpolation, order):
    from dynarig.core.keyframes import joint_keys

    coarse, fine = (
        joint_keys(
            motion, fps, 0, 0.5 * fps, interpolation=interpolation, loop_tolerance=None
        ).gaps[0]
        for fps in (48.0, 96.0)
    )
    assert abs(np.log2(coarse.opening / fine.opening) - order) < 0.2


def test_joints_beside_the_loop_keep_their_own_keys():
    from dynarig.core.dynamics import System, constraints
    from dynarig.core.keyframes import joint_keys
    from dynarig.core.simulate import run, simulate

    # the last two rods swing, and the first two are tied to the ground by a rod
    model = chain([1.0, 1.0, 0.5, 0.5])
    rod = constraints.Distance(
        name="rod", a=constraints.Port.at(None, [0, 1, 0]), b=constraints.Port("rod2"), length=2.0
    )
    system = System(model, constraints=(rod,))
    q, v = system.projection.state(
        np.asarray(0.0), np.array([0.0, 0.5, 0.0, 0.0]), np.array([3.0, 6.0, 0.0, 9.0])
    )
    motion = run(simulate(system, np.linspace(0.0, 1.0, 25), q, v))
    table = joint_keys(motion, FPS, 0, 24)
    counts = [len(keys.frames) for keys in table.keys]
    assert counts[0] == counts[1] > 25
    assert counts[2] == counts[3] == 25
    assert table.gaps[0].opening < TOLERANCE
    assert table.gaps[0].angle is None


def test_what_cannot_be_reached_is_told(motion):
    from dynarig.core.keyframes import CLOSEST_KEYS, joint_keys

    table = joint_keys(motion, FPS, 0, 12, interpolation="LINEAR", loop_tolerance=1e-6)
    (gap,) = table.gaps
    assert gap.reason == "keys"
    assert gap.opening > 1e-6
    assert np.diff(table.keys[0].frames).min() < 2.0 * CLOSEST_KEYS
    assert "loop 'loop' opens at most" in gap.told()
    assert "0.001 mm were wanted: keys cannot stand nearer" in gap.told()
    assert gap.scaled(2.0).opening == 2.0 * gap.opening


def test_a_motion_that_does_not_close_the_loop_gets_no_keys_for_it(motion):
    from dynarig.core.keyframes import joint_keys
    from dynarig.core.trajectory import Trajectory

    system, times = motion.equations.system, motion.times
    # straight lines between rows, as Blender's would be
    rows = Trajectory.from_table(system, times, motion.q)
    table = joint_keys(rows, FPS, 0, 12, interpolation="LINEAR")
    assert table.gaps[0].reason == "motion"
    assert table.count == 3 * 13
    # a trajectory of the tree alone, held against the system
    bent = Trajectory.from_table(system.model, times, motion.q + np.array([0.0, 0.1, 0.0]))
    assert joint_keys(bent, FPS, 0, 12).gaps == ()
    (gap,) = joint_keys(bent, FPS, 0, 12, system=system).gaps
    assert gap.reason == "motion"
    assert gap.opening > 0.1


def test_large_angles_have_too_few_digits(motion):
    from dynarig.core.keyframes import joint_keys
    from dynarig.core.trajectory import Trajectory

    system = motion.equations.system
    turned = motion.q + np.array([2e4 * np.pi, 0.0, 0.0])
    table = joint_keys(Trajectory.from_table(system, motion.times, turned, motion.v), FPS, 0, 12)
    # single precision has 1/256 rad there
    assert table.gaps[0].reason == "digits"
    assert 1e-3 < table.gaps[0].opening < 1e-2


def test_a_gear_counts_by_its_driven_wheel_and_velocities_have_no_gap():
    from dynarig.core.dynamics import System, constraints
    from dynarig.core.keyframes import joint_keys
    from dynarig.core.trajectory import Trajectory

    model = chain([1.0, 2.0])
    gear = constraints.Gear(name="gear", driver="hinge0", driven="hinge1", ratio=-2.0)
    rack = constraints.CoordinateVector(
        name="rate",
        marker0=constraints.GROUND,
        marker1=constraints.CoordinateMarker("m", ("hinge0",)),
        X1=[[1.0]],
        velocity_level=True,
    )
    system = System(model, constraints=(gear, rack))
    motion = Trajectory.from_table(system, [0.0, 1.0], [[0.0, 0.0], [1.0, -1.5]])
    (gap,) = joint_keys(motion, FPS, 0, 24).gaps
    assert gap.distance is None
    assert_close(gap.angle, 0.5, atol=1e-6)
    # the rods' centres of mass and hinges reach over 2 m
    assert_close(gap.opening, 2.0 * gap.angle, atol=1e-12)
    assert "0.5 rad" in gap.told()


@pytest.mark.parametrize("interpolation", ["BEZIER", "LINEAR"])
def test_a_jump_is_a_key_of_its_own_with_both_slopes(interpolation):
    from dynarig.core.dynamics import System, constraints
    from dynarig.core.keyframes import joint_keys
    from dynarig.core.simulate import run, simulate

    # a double pendulum that is caught at its middle a quarter of a frame behind the sixth one
    caught, let_go = 6.25 / FPS, 9.5 / FPS
    switches = (
        constraints.Switch.at(caught, active=True),
        constraints.Switch.at(let_go, active=False),
    )
    hold = constraints.Hold(
        name="hold", port=constraints.Port("rod0"), active=False, switches=switches
    )
    system = System(chain([1.0, 1.0]), constraints=(hold,))
    motion = run(simulate(system, np.linspace(0.0, 0.5, 13), [0.0, 0.5]))
    table = joint_keys(motion, FPS, 1, 13, interpolation=interpolation)
    for joint, keys in enumerate(table.keys):
        assert set(keys.frames) == {*range(1, 14), 7.25, 10.5}
        at = list(keys.frames).index(7.25)
        q, v = motion.sample(caught, side="left")
        assert_close(keys.values[at, 0], q[joint], atol=1e-12)
        assert_close(keys.slopes_before[at, 0], v[joint] / FPS, atol=1e-12)
        assert_close(keys.slopes[at, 0], motion.sample(caught)[1][joint] / FPS, atol=1e-12)
        assert abs(keys.slopes[at, 0] - keys.slopes_before[at, 0]) > 0.05
        rest = np.delete(np.arange(len(keys.frames)), at)
        assert_close(keys.slopes_before[rest], keys.slopes[rest], atol=1e-12)
    # what holds counts only while it does: it has moved by far before
    (gap,) = table.gaps
    assert gap.opening < 1e-6
    # a key at the jump is worth it
    assert table.deviation < (2e-3 if interpolation == "BEZIER" else 0.1)


def test_a_jump_next_to_a_frame_has_the_only_key_there():
    from dynarig.core.dynamics import System, constraints
    from dynarig.core.keyframes import joint_keys
    from dynarig.core.simulate import run, simulate

    hold = constraints.Hold(
        name="hold",
        port=constraints.Port("rod0"),
        active=False,
        switches=[constraints.Switch.at(3.01 / FPS, active=True)],
    )
    system = System(chain([1.0]), constraints=(hold,))
    motion = run(simulate(system, [0.0, 6.0 / FPS], [0.0]))
    (keys,) = joint_keys(motion, FPS, 0, 6).keys
    assert_close(keys.frames, [0.0, 1.0, 2.0, 3.01, 4.0, 5.0, 6.0], atol=1e-12)
    (keys,) = joint_keys(motion, FPS, 0, 6, interpolation="LINEAR").keys
    assert_close(keys.frames, np.arange(7.0), atol=0.0)


def test_a_single_key_has_nothing_between(motion):
    from dynarig.core.keyframes import joint_keys

    assert joint_keys(motion, FPS, 3, 3).gaps == ()
