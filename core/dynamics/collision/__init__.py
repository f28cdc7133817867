"""Where bodies touch: pairs that come near each other, and the points between their surfaces."""

from .colliders import Collider, combined_friction, combined_restitution
from .from_urdf import colliders_of
from .polytope import Polytope
from .touching import Touching

__all__ = [
    "Collider",
    "Polytope",
    "Touching",
    "colliders_of",
    "combined_friction",
    "combined_restitution",
]
