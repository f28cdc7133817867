"""An armature opened as a robot: its table, its bones by id, its joints' channels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import bpy
import numpy as np

from ...core.arrays import FloatArray
from ...core.dynamics import Model, compile_robot
from ...core.urdf.document import Joint, Robot
from ..errors import RigError
from .channels import JointChannels, joint_channels
from .joint_properties import with_edited_numbers
from .limit_edits import with_edited_limit
from .matrices import from_blender
from .rig_description import bones_above, described_robot, hanging_bones
from .robot_table import BONE_KEY, BoneRecord, FixedBone, RobotTable, has_table, read_table

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
        """The description with what the bones say: numbers, and limits.

        Numbers are those of custom properties, limits those of constraints. The same object as
        `robot` where nothing was edited.

        Raises:
            RigError: for a property that is no number from 0, and a limit that is none.
        """
        joints = tuple(map(self._edited, self.robot.joints))
        if all(new is old for new, old in zip(joints, self.robot.joints, strict=True)):
            return self.robot
        return replace(self.robot, joints=joints)

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
        hanging = hanging_bones(self.table)[link]
        if hanging == record.bone:
            bone = None if hanging is None else self.pose_bones[hanging]
            return bone, record.bone_from_link
        assert hanging is not None, "only a moving bone is replaced by another"
        # a general inverse: Blender's rest matrices are float32, orthonormal to about 1e-6
        armature_from_link = self._rest[record.bone] @ record.bone_from_link
        bone_from_link: FloatArray = np.linalg.inv(self._rest[hanging]) @ armature_from_link
        return self.pose_bones[hanging], bone_from_link

    def compile(self, gravity: FloatArray) -> Model:
        """The model of the robot, with the numbers and limits of its bones, for a gravity.

        Args:
            gravity: (3,), in armature coordinates, m/s^2.

        Raises:
            RigError: as `edited_robot`.
        """
        return compile_robot(self.edited_robot, self.table.floating_base, gravity)

    def _edited(self, joint: Joint) -> Joint:
        """A joint of the description with what its bone says."""
        record = self.bone_of_joint.get(joint.name)
        if record is None:
            return joint
        bone, owner = self.pose_bones[record.id], f"robot '{self.object.name}'"
        return with_edited_limit(with_edited_numbers(joint, bone, owner), bone, record.sign, owner)

    @cached_property
    def _rest(self) -> Mapping[str | None, FloatArray]:
        """armature_from_bone (4, 4) of all bones, by id; None is the armature itself."""
        rest: dict[str | None, FloatArray] = {None: np.eye(4)}
        rest.update((bone.id, bone.armature_from_bone) for bone in self.table.all_bones)
        return rest


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
        RigError: if it is none, if its table is damaged, if a bone is missing or hangs from
            another of its bones than it did, or if its rest pose was edited and may not be.
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
    for record in table.all_bones:
        if record.id not in marked:
            raise RigError(
                f"robot '{obj.name}': the bone of {_owner(record)} is gone; undo, or import the "
                "robot again"
            )
        found[record.id] = _original(obj, record, marked[record.id], rest_edited)
    _check_parents(obj, table, found)
    return Rig(obj, table, found)


def _check_parents(
    obj: bpy.types.Object, table: RobotTable, found: Mapping[str, bpy.types.PoseBone]
) -> None:
    """Refuse bones that hang from others of the robot than they were made under.

    Bones of the user may stand between them.
    """
    keys = {bone.name: key for key, bone in found.items()}
    for key, wanted in bones_above(table).items():
        above = found[key].parent
        while above is not None and above.name not in keys:
            above = above.parent
        if (None if above is None else keys[above.name]) != wanted:
            name = "none" if wanted is None else f"'{found[wanted].name}'"
            raise RigError(
                f"robot '{obj.name}': bone '{found[key].name}' has another parent than it was "
                f"made with ({name}); the joints no longer fit: undo, or import again"
            )


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
