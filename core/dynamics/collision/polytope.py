"""Convex polytopes: vertices, faces with outward normals, and edges.

A point x of the polytope's frame is inside where n_f . x <= d_f for all faces f.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...arrays import FloatArray, frozen
from ..model import IntArray

SIDES = 24  # of the prism that stands for a cylinder: 0.6 % of the radius off at most
FLAT_FACES = 2  # of one without thickness
NONE = -1  # fills the loops of faces up to the longest

# the corners of a box by the signs of x, y and z, and its faces counter-clockwise from outside
BOX_CORNERS = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
BOX_FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


@dataclass(frozen=True, eq=False)
class Polytope:
    """A convex solid of flat faces; two faces back to back where it has no thickness.

    Attributes:
        vertices: (n, 3), m.
        normals: (f, 3), outward, unit vectors.
        offsets: (f,), m: n . x <= offset inside.
        faces: (f, k), the vertices around each, counter-clockwise seen from outside; -1 beyond.
        edges: (e, 2), their vertices, the lower index first.
        edge_faces: (e, 2): the face that runs along an edge from its first vertex to the second,
            and the face that runs back.
    """

    vertices: FloatArray
    normals: FloatArray
    offsets: FloatArray
    faces: IntArray
    edges: IntArray
    edge_faces: IntArray

    def __repr__(self) -> str:
        return f"<Polytope: {len(self.vertices)} vertices, {len(self.faces)} faces>"

    @cached_property
    def triangles(self) -> IntArray:
        """(t, 3), vertices: the faces cut into triangles, turning as they do."""
        fans = [
            (loop[0], loop[i], loop[i + 1])
            for loop in self.loops()
            for i in range(1, len(loop) - 1)
        ]
        return np.array(fans, dtype=np.intp)

    @cached_property
    def triangle_faces(self) -> IntArray:
        """(t,), the face each of `triangles` lies in."""
        return np.repeat(np.arange(len(self.faces)), (self.faces != NONE).sum(axis=1) - 2)

    def loops(self) -> list[list[int]]:
        """The vertices around each face."""
        return [[int(i) for i in row if i != NONE] for row in self.faces]

    def volume(self) -> float:
        """In m^3: V = sum of det(a, b, c) / 6 over triangles, about the mean of the vertices."""
        corners = (self.vertices - self.vertices.mean(axis=0))[self.triangles]
        return float(np.linalg.det(corners).sum() / 6.0)


def polytope(vertices: FloatArray, loops: Sequence[Sequence[int]]) -> Polytope:
    """The polytope of faces that are known.

    Args:
        vertices: (n, 3), m.
        loops: for each face its vertices, counter-clockwise seen from outside.
    """
    faces = np.full((len(loops), max(map(len, loops))), NONE, dtype=np.intp)
    for row, loop in enumerate(loops):
        faces[row, : len(loop)] = loop
    around = vertices[np.where(faces == NONE, faces[:, :1], faces)]
    from_first = around - around[:, :1]
    # Newell: the sum of the corners' cross products is twice the area along the normal
    areas = np.cross(from_first, np.roll(from_first, -1, axis=1)).sum(axis=1)
    normals = areas / np.linalg.norm(areas, axis=1)[:, None]
    offsets = (around @ normals[:, :, None])[..., 0].max(axis=1)
    runs = {(a, b): row for row, loop in enumerate(loops) for a, b in _sides(loop)}
    edges = sorted((a, b) for a, b in runs if a < b)
    sides = [(runs[a, b], runs[b, a]) for a, b in edges]
    return Polytope(
        frozen(np.array(vertices, dtype=np.float64)),
        frozen(normals),
        frozen(offsets),
        faces,
        np.array(edges, dtype=np.intp),
        np.array(sides, dtype=np.intp),
    )


def box(half_sizes: FloatArray) -> Polytope:
    """A box about the origin, along the axes; half_sizes (3,), m."""
    return polytope(np.array(BOX_CORNERS) * half_sizes, BOX_FACES)


def prism(radius: float, length: float, sides: int = SIDES) -> Polytope:
    """A regular prism about z, centred, of the volume of a cylinder of that radius and length, m.

    Its cross section has the circle's area: with n sides, rho^2 = r^2 (2 pi / n) / sin(2 pi / n).
    """
    step = 2.0 * np.pi / sides
    angles = step * np.arange(sides)
    rim = radius * np.sqrt(step / np.sin(step)) * np.array([np.cos(angles), np.sin(angles)]).T
    half = np.full((sides, 1), 0.5 * length)
    vertices = np.concatenate((np.hstack((rim, -half)), np.hstack((rim, half))))
    around = list(range(sides))
    walls = [[a, b, b + sides, a + sides] for a, b in _sides(around)]
    return polytope(vertices, [around[::-1], [a + sides for a in around], *walls])


def _sides(loop: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(loop, [*loop[1:], loop[0]], strict=True))
