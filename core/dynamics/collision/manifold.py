"""A few points that carry a body like all points of a patch do.

Points whose normals are about the same make a patch. Where their gaps are the same the body lies
flat, and four of the candidates in its plane are enough: the deepest, the one farthest from it, and
the farthest ones to the left and to the right of the line through these two; a rectangle keeps its
four corners.

Where gaps differ the body falls or rocks, and in the next step other points may come first than do
now. With z the gaps over the plane, a body that turns by little meets the patch at the points that
have nothing below them, seen from some tilt t d:

    min_i z_i - t d . (x_i, y_i)

These are kept for a few tilts t in a few directions d, and the deepest of all, t = 0. A body that
these keep above the surface has every other point above what lies between its lowest ones.
"""

from __future__ import annotations

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray
from .contacts import Contacts
from .groups import run_rows, run_starts
from .separation import cross, dot

POINTS = 4
# of the sizes: nearer points are one
DISTINCT = 1e-6
# slope that decides between points of the same depth, across the patch, so that rounding does not
LEAN = np.array([1e-9, 0.37e-9])
# a candidate that comes later in the list wins only by this part: rounding does not decide
LATER = 1e-6
FLAT = 1e-4  # of the sizes: a patch lies flat if its gaps differ by less
# what a body turns by in a step of 2 ms at 15 rad/s and at 150 rad/s; and, of bodies that one step
# turns over, the farthest points, which keep the middle between them
TILTS = np.array([0.03, 0.3, 1.5])
DIRECTIONS = 8
SKEW = 0.3  # rad: the first direction from an axis, so that no two corners of a box are as far
ALONG = 0.9998  # cosine of 1 degree: normals nearer to each other belong to one patch
PATCHES = 4  # of a pair, the deepest first

_ANGLES = SKEW + 2.0 * np.pi / DIRECTIONS * np.arange(DIRECTIONS)
# all tilts (25, 2): rise along x and y
_SLOPES = np.concatenate(
    [np.zeros((1, 2))]
    + [tilt * np.stack((np.cos(_ANGLES), np.sin(_ANGLES)), axis=1) for tilt in TILTS]
)


def spread(
    x: FloatArray,
    y: FloatArray,
    z: FloatArray,
    there: BoolArray,
    kind: IntArray,
    sizes: FloatArray,
) -> tuple[IntArray, BoolArray]:
    """A few candidates of each of p patches, that stand for all.

    Args:
        x, y: (p, m), m, in the plane.
        z: (p, m), m, gaps.
        there: (p, m), which candidates count.
        kind: (m,), 0, 1, 2 …: of candidates in the same place the lower kind is taken.
        sizes: (p,), m, of the bodies.

    Returns:
        Indices (p, k) of candidates, and which of them are points (p, k); k is 4 where all
        patches lie flat, and more where some do not.
    """
    picks, kept = _corners(x, y, z, there, kind, sizes)
    tilted = np.flatnonzero(~flat(z, there, sizes))
    if not len(tilted):
        return picks, kept
    more = ((0, 0), (0, len(_SLOPES) - POINTS))
    picks, kept = np.pad(picks, more), np.pad(kept, more)
    own = x[tilted], y[tilted]
    lowest = lowest_when_tilted(*own, z[tilted], there[tilted], kind, sizes[tilted])
    picks[tilted], kept[tilted] = lowest, _distinct(*own, lowest, sizes[tilted])
    kept[tilted] &= there[tilted].any(axis=1)[:, None]
    return picks, kept


def flat(z: FloatArray, there: BoolArray, sizes: FloatArray) -> BoolArray:
    """Whether the gaps (p, m) of those that are there are about the same, for each patch (p,)."""
    least, most = np.where(there, z, np.inf).min(axis=1), np.where(there, z, -np.inf).max(axis=1)
    same: BoolArray = most <= least + FLAT * sizes
    return same


