"""Sensors in space; see docs/forces.md."""

from __future__ import annotations

from typing import ClassVar

from ..component import Space
from ..sensors.absolute import (
    AbsoluteAccelerationPart,
    AbsoluteAnglesPart,
    AbsoluteAngularVelocityPart,
    AbsolutePositionPart,
    AbsoluteVelocityPart,
)
from ..sensors.cut import CutForceAndTorquePart, CutForcePart, CutTorquePart, PowerPart
from ..sensors.relative import (
    DistancePart,
    RelativeAccelerationPart,
    RelativeAnglesPart,
    RelativeAngularVelocityPart,
    RelativePositionPart,
    RelativeVelocityPart,
)


class AbsolutePosition(AbsolutePositionPart):
    """Where frame_a is. Variable: r, m."""

    space: ClassVar[Space] = "spatial"


class AbsoluteVelocity(AbsoluteVelocityPart):
    """How fast the origin of frame_a moves. Variable: v, m/s."""

    space: ClassVar[Space] = "spatial"


class AbsoluteAcceleration(AbsoluteAccelerationPart):
    """The acceleration of the origin of frame_a. Variable: a, m/s^2."""

    space: ClassVar[Space] = "spatial"


class AbsoluteAngularVelocity(AbsoluteAngularVelocityPart):
    """How fast frame_a turns. Variables: w, rad/s, and wd, rad/s^2."""

    space: ClassVar[Space] = "spatial"


class AbsoluteAngles(AbsoluteAnglesPart):
    """The orientation of frame_a in the world. Variables: angles, rad, Q and R."""

    space: ClassVar[Space] = "spatial"


class RelativePosition(RelativePositionPart):
    """Where frame_b is, seen from frame_a. Variable: r, m."""

    space: ClassVar[Space] = "spatial"


class RelativeVelocity(RelativeVelocityPart):
    """How fast frame_b moves, seen from frame_a. Variable: v, m/s."""

    space: ClassVar[Space] = "spatial"


class RelativeAcceleration(RelativeAccelerationPart):
    """The acceleration of frame_b, seen from frame_a. Variable: a, m/s^2."""

    space: ClassVar[Space] = "spatial"


class RelativeAngularVelocity(RelativeAngularVelocityPart):
    """How fast frame_b turns against frame_a. Variables: w, rad/s, and wd, rad/s^2."""

    space: ClassVar[Space] = "spatial"


class RelativeAngles(RelativeAnglesPart):
    """The orientation of frame_b in frame_a. Variables: angles, rad, Q and R."""

    space: ClassVar[Space] = "spatial"


class Distance(DistancePart):
    """The distance between the origins of two frames. Variable: s, m."""

    space: ClassVar[Space] = "spatial"


class CutForce(CutForcePart):
    """The force that passes from frame_a to frame_b. Variable: force, N."""

    space: ClassVar[Space] = "spatial"


class CutTorque(CutTorquePart):
    """The torque that passes from frame_a to frame_b. Variable: torque, N m."""

    space: ClassVar[Space] = "spatial"


class CutForceAndTorque(CutForceAndTorquePart):
    """What passes from frame_a to frame_b. Variables: force, N, and torque, N m."""

    space: ClassVar[Space] = "spatial"


class Power(PowerPart):
    """The power that passes from frame_a to frame_b. Variable: power, W."""

    space: ClassVar[Space] = "spatial"
