"""Coulomb friction by time stepping: sticking, sliding, rolling, standing."""

import numpy as np
import pytest

from ...close import assert_close
from .benches import G, ball, box, ground, placed, scene, solid_ball, solid_box, stepped

CUBE = [0.1, 0.1, 0.1]


def on_slope(angle, friction):
    """A cube on a slope that falls along x: (system, q)."""
    system = scene(
        [solid_box("cube", CUBE)],
        [ground(friction=friction), box("cube", CUBE, friction=friction)],
        gravity=(G * np.sin(angle), 0.0, -G * np.cos(angle)),
    )
    return system, placed(system, [0.0, 0.0, 0.1])


@pytest.mark.parametrize("degrees", [10.0, 25.0])
def test_a_box_sticks_below_the_friction_angle(degrees):
    system, q = on_slope(np.deg2rad(degrees), 0.5)
    motion = stepped(system, np.linspace(0.0, 1.0, 11), q)
    assert_close(motion.q, np.broadcast_to(q, motion.q.shape), atol=1e-6)


@pytest.mark.parametrize(("degrees", "friction"), [(30.0, 0.5), (40.0, 0.2), (20.0, 0.0)])
def test_a_box_slides_above_it_with_the_right_acceleration(degrees, friction):
    angle = np.deg2rad(degrees)
    system, q = on_slope(angle, friction)
    motion = stepped(system, np.linspace(0.0, 1.0, 11), q)
    expected = G * (np.sin(angle) - friction * np.cos(angle))
    assert_close(motion.q[:, 0], 0.5 * expected * motion.times**2, atol=1e-4 * expected)
    assert_close(motion.v[:, 3], expected * motion.times, atol=1e-4 * expected)
    assert_close(motion.q[:, 2], np.full(11, 0.1), atol=1e-6)


def test_a_box_that_is_thrown_along_the_ground_stops_after_its_way():
    system, q = on_slope(0.0, 0.4)
    v = np.array([0.0, 0.0, 0.0, 1.2, 1.6, 0.0])  # 2 m/s
    motion = stepped(system, np.linspace(0.0, 1.0, 11), q, v)
    way = 2.0**2 / (2.0 * 0.4 * G)
    assert_close(motion.q[-1, :2], way * np.array([0.6, 0.8]), atol=1e-4)
    assert_close(motion.v[-1], np.zeros(6), atol=1e-5)


@pytest.mark.parametrize(("speed", "friction"), [(2.0, 0.3), (1.0, 0.1)])
def test_a_ball_set_sliding_begins_to_roll(speed, friction):
    system = scene(
        [solid_ball("ball", 0.1)], [ground(friction=friction), ball("ball", 0.1, friction=friction)]
    )
    rolls = 2.0 * speed / (7.0 * friction * G)
    times = np.linspace(0.0, 2.0 * rolls, 401)
    v = np.array([0.0, 0.0, 0.0, speed, 0.0, 0.0])
    motion = stepped(system, times, placed(system, [0.0, 0.0, 0.1]), v)
    velocities = motion.link_velocities(times)[:, 1]
    slip = velocities[:, 3] - 0.1 * velocities[:, 1]
    # the straight line of the sliding down to nothing
    slides = slip > 0.1 * speed
    slope, start = np.polyfit(times[slides], slip[slides], 1)
    assert -start / slope == pytest.approx(rolls, rel=0.01)
    # in between, on straight lines in axes that turn by 0.03 rad a step
    assert np.abs(slip[times > 1.02 * rolls]).max() < 2e-4 * speed
    assert velocities[-1, 3] == pytest.approx(5.0 / 7.0 * speed, rel=1e-4)
    sliding = times < 0.98 * rolls
    assert_close(velocities[sliding, 3], speed - friction * G * times[sliding], atol=1e-3)
    assert_close(motion.q[:, 2], np.full(401, 0.1), atol=1e-6)


def test_a_stack_of_five_boxes_stands():
    names = [f"box{k}" for k in range(5)]
    system = scene(
        [solid_box(name, CUBE) for name in names],
        [ground(friction=0.6), *(box(name, CUBE, friction=0.6) for name in names)],
    )
    q = placed(system, *([0.01 * (k % 2), 0.005 * k, 0.1 + 0.2 * k] for k in range(5)))
    motion = stepped(system, np.linspace(0.0, 10.0, 101), q)
    assert_close(motion.q, np.broadcast_to(q, motion.q.shape), atol=1e-5)
    assert motion.touches.deepest < 1e-5
    assert motion.touches.unconverged == 0
    # each box carries those above it
    for k, name in enumerate(names):
        force = motion.touches.force(name, 5.0, "ground" if k == 0 else names[k - 1])
        assert_close(force, [0.0, 0.0, (5 - k) * G], atol=1e-2)


def test_a_stack_of_five_unequal_boxes_that_are_turned_stands():
    halves = np.array(
        [
            [0.15, 0.12, 0.05],
            [0.1, 0.1, 0.1],
            [0.12, 0.08, 0.03],
            [0.06, 0.06, 0.09],
            [0.1, 0.05, 0.04],
        ]
    )
    masses, turns = (3.0, 1.0, 5.0, 0.5, 2.0), (0.0, 0.4, 0.9, 0.2, 1.3)
    names = [f"box{k}" for k in range(5)]
    system = scene(
        [solid_box(*own) for own in zip(names, halves, masses, strict=True)],
        [
            ground(friction=0.6),
            *(box(name, half, friction=0.6) for name, half in zip(names, halves, strict=True)),
        ],
    )
    tops = np.cumsum(2.0 * halves[:, 2])
    q = placed(
        system,
        *(
            [
                0.01 * (k % 2),
                0.005 * k,
                tops[k] - halves[k, 2],
                np.cos(0.5 * turn),
                0,
                0,
                np.sin(0.5 * turn),
            ]
            for k, turn in enumerate(turns)
        ),
    )
    motion = stepped(system, np.linspace(0.0, 3.0, 31), q)
    assert_close(motion.q, np.broadcast_to(q, motion.q.shape), atol=1e-5)
    assert motion.touches.unconverged == 0
    for k, name in enumerate(names):
        force = motion.touches.force(name, 2.5, "ground" if k == 0 else names[k - 1])
        assert_close(force, [0.0, 0.0, sum(masses[k:]) * G], atol=1e-2)


def test_friction_takes_the_sliding_and_not_the_turning_of_a_smooth_box():
    system, q = on_slope(0.0, 0.0)
    v = np.array([0.0, 0.0, 3.0, 1.0, 0.0, 0.0])
    motion = stepped(system, (0.0, 0.5), q, v)
    assert_close(motion.v[-1, 2], 3.0, atol=1e-6)
    assert_close(motion.q[-1, :3], [0.5, 0.0, 0.1], atol=1e-6)


def test_surfaces_combine_by_the_geometric_mean():
    system = scene(
        [solid_box("cube", CUBE)], [ground(friction=0.9), box("cube", CUBE, friction=0.1)]
    )
    q, v = placed(system, [0.0, 0.0, 0.1]), np.array([0.0, 0.0, 0.0, 2.0, 0.0, 0.0])
    motion = stepped(system, (0.0, 0.2), q, v)
    assert_close(motion.v[-1, 3], 2.0 - 0.3 * G * 0.2, atol=1e-4)
