"""The points of the meshes that a robot touches with, read as its import reads visuals.

Nothing of it stays in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import Literal

import bpy
import numpy as np

from ....core.arrays import FloatArray, frozen
from ....core.urdf import resolve_meshes
from ....core.urdf.document import Collision, Mesh, Robot, Visual
from ..geometry.gltf_up import is_gltf
from ..geometry.materials import MaterialLibrary
from ..geometry.mesh_arrays import read_array
from ..geometry.mesh_settings import MeshSettings
from ..geometry.meshes import GLTF, MeshLibrary
from ..geometry.visuals import collision_parts, turn_gltf, visual_parts
from ..leftovers import DataSnapshot
from ..rig_access import Rig
from ..workspace import Workspace, temporary_scene
from .settings import GeometryKind

PointsOf = Callable[[Mesh], FloatArray | None]
NO_COLLISION = (
    "the robot file has no collision geometry: what is seen touches, of meshes their convex hulls"
)


def touching_robot(
    rig: Rig, wanted: GeometryKind, links: Collection[str]
) -> tuple[Robot, Literal["collision", "visual"], tuple[str, ...]]:
    """The description of a robot with shapes on some links only.

    Args:
        wanted: which shapes. Where the robot has no collision geometry at all, what is seen has to
            do.
        links: those that touch.

    Returns:
        The description with its mesh files found, which shapes count, and notes.
    """
    robot = rig.robot
    notes: tuple[str, ...] = ()
    kind: Literal["collision", "visual"] = "visual"
    if wanted == "COLLISION":
        if any(link.collisions for link in robot.links):
            kind = "collision"
        else:
            notes = (NO_COLLISION,)
    own = [
        replace(
            link,
            collisions=link.collisions if kind == "collision" and link.name in links else (),
            visuals=tuple(replace(own, material=None) for own in link.visuals)
            if kind == "visual" and link.name in links
            else (),
        )
        for link in robot.links
    ]
    alone = replace(robot, links=tuple(own), materials={}, warnings=())
    return resolve_meshes(alone, rig.table.package_dirs), kind, notes


def points_of_meshes(
    context: bpy.types.Context, rig: Rig, robot: Robot
) -> tuple[PointsOf, tuple[str, ...]]:
    """What gives the points (n, 3) of a mesh, scaled as it says, and what there is to tell.

    Each file is read once, and turned as the robot's import turned it, with all its points. One
    that is missing or broken gives None, and a note.

    Args:
        rig: the whole robot.
        robot: with its mesh files found, and shapes only where their points are wanted.
    """
    shapes: list[Collision | Visual] = []
    for link in robot.links:
        shapes += [*link.collisions, *link.visuals]
    meshes = [shape.geometry for shape in shapes if isinstance(shape.geometry, Mesh)]
    paths = dict.fromkeys(mesh.path for mesh in meshes if mesh.path is not None)
    notes = [*robot.warnings]
    points = _read(context, rig, list(paths), notes) if paths else {}

    def points_of(mesh: Mesh) -> FloatArray | None:
        own = points.get(mesh.path) if mesh.path is not None else None
        return None if own is None else own * np.array(mesh.scale)

    return points_of, tuple(notes)


def _read(
    context: bpy.types.Context, rig: Rig, paths: list[Path], notes: list[str]
) -> dict[Path, FloatArray]:
    """The vertices of files, in metres and their own axes; those of no use are left out."""
    before = DataSnapshot.take()
    points = {}
    try:
        with temporary_scene(context) as workspace:
            settings = MeshSettings.of(rig.table.options)
            library = MeshLibrary(workspace, MaterialLibrary([]), notes, settings)
            meshes = {path: library.file(path) for path in paths}
            if settings.gltf_up == "AUTO" and any(path.suffix.lower() in GLTF for path in paths):
                _turn_gltf(workspace, rig, library)
            for path, mesh in meshes.items():
                if mesh is not None:
                    found = read_array(mesh.vertices, "co", np.float32, 3).astype(np.float64)
                    points[path] = frozen(found)
            library.finish()
    finally:
        before.remove_added()
    return points


def _turn_gltf(workspace: Workspace, rig: Rig, library: MeshLibrary) -> None:
    """Turn glTF files as the import did: by all that is seen of the robot."""
    options = rig.table.options
    whole = resolve_meshes(rig.robot, options.package_dirs)
    parts = list(collision_parts(whole))
    # without visuals nothing tells what is up
    if options.shown != "COLLISION":
        parts += visual_parts(whole)
    spare = MeshLibrary(workspace, MaterialLibrary([]), [], library.settings)
    library.read_files(part.geometry for part in parts if is_gltf(part.geometry))
    turn_gltf(parts, library, spare, [])
