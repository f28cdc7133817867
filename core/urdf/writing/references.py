"""How a description names its mesh and texture files, once it goes to another folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import quote

from ..document import Collision, Link, Material, Mesh, Robot, Visual
from ..file_uri import spellings
from ..resolve import resolve_meshes

# AUTO: as written where that leads to the same file from the new folder, else RELATIVE.
# KEEP: as written; names relative to the robot file are made right for the new folder.
# RELATIVE, ABSOLUTE: every file that was found, by its path from the new folder, or in full.
References = Literal["AUTO", "KEEP", "RELATIVE", "ABSOLUTE"]
# a name that would be taken for a scheme, or read as %20 and its like where no such file is
NEEDS_QUOTING = "%:\\"

Shown = TypeVar("Shown", Visual, Collision)


def with_references(
    robot: Robot,
    folder: Path,
    references: References = "AUTO",
    package_dirs: Iterable[str | os.PathLike[str]] = (),
    new: Container[str] = (),
) -> Robot:
    """The robot with its files named so that they are found from another folder.

    Args:
        robot: with its files found (see resolve_meshes); source is the file it came from.
        folder: absolute, where the new robot file will be.
        references: how files are named.
        package_dirs: for AUTO, absolute folders of packages that a reader will know too.
        new: names that no file has said yet: unless all shall be absolute, they become relative.

    Returns:
        The robot with other file names; paths stay. A file that was not found keeps its name,
        unless that is relative.
    """
    if references == "AUTO":
        there = resolve_meshes(replace(robot, source=folder / "robot.urdf"), package_dirs)
        found = dict(named_files(there))
    else:
        found = {}

    def name(written: str, path: Path | None) -> str:
        if written in new and references != "ABSOLUTE" and path is not None:
            return _relative(path, folder)
        if references == "AUTO" and path is not None:
            same = found.get(written)
            if same is not None and _same_file(same, path):
                return written
            return _relative(path, folder)
        if references == "RELATIVE" and path is not None:
            return _relative(path, folder)
        if references == "ABSOLUTE" and path is not None:
            return _spelled(path.as_posix())
        return _kept(written, path, robot.source, folder)

    return rename_files(robot, name)


def rename_files(robot: Robot, name: Callable[[str, Path | None], str]) -> Robot:
    """The robot with each file name (as written, and its path) put through a function."""

    def material(item: Material) -> Material:
        if item.texture_filename is None:
            return item
        return replace(item, texture_filename=name(item.texture_filename, item.texture_path))

    def visual(item: Visual) -> Visual:
        if item.material is not None:
            item = replace(item, material=material(item.material))
        return _renamed_shape(item, name)

    def link(item: Link) -> Link:
        return replace(
            item,
            visuals=tuple(map(visual, item.visuals)),
            collisions=tuple(_renamed_shape(own, name) for own in item.collisions),
        )

    return replace(
        robot,
        links=tuple(map(link, robot.links)),
        materials={key: material(item) for key, item in robot.materials.items()},
    )


def _renamed_shape(item: Shown, name: Callable[[str, Path | None], str]) -> Shown:
    if not isinstance(item.geometry, Mesh):
        return item
    mesh = item.geometry
    return replace(item, geometry=replace(mesh, filename=name(mesh.filename, mesh.path)))


def named_files(robot: Robot) -> Iterator[tuple[str, Path | None]]:
    """Each file that the robot names, as written, and where it is; again for each use."""
    for link in robot.links:
        shown: tuple[Visual | Collision, ...] = (*link.visuals, *link.collisions)
        for item in shown:
            if isinstance(item.geometry, Mesh):
                yield item.geometry.filename, item.geometry.path
        for visual in link.visuals:
            if visual.material is not None and visual.material.texture_filename is not None:
                yield visual.material.texture_filename, visual.material.texture_path
    for material in robot.materials.values():
        if material.texture_filename is not None:
            yield material.texture_filename, material.texture_path


def _same_file(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _kept(written: str, path: Path | None, source: Path | None, folder: Path) -> str:
    """The name as written; one that is relative to the robot file is made right for the folder."""
    name = next(spellings(written))
    if name.scheme != "file" or Path(name.path).is_absolute() or source is None:
        return written
    if source.parent == folder:
        return written
    return _relative(path or Path(os.path.normpath(source.parent / name.path)), folder)


def _relative(path: Path, folder: Path) -> str:
    """The path from a folder; the absolute one where there is none (on another drive)."""
    try:
        return _spelled(Path(os.path.relpath(path, folder)).as_posix())
    except ValueError:
        return _spelled(path.as_posix())


def _spelled(path: str) -> str:
    """A path as it is; percent signs and the like, which a reader might take apart, are quoted."""
    return quote(path, safe="/ ") if any(mark in path for mark in NEEDS_QUOTING) else path
