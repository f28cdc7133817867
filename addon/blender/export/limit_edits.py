"""Joint limits as the bones' constraints have them now."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ....core.urdf.attributes import LARGEST_NUMBER
from ....core.urdf.document import Joint, Limit
from ...errors import RigError
from ..joint_limits import CONSTRAINT_NAME, KINDS, channel_limit, limit_constraint
from ..rig_access import Rig
from .seven_digits import rounded

Ends = tuple[float | None, float | None]
# what a constraint of a kind may limit
TYPES = {"LIMIT_ROTATION": ("revolute", "continuous"), "LIMIT_LOCATION": ("prismatic",)}


def with_edited_limit(rig: Rig, joint: Joint) -> Joint:
    """The joint with the limits of its bone; the same object where they are those of the file.

    A limit whose ends Blender cannot hold has no constraint, and stays as long as none is added.
    A constraint that was removed takes the limit away: a revolute joint becomes continuous, a
    prismatic one gets +-1e16. One that was added to a continuous joint makes it revolute.

    Raises:
        RigError: for a constraint whose least value is above its greatest, or no number.
    """
    record = rig.bone_of_joint.get(joint.name)
    if record is None or joint.type not in ("revolute", "continuous", "prismatic"):
        return joint
    made = channel_limit(joint, record.sign) or (None, None)
    now = _ends(rig, joint)
    if all(map(_is_same, made, now)):
        return joint
    _check_ends(rig, joint, now)
    # an end that was not edited keeps all its digits
    low, high = (
        old if _is_same(old, end) else None if end is None else rounded(end)
        for old, end in zip(made, now, strict=True)
    )
    if record.sign < 0:
        low, high = (None if end is None else -end + 0.0 for end in (high, low))
    limit = joint.limit or Limit()
    if joint.type == "prismatic":
        low = -LARGEST_NUMBER if low is None else low
        high = LARGEST_NUMBER if high is None else high
        return replace(joint, limit=replace(limit, lower=low, upper=high))
    if low is None or high is None:
        return replace(joint, type="continuous", limit=replace(limit, lower=None, upper=None))
    return replace(joint, type="revolute", limit=replace(limit, lower=low, upper=high))


def _ends(rig: Rig, joint: Joint) -> Ends:
    """The ends of the limit constraint on the joint's channel, muted or not."""
    kind = _kind(joint)
    assert kind in KINDS.values(), "limits are of these kinds"
    constraint = limit_constraint(rig.pose_bone(joint.name), kind)
    if constraint is None:
        return None, None
    # a constraint of the user's may limit something else
    if constraint.name != CONSTRAINT_NAME and constraint.owner_space != "LOCAL":
        return None, None
    if kind == "LIMIT_ROTATION":
        return (constraint.min_y, constraint.max_y) if constraint.use_limit_y else (None, None)
    return (
        constraint.min_y if constraint.use_min_y else None,
        constraint.max_y if constraint.use_max_y else None,
    )


def _check_ends(rig: Rig, joint: Joint, ends: Ends) -> None:
    low, high = ends
    given = [end for end in ends if end is not None]
    if all(map(math.isfinite, given)) and (low is None or high is None or low <= high):
        return
    bone = rig.pose_bone(joint.name)
    constraint = limit_constraint(bone, _kind(joint))
    raise RigError(
        f"robot '{rig.object.name}': constraint '{constraint.name}' of bone '{bone.name}' (joint "
        f"'{joint.name}') allows from {low} to {high}; wanted finite numbers, the least at most "
        "the greatest"
    )


def _kind(joint: Joint) -> str:
    """The type of the constraint that limits a joint."""
    return next(kind for kind, types in TYPES.items() if joint.type in types)


def _is_same(made: float | None, now: float | None) -> bool:
    """Whether an end is what import made of the file's, which Blender keeps in float32."""
    if made is None or now is None:
        return made is now
    return bool(np.float32(made) == np.float32(now))
