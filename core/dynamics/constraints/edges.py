"""Constraints of straight edges: a point at a distance from a line, and two lines that cross.

With o on the line of port a and t along it, p the origin of port b, and s along its line,

    off a line   g = |d| - distance           d = r - t (t . r),  r = p - o,  n = d / |d|
    crossing     g = n . r                    m = sign (t x s),   n = m / |m|

where the sign makes n . side > 0 for a direction `side` of port a. Either way g' is the rate of
the points of both bodies along n at the place c where they meet, so that the wrench is (c x n, n),
c being p off a line and the point of line a that is nearest to line b where they cross.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray, as_floats
from ..model import Model
from .frame_terms import Terms
from .pairs import PairConstraint, Relation
from .port_pairs import PortPairs, cross, force_at, moved

PARALLEL = 1e-7  # rad: lines at a smaller angle do not cross
ASIDE = 1.0  # m: what their gap is said to be
NEAR = 1e-12  # m: a point that is nearer to a line has no direction from it


@dataclass(frozen=True, eq=False, kw_only=True)
class EdgeConstraint(PairConstraint):
    """A constraint with a line through the origin of port a; axis: (3,), along it, in port a."""

    axis: ArrayLike = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "axis", self.unit(self.axis, "axis"))

    def relations(self) -> Sequence[Relation]:
        """None: its row is no quotient of linear ones."""
        return ()


@dataclass(frozen=True, eq=False, kw_only=True)
class PointOffLine(EdgeConstraint):
    """The origin of port b stays at a distance (m) from a line of port a: 1 row."""

    distance: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self.number(self.distance, "distance", positive=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class LinesCross(EdgeConstraint):
    """A line of port b crosses one of port a: 1 row.

    Attributes:
        axis_b: (3,), along the line through the origin of port b, in port b.
        side: (3,), a direction in port a on which the residual grows.
    """

    axis_b: ArrayLike = (1.0, 0.0, 0.0)
    side: ArrayLike = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "axis_b", self.unit(self.axis_b, "axis_b"))
        object.__setattr__(self, "side", self.unit(self.side, "side"))


class OffLineTerms(PortPairs):
    """Points off lines, in one batch."""

    def __init__(self, model: Model, constraints: Sequence[PointOffLine]) -> None:
        super().__init__(model, [(own.a, own.b) for own in constraints])
        self._axis = self.in_frame_a([_vector(own.axis) for own in constraints])
        self._distance = np.array([own.distance for own in constraints])

    def terms(self, poses: FloatArray) -> Terms:
        """See `FrameTerms.terms`."""
        o, p = self.origins(poses)
        t, r = self.turned_a(poses, self._axis), p - o
        d = r - t * (t * r).sum(axis=-1, keepdims=True)
        far = np.maximum(np.sqrt((d * d).sum(axis=-1)), NEAR)
        n = d / far[..., None]
        return Terms(far - self._distance, force_at(p, n), (n, r, far, t, p))

    def bend(self, terms: Terms, hats: FloatArray, seconds: FloatArray) -> FloatArray:
        """See `FrameTerms.bend`."""
        n, _, far, t, p = terms.kept
        first, second = self.relative(hats, seconds)
        rate, gain = moved(first, p), moved(second, p)
        along, out = (t * rate).sum(axis=-1), (n * rate).sum(axis=-1)
        across = (rate * rate).sum(axis=-1) - along * along - out * out
        bend: FloatArray = (n * gain).sum(axis=-1) + across / far
        return bend


class CrossingTerms(PortPairs):
    """Lines that cross, in one batch."""

    def __init__(self, model: Model, constraints: Sequence[LinesCross]) -> None:
        super().__init__(model, [(own.a, own.b) for own in constraints])
        self._axis = self.in_frame_a([_vector(own.axis) for own in constraints])
        self._axis_b = self.in_frame_b([_vector(own.axis_b) for own in constraints])
        self._side = self.in_frame_a([_vector(own.side) for own in constraints])

    def terms(self, poses: FloatArray) -> Terms:
        """See `FrameTerms.terms`; kept are n, |m|, t, s, p, o and the place c on line a."""
        o, p = self.origins(poses)
        t, s = self.turned_a(poses, self._axis), self.turned_b(poses, self._axis_b)
        side = self.turned_a(poses, self._side)
        m = cross(t, s)
        m = np.where((m * side).sum(axis=-1, keepdims=True) < 0.0, -m, m)
        size = np.sqrt((m * m).sum(axis=-1))
        aside = size < PARALLEL
        size = np.where(aside, 1.0, size)
        n = np.where(aside[..., None], 0.0, m / size[..., None])
        r = p - o
        # the point of line a that is nearest to line b
        far = (cross(r, s) * cross(t, s)).sum(axis=-1) / size**2
        place = o + t * np.where(aside, 0.0, far)[..., None]
        gap = np.where(aside, ASIDE, (n * r).sum(axis=-1))
        return Terms(gap, force_at(place, n), (n, size, t, s, p, o, place))

    def bend(self, terms: Terms, hats: FloatArray, seconds: FloatArray) -> FloatArray:
        """See `FrameTerms.bend`: that of m . r / |m|."""
        n, size, t, s, p, o, _ = terms.kept
        first, second = self.relative(hats, seconds)
        sign = np.sign((cross(t, s) * n).sum(axis=-1))[..., None]
        m = n * size[..., None]
        m1 = sign * cross(t, (first[..., :3, :3] @ s[..., None])[..., 0])
        m2 = sign * cross(t, (second[..., :3, :3] @ s[..., None])[..., 0])
        r, r1, r2 = p - o, moved(first, p), moved(second, p)
        gap = (n * r).sum(axis=-1)
        above = ((m1 * r + m * r1).sum(axis=-1), (m2 * r + 2.0 * m1 * r1 + m * r2).sum(axis=-1))
        below = (n * m1).sum(axis=-1)
        below2 = ((m1 * m1).sum(axis=-1) + (m * m2).sum(axis=-1) - below**2) / size
        rate = (above[0] - gap * below) / size
        bend: FloatArray = (above[1] - gap * below2 - 2.0 * rate * below) / size
        return bend


def _vector(value: ArrayLike) -> FloatArray:
    return as_floats(value, (3,), "direction")
