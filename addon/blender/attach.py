"""Visual objects onto the rig: each hangs from the bone that carries its link."""

from __future__ import annotations

from collections.abc import Iterable

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.arrays import FloatArray
from .matrices import from_blender, to_blender
from .rig_access import Rig
from .visuals import VisualObject

# Euler angles lose digits near gimbal lock; an object that comes out further off than this,
# relative to its largest entry, is given a quaternion.
BASIS_TOLERANCE = 5e-7


def attach_visuals(rig: Rig, visuals: Iterable[VisualObject]) -> None:
    """Parent every visual to the bone of its link, or to the armature where no bone moves it."""
    for visual in visuals:
        link = rig.table.links[visual.link]
        obj = visual.object
        obj.parent = rig.object
        if link.bone is None:
            obj.parent_type = "OBJECT"
            obj.matrix_parent_inverse = Matrix.Identity(4)
        else:
            bone = rig.pose_bones[link.bone]
            obj.parent_type = "BONE"
            obj.parent_bone = bone.name
            # Blender hangs objects from a bone's tail; this takes them back to its head
            obj.matrix_parent_inverse = Matrix.Translation(Vector((0, -bone.bone.length, 0)))
        _place(obj, link.bone_from_link @ visual.link_from_visual)


def _place(obj: bpy.types.Object, bone_from_visual: FloatArray) -> None:
    wanted = to_blender(bone_from_visual)
    obj.matrix_basis = wanted
    off = np.abs(from_blender(obj.matrix_basis) - bone_from_visual).max()
    if off > BASIS_TOLERANCE * np.abs(bone_from_visual).max():
        obj.rotation_mode = "QUATERNION"
        obj.matrix_basis = wanted
