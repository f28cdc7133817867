"""Contact of bodies without friction: gaps, impacts, and resting against each other."""

from .complementarity import complementary
from .contact import Contact, JointLimit, joint_limits
from .gaps import Gaps, GapState
from .impact import ImpactRule, impact, mobility
from .rest import Resting, held_rows
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
    "Resting",
    "Shape",
    "Sphere",
    "Wall",
    "complementary",
    "held_rows",
    "impact",
    "joint_limits",
    "mobility",
]
