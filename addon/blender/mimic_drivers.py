"""Mimic joints as drivers, in the simple expressions that run without script permission."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import bpy

from ...core.dynamics import Model
from .rig_access import Rig

VARIABLE = "leader"
CHANNEL = re.compile(r"pose\.bones\[.*\]\.(location|rotation_euler)\[1\]", re.DOTALL)


def set_mimic_drivers(rig: Rig, model: Model) -> tuple[str, ...]:
    """Drive the channel of every follower by its leader's; drivers that are right stay as they are.

    value = multiplier * leader + offset, each channel being sign * value. Chains are already
    folded in the model, so each driver reads the joint that moves by itself. Through Blender
    5.2 a renamed bone leaves its drivers behind; they are made again here.

    Returns:
        The joints whose drivers were made.
    """
    _remove_strays(rig, model)
    wrong = dict(_wrong_drivers(rig, model))
    # only now: new drivers would move those that were looked up
    for joint, (expression, leader) in wrong.items():
        _drive(rig, joint, expression, leader)
    return tuple(wrong)


def changed_mimics(rig: Rig, model: Model) -> tuple[str, ...]:
    """The followers whose channels are not driven as the description says."""
    return tuple(joint for joint, _ in _wrong_drivers(rig, model))


def _wrong_drivers(rig: Rig, model: Model) -> Iterator[tuple[str, tuple[str, str]]]:
    """Followers that are not driven right, each with expression and leader's path as wanted."""
    drivers: dict[str, list[bpy.types.FCurve]] = {}
    for curve in _drivers(rig.object):
        drivers.setdefault(_path(curve), []).append(curve)
    for joint, follower in model.followers.items():
        sign = rig.bone_of_joint[joint].sign
        expression, leader = repr(sign * follower.offset + 0.0), ""
        if follower.leader in rig.bone_of_joint:
            factor = sign * follower.multiplier * rig.bone_of_joint[follower.leader].sign
            expression = f"{factor!r} * {VARIABLE} + {expression}"
            leader = _channel(rig, follower.leader)
        if not _is_driven(rig, drivers.get(_channel(rig, joint), []), expression, leader):
            yield joint, (expression, leader)


def _channel(rig: Rig, joint: str) -> str:
    """The data path of a joint's one channel, with its index."""
    (path, index), *_ = rig.channels[joint].paths
    return f"{rig.pose_bone(joint).path_from_id(path)}[{index}]"


def _is_driven(rig: Rig, found: list[bpy.types.FCurve], expression: str, leader: str) -> bool:
    """Whether a channel has, of all drivers, just the one that `_drive` makes."""
    if len(found) != 1 or found[0].mute or len(found[0].keyframe_points) or found[0].modifiers:
        return False
    driver = found[0].driver
    # an invalid one was left behind for a while, and Blender does not run it any more
    if not driver.is_valid or (driver.type, driver.expression) != ("SCRIPTED", expression):
        return False
    inputs = [
        (item.name, item.type, item.targets[0].id, item.targets[0].data_path)
        for item in driver.variables
    ]
    return inputs == [(VARIABLE, "SINGLE_PROP", rig.object, leader)] * bool(leader)


def _remove_strays(rig: Rig, model: Model) -> None:
    """Remove mimic drivers that bones which got other names left where no follower is."""
    followers = {_channel(rig, joint) for joint in model.followers}
    own = {_channel(rig, joint) for joint in rig.channels}
    for curve in _drivers(rig.object):
        path = _path(curve)
        lost = path not in followers and (path in own or not _resolves(rig.object, curve.data_path))
        if lost and _is_mimic(curve):
            rig.object.animation_data.drivers.remove(curve)


def _is_mimic(curve: bpy.types.FCurve) -> bool:
    """Whether a driver looks like one that `_drive` makes, wherever it is."""
    channel = CHANNEL.fullmatch(_path(curve)) is not None
    variables = curve.driver.variables
    if curve.driver.type != "SCRIPTED" or not channel or len(variables) > 1:
        return False
    if len(variables):
        return variables[0].name == VARIABLE and variables[0].type == "SINGLE_PROP"
    try:
        float(curve.driver.expression)
    except ValueError:
        return False
    return True


def _drivers(obj: bpy.types.Object) -> list[bpy.types.FCurve]:
    return list(obj.animation_data.drivers) if obj.animation_data else []


def _path(curve: bpy.types.FCurve) -> str:
    return f"{curve.data_path}[{curve.array_index}]"


def _resolves(obj: bpy.types.Object, data_path: str) -> bool:
    try:
        obj.path_resolve(data_path)
    except ValueError:
        return False
    return True


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
