"""Points where pairs of bodies touch, as the geometry of one kind of pair hands them out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray

# a feature is its kind and one or two vertices: kind * KIND + first * NUMBER + second
OF_FIRST, OF_SECOND, CROSSING, EDGES, NEAR_FIRST, NEAR_SECOND, CORNERS = range(7)
NUMBER = 1 << 12
KIND = NUMBER * NUMBER


class Contacts(NamedTuple):
    """n points where pairs touch or nearly do.

    Attributes:
        pair: (n,), whose point it is, in ascending order.
        point: (n, 3), m, midway between the surfaces.
        normal: (n, 3), unit vectors from the second body to the first.
        gap: (n,), m, positive apart, negative inside.
        feature: (n,), tells the points of one pair apart.
    """

    pair: IntArray
    point: FloatArray
    normal: FloatArray
    gap: FloatArray
    feature: IntArray

    @classmethod
    def none(cls) -> Contacts:
        """No point at all."""
        index, vectors = np.zeros(0, dtype=np.intp), np.zeros((0, 3))
        return cls(index, vectors, vectors, np.zeros(0), index)

    @classmethod
    def joined(cls, parts: Sequence[Contacts]) -> Contacts:
        """All points of some parts, in the order of pairs."""
        parts = [part for part in parts if len(part.gap)]
        if len(parts) < 2:
            return parts[0] if parts else cls.none()
        whole = cls._make(np.concatenate(own) for own in zip(*parts, strict=True))
        return whole.taken(np.argsort(whole.pair, kind="stable"))

    def taken(self, chosen: IntArray | BoolArray) -> Contacts:
        """Some of the points."""
        return Contacts._make(own[chosen] for own in self)

    def of_pairs(self, rows: IntArray) -> Contacts:
        """The same points, with `rows` (p,) as the numbers of their pairs."""
        return self._replace(pair=rows[self.pair])

    def moved(self, poses: FloatArray) -> Contacts:
        """The same points, each moved by the pose (p, 4, 4) of its pair."""
        pose = poses[self.pair]
        turn = pose[:, :3, :3]
        return self._replace(
            point=(turn @ self.point[:, :, None])[:, :, 0] + pose[:, :3, 3],
            normal=(turn @ self.normal[:, :, None])[:, :, 0],
        )
