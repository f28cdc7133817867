"""Figures of a robot in Blender: what it consists of, and how far it is from the core."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
from dynarig.addon.blender.geometry.visuals import Part, collision_parts, visual_parts
from dynarig.addon.blender.importing.importer import ImportResult
from dynarig.addon.blender.parts import parts_of
from dynarig.addon.blender.pose import evaluated_link_poses, set_configuration
from dynarig.addon.blender.rig_access import Rig, open_rig
from dynarig.core.arrays import FloatArray
from dynarig.core.dynamics import Model, compile_robot, link_poses
from dynarig.core.frames import transform_from_xyz_rpy
from dynarig.core.urdf import load_urdf
from dynarig.core.urdf.document import Mesh

from .poses import difference, excess, random_poses

# how far Blender, which computes with single precision, may be from the core
ROOM = 1e-5
ROOM_PER_METRE = 1.2e-7  # of the distance from the origin


def measures(context: Any, result: ImportResult, file: Path) -> dict[str, Any]:
    """All figures of a robot that has just come in; it is left in its neutral pose.

    Args:
        context: whose scene it is in.
        result: of the import, of visuals and collision shapes.
        file: it came from.
    """
    robot = load_urdf(file)
    model = compile_robot(robot)
    parts = [*visual_parts(robot), *collision_parts(robot)]
    rig = open_rig(result.object)
    off = pose_differences(context, rig, model, parts)
    set_configuration(rig, model, model.clamped(model.neutral()))
    context.view_layer.update()
    return {
        "links": result.links,
        "bones": result.bones,
        **counted_meshes(parts),
        "shown": sum(tag.role in ("visual", "collision") for _, tag in parts_of(result.object)),
        "triangles": result.triangles,
        "materials": result.materials,
        "textures": result.textures,
        "empty_textures": empty_textures(),
        "drivers": result.drivers,
        "warnings": list(result.warnings),
        **off,
    }


def counted_meshes(parts: list[Part]) -> dict[str, Any]:
    """How many shapes there are, the mesh files that are found and missing, and their shapes."""
    meshes = [part.geometry for part in parts if isinstance(part.geometry, Mesh)]
    return {
        "parts": len(parts),
        "absent": sum(mesh.path is None for mesh in meshes),
        "meshes": len({mesh.path for mesh in meshes if mesh.path is not None}),
        "missing": sorted({mesh.filename for mesh in meshes if mesh.path is None}),
    }


def empty_textures() -> list[str]:
    """The textures whose file holds no picture."""
    images: Any = bpy.data.images
    return [image.name for image in images if image.source == "FILE" and not all(image.size)]


def pose_differences(context: Any, rig: Rig, model: Model, parts: list[Part]) -> dict[str, float]:
    """How far links and shapes are from the core at random poses, and above what they may be."""
    worst = {"links_off": 0.0, "parts_off": 0.0, "excess": -ROOM}
    for q in random_poses(model):
        set_configuration(rig, model, q)
        context.view_layer.update()
        poses = link_poses(model, q)
        by_name = evaluated_link_poses(context, rig.object)
        found = np.array([by_name[name] for name in model.link_names])
        worst["links_off"] = max(worst["links_off"], difference(found, poses))
        shapes, wanted = part_poses(
            context, rig, dict(zip(model.link_names, poses, strict=True)), parts
        )
        worst["parts_off"] = max(worst["parts_off"], difference(shapes, wanted))
        for some, others in ((found, poses), (shapes, wanted)):
            beyond = excess(some, others, ROOM, ROOM_PER_METRE)
            worst["excess"] = max(worst["excess"], beyond)
    return worst


def part_poses(
    context: Any, rig: Rig, poses: dict[str, FloatArray], parts: list[Part]
) -> tuple[FloatArray, FloatArray]:
    """world_from_part (n, 4, 4) of all shapes that came in: Blender's, and the core's."""
    wanted = {(part.role, part.link, part.index): part for part in parts}
    graph = context.evaluated_depsgraph_get()
    found, expected = [np.zeros((0, 4, 4))], [np.zeros((0, 4, 4))]
    for obj, tag in parts_of(rig.object):
        if tag.role == "visual" or tag.role == "collision":
            found.append(np.array(obj.evaluated_get(graph).matrix_world)[None])
            part = wanted[tag.role, tag.link, tag.index]
            expected.append((poses[tag.link] @ link_from_part(part))[None])
    return np.concatenate(found), np.concatenate(expected)


def link_from_part(part: Part) -> FloatArray:
    """The pose (4, 4) of a shape in its link, with the scale of its mesh."""
    scale = part.geometry.scale if isinstance(part.geometry, Mesh) else (1.0, 1.0, 1.0)
    pose = transform_from_xyz_rpy(part.origin.xyz, part.origin.rpy)
    scaled: FloatArray = pose @ np.diag([*scale, 1.0])
    return scaled
