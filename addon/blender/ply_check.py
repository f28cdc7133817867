"""A look at a PLY file before Blender reads it: its importer trusts the header and may crash.

Source: G. Turk, The PLY Polygon File Format (1994): a header of lines, then the elements one
after another, each a row of scalars and lists (a count, then that many scalars).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .mesh_file import MeshFileError, check_positions

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


@dataclass
class Element:
    """An element of the header: how many rows, and the numpy type of each column by name."""

    name: str
    count: int
    columns: dict[str, str]  # of a list: the type of its count, at which the row may end
    has_lists: bool = False

    def row_bytes(self, text: bool) -> int:
        """The fewest bytes that a row takes."""
        if text:
            return 2 * max(len(self.columns), 1)  # a digit and a blank or line end for each
        return max(1, sum(np.dtype(kind).itemsize for kind in self.columns.values()))


def check_ply(path: Path) -> None:
    """Refuse a PLY file that claims more than it holds, or whose vertices are no numbers.

    Raises:
        MeshFileError: saying what is wrong.
    """
    data = path.read_bytes()
    order, elements, start = _header(data)
    room = len(data) - start + 1  # the last line end may be missing
    for element in elements:
        if not 0 <= element.count <= LARGEST_COUNT:
            raise MeshFileError(f"its header claims {element.count} rows of '{element.name}'")
        room -= element.count * element.row_bytes(text=not order)
        if room < 0:
            raise MeshFileError(
                f"its header claims {element.count} rows of '{element.name}', more than the "
                "file holds"
            )
    first = elements[0] if elements else None
    if first is not None and first.name == "vertex" and set(AXES) <= set(first.columns):
        check_positions(_vertices(data[start:], order, first))


def _header(data: bytes) -> tuple[str, list[Element], int]:
    """The byte order ('' for text), the elements, and where the data begin."""
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
                elements.append(Element(words[1], int(words[2]), {}))
            elif words[:1] == ["property"]:
                listed = words[1] == "list"
                elements[-1].columns[words[-1]] = TYPES[words[2 if listed else 1]]
                elements[-1].has_lists |= listed
            elif words == ["end_header"]:
                if order is None:
                    break
                return order, elements, at
        except (IndexError, KeyError, ValueError) as error:
            raise MeshFileError(f"the file is damaged (header line '{' '.join(words)}')") from error
    raise MeshFileError("the file is damaged (no whole PLY header)")


def _vertices(data: bytes, order: str, element: Element) -> NDArray[np.float64]:
    """The positions (n, 3); none where rows have lists."""
    columns = list(element.columns)
    if element.has_lists:
        return np.zeros((0, 3))
    if order:
        row = np.dtype([(name, order + kind) for name, kind in element.columns.items()])
        rows = np.frombuffer(data, row, element.count)
        return np.stack([rows[axis].astype(np.float64) for axis in AXES], axis=1)
    words = data.split(None, element.count * len(columns))[: element.count * len(columns)]
    try:
        table = np.array(words, dtype=np.float64).reshape(element.count, len(columns))
    except ValueError as error:
        raise MeshFileError(f"the file is damaged (vertices: {error})") from error
    return table[:, [columns.index(axis) for axis in AXES]]
