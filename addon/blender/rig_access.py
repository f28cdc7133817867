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
from .joint_properties import edited_robot
from .matrices import from_blender
from .robot_table import (
    BONE_KEY,
    CACHED,
    BoneRecord,
    FixedBone,
    RobotTable,
    has_table,
    read_table,
)

# How far a rest matrix may be from the one in the table, relative to its largest entry: Blender
# gives back what it made, an edit of the bone does not.
REST_TOLERANCE = 1e-5


@dataclass(frozen=True, eq=False)
class Rig:
    """A robot's armature object. It holds Blender objects: open it anew after every pause.

    Attributes:
        object: the armature object.
        table: what is stored about the robot.
        pose_bones: the pose bones by id, fixed ones too.
    """

    object: bpy.types.Object
    table: RobotTable
    pose_bones: Mapping[str, bpy.types.PoseBone]

    @cached_property
    def robot(self) -> Robot:
        """The description, read from the text in the table (mesh paths are not resolved)."""
        return described_robot(self.table)

    @cached_property
    def edited_robot(self) -> Robot:
        """The description with the numbers that the bones' custom properties have.

        Raises:
            RigError: for a property that is no number from 0.
        """
        bones = {record.joint: self.pose_bones[record.id] for record in self.table.bones}
        return edited_robot(self.robot, bones, f"robot '{self.object.name}'")

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

    @cached_property
    def joint_of_bone(self) -> Mapping[str, str]:
        """Whose every bone of the rig is, by id: a joint's name, a fixed one's too.

        That of the root link, which no joint holds, is the link's.
        """
        holding = {joint.child: joint.name for joint in self.robot.joints}
        return {
            **{bone.id: bone.joint for bone in self.table.bones},
            **{bone.id: holding.get(bone.link, bone.link) for bone in self.table.fixed_bones},
        }

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

    def hanging(self, link: str) -> tuple[bpy.types.PoseBone | None, FloatArray]:
        """The bone that the objects of a link hang from, and the link's pose (4, 4) in it.

        Its own bone, which may be a fixed one; else the moving bone that carries it; else the
        fixed bone of the root link; else None: the armature itself.

        Raises:
            RigError: if there is no such link.
        """
        record = self.table.links.get(link)
        if record is None:
            raise RigError(f"robot '{self.table.name}' has no link '{link}'")
        fixed = self._fixed_bones.get(link)
        if fixed is None and record.bone is None:
            fixed = self._fixed_bones.get(self.robot.root)
        if fixed is None:
            carrier = None if record.bone is None else self.pose_bones[record.bone]
            return carrier, record.bone_from_link
        rest = np.eye(4) if record.bone is None else self._rest[record.bone]
        armature_from_link = rest @ record.bone_from_link
        # a general inverse: Blender's rest matrices are float32, orthonormal to about 1e-6
        bone_from_armature = np.asarray(np.linalg.inv(fixed.armature_from_bone), dtype=np.float64)
        pose: FloatArray = bone_from_armature @ armature_from_link
        return self.pose_bones[fixed.id], pose

    def compile(self, gravity: FloatArray) -> Model:
        """The model of the robot, with the numbers of its bones, for a gravity.

        Args:
            gravity: (3,), in armature coordinates, m/s^2.

        Raises:
            RigError: for a custom property that is no number from 0.
        """
        return compile_robot(self.edited_robot, self.table.floating_base, gravity)

    @cached_property
    def _fixed_bones(self) -> Mapping[str, FixedBone]:
        """The fixed bones by link."""
        return {bone.link: bone for bone in self.table.fixed_bones}

    @cached_property
    def _rest(self) -> Mapping[str, FloatArray]:
        """armature_from_bone (4, 4) of the bones that joints move, by id."""
        return {bone.id: bone.armature_from_bone for bone in self.table.bones}


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
    _check_fixed_bones(table, robot)
    return robot


def _check_fixed_bones(table: RobotTable, robot: Robot) -> None:
    """Refuse a table whose options ask for other fixed bones than it has."""
    wanted: set[str] = set()
    if table.options.fixed_links == "KEEP":
        wanted = set(table.links) - {bone.link for bone in table.bones}
    elif table.options.mesh_parent == "SKIN" and not table.floating_base:
        wanted = {robot.root}
    found = {bone.link for bone in table.fixed_bones}
    for link in sorted(wanted ^ found):
        have, want = ("one", "none") if link in found else ("no", "one")
        raise RigError(
            f"the robot table of '{table.name}' is damaged (link '{link}': {have} fixed bone, and "
            f"wanted: {want}); import the robot again"
        )


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


def open_rig(obj: bpy.types.Object, *, rest_edited: bool = False) -> Rig:
    """Open an armature object as a robot.

    Args:
        obj: the object.
        rest_edited: whether bones may stand elsewhere at rest than the table says.

    Raises:
        RigError: if it is none, if its table is damaged, if a bone is missing, or if its rest
            pose was edited and may not be.
    """
    if obj.type != "ARMATURE" or obj.data is None:
        raise RigError(
            f"object '{obj.name}' is no robot; select a robot that was imported by dynarig"
        )
    table = read_table(obj.data)
    described_robot(table)
    marked: dict[str, list[bpy.types.PoseBone]] = {}
    for bone in obj.pose.bones if obj.pose else ():
        key = bone.bone.get(BONE_KEY)
        if isinstance(key, str):
            marked.setdefault(key, []).append(bone)
    found: dict[str, bpy.types.PoseBone] = {}
    records: tuple[BoneRecord | FixedBone, ...] = (*table.bones, *table.fixed_bones)
    for record in records:
        if record.id not in marked:
            raise RigError(
                f"robot '{obj.name}': the bone of {_owner(record)} is gone; undo, or import the "
                "robot again"
            )
        found[record.id] = _original(obj, record, marked[record.id], rest_edited)
    return Rig(obj, table, found)


def _owner(record: BoneRecord | FixedBone) -> str:
    if isinstance(record, BoneRecord):
        return f"joint '{record.joint}'"
    return f"link '{record.link}'"


def _original(
    obj: bpy.types.Object,
    record: BoneRecord | FixedBone,
    bones: list[bpy.types.PoseBone],
    rest_edited: bool,
) -> bpy.types.PoseBone:
    """The bone of a record: a copy that the user made of it has the same id.

    Raises:
        RigError: if none has the rest pose of the record.
    """
    room = REST_TOLERANCE * np.abs(record.armature_from_bone).max()
    for bone in bones:
        rest = from_blender(bone.bone.matrix_local)
        if np.abs(rest - record.armature_from_bone).max() <= room:
            return bone
    if rest_edited:
        return bones[0]
    raise RigError(
        f"robot '{obj.name}': the rest position of bone '{bones[0].name}' was edited, or the "
        "armature's transform was applied; the joints no longer fit: undo, or import again"
    )
