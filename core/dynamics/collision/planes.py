"""Solids against planes: the points of a solid that are lowest over the plane.

A point x of a solid with radius r about it, over a plane with normal n at the height d:

    gap = n . x - d - r

A cylinder touches with the lowest points of its two rims, of centres c and axis a,

    x = c + r u,    u = -(n - (n . a) a) / |n - (n . a) a|

so that it rolls as smoothly as a round body, and with more points around each rim: three others at
right angles, on which it stands, and where it leans four between these, as it may land there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays import FloatArray
from ..contact.shapes import Box, Cylinder, Plane
from ..model import IntArray
from .contacts import Contacts
from .manifold import SKEW, flat, lowest_when_tilted
from .solids import Solid

FEW = 4  # points a solid may have over a plane before they are thinned out
DIRECTIONS = 4  # in which the farthest points are kept then, and the lowest of all
SAME = 1e-7  # m: points that are as low as the lowest to this stand for it
AROUND = np.pi * np.array([0.0, 0.5, 1.0, 1.5, 0.25, 0.75, 1.25, 1.75])  # on rims, from the lowest
UPRIGHT = 4  # of them are those on which a cylinder stands
STANDING = 1e-6  # rad: a cylinder that leans less stands, and no point of its rim is the lowest


class Planes:
    """Pairs of a solid and a plane, compiled."""

    def __init__(self, solids: Sequence[Solid], pairs: IntArray) -> None:
        """Compile.

        Args:
            pairs: (p, 2), indices of a solid and of a plane.
        """
        own = [solids[a] for a in pairs[:, 0]]
        planes = sorted(set(pairs[:, 1].tolist()))
        self._solid = pairs[:, 0]
        self._plane = _integers([planes.index(b) for b in pairs[:, 1]])
        self._planes = _integers(planes)
        shapes = [solids[b].shape for b in planes]
        self._ups = np.array([s.up for s in shapes if isinstance(s, Plane)]).reshape(-1, 3)
        points = [_points(solid) for solid in own]
        self._radius = np.array([solid.radius for solid in own])
        self._lower = np.array([p.min(axis=0) for p in points]).reshape(-1, 3)
        self._upper = np.array([p.max(axis=0) for p in points]).reshape(-1, 3)
        rims = [s.shape if isinstance(s.shape, Cylinder) else None for s in own]
        self._is_rim = np.array([rim is not None for rim in rims], dtype=bool)
        self._rim_radius = np.array([0.0 if rim is None else rim.radius for rim in rims])
        self._rim_half = np.array([0.0 if rim is None else 0.5 * rim.length for rim in rims])
        count = [0 if rim else len(p) for p, rim in zip(points, self._is_rim, strict=True)]
        self._count, self._start = _integers(count), np.cumsum([0, *count])[:-1]
        kept = [p for p, rim in zip(points, self._is_rim, strict=True) if not rim]
        self._points = np.concatenate(kept) if kept else np.zeros((0, 3))

    def find(self, world_from_port: FloatArray, margin: float) -> Contacts:
        """All points at most a margin over their planes, thinned out; from plane to solid."""
        planes = world_from_port[self._planes]
        ups = (planes[:, :3, :3] @ self._ups[:, :, None])[..., 0]
        heights = (ups * planes[:, :3, 3]).sum(axis=1)
        # the planes in the ports of the solids: m . x + height
        poses, n = world_from_port[self._solid], ups[self._plane]
        m = (n[:, None, :] @ poses[:, :3, :3])[:, 0]
        height = (n * poses[:, :3, 3]).sum(axis=1) - heights[self._plane] - self._radius
        lowest = height + np.where(m > 0.0, m * self._lower, m * self._upper).sum(axis=1)
        near = lowest <= margin
        parts = []
        if (rows := np.flatnonzero(near & ~self._is_rim)).size:
            parts.append(self._over(rows, poses[rows], n[rows], m[rows], height[rows], margin))
        if (rows := np.flatnonzero(near & self._is_rim)).size:
            parts.append(self._rims(rows, poses[rows], n[rows], m[rows], height[rows], margin))
        return Contacts.joined(parts)

    def _over(
        self,
        rows: IntArray,
        poses: FloatArray,
        n: FloatArray,
        m: FloatArray,
        height: FloatArray,
        margin: float,
    ) -> Contacts:
        """The points of solids with corners, at the poses (k, 4, 4) of the rows (k,)."""
        count = self._count[rows]
        of = np.repeat(np.arange(len(rows)), count)
        feature = np.arange(len(of)) - np.repeat(np.cumsum(count) - count, count)
        x = self._points[self._start[rows][of] + feature]
        gap = (x * m[of]).sum(axis=1) + height[of]
        kept = np.flatnonzero(gap <= margin)
        if len(kept) > FEW:
            kept = kept[_thinned(of[kept], x[kept], m, gap[kept])]
        of, x, gap, feature = of[kept], x[kept], gap[kept], feature[kept]
        normal = n[of]
        own = poses[of]
        point = (own[:, :3, :3] @ x[:, :, None])[..., 0] + own[:, :3, 3]
        point -= (self._radius[rows][of] + 0.5 * gap)[:, None] * normal
        return Contacts(rows[of], point, normal, gap, feature)

    def _rims(
        self,
        rows: IntArray,
        poses: FloatArray,
        n: FloatArray,
        m: FloatArray,
        height: FloatArray,
        margin: float,
    ) -> Contacts:
        """The points of cylinders: of each rim the lowest, and others around it."""
        radius, half = self._rim_radius[rows], self._rim_half[rows]
        # in the port, where the axis is z: down the disc, and turned from there
        down = -m[:, :2]
        lean = np.linalg.norm(down, axis=1)
        stands = lean < STANDING
        down = np.where(stands[:, None], [1.0, 0.0], down / np.where(stands, 1.0, lean)[:, None])
        first, second = radius[:, None] * down.T[:, :, None]
        count = len(AROUND)
        x = np.empty((len(rows), 2, count, 3))
        x[..., 0] = (np.cos(AROUND) * first - np.sin(AROUND) * second)[:, None]
        x[..., 1] = (np.cos(AROUND) * second + np.sin(AROUND) * first)[:, None]
        x[:, 0, :, 2], x[:, 1, :, 2] = -half[:, None], half[:, None]
        x = x.reshape(len(rows), 2 * count, 3)
        gap = (x @ m[:, :, None])[..., 0] + height[:, None]
        near = gap <= margin
        near &= ~stands[:, None] | (np.arange(2 * count) % count < UPRIGHT)
        of, feature = np.nonzero(near)
        gap, normal, own = gap[of, feature], n[of], poses[of]
        point = (own[:, :3, :3] @ x[of, feature][:, :, None])[..., 0] + own[:, :3, 3]
        point -= 0.5 * gap[:, None] * normal
        return Contacts(rows[of], point, normal, gap, feature)


def _thinned(of: IntArray, x: FloatArray, m: FloatArray, gap: FloatArray) -> IntArray:
    """Of points (n, 3) of solids, those that span what all of a solid's points do.

    The farthest and lowest in a few directions, which are fixed to the solid, so that a solid at
    rest keeps its points, and the lowest of all; of those that do not lie flat also the points
    that may come lowest when they turn.

    Args:
        of: (n,), the solid of each, in order.
        m: (k, 3), the normals in the solids' ports.

    Returns:
        Indices, in order.
    """
    solids, start, count = np.unique(of, return_index=True, return_counts=True)
    many = count > FEW
    if not many.any():
        return np.arange(len(of))
    kept = np.repeat(~many, count)
    start, count, m = start[many], count[many], m[solids[many]]
    # two directions along each plane, one of them near an axis of the port
    axis = np.eye(3)[np.abs(m).argmin(axis=1)]
    along = axis - (axis * m).sum(axis=1)[:, None] * m
    along /= np.linalg.norm(along, axis=1)[:, None]
    across = np.cross(m, along)
    angle = SKEW + 2.0 * np.pi / DIRECTIONS * np.arange(DIRECTIONS)
    outward = np.cos(angle)[:, None] * along[:, None] + np.sin(angle)[:, None] * across[:, None]
    # the points of each solid in a row, the last one again and again to its end
    table = start[:, None] + np.minimum(np.arange(count.max()), (count - 1)[:, None])
    low = gap[table]
    far = outward @ x[table].swapaxes(1, 2) - low[:, None, :]
    rows = np.arange(len(table))
    chosen = table[rows[:, None], far.argmax(axis=2)]
    lowest = table[rows, low.argmin(axis=1)]
    kept[chosen] = True
    kept[lowest[gap[lowest] < gap[chosen].min(axis=1) - SAME]] = True
    sizes = far.max(axis=(1, 2)) - far.min(axis=(1, 2))
    there = np.ones(low.shape, dtype=np.bool_)
    tilted = np.flatnonzero(~flat(low, there, sizes))
    if len(tilted):
        own, kind = x[table[tilted]], np.zeros(1, dtype=np.intp)
        x_own, y_own = ((own @ axis[tilted, :, None])[..., 0] for axis in (along, across))
        here = low[tilted], there[tilted]
        found = lowest_when_tilted(x_own, y_own, *here, kind, sizes[tilted])
        kept[table[tilted[:, None], found]] = True
    return np.flatnonzero(kept)


def _points(solid: Solid) -> FloatArray:
    """The points of a solid that may touch a plane; of a rectangle its four corners."""
    if isinstance(solid.shape, Box):
        return solid.shape.corners()
    if isinstance(solid.shape, Cylinder):
        # the box around it, for the bounds
        r, half = solid.shape.radius, 0.5 * solid.shape.length
        return np.array([[-r, -r, -half], [r, r, half]])
    return solid.points


def _integers(values: Sequence[int]) -> IntArray:
    return np.array(values, dtype=np.intp)
