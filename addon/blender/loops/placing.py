"""Where a loop joint sits: between the world of the scene and the links of a posed robot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics import Model, link_poses
from ....core.frames import inverse_transform, minimal_rotation, transform
from ...errors import RigError
from ..attach import hang_from
from ..bake.settings import gravity_in_armature
from ..matrices import from_blender
from ..pose import get_configuration
from ..rig_access import Rig
from .kinds import LoopKind
from .values import LoopEnd, LoopJoint

SIZE = 0.3  # of an Empty, in parts of the robot's
SIZE_OF_A_POINT = 1.0  # m, for a robot without extent
MOVED = 1e-4  # an Empty that is further from its place, in parts of its distance or turned (1)
ALIGNED = 1e-5  # rad: axes that differ by less are meant to be parallel
LEAST_AXIS = 1e-9  # an axis that is shorter than this, against the largest, has no direction


@dataclass(frozen=True, eq=False)
class Posed:
    """A robot as it stands: where the scene has its armature, and the core its links."""

    rig: Rig
    world_from_armature: FloatArray

    @classmethod
    def of(cls, rig: Rig) -> Posed:
        """The robot in its present pose.

        Raises:
            RigError: for a transform of the armature object that robots cannot have.
        """
        depsgraph = bpy.context.evaluated_depsgraph_get()
        world = from_blender(rig.object.evaluated_get(depsgraph).matrix_world)
        try:
            gravity_in_armature(world, np.zeros(3))
        except RigError as error:
            raise RigError(f"robot '{rig.object.name}': {error}") from error
        return cls(rig, world)

    @cached_property
    def model(self) -> Model:
        """The robot, compiled; without gravity."""
        return self.rig.compile(np.zeros(3))

    @cached_property
    def q(self) -> FloatArray:
        """(nq,), as a bake would start from."""
        return get_configuration(self.rig, self.model)

    def armature_from_link(self, link: str | None) -> FloatArray:
        """(4, 4); the armature's own frame for None."""
        if link is None:
            return np.eye(4)
        return self._links[self.model.link_names.index(link)]

    def armature_from_loop(self, world_from_loop: FloatArray) -> FloatArray:
        """A place (4, 4) of the scene in the robot's own coordinates; its scale does not matter.

        Where its Z axis is that of a joint but for Blender's 7 digits, it is made exactly so: the
        hinge of a planar loop holds all of it if it is not parallel to the other axes.
        """
        armature_from_world = np.linalg.inv(self.world_from_armature)
        pose = rigid(armature_from_world @ world_from_loop, "the place of the joint")
        z = pose[:3, 2].copy()
        for axis in self._axes:
            if np.linalg.norm(np.cross(z, axis)) < ALIGNED:
                turn = minimal_rotation(z, np.sign(z @ axis) * axis)
                return transform(turn @ pose[:3, :3], pose[:3, 3])
        return pose

    def link_from_loop(self, link: str | None, armature_from_loop: FloatArray) -> FloatArray:
        """A place (4, 4) in the robot's coordinates, as a link has it."""
        pose: FloatArray = inverse_transform(self.armature_from_link(link)) @ armature_from_loop
        return pose

    def armature_from_end(self, end: LoopEnd) -> FloatArray:
        """Where an end is (4, 4)."""
        pose: FloatArray = self.armature_from_link(end.link) @ end.link_from_loop
        return pose

    def joint_axis(self, bone: str | None, link: str | None) -> FloatArray:
        """(3,), unit: the axis in armature coordinates of the joint that moves a bone.

        Z of the link for a joint without an axis, and for a link that no joint moves.
        """
        record = next((own for own in self.rig.table.bones if own.id == bone), None)
        link = link if record is None else record.link
        axis = np.array([0.0, 0.0, 1.0])
        if record is not None and record.kind not in ("spherical", "floating"):
            joints = {joint.name: joint for joint in self.rig.robot.joints}
            axis = np.array(joints[record.joint].axis, dtype=np.float64)
        turned: FloatArray = self.armature_from_link(link)[:3, :3] @ axis
        return turned / np.linalg.norm(turned)

    def told_axis(self, bone: str | None, link: str | None) -> str:
        """In words, what `joint_axis` is the axis of."""
        record = next((own for own in self.rig.table.bones if own.id == bone), None)
        if record is None:
            return "Z of the armature object" if link is None else f"Z of link '{link}'"
        if record.kind in ("spherical", "floating"):
            return f"Z of link '{record.link}', whose joint '{record.joint}' has no axis"
        return f"that of joint '{record.joint}'"

    @cached_property
    def _axes(self) -> list[FloatArray]:
        """The axes of all joints, (3,) each, in armature coordinates."""
        return [self.joint_axis(record.id, record.link) for record in self.rig.table.bones]

    @cached_property
    def _links(self) -> FloatArray:
        poses: FloatArray = link_poses(self.model, self.q)
        return poses


