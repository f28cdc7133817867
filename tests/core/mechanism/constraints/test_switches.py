"""Constraints of mechanisms that are switched on and off."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....close import assert_close
from .benches import joined

G = 10.0


def test_a_body_is_held_where_it_is_and_let_go() -> None:
    """It falls for 0.5 s, is held for 0.5 s, and falls again from rest."""
    from dynarig.core.mechanism import Switch, planar, spatial

    switches = [Switch.at(0.5, True), Switch.at(1.0, False)]
    t = np.array([0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5])
    fallen = np.array([0.0, 0.3125, 1.25, 1.25, 1.25, 1.5625, 2.5])
    for kinds, start, spin in (
        (planar, (1.0, 0.0), {"w0": 2.0}),
        (spatial, (1.0, 0.0, 0.0), {"w0": (0.0, 0.0, 2.0)}),
    ):
        world = kinds.World("world", g=G)
        body = kinds.Body("body", m=2.0, I=0.3, r0=start, **spin)
        hold: Any = kinds.Hold("hand", active=False, switches=switches)
        sol = joined("caught", [world, body, hold], (body.frame_a, hold.frame_b)).simulate(
            t, tolerance=1e-11
        )
        height = sol(t, "body.r")[:, 1 if kinds is planar else 2]
        assert_close(height, -fallen, atol=1e-11)
        held = np.array([False, False, True, True, False, False, False])
        # along the axes of the pose that is held
        weight = np.linalg.norm(sol(t, "hand.force")[:, : len(start)], axis=-1)
        assert_close(weight[held], 2.0 * G, atol=1e-10)
        assert_close(
            sol(t, "hand.force")[[0, 1, 5, 6]],
            np.zeros((4, 6 if kinds is spatial else 3)),
            atol=0.0,
        )
        if kinds is planar:
            assert_close(sol(t, "body.phi"), 2.0 * np.minimum(t, 0.5), atol=1e-11)


def test_a_rod_lets_go_where_its_mass_is_lowest() -> None:
    """By a condition: from there on the mass flies freely, with the velocity it has."""
    from dynarig.core.mechanism import Switch, planar

    def right(t: float, q: Any, v: Any) -> float:
        return float(q[0])

    world, body = planar.World("world", g=G), planar.Body("body", r0=(0.8, 0.0))
    rod = planar.DistanceConstraint("rod", length=0.8, switches=[Switch.when(right, False)])
    links = (world.frame_b, rod.frame_a), (rod.frame_b, body.frame_a)
    sol = joined("sling", [world, body, rod], *links).simulate(1.0, tolerance=1e-11)
    t = np.linspace(0.7, 1.0, 4)
    speed = np.sqrt(2 * G * 0.8)
    r = sol(t, "body.r")
    since = -r[:, 0] / speed
    assert_close(np.diff(since), np.diff(t), atol=1e-9)
    assert_close(r[:, 1], -0.8 - 0.5 * G * since**2, atol=1e-9)
    assert_close(sol(t, "rod.tension"), np.zeros(4), atol=0.0)


def test_an_inactive_constraint_has_no_effect() -> None:
    from dynarig.core.mechanism import planar

    world, hinge = planar.World("world", g=G), planar.Revolute("hinge")
    rod, body = planar.FixedTranslation("rod"), planar.Body("body")
    gear = planar.PrescribedCoordinate("drive", coordinate=hinge, motion=1.0, active=False)
    chain = (world, hinge, rod, body)
    t, answers = np.linspace(0.0, 1.0, 5), []
    for parts in ([*chain], [*chain, gear]):
        sol = joined("pendulum", parts, chains=[chain]).simulate(1.0, tolerance=1e-10)
        answers.append(sol(t, "hinge.phi"))
    assert_close(answers[1], answers[0], atol=1e-9)
    assert_close(sol(t, "drive.force"), np.zeros((5, 1)), atol=0.0)
    assert_close(sol(t, "drive.equation")[:, 0], sol(t, "hinge.phi") - 1.0, atol=1e-12)
