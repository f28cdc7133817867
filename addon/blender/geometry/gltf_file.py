"""A glTF file before Blender reads it: its vertices are checked, its rig is taken out.

Blender's importer makes armatures by operators on the active object, which in a temporary scene
is none; and a robot's visual needs no bones. A skinned mesh is taken as it was bound.

Source: Khronos, glTF 2.0 specification, sections 3.6 (buffers), 3.7.3 (skins), 4.4 (GLB).
"""

from __future__ import annotations

import base64
import copy
import json
import os
import struct
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

from ....core.urdf.regular_file import has_content
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
    _buffers: dict[int, bytes] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def read(cls, path: Path) -> GltfFile | None:
        """Read a file; None for one that is no glTF at all, which Blender's importer will tell."""
        data = path.read_bytes()
        binary = None
        # as Blender's importer does, by what is in it and not by its name
        if len(data) >= 20 and struct.unpack_from("<I", data)[0] == MAGIC:
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
        data = self.buffer(view["buffer"])
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride, count = view.get("byteStride", 12), accessor["count"]
        if count < 1 or start + (count - 1) * stride + 12 > len(data):
            return np.zeros((0, 3), np.float32)
        return np.ndarray((count, 3), "<f4", data, start, (stride, 4))

    def side_file(self, part: dict[str, Any]) -> Path | None:
        """The file of a buffer or image, as Blender's importer names it; None for one inside."""
        uri = part.get("uri")
        if uri is None or uri.startswith("data:"):
            return None
        return Path(os.path.normpath(self.path.parent / unquote(uri.replace("\\", "/"))))

    def bytes_of_buffer(self, index: int) -> int | None:
        """How long a buffer is; None where its file is missing."""
        file = self.side_file(self.document["buffers"][index])
        if file is None:
            return len(self.buffer(index))
        return file.stat().st_size if file.is_file() else None

    def buffer(self, index: int) -> bytes:
        """The bytes of a buffer; none where its file is missing."""
        if index not in self._buffers:
            self._buffers[index] = self._read_buffer(self.document["buffers"][index])
        return self._buffers[index]

    def _read_buffer(self, buffer: dict[str, Any]) -> bytes:
        file = self.side_file(buffer)
        if file is not None:
            return file.read_bytes() if has_content(file) else b""
        uri = buffer.get("uri")
        return self.binary or b"" if uri is None else base64.b64decode(uri.partition(",")[2])

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
            beside = self.side_file(part)
            if beside is not None:
                part["uri"] = quote(str(beside.absolute()))
        text = json.dumps(document).encode("utf-8")
        file = folder / self.path.name
        if self.path.suffix.lower() != ".glb" and self.binary is None:
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
