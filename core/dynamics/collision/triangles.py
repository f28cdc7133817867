"""Static meshes of triangles: what of them is near a body, and where it touches.

Triangles are sorted along a curve that fills space and cut into blocks; a query looks at the bounds
of the blocks first and at those of the triangles in blocks that are hit next.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import BoolArray, FloatArray, as_finite, frozen
from ...errors import ArgumentError
from ..model import IntArray
from .contacts import Contacts
from .mesh_polytopes import mesh_polytope_contacts
from .mesh_round import mesh_round_contacts
from .mesh_surface import mesh_surface
from .polytope import Polytope
from .separation import cross, dot

BLOCK = 32  # triangles with common bounds: 50 000 triangles make 1600 blocks
BITS = 10  # of each coordinate, for the order along the curve
HALF = 0.5  # of a turn around a point: between 0 outside and 1 inside
THIN = 1e-9  # of the extent: triangles that are less high have no area


class MeshTree:
    """A mesh that does not move, made ready for queries.

    The solid is behind the side from which the triangles turn counter-clockwise. A surface need
    not be closed: what is mostly in front of a triangle is held by it, what is mostly behind is
    not felt. Vertices in the same place are one.

    Args:
        vertices: (n, 3), world, m.
        triangles: (m, 3), vertices.
        name: of the mesh, for messages.

    Raises:
        ArgumentError: for indices out of range, triangles without area, and no triangle at all.
    """

    def __init__(
        self, vertices: ArrayLike, triangles: ArrayLike, name: str = "TriangleMesh"
    ) -> None:
        points = np.array(as_finite(vertices, (3,), f"{name}: vertices"), ndmin=2)
        corners = checked_triangles(points, triangles, name)
        centres = points[corners].mean(axis=1)
        corners = corners[np.argsort(_along_curve(centres), kind="stable")]
        self.surface = mesh_surface(points, corners)
        low, high = self.surface.corners.min(axis=1), self.surface.corners.max(axis=1)
        self.bounds = frozen(np.array([low.min(axis=0), high.max(axis=0)]))
        # the last block is filled up with triangles that are nowhere
        missing = -len(low) % BLOCK
        low = np.concatenate((low, np.full((missing, 3), np.inf)))
        high = np.concatenate((high, np.full((missing, 3), -np.inf)))
        self._low, self._high = low.reshape(-1, BLOCK, 3), high.reshape(-1, BLOCK, 3)
        self._block_low, self._block_high = self._low.min(axis=1), self._high.max(axis=1)

    def __repr__(self) -> str:
        return f"<MeshTree: {len(self.surface.triangles)} triangles>"

    def near(self, low: FloatArray, high: FloatArray) -> tuple[IntArray, IntArray]:
        """Triangles whose bounds overlap boxes.

        Args:
            low, high: (p, 3), world, m.

        Returns:
            Pairs of a box (k,), in ascending order, and a triangle (k,).
        """
        hit = (self._block_low <= high[:, None]) & (self._block_high >= low[:, None])
        box, block = np.nonzero(hit.all(axis=2))
        inside = (self._low[block] <= high[box, None]) & (self._high[block] >= low[box, None])
        row, column = np.nonzero(inside.all(axis=2))
        return box[row], block[row] * BLOCK + column

    def rounded_contacts(
        self, starts: FloatArray, ends: FloatArray, radii: FloatArray, margin: float
    ) -> Contacts:
        """Where p balls and capsules touch the mesh, which is the second body.

        Args:
            starts, ends: (p, 3), world, m, of the axes; the same for a ball.
            radii: (p,), m.
            margin: m, the largest gap.
        """
        reach = (radii + margin)[:, None]
        low, high = np.minimum(starts, ends) - reach, np.maximum(starts, ends) + reach
        body, triangle = self.near(low, high)
        return mesh_round_contacts(self.surface, body, triangle, starts, ends, radii, margin)

    def holds(self, points: FloatArray) -> BoolArray:
        """Which points (p, 3) of the world are in the solid, (p,); none if it is not closed."""
        if not self.surface.is_closed:
            return np.zeros(len(points), dtype=np.bool_)
        return np.array([winding(self.surface.corners, own) > HALF for own in points], dtype=bool)

    def polytope_contacts(
        self, polytopes: Sequence[Polytope], world_from_polytope: FloatArray, margin: float
    ) -> Contacts:
        """Where p polytopes touch the mesh, which is the second body.

        Args:
            polytopes: p.
            world_from_polytope: (p, 4, 4).
            margin: m, the largest gap.
        """
        return mesh_polytope_contacts(
            self.surface, self.near, tuple(polytopes), world_from_polytope, margin
        )


def winding(corners: FloatArray, point: FloatArray) -> float:
    """How often a surface of triangles (m, 3, 3) goes around a point (3,): 1 inside, 0 outside.

    The solid angle of a triangle with corners a, b, c, seen from the origin, is

        tan(omega / 2) = a . (b x c) / (|a||b||c| + (a . b)|c| + (b . c)|a| + (c . a)|b|)

    Source: A. van Oosterom, J. Strackee, The Solid Angle of a Plane Triangle, IEEE Transactions on
    Biomedical Engineering 30 (1983), 125-126.
    """
    a, b, c = np.moveaxis(corners - point, 1, 0)
    far_a, far_b, far_c = (np.sqrt(dot(own, own)) for own in (a, b, c))
    below = far_a * far_b * far_c + dot(a, b) * far_c + dot(b, c) * far_a + dot(c, a) * far_b
    return float(np.arctan2(dot(a, cross(b, c)), below).sum() / (2.0 * np.pi))


def checked_triangles(vertices: FloatArray, triangles: ArrayLike, name: str) -> IntArray:
    """`triangles` as indices (m, 3) of `vertices` (n, 3).

    Raises:
        ArgumentError: for indices out of range, triangles without area, and no triangle at all.
    """
    given = np.asarray(triangles)
    if given.ndim != 2 or given.shape[1] != 3 or not len(given) or given.dtype.kind not in "iu":
        raise ArgumentError(
            f"{name}: triangles: wanted at least one row of 3 indices, "
            f"got {given.dtype} values of shape {given.shape}"
        )
    corners: IntArray = given.astype(np.intp)
    outside = (corners < 0) | (corners >= len(vertices))
    if outside.any():
        row, column = (int(i) for i in np.argwhere(outside)[0])
        raise ArgumentError(
            f"{name}: triangles: wanted indices from 0 to {len(vertices) - 1}, "
            f"got {corners[row, column]} in triangle {row}"
        )
    thick = have_area(vertices, corners)
    if not thick.all():
        row = int(np.argmin(thick))
        raise ArgumentError(
            f"{name}: triangles: wanted triangles with an area, "
            f"got triangle {row} of vertices {corners[row].tolist()} on a line"
        )
    return corners


def have_area(vertices: FloatArray, triangles: IntArray) -> BoolArray:
    """Which triangles (m, 3) of vertices (n, 3) are more than a line or a point, (m,)."""
    corners = vertices[triangles]
    sides = corners[:, [1, 2, 0]] - corners
    area = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    longest = np.linalg.norm(sides, axis=2).max(axis=1)
    thick: BoolArray = area > THIN * float(np.ptp(corners, axis=(0, 1)).max()) * longest
    return thick


def _along_curve(points: FloatArray) -> IntArray:
    """The place (n,) of points (n, 3) along Morton's curve: their bits taken in turn."""
    low, extent = points.min(axis=0), float(np.ptp(points, axis=0).max())
    cells = ((points - low) * ((2**BITS - 1) / (extent or 1.0))).astype(int)
    place = np.zeros(len(points), dtype=np.intp)
    for bit in range(BITS):
        for axis in range(3):
            place |= ((cells[:, axis] >> bit) & 1) << (3 * bit + axis)
    return place