def lowest_when_tilted(
    x: FloatArray,
    y: FloatArray,
    z: FloatArray,
    there: BoolArray,
    kind: IntArray,
    sizes: FloatArray,
) -> IntArray:
    """The lowest candidate of each patch (p, 25) for each tilt, the deepest first."""
    height = np.where(there, z + 1e-3 * LEAN[0] * sizes[:, None] * kind, np.inf)
    rise = _SLOPES @ np.stack((x, y), axis=1)
    lowest: IntArray = (height[:, None] - rise).argmin(axis=2)
    return lowest


def _distinct(x: FloatArray, y: FloatArray, picks: IntArray, sizes: FloatArray) -> BoolArray:
    """Which of the picks (p, k) are in no place of one before."""
    dx, dy = (np.take_along_axis(own, picks, axis=1) for own in (x, y))
    dx, dy = dx[:, :, None] - dx[:, None], dy[:, :, None] - dy[:, None]
    same = dx * dx + dy * dy <= ((DISTINCT * sizes) ** 2)[:, None, None]
    distinct: BoolArray = ~(same & _BEFORE).any(axis=2)
    return distinct


# whether pick j (columns) comes before pick i
_BEFORE = np.tri(len(_SLOPES), k=-1, dtype=np.bool_)


def _corners(
    x: FloatArray,
    y: FloatArray,
    z: FloatArray,
    there: BoolArray,
    kind: IntArray,
    sizes: FloatArray,
) -> tuple[IntArray, BoolArray]:
    """Up to four candidates (p, 4) of patches that lie flat."""
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


def reduced(contacts: Contacts, sizes: FloatArray) -> Contacts:
    """A few points of each of up to four patches of a pair; sizes (p,), m, of the bodies."""
    if not len(contacts.gap):
        return contacts
    own = contacts.taken(np.lexsort((contacts.gap, contacts.pair)))
    patch = np.full(len(own.gap), -1, dtype=np.intp)
    leads: list[IntArray] = []
    left, count = np.arange(len(own.gap)), 0
    for _ in range(PATCHES):
        # the deepest point of each pair and all with a normal like its
        starts = run_starts(own.pair[left])
        lead = left[starts]
        row = run_rows(starts, len(left))
        along = dot(own.normal[left], own.normal[lead][row]) >= ALONG
        patch[left[along]] = count + row[along]
        leads.append(lead)
        left, count = left[~along], count + len(lead)
        if not len(left):
            break
    order = np.argsort(patch, kind="stable")[len(left) :]
    return _spread_patches(own.taken(order), patch[order], np.concatenate(leads), own, sizes)


def _spread_patches(
    points: Contacts, patch: IntArray, leads: IntArray, own: Contacts, sizes: FloatArray
) -> Contacts:
    """A few points of each patch; patch (n,) is that of each, leads (p,) their deepest."""
    starts = run_starts(patch)
    column = np.arange(len(patch)) - starts[patch]
    shape = (len(leads), int(column.max()) + 1)
    x_axis, y_axis = _across(own.normal[leads])
    from_lead = points.point - own.point[leads][patch]
    x, y, z = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    x[patch, column], y[patch, column] = (
        dot(from_lead, x_axis[patch]),
        dot(from_lead, y_axis[patch]),
    )
    z[patch, column] = points.gap
    index = np.full(shape, -1, dtype=np.intp)
    index[patch, column] = np.arange(len(patch))
    kind = np.zeros(shape[1], dtype=np.intp)
    picks, kept = spread(x, y, z, index >= 0, kind, sizes[own.pair[leads]])
    chosen = index[np.arange(len(leads))[:, None], picks][kept]
    return points.taken(chosen[np.argsort(points.pair[chosen], kind="stable")])


def _across(normals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Unit vectors x and y (n, 3) at right angles to unit vectors (n, 3) and to each other."""
    rows = np.arange(len(normals))
    # away from the axis that the normal is least along
    axis = np.abs(normals).argmin(axis=1)
    x = -normals * normals[rows, axis][:, None]
    x[rows, axis] += 1.0
    x /= np.sqrt(dot(x, x))[:, None]
    return x, cross(normals, x)
