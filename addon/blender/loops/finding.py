"""The loop joints of a robot, found among the objects of the file and checked."""

from __future__ import annotations

from math import isfinite
from typing import Any, TypeGuard

import bpy

from ...errors import RigError
from ..rig_access import find_robot, is_deleted
from ..robot_table import BONE_KEY, RobotTable, has_table, read_table
from .values import (
    END_KEYS,
    ENDS,
    LOOP_KEY,
    NUMBER_KEYS,
    LoopEnd,
    LoopJoint,
    is_enabled,
    parse_loop,
)


def is_loop(obj: bpy.types.Object | None) -> TypeGuard[bpy.types.Object]:
    """Whether an object is a loop joint, of whatever robot."""
    return obj is not None and obj.type == "EMPTY" and obj.get(LOOP_KEY) is not None


def robot_of(obj: bpy.types.Object | None) -> bpy.types.Object:
    """The robot that a loop joint's Empty belongs to.

    Raises:
        RigError: where it is no loop joint, or its robot is gone.
    """
    if obj is None or not is_loop(obj):
        name = "nothing" if obj is None else f"'{obj.name}'"
        raise RigError(f"wanted the Empty of a loop joint, got {name}")
    robot = robot_or_none(obj)
    if robot is None:
        raise RigError(f"loop joint '{obj.name}': its robot is gone; remove it, or undo")
    return robot


def robot_or_none(obj: bpy.types.Object) -> bpy.types.Object | None:
    """The robot that a loop joint hangs from, else the one that it names."""
    parent = find_robot(obj.parent)
    if parent is not None:
        return parent
    return next((robot for robot in named_robots(obj) if is_robot(robot)), None)


def table_of(robot: bpy.types.Object) -> RobotTable:
    """The robot table of an armature object; errors as `read_table`."""
    assert robot.data is not None
    return read_table(robot.data)


def loop_objects(robot: bpy.types.Object) -> tuple[bpy.types.Object, ...]:
    """The loop joints that name a robot or hang from it, by name.

    Objects in no collection are deleted ones that something still refers to.
    """
    # of thousands of objects most are left by the first question, which is the quickest
    objects: Any = bpy.data.objects
    found = [
        obj
        for obj in objects
        if LOOP_KEY in obj
        and is_loop(obj)
        and (robot in named_robots(obj) or find_robot(obj.parent) == robot)
        and obj.users_collection
    ]
    return tuple(sorted(found, key=lambda obj: obj.name_full))


def named_robots(obj: bpy.types.Object) -> tuple[Any, Any]:
    """The objects that the ends of a loop joint point to; None where that one is gone."""
    first, second = (obj.get(key) for key in END_KEYS)
    return (
        first if isinstance(first, bpy.types.Object) else None,
        second if isinstance(second, bpy.types.Object) else None,
    )


def read_loops(armature_object: bpy.types.Object) -> tuple[LoopJoint, ...]:
    """The loop joints of a robot that are enabled, as plain values.

    Raises:
        RigError: for an object that is no robot, and for the first joint that cannot be used,
            naming it, the robot and the end.
    """
    if armature_object.type != "ARMATURE":
        raise RigError(f"object '{armature_object.name}' is no robot and has no loop joints")
    table_of(armature_object)
    enabled = [obj for obj in loop_objects(armature_object) if is_enabled(obj)]
    return tuple(read_loop(obj, armature_object) for obj in enabled)


def read_loop(obj: bpy.types.Object, robot: bpy.types.Object) -> LoopJoint:
    """One loop joint of a robot; errors as `read_loops`."""
    own = f"loop joint '{obj.name}' of robot '{robot.name}'"
    try:
        kind, ends = parse_loop(obj[LOOP_KEY])
    except ValueError as error:
        raise RigError(f"{own}: its description is damaged ({error}); add it again") from error
    _check_robots(obj, robot, own)
    table = table_of(robot)
    for which, end in zip(ENDS, ends, strict=True):
        check_end(robot, table, end, f"{own}: {which} end")
    if ends[0].bone == ends[1].bone:
        raise RigError(f"{own}: no joint moves its ends against each other; add it again")
    return LoopJoint(obj.name_full, kind, *ends, number=_number(obj, kind.number, own))


def loop_problem(obj: bpy.types.Object, robot: bpy.types.Object) -> str:
    """Why a loop joint cannot be used, or nothing: a panel must draw in any case."""
    try:
        read_loop(obj, robot)
    except RigError as error:
        return str(error)
    return ""


def check_end(robot: bpy.types.Object, table: RobotTable, end: LoopEnd, whose: str) -> None:
    """Refuse an end that the robot does not have (any more).

    Raises:
        RigError: naming the bone's id, the link and the joint; it begins with `whose`.
    """
    if end.link is None:
        return
    record = table.links.get(end.link)
    if record is None or record.bone != end.bone:
        raise RigError(
            f"{whose}: robot '{table.name}' has no link '{end.link}' on bone '{end.bone}'; it is "
            "the joint of another robot: add it again"
        )
    if end.bone is None:
        return
    if not any(bone.get(BONE_KEY) == end.bone for bone in robot.data.bones):
        joint = next(bone.joint for bone in table.bones if bone.id == end.bone)
        raise RigError(
            f"{whose}: the bone of joint '{joint}', which carries link '{end.link}', is gone; "
            "undo, or import the robot again"
        )


def _check_robots(obj: bpy.types.Object, robot: bpy.types.Object, own: str) -> None:
    """Refuse pointers to no robot, to another one, or to one that was deleted."""
    parent = find_robot(obj.parent)
    for which, named in zip(ENDS, named_robots(obj), strict=True):
        if named is None:
            raise RigError(f"{own}: the robot of its {which} end is gone; remove it, or undo")
        if named != robot and is_deleted(named):
            raise RigError(f"{own}: the robot '{named.name}' of its {which} end was deleted")
        if named != robot or (parent is not None and parent != named):
            where = f"hangs from '{parent.name}'" if parent else "hangs from no robot"
            raise RigError(
                f"{own}: its {which} end is on '{named.name}' and it {where}; one robot must have "
                "both: let Repair Rig mend it, or disable it"
            )


def _number(obj: bpy.types.Object, name: str | None, own: str) -> float | None:
    if name is None:
        return None
    value = obj.get(NUMBER_KEYS[name])
    fits = isinstance(value, int | float) and isfinite(value) and value != 0.0
    if not fits or (name == "length" and value < 0.0):
        wanted = "a length greater than 0" if name == "length" else "a number that is not 0"
        raise RigError(f"{own}: {name}: wanted {wanted}, got {value!r}")
    return float(value)


def is_robot(obj: Any) -> bool:
    """Whether what a pointer names is a robot that was not deleted."""
    return (
        isinstance(obj, bpy.types.Object)
        and obj.type == "ARMATURE"
        and has_table(obj.data)
        and not is_deleted(obj)
    )
