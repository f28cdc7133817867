"""Where convex polytopes touch a mesh of triangles.

Three kinds of points, with the normal N from the mesh to the body:

    a vertex of the body over a triangle:    N the triangle's normal,
    a vertex of the mesh below a face:       N the face's normal reversed,
    an edge of each that cross:              N ~ e x g,

the latter two where N leaves no step along the surface that goes up, so that flat and hollow edges
make no points; of all these a few for each direction are kept.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray
from .contacts import EDGES, KIND, NUMBER, OF_FIRST, OF_SECOND, Contacts
from .edge_pairs import line_parameters
from .groups import run_rows, run_starts
from .manifold import reduced
from .mesh_surface import UPHILL, MeshSurface, each_once
from .mesh_undone import NO_TRIANGLE, Bodies, undone
from .packing import around_of, packed
from .polytope import Polytope
from .separation import PARALLEL, cross, dot

# of the depth that a body may have: one whose middle is farther behind a triangle is not held
SINK = 0.5
PLATE = 0.1  # of the sizes: bodies are taken to be at least so thick, in how deep they may be
ON_RIM = 1e-7  # of the sizes: a vertex this little beside a triangle is over it
# of the sizes: behind a triangle a vertex may be this far beyond a hollow edge
BEHIND_HOLLOW = 0.02
# sine: in the solid a vertex from which an edge of the body goes down by more does not hold it
DOWNHILL = 0.1
SAME = 1e-6  # 1 - cosine of normals that are one


def mesh_polytope_contacts(
    surface: MeshSurface,
    near: Callable[[FloatArray, FloatArray], tuple[IntArray, IntArray]],
    polytopes: tuple[Polytope, ...],
    poses: FloatArray,
    margin: float,
) -> Contacts:
    """Points of p polytopes on a mesh.

    Args:
        surface: of the mesh.
        near: the triangles near boxes: (low (p, 3), high (p, 3)) -> body (k,), triangle (k,).
        polytopes: p.
        poses: (p, 4, 4), world_from_polytope.
        margin: m, the largest gap.
    """
    if not polytopes:
        return Contacts.none()
    own = packed(polytopes, around_of(polytopes))
    rotation, shift = poses[:, :3, :3], poses[:, :3, 3]
    vertices = own.vertices @ rotation.swapaxes(1, 2) + shift[:, None]
    low, high = vertices.min(axis=1), vertices.max(axis=1)
    body, triangle = near(low - margin, high + margin)
    if not len(body):
        return Contacts.none()
    middle = (rotation @ own.middle[:, :, None])[:, :, 0] + shift
    depth = np.maximum(own.inner, PLATE * own.reach)
    bodies = Bodies(own, vertices, rotation, shift, own.reach, depth)
    # only what the middle is in front of
    height = dot(surface.normals[triangle], middle[body] - surface.corners[triangle, 0])
    front = height >= -SINK * depth[body]
    over, under = _on_triangles(surface, bodies, body[front], triangle[front], margin)
    parts = [
        over,
        _under_faces(surface, bodies, body, triangle, margin),
        _edges(surface, bodies, body, triangle, margin),
    ]
    points = Contacts._make(np.concatenate(own) for own in zip(*parts, strict=True))
    below = np.full(len(points.gap), NO_TRIANGLE, dtype=np.intp)
    below[: len(under)] = under
    kept = ~undone(surface, bodies, (body, triangle), points, below)
    return reduced(points.taken(kept), bodies.size)


def _on_triangles(
    surface: MeshSurface, bodies: Bodies, body: IntArray, triangle: IntArray, margin: float
) -> tuple[Contacts, IntArray]:
    """Vertices of bodies over triangles, and these triangles."""
    normals, first = surface.normals[triangle], surface.corners[triangle, 0]
    heights = (bodies.vertices[body] @ normals[:, :, None])[:, :, 0]
    heights -= dot(normals, first)[:, None]
    row, vertex = np.nonzero((heights <= margin) & (heights >= -bodies.size[body][:, None]))
    height, body, triangle = heights[row, vertex], body[row], triangle[row]
    point = bodies.vertices[body, vertex]
    # how far inside of each edge; behind the surface beyond hollow edges as well
    offset = point[:, None] - surface.corners[triangle]
    side = (surface.inward[triangle] * offset).sum(axis=2)
    room = surface.hollow[triangle] & (height < 0.0)[:, None]
    allowed = np.where(room, BEHIND_HOLLOW, ON_RIM) * bodies.size[body][:, None]
    over = np.nonzero((side >= -allowed).all(axis=1))[0]
    # in the solid only vertices that hold the body
    normals = surface.normals[triangle[over]]
    holds = (height[over] >= 0.0) | _is_lowest(bodies, body[over], vertex[over], normals)
    over = over[holds]
    # for each vertex the highest triangle first
    key = body * bodies.vertices.shape[1] + vertex
    over = over[np.lexsort((-height[over], key[over]))]
    starts = run_starts(key[over])
    run = run_rows(starts, len(over))
    best = over[starts][run]
    # others only where they make a hollow with it: each is in front of the other
    other, first = triangle[over], triangle[best]
    n, m = surface.normals[other], surface.normals[first]
    across = surface.corners[other].mean(axis=1) - surface.corners[first].mean(axis=1)
    hollow = np.minimum(dot(m, across), -dot(n, across)) > -ON_RIM * bodies.size[body[over]]
    keep = (over == best) | (hollow & (dot(n, m) < 1.0 - SAME))
    rank = np.arange(len(over)) - starts[run]
    over, rank = over[keep], rank[keep]
    normal, gap = surface.normals[triangle[over]], height[over]
    feature = OF_FIRST * KIND + rank * NUMBER + vertex[over]
    place = point[over] - (0.5 * gap)[:, None] * normal
    return Contacts(body[over], place, normal, gap, feature), triangle[over]


def _is_lowest(bodies: Bodies, body: IntArray, vertex: IntArray, normal: FloatArray) -> BoolArray:
    """Whether no edge of bodies (k,) that leaves their vertices (k,) goes down along normals."""
    packed = bodies.packed
    local = bodies.turned_back(body, normal)
    rise = (packed.sides[body, : packed.sizes[2]] @ local[:, :, None])[:, :, 0]
    rise /= packed.edge_lengths[body]
    start, end = packed.edges[body, :, 0], packed.edges[body, :, 1]
    leaving = (start == vertex[:, None]).astype(np.float64) - (end == vertex[:, None])
    lowest: BoolArray = (rise * leaving).min(axis=1) >= -DOWNHILL
    return lowest


def _under_faces(
    surface: MeshSurface, bodies: Bodies, body: IntArray, triangle: IntArray, margin: float
) -> Contacts:
    """Vertices of the mesh inside of bodies or near their faces."""
    body, vertex = each_once(body, surface.triangles[triangle], surface.vertex_sharp)
    place = surface.vertices[vertex]
    packed = bodies.packed
    above = bodies.above(body, place)
    inside = np.nonzero(above.max(axis=1) <= margin)[0]
    if not len(inside):
        return Contacts.none()
    body, vertex, place, above = body[inside], vertex[inside], place[inside], above[inside]
    # of the faces with normals that the vertex allows, the nearest
    normals = -packed.normals[body] @ bodies.rotation[body].swapaxes(1, 2)
    rows, starts = surface.on_ring(vertex)
    of = run_rows(starts, len(rows))
    steps = (normals[of] @ surface.ring[rows][:, :, None])[:, :, 0]
    allowed = np.maximum.reduceat(steps, starts, axis=0) <= UPHILL
    allowed &= (normals @ surface.vertex_out[vertex][:, :, None])[:, :, 0] > 0.0
    gaps = np.where(allowed, above, -np.inf)
    face = gaps.argmax(axis=1)
    one = np.arange(len(vertex))
    gap, normal = gaps[one, face], normals[one, face]
    keep = gap >= -bodies.depth[body]
    reach = np.where(keep, gap, 0.0)[:, None] * normal
    # its foot is on the face and not beside it
    keep &= bodies.above(body, place + reach).max(axis=1) <= ON_RIM * bodies.size[body]
    point = place + 0.5 * reach
    feature = OF_SECOND * KIND + vertex % KIND
    return Contacts(body, point, normal, gap, feature).taken(keep)


def _edges(
    surface: MeshSurface, bodies: Bodies, body: IntArray, triangle: IntArray, margin: float
) -> Contacts:
    """Sharp edges of the mesh that cross edges of bodies."""
    body, edge = each_once(body, surface.edge_of[triangle], surface.sharp)
    packed = bodies.packed
    # only those that no face of the body has in front of it
    ends = surface.vertices[surface.ends[edge]] - bodies.shift[body][:, None]
    above = ends @ bodies.rotation[body] @ packed.normals[body].swapaxes(1, 2)
    above = above.min(axis=1) - packed.offsets[body]
    near = np.nonzero(above.max(axis=1) <= margin)[0]
    if not len(near):
        return Contacts.none()
    body, edge = body[near], edge[near]
    row, number, sign = _crossing(surface, bodies, body, edge)
    body, edge, e = body[row], edge[row], surface.edge_along[edge[row]]
    g = (bodies.rotation[body] @ packed.sides[body, number][:, :, None])[:, :, 0]
    normal = cross(e, g)
    scale = np.sqrt(dot(normal, normal))
    usable = scale > PARALLEL * packed.edge_lengths[body, number]
    normal *= (sign / np.where(usable, scale, 1.0))[:, None]
    p = surface.vertices[surface.ends[edge, 0]]
    q = bodies.vertices[body, packed.edges[body, number, 0]]
    s, t = line_parameters(e, g, q - p)
    gap = dot(normal, q - p)
    middle = 0.5 * surface.edge_lengths[edge]
    keep = usable & (abs(s - middle) <= middle) & (abs(t - 0.5) <= 0.5)
    keep &= (gap <= margin) & (gap >= -bodies.depth[body])
    foot = p + s[:, None] * e
    point = foot + (0.5 * gap)[:, None] * normal
    feature = EDGES * KIND + (edge * NUMBER + number) % KIND
    return Contacts(body, point, normal, gap, feature).taken(keep)


def _crossing(
    surface: MeshSurface, bodies: Bodies, body: IntArray, edge: IntArray
) -> tuple[IntArray, IntArray, FloatArray]:
    """Which edges g of bodies (k,) may touch the edges e of the mesh (k,).

    With N ~ +- e x g out of the mesh, no step N . m into its triangles goes up, and no step into
    the faces of the body goes down: e . left >= 0 >= e . right for the normals of its faces, with
    the same sign.

    Returns:
        Rows of `body` and `edge` (r,), edges of the bodies (r,), and the signs (r,).
    """
    packed = bodies.packed
    count, sides = packed.sizes[2], packed.sides[body]
    e = bodies.turned_back(body, surface.edge_along[edge])
    steps = sides[:, :count] @ (bodies.rotation[body].swapaxes(1, 2) @ surface.tests[edge])
    faces = (sides[:, count:] @ e[:, :, None])[:, :, 0]
    sign = np.sign(steps[:, :, 2])
    uphill = (steps[:, :, :2] * sign[:, :, None]).max(axis=2)
    downhill = np.maximum(-sign * faces[:, :count], sign * faces[:, count:])
    allowed = (uphill <= UPHILL * packed.edge_lengths[body]) & (downhill <= UPHILL)
    row, number = np.nonzero(allowed & (sign != 0.0))
    return row, number, sign[row, number]
