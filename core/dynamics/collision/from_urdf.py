"""Colliders of a robot out of its description."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray, as_finite
from ...errors import ArgumentError, DynarigError
from ...frames import transform_from_xyz_rpy
from ...urdf import document
from ..constraints.port import Port
from ..contact.shapes import Box, Capsule, Cylinder, Hull, Shape, Sphere
from .colliders import Collider
from .hull import hull

# corners of a mesh's hull: of 3 parts of robots 2 have fewer, the others get too small by 0.4 % of
# their size at most, and scans of a hundred thousand points are ready in a moment
MOST = 500

PointsOf = Callable[[document.Mesh], ArrayLike | None]
Which = Literal["collision", "visual"]


def colliders_of(
    robot: document.Robot,
    points_of: PointsOf | None = None,
    *,
    friction: float = 0.5,
    restitution: float = 0.0,
    geometry: Which = "collision",
) -> tuple[tuple[Collider, ...], tuple[str, ...]]:
    """A collider for each shape of each link, meshes as their convex hulls.

    Args:
        points_of: the points (n, 3) of a mesh, scaled as it says, m; None where it cannot be read.
            Without it meshes are left out.
        friction, restitution: of all.
        geometry: what is touched of the links: their collision shapes, or what is seen.

    Returns:
        The colliders, named as their links ("leg", and of further shapes "leg collision 2"); and
        notes on what was left out.

    Raises:
        ArgumentError: for another geometry, friction or restitution than is allowed.
    """
    if geometry not in ("collision", "visual"):
        raise ArgumentError(f"geometry: wanted 'collision' or 'visual', got {geometry!r}")
    hulls: dict[tuple[object, ...], FloatArray | str] = {}
    colliders, notes = [], []
    for link in robot.links:
        elements: Sequence[document.Collision | document.Visual] = (
            link.collisions if geometry == "collision" else link.visuals
        )
        for number, element in enumerate(elements, start=1):
            name = link.name if number == 1 else f"{link.name} {geometry} {number}"
            origin = transform_from_xyz_rpy(element.origin.xyz, element.origin.rpy)
            port, own = Port(link.name, origin), element.geometry
            if isinstance(own, document.Mesh):
                key = (own.path, own.filename, own.scale)
                if key not in hulls:
                    hulls[key] = _corners(own, points_of)
                corners = hulls[key]
                if isinstance(corners, str):
                    notes.append(f"{name}: mesh '{own.filename}' is left out: {corners}")
                    continue
                shape: Shape = Hull(port, corners)
            else:
                shape = _shape(own, port)
            colliders.append(
                Collider(name=name, shape=shape, friction=friction, restitution=restitution)
            )
    return tuple(colliders), tuple(notes)


def _shape(geometry: document.Geometry, port: Port) -> Shape:
    if isinstance(geometry, document.Sphere):
        return Sphere(port, geometry.radius)
    if isinstance(geometry, document.Cylinder):
        return Cylinder(port, geometry.radius, geometry.length)
    if isinstance(geometry, document.Capsule):
        return Capsule(port, geometry.radius, geometry.length)
    assert isinstance(geometry, document.Box)
    return Box(port, 0.5 * np.array(geometry.size))


def _corners(mesh: document.Mesh, points_of: PointsOf | None) -> FloatArray | str:
    """The corners of a mesh's hull (n, 3), m; or why there are none."""
    if points_of is None:
        return "nothing reads mesh files here"
    try:
        points = points_of(mesh)
        if points is None:
            return "it cannot be read"
        rows = as_finite(points, (3,), "points").reshape(-1, 3)
        if not len(rows):
            return "it has no vertices"
        return hull(rows, MOST).vertices
    except DynarigError as reason:
        return str(reason)
