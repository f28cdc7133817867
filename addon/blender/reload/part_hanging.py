"""Parts onto the bones and into the collections of a robot that is brought up to date."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ....core.arrays import FloatArray
from ....core.frames import transform_from_xyz_rpy
from ....core.urdf.document import Collision, Visual
from ..matrices import from_blender
from ..parts import PART_KEY, PartTag, hide_collisions
from ..parts.sub_collections import find_sub_collection, sub_collection
from ..rig_access import Rig

MOVED = 1e-4  # how far an object is off its place that was moved by hand, relative to 1 m


def place_part(rig: Rig, obj: bpy.types.Object, made: bpy.types.Object) -> None:
    """Hang an object of the robot where another one, made on a new rig, hangs."""
    obj.parent = rig.object
    obj.parent_type, obj.parent_bone = made.parent_type, made.parent_bone
    inverse = Matrix.Identity(4)
    if made.parent_type == "BONE":
        inverse = _head_from_tail(rig.object.data.bones[made.parent_bone])
    obj.matrix_parent_inverse = inverse
    obj.rotation_mode = made.rotation_mode
    obj.matrix_basis = made.matrix_basis


def take_in(rig: Rig, obj: bpy.types.Object, tag: PartTag, made_for: bpy.types.Object) -> None:
    """Make a part that was made for another rig's object one of this rig's."""
    place_part(rig, obj, obj)
    for modifier in obj.modifiers:
        target: Any = modifier
        if getattr(target, "object", None) == made_for:
            target.object = rig.object
    for collection in obj.users_collection[:]:
        collection.objects.unlink(obj)
    own = _own_collection(rig.object)
    if tag.role in ("visual", "skin"):
        own.objects.link(obj)
        return
    was_there = find_sub_collection(own, tag.role) is not None
    sub_collection(own, tag.role).objects.link(obj)
    if tag.role == "collision" and not was_there:
        hide_collisions(own)


def is_off_bones(robot: bpy.types.Object, obj: bpy.types.Object) -> bool:
    """Whether an object hangs from a bone of the robot that is not there."""
    armature = robot.data
    assert isinstance(armature, bpy.types.Armature)
    on_a_bone = obj.parent == robot and obj.parent_type == "BONE"
    return on_a_bone and obj.parent_bone not in armature.bones


def is_moved(obj: bpy.types.Object, bone_from_link: FloatArray, shape: Visual | Collision) -> bool:
    """Whether an object stands elsewhere than an import puts it.

    Args:
        bone_from_link: (4, 4) of its link in the bone that it hangs from.
        shape: of the description that it was made from.
    """
    made = bone_from_link @ transform_from_xyz_rpy(shape.origin.xyz, shape.origin.rpy)
    made = made @ np.diag([*getattr(shape.geometry, "scale", (1.0, 1.0, 1.0)), 1.0])
    off = np.abs(from_blender(obj.matrix_basis) - made).max()
    return bool(off > MOVED * max(1.0, float(np.abs(made).max())))


def mend_bone(rig: Rig, link: str, parts: Iterable[bpy.types.Object]) -> None:
    """Hang parts of a link whose bone is not there from the one of the link."""
    if link not in rig.table.links:
        return
    bone, _ = rig.hanging(link)
    for obj in parts:
        if not is_off_bones(rig.object, obj):
            continue
        if bone is None:
            obj.parent_type = "OBJECT"
        else:
            obj.parent_bone = bone.name
        # Blender has forgotten it with the bone
        obj.matrix_parent_inverse = Matrix() if bone is None else _head_from_tail(bone.bone)


def _head_from_tail(bone: bpy.types.Bone) -> Matrix:
    """What takes an object back to the head of its bone: Blender hangs it from the tail."""
    return Matrix.Translation(Vector((0.0, -bone.length, 0.0)))


def _own_collection(robot: bpy.types.Object) -> bpy.types.Collection:
    """The collection that a robot is in: the one with its sub-collections, else the first."""
    collections = robot.users_collection
    for collection in collections:
        if any(child.get(PART_KEY) for child in collection.children):
            return collection
    return collections[0]
