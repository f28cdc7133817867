"""Pose bones brought up to date: channels, limits, numbers, drivers and the meaning of keys."""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics import Model
from ....core.urdf.document import Joint
from ...compat import curves_of, existing_channels, writable_channels
from ...errors import RigError
from ..channels import TRANSFORMS, JointChannels
from ..joint_limits import CONSTRAINT_NAME, KINDS, MUTED_KEY, channel_limit, reset_limit
from ..joint_properties import JOINT_KEY, NUMBERS, set_names, set_numbers
from ..limit_edits import with_edited_limit
from ..limit_muting import mute_left_limits, mute_limits_of_followers
from ..mimic_drivers import set_mimic_drivers
from ..pose import set_joint_values, settle_bone
from ..repair import keyed_ranges
from ..rig_access import Rig
from ..robot_table import BoneRecord, FixedBone
from .bone_matching import Record


def update_joints(
    rig: Rig, model: Model, old_records: Mapping[str, Record], old_joints: Mapping[str, Joint]
) -> list[str]:
    """Bring the bones of a rig up to date with its table.

    What the user changed on a bone stays, where the file says of it what it said before.

    Args:
        rig: updated; model: the same, compiled.
        old_records: by id, of the bones that were there before.
        old_joints: of the description before, by name.

    Returns:
        What is to be told: edits that were replaced, limits that were muted.
    """
    joints = {joint.name: joint for joint in rig.robot.joints}
    start = model.clamped(model.neutral())
    notes: list[str] = []
    for record in rig.table.bones:
        bone = rig.pose_bones[record.id]
        before = old_records.get(record.id)
        set_names(bone, record.joint, record.link)
        joint = joints.get(record.joint)
        if not isinstance(before, BoneRecord) or before.kind != record.kind:
            settle_bone(bone, record.kind)
            if joint is not None:
                reset_limit(bone, joint, record.sign)
                _forget_numbers(bone)
                set_numbers(bone, joint)
            if record.joint in model.joint_names:
                set_joint_values(rig, {record.joint: start[model.q_index(record.joint)]})
        elif joint is not None and before.joint in old_joints:
            notes += _update_limit(rig, record, before, old_joints[before.joint], joint)
            notes += _update_numbers(rig, record, old_joints[before.joint], joint)
    for fixed in rig.table.fixed_bones:
        bone = rig.pose_bones[fixed.id]
        if not isinstance(old_records.get(fixed.id), FixedBone):
            settle_bone(bone, None)
            _forget_joint(bone)
        set_names(bone, None, fixed.link)
    set_mimic_drivers(rig, model)
    mute_limits_of_followers(rig, model)
    return notes + _mute_left(rig, model)


def _mute_left(rig: Rig, model: Model) -> list[str]:
    """Mute the limits that keys leave; tells those that were not muted before."""
    muted = mute_left_limits(rig, model, keyed_ranges(rig, model.joint_names))
    if not muted:
        return []
    return [f"limits muted, the motion leaves them: {', '.join(muted)}"]


def _forget_joint(bone: bpy.types.PoseBone) -> None:
    """Take from a bone what it had of a joint that moved it."""
    for constraint in bone.constraints[:]:
        if constraint.name == CONSTRAINT_NAME:
            bone.constraints.remove(constraint)
    _forget_numbers(bone)
    for key in (JOINT_KEY, MUTED_KEY):
        if bone.get(key) is not None:
            del bone[key]


def _forget_numbers(bone: bpy.types.PoseBone) -> None:
    for number in NUMBERS:
        if bone.get(number.key) is not None:
            del bone[number.key]


def update_keys(
    rig: Rig,
    old_records: Mapping[str, Record],
    old_channels: Mapping[str, JointChannels],
    gone: Mapping[str, str],
) -> tuple[int, list[str]]:
    """Keep the motion that the keys are: those of bones that are gone are removed.

    A bone that points along the axis the other way round has its values the other way round.

    Args:
        rig: updated.
        old_records: by id, of the bones that were there before.
        old_channels: of the joints before, by name.
        gone: names of the bones that are no more, and what each is called in a note.

    Returns:
        How many curves were removed, and what else is to be told.
    """
    notes: list[str] = []
    factors: dict[tuple[str, int], float] = {}
    strange: dict[str, str] = {}
    records: dict[str, Record] = {record.id: record for record in rig.table.all_bones}
    for key, before in old_records.items():
        record = records.get(key)
        if record is None or not isinstance(before, BoneRecord):
            continue
        bone = rig.pose_bones[record.id]
        prefix = bone.path_from_id()
        old = old_channels[before.joint]
        if isinstance(record, FixedBone):
            told = f"joint '{before.joint}' (it is fixed)"
            strange |= {f"{prefix}.{path}": told for path in TRANSFORMS}
            continue
        new = rig.channels[record.joint]
        if old.paths != new.paths:
            told = f"joint '{record.joint}' (it moves in another way)"
            strange |= {f"{prefix}.{path}": told for path, _ in set(old.paths) - set(new.paths)}
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
    prefixes = {
        f'pose.bones["{bpy.utils.escape_identifier(name)}"]': told for name, told in gone.items()
    }
    return _change_curves(rig, prefixes, strange, factors, notes), notes


