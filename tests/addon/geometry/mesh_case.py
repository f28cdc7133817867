"""What the tests of mesh files share: a library to read them with, and what a mesh measures."""

from contextlib import contextmanager

import numpy as np


@contextmanager
def open_library(warnings):
    """A library of meshes; at the end of the block its meshes are kept, and nothing else."""
    import bpy
    from dynarig.addon.blender.geometry.materials import MaterialLibrary
    from dynarig.addon.blender.geometry.meshes import MeshLibrary
    from dynarig.addon.blender.workspace import temporary_scene

    with temporary_scene(bpy.context) as workspace:
        library = MeshLibrary(workspace, MaterialLibrary(warnings), warnings)
        yield library
        library.finish()


def bounds(mesh):
    """The least and the largest coordinates, (2, 3)."""
    points = np.array([vertex.co for vertex in mesh.vertices])
    return np.array([points.min(axis=0), points.max(axis=0)])


def signed_volume(mesh):
    """The volume; it is negative where the faces look inward."""
    mesh.calc_loop_triangles()
    points = np.array([vertex.co for vertex in mesh.vertices])
    return np.linalg.det(points[[t.vertices[:] for t in mesh.loop_triangles]]).sum() / 6
