"""The armature of a robot: bones along the joint axes, tied to the links by constant matrices.

Made in three steps: bones in edit mode (in a scene of the caller's), then the robot table from
the rest matrices that Blender really made, then locks, limits, drivers and the first pose.
"""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np
from mathutils import Vector

from ...core.arrays import FloatArray
from ...core.dynamics import Model
from ...core.urdf.build import tree_from_robot
from ...core.urdf.document import Robot
from ..errors import RigError
from .bone_lengths import shape_sizes
from .bone_plan import BoneWishes, PlacedBone, RigPlan, plan_rig
from .importing.options import ImportOptions
from .joint_limits import KINDS as LIMITED
from .joint_limits import add_limit, unheld_limits
from .joint_properties import set_names, set_numbers
from .labels import label
from .limit_muting import mute_limits_of_followers
from .matrices import from_blender
from .mimic_drivers import set_mimic_drivers
from .pose import set_configuration, settle_rig
from .rig_access import Rig, open_rig
from .robot_table import BONE_KEY, BoneRecord, FixedBone, LinkRecord, RobotTable, write_table
from .workspace import Workspace

# Blender computes with float32, whose squares overflow at 1.8e19 (m).
LARGEST_DISTANCE = 1e15


def build_rig(
    workspace: Workspace,
    robot: Robot,
    model: Model,
    options: ImportOptions,
) -> tuple[Rig, list[str]]:
    """Make the armature object of a robot, at zero clamped into the joints' limits.

    Args:
        workspace: the scene to work in; the object stays linked there.
        robot: the description; model: the same, compiled.
        options: kept in the table, with all that they say of bones and of the scale; with a
            floating base the root link has a bone too, as the model has a joint for it.

    Returns:
        The rig, and warnings.

    Raises:
        RigError: for a link that is too far away for an armature.
        ArgumentError: for options that cannot be.
    """
    options.check()
    plan = plan_rig(tree_from_robot(robot), _wishes(options), shape_sizes(robot))
    check_size(f"robot '{robot.name}'", plan)
    armature = bpy.data.armatures.new(label(robot.name or "Robot"))
    obj = new_armature_object(workspace, armature)
    obj.scale = (options.scale,) * 3
    make_bones(workspace, obj, (*plan.bones, *plan.fixed_bones))
    table = _table(robot, plan, armature, options)
    write_table(armature, table)
    rig = open_rig(obj)
    notes = [*_notes(plan, options), *unheld_limits(robot.joints)]
    return rig, [*notes, *_finish(rig, robot, model)]


def _wishes(options: ImportOptions) -> BoneWishes:
    """What the options say of bones."""
    keep = options.fixed_links == "KEEP"
    return BoneWishes(
        options.floating_base, keep, options.mesh_parent == "SKIN", options.bone_length
    )


def _notes(plan: RigPlan, options: ImportOptions) -> list[str]:
    """What became of the wishes."""
    if not plan.lengthened:
        return []
    bones = "1 bone is" if plan.lengthened == 1 else f"{plan.lengthened} bones are"
    longest = max(bone.length for bone in (*plan.bones, *plan.fixed_bones))
    return [
        f"{bones} longer than {options.bone_length:g} m, up to {longest:.3g} m: so far from the "
        "root, shorter ones would be inexact in Blender's 7 digits"
    ]


def check_size(owner: str, plan: RigPlan) -> None:
    """Refuse a robot or mechanism whose bones Blender's float32 would lose.

    Raises:
        RigError: naming the owner and the link.
    """
    for link, pose in plan.armature_from_link.items():
        far = np.abs(pose[:3, 3]).max()
        if not far <= LARGEST_DISTANCE:
            raise RigError(
                f"{owner}: link '{link}' is {far:.3g} m away from the root; an "
                f"armature reaches {LARGEST_DISTANCE:g} m"
            )


def new_armature_object(workspace: Workspace, armature: bpy.types.Armature) -> bpy.types.Object:
    """An object for an armature, linked into the scene of the caller."""
    obj = bpy.data.objects.new(armature.name, armature)
    obj.show_in_front = True
    workspace.scene.collection.objects.link(obj)
    return obj


