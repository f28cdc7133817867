"""The name of a mesh or texture file, as robot files write it -> its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

# two letters at least: one letter and a colon is a Windows drive
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?://)?(.*)", re.DOTALL)
PACKAGE_SCHEMES = ("package", "model")
XACRO = ".xacro"
DRIVE = re.compile(r"/*([A-Za-z]:/)")


@dataclass(frozen=True)
class FileName:
    """A file name taken apart.

    scheme: "package" (model:// means the same), "file", or what else stood there.
    package: the package's name, empty for the scheme "file".
    path: inside the package, or absolute, or relative to the robot file.
    """

    scheme: str
    package: str
    path: str


def spellings(uri: str) -> Iterator[FileName]:
    """The ways to read a file name, most literal first, each once.

    Literally; with backslashes as slashes; and both of these with %20 and its like decoded.
    """
    seen = set()
    for text in (uri, uri.replace("\\", "/"), unquote(uri), unquote(uri).replace("\\", "/")):
        name = _take_apart(text.strip())
        if name not in seen:
            seen.add(name)
            yield name


def _take_apart(uri: str) -> FileName:
    match = SCHEME.fullmatch(uri)
    if match is None:
        return FileName("file", "", uri)
    scheme, rest = match.group(1).lower(), match.group(2)
    if scheme in PACKAGE_SCHEMES:
        # package:///name/... with a third slash is common
        package, _, path = rest.lstrip("/").partition("/")
        return FileName("package", package, path.lstrip("/"))
    if scheme == "file":
        rest = rest.removeprefix("localhost") if rest.startswith("localhost/") else rest
        drive = DRIVE.match(rest)
        return FileName("file", "", rest[drive.start(1) :] if drive else rest)
    return FileName(scheme, "", uri)  # or a file name with a colon in it


def is_xacro(path: Path) -> bool:
    """Whether a robot file is expanded before it is read: by its name, as by ROS's own tools."""
    return path.suffix.lower() == XACRO
