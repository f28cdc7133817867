"""The simulation of a bake, in small pieces, without touching the scene."""

from __future__ import annotations

import warnings
from collections.abc import Generator

from ....core.arrays import FloatArray
from ....core.dynamics.contact import TriangleMesh
from ....core.errors import SimulationError
from ....core.simulate import ConstraintWarning, Simulation
from ....core.trajectory import Trajectory
from .plan import BakePlan
from .settings import UNIFORM

READING = "Reading the ground"


def simulate_bake(plan: BakePlan) -> Generator[float | str, None, Trajectory]:
    """Simulate, yielding the part that is done (0 to 1); the scene is not touched.

    Before meshes are put in order, which takes seconds for large ones, it yields what it will do.
    """
    if any(isinstance(own.shape, TriangleMesh) for own in plan.contact.colliders):
        yield READING
    times = plan.settings.times()
    start, length = float(times[0]), float(times[-1] - times[0])
    try:
        steps = _simulation(plan, times).steps()
        while True:
            with warnings.catch_warnings():
                # what is put together is told in the result
                warnings.simplefilter("ignore", ConstraintWarning)
                reached = next(steps)
            yield (reached - start) / length if length else 1.0
    except StopIteration as finished:
        trajectory: Trajectory = finished.value
        return trajectory
    except SimulationError as error:
        if plan.constraints and abs(plan.scale - 1.0) > UNIFORM:
            raise SimulationError(
                f"{error} (lengths are the robot's own, which is scaled by {plan.scale:.6g})"
            ) from error
        raise


def _simulation(plan: BakePlan, times: FloatArray) -> Simulation:
    """The simulation of a plan at times (n,), s; limits are contacts."""
    contact = plan.settings.contact
    with_friction = contact.scheme == "FRICTION"
    return Simulation(
        plan.touching_system(),
        times,
        plan.start.q,
        damping=plan.settings.damping,
        limits=with_friction and bool(plan.start.stops),
        method="time-stepping" if with_friction else "auto",
        step=contact.step,
    )