def make_bones(workspace: Workspace, obj: bpy.types.Object, bones: tuple[PlacedBone, ...]) -> None:
    """Make the planned bones in edit mode, with their ids."""
    if not bones:
        return
    with workspace.override(obj):
        bpy.ops.object.mode_set(mode="EDIT")
        made: dict[str, bpy.types.EditBone] = {}
        for plan in bones:
            bone = obj.data.edit_bones.new(plan.label)
            head = plan.armature_from_link[:3, 3]
            bone.head = Vector(head.tolist())
            bone.tail = Vector((head + plan.length * plan.direction).tolist())
            if plan.z is None:
                bone.roll = 0.0
            else:
                bone.align_roll(Vector(plan.z.tolist()))
            bone[BONE_KEY] = plan.id
            made[plan.id] = bone
        # never connected: Blender ignores the location of connected bones
        for plan in bones:
            made[plan.id].parent = made[plan.parent] if plan.parent else None
    # a fresh override: the object is in edit mode now
    with workspace.override(obj):
        bpy.ops.object.mode_set(mode="OBJECT")


def _table(
    robot: Robot,
    plan: RigPlan,
    armature: bpy.types.Armature,
    options: ImportOptions,
) -> RobotTable:
    """The table, with the rest matrices as Blender made them."""
    made = {bone[BONE_KEY]: from_blender(bone.matrix_local) for bone in armature.bones}
    back = inverses(made)
    limits = {joint.name: joint.limit for joint in robot.joints if joint.type in LIMITED}
    records = tuple(
        BoneRecord(
            id=bone.id,
            joint=bone.joint,
            kind=bone.kind,
            link=bone.link,
            sign=bone.sign,
            armature_from_bone=made[bone.id],
            lower=getattr(limits.get(bone.joint), "lower", None),
            upper=getattr(limits.get(bone.joint), "upper", None),
        )
        for bone in plan.bones
    )
    return RobotTable(
        name=robot.name,
        source=str(robot.source) if robot.source else "",
        text=robot.text,
        options=options,
        bones=records,
        links={
            link: LinkRecord(plan.carrier[link], bone_from_link(plan.carrier[link], pose, back))
            for link, pose in plan.armature_from_link.items()
        },
        fixed_bones=tuple(
            FixedBone(bone.id, bone.link, made[bone.id]) for bone in plan.fixed_bones
        ),
    )


def inverses(armature_from_bone: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """bone_from_armature (4, 4) of bones by id.

    General inverses: Blender's rest matrices are float32, orthonormal to about 1e-6.
    """
    rest = np.array(list(armature_from_bone.values())).reshape(-1, 4, 4)
    return dict(zip(armature_from_bone, np.linalg.inv(rest), strict=True))


def bone_from_link(
    carrier: str | None,
    armature_from_link: FloatArray,
    bone_from_armature: Mapping[str, FloatArray],
) -> FloatArray:
    """The constant pose (4, 4) of a link in its bone (in the armature where no bone carries it)."""
    if carrier is None:
        return armature_from_link
    pose: FloatArray = bone_from_armature[carrier] @ armature_from_link
    return pose


def _finish(rig: Rig, robot: Robot, model: Model) -> list[str]:
    """Channels, locks, limits, drivers and properties of every bone, and the first pose."""
    joints = {joint.name: joint for joint in robot.joints}
    settle_rig(rig)
    pattern = None
    for record in rig.table.bones:
        bone = rig.pose_bones[record.id]
        set_names(bone, record.joint, record.link)
        joint = joints.get(record.joint)
        if joint is not None:
            pattern = add_limit(bone, joint, record.sign, pattern)
            set_numbers(bone, joint)
    for fixed in rig.table.fixed_bones:
        set_names(rig.pose_bones[fixed.id], None, fixed.link)
    set_mimic_drivers(rig, model)
    set_configuration(rig, model, model.clamped(model.neutral()))
    return mute_limits_of_followers(rig, model)
