"""Where the Empty of a loop joint is, also where Blender does not work it out."""

from __future__ import annotations

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.frames import inverse_transform, transform
from ...errors import RigError
from ..matrices import from_blender
from .placing import Posed, rigid


def armature_from_empty(posed: Posed, obj: bpy.types.Object, own: str) -> FloatArray:
    """(4, 4), where an Empty is now in a robot's coordinates.

    Blender keeps the world matrix of what is hidden or in an excluded collection as it was last;
    of those it is worked out here, from the bone that the Empty hangs from.

    Raises:
        RigError: for an Empty that Blender does not evaluate and that does not hang from the robot
            alone; it begins with `own`.
    """
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    if evaluated.is_evaluated:
        return posed.armature_from_loop(rigid(from_blender(evaluated.matrix_world), own))
    carrier = _carrier(posed, obj)
    if carrier is None or any(not item.mute for item in obj.constraints):
        raise RigError(
            f"{own}: it is hidden or in a collection that is, so Blender does not work out where "
            "it is; show it first"
        )
    parent_from_empty = from_blender(obj.matrix_parent_inverse @ obj.matrix_basis)
    world_from_empty = posed.world_from_armature @ carrier @ parent_from_empty
    return posed.armature_from_loop(rigid(world_from_empty, own))


def _carrier(posed: Posed, obj: bpy.types.Object) -> FloatArray | None:
    """What an Empty hangs from (4, 4), in armature coordinates; None if that is not the robot."""
    rig = posed.rig
    if obj.parent != rig.object:
        return None
    if obj.parent_type == "OBJECT":
        return np.eye(4)
    for record in rig.table.bones:
        bone = rig.pose_bones[record.id]
        if obj.parent_type == "BONE" and bone.name == obj.parent_bone:
            bone_from_link = rig.table.links[record.link].bone_from_link
            # Blender hangs objects from a bone's tail
            bone_from_tail = transform(np.eye(3), (0.0, bone.bone.length, 0.0))
            armature_from_bone = posed.armature_from_link(record.link) @ inverse_transform(
                bone_from_link
            )
            found: FloatArray = armature_from_bone @ bone_from_tail
            return found
    return None
