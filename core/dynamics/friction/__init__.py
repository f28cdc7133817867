"""Contact with Coulomb friction: systems, and the solver of their impulses."""

from .system import CollisionSystem

__all__ = ["CollisionSystem"]
