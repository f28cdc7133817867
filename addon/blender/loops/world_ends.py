"""Loop joints to the armature's own frame, where that frame does not stand still."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ....core.dynamics.constraints import Constraint, Port
from ...compat import existing_channels

MOVES = ("location", "rotation", "scale", "delta_")  # how the paths of an object's place begin


def world_end_warnings(
    robot: bpy.types.Object, constraints: Sequence[Constraint]
) -> tuple[str, ...]:
    """A line where loop joints hold the robot to its origin, and something moves that.

    Args:
        robot: the armature object; constraints: its loop joints.
    """
    joints = [
        f"'{own.name}'"
        for own in constraints
        if any(isinstance(port, Port) and port.link is None for port in _ports(own))
    ]
    mover = _mover(robot)
    if not joints or mover is None:
        return ()
    which = "loop joint" if len(joints) == 1 else "loop joints"
    return (
        f"{mover} is animated, and the origin end of {which} {', '.join(joints)} moves with the "
        "armature, of whose motion the simulation knows nothing",
    )


def _ports(constraint: Constraint) -> tuple[object, object]:
    return getattr(constraint, "a", None), getattr(constraint, "b", None)


def _mover(robot: bpy.types.Object) -> str | None:
    """What animates the armature object or one of its parents, in words."""
    if _is_animated(robot, MOVES):
        return f"armature '{robot.name}'"
    parent = robot.parent
    while parent is not None:
        # a parent may also take it along by its bones or its shape
        if _is_animated(parent, ("",)):
            return f"'{parent.name}', which carries armature '{robot.name}',"
        parent = parent.parent
    return None


def _is_animated(obj: bpy.types.Object, paths: tuple[str, ...]) -> bool:
    """Whether keys, drivers, strips or constraints move an object."""
    animation = obj.animation_data
    if any(not item.mute and item.influence > 0.0 for item in obj.constraints):
        return True
    if animation is None:
        return False
    curves = [*(existing_channels(obj) or ()), *animation.drivers]
    strips = [strip for track in animation.nla_tracks if not track.mute for strip in track.strips]
    # strips of the robot itself are rather its bones'
    return (bool(strips) and paths == ("",)) or any(
        curve.data_path.startswith(paths) and not curve.mute for curve in curves
    )
