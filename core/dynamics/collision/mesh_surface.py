"""What the edges and vertices of a triangle mesh look like to a body that touches them.

The solid lies behind the outward side of each triangle. With N the direction from a point of the
surface to the body, and m the directions into the surface from there, a body touches it there only
where no step along the surface brings it nearer:

    N . m <= 0

for the two triangles at an edge (m in their planes, at right angles to it), and for all edges that
leave a vertex. On an edge between triangles in one plane this leaves their common normal alone, so
that nothing is felt where triangles meet; across hollow edges it leaves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray
from .groups import run_rows
from .separation import cross, dot

SHARP = 1e-4  # rad: an edge that bends outward by less is none
UPHILL = 1e-6  # N . m that rounding makes, and edges that are not quite sharp
NONE = -1


@dataclass(frozen=True, eq=False)
class MeshSurface:
    """m triangles, e edges and n vertices; lengths in m, all in the frame of the vertices.

    Attributes:
        vertices: (n, 3).
        triangles: (m, 3), counter-clockwise seen from outside.
        corners: (m, 3, 3), the vertices of each triangle.
        normals: (m, 3), unit vectors.
        along: (m, 3, 3), unit vectors from each corner to the next.
        inward: (m, 3, 3), unit vectors in the plane, at right angles to these edges.
        lengths: (m, 3), of these edges.
        edge_of: (m, 3), the edge from each corner to the next.
        hollow: (m, 3), whether the surface rises beyond that edge.
        ends: (e, 2), vertices.
        out: (e, 3), a direction out of the solid.
        into: (e, 2, 3), the directions into the triangles at an edge; 0 where there is only one.
        edge_along, edge_lengths: (e, 3) unit vectors from end to end, and (e,).
        tests: (e, 3, 3), columns i x e for i the directions into both triangles, and o x e for o
            the one out of the solid: of e x g with another edge g, i . (e x g) = g . (i x e).
        sharp: (e,), whether the surface ends there or bends outward.
        vertex_out: (n, 3), the mean of the normals at a vertex, by angles.
        vertex_sharp: (n,), whether a sharp edge ends there.
        ring, ring_start: (2 e, 3) unit vectors along the edges that leave vertex i, in the rows
            ring_start[i] to ring_start[i + 1].
    """

    vertices: FloatArray
    triangles: IntArray
    corners: FloatArray
    normals: FloatArray
    along: FloatArray
    inward: FloatArray
    lengths: FloatArray
    edge_of: IntArray
    hollow: BoolArray
    ends: IntArray
    out: FloatArray
    into: FloatArray
    edge_along: FloatArray
    edge_lengths: FloatArray
    tests: FloatArray
    sharp: BoolArray
    vertex_out: FloatArray
    vertex_sharp: BoolArray
    ring: FloatArray
    ring_start: IntArray

    def at_edges(
        self, edges: IntArray, directions: FloatArray
    ) -> tuple[FloatArray, BoolArray, BoolArray]:
        """Whether bodies may touch edges (k,) from unit directions (k, 3) away from them.

        Returns:
            The directions, turned round where they point into the solid (k, 3); where they were
            turned (k,); and whether no step into the triangles goes along with them (k,).
        """
        behind = dot(directions, self.out[edges]) < 0.0
        normals = np.where(behind[:, None], -directions, directions)
        uphill = (self.into[edges] @ normals[:, :, None]).max(axis=(1, 2))
        return normals, behind, uphill <= UPHILL

    def at_vertices(
        self, vertices: IntArray, directions: FloatArray
    ) -> tuple[FloatArray, BoolArray, BoolArray]:
        """The same for vertices (k,), with the edges that leave them as steps."""
        behind = dot(directions, self.vertex_out[vertices]) < 0.0
        normals = np.where(behind[:, None], -directions, directions)
        rows, starts = self.on_ring(vertices)
        of = run_rows(starts, len(rows))
        uphill = np.maximum.reduceat(dot(self.ring[rows], normals[of]), starts)
        return normals, behind, uphill <= UPHILL

    @property
    def is_closed(self) -> bool:
        """Whether each edge has a triangle on both sides, so that there is an inside."""
        return bool(self.into[:, 1].any(axis=1).all())

    def on_ring(self, vertices: IntArray) -> tuple[IntArray, IntArray]:
        """The edges that leave some vertices (k,).

        Returns:
            rows (r,) of `ring`, those of the first vertex first, and where each begins (k,).
        """
        first = self.ring_start[vertices]
        count = self.ring_start[vertices + 1] - first
        starts = np.cumsum(count) - count
        rows = np.repeat(first - starts, count) + np.arange(int(count.sum()))
        return rows, starts


def mesh_surface(vertices: FloatArray, triangles: IntArray) -> MeshSurface:
    """The surface of triangles (m, 3) of vertices (n, 3); none of them without area."""
    vertices, triangles = _welded(vertices, triangles)
    corners = vertices[triangles]
    steps = corners[:, [1, 2, 0]] - corners
    lengths = np.linalg.norm(steps, axis=2)
    along = steps / lengths[:, :, None]
    areas = cross(steps[:, 0], steps[:, 1])
    normals = areas / np.linalg.norm(areas, axis=1)[:, None]
    inward = np.cross(normals[:, None], along)
    twin = _twins(triangles, len(vertices))
    single = twin == NONE
    halves = np.arange(len(twin))
    # each edge once: by the lower of its two halves
    own = np.nonzero(single | (halves < twin))[0]
    other = np.where(single, 0, twin)
    edge_of = np.empty(len(twin), dtype=np.intp)
    edge_of[own] = np.arange(len(own))
    edge_of = np.where(single, edge_of, edge_of[np.minimum(halves, other)])
    flat_inward = inward.reshape(-1, 3)
    beyond = np.where(single[:, None], 0.0, flat_inward[other])
    rise = dot(np.repeat(normals, 3, axis=0), beyond)
    second = np.where(single[own][:, None], -flat_inward[own], normals[other[own] // 3])
    out = normals[own // 3] + second
    into = np.stack((flat_inward[own], beyond[own]), axis=1)
    edge_along = along.reshape(-1, 3)[own]
    ends = np.stack((triangles, triangles[:, [1, 2, 0]]), axis=2).reshape(-1, 2)[own]
    sharp = single[own] | (rise[own] < -SHARP)
    vertex_sharp = np.zeros(len(vertices), dtype=np.bool_)
    vertex_sharp[ends[sharp]] = True
    ring, ring_start = _rings(vertices, ends)
    return MeshSurface(
        vertices=vertices,
        triangles=triangles,
        corners=corners,
        normals=normals,
        along=along,
        inward=inward,
        lengths=lengths,
        edge_of=edge_of.reshape(-1, 3),
        hollow=(rise > SHARP).reshape(-1, 3),
        ends=ends,
        out=out,
        into=into,
        edge_along=edge_along,
        edge_lengths=lengths.ravel()[own],
        tests=np.cross(np.concatenate((into, out[:, None]), axis=1), edge_along[:, None]).swapaxes(
            1, 2
        ),
        sharp=sharp,
        vertex_out=_vertex_normals(len(vertices), triangles, along, normals),
        vertex_sharp=vertex_sharp,
        ring=ring,
        ring_start=ring_start,
    )


def each_once(body: IntArray, parts: IntArray, usable: BoolArray) -> tuple[IntArray, IntArray]:
    """Bodies (k,) with the usable ones of the edges or vertices `parts` (k, 3) near them."""
    keep = usable[parts]
    key = np.unique((body[:, None] * len(usable) + parts)[keep])
    return np.divmod(key, len(usable))


def _welded(vertices: FloatArray, triangles: IntArray) -> tuple[FloatArray, IntArray]:
    """Vertices in the same place made one, as files list them once for each triangle."""
    order = np.lexsort(vertices.T)
    placed = vertices[order]
    new = np.concatenate(([True], (placed[1:] != placed[:-1]).any(axis=1)))
    number = np.empty(len(vertices), dtype=np.intp)
    number[order] = np.cumsum(new) - 1
    return placed[new], number[triangles]


def _twins(triangles: IntArray, count: int) -> IntArray:
    """For each half edge (3 m,) the one that runs back, -1 where there is not just that one."""
    start, end = triangles.ravel(), triangles[:, [1, 2, 0]].ravel()
    key = np.minimum(start, end) * count + np.maximum(start, end)
    order = np.argsort(key, kind="stable")
    first = np.nonzero(np.diff(key[order], prepend=-1))[0]
    pairs = first[np.diff(first, append=len(key)) == 2]
    a, b = order[pairs], order[pairs + 1]
    opposite = start[a] == end[b]
    a, b = a[opposite], b[opposite]
    twin = np.full(len(key), NONE, dtype=np.intp)
    twin[a], twin[b] = b, a
    return twin


def _rings(vertices: FloatArray, ends: IntArray) -> tuple[FloatArray, IntArray]:
    """Directions of the edges that leave each vertex, one vertex after the other."""
    start, end = np.concatenate((ends, ends[:, ::-1])).T
    order = np.argsort(start, kind="stable")
    step = (vertices[end] - vertices[start])[order]
    counts = np.bincount(start, minlength=len(vertices))
    return step / np.linalg.norm(step, axis=1)[:, None], np.concatenate(([0], np.cumsum(counts)))


def _vertex_normals(
    count: int, triangles: IntArray, along: FloatArray, normals: FloatArray
) -> FloatArray:
    """The mean of the normals at each vertex, weighted by the angles there.

    Source: J. A. Baerentzen, H. Aanaes, Signed Distance Computation Using the Angle Weighted
    Pseudonormal, IEEE Transactions on Visualization and Computer Graphics 11 (2005), 243-253.
    """
    cosine = -(along * along[:, [2, 0, 1]]).sum(axis=2)
    weighted = np.arccos(np.clip(cosine, -1.0, 1.0))[:, :, None] * normals[:, None]
    flat, of = weighted.reshape(-1, 3), triangles.ravel()
    total = [np.bincount(of, weights=column, minlength=count) for column in flat.T]
    out = np.array(total).T
    length = np.linalg.norm(out, axis=1)[:, None]
    return np.divide(out, length, out=np.zeros_like(out), where=length > 0.0)
