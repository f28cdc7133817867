"""A mechanism as an armature: a bone for each link that a joint moves, keyed joint by joint."""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.mechanism import Tree
from ....core.trajectory import Trajectory
from ...compat import writable_channels
from ..attach import hang_from
from ..bone_plan import PlannedBone, RigPlan, plan_rig
from ..channels import JointChannels, joint_channels
from ..keyframes import fill_curve
from ..labels import label
from ..matrices import from_blender
from ..pose import settle_bone
from ..rig import bone_from_link, check_size, make_bones, new_armature_object
from ..robot_table import BONE_KEY
from ..workspace import temporary_scene
from .joint_motion import joint_motion


class Bones:
    """The bones of a mechanism's armature: they carry what hangs on its links."""

    def __init__(
        self,
        armature: bpy.types.Object,
        bones: Mapping[str, bpy.types.PoseBone],
        carrier: Mapping[str, str | None],
        bone_from_link: Mapping[str, FloatArray],
    ) -> None:
        """Take the armature object, its bones by id, and where each link is in its bone."""
        self.armature = armature
        self.bones = bones
        self.carrier = carrier
        self.bone_from_link = bone_from_link

    def hang(self, obj: bpy.types.Object, link: str, link_from_object: FloatArray) -> None:
        """Parent an object to the bone that carries a link, or to the armature."""
        carrier = self.carrier[link]
        bone = None if carrier is None else self.bones[carrier]
        hang_from(self.armature, bone, obj, self.bone_from_link[link] @ link_from_object)


def build_armature(
    context: bpy.types.Context,
    collection: bpy.types.Collection,
    tree: Tree,
    trajectory: Trajectory,
    times: FloatArray,
    fps: float,
    frame_start: int,
) -> Bones:
    """Make the armature of a tree and the keys of its motion.

    Args:
        context: in which bones are made, in a scene of their own.
        collection: where the armature object is linked.
        tree: of bodies and joints; trajectory: a motion of it.
        times: (n,), s, one frame apart, of the keys; the first falls on `frame_start`.
        fps: frames per second.
        frame_start: frame of the first key.

    Raises:
        RigError: for a link that is too far away for an armature.
    """
    plan = plan_rig(tree)
    check_size(f"mechanism '{tree.name}'", plan)
    armature = bpy.data.armatures.new(label(tree.name))
    with temporary_scene(context) as workspace:
        obj = new_armature_object(workspace, armature)
        make_bones(workspace, obj, plan.bones)
        collection.objects.link(obj)
    rest = {bone[BONE_KEY]: from_blender(bone.matrix_local) for bone in armature.bones}
    assert obj.pose is not None, "an armature object has a pose"
    bones = {bone.bone[BONE_KEY]: bone for bone in obj.pose.bones}
    values = joint_motion(tree, trajectory, times, fps)
    curves = writable_channels(obj, f"{obj.name} motion")
    frames = frame_start + np.arange(len(times), dtype=np.float64)
    for planned, channels in _channels(plan, tree, rest):
        bone = bones[planned.id]
        settle_bone(bone, planned.kind)
        q, slopes = (channels.from_coordinates(part) for part in values[planned.joint])
        for column, (path, index) in enumerate(channels.paths):
            curve = curves.new(bone.path_from_id(path), index, bone.name)
            fill_curve(curve, frames, q[:, column], slopes[:, column], "BEZIER")
            getattr(bone, path)[index] = q[0, column]
    places = {
        link: bone_from_link(plan.carrier[link], pose, rest)
        for link, pose in plan.armature_from_link.items()
    }
    return Bones(obj, bones, plan.carrier, places)


def _channels(
    plan: RigPlan, tree: Tree, rest: Mapping[str, FloatArray]
) -> list[tuple[PlannedBone, JointChannels]]:
    """Each bone with its channels."""
    joints = {joint.name: joint for joint in tree.joints}
    return [
        (
            bone,
            joint_channels(
                bone.kind,
                bone.sign,
                bone_from_link(bone.id, bone.armature_from_link, rest),
                joints[bone.joint].axis,
                pitch=joints[bone.joint].pitch,
                turn=bone.turn,
            ),
        )
        for bone in plan.bones
    ]
