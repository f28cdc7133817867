"""Constraints: closed loops, couplings and equations between coordinates, held exactly."""

from .constraint import Constraint
from .coordinate_vector import CoordinateVector
from .coordinates import GROUND, CoordinateMarker
from .distances import Cable, Distance
from .hold import Hold
from .pairs import (
    Ball,
    Cylindrical,
    Hinge,
    PlanarHinge,
    PointOnLine,
    PointOnPlane,
    PrescribedFrame,
    Prismatic,
    Universal,
    Weld,
)
from .port import Port, meeting_ports
from .relations import Gear, LinearRelation, Mimic, PrescribedCoordinate, RackAndPinion, Screw
from .rows import ConstraintRows
from .screws import ScrewJoint
from .switch import Switch
from .wheels import RollingWheel

__all__ = [
    "GROUND",
    "Ball",
    "Cable",
    "Constraint",
    "ConstraintRows",
    "CoordinateMarker",
    "CoordinateVector",
    "Cylindrical",
    "Distance",
    "Gear",
    "Hinge",
    "Hold",
    "LinearRelation",
    "Mimic",
    "PlanarHinge",
    "PointOnLine",
    "PointOnPlane",
    "Port",
    "PrescribedCoordinate",
    "PrescribedFrame",
    "Prismatic",
    "RackAndPinion",
    "RollingWheel",
    "Screw",
    "ScrewJoint",
    "Switch",
    "Universal",
    "Weld",
    "meeting_ports",
]
