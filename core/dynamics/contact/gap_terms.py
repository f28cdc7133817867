"""Gaps of features in batches of one kind, each with the interface of constraint terms.

Port a of a batch is that of body b of the features, which carries planes and lines, and port b
that of body a: so phi' = w . (V_b - V_a) with the wrench w of a unit force at the gap.

    plane    phi = n . (p - o) - offset     phi'' = n . p''
    points   phi = |p - o| - offset         phi'' = n . p'' + (|p'|^2 - (n . p')^2) / |p - o|

with p' and p'' as seen from the body of the plane or of o, and accelerations a = 0 of joints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from ...arrays import FloatArray
from ..constraints.edges import CrossingTerms, OffLineTerms
from ..constraints.frame_terms import FrameTerms, Terms
from ..constraints.port_pairs import PortPairs, force_at, moved
from ..model import Model
from .features import Apart, Crossing, Feature, OffLine, OnPlane
from .rest import RestCrossing, RestOffLine

F = TypeVar("F", bound=Feature)
NEAR = 1e-12  # m: two points that are closer have no direction between them


class Touch(NamedTuple):
    """Where features (…, n, 3) would touch, in the world.

    normal: n from b to a; from_b: the place on b from o; from_a: the place on a from p.
    """

    normal: FloatArray
    from_b: FloatArray
    from_a: FloatArray


class GapTerms(FrameTerms, Protocol):
    """Terms that are gaps."""

    def origins(self, poses: FloatArray) -> tuple[FloatArray, FloatArray]:
        """o and p (…, n, 3) in the world."""
        ...

    def touch(self, terms: Terms) -> Touch:
        """Where the features would touch."""
        ...


class PlaneGaps(PortPairs):
    """Points above planes."""

    def __init__(self, model: Model, features: Sequence[OnPlane]) -> None:
        super().__init__(model, [(own.b, own.a) for own in features])
        self._normal = self.in_frame_a([own.normal for own in features])
        self._offset = np.array([own.offset for own in features])

    def terms(self, poses: FloatArray) -> Terms:
        """See `FrameTerms`; kept are n, p - o and p."""
        o, p = self.origins(poses)
        n = self.turned_a(poses, self._normal)
        r = p - o
        return Terms((n * r).sum(axis=-1) - self._offset, force_at(p, n), (n, r, p))

    def bend(self, terms: Terms, hats: FloatArray, seconds: FloatArray) -> FloatArray:
        """See `FrameTerms`."""
        n, _, p = terms.kept
        gain = moved(self.relative(hats, seconds)[1], p)
        out: FloatArray = (n * gain).sum(axis=-1)
        return out

    def touch(self, terms: Terms) -> Touch:
        """See `GapTerms`."""
        n, r, _ = terms.kept
        return Touch(n, r, np.zeros_like(r))


class PointGaps(PortPairs):
    """Points apart from points."""

    def __init__(self, model: Model, features: Sequence[Apart]) -> None:
        super().__init__(model, [(own.b, own.a) for own in features])
        self._offset = np.array([own.offset for own in features])

    def terms(self, poses: FloatArray) -> Terms:
        """See `FrameTerms`; kept are n, p - o, p and |p - o|."""
        o, p = self.origins(poses)
        r = p - o
        far = np.maximum(np.sqrt((r * r).sum(axis=-1)), NEAR)
        n = r / far[..., None]
        return Terms(far - self._offset, force_at(p, n), (n, r, p, far))

    def bend(self, terms: Terms, hats: FloatArray, seconds: FloatArray) -> FloatArray:
        """See `FrameTerms`."""
        n, _, p, far = terms.kept
        first, second = self.relative(hats, seconds)
        rate, gain = moved(first, p), moved(second, p)
        across = (rate * rate).sum(axis=-1) - (n * rate).sum(axis=-1) ** 2
        out: FloatArray = (n * gain).sum(axis=-1) + across / far
        return out

    def touch(self, terms: Terms) -> Touch:
        """See `GapTerms`."""
        n, r = terms.kept[:2]
        return Touch(n, r, np.zeros_like(r))


class LineGaps(OffLineTerms):
    """Balls off lines."""

    def __init__(self, model: Model, features: Sequence[OffLine]) -> None:
        super().__init__(model, [RestOffLine.of(own) for own in features])

    def touch(self, terms: Terms) -> Touch:
        """See `GapTerms`."""
        n, r = terms.kept[:2]
        return Touch(n, r, np.zeros_like(r))


class CrossingGaps(CrossingTerms):
    """Edges that cross."""

    def __init__(self, model: Model, features: Sequence[Crossing]) -> None:
        super().__init__(model, [RestCrossing.of(own) for own in features])
        self._reach = np.array([own.half_a + own.half_b for own in features])
        normals = [(own.normals_a[0], own.normals_a[1]) for own in features]
        self._faces_a = [self.in_frame_b([pair[k] for pair in normals]) for k in (0, 1)]
        normals = [(own.normals_b[0], own.normals_b[1]) for own in features]
        self._faces_b = [self.in_frame_a([pair[k] for pair in normals]) for k in (0, 1)]

    def touch(self, terms: Terms) -> Touch:
        """See `GapTerms`."""
        n, p, o, place = terms.kept[0], *terms.kept[4:]
        return Touch(n, place - o, place + n * terms.residual[..., None] - p)

    def beyond(self, poses: FloatArray) -> FloatArray:
        """(…, 3, n): edges of which one of these is above 0 do not touch, and all are smooth.

        |p - o|^2 - (half_a + half_b)^2, and (w_1 . t)(w_2 . t) for the faces w about each edge and
        the direction t of the other: an edge that touches runs along the outside of both.
        """
        o, p = self.origins(poses)
        t, s = self.turned_a(poses, self._axis), self.turned_b(poses, self._axis_b)
        apart = ((p - o) ** 2).sum(axis=-1)
        far = np.where(np.isfinite(self._reach), apart - self._reach**2, -1.0)
        inside = [(self.turned_b(poses, own) * t).sum(axis=-1) for own in self._faces_a]
        within = [(self.turned_a(poses, own) * s).sum(axis=-1) for own in self._faces_b]
        return np.stack((far, inside[0] * inside[1], within[0] * within[1]), axis=-2)


def batches(
    model: Model, features: Sequence[Feature]
) -> tuple[list[Feature], list[tuple[GapTerms, slice]]]:
    """The features sorted by kinds, and for each kind its batch and where it stands."""
    ordered: list[Feature] = []
    out: list[tuple[GapTerms, slice]] = []

    def add(kind: type[F], batch: Callable[[Model, Sequence[F]], GapTerms]) -> None:
        own = [feature for feature in features if isinstance(feature, kind)]
        if own:
            out.append((batch(model, own), slice(len(ordered), len(ordered) + len(own))))
            ordered.extend(own)

    add(OnPlane, PlaneGaps)
    add(Apart, PointGaps)
    add(OffLine, LineGaps)
    add(Crossing, CrossingGaps)
    return ordered, out
