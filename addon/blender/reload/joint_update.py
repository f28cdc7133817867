"""Pose bones brought up to date: channels, limits, numbers, drivers and the meaning of keys."""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics import Model
from ....core.urdf.document import Joint
from ...compat import curves_of, existing_channels, writable_channels
from ..channels import JointChannels
from ..joint_limits import KINDS, channel_limit, reset_limit
from ..joint_properties import NUMBERS, set_names, set_numbers
from ..limit_muting import mute_left_limits, mute_limits_of_followers
from ..mimic_drivers import set_mimic_drivers
from ..pose import set_joint_values, settle_bone
from ..repair import keyed_ranges
from ..rig_access import Rig
from ..robot_table import BoneRecord
from .bone_matching import Record


def update_joints(
    rig: Rig, model: Model, old_records: Mapping[str, Record], old_joints: Mapping[str, Joint]
) -> None:
    """Bring the bones of a rig up to date with its table.

    What the user changed on a bone stays, where the file says of it what it said before.

    Args:
        rig: updated; model: the same, compiled.
        old_records: by id, of the bones that were there before.
        old_joints: of the description before, by name.
    """
    joints = {joint.name: joint for joint in rig.robot.joints}
    start = model.clamped(model.neutral())
    for record in rig.table.bones:
        bone = rig.pose_bones[record.id]
        before = old_records.get(record.id)
        set_names(bone, record.joint, record.link)
        joint = joints.get(record.joint)
        if not isinstance(before, BoneRecord) or before.kind != record.kind:
            settle_bone(bone, record.kind)
            if joint is not None:
                reset_limit(bone, joint, record.sign)
                set_numbers(bone, joint)
            if record.joint in model.joint_names:
                set_joint_values(rig, {record.joint: start[model.q_index(record.joint)]})
        elif joint is not None and before.joint in old_joints:
            _update_limit(rig, record, before, old_joints[before.joint], joint)
            _update_numbers(rig, record, old_joints[before.joint], joint)
    for fixed in rig.table.fixed_bones:
        bone = rig.pose_bones[fixed.id]
        set_names(bone, None, fixed.link)
        if fixed.id not in old_records:
            settle_bone(bone, None)
    set_mimic_drivers(rig, model)
    mute_limits_of_followers(rig, model)
    mute_left_limits(rig, model, keyed_ranges(rig, model.joint_names))


def update_keys(
    rig: Rig,
    old_records: Mapping[str, Record],
    old_channels: Mapping[str, JointChannels],
    gone: tuple[str, ...],
) -> tuple[int, list[str]]:
    """Keep the motion that the keys are: those of bones that are gone are removed.

    A bone that points along the axis the other way round has its values the other way round.

    Args:
        rig: updated.
        old_records: by id, of the bones that were there before.
        old_channels: of the joints before, by name.
        gone: names of the bones that are no more.

    Returns:
        How many curves were removed, and what else is to be told.
    """
    notes: list[str] = []
    factors: dict[tuple[str, int], float] = {}
    strange: set[str] = set()
    for record in rig.table.bones:
        before = old_records.get(record.id)
        if not isinstance(before, BoneRecord):
            continue
        bone = rig.pose_bones[record.id]
        prefix = bone.path_from_id()
        old, new = old_channels[before.joint], rig.channels[record.joint]
        if old.paths != new.paths:
            strange |= {f"{prefix}.{path}" for path, _ in set(old.paths) - set(new.paths)}
            continue
        signs = _signs(old, new)
        if signs is None:
            notes.append(f"keys of joint '{record.joint}' are kept, and mean another motion now")
            continue
        for (path, index), factor in zip(new.paths, signs, strict=True):
            if factor != 1.0:
                factors[f"{prefix}.{path}", index] = factor
                channel = getattr(bone, path)
                channel[index] = factor * channel[index]
    prefixes = tuple(f'pose.bones["{bpy.utils.escape_identifier(name)}"]' for name in gone)
    return _change_curves(rig, prefixes, strange, factors, notes), notes


def _signs(old: JointChannels, new: JointChannels) -> FloatArray | None:
    """What each channel (n,) is multiplied by for the same q; None where they are mixed."""
    new_from_old = new.channels_from_q @ np.linalg.pinv(old.channels_from_q)
    signs: FloatArray = np.sign(np.diag(new_from_old))
    return signs if np.abs(new_from_old - np.diag(signs)).max() < 1e-5 else None


def _change_curves(
    rig: Rig,
    prefixes: tuple[str, ...],
    strange: set[str],
    factors: Mapping[tuple[str, int], float],
    notes: list[str],
) -> int:
    """Remove and multiply F-curves of the robot's own animation."""
    own = existing_channels(rig.object)
    curves = [] if own is None else [(curve.data_path, curve.array_index) for curve in own]
    doomed = [key for key in curves if key[0].startswith(prefixes) or key[0] in strange]
    turned = [key for key in curves if key in factors]
    animation = rig.object.animation_data
    tracks = animation.nla_tracks if animation is not None else ()
    actions = {strip.action for track in tracks for strip in track.strips if strip.action}
    if any(
        curve.data_path.startswith(prefixes) or (curve.data_path, curve.array_index) in factors
        for action in actions
        for curve in curves_of(action)
    ):
        notes.append("actions in NLA strips are kept as they are, and mean another motion now")
    if not doomed and not turned:
        return 0
    channels = writable_channels(rig.object, rig.object.name)
    for path, index in turned:
        curve = channels.find(path, index)
        assert curve is not None, "it was found a moment ago"
        for point in curve.keyframe_points:
            for name in ("co", "handle_left", "handle_right"):
                getattr(point, name)[1] *= factors[path, index]
        curve.update()
    for path, index in doomed:
        channels.remove(path, index)
    return len(doomed)


def _update_limit(rig: Rig, record: BoneRecord, before: BoneRecord, old: Joint, new: Joint) -> None:
    if new.type not in KINDS and old.type not in KINDS:
        return
    if channel_limit(old, before.sign) == channel_limit(new, record.sign) and old.type == new.type:
        return
    reset_limit(rig.pose_bones[record.id], new, record.sign)


def _update_numbers(rig: Rig, record: BoneRecord, old: Joint, new: Joint) -> None:
    """Properties of the bone for the numbers that the file changed."""
    bone = rig.pose_bones[record.id]
    same = {number.key for number in NUMBERS if number.of(old) == number.of(new)}
    if len(same) == len(NUMBERS):
        return
    kept = {key: bone.get(key) for key in same}
    for number in NUMBERS:
        if number.key not in same and number.of(new) is None and bone.get(number.key) is not None:
            del bone[number.key]
    set_numbers(bone, new)
    for key, value in kept.items():
        if value is not None:
            bone[key] = value
        elif bone.get(key) is not None:
            del bone[key]
