"""Spheres, capsules and points against polytopes.

A polytope is what is below all its faces, n_f . x <= d_f, and the separation of a segment from
face f is the least n_f . x - d_f of its two ends. Where no face and no direction at right angles
to the segment and an edge separates them, the two are in each other as deep as the greatest
separation tells. Else the distance is that to the nearest edge, or of an end to the one face whose
separation it is, if the end is over that face.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray
from .contacts import Contacts
from .polytope import FLAT_FACES, NONE, Polytope
from .round import SAME, nearest_on_segments

FACING = 0.995  # cosine: a segment lies on a face that is turned no further from the nearest way
TOUCHING = 1e-9  # m: cores that are nearer have no direction between them
FLUSH = 1e-9  # a segment that runs along a face to this is not cut by its plane


class RoundPolytopes:
    """Polytopes laid out one after the other, against segments with radii about them."""

    def __init__(self, polytopes: Sequence[Polytope]) -> None:
        most = max((own.faces.shape[1] for own in polytopes), default=3)
        closed = [_closed(own, most) for own in polytopes]
        self._faces = _Ragged([len(own[1]) for own in closed])
        self._edges = _Ragged([len(own.edges) for own in polytopes])
        self._normals = np.concatenate([np.zeros((0, 3)), *(own[0] for own in closed)])
        self._offsets = np.concatenate([np.zeros(0), *(own[1] for own in closed)])
        # where the sides of faces start, and the directions into the faces from there
        self._starts = np.concatenate([np.zeros((0, most, 3)), *(own[2] for own in closed)])
        sides = np.roll(self._starts, -1, axis=1) - self._starts
        self._inward = np.cross(self._normals[:, None], sides)
        ends = [own.vertices[own.edges] for own in polytopes]
        self._edge = np.concatenate([np.zeros((0, 2, 3)), *ends])
        self._centres = np.array([own.vertices.mean(axis=0) for own in polytopes]).reshape(-1, 3)
        beside = [own.normals[own.edge_faces] for own in polytopes]
        self._edge_normals = np.concatenate([np.zeros((0, 2, 3)), *beside])

    def contacts(
        self,
        which: IntArray,
        world_from_polytope: FloatArray,
        ends: FloatArray,
        radius: FloatArray,
        margin: float,
    ) -> Contacts:
        """Points of p pairs with a gap of at most `margin`; normals from polytope to segment.

        Args:
            which: (p,), the polytopes.
            world_from_polytope: (p, 4, 4).
            ends: (p, 2, 3), of the segments in the world, m; twice the same for spheres.
            radius: (p,), m.
            margin: m.

        Returns:
            The nearest point of each pair, and for a segment along a face both ends of what is
            over it.
        """
        shift, turn = world_from_polytope[:, None, :3, 3], world_from_polytope[:, :3, :3]
        ends = (ends - shift) @ turn
        of, face = self._faces.of(which)
        heights = (ends[of] @ self._normals[face][:, :, None])[..., 0]
        heights -= self._offsets[face][:, None]
        best = _best(of, heights.min(axis=1), len(which))
        rows = np.flatnonzero(heights[best].min(axis=1) <= margin + radius)
        if not len(rows):
            return Contacts.none()
        kept = np.isin(of, rows)
        of, face, heights = np.searchsorted(rows, of[kept]), face[kept], heights[kept]
        found = self._nearest(which[rows], ends[rows], of, face, heights)
        part = self._points(ends[rows], radius[rows], found, of, face, heights, margin)
        return part.of_pairs(rows).moved(world_from_polytope)

    def _nearest(
        self, which: IntArray, ends: FloatArray, of: IntArray, face: IntArray, heights: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Of each pair the place along the segment (n,), the distance (n,), the normal (n, 3)."""
        count = len(which)
        a, u = ends[:, 0], ends[:, 1] - ends[:, 0]
        # nearest edges
        owner, edge = self._edges.of(which)
        b = self._edge[edge, 0]
        w = self._edge[edge, 1] - b
        s, t = nearest_on_segments(a[owner], u[owner], b, w)
        r = a[owner] + s[:, None] * u[owner] - b - t[:, None] * w
        length = np.linalg.norm(r, axis=1)
        best = _best(owner, -length, count)
        place, distance = s[best], length[best]
        normal = r[best] / np.maximum(distance, TOUCHING)[:, None]
        # an end over the face it is farthest from
        for end in (0, 1):
            row = _best(of, heights[:, end], count)
            height, own = heights[row, end], face[row]
            over = self._over(own, ends[:, end]) & (height > 0.0) & (height < distance)
            place = np.where(over, float(end), place)
            distance = np.where(over, height, distance)
            normal = np.where(over[:, None], self._normals[own], normal)
        # the segment goes through, or touches
        inside = _cuts(of, heights, count) | (distance < TOUCHING)
        if inside.any():
            deep = self._deepest(which, ends, of, face, heights)
            place = np.where(inside, deep[0], place)
            distance = np.where(inside, deep[1], distance)
            normal = np.where(inside[:, None], deep[2], normal)
        return place, distance, normal

    def _deepest(
        self, which: IntArray, ends: FloatArray, of: IntArray, face: IntArray, heights: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The same of segments inside: the place that is deepest, and the greatest separation."""
        count, u = len(which), ends[:, 1] - ends[:, 0]
        row = _best(of, heights.min(axis=1), count)
        place = heights[row].argmin(axis=1).astype(np.float64)
        distance, normal = heights[row].min(axis=1), self._normals[face[row]]
        # directions across the segment and an edge, out of the faces beside the edge
        owner, edge = self._edges.of(which)
        b, w = self._edge[edge, 0], self._edge[edge, 1] - self._edge[edge, 0]
        along = u[owner]
        across = np.cross(along, w)
        length = np.linalg.norm(across, axis=1)
        sizes = np.linalg.norm(along, axis=1) * np.linalg.norm(w, axis=1)
        valid = length > FLUSH * sizes
        across /= np.where(valid, length, 1.0)[:, None]
        sides = self._edge_normals[edge]
        # the segment must leave through one of the faces beside the edge and enter by the other
        out = (sides @ along[:, :, None])[..., 0]
        valid &= out[:, 0] * out[:, 1] < 0.0
        outward = b - self._centres[which[owner]]
        across *= np.where((across * outward).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
        r = ends[owner, 0] - b
        separation = np.where(valid, (across * r).sum(axis=1), -np.inf)
        row = _best(owner, separation, count)
        better = separation[row] > distance + SAME
        s, _ = nearest_on_segments(ends[:, 0], u, b[row], w[row])
        place = np.where(better, s, place)
        distance = np.where(better, separation[row], distance)
        return place, distance, np.where(better[:, None], across[row], normal)

    def _points(
        self,
        ends: FloatArray,
        radius: FloatArray,
        found: tuple[FloatArray, FloatArray, FloatArray],
        of: IntArray,
        face: IntArray,
        heights: FloatArray,
        margin: float,
    ) -> Contacts:
        """The nearest points, and the ends of segments that lie along a face."""
        place, distance, normal = found
        count, u = len(ends), ends[:, 1] - ends[:, 0]
        facing = (self._normals[face] * normal[of]).sum(axis=1)
        row = _best(of, facing, count)
        own, flat = face[row], facing[row] > FACING
        lower, upper = self._beside(own, ends)
        flat &= (upper - lower) * np.linalg.norm(u, axis=1) > SAME
        s = np.stack((lower, upper, place), axis=1)
        height = heights[row, 0, None] * (1.0 - s) + heights[row, 1, None] * s
        height[:, 2] = distance
        gap = height - radius[:, None]
        # a segment that is inside may be less deep on another way out
        flat &= gap[:, :2].min(axis=1) > gap[:, 2] - SAME
        alone = ~flat | (gap[:, 2] < gap[:, :2].min(axis=1) - SAME)
        wanted = np.stack((flat, flat, alone), axis=1)
        pair, feature = np.nonzero(wanted & (gap <= margin))
        gap = gap[pair, feature]
        way = np.where((feature == 2)[:, None], normal[pair], self._normals[own[pair]])
        x = ends[pair, 0] + s[pair, feature][:, None] * u[pair]
        point = x - (radius[pair] + 0.5 * gap)[:, None] * way
        return Contacts(pair, point, way, gap, feature)

    def _over(self, face: IntArray, x: FloatArray) -> BoolArray:
        """Whether points (n, 3) are over faces (n,), not beside."""
        out = x[:, None] - self._starts[face]
        inside: BoolArray = (out * self._inward[face]).sum(axis=2).min(axis=1) >= 0.0
        return inside

    def _beside(self, face: IntArray, ends: FloatArray) -> tuple[FloatArray, FloatArray]:
        """From where to where segments (n, 2, 3) are over faces (n,); lower > upper: nowhere."""
        out = ends[:, :, None] - self._starts[face][:, None]
        inside = (out * self._inward[face][:, None]).sum(axis=3)
        return _interval(-inside[:, 0], -inside[:, 1], axis=1)


class _Ragged:
    """Rows of several owners, one after the other."""

    def __init__(self, counts: Sequence[int]) -> None:
        self._count = np.array(counts, dtype=np.intp)
        self._start = np.cumsum(self._count) - self._count

    def of(self, which: IntArray) -> tuple[IntArray, IntArray]:
        """Of owners (n,): for each of their rows, which of the n it belongs to, and its number."""
        count = self._count[which]
        of = np.repeat(np.arange(len(which)), count)
        within = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)
        return of, self._start[which][of] + within


def _best(of: IntArray, value: FloatArray, count: int) -> IntArray:
    """The first row with the greatest value of each of `count` owners; `of` is in order."""
    start = np.searchsorted(of, np.arange(count))
    most = np.maximum.reduceat(value, start)
    rows = np.flatnonzero(value == most[of])
    best: IntArray = rows[np.searchsorted(of[rows], np.arange(count))]
    return best


def _cuts(of: IntArray, heights: FloatArray, count: int) -> BoolArray:
    """Whether a part of each segment is below all faces, by the heights of its ends (n, 2)."""
    lower, upper = _limits(heights[:, 0], heights[:, 1])
    start = np.searchsorted(of, np.arange(count))
    enters = np.maximum(np.maximum.reduceat(lower, start), 0.0)
    cuts: BoolArray = enters <= np.minimum(np.minimum.reduceat(upper, start), 1.0)
    return cuts


def _interval(first: FloatArray, last: FloatArray, axis: int) -> tuple[FloatArray, FloatArray]:
    """Where linear functions, by their values at 0 and 1, are all at most 0 between."""
    lower, upper = _limits(first, last)
    return lower.max(axis=axis).clip(0.0, 1.0), upper.min(axis=axis).clip(0.0, 1.0)


def _limits(first: FloatArray, last: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where one linear function is at most 0: from where, to where."""
    change = last - first
    still = np.abs(change) <= FLUSH * np.maximum(np.abs(first), np.abs(last))
    zero = -first / np.where(still, 1.0, change)
    nowhere = still & (first > 0.0)
    lower = np.where(nowhere, np.inf, np.where(still | (change > 0.0), -np.inf, zero))
    upper = np.where(still | (change < 0.0), np.inf, zero)
    return lower, upper


def _closed(polytope: Polytope, most: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Normals (f, 3), offsets (f,) and corners (f, most, 3) of the faces.

    The last corner comes again and again to the end. One without thickness gets walls without
    height around it.
    """
    own = polytope.faces
    last = np.take_along_axis(own, (own != NONE).sum(axis=1)[:, None] - 1, axis=1)
    filled = np.where(own == NONE, last, own)
    more = np.repeat(last, most - own.shape[1], axis=1)
    loops = polytope.vertices[np.hstack((filled, more))]
    if len(own) > FLAT_FACES:
        return polytope.normals, polytope.offsets, loops
    ends = polytope.vertices[polytope.edges]
    side = ends[:, 1] - ends[:, 0]
    out = np.cross(side, polytope.normals[polytope.edge_faces[:, 0]])
    out /= np.linalg.norm(out, axis=1)[:, None]
    walls = np.concatenate((ends[:, :1], np.repeat(ends[:, 1:], most - 1, axis=1)), axis=1)
    return (
        np.concatenate((polytope.normals, out)),
        np.concatenate((polytope.offsets, (out * ends[:, 0]).sum(axis=1))),
        np.concatenate((loops, walls)),
    )
