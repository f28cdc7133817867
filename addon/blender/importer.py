"""A robot file into the scene, all of it or nothing."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ...core.dynamics import compile_robot
from ...core.urdf import load_urdf
from ..messages import one_line
from .import_options import ImportOptions
from .labels import label
from .leftovers import DataSnapshot
from .parts import create_parts
from .rig import build_rig
from .workspace import temporary_scene

REPORT_NAME = "Dynarig import report"


@dataclass(frozen=True)
class ImportResult:
    """What came in. `object` is the armature object, `collection` holds it and its meshes."""

    name: str
    object: bpy.types.Object
    collection: bpy.types.Collection
    links: int
    joints: int
    bones: int
    visuals: int
    meshes: int
    warnings: tuple[str, ...]

    def summary(self) -> str:
        """One line for the user."""
        counts = [_count(self.links, "link"), _count(self.joints, "joint")]
        counts += [_count(self.bones, "bone"), _count(self.visuals, "visual")]
        text = f"{self.name}: {', '.join(counts)} from {_count(self.meshes, 'mesh', 'meshes')}"
        if self.warnings:
            text += f'; {_count(len(self.warnings), "warning")} in the text "{REPORT_NAME}"'
        return one_line(text)


def import_robot(
    context: bpy.types.Context,
    path: str | os.PathLike[str],
    options: ImportOptions | None = None,
) -> ImportResult:
    """Import a URDF file as a rig.

    The rig comes in a collection of its own, in the active one. In object mode it becomes
    active and the only selected object; nothing else in the scene changes. When anything fails
    the file is as it was before.

    Args:
        context: scene and view layer to import into.
        path: the .urdf file.
        options: ImportOptions() if none.

    Returns:
        What came in.

    Raises:
        UrdfError: for a file that is not a URDF of one tree.
        ModelError: for a mechanism that cannot be compiled.
    """
    chosen = options or ImportOptions()
    robot = load_urdf(path, chosen.package_dirs)
    model = compile_robot(robot, chosen.floating_base)
    warnings = list(robot.warnings)
    before = DataSnapshot.take()
    try:
        collection = bpy.data.collections.new(label(robot.name or Path(path).stem))
        with temporary_scene(context) as workspace:
            rig, notes = build_rig(workspace, robot, model, chosen)
            warnings += notes
            collection.objects.link(rig.object)
        parts = create_parts(robot, rig, collection, chosen, warnings)
        _parent_collection(context).children.link(collection)
        result = ImportResult(
            name=robot.name,
            object=rig.object,
            collection=collection,
            links=len(robot.links),
            joints=len(robot.joints),
            bones=len(rig.table.bones),
            visuals=len(parts.objects),
            meshes=parts.meshes,
            warnings=tuple(warnings),
        )
        _write_report(result, Path(path))
    except BaseException:
        before.remove_added()
        raise
    _make_active(context, rig.object)
    return result


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _parent_collection(context: bpy.types.Context) -> bpy.types.Collection:
    """The active collection, or the scene's own where that cannot take or show a new one."""
    layer: Any = context.view_layer.active_layer_collection
    scene_collection: bpy.types.Collection = context.scene.collection
    hidden = layer.exclude or not layer.is_visible
    # what is in a library, or comes from one by an override, takes no children
    linked = layer.collection.library or layer.collection.override_library
    if hidden or linked is not None:
        return scene_collection
    active: bpy.types.Collection = layer.collection
    return active


def _make_active(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    """Select the new robot alone, as importers do, unless the user is at work in another mode."""
    view_layer = context.view_layer
    view_layer.update()
    active = view_layer.objects.active
    if active is not None and active.mode != "OBJECT":
        obj.select_set(False, view_layer=view_layer)
        return
    for other in view_layer.objects.selected[:]:
        other.select_set(False, view_layer=view_layer)
    if obj.name in view_layer.objects:
        obj.select_set(True, view_layer=view_layer)
        view_layer.objects.active = obj


def _write_report(result: ImportResult, path: Path) -> None:
    """Add the import to the report in the file's texts."""
    text = bpy.data.texts.get(REPORT_NAME) or bpy.data.texts.new(REPORT_NAME)
    lines = [result.summary(), f"  from {one_line(path)}"]
    lines += [*(f"  * {one_line(item)}" for item in result.warnings), ""]
    text.from_string(text.as_string() + "\n".join(lines) + "\n")
