"""PLY files as plain arrays. Blender's own importer trusts them, and damaged ones end Blender.

Source: G. Turk, The PLY Polygon File Format (1994): a header of lines, then the elements one
after another, each a row of scalars and lists (a count, then that many scalars).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .materials import linear_colours
from .mesh_arrays import MeshArrays
from .mesh_file import MeshFileError, check_positions
from .ply_rows import Column, Element, binary_rows, text_rows

LARGEST_COUNT = 2**31 - 1  # of Blender's indices
LONGEST_HEADER = 1 << 20  # bytes
TYPES = {
    **dict.fromkeys(("char", "int8"), "i1"),
    **dict.fromkeys(("uchar", "uint8"), "u1"),
    **dict.fromkeys(("short", "int16"), "i2"),
    **dict.fromkeys(("ushort", "uint16"), "u2"),
    **dict.fromkeys(("int", "int32"), "i4"),
    **dict.fromkeys(("uint", "uint32"), "u4"),
    **dict.fromkeys(("float", "float32"), "f4"),
    **dict.fromkeys(("double", "float64"), "f8"),
}
ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">", "ascii": ""}
AXES = ("x", "y", "z")
NORMAL = ("nx", "ny", "nz")
RGB = ("red", "green", "blue")
TEXTURES = (("s", "t"), ("u", "v"), ("texture_u", "texture_v"))
CORNER_LISTS = ("vertex_indices", "vertex_index")

Table = dict[str, NDArray[Any]]  # the columns of an element by name


@dataclass(frozen=True)
class Header:
    """Byte order ('' for text), elements, and where the data begin."""

    order: str
    elements: list[Element]
    start: int


def read_ply_arrays(path: Path) -> MeshArrays:
    """The faces of a PLY file, with normals, texture coordinates and colours of its vertices.

    Raises:
        MeshFileError: for one that claims more than it holds, or whose numbers are not usable.
    """
    data = path.read_bytes()
    header = _header(data)
    _check_counts(header, len(data))
    vertices: Table = {}
    sizes = corners = np.zeros(0, np.int64)
    words = [] if header.order else data[header.start :].split()
    at = 0 if words else header.start
    for element in header.elements:
        if header.order:
            table, at = binary_rows(data, at, header.order, element)
        else:
            table, at = text_rows(words, at, element)
        if element.name == "vertex":
            vertices = table
        elif element.name == "face":
            name = next((name for name in CORNER_LISTS if name in table), None)
            if name is not None:
                sizes, corners = table[f"{name} count"], table[name]
    if not set(AXES) <= set(vertices):
        raise MeshFileError("no vertices in it")
    return _arrays(vertices, sizes, corners)


def _arrays(vertices: Table, sizes: NDArray[Any], corners: NDArray[Any]) -> MeshArrays:
    positions = _columns(vertices, AXES)
    check_positions(positions)
    whole = sizes >= 3
    corners, sizes = corners[np.repeat(whole, sizes)].astype(np.int64), sizes[whole]
    if len(corners) and not 0 <= corners.min() <= corners.max() < len(positions):
        wrong = corners[(corners < 0) | (corners >= len(positions))][0]
        raise MeshFileError(f"a face with vertex {wrong}; there are {len(positions)} in it")
    normals = uvs = colours = None
    if set(NORMAL) <= set(vertices):
        normals = _columns(vertices, NORMAL)[corners]
    for pair in TEXTURES:
        if uvs is None and set(pair) <= set(vertices):
            uvs = _columns(vertices, pair)[corners]
    if set(RGB) <= set(vertices):
        colours = _colours(vertices)[corners]
    return MeshArrays(positions, corners, sizes, normals=normals, uvs=uvs, colours=colours)


def _columns(table: Table, names: tuple[str, ...]) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore"):
        return np.stack([table[name].astype(np.float64) for name in names], axis=1)


def _colours(vertices: Table) -> NDArray[Any]:
    """Linear colour and alpha (n, 4) of display colours; integers are parts of their largest."""
    rgba = np.ones((len(vertices["x"]), 4))
    for index, name in enumerate((*RGB, "alpha")):
        if name in vertices:
            values = vertices[name]
            largest = np.iinfo(values.dtype).max if values.dtype.kind in "iu" else 1.0
            rgba[:, index] = np.nan_to_num(values.astype(np.float64)) / largest
    return linear_colours(rgba)


def _check_counts(header: Header, size: int) -> None:
    room = size - header.start + 1  # the last line end may be missing
    for element in header.elements:
        claim = f"its header claims {element.count} rows of '{element.name}'"
        if not 0 <= element.count <= LARGEST_COUNT:
            raise MeshFileError(claim)
        room -= element.count * element.row_bytes(text=not header.order)
        if room < 0:
            raise MeshFileError(f"{claim}, more than the file holds")


def _header(data: bytes) -> Header:
    at = 0
    order: str | None = None
    elements: list[Element] = []
    while at < min(len(data), LONGEST_HEADER):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        words = data[at:end].decode("latin-1").split()
        at = end + 1
        try:
            if words[:1] == ["format"]:
                order = ORDERS[words[1]]
            elif words[:1] == ["element"]:
                elements.append(Element(words[1], int(words[2]), []))
            elif words[:1] == ["property"]:
                kinds = [TYPES[word] for word in words[2:-1]] if words[1] == "list" else []
                kinds = kinds or [TYPES[words[1]]]
                elements[-1].columns.append(Column(words[-1], *reversed(kinds[:2])))
            elif words == ["end_header"]:
                if order is None:
                    break
                return Header(order, elements, at)
        except (IndexError, KeyError, ValueError) as error:
            raise MeshFileError(f"the file is damaged (header line '{' '.join(words)}')") from error
    raise MeshFileError("the file is damaged (no whole PLY header)")
