"""What time stepping refuses: bad steps, and lists that hold something else."""

from __future__ import annotations

import numpy as np
import pytest
from dynarig.core.dynamics.collision import Collider
from dynarig.core.dynamics.constraints import Port
from dynarig.core.dynamics.contact import JointLimit, Plane
from dynarig.core.dynamics.friction import CollisionSystem
from dynarig.core.errors import ArgumentError, SimulationError
from dynarig.core.simulate import run, simulate

from .benches import scene, solid_ball

FLOOR = Collider(name="floor", shape=Plane(Port(None)))
MODEL = scene([solid_ball("ball", 0.1)], (FLOOR,)).model


@pytest.mark.parametrize(
    ("times", "step"), [((0.0, 1e-3), 1e-300), ((1.0, 1.001), 1e-17), ((1e15, 1e15 + 1.0), None)]
)
def test_steps_that_come_to_no_end_are_refused(
    times: tuple[float, float], step: float | None
) -> None:
    system = scene([solid_ball("ball", 0.1)], (FLOOR,))
    with pytest.raises(SimulationError, match=r"s is too short for a motion .*; wanted at least"):
        run(simulate(system, np.array(times), method="time-stepping", step=step))


@pytest.mark.parametrize(
    ("argument", "given", "told"),
    [
        ("colliders", ("b",), "colliders: wanted Colliders, got 'b'"),
        ("colliders", FLOOR, "colliders: wanted a list, got Collider"),
        ("pairs", 5, "pairs: wanted a list, got 5"),
        ("ignored", None, "ignored: wanted a list, got None"),
        ("joint_stops", 5, "joint_stops: wanted a list, got 5"),
        ("joint_stops", (JointLimit(joint="j"),) * 2, "wanted one for a joint, got two for 'j'"),
    ],
)
def test_lists_of_something_else_are_refused(argument: str, given: object, told: str) -> None:
    with pytest.raises(ArgumentError, match=told.replace("(", r"\(")):
        CollisionSystem(MODEL, **{argument: given})  # type: ignore[arg-type]
