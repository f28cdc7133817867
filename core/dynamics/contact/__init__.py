"""Contact of bodies without friction: gaps, impacts, and resting against each other."""

from .complementarity import complementary
from .contact import Contact, JointLimit, joint_limits
from .gaps import Gaps, GapState
from .impact_law import ImpactRule, impact, mobility
from .rest import Resting, held_rows
from .shapes import (
    Box,
    Capsule,
    Cylinder,
    Hull,
    Plane,
    Point,
    Shape,
    Sphere,
    TriangleMesh,
    Wall,
)
from .system import ContactSystem

__all__ = [
    "Box",
    "Capsule",
    "Contact",
    "ContactSystem",
    "Cylinder",
    "GapState",
    "Gaps",
    "Hull",
    "ImpactRule",
    "JointLimit",
    "Plane",
    "Point",
    "Resting",
    "Shape",
    "Sphere",
    "TriangleMesh",
    "Wall",
    "complementary",
    "held_rows",
    "impact",
    "joint_limits",
    "mobility",
]
