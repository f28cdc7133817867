"""A URDF file -> a Robot with its mesh files found."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ..errors import UrdfError
from .document import Robot
from .file_size import refuse_large
from .parse import parse_urdf
from .report import Report
from .resolve import resolve_meshes


def load_urdf(
    path: str | os.PathLike[str], package_dirs: Iterable[str | os.PathLike[str]] = ()
) -> Robot:
    """Read a robot description and find its mesh and texture files.

    Args:
        path: the .urdf file. A relative path is taken from the current folder here, at the door;
            everything in the robot is absolute.
        package_dirs: folders that are a ROS package or contain packages; see resolve_meshes.

    Returns:
        The robot; `warnings` says what was repaired and which files are missing.

    Raises:
        UrdfError: the file cannot be read, or is not a URDF that describes one tree. The message
            names file, line and element, and what would be allowed.
    """
    if not isinstance(path, str | os.PathLike):
        raise UrdfError(f"{path!r}: is no path; wanted the path of a URDF file")
    source = _absolute(path)
    return resolve_meshes(parse_urdf(_read(source), source), package_dirs)


def _absolute(path: str | os.PathLike[str]) -> Path:
    """The path made absolute; symbolic links stay unless '..' needs them followed."""
    given = Path(path)
    try:
        return given.resolve() if ".." in given.parts else given.absolute()
    except (OSError, RuntimeError, ValueError) as error:
        raise UrdfError(f"{given}: cannot be looked up: {error}") from error


def _read(source: Path) -> bytes:
    try:
        if source.is_dir():
            raise UrdfError(f"{source}: is a folder; wanted a URDF file inside it")
        if source.exists() and not source.is_file():
            raise UrdfError(f"{source}: is a device or pipe; wanted a URDF file")
        refuse_large(source.stat().st_size, Report(source))
        return source.read_bytes()
    except FileNotFoundError as error:
        raise UrdfError(f"{source}: does not exist; wanted a URDF file") from error
    except (OSError, ValueError) as error:
        raise UrdfError(f"{source}: cannot be read: {error}") from error