def rigid(pose: FloatArray, what: str) -> FloatArray:
    """The rotation and the place in a transform (4, 4) of any scale: Z is kept, then X.

    Raises:
        RigError: where an axis has no length, or a number is not finite.
    """
    if np.shape(pose) != (4, 4) or not np.isfinite(pose).all():
        raise RigError(f"{what}: wanted a transform of 4 by 4 finite numbers, got {pose!r}")
    x, z = pose[:3, 0], pose[:3, 2]
    length = float(np.linalg.norm(z))
    across = x - z * (z @ x) / length**2 if length else x
    if not min(length, float(np.linalg.norm(across))) > LEAST_AXIS * np.abs(pose[:3, :3]).max():
        raise RigError(f"{what}: an axis of its transform has no length or no direction of its own")
    z, x = z / length, across / np.linalg.norm(across)
    x = x - z * (z @ x)  # what rounding has left
    x = x / np.linalg.norm(x)
    return transform(np.stack((x, np.cross(z, x), z), axis=1), pose[:3, 3])


def frame_along(axis: FloatArray, place: FloatArray) -> FloatArray:
    """(4, 4) at a place (3,), Z along an axis (3,)."""
    return transform(minimal_rotation((0.0, 0.0, 1.0), axis), place)


def place_empty(rig: Rig, obj: bpy.types.Object, loop: LoopJoint) -> None:
    """Hang a loop joint's Empty from the bone of its first end, where the joint sits."""
    link = loop.a.link
    bone = None if loop.a.bone is None else rig.pose_bones[loop.a.bone]
    hang_from(rig.object, bone, obj, bone_from_loop(rig, loop.a) if link else loop.a.link_from_loop)
    obj.scale = (1.0, 1.0, 1.0)


def bone_from_loop(rig: Rig, end: LoopEnd) -> FloatArray:
    """Where an end is (4, 4) in its bone, or in the armature where no bone carries it."""
    if end.link is None:
        return end.link_from_loop
    pose: FloatArray = rig.table.links[end.link].bone_from_link @ end.link_from_loop
    return pose


def is_moved(rig: Rig, obj: bpy.types.Object, loop: LoopJoint) -> bool:
    """Whether an Empty that hangs where it was put has been moved since."""
    parent = rig.object if loop.a.bone is None else rig.pose_bones[loop.a.bone].name
    if obj.parent != rig.object or (loop.a.bone and obj.parent_bone != parent):
        return True
    wanted = bone_from_loop(rig, loop.a)
    found = from_blender(obj.matrix_basis)
    scale = np.linalg.norm(found[:3, :3], axis=0)
    turned = np.abs(found[:3, :3] / np.maximum(scale, LEAST_AXIS) - wanted[:3, :3]).max()
    shifted = np.abs(found[:3, 3] - wanted[:3, 3]).max()
    return bool(turned > MOVED or shifted > MOVED * usual_size(rig))


def display(obj: bpy.types.Object, kind: LoopKind, rig: Rig) -> None:
    """Draw an Empty as its kind is drawn, in a size that suits the robot."""
    obj.empty_display_type = kind.display
    obj.empty_display_size = SIZE * kind.size * usual_size(rig)
    obj.show_in_front = True


def usual_size(rig: Rig) -> float:
    """How large a robot is (m): the longest side of the box around its bones at rest."""
    heads = [record.armature_from_bone[:3, 3] for record in rig.table.bones]
    points = np.array([np.zeros(3), *heads])
    return float(np.ptp(points, axis=0).max()) or SIZE_OF_A_POINT
