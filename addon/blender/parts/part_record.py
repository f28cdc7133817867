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
from ..geometry.mesh_arrays import read_array
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
    positions = read_array(data.vertices, "co", np.float32, 3)
    # how many corners meet at each vertex: Blender's STL reader has faces in any order
    meeting = np.bincount(_corners(data), minlength=1)
    looks = repr([look_of(material) for material in data.materials]).encode()
    return (
        f"{len(positions)} {len(data.polygons)} {crc32(positions.tobytes()):08x} "
        f"{crc32(meeting.astype(np.int32).tobytes()):08x}{_facing(data)} {crc32(looks):08x}"
    )


def _corners(mesh: bpy.types.Mesh) -> NDArray[np.int32]:
    """The vertex of every corner of every face, (n,)."""
    # `loops` says the same, a hundred times slower
    attribute: Any = mesh.attributes.get(".corner_vert")
    empty = np.zeros(0, np.int32)
    return empty if attribute is None else read_array(attribute.data, "value", np.int32)


def _facing(mesh: bpy.types.Mesh) -> str:
    """Whether faces look outward (+) or inward (-) on the whole, by the sign of the volume."""
    parts = mesh.polygons
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
