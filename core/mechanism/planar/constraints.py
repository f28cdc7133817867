"""Constraints in a plane; see docs/constraints.md.

All take, besides what their parts in `mechanism.constraints` name, active, switches, show, color.
"""

from __future__ import annotations

from typing import ClassVar

from ..component import Space
from ..constraints.axis_pairs import PointOnLinePart, PrismaticPart
from ..constraints.driven import HoldPart, PrescribedCoordinatePart, PrescribedFramePart
from ..constraints.gears import GearPart, RackAndPinionPart
from ..constraints.lengths import CablePart, DistancePart
from ..constraints.markers import CoordinateMarkerPart
from ..constraints.pairs import BallPart, WeldPart
from ..constraints.relations import LinearRelationPart, MimicPart
from ..constraints.vector import CoordinateVectorPart
from ..constraints.wheels import RollingDiscPart


class CoordinateMarker(CoordinateMarkerPart):
    """Coordinates of joints and bodies under one name."""

    space: ClassVar[Space] = "planar"


class CoordinateVector(CoordinateVectorPart):
    """X1 q1 + Y1 q1^2 - X0 q0 - Y0 q0^2 = offset(t) between the coordinates of two markers."""

    space: ClassVar[Space] = "planar"


class Hinge(BallPart):
    """The origins of both frames coincide: 2 rows."""

    space: ClassVar[Space] = "planar"


class WeldConstraint(WeldPart):
    """Both frames coincide: 3 rows."""

    space: ClassVar[Space] = "planar"


class DistanceConstraint(DistancePart):
    """The origins stay a length apart, as a rod keeps them: 1 row."""

    space: ClassVar[Space] = "planar"


class Cable(CablePart):
    """A taut cable of fixed length through two or more frames: 1 row."""

    space: ClassVar[Space] = "planar"


class PointOnLine(PointOnLinePart):
    """The origin of frame_b is on a line of frame_a: 1 row."""

    space: ClassVar[Space] = "planar"


class PrismaticConstraint(PrismaticPart):
    """frame_b slides along a line of frame_a: 2 rows."""

    space: ClassVar[Space] = "planar"


class RollingWheel(RollingDiscPart):
    """A disc rolls on a line without slipping: 2 rows."""

    space: ClassVar[Space] = "planar"


class Gear(GearPart):
    """joint_b = ratio * joint_a + offset: 1 row."""

    space: ClassVar[Space] = "planar"


class RackAndPinion(RackAndPinionPart):
    """rack = radius * pinion + offset: 1 row."""

    space: ClassVar[Space] = "planar"


class Mimic(MimicPart):
    """follower = multiplier * leader + offset: 1 row."""

    space: ClassVar[Space] = "planar"


class LinearRelation(LinearRelationPart):
    """sum of coefficient * coordinate = offset: 1 row."""

    space: ClassVar[Space] = "planar"


class PrescribedCoordinate(PrescribedCoordinatePart):
    """A coordinate is a function of time: 1 row."""

    space: ClassVar[Space] = "planar"


class PrescribedFrame(PrescribedFramePart):
    """frame_b follows a pose that is a function of time: 3 rows."""

    space: ClassVar[Space] = "planar"


class Hold(HoldPart):
    """frame_b is welded to the world where it is, and let go: 3 rows."""

    space: ClassVar[Space] = "planar"
