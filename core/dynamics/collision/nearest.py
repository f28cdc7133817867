"""Nearest points of polytopes that are apart where no face is: a vertex and an edge, or two edges.

The distance of convex polytopes is the least over vertices and faces, vertices and edges, and pairs
of edges. Vertices over faces and edges that cross are known from the separating axes, what is left
is
the least of

    |p - (q + t (r - q))|,   t = clip((p - q) . (r - q) / |r - q|^2, 0, 1)

over vertices p of one polytope and edges qr of the other. With a plane between them and a distance
of at most the margin, only what lies within the margin of that plane can be nearest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray
from .contacts import CORNERS, KIND, NEAR_FIRST, NEAR_SECOND, NUMBER, Contacts
from .packing import Packed
from .separation import Placed, dot

SIMILAR = 0.1  # of the distance: a second pair that is this little farther is a point as well
END = 1e-9  # of an edge: its ends are vertices
TOUCHING = 1e-9  # m: points that are nearer than this have no direction between them


class Nearest(NamedTuple):
    """n vertices against edges.

    Attributes:
        pair: (n,), which of the pairs.
        on_a, on_b: (n, 3), the nearest points, in A.
        distance: (n,), m.
        feature: (n,), of the vertex and the edge, or of two vertices.
    """

    pair: IntArray
    on_a: FloatArray
    on_b: FloatArray
    distance: FloatArray
    feature: IntArray


def nearest(
    a: Packed, b: Packed, at: Placed, rows: IntArray, normal: FloatArray, margin: float
) -> Nearest:
    """The nearest vertex and edge of some pairs, and a second pair that is about as near.

    Args:
        a, b, at: the pairs.
        rows: (n,), some of them.
        normal: (n, 3), of a plane between them, out of A, in A.
        margin: m, distances beyond it are of no interest.
    """
    va, vb = a.vertices[rows], at.vertices[rows]
    ha = (va @ normal[:, :, None])[:, :, 0]
    hb = (vb @ normal[:, :, None])[:, :, 0]
    ha, hb = ha - ha.max(axis=1)[:, None], hb - hb.min(axis=1)[:, None]
    close_a, close_b = ha >= -margin, hb <= margin
    parts = [
        _all(va, close_a, vb, close_b, b.edges[rows], NEAR_FIRST),
        _all(vb, close_b, va, close_a, a.edges[rows], NEAR_SECOND),
    ]
    every = Nearest._make(np.concatenate(own) for own in zip(*parts, strict=True))
    inside = np.nonzero((every.distance <= margin) & (every.distance > TOUCHING))[0]
    order = inside[np.lexsort((every.distance[inside], every.pair[inside]))]
    first = np.nonzero(np.diff(every.pair[order], prepend=-1))[0]
    chosen = [order[first], _second(every, order, first)]
    return Nearest._make(own[np.concatenate(chosen)] for own in every)


def nearest_contacts(found: Nearest) -> Contacts:
    """The points midway between, in A."""
    apart = found.on_a - found.on_b
    return Contacts(
        found.pair,
        0.5 * (found.on_a + found.on_b),
        apart / found.distance[:, None],
        found.distance,
        found.feature,
    )


def _all(
    points: FloatArray,
    close: BoolArray,
    others: FloatArray,
    others_close: BoolArray,
    edges: IntArray,
    kind: int,
) -> Nearest:
    """All close vertices against all close edges; `kind` tells whose the vertices are."""
    n = np.arange(len(points))[:, None, None]
    usable = others_close[n, edges].any(axis=2)
    pair, vertex, edge = np.nonzero(close[:, :, None] & usable[:, None])
    p = points[pair, vertex]
    ends = edges[pair, edge]
    q = others[pair, ends[:, 0]]
    along = others[pair, ends[:, 1]] - q
    square = dot(along, along)
    part = np.clip(dot(p - q, along) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    foot = q + part[:, None] * along
    distance = np.sqrt(dot(p - foot, p - foot))
    # at its ends an edge is another vertex
    corner = ends[np.arange(len(pair)), (part > 0.5).astype(np.intp)]
    if kind == NEAR_FIRST:
        on_a, on_b, corners = p, foot, vertex * NUMBER + corner
    else:
        on_a, on_b, corners = foot, p, corner * NUMBER + vertex
    at_end = (part <= END) | (part >= 1.0 - END)
    feature = np.where(at_end, CORNERS * KIND + corners, kind * KIND + vertex * NUMBER + edge)
    return Nearest(pair, on_a, on_b, distance, feature)


def _second(every: Nearest, order: IntArray, first: IntArray) -> IntArray:
    """For each pair the point farthest from the nearest one, of those that are about as near."""
    count = np.diff(first, append=len(order))
    best = np.repeat(order[first], count)
    similar = every.distance[order] <= (1.0 + SIMILAR) * every.distance[best]
    apart = np.linalg.norm(every.on_a[order] - every.on_a[best], axis=1)
    score = np.where(similar, apart, 0.0)
    by_score = np.lexsort((score, every.pair[order]))
    last = np.nonzero(np.diff(every.pair[order][by_score], append=-1))[0]
    picked = by_score[last]
    out: IntArray = order[picked[score[picked] > every.distance[order[picked]]]]
    return out
