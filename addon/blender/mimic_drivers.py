"""Mimic joints as drivers, in the simple expressions that run without script permission."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.dynamics import Model
from .rig_access import Rig

VARIABLE = "leader"


def set_mimic_drivers(rig: Rig, model: Model) -> None:
    """Drive the channel of every follower by its leader's; drivers that are right stay as they are.

    value = multiplier * leader + offset, each channel being sign * value. Chains are already
    folded in the model, so each driver reads the joint that moves by itself. Through Blender
    5.2 a renamed bone leaves its drivers behind; they are made again here.
    """
    if not model.followers:
        return
    _remove_stranded(rig.object)
    for joint, follower in model.followers.items():
        sign = rig.bone_of_joint[joint].sign
        expression, leader = repr(sign * follower.offset + 0.0), ""
        if follower.leader in rig.bone_of_joint:
            factor = sign * follower.multiplier * rig.bone_of_joint[follower.leader].sign
            expression = f"{factor!r} * {VARIABLE} + {expression}"
            leader = _channel(rig, follower.leader)
        if not _is_driven(rig, joint, leader):
            _drive(rig, joint, expression, leader)


def _channel(rig: Rig, joint: str) -> str:
    """The data path of a joint's one channel, with its index."""
    (path, index), *_ = rig.channels[joint].paths
    return f"{rig.pose_bone(joint).path_from_id(path)}[{index}]"


def _is_driven(rig: Rig, joint: str, leader: str) -> bool:
    """Whether the joint's channel has a driver that reads the leader's."""
    animation = rig.object.animation_data
    if animation is None:
        return False
    for curve in animation.drivers:
        if f"{curve.data_path}[{curve.array_index}]" == _channel(rig, joint):
            variables = curve.driver.variables
            return [item.targets[0].data_path for item in variables] == [leader] * bool(leader)
    return False


def _remove_stranded(obj: bpy.types.Object) -> None:
    """Remove the drivers of bones that are no longer called as they were."""
    animation = obj.animation_data
    for curve in animation.drivers[:] if animation else ():
        if not curve.data_path.startswith("pose.bones["):
            continue
        try:
            obj.path_resolve(curve.data_path)
        except ValueError:
            animation.drivers.remove(curve)


def _drive(rig: Rig, joint: str, expression: str, leader: str) -> None:
    (path, index), *_ = rig.channels[joint].paths
    bone = rig.pose_bone(joint)
    bone.driver_remove(path, index)
    curve: Any = bone.driver_add(path, index)
    # a driver's value is mapped by its curve: an empty one passes it on as it is, whereas the
    # keys that newer versions put there turn values within 1e-4 of 0 into 0, and likewise at 1
    curve.keyframe_points.clear()
    for modifier in curve.modifiers[:]:
        curve.modifiers.remove(modifier)
    driver = curve.driver
    driver.type = "SCRIPTED"
    if leader:
        variable = driver.variables.new()
        variable.name = VARIABLE
        variable.type = "SINGLE_PROP"
        variable.targets[0].id = rig.object
        variable.targets[0].data_path = leader
    driver.expression = expression
