"""Whether a glTF file holds what it claims, looked at before Blender makes room for it.

Source: Khronos, glTF 2.0 specification, sections 3.6.2 (accessors) and 3.8.3 (images).
"""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .gltf_file import GltfFile
from .mesh_file import MOST_CORNERS, MeshFileError
from .side_files import is_odd, told

COMPONENTS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEA"
    "GwS9ZAAAAABJRU5ErkJggg=="
)


def check_sizes(gltf: GltfFile) -> None:
    """Refuse files that claim more than they hold, before anything makes room for it.

    Raises:
        MeshFileError: names the buffer or accessor.
    """
    document = gltf.document
    for buffer in document.get("buffers", ()):
        file = gltf.side_file(buffer)
        if file is not None and is_odd(file):
            raise MeshFileError(told("its buffer", file))
    for index, accessor in enumerate(document.get("accessors", ())):
        _check_accessor(gltf, index, accessor)
    corners = [_corners(document, mesh) for mesh in document.get("meshes", ())]
    shown = sum(corners[node["mesh"]] for node in document.get("nodes", ()) if "mesh" in node)
    if max(shown, sum(corners)) > MOST_CORNERS:
        raise MeshFileError(f"more than {MOST_CORNERS} corners of faces in it")


def check_indices(gltf: GltfFile) -> None:
    """Refuse faces of vertices that are not there, which Blender leaves out or moves.

    Raises:
        MeshFileError: names the first.
    """
    accessors = gltf.document.get("accessors", ())
    pairs = {
        (primitive["indices"], primitive["attributes"]["POSITION"])
        for mesh in gltf.document.get("meshes", ())
        for primitive in mesh["primitives"]
        if "indices" in primitive and "POSITION" in primitive["attributes"]
    }
    for indices, positions in pairs:
        values = _scalars(gltf, accessors[indices])
        count = accessors[positions]["count"]
        if len(values) and int(values.max()) >= count:
            raise MeshFileError(f"a face with vertex {values.max()}; there are {count} in it")


def without_odd_images(gltf: GltfFile) -> tuple[GltfFile, tuple[str, ...]]:
    """The same without images that must not be opened, and a line for each of them."""
    odd: dict[int, Path] = {}
    for index, image in enumerate(gltf.document.get("images", ())):
        file = gltf.side_file(image)
        if file is not None and is_odd(file):
            odd[index] = file
    if not odd:
        return gltf, ()
    document = copy.deepcopy(gltf.document)
    for index in odd:
        document["images"][index] = {"uri": PIXEL}
    textures = {
        index
        for index, texture in enumerate(document.get("textures", ()))
        if odd.keys() & set(_sources(texture))
    }
    _drop_textures(document.get("materials", []), textures)
    notes = tuple(told("texture", file) for file in odd.values())
    return replace(gltf, document=document), notes


def _check_accessor(gltf: GltfFile, index: int, accessor: dict[str, Any]) -> None:
    count = accessor["count"]
    what = f"its accessor {index} claims {count} values"
    if not 0 <= count <= MOST_CORNERS:
        raise MeshFileError(f"{what}; wanted at most {MOST_CORNERS}")
    if "bufferView" not in accessor or not count:
        return
    view = gltf.document["bufferViews"][accessor["bufferView"]]
    if "extensions" in view:
        return  # compressed, which the importer knows or not
    size = np.dtype(COMPONENTS[accessor["componentType"]]).itemsize * WIDTHS[accessor["type"]]
    first = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    last = first + (count - 1) * (view.get("byteStride") or size) + size
    room = gltf.bytes_of_buffer(view["buffer"])
    if room is not None and (first < 0 or last > room):
        raise MeshFileError(f"{what}, more than its buffer holds ({room} bytes)")


def _corners(document: dict[str, Any], mesh: dict[str, Any]) -> int:
    """Corners of the faces of a mesh; of strips and fans there are up to three times as many."""
    total = 0
    for primitive in mesh["primitives"]:
        place = primitive.get("indices", primitive["attributes"].get("POSITION"))
        if place is not None:
            total += document["accessors"][place]["count"]
    return total


def _scalars(gltf: GltfFile, accessor: dict[str, Any]) -> NDArray[Any]:
    """The (n,) values of an accessor in a buffer; none of a sparse or compressed one."""
    if "bufferView" not in accessor or "sparse" in accessor or not accessor["count"]:
        return np.zeros(0, np.int64)
    view = gltf.document["bufferViews"][accessor["bufferView"]]
    if "extensions" in view:
        return np.zeros(0, np.int64)
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    kind = np.dtype(COMPONENTS[accessor["componentType"]])
    stride = view.get("byteStride") or kind.itemsize
    data = gltf.buffer(view["buffer"])
    return np.ndarray((accessor["count"],), kind, data, start, (stride,))


def _sources(texture: dict[str, Any]) -> list[int]:
    """The images of a texture: its own, and those that extensions would have instead."""
    own = [texture, *texture.get("extensions", {}).values()]
    return [part["source"] for part in own if "source" in part]


def _drop_textures(part: Any, textures: set[int]) -> None:
    """Take textures out of materials and all that extends them."""
    if isinstance(part, list):
        for item in part:
            _drop_textures(item, textures)
    elif isinstance(part, dict):
        for name, value in list(part.items()):
            own = name.endswith("Texture") and isinstance(value, dict)
            if own and value.get("index") in textures:
                del part[name]
            else:
                _drop_textures(value, textures)
