"""What an import brought in, counted, and the one line that says so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import bpy

from ....core.urdf.document import Mesh, Robot
from ...messages import one_line
from ..parts import tag_of
from .options import ImportOptions

REPORT_NAME = "Dynarig import report"


@dataclass(frozen=True)
class ImportResult:
    """What came in. `object` is the armature object, `collection` holds it and its parts.

    Attributes:
        bones: all bones of the armature, those of fixed links included.
        visuals, collisions: objects that show them; one skinned mesh is one visual.
        meshes: different meshes that the parts share, triangles: of these, each counted once.
        materials, textures: different ones on the parts.
        missing_meshes: mesh files named by shapes that were wanted, and not found.
        drivers: of mimic joints.
        warnings: one line each.
        remark: what else the user should know; empty as a rule.
        report: name of the text that has the warnings.
    """

    name: str
    object: bpy.types.Object
    collection: bpy.types.Collection
    links: int
    joints: int
    bones: int
    visuals: int
    collisions: int
    meshes: int
    triangles: int
    materials: int
    textures: int
    missing_meshes: int
    drivers: int
    warnings: tuple[str, ...]
    remark: str = ""
    report: str = REPORT_NAME

    def summary(self) -> str:
        """One line for the user."""
        counts = [count(self.links, "link"), count(self.joints, "joint")]
        counts += [count(self.bones, "bone")]
        if self.visuals or not self.collisions:
            counts += [count(self.visuals, "visual")]
        if self.collisions:
            counts += [count(self.collisions, "collision shape")]
        text = f"{self.name}: {', '.join(counts)} from {count(self.meshes, 'mesh', 'meshes')}"
        if self.warnings:
            text += f'; {count(len(self.warnings), "warning")} in the text "{self.report}"'
        if self.remark:
            text += f"; {self.remark}"
        return one_line(text)


@dataclass(frozen=True)
class PartCounts:
    """The counts of ImportResult that the parts have."""

    visuals: int
    collisions: int
    meshes: int
    triangles: int
    materials: int
    textures: int


def count_parts(objects: Iterable[bpy.types.Object]) -> PartCounts:
    """Count the parts of a robot, and what they show."""
    roles = {"visual": 0, "collision": 0, "skin": 0}
    meshes: set[Any] = set()
    materials: set[Any] = set()
    for obj in objects:
        tag = tag_of(obj)
        if tag is None or tag.role not in roles:
            continue
        roles[tag.role] += 1
        if isinstance(obj.data, bpy.types.Mesh):
            meshes.add(obj.data)
        materials.update(slot.material for slot in obj.material_slots)
    materials.discard(None)
    return PartCounts(
        visuals=roles["visual"] + roles["skin"],
        collisions=roles["collision"],
        meshes=len(meshes),
        # a polygon of n corners is n - 2 triangles
        triangles=sum(len(mesh.loops) - 2 * len(mesh.polygons) for mesh in meshes),
        materials=len(materials),
        textures=len({image for material in materials for image in _images(material)}),
    )


def count_missing_meshes(robot: Robot, options: ImportOptions) -> int:
    """How many different mesh files of the wanted shapes were not found."""
    shapes: list[Any] = []
    for link in robot.links:
        shapes += link.visuals if options.shown != "COLLISION" else ()
        shapes += link.collisions if options.shown != "VISUAL" else ()
    geometries = [shape.geometry for shape in shapes]
    return len(
        {item.filename for item in geometries if isinstance(item, Mesh) and item.path is None}
    )


def count_drivers(obj: bpy.types.Object) -> int:
    """The drivers of an object."""
    return len(obj.animation_data.drivers) if obj.animation_data else 0


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun: "1 link", "2 links", "1,234 meshes"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _images(material: Any) -> Iterable[Any]:
    nodes = material.node_tree.nodes if material.node_tree else ()
    return (node.image for node in nodes if node.type == "TEX_IMAGE" and node.image)
