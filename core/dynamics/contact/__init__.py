"""Contact of bodies without friction: gaps, impacts, and resting against each other."""

from .complementarity import complementary
from .contact import Contact, JointLimit, joint_limits
from .gaps import Gaps, GapState
from .impact import ImpactRule, impact, mobility
from .shapes import Box, Plane, Point, Shape, Sphere, Wall
from .system import ContactSystem

__all__ = [
    "Box",
    "Contact",
    "ContactSystem",
    "GapState",
    "Gaps",
    "ImpactRule",
    "JointLimit",
    "Plane",
    "Point",
    "Shape",
    "Sphere",
    "Wall",
    "complementary",
    "impact",
    "joint_limits",
    "mobility",
]
