"""An armature opened as a robot: its table, its bones by id, its joints' channels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import bpy
import numpy as np

from ...core.arrays import FloatArray
from ...core.dynamics import FLOATING_BASE, Model, compile_robot
from ...core.errors import UrdfError
from ...core.urdf import parse_urdf
from ...core.urdf.document import Robot
from ..errors import RigError
from .channels import JointChannels, joint_channels
from .matrices import from_blender
from .robot_table import BONE_KEY, CACHED, BoneRecord, RobotTable, has_table, read_table

# How far a rest matrix may be from the one in the table, relative to its largest entry: Blender
# gives back what it made, an edit of the bone does not.
REST_TOLERANCE = 1e-5


@dataclass(frozen=True, eq=False)
class Rig:
    """A robot's armature object. It holds Blender objects: open it anew after every pause.

    Attributes:
        object: the armature object.
        table: what is stored about the robot.
        pose_bones: the pose bones by id.
    """

    object: bpy.types.Object
    table: RobotTable
    pose_bones: Mapping[str, bpy.types.PoseBone]

    @cached_property
    def robot(self) -> Robot:
        """The description, read from the text in the table (mesh paths are not resolved)."""
        return described_robot(self.table)

    @cached_property
    def channels(self) -> Mapping[str, JointChannels]:
        """The channels of every moving joint, by the joint's name."""
        axes = {joint.name: np.array(joint.axis, dtype=float) for joint in self.robot.joints}
        return {
            bone.joint: joint_channels(
                bone.kind,
                bone.sign,
                self.table.links[bone.link].bone_from_link,
                axes.get(bone.joint, np.zeros(3)),
            )
            for bone in self.table.bones
        }

    @cached_property
    def bone_of_joint(self) -> Mapping[str, BoneRecord]:
        """The record of the bone that a joint moves, by the joint's name."""
        return {bone.joint: bone for bone in self.table.bones}

    def pose_bone(self, joint: str) -> bpy.types.PoseBone:
        """The pose bone that a joint moves.

        Raises:
            RigError: if no moving joint has that name.
        """
        if joint not in self.bone_of_joint:
            raise RigError(
                f"robot '{self.table.name}' has no moving joint '{joint}'; there are: "
                f"{', '.join(self.bone_of_joint)}"
            )
        return self.pose_bones[self.bone_of_joint[joint].id]

    def compile(self, gravity: FloatArray) -> Model:
        """The model of the robot for a gravity (3,) in armature coordinates, m/s^2."""
        return compile_robot(self.robot, self.table.floating_base, gravity)


@lru_cache(maxsize=CACHED)
def described_robot(table: RobotTable) -> Robot:
    """The description in a table, read once for each table.

    Raises:
        RigError: if the text is no URDF, or not that of the table's bones and links.
    """
    try:
        robot = parse_urdf(table.text, Path(table.source) if table.source else None)
    except UrdfError as error:
        raise RigError(
            f"the robot table of '{table.name}' is damaged (its description: {error}); import the "
            "robot again"
        ) from error
    moving = {joint.name: joint.type for joint in robot.joints if joint.type != "fixed"}
    if table.floating_base:
        moving[FLOATING_BASE] = "floating"
    bones = {bone.joint: bone.kind for bone in table.bones}
    for name in (*moving, *bones):
        kind, wanted = bones.get(name, "no bone"), moving.get(name, "no joint that moves")
        if kind != wanted:
            raise RigError(
                f"the robot table of '{table.name}' is damaged (joint '{name}': {kind}, and in its "
                f"description: {wanted}); import the robot again"
            )
    strange = set(table.links) ^ {link.name for link in robot.links}
    if strange:
        raise RigError(
            f"the robot table of '{table.name}' is damaged (link '{min(strange)}' is not both in "
            "the table and in its description); import the robot again"
        )
    return robot


def find_robot(obj: bpy.types.Object | None) -> bpy.types.Object | None:
    """The robot that an object is or belongs to: itself, or the nearest parent that is one.

    None for the parts of a robot that was deleted, which pointers and children keep in the file.
    """
    while obj is not None:
        if obj.type == "ARMATURE" and has_table(obj.data):
            return None if is_deleted(obj) else obj
        obj = obj.parent
    return None


def is_deleted(obj: bpy.types.Object) -> bool:
    """Whether an object of this file is in no collection of it and in no scene.

    What is deleted in the interface is taken out of them, and stays in the file as long as
    something refers to it.
    """
    return obj.library is None and not obj.users_collection


def open_rig(obj: bpy.types.Object) -> Rig:
    """Open an armature object as a robot.

    Raises:
        RigError: if it is none, if its table is damaged, if a bone is missing, or if its rest
            pose was edited.
    """
    if obj.type != "ARMATURE" or obj.data is None:
        raise RigError(
            f"object '{obj.name}' is no robot; select a robot that was imported by dynarig"
        )
    table = read_table(obj.data)
    described_robot(table)
    found: dict[str, bpy.types.PoseBone] = {}
    for bone in obj.pose.bones if obj.pose else ():
        key = bone.bone.get(BONE_KEY)
        if isinstance(key, str):
            found.setdefault(key, bone)
    for record in table.bones:
        if record.id not in found:
            raise RigError(
                f"robot '{obj.name}': the bone of joint '{record.joint}' is gone; undo, or "
                "import the robot again"
            )
        _check_rest(obj, record, found[record.id])
    return Rig(obj, table, {record.id: found[record.id] for record in table.bones})


def _check_rest(obj: bpy.types.Object, record: BoneRecord, bone: bpy.types.PoseBone) -> None:
    rest = from_blender(bone.bone.matrix_local)
    room = REST_TOLERANCE * np.abs(record.armature_from_bone).max()
    if np.abs(rest - record.armature_from_bone).max() > room:
        raise RigError(
            f"robot '{obj.name}': the rest position of bone '{bone.name}' was edited, or the "
            "armature's transform was applied; the joints no longer fit: undo, or import again"
        )
