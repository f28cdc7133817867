"""What is computed with of a collider: a point, a segment or a polytope with a radius about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...arrays import FloatArray
from ...errors import ArgumentError, ModelError
from ..contact.shapes import (
    Box,
    Capsule,
    Cylinder,
    Hull,
    Plane,
    Point,
    Shape,
    Sphere,
    TriangleMesh,
    Wall,
)
from ..model import Model
from .colliders import Collider
from .hull import hull
from .polytope import FLAT_FACES, Polytope, box, prism

# vertices of a hull that meets hulls and meshes: what it takes grows with their square, and with
# 64 the parts of a robot are off by 0.4 % of their size at most
COARSE = 64
KEPT = 128  # hulls: a robot is compiled again with pairs left out, and its legs are alike


@dataclass(frozen=True, eq=False, kw_only=True)
class Solid:
    """All points within `radius` of the convex hull of `points`; or ground.

    Attributes:
        shape: what it was made of.
        frame: the model's frame that carries it.
        frame_from_port: (4, 4).
        points: (n, 3), in the port, m; none of a plane, of a mesh all vertices.
        radius: m.
        polytope: with those vertices; None of a point, a segment, a plane and a mesh.
        coarse: the same with fewer vertices, where there are many.
    """

    shape: Shape
    frame: int
    frame_from_port: FloatArray
    points: FloatArray
    radius: float = 0.0
    polytope: Polytope | None = None
    coarse: Polytope | None = None

    @property
    def is_plane(self) -> bool:
        """Whether it is the space behind a plane."""
        return isinstance(self.shape, Plane)

    @property
    def is_mesh(self) -> bool:
        """Whether it is a ground of triangles."""
        return isinstance(self.shape, TriangleMesh)

    @property
    def is_ground(self) -> bool:
        """Whether it is not convex and bounded, so that only such solids touch it."""
        return self.is_plane or self.is_mesh


def solid_of(model: Model, collider: Collider) -> Solid:
    """The solid of a collider.

    Raises:
        ModelError: for an unknown link, points without an area, a wall with an end or two sides,
            and a shape that time stepping does not know.
    """
    shape = collider.shape
    frame, frame_from_port = shape.port.place(model)
    points, radius, polytope = _core(model, collider)
    return Solid(
        shape=shape,
        frame=frame,
        frame_from_port=frame_from_port,
        points=points,
        radius=radius,
        polytope=polytope,
        coarse=polytope if polytope is None else _coarse(polytope),
    )


def _core(model: Model, collider: Collider) -> tuple[FloatArray, float, Polytope | None]:
    """Points, radius and polytope of a shape."""
    shape, label = collider.shape, f"{model.name}: {collider.label}"
    if isinstance(shape, Point):
        return np.zeros((1, 3)), 0.0, None
    if isinstance(shape, Sphere):
        return np.zeros((1, 3)), float(shape.radius), None
    if isinstance(shape, Capsule):
        half = 0.5 * shape.length
        return np.array([[0.0, 0.0, -half], [0.0, 0.0, half]]), float(shape.radius), None
    if isinstance(shape, Wall) and (shape.length is not None or shape.double_sided):
        raise ModelError(
            f"{label}: wanted a wall without end that is touched from its front, or a box; walls "
            "with a length or two sides are for exact impacts (Contact)"
        )
    if isinstance(shape, Plane):
        return np.zeros((0, 3)), 0.0, None
    if isinstance(shape, TriangleMesh):
        return np.asarray(shape.vertices, dtype=np.float64), 0.0, None
    own = _polytope(label, shape)
    return own.vertices, 0.0, own


def _coarse(polytope: Polytope) -> Polytope:
    many = len(polytope.vertices) > COARSE and len(polytope.faces) > FLAT_FACES
    return _hull(polytope.vertices.tobytes(), COARSE) if many else polytope


@lru_cache(maxsize=KEPT)
def _hull(points: bytes, most: int | None = None) -> Polytope:
    """The hull of points (n, 3), by their bytes: the legs of a robot share theirs."""
    return hull(np.frombuffer(points).reshape(-1, 3), most)


def _polytope(label: str, shape: Shape) -> Polytope:
    if isinstance(shape, Box):
        # a rectangle is thick enough for nothing to leave it across the plane it moves in
        sizes = shape.sizes
        return box(np.array([*sizes, sizes.max()]) if shape.is_flat else sizes)
    if isinstance(shape, Cylinder):
        return prism(shape.radius, shape.length)
    if isinstance(shape, Hull):
        try:
            return _hull(np.ascontiguousarray(shape.corners).tobytes())
        except ArgumentError as reason:
            raise ModelError(f"{label}: {reason}") from reason
    raise ModelError(
        f"{label}: wanted a point, sphere, box, cylinder, capsule, hull, plane, wall or triangle "
        f"mesh, got a {type(shape).__name__}"
    )
