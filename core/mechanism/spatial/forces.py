"""Springs, dampers, forces and torques in space; see docs/forces.md."""

from __future__ import annotations

from typing import ClassVar

from numpy.typing import ArrayLike

from ...arrays import FloatArray
from ...errors import ArgumentError
from ..arguments import direction
from ..component import Space
from ..forces.given_parts import (
    BodyForcePart,
    ForcePart,
    TorquePart,
    WorldForcePart,
    WorldTorquePart,
)
from ..forces.line_parts import DamperPart, SpringDamperPart, SpringPart
from ..forces.turn_parts import TurnPart
from ..motors.joint_choice import Joint


class Spring(SpringPart):
    """A spring along the line between two frames: f = c (s - s_unstretched)."""

    space: ClassVar[Space] = "spatial"


class Damper(DamperPart):
    """A damper along the line between two frames: f = d s'."""

    space: ClassVar[Space] = "spatial"


class SpringDamper(SpringDamperPart):
    """A spring and a damper in parallel: f = c (s - s_unstretched) + d s'."""

    space: ClassVar[Space] = "spatial"


class TorsionSpring(TurnPart):
    """A torsion spring: tau = c (phi_rel - phi_rel0).

    It has frame_a and frame_b, or acts along the coordinate of a joint.

    Args:
        name: of the component.
        joint: a turning joint of one coordinate, or its name; None to connect the frames.
        n: the axis (3,) in frame_a, of any length but 0, z if none; a joint has its own.
        c: stiffness, N m/rad.
        phi_rel0: angle at which it exerts nothing, rad.
    """

    space: ClassVar[Space] = "spatial"

    def __init__(
        self,
        name: str,
        *,
        joint: Joint | None = None,
        n: ArrayLike | None = None,
        c: float = 1.0,
        phi_rel0: float = 0.0,
    ) -> None:
        axis = _axis(f"{type(self).__name__} '{name}'", joint, n)
        super().__init__(name, axis, joint, c, phi_rel0, 0.0)


class TorsionDamper(TurnPart):
    """A torsion damper: tau = d w_rel.

    It has frame_a and frame_b, or acts along the coordinate of a joint.

    Args:
        name: of the component.
        joint: a turning joint of one coordinate, or its name; None to connect the frames.
        n: the axis (3,) in frame_a, of any length but 0, z if none; a joint has its own.
        d: N m s/rad.
    """

    space: ClassVar[Space] = "spatial"

    def __init__(
        self,
        name: str,
        *,
        joint: Joint | None = None,
        n: ArrayLike | None = None,
        d: float = 1.0,
    ) -> None:
        axis = _axis(f"{type(self).__name__} '{name}'", joint, n)
        super().__init__(name, axis, joint, 0.0, 0.0, d)


class WorldForce(WorldForcePart):
    """A force from outside at the origin of frame_b: three numbers, or a function."""

    space: ClassVar[Space] = "spatial"


class WorldTorque(WorldTorquePart):
    """A torque from outside on frame_b: three numbers, or a function."""

    space: ClassVar[Space] = "spatial"


class BodyForce(BodyForcePart):
    """A force and a torque from outside on frame_b that turn with it."""

    space: ClassVar[Space] = "spatial"


class Force(ForcePart):
    """A force at the origin of frame_b, with its reaction on frame_a."""

    space: ClassVar[Space] = "spatial"


class Torque(TorquePart):
    """A torque on frame_b, with its reaction on frame_a."""

    space: ClassVar[Space] = "spatial"


def _axis(owner: str, joint: Joint | None, n: ArrayLike | None) -> FloatArray:
    """(3,), unit."""
    if joint is not None and n is not None:
        raise ArgumentError(f"{owner}: n: wanted none beside joint, which has its own axis")
    return direction(owner, "n", (0.0, 0.0, 1.0) if n is None else n, 3)
