"""Joint limits as bone constraints, where Blender can hold them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy
import numpy as np

from ...core.urdf.attributes import LARGEST_NUMBER
from ...core.urdf.document import Joint

CONSTRAINT_NAME = "URDF Limit"
MUTED_KEY = "dynarig_muted"  # on a pose bone: its limit was muted for a motion that leaves it
# Constraints see angles modulo a turn: a limit at or past half a turn might clamp to the wrong
# end. Float32 angles need this much room (rad).
LARGEST_ANGLE = np.pi - 1e-6
# A value is taken to be inside a limit up to float32 noise (rad or m).
INSIDE = 1e-6
# what says nothing about where a constraint lets a bone be
LOOKS = {"rna_type", "is_valid", "error_location", "error_rotation", "show_expanded", "active"}
KINDS = {"revolute": "LIMIT_ROTATION", "prismatic": "LIMIT_LOCATION"}


def add_limit(bone: bpy.types.PoseBone, joint: Joint, sign: int, pattern: Any = None) -> Any:
    """Constrain the channel of a revolute or prismatic joint to the joint's limits.

    Angles beyond half a turn, and one-sided ones, get no constraint; they stay in the table, and
    `unheld_limits` tells them.

    Args:
        bone: the joint's bone; sign: of the bone against the axis.
        joint: from the description.
        pattern: what this has returned for another bone. For each name that is set Blender goes
            through the whole file, 0.5 ms beside 5,000 objects; a copy has its name already.

    Returns:
        A pattern for other bones, if there is one.
    """
    limit = channel_limit(joint, sign)
    if limit is None:
        return pattern
    # of an angle's limit all that is ever set is set for each
    alike = joint.type == "revolute"
    if alike and pattern is not None:
        constraint: Any = bone.constraints.copy(pattern)
    else:
        constraint = bone.constraints.new(KINDS[joint.type])  # type: ignore[arg-type]
        constraint.name = CONSTRAINT_NAME
    _set_limit(constraint, *limit)
    return constraint if alike else pattern


def reset_limit(bone: bpy.types.PoseBone, joint: Joint, sign: int) -> None:
    """Make the bone's limit constraint, active, what `add_limit` makes; no other is touched."""
    limit = channel_limit(joint, sign)
    kind = KINDS[joint.type] if limit else ""
    own = limit_constraint(bone, kind)
    for constraint in bone.constraints[:]:
        if constraint.name == CONSTRAINT_NAME and constraint.type != kind:
            bone.constraints.remove(constraint)
    if limit is None:
        return
    if own is None:
        add_limit(bone, joint, sign)
    else:
        _set_limit(own, *limit)


def limit_settings(bone: bpy.types.PoseBone) -> list[dict[str, Any]]:
    """All that the limit constraints of a bone are set to."""
    return [
        {
            prop.identifier: getattr(constraint, prop.identifier)
            for prop in constraint.bl_rna.properties
            if prop.identifier not in LOOKS
        }
        for constraint in bone.constraints
        if constraint.type in KINDS.values()
    ]


def limit_of(bone: bpy.types.PoseBone) -> tuple[float, float] | None:
    """The (least, greatest) channel value that an active limit constraint allows, else None."""
    constraint = limit_constraint(bone)
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


def mute_limit(bone: bpy.types.PoseBone, *, for_motion: bool = False) -> None:
    """Switch the bone's limit constraint off; `for_motion` only until the next motion."""
    constraint = limit_constraint(bone)
    if constraint is not None:
        constraint.mute = True
        if for_motion:
            bone[MUTED_KEY] = True


def unmute_limit(bone: bpy.types.PoseBone) -> None:
    """Switch on again what was muted for a motion, and nothing that the user muted."""
    if not is_muted_for_motion(bone):
        return
    del bone[MUTED_KEY]
    constraint = limit_constraint(bone)
    if constraint is not None:
        constraint.mute = False


def is_muted_for_motion(bone: bpy.types.PoseBone) -> bool:
    """Whether the bone's limit was muted for a motion."""
    return bone.get(MUTED_KEY) is not None


def is_rig_limit(bone: bpy.types.PoseBone, constraint: bpy.types.Constraint) -> bool:
    """Whether a constraint of the bone is the rig's own limit."""
    own = limit_constraint(bone)
    return own is not None and own.name == constraint.name


def limit_constraint(bone: bpy.types.PoseBone, kind: str | None = None) -> Any:
    """The limit constraint of the rig, of that kind if one is given; it may have been renamed."""
    kinds = KINDS.values() if kind is None else (kind,)
    fitting = [item for item in bone.constraints if item.type in kinds]
    named = [item for item in fitting if item.name == CONSTRAINT_NAME]
    return next(iter(named or fitting), None)


def channel_limit(joint: Joint, sign: int) -> tuple[float | None, float | None] | None:
    """The ends for the channel of a joint; None where Blender cannot hold them, or has none."""
    if joint.limit is None or joint.type not in KINDS:
        return None
    low, high = map(_bound, (joint.limit.lower, joint.limit.upper))
    if (low is None and high is None) or (low is not None and high is not None and low > high):
        return None
    if sign < 0:
        low, high = (None if end is None else -end for end in (high, low))
    if joint.type == "prismatic":
        return low, high
    held = low is not None and high is not None and max(-low, high) <= LARGEST_ANGLE
    return (low, high) if held else None


def unheld_limits(joints: Iterable[Joint]) -> list[str]:
    """One warning for the joints whose limits add_limit cannot make; none where there are none."""
    names = [
        joint.name
        for joint in joints
        if joint.limit is not None
        and joint.type in KINDS
        and (_bound(joint.limit.lower), _bound(joint.limit.upper)) != (None, None)
        and channel_limit(joint, 1) is None
    ]
    if not names:
        return []
    have = "1 joint has" if len(names) == 1 else f"{len(names)} joints have"
    them = ", ".join(f"'{name}'" for name in names)
    return [
        f"{have} limits that a bone constraint cannot hold (at or past half a turn, or one-sided): "
        f"{them}; the panel shows them and bakes keep them"
    ]


def _bound(end: float | None) -> float | None:
    """An end of a limit; None for what stands for no end."""
    return None if end is None or abs(end) >= LARGEST_NUMBER else end


def _set_limit(constraint: Any, low: float | None, high: float | None) -> None:
    """Limit Y in local space to the ends that are there, and nothing else; active."""
    constraint.owner_space = "LOCAL"
    constraint.use_transform_limit = True
    constraint.influence = 1.0
    constraint.mute = False
    if constraint.type == "LIMIT_ROTATION":
        constraint.use_limit_x, constraint.use_limit_y, constraint.use_limit_z = False, True, False
        constraint.min_y, constraint.max_y = low, high
        constraint.euler_order = "AUTO"
        constraint.use_legacy_behavior = False
        return
    for axis in "xyz":
        for end, value in (("min", low), ("max", high)):
            used = axis == "y" and value is not None
            setattr(constraint, f"use_{end}_{axis}", used)
            if used:
                setattr(constraint, f"{end}_{axis}", value)