def _signs(old: JointChannels, new: JointChannels) -> FloatArray | None:
    """What each channel (n,) is multiplied by for the same q; None where they are mixed."""
    new_from_old = new.channels_from_q @ np.linalg.pinv(old.channels_from_q)
    signs: FloatArray = np.sign(np.diag(new_from_old))
    return signs if np.abs(new_from_old - np.diag(signs)).max() < 1e-5 else None


def _change_curves(
    rig: Rig,
    prefixes: Mapping[str, str],
    strange: Mapping[str, str],
    factors: Mapping[tuple[str, int], float],
    notes: list[str],
) -> int:
    """Remove and multiply F-curves of the robot's own animation, and note whose are removed."""
    own = existing_channels(rig.object)
    curves = [] if own is None else [(curve.data_path, curve.array_index) for curve in own]
    owners = {key: _owner(key[0], prefixes, strange) for key in curves}
    doomed = [key for key, owner in owners.items() if owner is not None]
    turned = [key for key in curves if key in factors]
    animation = rig.object.animation_data
    tracks = animation.nla_tracks if animation is not None else ()
    actions = {strip.action for track in tracks for strip in track.strips if strip.action}
    if any(
        _owner(curve.data_path, prefixes, strange) is not None
        or (curve.data_path, curve.array_index) in factors
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
    if doomed:
        names = dict.fromkeys(owner for owner in owners.values() if owner is not None)
        notes.insert(0, f"keys removed of {', '.join(names)}")
    return len(doomed)


def _owner(path: str, prefixes: Mapping[str, str], strange: Mapping[str, str]) -> str | None:
    """Whose curve, to be removed, has a data path; None for one that stays."""
    if path in strange:
        return strange[path]
    end = path.find('"]')
    # a name may hold these two as well, escaped
    while end >= 0 and path[: end + 2] not in prefixes:
        end = path.find('"]', end + 1)
    return prefixes[path[: end + 2]] if end >= 0 else None


def _update_limit(
    rig: Rig, record: BoneRecord, before: BoneRecord, old: Joint, new: Joint
) -> list[str]:
    """The limit of the bone, where the file has another; tells an edited one that it replaces."""
    if new.type not in KINDS and old.type not in KINDS:
        return []
    if channel_limit(old, before.sign) == channel_limit(new, record.sign) and old.type == new.type:
        return []
    bone = rig.pose_bones[record.id]
    edited = _is_limit_edited(bone, old, before.sign)
    reset_limit(bone, new, record.sign)
    return [_replaced(new, "limit")] if edited else []


def _is_limit_edited(bone: bpy.types.PoseBone, joint: Joint, sign: int) -> bool:
    try:
        return with_edited_limit(joint, bone, sign, "") != joint
    except RigError:
        # an edit that no bake would take
        return True


def _update_numbers(rig: Rig, record: BoneRecord, old: Joint, new: Joint) -> list[str]:
    """Properties of the bone for the numbers that the file changed; tells edits it replaces."""
    bone = rig.pose_bones[record.id]
    same = {number.key for number in NUMBERS if number.of(old) == number.of(new)}
    if len(same) == len(NUMBERS):
        return []
    others = [number for number in NUMBERS if number.key not in same]
    edited = [
        number.attribute
        for number in others
        if bone.get(number.key) not in (number.of(old), number.of(new))
    ]
    kept = {key: bone.get(key) for key in same}
    for number in others:
        if number.of(new) is None and bone.get(number.key) is not None:
            del bone[number.key]
    set_numbers(bone, new)
    for key, value in kept.items():
        if value is not None:
            bone[key] = value
        elif bone.get(key) is not None:
            del bone[key]
    return [_replaced(new, ", ".join(edited))] if edited else []


def _replaced(joint: Joint, what: str) -> str:
    return f"your edits of joint '{joint.name}' were replaced, the file changed them too: {what}"
