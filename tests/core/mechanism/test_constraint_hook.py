"""Components that only constrain: their equations reach the system and answer over time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ...close import assert_close


def rods_end(active: bool = True) -> Any:
    """A point mass on a ball joint that is a constraint, swinging about the world's origin."""
    from dynarig.core.dynamics.constraints import Ball
    from dynarig.core.mechanism import Mechanism, spatial
    from dynarig.core.mechanism.component import Component

    class Tie(Component):
        space = "spatial"

        def __init__(self, name: str) -> None:
            super().__init__(name, ("frame_a", "frame_b"))

        def constraints(self, places: Any) -> Any:
            a, b = places.port(self.frame_a), places.port(self.frame_b)
            return (Ball(name=self.name, a=a, b=b, active=active),)

        def outputs(self, places: Any) -> Any:
            return {"force": lambda at: at.constraint(self.name).force}

    body = spatial.Body("body", m=2.0, I_11=0.1, I_22=0.1, I_33=0.1, r0=(0.0, 1.0, 0.0))
    arm, tie = spatial.FixedTranslation("arm", r=(0.0, -1.0, 0.0)), Tie("tie")
    world = spatial.World("world", g=10.0, n=(0.0, 0.0, -1.0))
    mechanism = Mechanism("ball", [world, tie, arm, body])
    mechanism.connect(world.frame_b, tie.frame_a)
    mechanism.connect(body.frame_a, arm.frame_a)
    mechanism.connect(arm.frame_b, tie.frame_b)
    return mechanism


def test_a_constraint_component_holds_the_motion_and_tells_its_force() -> None:
    sol = rods_end().simulate(1.0)
    t = np.linspace(0.0, 1.0, 7)
    r, v = sol(t, "body.frame_a.r_0"), sol(t, "body.frame_a.v_0")
    assert_close(np.linalg.norm(r, axis=-1), 1.0, atol=1e-11)
    # -lambda acts on the body: m (v^2 + g cos) towards the centre
    pull = 2.0 * ((v * v).sum(axis=-1) - 10.0 * r[:, 2])
    assert_close((sol(t, "tie.force") * r).sum(axis=-1), pull, atol=1e-8)


def test_an_inactive_constraint_component_has_no_effect() -> None:
    sol = rods_end(active=False).simulate(0.5)
    assert_close(sol(0.5, "body.frame_a.r_0"), (0.0, 1.0, -1.25), atol=1e-9)
    assert_close(sol(0.5, "tie.force"), np.zeros(3), atol=0.0)


def test_an_unknown_constraint_is_refused() -> None:
    from dynarig.core.errors import ModelError

    with pytest.raises(ModelError, match="no constraint 'rope'; there are: tie"):
        rods_end().simulate(0.1).at(0.0).constraint("rope")
