"""Small binary STL files as plain arrays.

Blender's operator reads them as well, in two thirds of the time a triangle takes here. But each
call of an operator costs up to 8 ms beside 5,000 other objects, and the first of an import 40 ms
with the scene that it works in and what it leaves behind; and most files of robots are small.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .mesh_arrays import MeshArrays
from .stl_check import HEAD, TRIANGLE

SMALL = HEAD + 20_000 * TRIANGLE  # bytes; above, the operator saves more than 5 ms
RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
# odd numbers of 64 bits with their ones spread out; any such would do
FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64)

assert RECORD.itemsize == TRIANGLE


def read_stl_arrays(path: Path, end: int) -> MeshArrays:
    """The triangles of a binary STL file; corners at equal places become one vertex.

    Triangles with two equal corners have no area and are left out; of those on the same three
    corners the first stays, as Blender has it.

    Args:
        end: bytes up to which it holds triangles, as `bytes_of_triangles` says.
    """
    count = (end - HEAD) // TRIANGLE
    triangles = np.fromfile(path, RECORD, count=count, offset=HEAD)
    # + 0: zero may have a sign
    positions, corners = welded(triangles["corners"].reshape(-1, 3) + np.float32(0.0))
    faces = corners.reshape(-1, 3)
    flat = (faces == np.roll(faces, 1, axis=1)).any(axis=1)
    faces = faces[~flat]
    a, b, c = np.sort(faces, axis=1).T
    _, kept = np.unique((a * len(positions) + b) * len(positions) + c, return_index=True)
    faces = faces[np.sort(kept)]
    return MeshArrays(positions, faces.ravel(), np.full(len(faces), 3))


def welded(points: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[Any]]:
    """The different points (m, 3), in the order in which they come, and the place of each (n,).

    Args:
        points: (n, 3), at least one, without a negative zero.

    Points are told apart by sums of 64 bits, ten times as fast as by rows. Should two different
    ones ever share a sum, rows are compared.
    """
    bits = np.ascontiguousarray(points).view(np.uint32).astype(np.uint64)
    # the upper bits of a product depend on all that are below
    mixed = bits * FACTORS
    mixed ^= mixed >> np.uint64(29)
    sums = (mixed * FACTORS[::-1]).sum(axis=1, dtype=np.uint64)
    order = np.argsort(sums)
    sums = sums[order]
    new = np.concatenate([[True], sums[1:] != sums[:-1]])
    first = np.minimum.reduceat(order, np.flatnonzero(new))
    place = np.empty_like(order)
    place[order] = np.cumsum(new) - 1
    if (points[first][place].view(np.uint32) != bits).any():
        _, first, place = np.unique(bits, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return points[first[order]], rank[place.ravel()]
