"""What Repair Rig does for a robot's loop joints: mend what can be, and tell the rest."""

from __future__ import annotations

import bpy

from ...errors import RigError
from ..rig_access import Rig, find_robot
from .finding import check_end, loop_objects, loop_problem, named_robots
from .values import LOOP_KEY, is_enabled, parse_loop, point_to


def mend_loops(rig: Rig) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Let the loop joints that hang from a robot be its own, and hang from their own bones.

    A joint that hangs from this robot and names another, or none, is given to this one where
    the bones and links that it names are here too.

    Returns:
        The names of those that were mended, and a line for each enabled one that cannot be used.
    """
    mended: list[str] = []
    problems: list[str] = []
    for obj in loop_objects(rig.object):
        # what is in a library is not changed
        if obj.library is None and _mend(rig, obj):
            mended.append(obj.name)
        problem = loop_problem(obj, rig.object)
        if problem and is_enabled(obj):
            problems.append(problem)
    return tuple(mended), tuple(problems)


def _mend(rig: Rig, obj: bpy.types.Object) -> bool:
    """Mend one; whether there was something to mend."""
    robot = rig.object
    try:
        _, ends = parse_loop(obj[LOOP_KEY])
        for end in ends:
            check_end(robot, rig.table, end, "")
    except (ValueError, RigError):
        return False
    changed = False
    if find_robot(obj.parent) == robot and any(named != robot for named in named_robots(obj)):
        point_to(obj, robot)
        changed = True
    bone = ends[0].bone
    if obj.parent == robot and obj.parent_type == "BONE" and bone is not None:
        name = rig.pose_bones[bone].name
        if obj.parent_bone != name:
            obj.parent_bone = name
            changed = True
    return changed
