"""What a bake changes on a robot, put back should the bake fail half-way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ...compat import HAS_ACTION_SLOTS
from ..joint_limits import MUTED_KEY, is_muted_for_motion
from ..leftovers import remove_blocks
from ..rig_access import Rig

POSE = (
    "rotation_mode",
    "location",
    "rotation_euler",
    "rotation_quaternion",
    "scale",
    "lock_location",
    "lock_rotation",
    "lock_rotation_w",
    "lock_scale",
    "lock_ik_x",
    "lock_ik_y",
    "lock_ik_z",
)


@contextmanager
def all_or_nothing(rig: Rig) -> Iterator[None]:
    """Put pose, locks, constraints and keys of a robot back if the block raises.

    Drivers are not among them: those of the rig are only ever mended. An action that was changed
    is replaced by a copy of itself, so that old references to it are invalid after a failure.
    """
    obj = rig.object
    poses = [(bone, _values(bone)) for bone in rig.pose_bones.values()]
    mutes = [(item, item.mute) for bone, _ in poses for item in bone.constraints]
    marks = [(bone, is_muted_for_motion(bone)) for bone, _ in poses]
    existing = set(bpy.data.actions)
    had_animation = obj.animation_data is not None
    action, slot = _action_and_slot(obj)
    # a linked action is never written to
    kept = action.copy() if action is not None and action.library is None else None
    try:
        yield
    except BaseException:
        for bone, values in poses:
            for name, value in values.items():
                setattr(bone, name, value)
        for constraint, mute in mutes:
            constraint.mute = mute
        for bone, muted in marks:
            _set_mark(bone, muted)
        _restore_action(obj, action, kept, slot)
        remove_blocks(set(bpy.data.actions) - existing - {kept})
        if not had_animation:
            obj.animation_data_clear()
        raise
    if kept is not None:
        bpy.data.actions.remove(kept)


def _set_mark(bone: bpy.types.PoseBone, muted: bool) -> None:
    """Whether the limit of a bone was muted for a motion."""
    if muted:
        bone[MUTED_KEY] = True
    elif is_muted_for_motion(bone):
        del bone[MUTED_KEY]


def _values(bone: bpy.types.PoseBone) -> dict[str, Any]:
    values = {name: getattr(bone, name) for name in POSE}
    return {
        name: value if isinstance(value, str | bool) else value[:] for name, value in values.items()
    }


def _action_and_slot(obj: bpy.types.Object) -> tuple[bpy.types.Action | None, str | None]:
    animation = obj.animation_data
    if animation is None or animation.action is None:
        return None, None
    slot = animation.action_slot if HAS_ACTION_SLOTS else None
    return animation.action, None if slot is None else slot.identifier


def _restore_action(
    obj: bpy.types.Object,
    action: bpy.types.Action | None,
    kept: bpy.types.Action | None,
    slot: str | None,
) -> None:
    """Let the object have the action that it had, with the content that it had."""
    animation: Any = obj.animation_data
    if animation is None:
        return
    if action is not None and kept is not None:
        name, fake = action.name, action.use_fake_user
        action.user_remap(kept)
        bpy.data.actions.remove(action)
        kept.name, kept.use_fake_user = name, fake
        action = kept
    animation.action = action
    if slot is not None:
        animation.action_slot = animation.action.slots[slot]
