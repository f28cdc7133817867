"""A glTF file before Blender reads it: its vertices are checked, its rig is taken out.

Blender's importer makes armatures by operators on the active object, which in a temporary scene
is none; and a robot's visual needs no bones. A skinned mesh is taken as it was bound.

Source: Khronos, glTF 2.0 specification, sections 3.6 (buffers), 3.7.3 (skins), 4.4 (GLB).
"""

from __future__ import annotations

import base64
import copy
import json
import struct
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

from .mesh_file import check_positions

MAGIC, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 0x4E4F534A, 0x004E4942
RIG = ("skins", "animations", "cameras")  # of no use for a visual
FLOAT = 5126  # component type of an accessor


@dataclass(frozen=True)
class GltfFile:
    """The JSON document of a glTF file, and the binary part of a .glb (else None)."""

    path: Path
    document: dict[str, Any]
    binary: bytes | None

    @classmethod
    def read(cls, path: Path) -> GltfFile | None:
        """Read a file; None for one that is no glTF at all, which Blender's importer will tell."""
        data = path.read_bytes()
        binary = None
        if path.suffix.lower() == ".glb":
            if len(data) < 20 or struct.unpack_from("<I", data)[0] != MAGIC:
                return None
            size, kind = struct.unpack_from("<II", data, 12)
            if kind != JSON_CHUNK:
                return None
            data, rest = data[20 : 20 + size], data[20 + size :]
            if len(rest) >= 8 and struct.unpack_from("<I", rest, 4)[0] == BINARY_CHUNK:
                binary = rest[8 : 8 + struct.unpack_from("<I", rest)[0]]
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):
            return None
        return cls(path, document, binary) if isinstance(document, dict) else None

    @property
    def has_rig(self) -> bool:
        """Whether there is something in it that is of no use for a visual."""
        return any(self.document.get(key) for key in RIG)

    def material_names(self) -> set[str]:
        """Names of the materials that it defines."""
        return {own.get("name", "") for own in self.document.get("materials", ())}

    def check_vertices(self) -> None:
        """Refuse positions that Blender would quietly put elsewhere.

        Raises:
            MeshFileError: for numbers that are not finite or far too large.
        """
        primitives = [p for mesh in self.document.get("meshes", ()) for p in mesh["primitives"]]
        places = {p["attributes"].get("POSITION") for p in primitives}
        for place in places - {None}:
            accessor = self.document["accessors"][place]
            # what is sparse or compressed is left to the importer
            if accessor["componentType"] == FLOAT and "bufferView" in accessor:
                check_positions(self._vectors(accessor))

    def _vectors(self, accessor: dict[str, Any]) -> NDArray[np.float32]:
        """The (n, 3) floats of an accessor; none where its buffer is too short or missing."""
        view = self.document["bufferViews"][accessor["bufferView"]]
        data = self._buffer(self.document["buffers"][view["buffer"]])
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride, count = view.get("byteStride", 12), accessor["count"]
        if count < 1 or start + (count - 1) * stride + 12 > len(data):
            return np.zeros((0, 3), np.float32)
        return np.ndarray((count, 3), "<f4", data, start, (stride, 4))

    def _buffer(self, buffer: dict[str, Any]) -> bytes:
        uri = buffer.get("uri")
        if uri is None:
            return self.binary or b""
        if uri.startswith("data:"):
            return base64.b64decode(uri.partition(",")[2])
        file = self.path.parent / unquote(uri)
        return file.read_bytes() if file.is_file() else b""

    def without_rig(self) -> GltfFile:
        """The same meshes without skins, animations and cameras."""
        document = copy.deepcopy(self.document)
        nodes = document.setdefault("nodes", [])
        for node in nodes[:]:
            node.pop("camera", None)
            if "skin" in node and "mesh" in node:
                # a skin takes the place of the node's own transform and of those above it
                del node["skin"]
                for scene in document.get("scenes", ()):
                    scene.setdefault("nodes", []).append(len(nodes))
                nodes.append({"mesh": node.pop("mesh"), "name": node.get("name", "skinned")})
        for key in RIG:
            document.pop(key, None)
        return replace(self, document=document)

    def write(self, folder: Path) -> Path:
        """Write into a folder; files beside the original are named by their full paths."""
        document = copy.deepcopy(self.document)
        for part in (*document.get("buffers", ()), *document.get("images", ())):
            uri = part.get("uri")
            if uri is not None and not uri.startswith("data:"):
                part["uri"] = quote(str((self.path.parent / unquote(uri)).absolute()))
        text = json.dumps(document).encode("utf-8")
        file = folder / self.path.name
        if self.path.suffix.lower() != ".glb":
            file.write_bytes(text)
            return file
        chunks = _chunk(JSON_CHUNK, text, b" ")
        if self.binary is not None:
            chunks += _chunk(BINARY_CHUNK, self.binary, b"\0")
        file.write_bytes(struct.pack("<III", MAGIC, 2, 12 + len(chunks)) + chunks)
        return file


def _chunk(kind: int, data: bytes, padding: bytes) -> bytes:
    data += padding * (-len(data) % 4)
    return struct.pack("<II", len(data), kind) + data
