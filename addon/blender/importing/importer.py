"""A robot file into the scene, all of it or nothing."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy

from ....core.dynamics import Model, compile_robot
from ....core.urdf import load_urdf
from ....core.urdf.document import Robot
from ...errors import RigError
from ..geometry.mesh_settings import Progress
from ..labels import label
from ..parts import create_parts, hide_collisions
from ..rig import build_rig
from ..workspace import temporary_scene
from .options import ImportOptions
from .report import ReportText, section
from .result import (
    REPORT_NAME,
    ImportResult,
    count_drivers,
    count_missing_meshes,
    count_parts,
)
from .user_state import all_or_nothing, make_active

__all__ = ["REPORT_NAME", "ImportResult", "import_robot"]

# parts of the whole at which a stage begins: most of the time goes into mesh files
READ, COMPILED, RIGGED = 0.0, 0.05, 0.1


def import_robot(
    context: bpy.types.Context,
    path: str | os.PathLike[str],
    options: ImportOptions | None = None,
    progress: Progress | None = None,
) -> ImportResult:
    """Import a URDF file as a rig.

    The rig comes in a collection of its own, in the active one. In object mode it becomes
    active and the only selected object; in every other mode the user's object, selection and
    mode stay. Nothing else in the scene changes. When anything fails the file is as it was
    before.

    Args:
        context: scene and view layer to import into.
        path: the .urdf or .xacro file.
        options: ImportOptions() if none.
        progress: takes the part that is done, 0 to 1, and what comes next; it may raise to stop.

    Returns:
        What came in.

    Raises:
        ArgumentError: for an option that is not possible.
        UrdfError: for a file that is not a URDF of one tree.
        ModelError: for a mechanism that cannot be compiled.
        RigError: for a scene or an armature that cannot take the robot.
    """
    chosen = options or ImportOptions()
    chosen.check()
    _check_scene(context)
    started = time.perf_counter()
    tell = progress or _nobody
    tell(READ, f"reading {Path(path).name}")
    robot = load_urdf(path, chosen.package_dirs, dict(chosen.xacro_args))
    tell(COMPILED, "making the armature")
    model = compile_robot(robot, chosen.floating_base)
    report = ReportText.remember()
    with all_or_nothing(context, on_failure=report.restore):
        result = _build(context, Path(path), robot, model, chosen, tell)
        _parent_collection(context).children.link(result.collection)
        if chosen.shown == "BOTH":
            hide_collisions(result.collection)
        result = replace(result, remark=make_active(context, result.object, result.collection))
        result = replace(result, report=report.name())
        seconds = time.perf_counter() - started
        _write_report(report, section(result, Path(path), chosen, seconds))
    return result


def _build(
    context: bpy.types.Context,
    path: Path,
    robot: Robot,
    model: Model,
    options: ImportOptions,
    tell: Progress,
) -> ImportResult:
    """The robot in a new collection, which is not in the scene yet."""
    warnings = [*_missing_folders(path, options), *robot.warnings]
    collection = bpy.data.collections.new(label(options.collection or robot.name or path.stem))
    with temporary_scene(context) as workspace:
        rig, notes = build_rig(workspace, robot, model, options)
        warnings += notes
        collection.objects.link(rig.object)

    def tell_parts(part: float, doing: str) -> None:
        tell(RIGGED + (1.0 - RIGGED) * part, doing)

    tell_parts(0.0, "making the parts")
    parts = create_parts(robot, rig, collection, options, warnings, tell_parts)
    counts = count_parts(parts)
    return ImportResult(
        name=robot.name,
        object=rig.object,
        collection=collection,
        links=len(robot.links),
        joints=len(robot.joints),
        bones=len(rig.object.data.bones),
        visuals=counts.visuals,
        collisions=counts.collisions,
        meshes=counts.meshes,
        triangles=counts.triangles,
        materials=counts.materials,
        textures=counts.textures,
        missing_meshes=count_missing_meshes(robot, options),
        drivers=count_drivers(rig.object),
        warnings=tuple(warnings),
    )


def _check_scene(context: bpy.types.Context) -> None:
    """Refuse a scene that takes no objects."""
    scene = context.scene
    if scene is None or scene.library is not None:
        name = "there is no scene" if scene is None else f"scene '{scene.name}' is from a library"
        raise RigError(f"{name}; wanted a scene of this file to import into")


def _missing_folders(path: Path, options: ImportOptions) -> list[str]:
    """A warning for each folder of the options that is not there."""
    return [
        f"package folder '{folder}' does not exist"
        for folder in options.package_dirs
        if not os.path.isdir(path.absolute().parent / os.path.expanduser(folder))
    ]


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


def _write_report(report: ReportText, text: str) -> None:
    report.add(text)


def _nobody(_part: float, _doing: str) -> None:
    """The progress of an import that nobody watches."""
