"""Components of mechanisms in space."""

from .bodies import Body, BodyShape
from .free_joints import FreeMotion, Spherical
from .joints import (
    Continuous,
    Cylindrical,
    Planar,
    Prismatic,
    Revolute,
    Screw,
    Universal,
    Weld,
)
from .rigid import Fixed, FixedRotation, FixedTranslation
from .robot import Robot
from .solid_bodies import BodyBox, BodyCylinder, BodySphere
from .world import World

__all__ = [
    "Body",
    "BodyBox",
    "BodyCylinder",
    "BodyShape",
    "BodySphere",
    "Continuous",
    "Cylindrical",
    "Fixed",
    "FixedRotation",
    "FixedTranslation",
    "FreeMotion",
    "Planar",
    "Prismatic",
    "Revolute",
    "Robot",
    "Screw",
    "Spherical",
    "Universal",
    "Weld",
    "World",
]
