"""Pairs of shapes as features: a point above a plane, or two points apart.

    point and plane    phi = n . (p - o) - offset
    two points         phi = |p - o| - offset

A face is a plane with extents, which count where the gap closes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...arrays import FloatArray
from ...errors import ArgumentError
from ..constraints import Port
from .contact import OTHER_SCHEME, Contact
from .shapes import Box, Plane, Point, Shape, Sphere, Wall


@dataclass(frozen=True, eq=False)
class Feature:
    """One gap between a point of port a and a plane or a point of port b.

    Attributes:
        name: of its own.
        contact: that it belongs to.
        normal: (3,), in port b; None for two points.
        offset: m.
        extents: ((direction (3,) in port b, half length), …) of a face.
        behind: m, how thick the solid behind the plane is.
        outward: directions (3,) in port b of a corner or an end: it is met from there only.
    """

    name: str
    contact: Contact
    a: Port
    b: Port
    normal: FloatArray | None
    offset: float
    extents: tuple[tuple[FloatArray, float], ...] = ()
    behind: float = np.inf
    outward: tuple[FloatArray, ...] = ()


def features_of(own: Contact) -> list[Feature]:
    """The features of a contact.

    Raises:
        ArgumentError: for shapes that cannot be put together.
    """
    a, b = own.a, own.b
    for shape in (a, b):
        if not isinstance(shape, Point | Sphere | Box | Plane):
            raise ArgumentError(
                f"{own.label}: {type(shape).__name__}: exact impacts take points, spheres, boxes, "
                f"planes and walls; other shapes are for {OTHER_SCHEME}"
            )
    if isinstance(a, Plane) or (isinstance(a, Box) and isinstance(b, Point | Sphere)):
        a, b = b, a
    if isinstance(a, Point | Sphere) and isinstance(b, Point | Sphere):
        return [_apart(own, "", a.port, b.port, _radius(a) + _radius(b))]
    if isinstance(a, Point | Sphere) and isinstance(b, Plane):
        return _on_plane(own, "", a.port, _radius(a), b)
    if isinstance(a, Point | Sphere) and isinstance(b, Box):
        return _on_box(own, a.port, _radius(a), b)
    if isinstance(a, Box) and isinstance(b, Plane):
        corners = [
            f for name, port in _corners(a) for f in _on_plane(own, f" {name}", port, 0.0, b)
        ]
        return corners + [f for name, port in _tips(b) for f in _faces(own, f" {name}", port, 0, a)]
    if isinstance(a, Box) and isinstance(b, Box):
        if a.is_flat != b.is_flat:
            raise _refused(own, "boxes that are both flat or both solid")
        ahead = [f for name, port in _corners(a) for f in _faces(own, f" a {name}", port, 0.0, b)]
        back = [f for name, port in _corners(b) for f in _faces(own, f" b {name}", port, 0.0, a)]
        return ahead + back
    raise _refused(own, "a point, sphere or box against another, a plane or a wall")


def _on_plane(own: Contact, name: str, port: Port, radius: float, b: Plane) -> list[Feature]:
    if not isinstance(b, Wall):
        return [Feature(f"{own.name}{name}", own, port, b.port, b.up, radius)]
    extents: tuple[tuple[FloatArray, float], ...] = ()
    out = []
    if b.length is not None:
        along = np.asarray(b.along, dtype=np.float64)
        extents = ((along, 0.5 * b.length),)
        if radius > 0.0:
            ways = (-along, along)
            out = [
                replace(_apart(own, f"{name} {end}", port, tip, radius), outward=(way,))
                for (end, tip), way in zip(_tips(b), ways, strict=True)
            ]
    for side, normal in (("", b.up), (" back", -b.up))[: 2 if b.double_sided else 1]:
        out.append(
            Feature(f"{own.name}{name}{side}", own, port, b.port, normal, radius, extents, radius)
        )
    return out


def _on_box(own: Contact, port: Port, radius: float, b: Box) -> list[Feature]:
    """A point or a circle against the faces of a box, a circle against its corners too."""
    if radius == 0.0:
        return _faces(own, "", port, 0.0, b)
    if not b.is_flat:
        raise _refused(own, "spheres against planes, walls, spheres and flat boxes")
    corners = []
    for (name, tip), corner in zip(_corners(b), b.corners(), strict=True):
        ways = (np.sign(corner[0]) * np.eye(3)[0], np.sign(corner[1]) * np.eye(3)[1])
        corners.append(replace(_apart(own, f" {name}", port, tip, radius), outward=ways))
    return [*_faces(own, "", port, radius, b), *corners]


def _faces(own: Contact, name: str, port: Port, radius: float, b: Box) -> list[Feature]:
    """A point, or a circle about it, against the faces of a box."""
    out, sizes = [], b.sizes
    for axis, half in enumerate(sizes):
        others = [k for k in range(len(sizes)) if k != axis]
        extents = tuple((np.eye(3)[k], float(sizes[k])) for k in others)
        for sign, mark in ((1.0, "+"), (-1.0, "-")):
            normal = sign * np.eye(3)[axis]
            face = _moved(b.port, normal * half)
            title = f"{own.name}{name} {mark}{'xyz'[axis]}"
            thick = 2.0 * float(half) + radius
            out.append(Feature(title, own, port, face, normal, radius, extents, thick))
    return out


def _apart(own: Contact, name: str, a: Port, b: Port, offset: float) -> Feature:
    if not offset > 0.0:
        raise _refused(own, "at least one shape with a size: two points never meet")
    return Feature(f"{own.name}{name}", own, a, b, None, offset)


def _corners(box: Box) -> list[tuple[str, Port]]:
    ports = [_moved(box.port, corner) for corner in box.corners()]
    return [(f"corner {index}", port) for index, port in enumerate(ports)]


def _tips(plane: Plane) -> list[tuple[str, Port]]:
    """The ends of a wall that has some."""
    if not isinstance(plane, Wall) or plane.length is None:
        return []
    half = 0.5 * plane.length * np.asarray(plane.along, dtype=np.float64)
    return [("start", _moved(plane.port, -half)), ("end", _moved(plane.port, half))]


def _moved(port: Port, shift: FloatArray) -> Port:
    pose = port.link_from_port.copy()
    pose[:3, 3] += pose[:3, :3] @ shift
    return Port(port.link, pose)


def _radius(shape: Shape) -> float:
    return float(shape.radius) if isinstance(shape, Sphere) else 0.0


def _refused(own: Contact, wanted: str) -> ArgumentError:
    kinds = f"{type(own.a).__name__} and {type(own.b).__name__}"
    return ArgumentError(f"{own.label}: wanted {wanted}; got {kinds}")
