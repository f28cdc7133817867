"""Contact with Coulomb friction: systems, and the solver of their impulses."""

from .cones import ConeAnswer, solve_cones
from .system import CollisionSystem

__all__ = ["CollisionSystem", "ConeAnswer", "solve_cones"]
