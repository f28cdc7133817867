"""Bodies that may touch with friction, and what two surfaces make of theirs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray
from ...errors import ArgumentError
from ..contact.contact import check_friction, check_restitution
from ..contact.shapes import Shape


@dataclass(frozen=True, eq=False, kw_only=True)
class Collider:
    """A shape on a link or on the world with the properties of its surface.

    Attributes:
        name: unique among the colliders of a system.
        shape: with the port that carries it.
        friction: coefficient of Coulomb friction, 0 or more.
        restitution: 0 to 1, speed of parting over speed of meeting.
    """

    name: str
    shape: Shape
    friction: float = 0.5
    restitution: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ArgumentError(f"Collider: name: wanted text, got {self.name!r}")
        if not isinstance(self.shape, Shape):
            raise ArgumentError(f"{self.label}: shape: wanted a shape, got {self.shape!r}")
        check_friction(self.label, self.friction)
        check_restitution(self.label, self.restitution)

    @property
    def label(self) -> str:
        """Such as "Collider 'foot'", for messages."""
        return f"Collider '{self.name}'"


def combined_friction(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """mu = sqrt(mu_a mu_b), the coefficient of two surfaces: 0 where one of them is smooth."""
    product: FloatArray = np.asarray(a, dtype=np.float64) * np.asarray(b, dtype=np.float64)
    return np.sqrt(product)


def combined_restitution(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """e = max(e_a, e_b): a rubber ball bounces on stone."""
    return np.maximum(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
