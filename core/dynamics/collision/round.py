"""Spheres, capsules and points against each other: the distance of two segments.

Of segments a + s u and b + t w, s and t from 0 to 1, the nearest points are an end of one and its
foot on the other, or lie inside of both where the line between them is at right angles to both,

    s = (e (w . r) - c (u . r)) / (a c - e^2)     r = a - b, a = u . u, c = w . w, e = u . w
"""

from __future__ import annotations

import numpy as np

from ...arrays import BoolArray, FloatArray
from .contacts import Contacts

PARALLEL = 0.1  # rad: segments that are closer to parallel touch along a line, at its two ends
SAME = 1e-7  # m: a point that is deeper than the ends of such a line by more is one of its own
PARALLEL_DET = 1e-12  # sin^2: below, rounding decides where lines cross
COINCIDENT = 1e-12  # m: points that are closer have no direction between them


def round_contacts(
    a: FloatArray, b: FloatArray, radius_a: FloatArray, radius_b: FloatArray, margin: float
) -> Contacts:
    """Points of p pairs of segments with radii about them, with a gap of at most `margin`.

    Args:
        a, b: (p, 2, 3), the ends in the world, m; twice the same for a sphere.
        radius_a, radius_b: (p,), m.
        margin: m.

    Returns:
        One point for each pair, two or three where segments are almost parallel.
    """
    u, w = a[:, 1] - a[:, 0], b[:, 1] - b[:, 0]
    s, t = nearest_on_segments(a[:, 0], u, b[:, 0], w)
    # the part of a beside b
    lengths = _dot(u, u)
    ends = _dot(b - a[:, :1], u[:, None]) / np.where(lengths > 0.0, lengths, 1.0)[:, None]
    lower, upper = ends.min(axis=1).clip(0.0, 1.0), ends.max(axis=1).clip(0.0, 1.0)
    across = np.cross(u, w)
    parallel = _dot(across, across) < PARALLEL**2 * lengths * _dot(w, w)
    along = parallel & ((upper - lower) * np.sqrt(lengths) > SAME)
    s = np.stack((lower, upper, s), axis=1)
    x = a[:, :1] + s[..., None] * u[:, None]
    t = np.stack((*(_foot(x[:, k], b[:, 0], w) for k in (0, 1)), t), axis=1)
    r = x - (b[:, :1] + t[..., None] * w[:, None])
    distance = np.sqrt(_dot(r, r))
    gap = distance - (radius_a + radius_b)[:, None]
    pair, feature = np.nonzero((gap <= margin) & _distinct(along, gap))
    gap, r, distance = gap[pair, feature], r[pair, feature], distance[pair, feature]
    normal = r / np.maximum(distance, COINCIDENT)[:, None]
    none = np.flatnonzero(distance < COINCIDENT)
    normal[none] = across_both(u[pair[none]], w[pair[none]])
    point = x[pair, feature] - (radius_a[pair] + 0.5 * gap)[:, None] * normal
    return Contacts(pair, point, normal, gap, feature)


def nearest_on_segments(
    a: FloatArray, u: FloatArray, b: FloatArray, w: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Where segments a + s u and b + t w (n, 3) are nearest to each other: s, t (n,)."""
    r = a - b
    a2, c, e = _dot(u, u), _dot(w, w), _dot(u, w)
    ur, wr = _dot(u, r), _dot(w, r)
    zero, one = np.zeros_like(a2), np.ones_like(a2)
    no_u, no_w = np.where(a2 > 0.0, a2, 1.0), np.where(c > 0.0, c, 1.0)
    det = a2 * c - e * e
    # parallel segments are nearest at an end too
    crossing = det > PARALLEL_DET * a2 * c
    inner = np.where(crossing, (e * wr - c * ur) / np.where(crossing, det, 1.0), 0.0).clip(0.0, 1.0)
    s = [zero, one, (-ur / no_u).clip(0.0, 1.0), ((e - ur) / no_u).clip(0.0, 1.0), inner]
    t = [(wr / no_w).clip(0.0, 1.0), ((wr + e) / no_w).clip(0.0, 1.0), zero, one]
    t.append(((wr + e * inner) / no_w).clip(0.0, 1.0))
    every_s, every_t = np.array(s), np.array(t)
    between = r + every_s[..., None] * u - every_t[..., None] * w
    best = _dot(between, between).argmin(axis=0)
    column = np.arange(len(a2))
    return every_s[best, column], every_t[best, column]


def across_both(u: FloatArray, w: FloatArray) -> FloatArray:
    """Unit vectors (n, 3) at right angles to u and w (n, 3), as far as these have directions."""
    across = np.cross(u, w)
    bare = np.linalg.norm(across, axis=1) <= PARALLEL * np.linalg.norm(u, axis=1) * (
        np.linalg.norm(w, axis=1)
    )
    longer = np.where((_dot(u, u) >= _dot(w, w))[:, None], u, w)
    # the axis of the world that is most across the one direction there is
    axis = np.eye(3)[2 - np.abs(longer)[:, ::-1].argmin(axis=1)]
    square = _dot(longer, longer)
    axis = axis - (_dot(axis, longer) / np.where(square > 0.0, square, 1.0))[:, None] * longer
    across = np.where(bare[:, None], axis, across)
    out: FloatArray = across / np.linalg.norm(across, axis=1)[:, None]
    return out


def _distinct(along: BoolArray, gap: FloatArray) -> BoolArray:
    """Which of both ends and the nearest point (n, 3) are wanted."""
    inside = ~along | (gap[:, 2] < gap[:, :2].min(axis=1) - SAME)
    return np.stack((along, along, inside), axis=1)


def _foot(x: FloatArray, b: FloatArray, w: FloatArray) -> FloatArray:
    """Where on segments b + t w the points x (n, 3) are nearest: t (n,)."""
    c = _dot(w, w)
    foot: FloatArray = (_dot(x - b, w) / np.where(c > 0.0, c, 1.0)).clip(0.0, 1.0)
    return foot


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    dot: FloatArray = (a * b).sum(axis=-1)
    return dot
