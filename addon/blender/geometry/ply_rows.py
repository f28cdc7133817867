"""The rows of one element of a PLY file, as columns.

A column of lists becomes two: the entries of all rows one after another, and under its name with
" count" how many each row has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .mesh_file import MeshFileError

Table = dict[str, NDArray[Any]]
DAMAGED = "the file is damaged (rows of '{}' that cannot be read)"


@dataclass(frozen=True)
class Column:
    """A property: numpy type of its entries, and of the count before them if it is a list."""

    name: str
    kind: str
    count_kind: str | None = None


@dataclass(frozen=True)
class Element:
    """An element of the header and how many rows it has."""

    name: str
    count: int
    columns: list[Column]

    def row_bytes(self, text: bool) -> int:
        """The fewest bytes that a row takes."""
        if text:
            return 2 * max(len(self.columns), 1)  # a digit and a blank or line end for each
        kinds = [column.count_kind or column.kind for column in self.columns]
        return max(1, sum(np.dtype(kind).itemsize for kind in kinds))


def binary_rows(data: bytes, at: int, order: str, element: Element) -> tuple[Table, int]:
    """The columns of an element whose rows begin at a byte, and where the next one begins.

    Raises:
        MeshFileError: for rows beyond the end of the file.
    """
    if not element.count or not element.columns:
        return _empty(element), at
    fields = _first_row(data, at, order, element)
    row = np.dtype(fields)
    if at + element.count * row.itemsize <= len(data):
        rows = np.frombuffer(data, row, element.count, at)
        counts = {name: rows[name] for name in row.names or () if name.endswith(" count")}
        if all((values == values[0]).all() for values in counts.values()):
            return {name: rows[name].ravel() for name in row.names or ()}, at + rows.nbytes
    return _walked(data, at, order, element)


def text_rows(words: list[bytes], at: int, element: Element) -> tuple[Table, int]:
    """The columns of an element whose rows begin at a word, and where the next one begins."""
    if not element.count or not element.columns:
        return _empty(element), at
    numbers: dict[str, list[Any]] = {name: [] for name in _empty(element)}
    start = at
    try:
        if not any(column.count_kind for column in element.columns):
            at += element.count * len(element.columns)
            table = np.array(words[start:at], dtype=np.float64)
            table = table.reshape(element.count, len(element.columns))
            return {
                column.name: _typed(table[:, index], column.kind)
                for index, column in enumerate(element.columns)
            }, at
        for _ in range(element.count):
            for column in element.columns:
                size = 1
                if column.count_kind:
                    size, at = int(words[at]), at + 1
                    numbers[f"{column.name} count"].append(size)
                if not 0 <= size <= len(words) - at:
                    raise IndexError
                numbers[column.name] += words[at : at + size]
                at += size
        kinds = {column.name: column.kind for column in element.columns}
        return {
            name: _typed(np.array(values, dtype=np.float64), kinds.get(name, "i8"))
            for name, values in numbers.items()
        }, at
    except (ValueError, IndexError) as error:
        raise MeshFileError(DAMAGED.format(element.name)) from error


def _typed(values: NDArray[Any], kind: str) -> NDArray[Any]:
    """Numbers as the header declares them; what does not fit is damage."""
    if kind[0] == "f":
        return values
    limits = np.iinfo(np.dtype(kind))
    if not ((values >= limits.min) & (values <= limits.max)).all():
        raise ValueError
    return values.astype(kind)


def _empty(element: Element) -> Table:
    table: Table = {}
    for column in element.columns:
        if column.count_kind:
            table[f"{column.name} count"] = np.zeros(0, np.int64)
        table[column.name] = np.zeros(0, column.kind)
    return table


def _first_row(data: bytes, at: int, order: str, element: Element) -> list[Any]:
    """The fields of the first row: those of all rows, where all lists are as long as its."""
    fields: list[Any] = []
    for column in element.columns:
        if column.count_kind is None:
            fields.append((column.name, order + column.kind))
            at += np.dtype(column.kind).itemsize
            continue
        size, at = _count(data, at, order + column.count_kind, element)
        fields.append((f"{column.name} count", order + column.count_kind))
        fields.append((column.name, order + column.kind, (size,)))
        at += size * np.dtype(column.kind).itemsize
    if at > len(data):
        raise MeshFileError(DAMAGED.format(element.name))
    return fields


def _walked(data: bytes, at: int, order: str, element: Element) -> tuple[Table, int]:
    """Row after row, where lists have different lengths."""
    pieces: dict[str, list[NDArray[Any]]] = {name: [] for name in _empty(element)}
    counts: dict[str, list[int]] = {}
    for _ in range(element.count):
        for column in element.columns:
            size = 1
            if column.count_kind:
                size, at = _count(data, at, order + column.count_kind, element)
                counts.setdefault(f"{column.name} count", []).append(size)
            end = at + size * np.dtype(column.kind).itemsize
            if end > len(data):
                raise MeshFileError(DAMAGED.format(element.name))
            pieces[column.name].append(np.frombuffer(data, order + column.kind, size, at))
            at = end
    table = {name: np.concatenate(own) for name, own in pieces.items() if own}
    table.update({name: np.array(own, dtype=np.int64) for name, own in counts.items()})
    return table, at


def _count(data: bytes, at: int, kind: str, element: Element) -> tuple[int, int]:
    """The length of a list that begins at a byte, and where its entries begin."""
    end = at + np.dtype(kind).itemsize
    if end > len(data):
        raise MeshFileError(DAMAGED.format(element.name))
    size = float(np.frombuffer(data, kind, 1, at)[0])
    if not 0.0 <= size <= len(data):
        raise MeshFileError(DAMAGED.format(element.name))
    return int(size), end
