"""The files that OBJ files name: none but regular ones may be opened, pipes would be waited for.

Blender looks for MTL files beside the OBJ file, by `mtllib` and by its own name, and for images
beside the MTL file. Where one of them is no regular file, a copy of both without it is read.

Source: P. Bourke, MTL material format (Lightwave, OBJ): https://paulbourke.net/dataformats/mtl/
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from ....core.urdf.regular_file import has_content
from .mesh_file import LARGEST_FILE

COPY = "whole"  # name of the copies
_IMAGE_LINE = re.compile(rb"^[ \t]*(map_\w+|bump|disp|decal|refl|norm)[ \t]", re.IGNORECASE)
_NAMED = re.compile(rb"^[ \t]*mtllib(?=[ \t])", re.MULTILINE)
_CONTINUED = re.compile(rb"\\\r?\n")


def is_odd(path: Path) -> bool:
    """Whether there is something of that name that must not be opened, or cannot be."""
    return os.path.exists(path) and not is_usable(path)


def is_usable(path: Path) -> bool:
    """Whether it is a file that may be read, and is not too large to be."""
    return has_content(path) and path.stat().st_size <= LARGEST_FILE and os.access(path, os.R_OK)


def told(what: str, file: Path) -> str:
    """The line on such a file."""
    return f"{what} '{file.name}' is left out: it is empty, or no file that can be read"


def libraries_of(path: Path, data: bytes) -> list[Path]:
    """The MTL files of an OBJ file: one of its own name, which Blender looks for, first.

    Args:
        data: the file's content.
    """
    if b"\\" in data:
        data = _CONTINUED.sub(b"  ", data)
    named = (
        path.parent / name.decode("utf-8", "surrogateescape").strip('"')
        for name in _library_names(data)
    )
    return [path.with_suffix(".mtl"), *named]


def without_odd_files(
    path: Path, data: bytes, libraries: list[Path], folder: Path
) -> tuple[Path, tuple[str, ...]]:
    """The OBJ file to be read, and what was left out of it.

    Args:
        libraries: its MTL files.
        folder: an empty one, for copies.
    """
    notes: list[str] = []
    lines: list[bytes] = []
    for library in dict.fromkeys(libraries):
        if is_odd(library):
            notes.append(told("MTL file", library))
        elif is_usable(library):
            lines += _mended(library, notes)
    if not notes:
        return path, ()
    (folder / f"{COPY}.mtl").write_bytes(b"\n".join(lines))
    copy = folder / f"{COPY}.obj"
    # Blender finds the other copy by its name
    copy.write_bytes(_NAMED.sub(b"#      ", data))
    return copy, tuple(notes)


def _mended(library: Path, notes: list[str]) -> Iterator[bytes]:
    """The lines of an MTL file, names of images made absolute, those without a file left out."""
    for line in _CONTINUED.sub(b"  ", library.read_bytes()).splitlines():
        if not _IMAGE_LINE.match(line):
            yield line
            continue
        words = line.decode("utf-8", "surrogateescape").split()
        # options come before a name, which may have blanks
        tried = [
            (at, image) for at in range(1, len(words)) for image in _images(words, at, library)
        ]
        odd = next((image for _, image in tried if is_odd(image)), None)
        if odd is not None:
            notes.append(told("texture", odd))
            continue
        for at, image in tried:
            if image.is_file():
                words[at:] = [str(image.absolute())]
                break
        yield " ".join(words).encode("utf-8", "surrogateescape")


def _images(words: list[str], at: int, library: Path) -> Iterator[Path]:
    """The files that the last words of a line may mean, as Blender tries them."""
    name = " ".join(words[at:]).strip('"').replace("\\", "/")
    yield library.parent / name
    yield library.parent / name.replace("_", " ")
    yield library.parent / name.rpartition("/")[2]


def _library_names(data: bytes) -> Iterator[bytes]:
    """What follows "mtllib" at the beginning of lines; 50 times as fast as a regular expression."""
    at = data.find(b"mtllib")
    while at >= 0:
        start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
        line = data[start : end if end >= 0 else len(data)].strip()
        if line[:7] in (b"mtllib ", b"mtllib\t"):
            yield line[7:].strip()
        at = data.find(b"mtllib", max(end, at + 1))
