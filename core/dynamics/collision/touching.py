"""Where colliders touch, or nearly do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray
from ..model import IntArray


@dataclass(frozen=True, eq=False)
class Touching:
    """n points between surfaces of colliders.

    Attributes:
        first, second: (n,), indices of the two colliders of each.
        point: (n, 3), world, m, midway between the surfaces.
        normal: (n, 3), world, unit vectors from the second to the first.
        gap: (n,), m, positive apart, negative inside.
        feature: (n,), tells the points of one pair apart; the same point keeps its number from
            one step to the next.
    """

    first: IntArray
    second: IntArray
    point: FloatArray
    normal: FloatArray
    gap: FloatArray
    feature: IntArray

    def __len__(self) -> int:
        return len(self.gap)

    @classmethod
    def none(cls) -> Touching:
        """No point at all."""
        index, vectors = np.zeros(0, dtype=np.intp), np.zeros((0, 3))
        return cls(index, index, vectors, vectors, np.zeros(0), index)

    @classmethod
    def joined(cls, parts: Sequence[Touching]) -> Touching:
        """The points of all parts, one after the other."""
        parts = [part for part in parts if len(part)]
        if len(parts) <= 1:
            return parts[0] if parts else cls.none()
        names = ("first", "second", "point", "normal", "gap", "feature")
        return cls(*(np.concatenate([getattr(own, name) for own in parts]) for name in names))
