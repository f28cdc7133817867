"""Constraints in space; see docs/constraints.md.

All take, besides what their parts in `mechanism.constraints` name, active, switches, show, color.
"""

from __future__ import annotations

from typing import ClassVar

from ..component import Space
from ..constraints.axis_pairs import (
    CylindricalPart,
    HingePart,
    PlanarHingePart,
    PointOnLinePart,
    PointOnPlanePart,
    PrismaticPart,
    UniversalPart,
)
from ..constraints.driven import HoldPart, PrescribedCoordinatePart, PrescribedFramePart
from ..constraints.gears import GearPart, RackAndPinionPart, ScrewPairPart, ScrewPart
from ..constraints.lengths import CablePart, DistancePart
from ..constraints.markers import CoordinateMarkerPart
from ..constraints.pairs import BallPart, WeldPart
from ..constraints.relations import LinearRelationPart, MimicPart
from ..constraints.vector import CoordinateVectorPart
from ..constraints.wheels import RollingWheelPart


class CoordinateMarker(CoordinateMarkerPart):
    """Coordinates of joints and bodies under one name."""

    space: ClassVar[Space] = "spatial"


class CoordinateVector(CoordinateVectorPart):
    """X1 q1 + Y1 q1^2 - X0 q0 - Y0 q0^2 = offset(t) between the coordinates of two markers."""

    space: ClassVar[Space] = "spatial"


class Ball(BallPart):
    """The origins of both frames coincide: 3 rows."""

    space: ClassVar[Space] = "spatial"


class WeldConstraint(WeldPart):
    """Both frames coincide: 6 rows."""

    space: ClassVar[Space] = "spatial"


class DistanceConstraint(DistancePart):
    """The origins stay a length apart, as a rod keeps them: 1 row."""

    space: ClassVar[Space] = "spatial"


class Cable(CablePart):
    """A taut cable of fixed length through two or more frames: 1 row."""

    space: ClassVar[Space] = "spatial"


class PointOnLine(PointOnLinePart):
    """The origin of frame_b is on a line of frame_a: 2 rows."""

    space: ClassVar[Space] = "spatial"


class PointOnPlane(PointOnPlanePart):
    """The origin of frame_b is in a plane of frame_a: 1 row."""

    space: ClassVar[Space] = "spatial"


class Hinge(HingePart):
    """frame_b turns about an axis only: 5 rows."""

    space: ClassVar[Space] = "spatial"


class PlanarHinge(PlanarHingePart):
    """The origins coincide as seen along an axis: the 2 rows of a loop in a plane."""

    space: ClassVar[Space] = "spatial"


class UniversalConstraint(UniversalPart):
    """The origins coincide, and two axes stay at right angles: 4 rows."""

    space: ClassVar[Space] = "spatial"


class CylindricalConstraint(CylindricalPart):
    """frame_b turns about an axis and slides along it: 4 rows."""

    space: ClassVar[Space] = "spatial"


class PrismaticConstraint(PrismaticPart):
    """frame_b slides along an axis: 5 rows."""

    space: ClassVar[Space] = "spatial"


class ScrewConstraint(ScrewPairPart):
    """frame_b turns about an axis and slides along it in proportion: 5 rows."""

    space: ClassVar[Space] = "spatial"


class RollingWheel(RollingWheelPart):
    """A thin disc rolls on a plane without slipping: 3 rows."""

    space: ClassVar[Space] = "spatial"


class Gear(GearPart):
    """joint_b = ratio * joint_a + offset: 1 row."""

    space: ClassVar[Space] = "spatial"


class RackAndPinion(RackAndPinionPart):
    """rack = radius * pinion + offset: 1 row."""

    space: ClassVar[Space] = "spatial"


class Thread(ScrewPart):
    """slide = pitch * turn + offset, between two coordinates: 1 row."""

    space: ClassVar[Space] = "spatial"


class Mimic(MimicPart):
    """follower = multiplier * leader + offset: 1 row."""

    space: ClassVar[Space] = "spatial"


class LinearRelation(LinearRelationPart):
    """sum of coefficient * coordinate = offset: 1 row."""

    space: ClassVar[Space] = "spatial"


class PrescribedCoordinate(PrescribedCoordinatePart):
    """A coordinate is a function of time: 1 row."""

    space: ClassVar[Space] = "spatial"


class PrescribedFrame(PrescribedFramePart):
    """frame_b follows a pose that is a function of time: 6 rows."""

    space: ClassVar[Space] = "spatial"


class Hold(HoldPart):
    """frame_b is welded to the world where it is, and let go: 6 rows."""

    space: ClassVar[Space] = "spatial"
