"""The robot table of an updated rig: that of the new rig, with the ids and rest poses it has."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ..matrices import from_blender
from ..rig import bone_from_link, inverses
from ..robot_table import LinkRecord, RobotTable
from .bone_matching import Matching


def updated_table(
    table: RobotTable, matching: Matching, armature: bpy.types.Armature
) -> RobotTable:
    """The table for an armature.

    Args:
        table: of the new rig.
        matching: which id is which.
        armature: with the bones as Blender has made them.
    """
    made = {
        matching.ids[key]: from_blender(armature.bones[text].matrix_local)
        for key, text in matching.labels.items()
    }
    back = inverses(made)
    rest = {bone.id: bone.armature_from_bone for bone in table.bones}
    links = {}
    for name, record in table.links.items():
        above = np.eye(4) if record.bone is None else rest[record.bone]
        carrier = None if record.bone is None else matching.ids[record.bone]
        links[name] = LinkRecord(
            carrier, bone_from_link(carrier, above @ record.bone_from_link, back)
        )
    return replace(
        table,
        bones=tuple(
            replace(bone, id=matching.ids[bone.id], armature_from_bone=made[matching.ids[bone.id]])
            for bone in table.bones
        ),
        fixed_bones=tuple(
            replace(bone, id=matching.ids[bone.id], armature_from_bone=made[matching.ids[bone.id]])
            for bone in table.fixed_bones
        ),
        links=links,
    )
