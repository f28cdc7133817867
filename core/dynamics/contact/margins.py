"""How far inside the ends of faces and edges, and of the cones of their normals, features touch.

Each condition is a row. With the place from o, the place from p and the normal n, in the axes of
the frames that carry them,

    extents     half - |axis . (place - o)|, on b, and half - |axis . (place - p)|, on a
    outward     way . (place - o)
    cones       normal_b . n,  -normal_a . n
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays import FloatArray
from ..constraints.edges import ASIDE
from ..model import IntArray, Model
from .features import Crossing, Feature
from .gap_terms import Touch

FROM_B, FROM_A, NORMAL_B, NORMAL_A = range(4)  # what a row looks at


class Margins:
    """The conditions of features, in one batch."""

    def __init__(self, model: Model, features: Sequence[Feature]) -> None:
        self._count = len(features)
        places = [(own.b.place(model), own.a.place(model)) for own in features]
        self._frame_b: IntArray = np.array([b[0] for b, _ in places], dtype=np.intp)
        self._frame_a: IntArray = np.array([a[0] for _, a in places], dtype=np.intp)
        rows: list[tuple[int, int, FloatArray, float]] = []
        for index, own in enumerate(features):
            (_, b), (_, a) = places[index]
            to_b, to_a = b[:3, :3], a[:3, :3]
            rows += [(index, FROM_B, to_b @ axis, half) for axis, half in own.extents]
            rows += [(index, FROM_B, to_b @ way, np.nan) for way in own.outward]
            if isinstance(own, Crossing) and np.isfinite(own.half_a):
                rows.append((index, FROM_A, to_a @ own.axis_a, own.half_a))
            rows += [(index, NORMAL_B, to_b @ normal, np.nan) for normal in own.normals_b]
            rows += [(index, NORMAL_A, to_a @ -normal, np.nan) for normal in own.normals_a]
        self._rows = _Rows(rows)
        self._ends = _Rows([row for row in rows if row[1] in (FROM_B, FROM_A)])
        self._cones = _Rows([row for row in rows if row[1] in (NORMAL_B, NORMAL_A)])

    def all(self, poses: FloatArray, touch: Touch) -> FloatArray:
        """By how much (…, n), m, all conditions hold; inf where there are none."""
        return self._least(self._rows, poses, touch)

    def ends(self, poses: FloatArray, touch: Touch) -> FloatArray:
        """By how much (…, n), m, the features are within their ends."""
        return self._least(self._ends, poses, touch)

    def cones(self, poses: FloatArray, touch: Touch) -> FloatArray:
        """By how much (…, n), m, the normals are within the cones of both bodies."""
        return self._least(self._cones, poses, touch)

    def _least(self, rows: _Rows, poses: FloatArray, touch: Touch) -> FloatArray:
        out = np.full(touch.normal.shape[:-1], np.inf)
        if not len(rows.features):
            return out
        turn_b = poses.take(self._frame_b, axis=-3)[..., :3, :3].swapaxes(-1, -2)
        turn_a = poses.take(self._frame_a, axis=-3)[..., :3, :3].swapaxes(-1, -2)
        looked = [
            (turn_b @ touch.from_b[..., None])[..., 0],
            (turn_a @ touch.from_a[..., None])[..., 0],
            (turn_b @ touch.normal[..., None])[..., 0],
            (turn_a @ touch.normal[..., None])[..., 0],
        ]
        # (…, 4, n, 3)
        seen = np.stack(looked, axis=-3)[..., rows.kinds, rows.features, :]
        along = (seen * rows.axes).sum(axis=-1)
        inside = np.where(rows.one_sided, along, rows.halves - np.abs(along))
        out[..., rows.features[rows.starts]] = np.minimum.reduceat(inside, rows.starts, axis=-1)
        # edges that are parallel have no normal, and touch nowhere
        out[(touch.normal == 0.0).all(axis=-1)] = -ASIDE
        return out


class _Rows:
    """Rows (feature, what it looks at, axis (3,), half or nan), those of a feature together."""

    def __init__(self, rows: Sequence[tuple[int, int, FloatArray, float]]) -> None:
        self.features: IntArray = np.array([row[0] for row in rows], dtype=np.intp)
        self.kinds: IntArray = np.array([row[1] for row in rows], dtype=np.intp)
        self.axes = np.array([row[2] for row in rows]).reshape(-1, 3)
        self.halves = np.array([row[3] for row in rows])
        self.one_sided = np.isnan(self.halves)
        self.starts: IntArray = np.flatnonzero(np.diff(self.features, prepend=-1))
