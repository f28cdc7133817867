"""Faces that no file has yet: named while the robot is put together, written with it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import bpy

from ....core.arrays import FloatArray
from ....core.urdf.document import Collision, Mesh, Robot, Visual
from .stl_file import is_own_file, stl_bytes

SUFFIX = ".stl"
LONGEST_NAME = 60  # characters of a file name, before what makes it unique
NOT_IN_NAMES = re.compile(r"[^\w.-]+")  # whatever some file system or URI cannot have
# what Windows takes for devices, whatever follows the first point
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


class NewMeshes:
    """The mesh files of an export.

    A file that is there is written over only if an earlier export made it, and the robot was not
    imported with it.

    Args:
        target: the robot file; meshes go to a folder beside it that is called like it.
        robot: whose own mesh files are never written over.
        depsgraph: of the scene, for objects with modifiers.
    """

    def __init__(self, target: Path, robot: Robot, depsgraph: bpy.types.Depsgraph) -> None:
        self._folder = target.with_name(f"{target.stem}_meshes")
        self._depsgraph = depsgraph
        self._taken = {_key(path) for path in _mesh_paths(robot)}
        self._files: dict[Path, bytes] = {}

    @property
    def files(self) -> dict[Path, bytes]:
        """What is to be written, by absolute path."""
        return dict(self._files)

    def add(self, obj: bpy.types.Object, shape: FloatArray) -> Mesh | None:
        """The mesh of a new file with an object's faces; None for an object without faces.

        Args:
            obj: a mesh object.
            shape: (4, 4), what its vertices are multiplied by.
        """
        content = stl_bytes(obj, self._depsgraph, shape)
        if not content:
            return None
        for path, known in self._files.items():
            if known == content:
                return Mesh(path.as_posix(), path)
        path = self._free_path(obj.name)
        self._files[path] = content
        return Mesh(path.as_posix(), path)

    def _free_path(self, name: str) -> Path:
        stem = NOT_IN_NAMES.sub("_", name)[:LONGEST_NAME].strip("._") or "mesh"
        stem = f"_{stem}" if DEVICES.match(stem) else stem
        number = 1
        path = self._folder / f"{stem}{SUFFIX}"
        while _key(path) in self._taken or (os.path.lexists(path) and not is_own_file(path)):
            number += 1
            path = self._folder / f"{stem}_{number}{SUFFIX}"
        self._taken.add(_key(path))
        return path


def _key(path: Path) -> str:
    """What paths of one file share, on every file system: some have no letter case."""
    return os.path.realpath(path).casefold()


def _mesh_paths(robot: Robot) -> Iterator[Path]:
    for link in robot.links:
        shapes: tuple[Visual | Collision, ...] = (*link.visuals, *link.collisions)
        for shape in shapes:
            if isinstance(shape.geometry, Mesh) and shape.geometry.path is not None:
                yield shape.geometry.path
