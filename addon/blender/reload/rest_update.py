"""The bones of a rig at rest where a new rig has them, in a copy of its armature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..bone_lengths import LENGTH_PER_DISTANCE
from ..matrices import from_blender, to_blender
from ..rig_access import REST_TOLERANCE, Rig
from ..robot_table import BONE_KEY
from ..workspace import Workspace
from .bone_matching import Matching


@dataclass(frozen=True)
class _Rest:
    """A bone of the new rig, as edit mode has it; parent is a name of the new rig."""

    id: str
    head: Vector
    tail: Vector
    roll: float
    parent: str | None
    matrix: Matrix


def updated_armature(
    workspace: Workspace, old: Rig, new: Rig, matching: Matching
) -> bpy.types.Armature:
    """A copy of a rig's armature data with the bones of the new rig.

    Bones that stay keep their lengths, and all that they have. Bones of the user's ride along
    with the ones above them; below a bone that goes, they hang from the next one above.

    Args:
        old: as it is, whatever was edited on its bones.
        new: whose bones already have the names that they shall have.
        matching: which is which.
    """
    rests = _rests(workspace, new)
    source = old.object.data
    assert isinstance(source, bpy.types.Armature)
    before = {bone.name: bone.matrix_local.copy() for bone in source.bones}
    kept = {old.pose_bones[record.id].name for record in matching.old.values()}
    gone = {old.pose_bones[record.id].name for record in matching.vanished}
    armature = source.copy()
    stand_in = bpy.data.objects.new(armature.name, armature)
    workspace.scene.collection.objects.link(stand_in)
    try:
        with workspace.override(stand_in):
            bpy.ops.object.mode_set(mode="EDIT")
            _edit(armature.edit_bones, rests, before, kept, gone, matching)
        with workspace.override(stand_in):
            bpy.ops.object.mode_set(mode="OBJECT")
    finally:
        bpy.data.objects.remove(stand_in)
    return armature


def is_at_rest(old: Rig, new: Rig, matching: Matching) -> bool:
    """Whether all bones are there and stand where the new rig has them."""
    if matching.vanished or len(matching.old) != len(matching.ids):
        return False
    return all(
        is_same_rest(
            from_blender(old.pose_bones[record.id].bone.matrix_local),
            from_blender(new.pose_bones[key].bone.matrix_local),
        )
        for key, record in matching.old.items()
    )


def _rests(workspace: Workspace, rig: Rig) -> dict[str, _Rest]:
    """All bones of a rig by name."""
    armature = rig.object.data
    assert isinstance(armature, bpy.types.Armature)
    matrices = {bone.name: bone.matrix_local.copy() for bone in armature.bones}
    if not matrices:
        return {}
    with workspace.override(rig.object):
        bpy.ops.object.mode_set(mode="EDIT")
        rests = {
            bone.name: _Rest(
                bone[BONE_KEY],
                bone.head.copy(),
                bone.tail.copy(),
                bone.roll,
                bone.parent.name if bone.parent else None,
                matrices[bone.name],
            )
            for bone in armature.edit_bones
        }
    with workspace.override(rig.object):
        bpy.ops.object.mode_set(mode="OBJECT")
    return rests


def _edit(
    bones: Any,
    rests: Mapping[str, _Rest],
    before: Mapping[str, Matrix],
    kept: set[str],
    gone: set[str],
    matching: Matching,
) -> None:
    """All that is done in edit mode."""
    strangers = {bone.name: _owner(bone, kept) for bone in bones if bone.name not in kept | gone}
    places = {name: bones[name].matrix.copy() for name in strangers}
    for name in gone:
        _hand_on_children(bones[name], gone)
    for name in gone:
        bones.remove(bones[name])
    moved = set()
    for name, rest in rests.items():
        if name not in kept:
            bone = bones.new(name)
            bone[BONE_KEY] = matching.ids[rest.id]
            bone.head, bone.tail, bone.roll = rest.head, rest.tail, rest.roll
        elif not is_same_rest(from_blender(before[name]), from_blender(rest.matrix)):
            moved.add(name)
            _move(bones[name], rest)
    for name, rest in rests.items():
        bones[name].use_connect = False
        bones[name].parent = bones[rest.parent] if rest.parent else None
    for name, owner in strangers.items():
        if owner in moved:
            delta = from_blender(rests[owner].matrix) @ np.linalg.inv(from_blender(before[owner]))
            bones[name].matrix = to_blender(delta @ from_blender(places[name]))


def _move(bone: Any, rest: _Rest) -> None:
    """Put a bone where it shall be; its length stays, unless its axis would be inexact."""
    length = max(bone.length, LENGTH_PER_DISTANCE * rest.head.length)
    along = rest.tail - rest.head
    bone.head = rest.head
    bone.tail = rest.head + along * (length / along.length)
    bone.roll = rest.roll


def _owner(bone: Any, kept: set[str]) -> str:
    """The bone of the rig that a bone of the user's rides on; empty for none."""
    while bone is not None and bone.name not in kept:
        bone = bone.parent
    return "" if bone is None else str(bone.name)


def _hand_on_children(bone: Any, gone: set[str]) -> None:
    above = bone.parent
    while above is not None and above.name in gone:
        above = above.parent
    for child in bone.children:
        child.use_connect = False
        child.parent = above


def is_same_rest(one: Any, other: Any) -> bool:
    """Whether two rest poses (4, 4) differ by rounding alone."""
    return bool(np.abs(one - other).max() <= REST_TOLERANCE * np.abs(other).max())
