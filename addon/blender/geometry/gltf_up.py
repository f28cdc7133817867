"""Which way is up in the glTF files of a robot, told by its collision shapes.

The glTF standard says +Y is up, and Blender, as other programs that hold to it, turns it up. The
tools of robots take the vertices of a visual as they are stored, in the axes of its link, and
most files are made for them. Only a look at the link tells: where the box around its visuals as
they are stored is the box around its collision shapes, they are stored right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.frames import transform_from_xyz_rpy
from ....core.urdf.document import Collision, Geometry, Mesh, Origin
from .mesh_arrays import SCENE_FROM_Y_UP, read_array

EXTENSIONS = (".glb", ".gltf")
# The better way must be off by less than this part of what the other is off. Of the links of
# dexmate-urdf, boxes and hulls tell below 0.3; spheres that stand for a hand do not, at 0.75.
CLEAR = 0.5

MeshOf = Callable[[Geometry], bpy.types.Mesh | None]


@dataclass(frozen=True)
class Seen:
    """The visuals (shape and place) of one link, and its collision shapes."""

    visuals: Sequence[tuple[Geometry, Origin]]
    collisions: Sequence[Collision]


def is_gltf(geometry: Geometry) -> bool:
    """Whether a shape is a glTF file that was found."""
    if not isinstance(geometry, Mesh) or geometry.path is None:
        return False
    return geometry.path.suffix.lower() in EXTENSIONS


def files_with_y_up(
    links: Iterable[Seen], files: Iterable[Path], mesh_of: MeshOf
) -> tuple[set[Path], int]:
    """The files that have to be turned to fit the collision shapes of their links.

    A file whose links do not tell it clearly goes as most of those do that tell; where none
    does, files are taken as they are stored.

    Args:
        links: those that show glTF files.
        files: all glTF files, resolved.
        mesh_of: mesh data of a shape, as stored; None where there is none.

    Returns:
        The files, and how many of all were told by their own links.
    """
    off: dict[Path, FloatArray] = {}
    for link in links:
        found = misfits(link, mesh_of)
        if found is not None:
            for path in _paths(link):
                off[path] = off.get(path, np.zeros(2)) + found
    told = {path: pair[1] < pair[0] for path, pair in off.items() if _is_clear(pair)}
    most = sum(told.values()) > len(told) / 2.0
    return {path for path in files if told.get(path, most)}, len(told)


def files_that_nothing_tells(links: Iterable[Seen]) -> set[Path]:
    """The glTF files that only links without any other collision shape show."""
    seen, comparable = set(), set()
    for link in links:
        seen |= _paths(link)
        if any(not is_gltf(own.geometry) for own in link.collisions):
            comparable |= _paths(link)
    return seen - comparable


def misfits(link: Seen, mesh_of: MeshOf) -> FloatArray | None:
    """How far the box of a link's visuals is from that of its collision shapes.

    misfit = max |corners of visuals - corners of collisions| / diagonal of collisions

    Returns:
        (2,), for glTF files as stored and turned from y up; None where collision shapes do not
        tell: there are none, they are glTF files themselves, or have no size.
    """
    collisions = [
        (own.geometry, own.origin) for own in link.collisions if not is_gltf(own.geometry)
    ]
    wanted = _box(collisions, mesh_of, turned=False)
    boxes = [_box(link.visuals, mesh_of, turned) for turned in (False, True)]
    if wanted is None or boxes[0] is None or boxes[1] is None:
        return None
    size = float(np.linalg.norm(wanted[1] - wanted[0]))
    if not 0.0 < size < np.inf:
        return None
    return np.array([np.abs(box - wanted).max() / size for box in boxes if box is not None])


def _is_clear(pair: FloatArray) -> bool:
    return bool(pair.min() < CLEAR * pair.max())


def _paths(link: Seen) -> set[Path]:
    shapes = [shape for shape, _ in link.visuals if is_gltf(shape)]
    return {shape.path.resolve() for shape in shapes if isinstance(shape, Mesh) and shape.path}


def _box(
    shapes: Sequence[tuple[Geometry, Origin]], mesh_of: MeshOf, turned: bool
) -> FloatArray | None:
    """Least and greatest coordinates (2, 3) of shapes in the link frame; None without any."""
    corners = []
    for shape, origin in shapes:
        mesh = mesh_of(shape)
        if mesh is None:
            continue
        pose = transform_from_xyz_rpy(origin.xyz, origin.rpy)
        linear = pose[:3, :3]
        if isinstance(shape, Mesh):
            linear = linear * np.array(shape.scale)
        if turned and is_gltf(shape):
            linear = linear @ SCENE_FROM_Y_UP[:3, :3]
        # in rows of one coordinate each, whose extremes numpy finds ten times as fast
        points = linear @ read_array(mesh.vertices, "co", np.float32, 3).T
        corners += [points.min(axis=1) + pose[:3, 3], points.max(axis=1) + pose[:3, 3]]
    return np.array([np.min(corners, axis=0), np.max(corners, axis=0)]) if corners else None
