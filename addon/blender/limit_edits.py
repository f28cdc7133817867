"""Joint limits as the bones' constraints have them now."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ...core.urdf.document import Joint, Limit
from ..errors import RigError
from .joint_limits import CONSTRAINT_NAME, KINDS, channel_limit, limit_constraint
from .seven_digits import rounded

Ends = tuple[float | None, float | None]
# what a constraint of a kind may limit
TYPES = {"LIMIT_ROTATION": ("revolute", "continuous"), "LIMIT_LOCATION": ("prismatic",)}


def with_edited_limit(joint: Joint, bone: bpy.types.PoseBone, sign: int, owner: str) -> Joint:
    """The joint with the limits of its bone; the same object where they are those of the file.

    A limit whose ends Blender cannot hold has no constraint, and stays as long as none is added.
    A constraint that was removed takes the limit away: a revolute joint becomes continuous, a
    prismatic one has no ends. One that was added to a continuous joint makes it revolute. A muted
    constraint keeps its ends: a motion mutes those that it leaves.

    Args:
        joint: from the description.
        bone: that it moves; sign: of the bone against the axis.
        owner: whose it is, for the error.

    Raises:
        RigError: for a constraint whose least value is above its greatest, or no number.
    """
    kind = next((kind for kind, types in TYPES.items() if joint.type in types), None)
    if kind is None:
        return joint
    assert kind in KINDS.values(), "limits are of these kinds"
    made = channel_limit(joint, sign) or (None, None)
    constraint = limit_constraint(bone, kind)
    now = _ends(constraint)
    if all(map(_is_same, made, now)):
        return joint
    if not _in_order(now):
        raise RigError(
            f"{owner}: constraint '{constraint.name}' of bone '{bone.name}' (joint "
            f"'{joint.name}') allows from {now[0]} to {now[1]}; wanted finite numbers, the least "
            "at most the greatest"
        )
    # an end that was not edited keeps all its digits
    low, high = (
        old if _is_same(old, end) else None if end is None else rounded(end)
        for old, end in zip(made, now, strict=True)
    )
    if sign < 0:
        low, high = (None if end is None else -end + 0.0 for end in (high, low))
    limit = replace(joint.limit or Limit(), lower=low, upper=high)
    if joint.type == "prismatic":
        return replace(joint, limit=limit)
    return replace(joint, type="continuous" if low is None else "revolute", limit=limit)


def ends_of(joint: Joint) -> tuple[str, Ends]:
    """What an edit of a limit changes: the type of a joint and its ends (rad or m)."""
    limit = joint.limit or Limit()
    return joint.type, (limit.lower, limit.upper)


def _ends(constraint: Any) -> Ends:
    """The ends of a limit constraint on the joint's channel, muted or not; none without one."""
    if constraint is None:
        return None, None
    # a constraint of the user's may limit something else
    if constraint.name != CONSTRAINT_NAME and constraint.owner_space != "LOCAL":
        return None, None
    if constraint.type == "LIMIT_ROTATION":
        return (constraint.min_y, constraint.max_y) if constraint.use_limit_y else (None, None)
    return (
        constraint.min_y if constraint.use_min_y else None,
        constraint.max_y if constraint.use_max_y else None,
    )


def _in_order(ends: Ends) -> bool:
    low, high = ends
    given = [end for end in ends if end is not None]
    return all(map(math.isfinite, given)) and (low is None or high is None or low <= high)


def _is_same(made: float | None, now: float | None) -> bool:
    """Whether an end is what import made of the file's, which Blender keeps in float32."""
    if made is None or now is None:
        return made is now
    return bool(np.float32(made) == np.float32(now))
