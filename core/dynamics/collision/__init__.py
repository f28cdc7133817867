"""Where bodies touch: pairs that come near each other, and the points between their surfaces."""

from .colliders import Collider, combined_friction, combined_restitution
from .polytope import Polytope
from .touching import Touching

__all__ = [
    "Collider",
    "Polytope",
    "Touching",
    "combined_friction",
    "combined_restitution",
]
