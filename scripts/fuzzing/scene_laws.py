"""What holds when any file is imported: a whole robot, or a scene as if nothing had been tried."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from dynarig.addon.blender.importing.importer import ImportResult, import_robot
from dynarig.addon.blender.importing.options import ImportOptions
from dynarig.addon.blender.leftovers import DataSnapshot
from dynarig.addon.blender.pose import evaluated_link_poses, set_configuration
from dynarig.addon.blender.rig_access import Rig, open_rig
from dynarig.core.dynamics import link_poses
from dynarig.core.errors import DynarigError
from dynarig.core.urdf import Robot

FRAME, SUBFRAME = 17, 0.5
FRAME_TOLERANCE = 1e-5  # of the robot's size: Blender has single precision
EDITING = 3  # every so many files the user is in edit mode

State = dict[str, Any]


@dataclass(frozen=True)
class Trial:
    """Why a file was not imported, empty where it was; and what is against the laws, or nothing."""

    refusal: str = ""
    fault: str = ""


def new_scene() -> None:
    """An empty file with a user at work in it: objects, one of them selected, at some frame."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene: Any = bpy.context.scene
    layer: Any = bpy.context.view_layer
    for name in ("first", "second"):
        mesh: Any = bpy.data.meshes.new(name)
        mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
        mesh.materials.append(bpy.data.materials.new("steel"))
        scene.collection.objects.link(bpy.data.objects.new(name, mesh))
    layer.objects.active = bpy.data.objects["first"]
    bpy.data.objects["second"].select_set(True)
    scene.frame_set(FRAME, subframe=SUBFRAME)


def try_import(path: Path, robot: Robot | None, number: int) -> Trial:
    """Import a file and take what came out again.

    Args:
        path: the file.
        robot: what the parser makes of it, None where it refuses it.
        number: of the file; options and the user's mode follow from it.
    """
    _set_editing(number % EDITING == 0)
    before, data = state(), DataSnapshot.take()
    try:
        result = import_robot(bpy.context, path, options_of(number))
    except DynarigError as error:
        return Trial(str(error), difference(before, state()))
    except Exception as error:  # this is what is looked for
        return Trial(fault=f"{type(error).__name__} leaves the import: {error}")
    fault = (
        "what the parser refuses came in" if robot is None else _robot_fault(result, robot, number)
    )
    data.remove_added()
    # the new robot was selected alone
    _select(before)
    return Trial(fault=fault or difference(before, state()))


def options_of(number: int) -> ImportOptions:
    """Options that follow from the number of a file: every third file those of the dialog."""
    random = np.random.default_rng(number)
    if number % 3 == 1:
        return ImportOptions()
    return ImportOptions(
        floating_base=bool(random.integers(2)),
        shown=str(random.choice(["VISUAL", "COLLISION", "BOTH"])),  # type: ignore[arg-type]
        fixed_links=str(random.choice(["MERGE", "KEEP"])),  # type: ignore[arg-type]
        mesh_parent=str(random.choice(["BONES", "SKIN"])),  # type: ignore[arg-type]
        bone_length=float(random.choice([0.0, 0.1])),
        scale=float(random.choice([1.0, 10.0])),
        decimation=float(random.choice([1.0, 0.5])),
        inertia=bool(random.integers(2)),
        fixed_frames=bool(random.integers(2)),
        collection=str(random.choice(["", "größe" * 20])),
    )


def state() -> State:
    """What an import that fails must leave as it was."""
    scene: Any = bpy.context.scene
    layer: Any = bpy.context.view_layer
    out: State = {
        "mode": bpy.context.mode,
        "active": layer.objects.active,
        "selected": {obj.name for obj in layer.objects.selected},
        "active collection": layer.active_layer_collection.collection,
        "frame": (scene.frame_current, scene.frame_subframe),
        "cursor": [list(row) for row in scene.cursor.matrix],
        "places": {obj.name: [list(row) for row in obj.matrix_world] for obj in scene.objects},
        "collections": [child.name for child in scene.collection.children],
    }
    for prop in bpy.data.bl_rna.properties:
        if prop.type == "COLLECTION":
            blocks = getattr(bpy.data, prop.identifier)
            out[prop.identifier] = sorted((block.name, block.users) for block in blocks)
    return out


def difference(before: State, after: State) -> str:
    """In one line, what is not as it was; nothing where all is."""
    changed = [
        f"{key} was {before[key]!r} and is {after[key]!r}"
        for key in before
        if before[key] != after[key]
    ]
    return f"the scene is changed: {'; '.join(changed)}" if changed else ""


def _robot_fault(result: ImportResult, robot: Robot, number: int) -> str:
    """What of the robot did not come in, or cannot be found again by its exact name."""
    rig = open_rig(result.object)
    table = rig.table
    names = {link.name for link in robot.links}
    if set(table.links) != names:
        return f"these links were read or came in, but not both: {set(table.links) ^ names}"
    if result.name != robot.name:
        return f"the robot is called {robot.name!r} and came in as {result.name!r}"
    if result.joints != len(robot.joints):
        return f"of the joints {len(robot.joints)} were read and {result.joints} came in"
    if table.text != robot.text:
        return "the rig keeps another text"
    return _pose_fault(rig, number)


def _pose_fault(rig: Rig, number: int) -> str:
    """Where a link does not stand where the core has it, at random joint values."""
    model = rig.compile(np.zeros(3))
    lower, upper = model.limits()
    q = np.clip(np.random.default_rng(number).uniform(-1.0, 1.0, model.nq), lower, upper)
    for joint in model.joint_names:
        if model.joint_type(joint) in ("floating", "spherical"):
            unit = q[model.q_index(joint)][-4:]
            unit /= np.linalg.norm(unit)
    set_configuration(rig, model, q)
    layer: Any = bpy.context.view_layer
    layer.update()
    found = evaluated_link_poses(bpy.context, rig.object)
    wanted = dict(zip(model.link_names, link_poses(model, q), strict=True))
    if set(found) != set(wanted):
        return f"poses of {len(found)} links were found, wanted {len(wanted)}"
    size = max(1.0, max(float(np.abs(pose[:3, 3]).max()) for pose in wanted.values()))
    worst = max(wanted, key=lambda link: float(np.abs(found[link] - wanted[link]).max()))
    error = float(np.abs(found[worst] - wanted[worst]).max())
    if error > FRAME_TOLERANCE * size:
        return f"link {worst!r} is {error:.2e} from where it should be, of {size:.2e} m"
    return ""


def _set_editing(editing: bool) -> None:
    """Put the active object into edit mode, or back."""
    if (bpy.context.mode == "EDIT_MESH") != editing:
        bpy.ops.object.mode_set(mode="EDIT" if editing else "OBJECT")


def _select(wanted: State) -> None:
    scene: Any = bpy.context.scene
    layer: Any = bpy.context.view_layer
    layer.update()
    for obj in scene.objects:
        obj.select_set(obj.name in wanted["selected"], view_layer=layer)
    layer.objects.active = wanted["active"]
