"""Bring a rig back to what its robot table says, without touching its animation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...core.dynamics import compile_robot
from ..compat import existing_channels
from .bake.checks import check_editable
from .channels import PATHS
from .joint_limits import limit_settings, reset_limit, unmute_limit
from .joint_properties import set_names
from .limit_muting import mute_left_limits, mute_limits_of_followers
from .loops import mend_loops
from .mimic_drivers import set_mimic_drivers
from .pose import settle_rig
from .rig_access import Rig, open_rig

PROBES = 8  # places between two keys where a curve is looked at
# what `settle_rig` sets
CHANNELS = ("location", "rotation_euler", "scale")
LOCKS = ("lock_location", "lock_rotation", "lock_scale", "lock_rotation_w")
IK_LOCKS = ("lock_ik_x", "lock_ik_y", "lock_ik_z")


@dataclass(frozen=True)
class RepairResult:
    """What was mended on a robot: joints by name.

    Attributes:
        name: of the robot's object.
        drivers: mimic joints that follow their leaders again.
        channels: joints whose rotation mode, locks or other axes were not theirs; fixed ones
            whose bone could move, or had moved.
        limits: joints whose limit constraint was gone or different.
        names: joints whose bone did not tell their exact names any more.
        loops: loop joints that named another robot, or hung from another bone.
        problems: a line for each enabled loop joint that cannot be used.
    """

    name: str
    drivers: tuple[str, ...]
    channels: tuple[str, ...]
    limits: tuple[str, ...]
    names: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    def summary(self) -> str:
        """One line for the user."""
        parts = [
            f"{what} of {', '.join(joints)}"
            for what, joints in (
                ("mimic drivers", self.drivers),
                ("rotation modes and locks", self.channels),
                ("limit constraints", self.limits),
                ("name properties", self.names),
                ("loop joints", self.loops),
            )
            if joints
        ]
        told = f"mended {'; '.join(parts)}" if parts else "nothing to mend"
        return "; ".join((f"{self.name}: {told}", *self.problems))


def repair_rig(context: bpy.types.Context, armature_object: bpy.types.Object) -> RepairResult:
    """Reset rotation modes, locks, limit constraints and mimic drivers of a robot's bones.

    Loop joints that hang from it are checked, and made its own where they name another.

    F-curves stay as they are, and so do the poses of the joints. A limit that the keyed motion
    leaves is muted, as a bake would; all others are active afterwards.

    Args:
        context: whose view layer is brought up to date.
        armature_object: the robot.

    Returns:
        What was mended.

    Raises:
        RigError: for an object that is no robot, or one that cannot be repaired.
    """
    check_editable(armature_object)
    rig = open_rig(armature_object)
    # as the file says: what is wrong on a bone shall not keep it from being mended
    model = compile_robot(rig.robot, rig.table.floating_base)
    joints = {joint.name: joint for joint in rig.robot.joints}
    owners = rig.joint_of_bone
    before = _states(rig)
    settle_rig(rig)
    for record in rig.table.bones:
        bone = rig.pose_bones[record.id]
        unmute_limit(bone)
        if record.joint in joints:
            reset_limit(bone, joints[record.joint], record.sign)
    mute_limits_of_followers(rig, model)
    mute_left_limits(rig, model, keyed_ranges(rig, model.joint_names))
    drivers = set_mimic_drivers(rig, model)
    names = _tell_names(rig)
    loops, problems = mend_loops(rig)
    context.view_layer.update()
    after = _states(rig)
    return RepairResult(
        name=armature_object.name,
        drivers=drivers,
        channels=tuple(owners[key] for key in owners if before[key][0] != after[key][0]),
        limits=tuple(owners[key] for key in owners if before[key][1] != after[key][1]),
        names=names,
        loops=loops,
        problems=problems,
    )


def keyed_ranges(rig: Rig, joints: Iterable[str]) -> dict[str, tuple[float, float]]:
    """The least and the greatest value (rad or m) in the keys of joints with one channel."""
    owner = existing_channels(rig.object)
    ranges: dict[str, tuple[float, float]] = {}
    for joint in joints:
        paths = rig.channels[joint].paths
        if owner is None or len(paths) != 1:
            continue
        ((path, index),) = paths
        curve = owner.find(rig.pose_bone(joint).path_from_id(path), index)
        if curve is not None and not curve.mute and len(curve.keyframe_points):
            ends = rig.bone_of_joint[joint].sign * _range(curve)
            ranges[joint] = float(ends.min()), float(ends.max())
    return ranges


def _range(curve: bpy.types.FCurve) -> np.ndarray[Any, Any]:
    """The least and the greatest value (2,) at the keys and at places between them."""
    frames = np.array([point.co.x for point in curve.keyframe_points])
    between = frames[:-1, None] + np.diff(frames)[:, None] * np.arange(PROBES) / PROBES
    values = [curve.evaluate(frame) for frame in (*between.ravel(), frames[-1])]
    return np.array((min(values), max(values)))


def _tell_names(rig: Rig) -> tuple[str, ...]:
    """Give every bone the exact names of its joint and link; the joints where they were not."""
    moving = [(bone.id, bone.joint, bone.link) for bone in rig.table.bones]
    fixed = [(bone.id, None, bone.link) for bone in rig.table.fixed_bones]
    return tuple(
        rig.joint_of_bone[key]
        for key, joint, link in (*moving, *fixed)
        if set_names(rig.pose_bones[key], joint, link)
    )


def _states(rig: Rig) -> dict[str, tuple[Any, Any]]:
    """What a repair may change on each bone, by id: its channels, and its limits."""
    own = {record.id: PATHS[record.kind] for record in rig.table.bones}
    return {key: _state(bone, own.get(key, ())) for key, bone in rig.pose_bones.items()}


def _state(bone: bpy.types.PoseBone, own: tuple[tuple[str, int], ...]) -> tuple[Any, Any]:
    values = [
        value
        for path in CHANNELS
        for axis, value in enumerate(getattr(bone, path))
        if (path, axis) not in own
    ]
    locks = [tuple(getattr(bone, name)) for name in LOCKS[:-1]]
    flags = [getattr(bone, name) for name in (LOCKS[-1], *IK_LOCKS)]
    return (bone.rotation_mode, values, locks, flags), limit_settings(bone)
