"""A mechanism as an armature: a bone for each link that a joint moves, keyed joint by joint."""

from __future__ import annotations

from collections.abc import Mapping

import bpy

from ....core.arrays import FloatArray
from ....core.key_segments import Interpolation
from ....core.keyframes import JointKeys
from ....core.mechanism import Tree
from ...compat import writable_channels
from ..attach import hang_from
from ..bone_plan import PlannedBone, RigPlan, plan_rig
from ..channels import JointChannels, joint_channels
from ..keyframes import fill_curve
from ..labels import label
from ..matrices import from_blender
from ..pose import settle_bone
from ..rig import bone_from_link, check_size, inverses, make_bones, new_armature_object
from ..robot_table import BONE_KEY
from ..workspace import temporary_scene


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
    motion: Mapping[str, JointKeys],
    interpolation: Interpolation = "BEZIER",
) -> Bones:
    """Make the armature of a tree and the keys of its motion.

    Args:
        context: in which bones are made, in a scene of their own.
        collection: where the armature object is linked.
        tree: of bodies and joints.
        motion: the keys of each joint that moves, as `joint_motion` gives them.
        interpolation: between keys.

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
    back = inverses({bone[BONE_KEY]: from_blender(bone.matrix_local) for bone in armature.bones})
    assert obj.pose is not None, "an armature object has a pose"
    bones = {bone.bone[BONE_KEY]: bone for bone in obj.pose.bones}
    curves = writable_channels(obj, f"{obj.name} motion")
    for planned, channels in _channels(plan, tree, back):
        bone = bones[planned.id]
        settle_bone(bone, planned.kind)
        keys = motion[planned.joint]
        q, slopes, before = map(
            channels.from_coordinates, (keys.values, keys.slopes, keys.slopes_before)
        )
        for column, (path, index) in enumerate(channels.paths):
            curve = curves.new(bone.path_from_id(path), index, bone.name)
            own = (q[:, column], slopes[:, column])
            fill_curve(curve, keys.frames, *own, interpolation, before[:, column])
            getattr(bone, path)[index] = q[0, column]
    places = {
        link: bone_from_link(plan.carrier[link], pose, back)
        for link, pose in plan.armature_from_link.items()
    }
    return Bones(obj, bones, plan.carrier, places)


def _channels(
    plan: RigPlan, tree: Tree, back: Mapping[str, FloatArray]
) -> list[tuple[PlannedBone, JointChannels]]:
    """Each bone with its channels."""
    joints = {joint.name: joint for joint in tree.joints}
    return [
        (
            bone,
            joint_channels(
                bone.kind,
                bone.sign,
                bone_from_link(bone.id, bone.armature_from_link, back),
                joints[bone.joint].axis,
                pitch=joints[bone.joint].pitch,
                turn=bone.turn,
            ),
        )
        for bone in plan.bones
    ]
