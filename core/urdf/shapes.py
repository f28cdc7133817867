"""<visual> and <collision>: an origin, a geometry, and for visuals a material."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .attributes import lengths, numbers, one_child, required_length, vector
from .document import (
    Box,
    Capsule,
    Collision,
    Cylinder,
    Geometry,
    Mesh,
    Origin,
    Sphere,
    Vector3,
    Visual,
)
from .materials import MaterialTable, read_visual_material
from .report import Report
from .xml_element import Element, shortened

SHOWN_TAGS = 5  # of those that are no shape, in a message


def read_origin(owner: Element, report: Report) -> Origin:
    """The <origin> of an element; what is missing is zero."""
    element = one_child(owner, "origin", report)
    if element is None:
        return Origin()
    return Origin(
        xyz=lengths(element, "xyz", report) or (0.0, 0.0, 0.0),
        rpy=vector(element, "rpy", report) or (0.0, 0.0, 0.0),
    )


def read_visual(element: Element, materials: MaterialTable, report: Report) -> Visual | None:
    """One <visual>; None, with a warning, when it has no shape that URDF knows, or a fault."""
    return report.unless_faulty(
        lambda: _read_visual(element, materials, report), "the visual was left out"
    )


def _read_visual(element: Element, materials: MaterialTable, report: Report) -> Visual | None:
    geometry = read_geometry(element, report)
    if geometry is None:
        return None
    return Visual(
        geometry=geometry,
        origin=read_origin(element, report),
        name=element.get("name") or None,
        material=read_visual_material(element, materials, report),
    )


def read_collision(element: Element, report: Report) -> Collision | None:
    """One <collision>; None, with a warning, when it has no shape that URDF knows, or a fault."""
    return report.unless_faulty(
        lambda: _read_collision(element, report), "the collision shape was left out"
    )


def _read_collision(element: Element, report: Report) -> Collision | None:
    geometry = read_geometry(element, report)
    if geometry is None:
        return None
    return Collision(
        geometry=geometry,
        origin=read_origin(element, report),
        name=element.get("name") or None,
    )


def read_geometry(owner: Element, report: Report) -> Geometry | None:
    """The shape of a visual or collision; None, with a warning, when there is none."""
    geometry = one_child(owner, "geometry", report)
    if geometry is None:
        report.leave_out(owner, "without <geometry> was left out")
        return None
    shapes = [child for child in geometry.children if child.tag in SHAPES]
    for extra in shapes[1:]:
        report.leave_out(extra, "a second shape in one <geometry> was left out")
    if not shapes:
        others = geometry.children[:SHOWN_TAGS]
        found = ", ".join(f"<{shortened(child.tag)}>" for child in others) or "nothing"
        known = ", ".join(f"<{tag}>" for tag in SHAPES)
        report.leave_out(geometry, f"holds {found} and was left out; known are {known}")
        return None
    return SHAPES[shapes[0].tag](shapes[0], report)


def _read_box(element: Element, report: Report) -> Box | None:
    size = lengths(element, "size", report)
    if size is None:
        raise report.error(element, "needs the attribute size, three lengths above 0, in m")
    return Box(size) if _has_volume(size, element, report) else None


def _read_cylinder(element: Element, report: Report) -> Cylinder | None:
    radius = required_length(element, "radius", report)
    length = required_length(element, "length", report)
    return Cylinder(radius, length) if _has_volume((radius, length), element, report) else None


def _read_capsule(element: Element, report: Report) -> Capsule | Sphere | None:
    radius = required_length(element, "radius", report)
    length = required_length(element, "length", report)
    if length == 0.0 and radius > 0.0:
        report.warn(element, "length is 0; it was read as a sphere")
        return Sphere(radius)
    return Capsule(radius, length) if _has_volume((radius, length), element, report) else None


def _read_sphere(element: Element, report: Report) -> Sphere | None:
    radius = required_length(element, "radius", report)
    return Sphere(radius) if _has_volume((radius,), element, report) else None


def _has_volume(sizes: Sequence[float], element: Element, report: Report) -> bool:
    """Whether all lengths are above 0; a warning where not, as of a place holder without size."""
    if min(sizes) > 0.0:
        return True
    shown = " ".join(f"{size:g}" for size in sizes)
    report.leave_out(element, f"of size {shown} was left out; wanted lengths above 0, in m")
    return False


def _read_mesh(element: Element, report: Report) -> Mesh | None:
    filename = (element.get("filename") or "").strip()
    if not filename:
        report.leave_out(element, "without a filename was left out")
        return None
    scale = _read_scale(element, report)
    if 0.0 in scale:
        report.leave_out(element, "a scale of 0 flattens the mesh, which was left out")
        return None
    return Mesh(filename, scale=scale)


def _read_scale(element: Element, report: Report) -> Vector3:
    written = element.get("scale")
    if written is None:
        return (1.0, 1.0, 1.0)
    if len(written.split()) == 1:
        (factor,) = numbers(element, "scale", 1, report) or ()
        report.warn(element, "scale has one value, which was taken for x, y and z")
        scale = (factor, factor, factor)
    else:
        scale = vector(element, "scale", report) or (1.0, 1.0, 1.0)
    return scale


SHAPES: dict[str, Callable[[Element, Report], Geometry | None]] = {
    "box": _read_box,
    "cylinder": _read_cylinder,
    "capsule": _read_capsule,
    "sphere": _read_sphere,
    "mesh": _read_mesh,
}
