"""Visual objects onto the rig: each hangs from the bone of its link."""

from __future__ import annotations

from collections.abc import Iterable

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.arrays import FloatArray
from .geometry.visuals import VisualObject
from .matrices import from_blender, to_blender
from .rig_access import Rig

# Euler angles lose digits near gimbal lock; an object that comes out further off than this,
# relative to its largest entry, is given a quaternion.
BASIS_TOLERANCE = 5e-7


def attach_visuals(rig: Rig, visuals: Iterable[VisualObject]) -> None:
    """Parent every visual to the bone of its link, or to the armature where there is none."""
    for visual in visuals:
        bone, bone_from_link = rig.hanging(visual.link)
        hang_from(rig.object, bone, visual.object, bone_from_link @ visual.link_from_visual)


def hang_from(
    armature: bpy.types.Object,
    bone: bpy.types.PoseBone | None,
    obj: bpy.types.Object,
    bone_from_object: FloatArray,
) -> None:
    """Parent an object to a bone, or to the armature itself, at a (4, 4) pose there."""
    obj.parent = armature
    if bone is None:
        obj.parent_type = "OBJECT"
        obj.matrix_parent_inverse = Matrix.Identity(4)
    else:
        obj.parent_type = "BONE"
        obj.parent_bone = bone.name
        # Blender hangs objects from a bone's tail; this takes them back to its head
        obj.matrix_parent_inverse = Matrix.Translation(Vector((0, -bone.bone.length, 0)))
    place(obj, bone_from_object)


def place(obj: bpy.types.Object, parent_from_object: FloatArray) -> None:
    """Set an object's own transform to a (4, 4) pose, to the digits that Blender has."""
    wanted = to_blender(parent_from_object)
    obj.matrix_basis = wanted
    off = np.abs(from_blender(obj.matrix_basis) - parent_from_object).max()
    if off > BASIS_TOLERANCE * np.abs(parent_from_object).max():
        obj.rotation_mode = "QUATERNION"
        obj.matrix_basis = wanted
