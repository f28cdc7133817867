"""Where the folder of a ROS package may be: around the robot file, then on search paths."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

MANIFEST = "package.xml"
MANIFEST_BYTES = 65536  # the name stands near the top
SIBLING_LEVELS = 4  # ancestors looked into: workspace/src/repository/package/urdf
CRAWL_DEPTH = 3  # levels below a search folder, as in workspace/src/repository/package
CRAWL_FOLDERS = 5000  # looked at below one; 0.1 s: it is not meant to be a whole disk
CRAWL_ENTRIES = 50_000  # files among them included


class PackageFinder:
    """Finds package folders for one robot file; remembers what it has read from disk.

    Args:
        base: the folders of the robot file (as named, and with symbolic links followed).
        package_dirs: absolute folders that are a package or contain packages.
        environment: where ROS_PACKAGE_PATH and AMENT_PREFIX_PATH are looked up.
    """

    def __init__(
        self, base: Sequence[Path], package_dirs: Sequence[Path], environment: Mapping[str, str]
    ) -> None:
        self.base = tuple(base)
        self.search = (*package_dirs, *_folders(environment.get("ROS_PACKAGE_PATH")))
        self.prefixes = _folders(environment.get("AMENT_PREFIX_PATH"))
        self._names: dict[Path, str | None] = {}
        self._below: dict[tuple[Path, int], dict[str, list[Path]]] = {}
        self.too_large: list[Path] = []  # search folders of more than was looked at

    def folders(self, package: str) -> Iterator[Path]:
        """The existing folders that may be the package, best first, each once."""
        seen = set()
        for folder in self._candidates(package):
            if folder not in seen and is_folder(folder):
                seen.add(folder)
                yield folder

    def remark(self) -> str:
        """What to add where a package was not found: folders that were not searched whole."""
        if not self.too_large:
            return ""
        return (
            f" (of '{self.too_large[0]}' only {CRAWL_FOLDERS} folders were looked at; name one "
            "that is nearer to the package)"
        )

    def in_package(self) -> bool:
        """Whether a folder above the robot file says by a package.xml which package it is."""
        return any(self._name_in_manifest(folder) for folder in self.ancestors())

    def ancestors(self) -> Iterator[Path]:
        """The folders above the robot file, nearest first, the file's own folder included."""
        for base in self.base:
            yield from (base, *base.parents)

    def _candidates(self, package: str) -> Iterator[Path]:
        if not package:
            return
        # walk up from the file
        for folder in self.ancestors():
            if self._is_package(folder, package):
                yield folder
            yield folder / package
        # packages nearby whose folder has another name
        for base in self.base:
            for folder in (base, *base.parents)[:SIBLING_LEVELS]:
                yield from self._packages_below(folder, 1).get(package, ())
        for folder in self.search:
            if self._is_package(folder, package):
                yield folder
            yield folder / package
            yield from self._packages_below(folder, CRAWL_DEPTH).get(package, ())
        for prefix in self.prefixes:
            yield prefix / "share" / package

    def _is_package(self, folder: Path, package: str) -> bool:
        return folder.name == package or self._name_in_manifest(folder) == package

    def _name_in_manifest(self, folder: Path) -> str | None:
        """The name that the folder's package.xml gives, None where there is none to be read."""
        if folder not in self._names:
            self._names[folder] = _manifest_name(folder / MANIFEST)
        return self._names[folder]

    def _packages_below(self, top: Path, depth: int) -> dict[str, list[Path]]:
        """Folders with a package.xml, by the name in it, down to that many levels below top."""
        known = self._below.get((top, depth))
        if known is not None:
            return known
        found: dict[str, list[Path]] = {}
        level = [top]
        folders_left, entries_left = CRAWL_FOLDERS, CRAWL_ENTRIES
        for _ in range(depth):
            below: list[Path] = []
            for folder in level:
                children, seen = _child_folders(folder, folders_left, entries_left)
                folders_left -= len(children)
                entries_left -= seen
                for child in children:
                    name = self._name_in_manifest(child)
                    if name is not None:
                        found.setdefault(name, []).append(child)
                    else:  # packages do not contain packages
                        below.append(child)
            level = below
        if depth > 1 and (folders_left <= 0 or entries_left <= 0):
            self.too_large.append(top)
        self._below[top, depth] = found
        return found


def is_folder(path: Path) -> bool:
    """Whether the path is a folder; a path that the system cannot even look at is none."""
    return os.path.isdir(path)  # Path.is_dir() raises where access is denied


def is_file(path: Path) -> bool:
    """Whether the path is a file; a path that the system cannot even look at is none."""
    return os.path.isfile(path)  # Path.is_file() raises where access is denied


def entries(folder: Path) -> list[str]:
    """The names in a folder in alphabetical order; none where it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except (OSError, ValueError):
        return []


def _child_folders(folder: Path, folders: int, entries: int) -> tuple[list[Path], int]:
    """At most so many folders in one, among so many of its entries; and how many were seen.

    In alphabetical order; none where the folder cannot be read.
    """
    names: list[str] = []
    seen = 0
    try:
        with os.scandir(folder) as found:
            for entry in found:
                if len(names) >= folders or seen >= entries:
                    break
                seen += 1
                if not entry.name.startswith(".") and is_folder(Path(entry.path)):
                    names.append(entry.name)
    except (OSError, ValueError):
        pass
    return [folder / name for name in sorted(names)], seen


def _folders(variable: str | None) -> tuple[Path, ...]:
    """The absolute folders of a search path; relative ones would depend on the current one."""
    paths = (Path(entry) for entry in (variable or "").split(os.pathsep) if entry)
    return tuple(path for path in paths if path.is_absolute())


def _manifest_name(manifest: Path) -> str | None:
    if not is_file(manifest):
        return None
    try:
        with manifest.open("rb") as file:
            text = file.read(MANIFEST_BYTES).decode("utf-8", errors="replace")
    except OSError:
        return None
    return _first_name(_without_comments(text))


def _without_comments(text: str) -> str:
    kept, rest = [], text
    while True:
        before, opened, after = rest.partition("<!--")
        kept.append(before)
        if not opened:
            return "".join(kept)
        rest = after.partition("-->")[2]


def _first_name(text: str) -> str | None:
    """The one word of the first <name> element, None where that holds no word."""
    starts = [at for tag in ("<name>", "<name ") if (at := text.find(tag)) >= 0]
    if not starts:
        return None
    content, closed, _ = text[min(starts) :].partition(">")[2].partition("</name>")
    words = content.split()
    return words[0] if closed and len(words) == 1 and "<" not in content else None
