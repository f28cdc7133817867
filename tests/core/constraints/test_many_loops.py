"""Mechanisms with many loops, long loops, and six at once."""

import numpy as np
import pytest

from ...close import assert_close
from .mechanisms import (
    COUPLER,
    CRANK,
    GROUND,
    ROCKER,
    four_bar,
    stewart_platform,
    tree,
    turned,
)

UP = np.array([0.0, 0.0, 1.0])


def moved(system, times, q, v, **options):
    from dynarig.core.simulate import run, simulate

    return run(simulate(system, times, q, v, **options))


def test_a_hundred_four_bars_in_one_mechanism_are_each_what_one_is():
    from dynarig.core.dynamics import System, compile_tree
    from dynarig.core.dynamics.constraints import PlanarHinge, Port
    from dynarig.core.mechanism import Body, TreeJoint

    count, lengths = 100, (CRANK, COUPLER, ROCKER)
    bodies, joints, loops = [], [], []
    for k in range(count):
        parent, place = "base", [0.0, 0.0, 0.1 * k]
        for index, length in enumerate(lengths):
            inertia = length**2 / 12.0
            center = np.array([0.5 * length, 0, 0])
            name = f"rod{index} of {k}"
            bodies.append(Body(name, 1.0, center, np.diag([0.01 * inertia, inertia, inertia])))
            joints.append(
                TreeJoint(
                    f"j{index} of {k}", "continuous", parent, name, turned(np.eye(3), place), UP
                )
            )
            parent, place = name, [length, 0, 0]
        far = Port.at(None, [GROUND, 0, 0.1 * k])
        loops.append(PlanarHinge(name=f"loop{k}", a=far, b=Port.at(parent, [ROCKER, 0, 0])))
    system = System(
        compile_tree(tree("hundred", bodies, joints), gravity=(0, -9.81, 0)),
        constraints=tuple(loops),
    )
    one, q = four_bar()
    v = one.projection.velocities(one.moment(np.asarray(0.0), q, np.array([1.0, 0, 0])))
    expected = one.accelerations(0.0, q, v)
    found = system.accelerations(0.0, np.tile(q, count), np.tile(v, count))
    assert_close(found.reshape(count, 3), np.tile(expected, (count, 1)), atol=1e-8)
    # and put together from where the cranks are a little apart
    off = np.tile(q, count) + 1e-3 * np.sin(np.arange(3 * count))
    end, rate = system.projection.state(np.asarray(0.0), off, np.tile(v, count))
    at = system.moment(np.asarray(0.0), end, rate)
    assert_close(system.rows.at(at).residual, 0.0, atol=1e-11)


def track(links):
    """(System, q): a chain of links closed on itself to a regular polygon, free in space."""
    from dynarig.core.dynamics import System, compile_tree
    from dynarig.core.dynamics.constraints import Hinge, Port
    from dynarig.core.mechanism import Body, TreeJoint

    length, mass = 0.15, 2.0
    inertia = mass * length**2 / 12.0 * np.diag([0.1, 1.0, 1.0])
    bodies, joints = [], []
    for k in range(links):
        bodies.append(Body(f"link{k}", mass, np.array([0.5 * length, 0, 0]), inertia))
        place = turned(np.eye(3), [length, 0, 0] if k else [0, 0, 0])
        kind, parent = ("continuous", f"link{k - 1}") if k else ("floating", "base")
        joints.append(TreeJoint(f"pin{k}", kind, parent, f"link{k}", place, UP))
    model = compile_tree(tree("track", bodies, joints), gravity=(0, 0, 0))
    end = Port.at(f"link{links - 1}", [length, 0, 0])
    system = System(model, constraints=(Hinge(name="last pin", a=Port("link0"), b=end),))
    q = model.neutral()
    q[7:] = 2.0 * np.pi / links
    return system, q


def test_a_track_of_sixty_links_closed_on_itself():
    """It spins and wobbles freely: closed, with its momentum and its energy."""
    from dynarig.core.dynamics import momentum

    system, q = track(60)
    model = system.model
    v = np.zeros(model.nv)
    v[2] = 3.0
    v[6:] = 0.5 * np.sin(2.0 * np.pi * 3.0 * np.arange(59) / 60.0)
    motion = moved(system, np.linspace(0.0, 0.25, 6), q, v, tolerance=1e-8)
    at = system.moment(motion.times, motion.q, motion.v)
    positions = system.rows.at(at)
    assert_close(positions.residual, 0.0, atol=1e-11)
    assert_close(system.rows.rates(at, positions), 0.0, atol=1e-10)
    total = momentum(model, motion.q, motion.v)
    assert_close(total, np.tile(total[0], (6, 1)), atol=1e-6 * np.abs(total).max())
    assert motion.energy_drift < 1e-6 * motion.energy.max()
    # it has moved
    assert np.abs(motion.q[-1, 7:] - motion.q[0, 7:]).max() > 0.01


def test_a_stewart_platform_falls_as_one_body_would_and_its_legs_hold_it():
    """Six loops: driven legs move the plate as inverse kinematics says, at all times."""
    from dataclasses import replace

    from dynarig.core.dynamics.constraints import PrescribedCoordinate

    system, q, plate, base = stewart_platform()
    model = system.model

    def height(t):
        return 1.0 + 0.1 * t * t

    # the plate rises straight up: all legs as long as that asks for
    across = np.linalg.norm((plate - base)[:, :2], axis=1)
    legs = tuple(
        PrescribedCoordinate(
            name=f"leg{k}",
            coordinate=f"slide{k}",
            motion=lambda t, a=own: np.sqrt(a**2 + height(t) ** 2),
        )
        for k, own in enumerate(across)
    )
    driven = replace(system, constraints=(*system.constraints, *legs))
    times = np.linspace(0.0, 0.5, 6)
    with pytest.warns(UserWarning, match="moved the initial positions"):
        motion = moved(driven, times, q, np.zeros(model.nv), tolerance=1e-9)
    pose = motion.q[:, model.q_index("free")]
    assert_close(pose[:, 2], height(times), atol=1e-8)
    assert_close(pose[:, :2], 0.0, atol=1e-8)
    assert_close(np.abs(pose[:, 3]), np.linalg.norm(pose[:, 3:], axis=1), atol=1e-8)
    # released, it moves with its six freedoms and keeps its energy
    start = motion.q[0]
    free = moved(system, [0.0, 0.1], start, np.zeros(model.nv), tolerance=1e-9)
    assert free.energy_drift < 1e-6 * np.abs(free.energy).max()
    assert free.q[-1][model.q_index("free")][2] < start[2] - 0.02
