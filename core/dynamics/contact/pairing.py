"""Pairs of shapes as features."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...arrays import FloatArray
from ...errors import ArgumentError
from ..constraints import Port
from .box_parts import Corner, Edge, corners, edges, shifted
from .contact import OTHER_SCHEME, Contact
from .features import Apart, Crossing, Extent, Feature, OffLine, OnPlane
from .shapes import Box, Plane, Point, Shape, Sphere, Wall


@dataclass(frozen=True, eq=False)
class Tip:
    """An end of a wall, at a port, with the direction (3,) that leads out of the wall there."""

    name: str
    port: Port
    way: FloatArray


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
        return _on_plane(own, a, b)
    if isinstance(a, Point | Sphere) and isinstance(b, Box):
        return _on_box(own, a, b)
    if isinstance(a, Box) and isinstance(b, Plane):
        return _box_on_plane(own, a, b)
    if isinstance(a, Box) and isinstance(b, Box):
        if a.is_flat != b.is_flat:
            raise _refused(own, "boxes that are both flat or both solid")
        return [
            *(f for part in corners(a) for f in _faces(own, f" a {part.name}", part, b)),
            *(f for part in corners(b) for f in _faces(own, f" b {part.name}", part, a)),
            *(_crossing(own, one, two) for one in edges(a) for two in edges(b)),
        ]
    raise _refused(own, "a point, sphere or box against another, a plane or a wall")


def _on_plane(own: Contact, a: Point | Sphere, b: Plane) -> list[Feature]:
    """A point or a ball above a plane, above the sides of a wall and off its ends."""
    radius = _radius(a)
    out: list[Feature] = list(_sides(own, "", a.port, radius, b))
    if radius > 0.0 and isinstance(b, Wall):
        out += [
            OffLine(
                name=f"{own.name} {tip.name}",
                contact=own,
                a=a.port,
                b=tip.port,
                offset=radius,
                outward=(tip.way,),
                axis=np.cross(b.up, tip.way),
            )
            for tip in _tips(b)
        ]
    return out


def _box_on_plane(own: Contact, a: Box, b: Plane) -> list[Feature]:
    """The corners of a box above a plane; the ends of a wall against its faces or its edges."""
    out: list[Feature] = []
    for part in corners(a):
        sides = _sides(own, f" {part.name}", part.port, 0.0, b)
        # only a plane with an end has another side at which a corner could catch
        ends = isinstance(b, Wall) and b.length is not None
        out += [replace(one, normals_a=part.normals if ends else ()) for one in sides]
    for tip in _tips(b):
        if a.is_flat:
            way = 2.0 * float(a.sizes.max()) * tip.way
            out += _faces(own, f" {tip.name}", Corner(tip.name, tip.port, (way,)), a)
            continue
        across = np.cross(b.up, tip.way)
        for side, up in (("", b.up), (" below", -b.up)):
            line = Edge(f"{tip.name}{side}", tip.port, across, np.inf, (tip.way, up))
            out += [_crossing(own, edge, line, near="", far="") for edge in edges(a)]
    return out


def _sides(own: Contact, name: str, port: Port, radius: float, b: Plane) -> list[OnPlane]:
    """A point, or a ball about it, above a plane or the sides of a wall."""
    extents: tuple[Extent, ...] = ()
    behind = np.inf
    if isinstance(b, Wall):
        behind = radius
        if b.length is not None:
            extents = ((np.asarray(b.along, dtype=np.float64), 0.5 * b.length),)
    double = isinstance(b, Wall) and b.double_sided
    return [
        OnPlane(
            name=f"{own.name}{name}{side}",
            contact=own,
            a=port,
            b=b.port,
            offset=radius,
            extents=extents,
            normal=normal,
            behind=behind,
        )
        for side, normal in (("", b.up), (" back", -b.up))[: 2 if double else 1]
    ]


def _on_box(own: Contact, a: Point | Sphere, b: Box) -> list[Feature]:
    """A point or a ball against the faces of a box, a ball against edges and corners too."""
    radius = _radius(a)
    out: list[Feature] = list(_faces(own, "", Corner("", a.port), b, radius))
    if radius == 0.0:
        return out
    out += [
        OffLine(
            name=f"{own.name} {edge.name}",
            contact=own,
            a=a.port,
            b=edge.port,
            offset=radius,
            extents=((edge.axis, edge.half),),
            outward=edge.normals,
            axis=edge.axis,
        )
        for edge in edges(b)
    ]
    for part in corners(b):
        ways = tuple(normal / np.linalg.norm(normal) for normal in part.normals)
        apart = _apart(own, f" {part.name}", a.port, part.port, radius)
        out.append(replace(apart, outward=ways))
    return out


def _faces(own: Contact, name: str, part: Corner, b: Box, radius: float = 0.0) -> list[Feature]:
    """A corner, or a ball about a point, against the faces of a box."""
    out: list[Feature] = []
    for axis, half in enumerate(b.sizes):
        others = [k for k in range(len(b.sizes)) if k != axis]
        for sign, mark in ((1.0, "+"), (-1.0, "-")):
            normal = sign * np.eye(3)[axis]
            out.append(
                OnPlane(
                    name=f"{own.name}{name} {mark}{'xyz'[axis]}",
                    contact=own,
                    a=part.port,
                    b=shifted(b.port, normal * half),
                    offset=radius,
                    extents=tuple((np.eye(3)[k], float(b.sizes[k])) for k in others),
                    normals_a=part.normals,
                    normal=normal,
                    behind=2.0 * float(half) + radius,
                )
            )
    return out


def _crossing(own: Contact, a: Edge, b: Edge, near: str = "a ", far: str = "b ") -> Crossing:
    """An edge of a and an edge of b, of which one may have no end."""
    reach_a, reach_b = (x if np.isfinite(x) else y for x, y in ((a.half, b.half), (b.half, a.half)))
    return Crossing(
        name=f"{own.name} {near}{a.name} {far}{b.name}",
        contact=own,
        a=a.port,
        b=b.port,
        extents=((b.axis, b.half),) if np.isfinite(b.half) else (),
        normals_a=tuple(reach_b * normal for normal in a.normals),
        normals_b=tuple(reach_a * normal for normal in b.normals),
        axis_a=a.axis,
        axis_b=b.axis,
        half_a=a.half,
        half_b=b.half,
    )


def _apart(own: Contact, name: str, a: Port, b: Port, offset: float) -> Apart:
    if not offset > 0.0:
        raise _refused(own, "at least one shape with a size: two points never meet")
    return Apart(name=f"{own.name}{name}", contact=own, a=a, b=b, offset=offset)


def _tips(plane: Plane) -> list[Tip]:
    """The ends of a wall that has some."""
    if not isinstance(plane, Wall) or plane.length is None:
        return []
    along = np.asarray(plane.along, dtype=np.float64)
    half = 0.5 * plane.length
    return [
        Tip("start", shifted(plane.port, -half * along), -along),
        Tip("end", shifted(plane.port, half * along), along),
    ]


def _radius(shape: Shape) -> float:
    return float(shape.radius) if isinstance(shape, Sphere) else 0.0


def _refused(own: Contact, wanted: str) -> ArgumentError:
    kinds = f"{type(own.a).__name__} and {type(own.b).__name__}"
    return ArgumentError(f"{own.label}: wanted {wanted}; got {kinds}")
