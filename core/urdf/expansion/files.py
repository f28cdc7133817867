"""Where the files are that a xacro file names: includes, YAML files, folders of packages."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from ..file_uri import FileName, spellings
from ..packages import PackageFinder, is_file
from .wildcards import matching


class NotFound(Exception):
    """A package or file that is nowhere; xacro's own code passes it on."""


class XacroFiles:
    """Finds files for one expansion, packages by the same rules as meshes.

    Args:
        packages: finds folders.
        count: is called for each entry of a folder that wildcards look at.
    """

    def __init__(self, packages: PackageFinder, count: Callable[[], None]) -> None:
        self._packages = packages
        self._count = count
        self._found: dict[Path, str] = {}  # folder of a package -> its name

    def package(self, name: str) -> str:
        """The folder of a package, for $(find name).

        Raises: NotFound.
        """
        folder = next(self._packages.folders(name), None)
        if folder is None:
            raise NotFound(
                f"no package '{name}' above or beside the robot file, in the package folders "
                f"given, ROS_PACKAGE_PATH or AMENT_PREFIX_PATH{self._packages.remark()}"
            )
        self._found[folder] = name
        return folder.as_posix()

    def path(self, name: str, current: Path) -> Path:
        """The file of that name: the first that exists, else where it would be.

        Args:
            name: absolute, relative to the file that names it, file:// or package://.
            current: that file.

        Raises: NotFound for any other kind of address.
        """
        candidates = list(self._candidates(name, current))
        for candidate in candidates:
            if is_file(candidate):
                return candidate
        return candidates[0]

    def matching(self, name: str, current: Path) -> list[Path]:
        """The files of a name with wildcards (* ? [a-z]), in alphabetical order."""
        for folder in _folders(current):
            found = matching(folder, name, self._count)
            if found:
                return found
        return []

    def _candidates(self, name: str, current: Path) -> Iterator[Path]:
        for spelling in spellings(name):
            if spelling.scheme == "package":
                self.package(spelling.package)
                for folder in self._packages.folders(spelling.package):
                    yield _joined(folder, spelling.path)
                continue
            if spelling.scheme != "file":
                yield from self._named_with_colon(spelling, current)
                continue
            for folder in _folders(current):
                path = _joined(folder, spelling.path)
                yield path
                yield from self._in_other_folders(path)

    def _named_with_colon(self, name: FileName, current: Path) -> Iterator[Path]:
        path = _joined(current.parent, name.path)
        if not is_file(path):
            raise NotFound(
                f"'{name.scheme}:' is not read; read are plain paths, $(find package)/…, file: "
                "and package:"
            )
        yield path

    def _in_other_folders(self, path: Path) -> Iterator[Path]:
        """The same file in other folders that may be the package that $(find) gave."""
        for folder, package in self._found.items():
            if path.is_relative_to(folder):
                for other in self._packages.folders(package):
                    yield other / path.relative_to(folder)


def _folders(current: Path) -> list[Path]:
    """The folder of a file, and the one of the real file behind symbolic links."""
    return list(dict.fromkeys([current.parent, Path(os.path.realpath(current)).parent]))


def _joined(folder: Path, path: str) -> Path:
    return Path(os.path.normpath(folder / path))
