"""Convex hulls of points in space.

Quickhull: from a tetrahedron of far points on, the point farthest outside of a face is joined to
the horizon, the edges between the faces it sees and those it does not; points that end up inside
are forgotten. Triangles that lie in one plane are merged into one face afterwards.

Source: C. B. Barber, D. P. Dobkin, H. Huhdanpaa, The Quickhull Algorithm for Convex Hulls, ACM
Transactions on Mathematical Software 22 (1996), 469-483.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ...arrays import BoolArray, FloatArray
from ...errors import ArgumentError
from ..model import IntArray
from .polytope import Polytope, polytope

# of the largest extent: points that are farther out than this make a corner
OUTSIDE = 1e-8
# of the largest extent: faces that are no less flat are one; what STL files in single precision
# round away is a tenth of it
FLAT = 1e-6
WIDER = 10.0  # where rounding makes a horizon no loop, the hull is tried with wider tolerances
TRIES = 4

Loop = tuple[int, ...]
Edge = tuple[int, int]


def hull(points: FloatArray, most: int | None = None) -> Polytope:
    """The convex hull of points (n, 3), m; with two faces where they lie in a plane.

    Args:
        most: of the corners, where that is not enough for all the farthest are taken first, so
            that the hull is a little smaller; of points in a plane all are taken.

    Raises:
        ArgumentError: for points on a line, or for a single one.
    """
    points = np.unique(points, axis=0)
    extent = float(np.ptp(points, axis=0).max())
    corners = _simplex(points, FLAT * extent)
    if len(corners) < 3:
        raise ArgumentError(
            "hull: wanted points that span an area at least; "
            f"got {len(points)} {'on a line' if len(corners) == 2 else 'in one place'}"
        )
    if len(corners) == 3:
        around = _outline(points, points[corners])
        return _compact(points, [around, around[::-1]])
    outside = OUTSIDE * extent
    for _ in range(TRIES):
        triangles = _Quickhull(points, corners, outside).triangles(most)
        if triangles:
            return _compact(points, _merged(points, triangles, max(outside, FLAT * extent)))
        outside *= WIDER
    raise ArgumentError(f"hull: {len(points)} points that are too close to each other")


class _Quickhull:
    """A hull as it grows: triangles, what runs along their edges, and points outside of each."""

    def __init__(self, points: FloatArray, corners: Sequence[int], outside: float) -> None:
        self.points, self.tolerance = points, outside
        self.count = 0
        self.normals, self.offsets = np.empty((64, 3)), np.empty(64)
        self.faces: dict[int, Loop] = {}
        self.across: dict[Edge, int] = {}  # the face on whose loop an edge runs
        self.outside: dict[int, IntArray] = {}
        self.farthest: dict[int, tuple[float, int]] = {}  # of these, its height and number
        a, b, c, d = corners
        if np.linalg.det(points[[b, c, d]] - points[a]) > 0.0:
            b, c = c, b
        loops = [(a, b, c), (a, d, b), (b, d, c), (c, d, a)]
        self._add(loops, np.arange(len(points)))

    def triangles(self, most: int | None) -> list[Loop]:
        """The finished hull, or that of some corners; empty where rounding got in the way."""
        corners = len(self.faces)
        while self.outside and (most is None or corners < most):
            if most is None:
                face = next(iter(self.outside))
            else:
                face = max(self.farthest, key=self.farthest.__getitem__)
            corners += 1
            if not self._join(face, self.farthest[face][1]):
                return []
        return list(self.faces.values())

    def _join(self, face: int, farthest: int) -> bool:
        """Join a point that a face sees to the horizon; whether that is a loop."""
        heights = self.normals[: self.count] @ self.points[farthest] - self.offsets[: self.count]
        sees = heights > self.tolerance
        seen = self._reached([face], sees)
        horizon = self._horizon(seen)
        if not _is_loop(horizon):
            # faces that it barely does not see, with others that it sees all around
            hidden = [own for own in self.faces if own not in seen]
            if not hidden:
                return False
            lowest = min(hidden, key=lambda own: float(heights[own]))
            others = np.ones(self.count, dtype=bool)
            others[list(seen)] = False
            seen = set(self.faces) - self._reached([lowest], others)
            horizon = self._horizon(seen)
            if not _is_loop(horizon):
                return False
        free = [self.outside.pop(own) for own in seen if own in self.outside]
        for own in seen:
            self.farthest.pop(own, None)
            loop = self.faces.pop(own)
            for edge in _sides(loop):
                del self.across[edge]
        self._add([(a, b, farthest) for a, b in horizon], np.concatenate(free))
        return True

    def _reached(self, start: Sequence[int], allowed: BoolArray) -> set[int]:
        """The allowed faces that are connected with the first."""
        found, open_faces = set(start), list(start)
        while open_faces:
            for a, b in _sides(self.faces[open_faces.pop()]):
                other = self.across[b, a]
                if other not in found and allowed[other]:
                    found.add(other)
                    open_faces.append(other)
        return found

    def _horizon(self, seen: set[int]) -> list[Edge]:
        return [
            (a, b)
            for face in seen
            for a, b in _sides(self.faces[face])
            if self.across[b, a] not in seen
        ]

    def _add(self, loops: Sequence[Loop], points: IntArray) -> None:
        """Add triangles, and share out the points that are outside of one of them."""
        first, self.count = self.count, self.count + len(loops)
        while self.count > len(self.offsets):
            self.normals = np.concatenate((self.normals, np.empty_like(self.normals)))
            self.offsets = np.concatenate((self.offsets, np.empty_like(self.offsets)))
        corners = self.points[np.array(loops)]
        a = corners[:, 0]
        normals = _cross(corners[:, 1] - a, corners[:, 2] - a)
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        offsets = (normals * a).sum(axis=1)
        self.normals[first : self.count], self.offsets[first : self.count] = normals, offsets
        for face, loop in enumerate(loops, first):
            self.faces[face] = loop
            for edge in _sides(loop):
                self.across[edge] = face
        heights = self.points[points] @ normals.T - offsets
        of = heights.argmax(axis=1)
        height = heights[np.arange(len(points)), of]
        out = height > self.tolerance
        points, of, height = points[out], of[out], height[out]
        for row in np.unique(of):
            own = of == row
            far = int(height[own].argmax())
            self.outside[first + int(row)] = points[own]
            self.farthest[first + int(row)] = (float(height[own][far]), int(points[own][far]))


def _simplex(points: FloatArray, tolerance: float) -> list[int]:
    """Up to four points, each far from what those before it span."""
    axis = int(np.argmax(np.ptp(points, axis=0)))
    first = int(np.argmin(points[:, axis]))
    r = points - points[first]
    corners = [first]
    for _ in range(3):
        far = np.linalg.norm(r, axis=1)
        farthest = int(np.argmax(far))
        if far[farthest] <= tolerance:
            break
        corners.append(farthest)
        along = r[farthest] / far[farthest]
        # twice, so that what is left is at right angles to rounding
        for _ in range(2):
            r = r - np.outer(r @ along, along)
    return corners


def _outline(points: FloatArray, corners: FloatArray) -> Loop:
    """The convex hull of points in a plane, counter-clockwise: the monotone chain."""
    a, b, c = corners
    x = (b - a) / np.linalg.norm(b - a)
    z = np.cross(x, c - a)
    y = np.cross(z / np.linalg.norm(z), x)
    flat = (points - a) @ np.array([x, y]).T
    tolerance = FLAT * float(np.ptp(flat, axis=0).max()) ** 2
    order = np.lexsort((flat[:, 1], flat[:, 0]))

    def chain(indices: Iterable[int]) -> list[int]:
        own: list[int] = []
        for index in indices:
            while len(own) > 1:
                p, q = flat[own[-1]] - flat[own[-2]], flat[index] - flat[own[-2]]
                if p[0] * q[1] - p[1] * q[0] > tolerance:
                    break
                own.pop()
            own.append(int(index))
        return own[:-1]

    return (*chain(order), *chain(order[::-1]))


def _merged(points: FloatArray, triangles: Sequence[Loop], tolerance: float) -> list[Loop]:
    """Faces of triangles that lie in a plane, the largest triangles first."""
    corners = points[np.array(triangles)]
    areas = _cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(areas, axis=1)
    normals = areas / size[:, None]
    across = {edge: row for row, loop in enumerate(triangles) for edge in _sides(loop)}
    # the corner of each neighbour that is not shared, over the triangle's plane
    far = np.array(
        [[sum(triangles[across[b, a]]) - a - b for a, b in _sides(loop)] for loop in triangles]
    )
    beyond = ((points[far] - corners[:, :1]) @ normals[:, :, None])[..., 0]
    alone = (np.abs(beyond) > tolerance).all(axis=1)
    left, regions = set(range(len(triangles))), []
    for start in np.argsort(-size, kind="stable").tolist():
        if start not in left:
            continue
        if alone[start]:
            left.remove(start)
            regions.append(triangles[start])
            continue
        heights = np.abs((corners - corners[start, 0]) @ normals[start]).max(axis=1)
        flat = (heights <= tolerance) & (normals @ normals[start] > 0.0)
        region, open_faces = {start}, [start]
        while open_faces:
            for a, b in _sides(triangles[open_faces.pop()]):
                other = across[b, a]
                if other in left and other not in region and flat[other]:
                    region.add(other)
                    open_faces.append(other)
        rim = [
            (a, b)
            for own in region
            for a, b in _sides(triangles[own])
            if across[b, a] not in region
        ]
        if _is_loop(rim):
            regions.append(_around(rim))
        else:
            region = {start}
            regions.append(triangles[start])
        left -= region
    return regions


def _compact(points: FloatArray, loops: Sequence[Loop]) -> Polytope:
    """The polytope of faces, without vertices that are in the middle of edges."""
    count = np.bincount([i for loop in loops for i in loop], minlength=len(points))
    least = 3 if len(loops) > 2 else 2
    kept = np.nonzero(count >= least)[0]
    number = {int(index): row for row, index in enumerate(kept)}
    shorter = [[number[i] for i in loop if i in number] for loop in loops]
    return polytope(points[kept], [loop for loop in shorter if len(loop) > 2])


def _sides(loop: Sequence[int]) -> list[Edge]:
    return [(a, b) for a, b in zip(loop, (*loop[1:], loop[0]), strict=True)]


def _is_loop(edges: Sequence[Edge]) -> bool:
    return len(edges) > 2 and len(_around(edges)) == len(edges)


def _around(edges: Sequence[Edge]) -> Loop:
    """The vertices of edges that follow each other, from the first on until it comes again."""
    after = dict(edges)
    start = vertex = edges[0][0]
    loop = [start]
    while (vertex := after.get(vertex, start)) != start and len(loop) <= len(edges):
        loop.append(vertex)
    return tuple(loop)


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    x = a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1]
    y = a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]
    z = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return np.array([x, y, z]).T
