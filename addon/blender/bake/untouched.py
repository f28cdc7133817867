"""What a bake changes on a robot, put back should the bake fail half-way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from ..action_copy import kept_action
from ..joint_limits import MUTED_KEY, is_muted_for_motion
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

    Drivers are not among them: those of the rig are only ever mended. For the action see
    `kept_action`.
    """
    obj = rig.object
    poses = [(bone, _values(bone)) for bone in rig.pose_bones.values()]
    mutes = [(item, item.mute) for bone, _ in poses for item in bone.constraints]
    marks = [(bone, is_muted_for_motion(bone)) for bone, _ in poses]
    with kept_action(obj):
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
            raise


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
