"""Mesh objects that an importer made as one mesh, by Blender's own joining.

It is five times as fast as reading corner normals and setting them again, but it shades right only
what keeps its angles, and fills the colours that a mesh does not have with black.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from ..workspace import Workspace
from .mesh_arrays import read_array
from .mesh_file import MeshFileError, check_positions

ANGLES = 1e-5  # of the scale: float32 poses from quaternions are as exact as that


def can_join(objects: Sequence[bpy.types.Object], poses: Sequence[NDArray[Any]]) -> bool:
    """Whether joining shows the same as the objects do, each in its pose (4, 4)."""
    meshes: list[Any] = [obj.data for obj in objects]
    return (
        all(mesh.shape_keys is None for mesh in meshes)
        and all(_keeps_angles(pose) for pose in poses)
        and all(_colours(mesh) == _colours(meshes[0]) for mesh in meshes)
    )


def joined(
    objects: Sequence[bpy.types.Object], poses: Sequence[NDArray[Any]], workspace: Workspace
) -> bpy.types.Mesh:
    """One mesh of all, each in its pose; of the objects, the first stays.

    Args:
        objects: of the workspace, see can_join.
        poses: (4, 4) of each.
        workspace: whose scene they are in.

    Raises:
        MeshFileError: for positions that Blender cannot hold.
    """
    for obj in objects:
        # nodes may share a mesh
        if obj.data is not None and obj.data.users > 1:
            obj.data = obj.data.copy()
    for obj, pose in zip(objects, poses, strict=True):
        mesh: Any = obj.data
        mesh.transform(Matrix(pose.tolist()))
        check_positions(read_array(mesh.vertices, "co", np.float32, 3))
    first = objects[0]
    if len(objects) > 1:
        _join(objects, workspace)
    whole = first.data
    assert isinstance(whole, bpy.types.Mesh)
    return whole


def _join(objects: Sequence[bpy.types.Object], workspace: Workspace) -> None:
    """Join all to the first, as they are at the origin."""
    for obj in objects:
        mesh: Any = obj.data
        if not len(mesh.materials):
            # else its faces would get the first material of another
            mesh.materials.append(None)
        obj.parent = None
        obj.matrix_basis = Matrix.Identity(4)
    workspace.view_layer.update()
    own = list(objects)
    with (
        workspace.override(objects[0]),
        bpy.context.temp_override(selected_objects=own, selected_editable_objects=own),
    ):
        result = bpy.ops.object.join()
    if result != {"FINISHED"}:
        raise MeshFileError("Blender could not join its meshes")


def _keeps_angles(pose: NDArray[Any]) -> bool:
    """Whether a (4, 4) pose turns, moves and scales alike in all directions, without mirroring."""
    linear = pose[:3, :3]
    squares = linear @ linear.T
    alike = np.abs(squares - np.eye(3) * squares[0, 0]).max() < ANGLES * squares[0, 0]
    return bool(alike and np.linalg.det(linear) > 0.0)


def _colours(mesh: Any) -> list[tuple[str, str, str]]:
    return [(own.name, own.domain, own.data_type) for own in mesh.color_attributes]
