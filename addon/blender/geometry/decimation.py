"""Fewer triangles, for shapes that are only touched."""

from __future__ import annotations

from typing import Any

import bpy

from ..workspace import Workspace
from .mesh_arrays import smooth_by_angle

FEWEST_FACES = 4  # of a tetrahedron, the smallest body
WELD = 1e-6  # of the mesh's size: vertices of one place that a file has several times become one


def decimated(mesh: bpy.types.Mesh, part: float, workspace: Workspace) -> bpy.types.Mesh:
    """New mesh data with a part of the triangles of a mesh, its edges collapsed.

    Args:
        mesh: stays as it is.
        part: of its triangles that is kept, above 0 to 1; at least FEWEST_FACES are kept.
        workspace: where Blender's modifiers compute it.

    Returns:
        New mesh data of the same name and slots; a mesh that cannot be made smaller is copied.
    """
    triangles = len(mesh.loops) - 2 * len(mesh.polygons)
    wanted = max(part * triangles, FEWEST_FACES)
    made = _collapsed(mesh, wanted / triangles, workspace) if wanted < triangles else None
    if made is None or len(made.polygons) < FEWEST_FACES:
        if made is not None:
            bpy.data.meshes.remove(made)
        made = mesh.copy()
    made.name = mesh.name
    return made


def _collapsed(mesh: bpy.types.Mesh, ratio: float, workspace: Workspace) -> bpy.types.Mesh:
    obj: Any = bpy.data.objects.new("decimated", mesh)
    workspace.scene.collection.objects.link(obj)
    try:
        weld: Any = obj.modifiers.new("weld", "WELD")
        weld.merge_threshold = WELD * max(obj.dimensions)
        collapse: Any = obj.modifiers.new("collapse", "DECIMATE")
        collapse.decimate_type, collapse.ratio = "COLLAPSE", ratio
        with workspace.override():
            depsgraph = bpy.context.evaluated_depsgraph_get()
            made = bpy.data.meshes.new_from_object(obj.evaluated_get(depsgraph))
    finally:
        bpy.data.objects.remove(obj)
    smooth_by_angle(made)
    return made
