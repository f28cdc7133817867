"""Where a new loop joint goes: at the 3D cursor or at an end, along an axis that suits."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ..matrices import from_blender
from ..rig_access import open_rig
from .ends import EndChoice, end_choice
from .placing import Posed, frame_along, rigid

WORLD_AXES = "XYZ"


def place_of_new_loop(
    context: bpy.types.Context,
    robot: bpy.types.Object,
    end_a: str | None,
    end_b: str | None,
    place: str,
    axis: str,
) -> FloatArray:
    """world_from_loop (4, 4) of a joint between two links as the robot stands.

    Args:
        context: whose scene has the 3D cursor.
        robot: the armature object.
        end_a, end_b: exact names of links; None or WORLD for the world.
        place: 'CURSOR', 'FIRST' or 'SECOND', the origin of that link.
        axis: of the joint: 'JOINT', that of the second link's joint, or of the first one's if the
            second does not move; 'CURSOR'; 'X', 'Y' or 'Z' of the world.

    Raises:
        RigError: for an unknown link.
    """
    rig = open_rig(robot)
    own = f"new loop joint on robot '{robot.name}'"
    ends = [
        end_choice(rig.table, link, f"{own}: {which} end")
        for link, which in ((end_a, "first"), (end_b, "second"))
    ]
    posed = Posed.of(rig)
    cursor = from_blender(context.scene.cursor.matrix)
    point = cursor[:3, 3]
    if place != "CURSOR":
        link = ends[place == "SECOND"].link
        point = (posed.world_from_armature @ posed.armature_from_link(link))[:3, 3]
    if axis == "CURSOR":
        frame = rigid(cursor, "the 3D cursor").copy()
        frame[:3, 3] = point
        return frame
    if axis in WORLD_AXES:
        return frame_along(np.eye(3)[WORLD_AXES.index(axis)], point)
    return frame_along(posed.world_from_armature[:3, :3] @ usual_axis(posed, ends)[0], point)


def usual_axis(posed: Posed, ends: Sequence[EndChoice]) -> tuple[FloatArray, str]:
    """(3,), in armature coordinates, and in words: the axis of a loop joint that was told none.

    That of the second end's joint, or of the first one's if the second does not move.
    """
    moving = ends[1] if ends[1].bone is not None else ends[0]
    own = moving.bone, moving.link
    return posed.joint_axis(*own), posed.told_axis(*own)
