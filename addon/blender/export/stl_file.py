"""The faces of an object as a binary STL file."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ..geometry.mesh_arrays import read_array

HEADER = b"dynarig".ljust(80, b" ")
TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def stl_bytes(obj: bpy.types.Object, depsgraph: bpy.types.Depsgraph, shape: FloatArray) -> bytes:
    """The file's content; b"" for an object without faces.

    Args:
        obj: a mesh object; its modifiers are applied.
        shape: (4, 4), what the vertices are multiplied by.
    """
    source: Any = obj.evaluated_get(depsgraph) if len(obj.modifiers) else obj
    mesh = source.to_mesh()
    try:
        mesh.calc_loop_triangles()
        positions = read_array(mesh.vertices, "co", np.float32, 3).astype(np.float64)
        corners = read_array(mesh.loop_triangles, "vertices", np.int32, 3)
    finally:
        source.to_mesh_clear()
    if not len(corners):
        return b""
    points = (positions @ shape[:3, :3].T + shape[:3, 3])[corners]
    if np.linalg.det(shape[:3, :3]) < 0.0:
        points = points[:, ::-1]
    normals = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    triangles = np.zeros(len(points), TRIANGLE)
    triangles["corners"] = points
    triangles["normal"] = np.divide(
        normals, lengths, where=lengths > 0.0, out=np.zeros_like(normals)
    )
    return HEADER + np.uint32(len(points)).tobytes() + triangles.tobytes()
