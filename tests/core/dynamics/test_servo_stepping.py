"""Servos in time stepping: as in other schemes, at any stiffness, within their limits."""

import math

import numpy as np
from dynarig.core.dynamics import Servo, System, compile_tree, hold_pose
from dynarig.core.simulate import run, simulate
from dynarig.core.tree import Body, Tree, TreeJoint

from ...close import assert_close

G = 9.81


def arm(**first):
    """Two rods of 1 m; level at 0, angles grow upwards."""
    rods = [Body(name, 2.0, np.array([0.5, 0.0, 0.0]), 0.1 * np.eye(3)) for name in ("one", "two")]
    elbow = np.eye(4)
    elbow[0, 3] = 1.0
    axis = np.array([0.0, -1.0, 0.0])
    joints = (
        TreeJoint("a", "continuous", "base", "one", np.eye(4), axis, **first),
        TreeJoint("b", "continuous", "one", "two", elbow, axis),
    )
    base = Body("base", 0.0, np.zeros(3), np.zeros((3, 3)))
    return compile_tree(Tree("arm", (base, *rods), joints, "base"), gravity=(0.0, 0.0, -G))


def moved(model, servos, times, q, **options):
    return run(simulate(System(model, joint_forces=tuple(servos)), times, q, **options))


def test_the_motion_is_that_of_other_schemes_and_better_in_shorter_steps():
    model, times, start = arm(), np.linspace(0.0, 1.0, 11), [0.4, -0.8]
    servos = [
        Servo("a", 60.0, 8.0, position=lambda t: (0.5 * math.sin(2.0 * t), math.cos(2.0 * t))),
        Servo("b", 0.0, 5.0, velocity=1.0, effort=12.0),
    ]
    exact = moved(model, servos, times, start, tolerance=1e-9)
    errors = []
    for step in (4e-3, 2e-3):
        motion = moved(model, servos, times, start, method="time-stepping", step=step)
        errors.append(np.abs(motion.q - exact.q).max())
    # of first order
    assert errors[0] < 0.01
    assert_close(errors[0] / errors[1], 2.0, 0.2)


def test_stiff_gains_hold_at_the_default_step():
    model, pose = arm(), np.array([0.3, 0.5])
    times = np.linspace(0.0, 1.0, 11)
    for frequency in (5.0, 100.0, 2000.0):  # Hz: up to 25 times in a step of 2 ms
        servos = hold_pose(model, pose, frequency=frequency)
        motion = moved(model, servos, times, pose, method="time-stepping")
        x = motion.q[-1]
        assert_close(motion.v[-1], 0.0, 1e-4)
        weight = (
            2.0
            * G
            * np.array([1.5 * math.cos(x[0]) + 0.5 * math.cos(x.sum()), 0.5 * math.cos(x.sum())])
        )
        stiffness = np.array([own.stiffness for own in servos])
        assert_close(x, pose - weight / stiffness, 1e-4 * (5.0 / frequency) ** 2)


def test_limits_hold_in_every_step():
    model = arm(effort=20.0)  # less than the weight needs
    times = np.linspace(0.0, 0.6, 301)
    servos = [Servo("a", 1e6, 1e4), Servo("b", 1e6, 1e4)]
    motion = moved(model, servos, times, [0.0, 0.0], method="time-stepping")
    # it falls as under the weight less the limit, the second joint stiff: one body
    early = motion.times < 0.05
    a = (20.0 - 2.0 * G * 2.0) / (2.0 * 0.1 + 2.0 * 0.25 + 2.0 * 2.25)
    assert_close(motion.q[early, 0], 0.5 * a * motion.times[early] ** 2, 2e-3)
    assert_close(motion.q[:, 1], 0.0, 1e-3)
