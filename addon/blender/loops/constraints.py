"""Loop joints as constraints of the core, in the robot's own coordinates."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ....core.dynamics import Model
from ....core.dynamics.constraints import (
    Ball,
    Constraint,
    Cylindrical,
    Distance,
    Hinge,
    PlanarHinge,
    PointOnLine,
    PointOnPlane,
    Port,
    Prismatic,
    ScrewJoint,
    Universal,
    Weld,
)
from ....core.errors import DynarigError
from ...errors import RigError
from ..rig_access import Rig
from .placing import usual_size
from .planar import planar_constraint
from .values import LoopEnd, LoopJoint

# the axes of an Empty
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
TURN = 2.0 * np.pi

Maker = Callable[[str, Port, Port, float], Constraint]
MAKERS: dict[str, Maker] = {
    "BALL": lambda name, a, b, _: Ball(name=name, a=a, b=b),
    "HINGE": lambda name, a, b, _: Hinge(name=name, a=a, b=b, axis=Z),
    "WELD": lambda name, a, b, _: Weld(name=name, a=a, b=b),
    "UNIVERSAL": lambda name, a, b, _: Universal(name=name, a=a, b=b, axis_a=X, axis_b=Y),
    "CYLINDRICAL": lambda name, a, b, _: Cylindrical(name=name, a=a, b=b, axis=Z),
    "PRISMATIC": lambda name, a, b, _: Prismatic(name=name, a=a, b=b, axis=Z),
    "SCREW": lambda name, a, b, lead: ScrewJoint(name=name, a=a, b=b, axis=Z, pitch=lead / TURN),
    "POINT_ON_LINE": lambda name, a, b, _: PointOnLine(name=name, a=a, b=b, axis=Z),
    "POINT_ON_PLANE": lambda name, a, b, _: PointOnPlane(name=name, a=a, b=b, axis=Z),
    "DISTANCE": lambda name, a, b, length: Distance(name=name, a=a, b=b, length=length),
    "PLANAR_HINGE": lambda name, a, b, _: PlanarHinge(name=name, a=a, b=b, axis=Z),
}


def loop_constraints(rig: Rig, model: Model, loops: Sequence[LoopJoint]) -> tuple[Constraint, ...]:
    """The constraints of a robot's loop joints, for `System(model, constraints=…)`.

    They are in the robot's own coordinates, as the model is: where the armature object stands
    and how it is turned and scaled makes no difference. Loops in a plane get the rows of the plane
    alone, see `planar`.

    Args:
        rig: the robot; model: the same, compiled.
        loops: as `read_loops` gives them.

    Raises:
        RigError: for a link that the model does not have, naming robot and joint.
    """
    return tuple(_constraint(rig, model, loop) for loop in loops)


def _constraint(rig: Rig, model: Model, loop: LoopJoint) -> Constraint:
    own = f"loop joint '{loop.name}' of robot '{rig.object.name}'"
    a, b = (_port(model, end, own) for end in loop.ends)
    try:
        planar = planar_constraint(model, loop.kind, loop.name, a, b, usual_size(rig))
        if planar is not None:
            return planar
        return MAKERS[loop.kind.id](loop.name, a, b, loop.number or 0.0)
    except DynarigError as error:
        raise RigError(f"{own}: {error}") from error


def _port(model: Model, end: LoopEnd, own: str) -> Port:
    if end.link is not None and end.link not in model.link_names:
        raise RigError(
            f"{own}: model '{model.name}' has no link '{end.link}'; there are: "
            f"{', '.join(model.link_names)}"
        )
    return Port(end.link, end.link_from_loop)
