"""The ground of a simulation: mesh files as objects that stand still and are seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from dynarig.addon.blender.geometry.materials import MaterialLibrary
from dynarig.addon.blender.geometry.mesh_arrays import read_array
from dynarig.addon.blender.geometry.meshes import MeshLibrary
from dynarig.addon.blender.labels import label
from dynarig.addon.blender.workspace import temporary_scene
from dynarig.core.errors import DynarigError

COLLECTION = "Ground"
COLOUR = (0.62, 0.58, 0.52, 1.0)  # on the display, of what the file leaves without one


class GroundError(DynarigError):
    """A mesh file that cannot be the ground."""


@dataclass(frozen=True)
class Ground:
    """The objects that are the ground, by name; their lowest height, m; notes of their files."""

    objects: tuple[str, ...] = ()
    lowest: float = 0.0
    notes: tuple[str, ...] = ()


def load_ground(context: bpy.types.Context, paths: Sequence[Path]) -> Ground:
    """Mesh files, in metres and their own axes, as objects in a collection of the scene.

    Raises:
        GroundError: for a file that cannot be used, with the reason.
    """
    if not paths:
        return Ground()
    notes: list[str] = []
    materials = MaterialLibrary(notes)
    meshes = []
    with temporary_scene(context) as workspace:
        library = MeshLibrary(workspace, materials, notes)
        for path in dict.fromkeys(paths):
            mesh = library.file(path)
            if mesh is None:
                library.finish()
                raise GroundError(f"--ground: {notes[-1]}")
            meshes.append(mesh)
        library.finish()
    collection = bpy.data.collections.new(COLLECTION)
    assert context.scene is not None
    context.scene.collection.children.link(collection)
    names, lowest = [], np.inf
    for mesh in meshes:
        for index, material in enumerate(mesh.materials):
            if material is None:
                mesh.materials[index] = materials.coloured(COLLECTION, COLOUR)
        obj = bpy.data.objects.new(label(mesh.name), mesh)
        collection.objects.link(obj)
        names.append(obj.name)
        lowest = min(lowest, float(read_array(mesh.vertices, "co", np.float32, 3)[:, 2].min()))
    context.view_layer.update()
    return Ground(tuple(names), lowest, tuple(notes))
