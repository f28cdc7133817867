"""A few points that carry a body like all points of a flat patch do.

Of candidates in the plane: the deepest, the one farthest from it, and the farthest ones to the left
and to the right of the line through these two; a rectangle keeps its four corners.
"""

from __future__ import annotations

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray

POINTS = 4
# of the sizes: nearer points are one
DISTINCT = 1e-6
# slope that decides between points of the same depth, across the patch, so that rounding does not
LEAN = np.array([1e-9, 0.37e-9])
# a candidate that comes later in the list wins only by this part: rounding does not decide
LATER = 1e-6


def spread(
    x: FloatArray,
    y: FloatArray,
    z: FloatArray,
    there: BoolArray,
    kind: IntArray,
    sizes: FloatArray,
) -> tuple[IntArray, BoolArray]:
    """Up to four candidates of each of p patches.

    Args:
        x, y: (p, m), m, in the plane.
        z: (p, m), m, gaps.
        there: (p, m), which candidates count.
        kind: (m,), 0, 1, 2 …: of candidates in the same place the lower kind is taken.
        sizes: (p,), m, of the bodies.

    Returns:
        Indices (p, 4) of candidates, and which of them are points (p, 4).
    """
    rows = np.arange(len(x))
    weight = np.where(there, 1.0 - LATER * kind, 0.0)
    picks = np.empty((len(x), POINTS), dtype=np.intp)
    kept = np.empty((len(x), POINTS), dtype=np.bool_)
    order = z + LEAN[0] * x + LEAN[1] * y + 1e-3 * LEAN[0] * sizes[:, None] * kind
    first = np.where(there, order, np.inf).argmin(axis=1)
    dx, dy = x - x[rows, first][:, None], y - y[rows, first][:, None]
    far = (dx * dx + dy * dy) * weight
    second = far.argmax(axis=1)
    square = far[rows, second]
    ux, uy = dx[rows, second][:, None], dy[rows, second][:, None]
    area = (ux * dy - uy * dx) * weight
    left, right = area.argmax(axis=1), area.argmin(axis=1)
    picks[:, 0], picks[:, 1], picks[:, 2], picks[:, 3] = first, second, left, right
    near = DISTINCT * sizes
    kept[:, 0] = there[rows, first]
    kept[:, 1] = square > near * near
    wide = near * np.sqrt(square)
    kept[:, 2] = area[rows, left] > wide
    kept[:, 3] = -area[rows, right] > wide
    kept[:, 2:] &= kept[:, 1:2]
    return picks, kept
