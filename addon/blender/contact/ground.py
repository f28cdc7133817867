"""The ground as the robot sees it: in the armature's coordinates, with the robot's own lengths.

    armature_from_world = [[s R, p], [0, 1]]^-1

A robot that is scaled, turned or moved meets the same floor and the same objects where they are
seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics.collision.triangles import have_area
from ....core.dynamics.constraints import Port
from ....core.dynamics.contact import Plane, Shape, TriangleMesh
from ....core.dynamics.model import IntArray
from ...errors import RigError
from ..geometry.mesh_arrays import read_array
from ..geometry.mesh_file import LARGEST_COORDINATE
from ..matrices import from_blender
from ..rig_access import find_robot, is_deleted
from .moving import may_change
from .settings import ObjectKey

FLOOR = "floor"


@dataclass(frozen=True, eq=False)
class GroundMesh:
    """The triangles of a picked object in the world: vertices (n, 3), m, and triangles (m, 3).

    is_animated: whether it may move in the scene, which the robot does not meet.
    """

    name: str
    vertices: FloatArray
    triangles: IntArray
    is_animated: bool = False


def floor_plane(world_from_armature: FloatArray) -> Plane:
    """The plane z = 0 of the world, for a robot whose armature object is there (4, 4)."""
    armature_from_world = np.linalg.inv(world_from_armature)
    normal = armature_from_world[:3, 2] / np.linalg.norm(armature_from_world[:3, 2])
    return Plane(Port.at(None, armature_from_world[:3, 3]), normal)


def ground_shape(mesh: GroundMesh, world_from_armature: FloatArray) -> Shape:
    """A picked object, for a robot whose armature object is there (4, 4)."""
    armature_from_world = np.linalg.inv(world_from_armature)
    vertices = mesh.vertices @ armature_from_world[:3, :3].T + armature_from_world[:3, 3]
    return TriangleMesh(Port(None), vertices, mesh.triangles)


def read_ground(
    context: bpy.types.Context, robot: bpy.types.Object, keys: Sequence[ObjectKey]
) -> list[GroundMesh]:
    """The triangles of picked objects as the scene shows them at its current frame.

    Modifiers count. The objects stand still from there on.

    Raises:
        RigError: for an object that is gone, is no mesh, has no faces, belongs to the robot, or
            is not evaluated because it is hidden.
    """
    depsgraph = context.evaluated_depsgraph_get()
    objects = dict.fromkeys(_checked(robot, key) for key in keys)
    return [_read(depsgraph, obj) for obj in objects]


def object_key(obj: bpy.types.Object) -> ObjectKey:
    """What tells an object from one of the same name in another file."""
    return obj.name, obj.library.filepath if obj.library is not None else None


def ground_problem(robot: bpy.types.Object | None, obj: bpy.types.Object | None) -> str:
    """Why an object cannot be the ground of a robot; nothing where it can."""
    if obj is None or is_deleted(obj):
        return "is gone: remove it from the list"
    if obj.type != "MESH":
        return f"is no mesh object but of type {obj.type}: wanted a mesh (Object > Convert)"
    if robot is not None and find_robot(obj) == robot:
        return f"is a part of the robot '{robot.name}' itself: wanted another object"
    return ""


def _checked(robot: bpy.types.Object, key: ObjectKey) -> bpy.types.Object:
    obj = bpy.data.objects.get(key)
    problem = ground_problem(robot, obj)
    if obj is None or problem:
        name = key if isinstance(key, str) else key[0]
        raise RigError(f"ground: '{name}' {problem}")
    return obj


def _read(depsgraph: bpy.types.Depsgraph, obj: bpy.types.Object) -> GroundMesh:
    evaluated: Any = obj.evaluated_get(depsgraph)
    if not evaluated.is_evaluated:
        raise RigError(
            f"ground: '{obj.name}' is disabled in viewports, excluded, or in another scene, so "
            "that Blender does not work out its shape: wanted an object that is shown"
        )
    world_from_object = from_blender(evaluated.matrix_world)
    mesh = evaluated.to_mesh()
    try:
        mesh.calc_loop_triangles()
        vertices = read_array(mesh.vertices, "co", np.float32, 3).astype(np.float64)
        triangles = read_array(mesh.loop_triangles, "vertices", np.int32, 3).astype(np.intp)
    finally:
        evaluated.to_mesh_clear()
    if not len(triangles):
        raise RigError(f"ground: '{obj.name}' has no faces: wanted a mesh with some")
    with np.errstate(all="ignore"):
        vertices = vertices @ world_from_object[:3, :3].T + world_from_object[:3, 3]
    if not (np.abs(vertices) < LARGEST_COORDINATE).all():
        raise RigError(f"ground: '{obj.name}' has vertices that are not finite numbers")
    if np.linalg.det(world_from_object[:3, :3]) < 0.0:
        triangles = triangles[:, ::-1]  # mirrored: outside stays outside
    # faces that modifiers and joined vertices left without area hold nothing
    triangles = triangles[have_area(vertices, triangles)]
    if not len(triangles):
        raise RigError(f"ground: '{obj.name}' has no faces with an area: wanted a mesh with some")
    own = np.ascontiguousarray(triangles)
    return GroundMesh(obj.name, vertices, own, may_change(obj))
