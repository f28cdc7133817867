"""What an import has made of a robot, so that it can be told what was edited or deleted since.

The armature object keeps, for each part, a fingerprint of its mesh.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any
from zlib import crc32

import bpy
import numpy as np
from numpy.typing import NDArray

from ..geometry.materials import original_name, principled
from ..geometry.mesh_arrays import read_array, read_corners, read_positions
from .part_tags import PartTag, tag_of

RECORD_KEY = "dynarig_parts"  # on the armature object
FLAT = 1e-3  # a volume smaller than this, relative to the sum of its parts, has no sure sign


def remember_parts(robot: bpy.types.Object, objects: Iterable[bpy.types.Object]) -> None:
    """Keep on a robot's object what its parts are as they have been made."""
    prints = _Prints()
    tagged = [(tag_of(obj), obj) for obj in objects]
    record_parts(robot, {tag: prints.of(obj.data) for tag, obj in tagged if tag is not None})


def record_parts(robot: bpy.types.Object, prints: Mapping[PartTag, str]) -> None:
    """Keep fingerprints of parts."""
    entries = [[tag.role, tag.link, tag.index, found] for tag, found in prints.items()]
    robot[RECORD_KEY] = json.dumps(entries)


def recorded_parts(robot: bpy.types.Object) -> Mapping[PartTag, str]:
    """The fingerprints of the parts of a robot as made; empty where nothing is known."""
    text = robot.get(RECORD_KEY)
    try:
        return {
            PartTag(role, link, index): str(found)
            for role, link, index, found in json.loads(text if isinstance(text, str) else "[]")
        }
    except (ValueError, TypeError, RecursionError):
        return {}


def fingerprint(data: bpy.types.ID | None) -> str:
    """A text that two meshes share if their vertices, faces and materials are the same."""
    if not isinstance(data, bpy.types.Mesh):
        return ""
    positions = read_positions(data)
    # how many corners meet at each vertex: Blender's STL reader has faces in any order
    corners = read_corners(data)
    meeting = np.bincount(corners, minlength=1)
    looks = repr([look_of(material) for material in data.materials]).encode()
    facing = _facing(data, positions, corners)
    return (
        f"{len(positions)} {len(data.polygons)} {crc32(positions.tobytes()):08x} "
        f"{crc32(meeting.astype(np.int32).tobytes()):08x}{facing} {crc32(looks):08x}"
    )


def _facing(
    mesh: bpy.types.Mesh, positions: NDArray[np.float32], corners: NDArray[np.int32]
) -> str:
    """Whether faces look outward (+) or inward (-) on the whole, by the sign of the volume."""
    parts = mesh.polygons
    if len(corners) == 3 * len(parts):
        # |a b c| / 2 of each triangle is what the sum below has, five times as fast
        a, b, c = positions.astype(np.float64)[corners.reshape(-1, 3)].transpose(1, 2, 0)
        volumes = 0.5 * (
            a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
        )
    else:
        centres = read_array(parts, "center", np.float32, 3).astype(np.float64)
        normals = read_array(parts, "normal", np.float32, 3).astype(np.float64)
        areas = read_array(parts, "area", np.float32).astype(np.float64)
        volumes = areas * np.einsum("ij,ij->i", centres, normals)
    volume, largest = float(volumes.sum()), float(np.abs(volumes).sum())
    return "" if abs(volume) <= FLAT * largest else "+" if volume > 0.0 else "-"


def same_shape(one: str, other: str) -> bool:
    """Whether two fingerprints are of the same vertices and faces, whatever the materials."""
    return bool(one) and one.rpartition(" ")[0] == other.rpartition(" ")[0]


class _Prints:
    """Fingerprints, each mesh looked at once."""

    def __init__(self) -> None:
        self._known: dict[Any, str] = {}

    def of(self, data: bpy.types.ID | None) -> str:
        if data not in self._known:
            self._known[data] = fingerprint(data)
        return self._known[data]


def look_of(material: Any) -> tuple[Any, ...]:
    """Name and colour of a material of a mesh file."""
    if material is None:
        return ()
    shader = principled(material)
    colour = () if shader is None else tuple(shader.inputs["Base Color"].default_value)
    return (original_name(material), *(round(value, 4) for value in colour))
