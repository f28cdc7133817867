"""Joint limits as bone constraints, where Blender can hold them."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ...core.urdf.document import Joint

CONSTRAINT_NAME = "URDF Limit"
# Constraints see angles modulo a turn: a limit at or past half a turn might clamp to the wrong
# end. Float32 angles need this much room (rad).
LARGEST_ANGLE = np.pi - 1e-6
# A value is taken to be inside a limit up to float32 noise (rad or m).
INSIDE = 1e-6
KINDS = {"revolute": "LIMIT_ROTATION", "prismatic": "LIMIT_LOCATION"}


def add_limit(bone: bpy.types.PoseBone, joint: Joint, sign: int) -> None:
    """Constrain the channel of a revolute or prismatic joint to the joint's limits.

    Angles beyond half a turn, and one-sided ones, get no constraint; they stay in the table.

    Args:
        bone: the joint's bone; sign: of the bone against the axis.
        joint: from the description.
    """
    if joint.limit is None or joint.type not in KINDS:
        return
    low, high = joint.limit.lower, joint.limit.upper
    if low is not None and high is not None and low > high:
        return
    if sign < 0:
        low, high = (None if end is None else -end for end in (high, low))
    if joint.type == "prismatic":
        _limit_slide(bone, low, high)
    elif low is not None and high is not None and max(-low, high) <= LARGEST_ANGLE:
        _limit_turn(bone, low, high)


def limit_of(bone: bpy.types.PoseBone) -> tuple[float, float] | None:
    """The (least, greatest) channel value that an active limit constraint allows, else None."""
    constraint = _constraint(bone)
    if constraint is None or constraint.mute or constraint.influence == 0.0:
        return None
    if constraint.type == "LIMIT_ROTATION":
        return constraint.min_y, constraint.max_y
    low = constraint.min_y if constraint.use_min_y else -np.inf
    high = constraint.max_y if constraint.use_max_y else np.inf
    return low, high


def is_inside(bone: bpy.types.PoseBone, least: float, greatest: float) -> bool:
    """Whether channel values from `least` to `greatest` pass the bone's constraint unchanged."""
    limit = limit_of(bone)
    return limit is None or (limit[0] - INSIDE <= least and greatest <= limit[1] + INSIDE)


def mute_limit(bone: bpy.types.PoseBone) -> None:
    """Switch the bone's limit constraint off."""
    constraint = _constraint(bone)
    if constraint is not None:
        constraint.mute = True


def is_rig_limit(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> bool:
    """Whether a constraint of the bone is the rig's own limit."""
    own = _constraint(bone)
    return own is not None and own.name == constraint.name


def _constraint(bone: bpy.types.PoseBone) -> Any:
    """The limit constraint of the rig; a user may have renamed it."""
    fitting = [item for item in bone.constraints if item.type in KINDS.values()]
    named = [item for item in fitting if item.name == CONSTRAINT_NAME]
    return next(iter(named or fitting), None)


def _limit_turn(bone: bpy.types.PoseBone, low: float, high: float) -> None:
    constraint: Any = bone.constraints.new("LIMIT_ROTATION")
    constraint.name = CONSTRAINT_NAME
    constraint.owner_space = "LOCAL"
    constraint.use_limit_y = True
    constraint.min_y, constraint.max_y = low, high
    constraint.use_transform_limit = True
    constraint.use_legacy_behavior = False


def _limit_slide(bone: bpy.types.PoseBone, low: float | None, high: float | None) -> None:
    constraint: Any = bone.constraints.new("LIMIT_LOCATION")
    constraint.name = CONSTRAINT_NAME
    constraint.owner_space = "LOCAL"
    if low is not None:
        constraint.use_min_y, constraint.min_y = True, low
    if high is not None:
        constraint.use_max_y, constraint.max_y = True, high
    constraint.use_transform_limit = True
