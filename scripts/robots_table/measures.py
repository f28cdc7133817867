"""Figures of a robot in Blender: what it consists of, and how far it is from the core."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
from dynarig.addon.blender.importer import ImportResult
from dynarig.addon.blender.parts import parts_of
from dynarig.addon.blender.pose import evaluated_link_poses, set_configuration
from dynarig.addon.blender.rig_access import open_rig
from dynarig.addon.blender.visuals import visual_parts
from dynarig.core.arrays import FloatArray
from dynarig.core.dynamics import Model, compile_robot, link_poses
from dynarig.core.frames import transform_from_xyz_rpy
from dynarig.core.urdf import load_urdf
from dynarig.core.urdf.document import Mesh, Robot

from .poses import difference, excess, random_poses

# how far Blender, which computes with single precision, may be from the core
ROOM = 1e-5
ROOM_PER_METRE = 1.2e-7  # of the distance from the origin


def measures(context: bpy.types.Context, result: ImportResult, file: Path) -> dict[str, Any]:
    """All figures of a robot that has just come in; it is left in its neutral pose."""
    robot = load_urdf(file)
    model = compile_robot(robot)
    shown = [obj for obj, tag in parts_of(result.object) if tag.role == "visual"]
    drivers = result.object.animation_data.drivers if result.object.animation_data else ()
    return {
        "links": result.links,
        "bones": result.bones,
        **counted_meshes(robot, shown),
        **counted_looks(shown),
        "drivers": len(drivers),
        "warnings": list(result.warnings),
        **pose_differences(context, result.object, robot, model),
    }


def counted_meshes(robot: Robot, shown: list[Any]) -> dict[str, Any]:
    """Mesh files of the visuals: found and missing; visuals, and those that are to be seen."""
    visuals = [visual for link in robot.links for visual in link.visuals]
    meshes = [visual.geometry for visual in visuals if isinstance(visual.geometry, Mesh)]
    missing = {mesh.filename for mesh in meshes if mesh.path is None}
    triangles = sum(len(polygon.vertices) - 2 for obj in shown for polygon in obj.data.polygons)
    return {
        "visuals": len(visuals),
        "shown": len(shown),
        "absent": sum(mesh.path is None for mesh in meshes),
        "meshes": len({mesh.path for mesh in meshes if mesh.path is not None}),
        "missing": sorted(missing),
        "triangles": triangles,
    }


def counted_looks(shown: list[Any]) -> dict[str, Any]:
    """Materials and textures in use, and pictures that hold nothing."""
    materials = {slot.material for obj in shown for slot in obj.material_slots} - {None}
    images = {
        node.image
        for material in materials
        if material.node_tree
        for node in material.node_tree.nodes
        if node.type == "TEX_IMAGE" and node.image is not None
    }
    return {
        "materials": len(materials),
        "textures": len(images),
        "empty_textures": sorted(image.name for image in images if not all(image.size)),
    }


def pose_differences(
    context: Any, obj: bpy.types.Object, robot: Robot, model: Model
) -> dict[str, float]:
    """How far links and visuals are from the core at random poses, and above what they may be."""
    rig = open_rig(obj)
    worst = {"links_off": 0.0, "visuals_off": 0.0, "excess": -ROOM}
    for q in random_poses(model):
        set_configuration(rig, model, q)
        context.view_layer.update()
        poses = link_poses(model, q)
        by_name = evaluated_link_poses(context, obj)
        found = np.array([by_name[name] for name in model.link_names])
        parts, wanted = visual_poses(context, obj, robot, model, poses)
        worst["links_off"] = max(worst["links_off"], difference(found, poses))
        worst["visuals_off"] = max(worst["visuals_off"], difference(parts, wanted))
        for some, others in ((found, poses), (parts, wanted)):
            beyond = excess(some, others, ROOM, ROOM_PER_METRE)
            worst["excess"] = max(worst["excess"], beyond)
    set_configuration(rig, model, model.clamped(model.neutral()))
    context.view_layer.update()
    return worst


def visual_poses(
    context: bpy.types.Context,
    obj: bpy.types.Object,
    robot: Robot,
    model: Model,
    poses: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """world_from_visual (n, 4, 4) of all visuals that are shown: Blender's, and the core's."""
    by_link: dict[str, list[FloatArray]] = {}
    for part in visual_parts(robot):
        scale = part.geometry.scale if isinstance(part.geometry, Mesh) else (1.0, 1.0, 1.0)
        link_from_visual = transform_from_xyz_rpy(part.origin.xyz, part.origin.rpy)
        by_link.setdefault(part.link, []).append(link_from_visual @ np.diag([*scale, 1.0]))
    place = {name: poses[index] for index, name in enumerate(model.link_names)}
    graph = context.evaluated_depsgraph_get()
    found, wanted = [np.zeros((0, 4, 4))], [np.zeros((0, 4, 4))]
    for child, tag in parts_of(obj):
        if tag.role == "visual":
            found.append(np.array(child.evaluated_get(graph).matrix_world)[None])
            wanted.append((place[tag.link] @ by_link[tag.link][tag.index])[None])
    return np.concatenate(found), np.concatenate(wanted)
