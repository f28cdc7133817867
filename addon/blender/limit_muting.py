"""Which limit constraints have to be off, so that Blender shows the motion of the mechanism."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...core.dynamics import Model
from .joint_limits import is_inside, mute_limit
from .rig_access import Rig

FEW = 3  # followers that are told one by one
Ranges = Mapping[str, tuple[float, float]]


def mute_left_limits(rig: Rig, model: Model, ranges: Ranges) -> tuple[str, ...]:
    """Mute the limits that a motion leaves, until the next motion; returns the joints.

    Args:
        rig: the robot; model: the same, compiled.
        ranges: the least and the greatest value (rad or m) of joints that move by themselves;
            those of their followers are worked out here.
    """
    wide = dict(ranges)
    for joint, follower in model.followers.items():
        if follower.leader in ranges:
            ends = np.array(ranges[follower.leader]) * follower.multiplier + follower.offset
            wide[joint] = float(ends.min()), float(ends.max())
    muted = []
    for joint, (low, high) in wide.items():
        bone, sign = rig.pose_bone(joint), rig.bone_of_joint[joint].sign
        least, greatest = sorted((sign * low, sign * high))
        if not is_inside(bone, least, greatest):
            mute_limit(bone, for_motion=True)
            muted.append(joint)
    return tuple(muted)


def mute_limits_of_followers(rig: Rig, model: Model) -> list[str]:
    """Let followers go wherever their leaders take them; returns warnings of those that leave.

    A follower's own limits may disagree with its leader's, and its constraint would then show a
    pose that the mechanism does not have.
    """
    muted = []
    lower, upper = model.limits()
    for joint, follower in model.followers.items():
        leader = np.zeros(2)
        if follower.multiplier and follower.leader in model.joint_names:
            where = model.q_index(follower.leader)
            leader = np.concatenate((lower[where], upper[where]))
        ends = np.sort(follower.multiplier * leader + follower.offset)
        least, greatest = np.sort(rig.bone_of_joint[joint].sign * ends)
        if not is_inside(rig.pose_bone(joint), least, greatest):
            mute_limit(rig.pose_bone(joint))
            muted.append((joint, follower.leader))
    if len(muted) <= FEW:
        return [
            f"joint '{joint}' follows '{leader}' beyond its own limits: its constraint is muted"
            for joint, leader in muted
        ]
    names = ", ".join(f"'{joint}'" for joint, _ in muted)
    return [
        f"{len(muted)} joints follow others beyond their own limits: their constraints are "
        f"muted: {names}"
    ]
