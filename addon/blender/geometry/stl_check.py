"""A look at an STL file before it is read: which kind it is, and binary files with a wrong count.

A binary STL is a header of 80 bytes, the number of triangles, and 50 bytes for each.
"""

from __future__ import annotations

import struct
from pathlib import Path

from .mesh_file import MeshFileError

HEAD = 84  # bytes, with the number
TRIANGLE = 50  # bytes
LOOK = 1 << 10  # bytes in which a text must say "facet"


def bytes_of_triangles(path: Path) -> int | None:
    """Where the triangles of a binary STL file end, in bytes from its start; None for text.

    Raises:
        MeshFileError: for a binary file with fewer triangles than it says.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(LOOK)
    if size < HEAD or _is_text(head):
        return None
    (count,) = struct.unpack_from("<I", head, HEAD - 4)
    wanted = HEAD + TRIANGLE * int(count)
    if size < wanted:
        holds = (size - HEAD) // TRIANGLE
        raise MeshFileError(
            f"its header claims {count} triangles, more than the file holds ({holds})"
        )
    if count == 0:
        raise MeshFileError("no faces in it: its header claims 0 triangles")
    return wanted


def _is_text(head: bytes) -> bool:
    """Whether it is ASCII STL: binary files may begin with "solid" too, but have no lines."""
    start = head.lstrip().lower()
    return start.startswith(b"solid") and (b"facet" in start or b"endsolid" in start)
