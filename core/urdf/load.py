"""A URDF or xacro file -> a Robot with its mesh files found."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..errors import UrdfError
from .document import Robot
from .expansion import Place, expand_xacro, told_path
from .file_size import LARGEST_FILE, refuse_large
from .file_uri import is_xacro
from .parse import parse_urdf, read_robot
from .regular_file import read_regular
from .report import Report, listed
from .resolve import package_finder, resolve_meshes

XacroValue = str | int | float
# a file that includes others is more likely the robot itself
INCLUDE = re.compile(rb"<(xacro:)?include\b")
HINT_OF_PARTS = "; the file may be a part of another one that includes it: import that one"


def load_urdf(
    path: str | os.PathLike[str],
    package_dirs: Iterable[str | os.PathLike[str]] = (),
    xacro_args: Mapping[str, XacroValue] | None = None,
) -> Robot:
    """Read a robot description and find its mesh and texture files.

    A file whose name ends in .xacro is expanded first, by the Python package xacro; the robot's
    text is then the expanded one, and its source the .xacro file.

    Args:
        path: the file. A relative path is taken from the current folder here, at the door;
            everything in the robot is absolute.
        package_dirs: folders that are a ROS package or contain packages; see resolve_meshes.
        xacro_args: values of the arguments of a .xacro file by their names.

    Returns:
        The robot; `warnings` says what was repaired and which files are missing.

    Raises:
        UrdfError: the file cannot be read, or is not a URDF that describes one tree. The message
            names file, line and element, and what would be allowed.
    """
    if not isinstance(path, str | os.PathLike):
        raise UrdfError(f"{path!r}: is no path; wanted the path of a URDF file")
    source = _absolute(path)
    arguments = _arguments(xacro_args or {})
    if isinstance(package_dirs, str | os.PathLike):
        package_dirs = (package_dirs,)
    package_dirs = tuple(package_dirs)
    data = _read(source)
    if is_xacro(source):
        return resolve_meshes(_expanded(data, source, package_dirs, arguments), package_dirs)
    robot = parse_urdf(data, source)
    if arguments:
        told = f"xacro arguments not used: {listed(arguments)}; the file is no .xacro"
        robot = replace(robot, warnings=(*robot.warnings, told))
    return resolve_meshes(robot, package_dirs)


def _arguments(given: Mapping[str, XacroValue]) -> dict[str, str]:
    for name, value in given.items():
        if not isinstance(name, str) or not name or not isinstance(value, XacroValue):
            raise UrdfError(
                f"xacro_args: {name!r}: {value!r} is no argument; wanted texts and numbers by name"
            )
    return {name: str(value) for name, value in given.items()}


def _expanded(
    data: bytes,
    source: Path,
    package_dirs: tuple[str | os.PathLike[str], ...],
    arguments: Mapping[str, str],
) -> Robot:
    """The robot of a xacro file; its errors and warnings name lines of the files it comes from."""
    packages = package_finder(source, package_dirs)
    expanded, warnings = expand_xacro(data, source, packages, arguments)
    hint = "" if INCLUDE.search(data) else HINT_OF_PARTS
    return read_robot(expanded.text, _PlacedReport(source, warnings, hint, expanded.places))


@dataclass
class _PlacedReport(Report):
    """A report on expanded text, whose lines come from the places given.

    Errors name the macros that the line came from too, and where they were called.
    """

    places: list[Place] = field(default_factory=list)

    def error_at(self, line: int, message: str) -> UrdfError:
        """The error, with file and line of the xacro file that the line came from."""
        place = self._place(line)
        return UrdfError(f"{place}: {message}{told_path(place.calls)}")

    def warn_at(self, line: int, message: str) -> None:
        """Note what is odd about a line of a xacro file, the robot's own where none is named."""
        place = self._place(line)
        file = "" if place.file == self.source else f" of {place.file}"
        self.warnings.append(f"line {place.line}{file}: {message}")

    def _place(self, line: int) -> Place:
        return self.places[min(line, len(self.places)) - 1]


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
        data = read_regular(source, LARGEST_FILE)
        refuse_large(len(data), Report(source))
        return data
    except FileNotFoundError as error:
        raise UrdfError(f"{source}: does not exist; wanted a URDF file") from error
    except (OSError, ValueError) as error:
        raise UrdfError(f"{source}: cannot be read: {error}") from error
