"""Components of planar mechanisms: they move in the world's xy plane, angles about +z."""

from .bodies import Body, BodyShape
from .joints import Continuous, Free, Planar, Prismatic, Revolute, Weld
from .rigid import Fixed, FixedRotation, FixedTranslation
from .world import World

__all__ = [
    "Body",
    "BodyShape",
    "Continuous",
    "Fixed",
    "FixedRotation",
    "FixedTranslation",
    "Free",
    "Planar",
    "Prismatic",
    "Revolute",
    "Weld",
    "World",
]
