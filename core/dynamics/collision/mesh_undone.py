"""Which points on a mesh a smaller shift of the body undoes.

Where a corner of a body has gone through a thin part of the solid, or an edge through another,
there are directions along which the way out is long. With gaps g < 0 and normals N, moving the body
by

    d_j = -g_j N_j

takes it out at j. A deeper point i should then have a gap of g_i + d_j . N_i; if that is still
deep, and yet the corner is not in the solid any more, or the point of the mesh hardly in the
body, then i was no way out. Points that just touch, with d = 0, are such j as well.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray
from .contacts import Contacts
from .mesh_surface import MeshSurface
from .packing import Packed
from .separation import dot

SHALLOW = 1e-3  # of the sizes: points that are less deep stay, and less high ones touch
OUT = 0.1  # of the depth that should be left: a point this little inside is out
THROUGH = 1e-6  # of the sizes: a corner this far beyond another triangle has gone through it
NO_TRIANGLE = -1


class Bodies(NamedTuple):
    """p polytopes in the world.

    Attributes:
        packed: in their own frames.
        vertices: (p, v, 3), m.
        rotation, shift: (p, 3, 3) and (p, 3), of their poses.
        size, depth: (p,), m, of the body, and by how much it may be in the solid.
    """

    packed: Packed
    vertices: FloatArray
    rotation: FloatArray
    shift: FloatArray
    size: FloatArray
    depth: FloatArray

    def turned_back(self, body: IntArray, vectors: FloatArray) -> FloatArray:
        """Vectors (k, 3) of the world in the frames of bodies (k,)."""
        out: FloatArray = (vectors[:, None] @ self.rotation[body])[:, 0]
        return out

    def above(self, body: IntArray, places: FloatArray) -> FloatArray:
        """How far (k, f) places (k, 3) of the world are above the faces of bodies (k,), m."""
        local = self.turned_back(body, places - self.shift[body])
        along: FloatArray = (self.packed.normals[body] @ local[:, :, None])[:, :, 0]
        return along - self.packed.offsets[body]


def undone(
    surface: MeshSurface,
    bodies: Bodies,
    near: tuple[IntArray, IntArray],
    points: Contacts,
    triangle: IntArray,
) -> BoolArray:
    """Which of n points (n,) are no way out.

    Args:
        surface: of the mesh.
        bodies: p.
        near: body (k,), in ascending order, and triangle (k,) near it.
        points: their `pair` are numbers of bodies.
        triangle: (n,), over which a vertex of the body is; NO_TRIANGLE for points of the mesh.
    """
    out = np.zeros(len(points.gap), dtype=np.bool_)
    size, gap = bodies.size[points.pair], points.gap
    deep = np.nonzero(gap < -SHALLOW * size)[0]
    if not len(deep):
        return out
    # every deep point with the shifts of those less deep that touch
    smaller = (points.pair[deep, None] == points.pair) & (gap > gap[deep, None])
    row, other = np.nonzero(smaller & (gap <= SHALLOW * size))
    of = deep[row]
    moved = np.maximum(-gap[other], 0.0)[:, None] * points.normal[other]
    left = gap[of] + dot(moved, points.normal[of])
    still = left < -SHALLOW * size[of]
    of, moved, little = of[still], moved[still], -OUT * left[still]
    half = 0.5 * gap[of, None] * points.normal[of]
    on_mesh = triangle[of] == NO_TRIANGLE
    own = of[on_mesh]
    places = points.point[own] - half[on_mesh] - moved[on_mesh]
    above = bodies.above(points.pair[own], places).max(axis=1)
    out[own[above >= -little[on_mesh]]] = True
    own = of[~on_mesh]
    places = points.point[own] + half[~on_mesh] + moved[~on_mesh]
    where = points.pair[own], places, triangle[own]
    outside = _outside(surface, near, *where, THROUGH * size[own])
    out[own[outside]] = True
    return out


def _outside(
    surface: MeshSurface,
    near: tuple[IntArray, IntArray],
    body: IntArray,
    places: FloatArray,
    triangle: IntArray,
    little: FloatArray,
) -> BoolArray:
    """Whether places (k, 3) are not in the solid below triangles (k,).

    They are in it where the way up to the triangle leads through no other one.
    """
    normal = surface.normals[triangle]
    offset = places[:, None] - surface.corners[triangle]
    foot = places - dot(normal, offset[:, 0])[:, None] * normal
    outside: BoolArray = (surface.inward[triangle] * offset).sum(axis=2).min(axis=1) < -little
    # all triangles near the body of each
    first = np.searchsorted(near[0], body)
    count = np.searchsorted(near[0], body, side="right") - first
    starts = np.cumsum(count) - count
    of = np.repeat(np.arange(len(body)), count)
    other = near[1][np.repeat(first - starts, count) + np.arange(int(count.sum()))]
    corner, up = surface.corners[other, 0], surface.normals[other]
    below, above = dot(up, places[of] - corner), dot(up, foot[of] - corner)
    through = np.nonzero((below > little[of]) & (above < -little[of]))[0]
    of, other, below, above = of[through], other[through], below[through], above[through]
    part = (below / (below - above))[:, None]
    crossing = places[of] + part * (foot[of] - places[of])
    side = (surface.inward[other] * (crossing[:, None] - surface.corners[other])).sum(axis=2)
    outside[of[side.min(axis=1) >= 0.0]] = True
    return outside
