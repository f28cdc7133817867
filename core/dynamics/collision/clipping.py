"""Where the incident face of one polytope lies over the reference face of another.

In the frame of the reference face (x, y along it, z its normal) both are convex polygons; what they
have in common has corners of three kinds:

    vertices of the incident face over the reference face,
    vertices of the reference face below the incident face,
    crossings of an edge of each.

All k + k + k^2 candidates are worked out at once, with masks for those that are there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray

ON_RIM = 1e-7  # of the sizes: a vertex this near to an edge is on it, and no crossing is taken
STEEP = 0.05  # cosine below which an incident face is seen edge on


class Overlap(NamedTuple):
    """Corners of what p pairs of faces have in common, m = 2 k + k^2 candidates each.

    Attributes:
        x, y, z: (p, m), m, in the frame of the reference face; z is the gap.
        there: (p, m), whether it is a corner.
    """

    x: FloatArray
    y: FloatArray
    z: FloatArray
    there: BoolArray


def overlap(
    reference: FloatArray, incident: FloatArray, facing: FloatArray, sizes: FloatArray
) -> Overlap:
    """The corners of what faces have in common.

    Args:
        reference, incident: (p, k, 3), m, around each face, counter-clockwise from outside, in
            the frame of the reference face.
        facing: (p, 3), normal of the incident face, in that frame.
        sizes: (p,), m, of the bodies.
    """
    p, k = reference.shape[:2]
    near = (ON_RIM * sizes)[:, None, None]
    after = AFTER[k] if k < len(AFTER) else np.roll(np.arange(k), -1)
    xr, yr = reference[:, :, 0], reference[:, :, 1]
    xi, yi, zi = incident[:, :, 0], incident[:, :, 1], incident[:, :, 2]
    # distance inward of incident vertex j from reference edge r, and of vertex r from edge j,
    # which runs the other way round
    ux, uy = _along(xr, yr, after)
    wx, wy = _along(xi, yi, after)
    dx, dy = xi[:, None] - xr[:, :, None], yi[:, None] - yr[:, :, None]
    in_reference = ux[:, :, None] * dy - uy[:, :, None] * dx
    in_incident = wx[:, None] * dy - wy[:, None] * dx
    x, y, z = np.empty((p, 2 * k + k * k)), np.empty((p, 2 * k + k * k)), None
    z = np.empty_like(x)
    there = np.empty(x.shape, dtype=np.bool_)
    # vertices of the incident face
    x[:, :k], y[:, :k], z[:, :k] = xi, yi, zi
    there[:, :k] = (in_reference >= -near).all(axis=1)
    # vertices of the reference face, at the height of the incident one
    x[:, k : 2 * k], y[:, k : 2 * k] = xr, yr
    down = np.minimum(facing[:, 2], -STEEP)[:, None]
    z[:, k : 2 * k] = (
        zi[:, :1] - (facing[:, :1] * (xr - xi[:, :1]) + facing[:, 1:2] * (yr - yi[:, :1])) / down
    )
    there[:, k : 2 * k] = (in_incident >= -near).all(axis=2)
    there[:, k : 2 * k] &= facing[:, 2:] < -STEEP
    # crossings: both edges have an end on either side of the other
    end = in_reference[:, :, after]
    other_end = in_incident[:, after]
    crossing = (in_reference * end < 0.0) & (in_incident * other_end < 0.0)
    off_r = np.minimum(np.abs(in_reference), np.abs(end))
    off_i = np.minimum(np.abs(in_incident), np.abs(other_end))
    crossing &= np.minimum(off_r, off_i) > near
    part = in_reference / np.where(crossing, in_reference - end, 1.0)
    for out, own in ((x, xi), (y, yi), (z, zi)):
        step = own[:, after] - own
        out[:, 2 * k :] = (own[:, None] + part * step[:, None]).reshape(p, k * k)
    there[:, 2 * k :] = crossing.reshape(p, k * k)
    return Overlap(x, y, z, there)


# the next vertex around faces of up to 64
AFTER = [np.roll(np.arange(count), -1) for count in range(65)]


def _along(x: FloatArray, y: FloatArray, after: IntArray) -> tuple[FloatArray, FloatArray]:
    """Unit vectors along the edges of polygons, 0 for those without length."""
    ex, ey = x[:, after] - x, y[:, after] - y
    length = np.sqrt(ex * ex + ey * ey)
    length[length == 0.0] = np.inf
    return ex / length, ey / length
