"""The faces of an object as a binary STL file."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any
from zlib import crc32

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ...errors import RigError
from ..geometry.mesh_arrays import read_array

# A header says who wrote the file, and a checksum of the rest: that nobody changed it since.
HEADER = "dynarig export, checksum {:08x}"
HEADER_SIZE = 80  # bytes
TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def stl_bytes(obj: bpy.types.Object, depsgraph: bpy.types.Depsgraph, shape: FloatArray) -> bytes:
    """The file's content; b"" for an object without a face that has an area.

    Args:
        obj: a mesh object; its modifiers are applied.
        shape: (4, 4), what the vertices are multiplied by.

    Raises:
        RigError: for a vertex that is not at a finite place.
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
    if not np.isfinite(points).all():
        raise RigError(
            f"object '{obj.name}': a vertex of it is not at a finite place; a URDF has finite "
            "numbers only: move or delete it"
        )
    if not lengths.any():
        return b""
    triangles = np.zeros(len(points), TRIANGLE)
    triangles["corners"] = points
    triangles["normal"] = np.divide(
        normals, lengths, where=lengths > 0.0, out=np.zeros_like(normals)
    )
    return _with_header(np.uint32(len(points)).tobytes() + triangles.tobytes())


def is_own_file(path: Path) -> bool:
    """Whether a file is as an export wrote it; not what only a link leads to."""
    try:
        # a pipe would keep us waiting
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return False
        content = path.read_bytes()
    except OSError:
        return False
    return content == _with_header(content[HEADER_SIZE:])


def _with_header(content: bytes) -> bytes:
    return HEADER.format(crc32(content)).encode("ascii").ljust(HEADER_SIZE) + content
