"""Find the mesh and texture files that a robot names; what is missing is a warning."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from ..errors import UrdfError
from .document import Collision, Link, Material, Mesh, Robot, Visual
from .file_uri import FileName, is_xacro, spellings
from .packages import PackageFinder, entries, is_file
from .report import FEW, listed, quoted

FILE_WARNING = "file "  # how the warnings of this module begin; parsing's begin with "line "
FOLDERS_ABOVE = 4  # of a xacro file
LONGEST_WARNING = 1000  # characters: more than the names that files can have


def resolve_meshes(robot: Robot, package_dirs: Iterable[str | os.PathLike[str]] = ()) -> Robot:
    """The robot with the absolute path of each mesh and texture file that exists.

    Names are package://, model://, file://, absolute, or relative to the robot file. A package
    is looked for in this order, and the first folder that has the file is taken:

    1. up from the robot file: a folder that is the package (by its name or by the name in its
       package.xml), or that has a child folder of that name;
    2. near the robot file: child folders of the nearest ancestors with that name in package.xml;
    3. package_dirs, then ROS_PACKAGE_PATH: folders that are the package or contain it;
    4. AMENT_PREFIX_PATH: prefix/share/package;
    5. when no folder of the package exists at all, and none above the robot file has a
       package.xml: the same path in a folder above it, with a warning (so a package that was
       downloaded under another name still works).

    A relative name that is not beside a .xacro file is looked for in folders above it too, with a
    warning: such names are meant for where the expanded file is written.

    Args:
        robot: relative names need robot.source; without it they are not found.
        package_dirs: relative ones are relative to the robot file, never to the current folder,
            and "~" is the user's home; a single path counts as a list of one.

    Returns:
        The robot; each distinct name that was not found, or was found under other letter case,
        is one warning, and more than a few in one folder are one together. Resolving again
        replaces earlier paths and their warnings.

    Raises:
        UrdfError: a relative package_dirs entry where the robot has no file.
    """
    if isinstance(package_dirs, str | os.PathLike):
        package_dirs = (package_dirs,)
    search = _Search(robot.source, package_finder(robot.source, package_dirs))
    links = tuple(_resolved_link(link, search) for link in robot.links)
    materials = {name: search.material(item) for name, item in robot.materials.items()}
    kept = [text for text in robot.warnings if not text.startswith(FILE_WARNING)]
    return replace(robot, links=links, materials=materials, warnings=(*kept, *search.told()))


def package_finder(
    source: Path | None, package_dirs: Iterable[str | os.PathLike[str]] = ()
) -> PackageFinder:
    """What finds packages for a robot file, by the rules of resolve_meshes."""
    base = _base_folders(source)
    return PackageFinder(base, _absolute(package_dirs, base), os.environ)


def _base_folders(source: Path | None) -> list[Path]:
    """The folder of the robot file, and the one of the real file behind symbolic links."""
    if source is None:
        return []
    folders = [source.parent, Path(os.path.realpath(source)).parent]
    return list(dict.fromkeys(folders))


def _absolute(package_dirs: Iterable[str | os.PathLike[str]], base: Sequence[Path]) -> list[Path]:
    folders = []
    for entry in package_dirs:
        # "~" is how people write their home in a preference; no folder beside a robot is so called
        folder = Path(os.path.expanduser(entry))
        if not folder.is_absolute():
            if not base:
                raise UrdfError(
                    f"package_dirs: '{folder}' is relative, and the robot has no file it could be "
                    "relative to; wanted an absolute folder"
                )
            folder = base[0] / folder
        folders.append(Path(os.path.normpath(folder)))
    return folders


class _Search:
    """Looks up each distinct name once; keeps one warning for each in the order of the file."""

    def __init__(self, source: Path | None, packages: PackageFinder) -> None:
        self.base = _base_folders(source)
        self.xacro = source is not None and is_xacro(source)
        self.packages = packages
        self.found: dict[str, Path | None] = {}
        # what it is, and the folder in the names -> the names, each with its line
        self.warnings: dict[tuple[str, str], dict[str, str]] = {}
        self.listings: dict[Path, dict[str, list[str]]] = {}

    def path(self, uri: str) -> Path | None:
        """The file of that name, None (and a warning) where there is none."""
        if uri not in self.found:
            self.found[uri] = self._look_up(uri)
        return self.found[uri]

    def material(self, material: Material) -> Material:
        """The material with the path of its texture."""
        if material.texture_filename is None:
            return material
        return replace(material, texture_path=self.path(material.texture_filename))

    def _look_up(self, uri: str) -> Path | None:
        names = list(spellings(uri))
        tried = []
        for path in (path for name in names for path in self._candidates(name)):
            if is_file(path):
                return path
            tried.append(path)
        for path in tried:
            other = self._other_letter_case(path)
            if other is not None:
                self._warn("letter case", uri, f"found as '{other}', whose letter case differs")
                return other
        for name in names:
            above = self._above_xacro(name)
            if above is not None:
                self._warn("above", uri, f"found as '{above}', in a folder above the xacro file")
                return above
        for name in names:
            stand_in = self._without_package(name)
            if stand_in is not None:
                self._warn(
                    "package",
                    uri,
                    f"package '{name.package}' was not found; '{stand_in}' was taken",
                )
                return stand_in
        self._warn("missing", uri, f"not found: {self._reason(names[-1])}")
        return None

    def _candidates(self, name: FileName) -> Iterator[Path]:
        """Where a file of that name may be, whether it is there or not; all absolute."""
        if name.scheme == "package":
            for folder in self.packages.folders(name.package):
                yield _joined(folder, name.path)
        elif Path(name.path).is_absolute():
            yield _joined(Path(name.path), "")
        else:
            yield from (_joined(folder, name.path) for folder in self.base)

    def _other_letter_case(self, path: Path) -> Path | None:
        """The file at that path when letter case does not count; None unless there is one."""
        matches = [Path(path.anchor)]
        for part in path.parts[1:]:
            matches = [
                folder / name
                for folder in matches
                for name in (
                    [part]
                    if os.path.lexists(folder / part)
                    else self._listing(folder).get(part.casefold(), ())
                )
            ]
        files = [match for match in matches if is_file(match)]
        return files[0] if len(files) == 1 else None

    def _listing(self, folder: Path) -> dict[str, list[str]]:
        """The names in a folder by what they are without letter case; read once."""
        if folder not in self.listings:
            listing: dict[str, list[str]] = {}
            for name in entries(folder):
                listing.setdefault(name.casefold(), []).append(name)
            self.listings[folder] = listing
        return self.listings[folder]

    def _above_xacro(self, name: FileName) -> Path | None:
        """A file relative to a folder above a xacro file: what it expands to is written there."""
        if not self.xacro or name.scheme != "file" or Path(name.path).is_absolute():
            return None
        for folder in islice(self.packages.ancestors(), 1, FOLDERS_ABOVE + 1):
            path = _joined(folder, name.path)
            if is_file(path):
                return path
        return None

    def _without_package(self, name: FileName) -> Path | None:
        """A file at the same path above the robot file, for a package that is nowhere.

        Not where the robot file's own package has a package.xml: then the name is another's.
        """
        if name.scheme != "package" or next(self.packages.folders(name.package), None):
            return None
        if self.packages.in_package():
            return None
        for folder in self.packages.ancestors():
            path = _joined(folder, name.path)
            if is_file(path):
                return path
        return None

    def _reason(self, name: FileName) -> str:
        if name.scheme == "package":
            folder = next(self.packages.folders(name.package), None)
            if folder is not None:
                return f"package '{name.package}' is '{folder}', which has no '{name.path}'"
            return (
                f"no package '{name.package}' above or beside the robot file, in the package "
                f"folders given, ROS_PACKAGE_PATH or AMENT_PREFIX_PATH{self.packages.remark()}"
            )
        if name.scheme != "file":
            return f"'{name.scheme}:' is unknown; read are package:, model:, file: and plain paths"
        path = next(self._candidates(name), None)
        if path is None:
            return "it is relative, and the robot was read without a file"
        return f"there is no '{path}'"

    def _warn(self, kind: str, uri: str, message: str) -> None:
        shown = message if len(message) <= LONGEST_WARNING else message[:LONGEST_WARNING] + "…"
        alike = self.warnings.setdefault((kind, uri.rpartition("/")[0]), {})
        alike[uri] = f"{FILE_WARNING}{quoted(uri)}: {shown}"

    def told(self) -> Iterator[str]:
        """The warnings; one line for more than a few of a kind whose names have one folder."""
        for alike in self.warnings.values():
            lines = list(alike.values())
            if len(lines) <= FEW:
                yield from lines
            else:
                others = [uri.rpartition("/")[2] for uri in alike][1:]
                yield f"{lines[0]}; so with {len(others)} more there: {listed(others)}"


def _joined(folder: Path, path: str) -> Path:
    return Path(os.path.normpath(folder / path))


def _resolved_link(link: Link, search: _Search) -> Link:
    return replace(
        link,
        visuals=tuple(_resolved_visual(visual, search) for visual in link.visuals),
        collisions=tuple(_resolved_collision(shape, search) for shape in link.collisions),
    )


def _resolved_visual(visual: Visual, search: _Search) -> Visual:
    material = visual.material
    if material is not None:
        material = search.material(material)
    if isinstance(visual.geometry, Mesh):
        return replace(visual, geometry=_resolved_mesh(visual.geometry, search), material=material)
    return replace(visual, material=material)


def _resolved_collision(collision: Collision, search: _Search) -> Collision:
    if isinstance(collision.geometry, Mesh):
        return replace(collision, geometry=_resolved_mesh(collision.geometry, search))
    return collision


def _resolved_mesh(mesh: Mesh, search: _Search) -> Mesh:
    return replace(mesh, path=search.path(mesh.filename))
