"""What changed on the parts of a robot, a line for each."""

from __future__ import annotations

from ....core.urdf.document import (
    Box,
    Capsule,
    Collision,
    Cylinder,
    Geometry,
    Material,
    Mesh,
    Visual,
)
from ..parts import PartTag
from .changes import told_numbers, told_origin

Shape = Visual | Collision | None


def told_part(tag: PartTag) -> str:
    """A part as a user knows it."""
    if tag.role == "skin":
        return "the skin"
    if tag.role in ("visual", "collision"):
        return f"{tag.role} {tag.index + 1} of link '{tag.link}'"
    return f"{tag.role} of link '{tag.link}'"


def told_geometry(old: Shape, new: Shape) -> str:
    """What a part shows, before and now."""
    both = [_geometry(shape.geometry) if shape is not None else "none" for shape in (old, new)]
    return f"other faces in {both[1]}" if both[0] == both[1] else f"{both[0]} -> {both[1]}"


def told_place(old: Shape, new: Shape) -> str:
    """Where a part is in its link, before and now, and how large where only that changed."""
    if old is not None and new is not None and old.origin == new.origin:
        same = getattr(old.geometry, "scale", None) == getattr(new.geometry, "scale", None)
        return "with its link" if same else told_geometry(old, new)
    both = [told_origin(shape.origin) if shape is not None else "none" for shape in (old, new)]
    return f"{both[0]} -> {both[1]}"


def told_material(old: Shape, new: Shape) -> str:
    """What colour the description gives a part, before and now."""
    both = [_material(getattr(shape, "material", None)) for shape in (old, new)]
    return f"{both[0]} -> {both[1]}"


def _geometry(geometry: Geometry) -> str:
    if isinstance(geometry, Mesh):
        scale = "" if geometry.scale == (1.0, 1.0, 1.0) else f" x {told_numbers(geometry.scale)}"
        return f"'{geometry.filename}'{scale}"
    if isinstance(geometry, Box):
        return f"box {told_numbers(geometry.size)}"
    if isinstance(geometry, Cylinder | Capsule):
        kind = type(geometry).__name__.lower()
        return f"{kind} {told_numbers((geometry.radius, geometry.length))}"
    return f"sphere {told_numbers((geometry.radius,))}"


def _material(material: Material | None) -> str:
    if material is None:
        return "none"
    look = [] if material.rgba is None else [told_numbers(material.rgba)]
    look += [] if material.texture_filename is None else [f"texture '{material.texture_filename}'"]
    return " ".join([f"'{material.name}'", *look])
