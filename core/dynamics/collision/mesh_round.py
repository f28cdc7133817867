"""Where balls and capsules touch a mesh of triangles.

A ball touches where its centre c is nearest to the surface: at the foot p of c on a triangle, on an
edge or at a vertex, with

    N = (c - p) / |c - p|,   gap = |c - p| - r

where N . m <= 0 for all steps m along the surface; reversed where c is behind the surface, up to a
part of r, and then only at the nearest point of all. A capsule touches like balls at its ends, and
along its axis where an edge that bends outward crosses it and at vertices. Of an end that is behind
a triangle which the axis goes through from the middle on, that triangle is the way out, however
thin the solid is and however deep the end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray
from .contacts import KIND, Contacts
from .edge_pairs import line_parameters
from .groups import run_rows, run_starts
from .mesh_surface import MeshSurface, each_once
from .separation import PARALLEL, cross, dot

SINK = 0.5  # of the radius: a centre that is farther behind the surface does not feel it
UPHILL = 1e-9  # of a distance: rounding
TINY = float(np.finfo(np.float64).tiny)
POINTS = 4  # for each body, of the least gaps
END = 1e-9  # of the axis: what is nearer to its ends belongs to them
# features: the two ends of the axis for their first points, then what of the surface it is
ENDS = 2
PLACE = KIND // 4
TRIANGLE, EDGE, VERTEX, AXIS_EDGE, AXIS_VERTEX, ALL = (PLACE * kind for kind in range(6))


class _Feet(NamedTuple):
    """Points of the surface that are nearest to the axes.

    Attributes:
        owner: (k,), 2 i for the start and the inside of axis i, 2 i + 1 for its end.
        foot: (k, 3), m.
        height: (k,), m, from there to the axis, negative behind the surface.
        normal: (k, 3), unit vectors out of the solid.
        feature: (k,), number of the triangle, edge or vertex.
    """

    owner: IntArray
    foot: FloatArray
    height: FloatArray
    normal: FloatArray
    feature: IntArray


def mesh_round_contacts(
    surface: MeshSurface,
    body: IntArray,
    triangle: IntArray,
    starts: FloatArray,
    ends: FloatArray,
    radii: FloatArray,
    margin: float,
) -> Contacts:
    """Points of p balls and capsules on the triangles near them.

    Args:
        surface: of the mesh.
        body, triangle: (k,), what is near what.
        starts, ends: (p, 3), m, of the axes.
        radii: (p,), m.
        margin: m, the largest gap.
    """
    if not len(body):
        return Contacts.none()
    axis = ends - starts
    long = dot(axis, axis) > 0.0
    # the balls at the ends: point 2 i is the start of body i, and 2 i + 1 its end
    also = long[body]
    owner = np.concatenate((2 * body, 2 * body[also] + 1))
    points = np.stack((starts, ends), axis=1).reshape(-1, 3)
    near = np.concatenate((triangle, triangle[also]))
    middles = np.repeat(starts + 0.5 * axis, 2, axis=0)
    feet = [_end_feet(surface, points, middles, owner, near, SINK * np.repeat(radii, 2))]
    if also.any():
        feet += _axis_feet(surface, body[also], triangle[also], starts, axis, SINK * radii)
    return _contacts(feet, radii, margin)


def _contacts(feet: list[_Feet], radii: FloatArray, margin: float) -> Contacts:
    """The points of the least gaps of each body, each once."""
    every = _Feet._make(np.concatenate(own) for own in zip(*feet, strict=True))
    of = every.owner >> 1
    gap = every.height - radii[of]
    chosen = np.nonzero(gap <= margin)[0]
    # the same place once, the least gap of each end first
    order = chosen[np.lexsort((every.feature[chosen], gap[chosen], every.owner[chosen]))]
    key = every.owner[order] * ALL + every.feature[order]
    order = order[np.sort(np.unique(key, return_index=True)[1])]
    ends = every.feature[order] < AXIS_EDGE
    is_first = np.zeros(len(order), dtype=np.bool_)
    is_first[run_starts(every.owner[order])] = True
    feature = np.where(is_first & ends, every.owner[order] & 1, ENDS + every.feature[order])
    # the lowest few of each body
    lowest = np.lexsort((gap[order], of[order]))
    starts = run_starts(of[order][lowest])
    rank = np.arange(len(lowest)) - starts[run_rows(starts, len(lowest))]
    lowest = lowest[rank < POINTS]
    order, feature = order[lowest], feature[lowest]
    normal, own = every.normal[order], gap[order]
    point = every.foot[order] + (0.5 * own)[:, None] * normal
    return Contacts(of[order], point, normal, own, feature)


def _end_feet(
    surface: MeshSurface,
    points: FloatArray,
    middles: FloatArray,
    owner: IntArray,
    near: IntArray,
    depth: FloatArray,
) -> _Feet:
    """Where ends of axes with these middles are nearest to the surface.

    `owner`, `near` (k,) are ends and triangles, depth (n,), m, how far ends may be behind it.
    """
    c = points[owner]
    corners, along = surface.corners[near], surface.along[near]
    to_point = c[:, None] - corners
    height = dot(surface.normals[near], to_point[:, 0])
    side = (surface.inward[near] * to_point).sum(axis=2)
    little = END * surface.lengths[near]
    over = (side >= -little).all(axis=1)
    length = surface.lengths[near]
    part = np.clip((along * to_point).sum(axis=2), 0.0, length)
    offset = to_point - part[:, :, None] * along
    square = np.where(over[:, None], np.inf, (offset * offset).sum(axis=2))
    # the nearest edge of the triangle, where the point is not over it
    rows = np.arange(len(near))
    edge = square.argmin(axis=1)
    offset, part, length = offset[rows, edge], part[rows, edge], length[rows, edge]
    close = side <= little
    little = little[rows, edge]
    offset[over] = height[over, None] * surface.normals[near[over]]
    distance = np.where(over, np.abs(height), np.sqrt(dot(offset, offset)))
    at_start, at_end = ~over & (part <= little), ~over & (part >= length - little)
    number = surface.edge_of[near, edge]
    vertex = surface.triangles[near, (edge + at_end) % 3]
    at_vertex = at_start | at_end
    normal, behind, fits = surface.normals[near].copy(), height < 0.0, np.ones(len(near), bool)
    on_edge = np.nonzero(~over & ~at_vertex)[0]
    on_vertex = np.nonzero(at_vertex)[0]
    if len(on_edge):
        out = offset[on_edge] / distance[on_edge, None]
        normal[on_edge], behind[on_edge], fits[on_edge] = surface.at_edges(number[on_edge], out)
    if len(on_vertex):
        out = offset[on_vertex] / np.maximum(distance[on_vertex], TINY)[:, None]
        normal[on_vertex], behind[on_vertex], fits[on_vertex] = surface.at_vertices(
            vertex[on_vertex], out
        )
    # behind the surface only the nearest point of all counts, and nothing that bends outward
    least = np.full(len(points), np.inf)
    np.minimum.at(least, owner, distance)
    closest = (distance <= least[owner] * (1.0 + UPHILL)) & (distance <= depth[owner])
    bends = np.where(at_vertex, surface.vertex_sharp[vertex], surface.sharp[number])
    closest &= over | ~bends
    fits = np.where(behind, closest, fits)
    feature = np.where(over, TRIANGLE + near, np.where(at_vertex, VERTEX + vertex, EDGE + number))
    # right over an edge or a vertex all triangles around it are below the point
    order = side.argsort(axis=1)
    rim, tip = over & close.any(axis=1), over & (close.sum(axis=1) > 1)
    feature[rim] = EDGE + surface.edge_of[near[rim], order[rim, 0]]
    feature[tip] = VERTEX + surface.triangles[near[tip], (order[tip, 2] + 2) % 3]
    height = np.where(behind, -distance, distance)
    feet = _Feet._make(own[fits] for own in (owner, c - offset, height, normal, feature))
    return _led_through(surface, points, middles, owner, near, feet, fits)


def _led_through(
    surface: MeshSurface,
    points: FloatArray,
    middles: FloatArray,
    owner: IntArray,
    near: IntArray,
    feet: _Feet,
    fits: BoolArray,
) -> _Feet:
    """The feet of ends, with those of ends that are beyond triangles put right.

    `fits` (k,) are the entries of `owner` and `near` that `feet` belong to.
    """
    normal, corners = surface.normals[near], surface.corners[near]
    below = dot(normal, points[owner] - corners[:, 0])
    front = dot(normal, middles[owner] - corners[:, 0])
    rows = np.flatnonzero((below < 0.0) & (front > 0.0))
    if not len(rows):
        return feet
    part = front[rows] / (front[rows] - below[rows])
    start = middles[owner[rows]]
    crossing = start + part[:, None] * (points[owner[rows]] - start)
    side = (surface.inward[near[rows]] * (crossing[:, None] - corners[rows])).sum(axis=2)
    inside = side.min(axis=1) >= -END
    # of each end the triangle that the axis goes through first
    rows, part = rows[inside], part[inside]
    order = rows[np.lexsort((part, owner[rows]))]
    first = order[run_starts(owner[order])]
    through = np.zeros(len(points), dtype=np.bool_)
    through[owner[first]] = True
    # its feet on triangles that the middle is behind are those of the far side
    kept = ~through[feet.owner] | (front[fits] > 0.0)
    feet = _Feet._make(own[kept] for own in feet)
    held = np.zeros(len(points), dtype=np.bool_)
    held[feet.owner[feet.height < 0.0]] = True
    first = first[~held[owner[first]]]
    own, height = points[owner[first]], below[first]
    foot = own - height[:, None] * normal[first]
    added = _Feet(owner[first], foot, height, normal[first], TRIANGLE + near[first])
    return _Feet._make(np.concatenate(pair) for pair in zip(feet, added, strict=True))


def _axis_feet(
    surface: MeshSurface,
    body: IntArray,
    triangle: IntArray,
    starts: FloatArray,
    axis: FloatArray,
    depth: FloatArray,
) -> list[_Feet]:
    """Where axes of capsules are nearest to sharp edges and vertices, between their ends."""
    # edges that cross the axis
    owner, edge = each_once(body, surface.edge_of[triangle], surface.sharp)
    p, start, g = surface.vertices[surface.ends[edge, 0]], starts[owner], axis[owner]
    e = surface.vertices[surface.ends[edge, 1]] - p
    s, t = line_parameters(e, g, start - p)
    across = cross(e, g)
    scale = np.sqrt(dot(across, across))
    found = (abs(s - 0.5) < 0.5) & (abs(t - 0.5) < 0.5 - END)
    found &= scale > PARALLEL * np.sqrt(dot(e, e) * dot(g, g))
    foot = p + s[:, None] * e
    height = dot(start + t[:, None] * g - foot, across) / np.where(found, scale, 1.0)
    out = across / np.where(found, np.copysign(scale, height), 1.0)[:, None]
    normal, behind, fits = surface.at_edges(edge, out)
    height = np.where(behind, -abs(height), abs(height))
    found &= fits & (height >= -depth[owner])
    edges = (2 * owner, foot, height, normal, AXIS_EDGE + edge)
    # vertices beside it
    owner, vertex = each_once(body, surface.triangles[triangle], surface.vertex_sharp)
    foot, start, g = surface.vertices[vertex], starts[owner], axis[owner]
    t = dot(foot - start, g) / dot(g, g)
    out = start + t[:, None] * g - foot
    height = np.sqrt(dot(out, out))
    normal, behind, fits = surface.at_vertices(vertex, out / np.maximum(height, TINY)[:, None])
    height = np.where(behind, -height, height)
    fits &= (abs(t - 0.5) < 0.5 - END) & (height >= -depth[owner])
    vertices = (2 * owner, foot, height, normal, AXIS_VERTEX + vertex)
    return [
        _Feet._make(own[found] for own in edges),
        _Feet._make(own[fits] for own in vertices),
    ]
