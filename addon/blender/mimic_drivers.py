"""Mimic joints as drivers, in the simple expressions that run without script permission."""

from __future__ import annotations

from typing import Any

from ...core.dynamics import Model
from .rig_access import Rig


def add_mimic_drivers(rig: Rig, model: Model) -> None:
    """Drive the channel of every follower by its leader's.

    value = multiplier * leader + offset, each channel being sign * value. Chains are already
    folded in the model, so each driver reads the joint that moves by itself.
    """
    for joint, follower in model.followers.items():
        sign = rig.bone_of_joint[joint].sign
        offset = sign * follower.offset
        if follower.leader not in rig.bone_of_joint:
            _drive(rig, joint, repr(offset), None)
            continue
        factor = sign * follower.multiplier * rig.bone_of_joint[follower.leader].sign
        _drive(rig, joint, f"{factor!r} * leader + {offset!r}", follower.leader)


def _drive(rig: Rig, joint: str, expression: str, leader: str | None) -> None:
    (path, index), *_ = rig.channels[joint].paths
    curve = rig.pose_bone(joint).driver_add(path, index)
    driver: Any = curve.driver
    driver.type = "SCRIPTED"
    if leader is not None:
        variable = driver.variables.new()
        variable.name = "leader"
        variable.type = "SINGLE_PROP"
        target = variable.targets[0]
        target.id = rig.object
        (leader_path, leader_index), *_ = rig.channels[leader].paths
        bone = rig.pose_bone(leader)
        target.data_path = f"{bone.path_from_id(leader_path)}[{leader_index}]"
    driver.expression = expression
