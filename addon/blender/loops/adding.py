"""Loop joints are made and changed here, by the panel's buttons and by scripts alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import bpy
import numpy as np
from numpy.typing import ArrayLike

from ....core.arrays import FloatArray
from ...errors import RigError
from ..bake.checks import check_editable
from ..labels import label
from ..rig_access import open_rig
from .ends import end_choice, end_text
from .finding import read_loop, robot_of
from .hidden import armature_from_empty
from .kinds import kind_of
from .placing import Posed, display, place_empty, rigid
from .values import LoopEnd, LoopJoint, write_loop

COINCIDE = 1e-9  # m: two points that are nearer have no direction between them
Which = Literal["BOTH", "FIRST", "SECOND"]


def add_loop(
    armature_object: bpy.types.Object,
    kind: str,
    end_a: str | None,
    end_b: str | None,
    world_from_loop: ArrayLike,
    *,
    world_from_second: ArrayLike | None = None,
    number: float | None = None,
    name: str | None = None,
) -> bpy.types.Object:
    """Add a loop joint between two links of a robot in its present pose, or to the world.

    Both ends take hold where the joint is now, and keep that place on their links. It is drawn
    by an Empty, which hangs from the bone of the first end; the joint's axis is the Z axis.

    Args:
        armature_object: the robot.
        kind: of `KINDS`, such as 'HINGE'.
        end_a, end_b: exact names of links, held ones included; None or WORLD for the world, which
            is the armature object's own frame.
        world_from_loop: (4, 4) where the joint is in the scene, its scale does not matter; or
            (3,), a point, where the axes are the world's.
        world_from_second: where the second end takes hold, if that is another place: the loop
            then is open as the robot stands. The point of the second link for a rod; if none is
            given, that is the link's origin.
        number: length (m) of a rod, the present distance if none; lead (m in a turn) of a screw.
            In the robot's own lengths, which are those of its file.
        name: of the Empty; made of kind and links if none.

    Returns:
        The Empty, in the armature object's collection.

    Raises:
        RigError: for an object that is no robot, a link that it does not have, two ends that no
            joint moves against each other, and a place that is none. Nothing is changed then.
    """
    if not isinstance(armature_object, bpy.types.Object):
        raise RigError(
            f"new loop joint: wanted the robot's armature object, got {armature_object!r}"
        )
    check_editable(armature_object)
    rig = open_rig(armature_object)
    chosen = kind_of(kind)
    own = f"{chosen.label} loop joint on robot '{armature_object.name}'"
    ends = [
        end_choice(rig.table, link, f"{own}: {which} end")
        for link, which in ((end_a, "first"), (end_b, "second"))
    ]
    if ends[0].bone == ends[1].bone:
        raise RigError(
            f"{own}: no joint moves '{end_text(ends[0].link)}' and '{end_text(ends[1].link)}' "
            "against each other; choose links with a joint between them"
        )
    posed = Posed.of(rig)
    places = [posed.armature_from_loop(_pose(world_from_loop, own))] * 2
    if world_from_second is not None:
        places[1] = posed.armature_from_loop(_pose(world_from_second, own))
    elif chosen.number == "length":
        places[1] = posed.armature_from_link(ends[1].link)
    a, b = (
        LoopEnd(end.bone, end.link, posed.link_from_loop(end.link, place))
        for end, place in zip(ends, places, strict=True)
    )
    plain = f"{chosen.label} {end_text(a.link)} to {end_text(b.link)}"
    joint = LoopJoint(name or plain, chosen, a, b, number)
    joint = _with_number(joint, posed, own)
    # from here on nothing can fail
    obj = bpy.data.objects.new(label(joint.name), None)
    write_loop(obj, armature_object, joint)
    display(obj, chosen, rig)
    place_empty(rig, obj, joint)
    _collection(armature_object).objects.link(obj)
    return obj


def update_loop(
    obj: bpy.types.Object,
    which: Which = "BOTH",
    *,
    kind: str | None = None,
    keep_number: bool = False,
) -> LoopJoint:
    """Let the ends of a loop joint take hold where its Empty is now, in the present pose.

    Afterwards the Empty stands where the first end takes hold.

    Args:
        obj: the Empty.
        which: 'BOTH', or one of them, 'FIRST' or 'SECOND': the loop then is open as the robot
            stands, and Close Loops brings the ends together.
        kind: another kind to become.
        keep_number: whether a rod keeps its length; else it is measured anew.

    Returns:
        The joint as it is now.

    Raises:
        RigError: for an object that is no loop joint of a robot, or cannot be used as one.
    """
    robot = robot_of(obj)
    check_editable(robot)
    rig = open_rig(robot)
    own = f"loop joint '{obj.name}' of robot '{robot.name}'"
    if which not in ("BOTH", "FIRST", "SECOND"):
        raise RigError(f"{own}: wanted 'BOTH', 'FIRST' or 'SECOND', got {which!r}")
    joint = read_loop(obj, robot)
    posed = Posed.of(rig)
    place = armature_from_empty(posed, obj, own)
    a, b = joint.ends
    if which != "SECOND":
        a = replace(a, link_from_loop=posed.link_from_loop(a.link, place))
    # a rod's second point is one of its own
    if which == "SECOND" or (which == "BOTH" and joint.kind.number != "length"):
        b = replace(b, link_from_loop=posed.link_from_loop(b.link, place))
    new = kind_of(kind) if kind is not None else joint.kind
    number = joint.number if new == joint.kind else None
    if new.number == "length" and not keep_number:
        number = None
    joint = _with_number(LoopJoint(joint.name, new, a, b, number), posed, own)
    write_loop(obj, robot, joint)
    if new.display != obj.empty_display_type:
        display(obj, new, rig)
    place_empty(rig, obj, joint)
    return joint


def _with_number(joint: LoopJoint, posed: Posed, own: str) -> LoopJoint:
    """The joint with the number that its kind needs: given, or a rod's present length."""
    name, value = joint.kind.number, joint.number
    if name is None:
        if value is not None:
            raise RigError(f"{own}: wanted no length and no lead, got {value!r}")
        return joint
    if value is None and name == "length":
        a, b = (posed.armature_from_end(end)[:3, 3] for end in joint.ends)
        value = float(np.linalg.norm(b - a))
        if value < COINCIDE:
            raise RigError(
                f"{own}: both points are in one place, and a rod needs a length; choose "
                "another place for the first, or Ball"
            )
    elif value is None:
        raise RigError(f"{own}: wanted a lead (m in a turn), got none")
    fits = isinstance(value, int | float | np.integer | np.floating) and value is not True
    fits = fits and bool(np.isfinite(value)) and value != 0.0
    if not fits or (name == "length" and value < 0.0):
        wanted = "a length greater than 0" if name == "length" else "a lead that is not 0"
        raise RigError(f"{own}: wanted {wanted} (m), got {value!r}")
    return replace(joint, number=float(value))


def _pose(place: ArrayLike, own: str) -> FloatArray:
    """(4, 4) of a pose, or of a point (3,)."""
    try:
        pose = np.array(place, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise RigError(f"{own}: place: wanted numbers, got {place!r}") from error
    if pose.shape == (3,):
        whole = np.eye(4)
        whole[:3, 3] = pose
        pose = whole
    return rigid(pose, f"{own}: place")


def _collection(robot: bpy.types.Object) -> bpy.types.Collection:
    """Where the robot is, if new objects can be put there; else the scene itself."""
    for collection in robot.users_collection:
        if collection.library is None and collection.override_library is None:
            return collection
    assert bpy.context.scene is not None
    return bpy.context.scene.collection
