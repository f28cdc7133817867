"""The operator that brings a rig back to what its robot table says."""

import bpy
import pytest
from dynarig.addon import compat
from dynarig.addon.active_robot import NO_ROBOT
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.joint_limits import CONSTRAINT_NAME, MUTED_KEY
from dynarig.addon.blender.pose import set_joint_values
from dynarig.addon.blender.repair import repair_rig
from dynarig.addon.errors import RigError
from dynarig.core.trajectory import Trajectory


def repair(result):
    return repair_rig(bpy.context, result.object)


@pytest.mark.parametrize("name", ["panda", "ur5", "solo12", "talos", "case05", "case06", "case13"])
def test_a_new_rig_has_nothing_to_mend(lab, name):
    result = lab.load(name)
    rig, model = lab.open(result)
    q = lab.random_q(model)
    set_joint_values(rig, {joint: q[model.q_index(joint)] for joint in model.joint_names})
    found = repair(result)
    assert (found.drivers, found.channels, found.limits) == ((), (), ())
    assert found.summary() == f"{result.object.name}: nothing to mend"
    # the joints keep their pose
    assert lab.error(result.object, model, q) < 1e-5


def test_followers_follow_again_after_bones_were_renamed(lab):
    result = lab.load("case06")
    _, model = lab.open(result)
    for index, bone in enumerate(result.object.data.bones):
        bone.name = f"my bone {index}"
    found = repair(result)
    # from 5.3 on Blender takes the drivers along
    assert set(found.drivers) in (set(), set(model.followers))
    assert len(result.object.animation_data.drivers) == len(model.followers)
    rig, _ = lab.open(result)
    q = lab.random_q(model)
    set_joint_values(rig, {joint: q[model.q_index(joint)] for joint in model.joint_names})
    assert lab.error(result.object, model, q) < 1e-5
    assert repair(result).drivers == ()


def test_a_leader_that_was_renamed_and_named_back_is_followed_again(lab):
    result = lab.load("case06")
    rig, model = lab.open(result)
    bone = rig.pose_bone(model.joint_names[0])
    name = bone.name
    for other in ("away", name):
        bone.name = other
        # Blender finds the driver broken, and would not look at it again
        bpy.context.view_layer.update()
        set_joint_values(rig, {model.joint_names[0]: 0.1})
        bpy.context.view_layer.update()
    repair(result)
    q = lab.random_q(model)
    set_joint_values(rig, {model.joint_names[0]: q})
    assert lab.error(result.object, model, q) < 1e-5


def test_rotation_modes_locks_and_other_axes_are_reset(lab):
    result = lab.load("solo12")
    rig, model = lab.open(result)
    base, knee = model.joint_names[0], model.joint_names[3]
    q = lab.random_q(model)
    set_joint_values(rig, {joint: q[model.q_index(joint)] for joint in model.joint_names})
    rig.pose_bone(base).rotation_mode = "AXIS_ANGLE"
    bone = rig.pose_bone(knee)
    bone.rotation_mode = "XYZ"
    bone.lock_rotation = (False, True, False)
    bone.lock_ik_x = False
    bone.location = (0.1, 0.2, 0.3)
    bone.scale = (1.0, 2.0, 1.0)
    found = repair(result)
    assert set(found.channels) == {base, knee}
    assert (found.drivers, found.limits) == ((), ())
    assert knee in found.summary()
    assert lab.error(result.object, model, q) < 1e-5
    assert bone.rotation_mode == "YXZ"
    assert list(bone.lock_rotation) == [True, False, True]
    assert bone.lock_ik_x


def test_limit_constraints_are_reset_and_those_of_the_user_are_not(lab):
    result = lab.load("panda")
    rig, _ = lab.open(result)
    names = [f"panda_joint{number}" for number in (1, 2, 3, 4)] + ["panda_finger_joint1"]
    gone, moved, weak, named, slide = (rig.pose_bone(name) for name in names)
    wanted = {name: limits(rig.pose_bone(name)) for name in names}
    gone.constraints.remove(gone.constraints[CONSTRAINT_NAME])
    moved.constraints[CONSTRAINT_NAME].max_y = 0.1
    moved.constraints[CONSTRAINT_NAME].use_limit_x = True
    weak.constraints[CONSTRAINT_NAME].influence = 0.5
    weak.constraints[CONSTRAINT_NAME].mute = True
    named.constraints[CONSTRAINT_NAME].name = "my limit"
    named.constraints["my limit"].owner_space = "WORLD"
    slide.constraints[CONSTRAINT_NAME].use_min_y = False
    mine = moved.constraints.new("COPY_LOCATION")
    beside = weak.constraints.new("LIMIT_ROTATION")
    beside.max_x = 0.25
    found = repair(result)
    assert found.limits == tuple(names)
    assert (found.drivers, found.channels) == ((), ())
    assert {name: limits(rig.pose_bone(name)) for name in names} == wanted
    assert [item.name for item in moved.constraints] == [CONSTRAINT_NAME, mine.name]
    assert beside.max_x == 0.25
    assert repair(result).limits == ()


def limits(bone):
    """What the first limit of a bone is set to, but for its name."""
    item = next(item for item in bone.constraints if item.type.startswith("LIMIT"))
    names = [name for name in dir(item) if name.startswith(("use_", "min_y", "max_y", "owner"))]
    return item.type, item.mute, item.influence, [getattr(item, name) for name in names]


def test_a_limit_where_the_joint_has_none_is_removed(lab):
    result = lab.load("case13")
    rig, model = lab.open(result)
    wheel = next(joint for joint in model.joint_names if joint != "feather")
    bone = rig.pose_bone(wheel)
    bone.constraints.new("LIMIT_ROTATION").name = CONSTRAINT_NAME
    assert repair(result).limits == (wheel,)
    assert not len(bone.constraints)


def test_the_animation_is_untouched_and_shows_what_it_showed(lab):
    """The limit that the motion leaves stays off, whoever muted it."""
    result = lab.load("case13")
    rig, model = lab.open(result)
    motion = Trajectory.from_table(model, [0.0, 0.5], [[0.0, 0.0], [9.0, 0.9]])
    bake_robot(bpy.context, result.object, BakeSettings(frame_end=13), motion)
    bone = rig.pose_bone("feather")
    bone.keyframe_insert("scale", frame=3)
    keys = all_keys(result.object)
    for _ in range(2):
        assert repair(result).limits == ()
        assert all_keys(result.object) == keys
        assert bone.constraints[CONSTRAINT_NAME].mute
        del bone[MUTED_KEY]
    bpy.context.scene.frame_set(13)
    assert lab.error(result.object, model, motion.q[-1]) < 1e-5
    # and once the keys stay inside it is on again
    result.object.animation_data.action = None
    assert repair(result).limits == ("feather",)
    assert not bone.constraints[CONSTRAINT_NAME].mute


def all_keys(obj):
    return [
        (curve.data_path, curve.array_index, [tuple(point.co) for point in curve.keyframe_points])
        for curve in compat.existing_channels(obj)
    ]


def test_the_operator_is_one_step_to_undo(lab):
    result = lab.load("case06")
    name, bone = result.object.name, result.object.pose.bones[0].name
    result.object.pose.bones[0].rotation_mode = "XYZ"
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        bpy.ops.ed.undo_push(message="before")
        assert bpy.ops.dynarig.repair_rig("EXEC_DEFAULT", True) == {"FINISHED"}
        assert bpy.data.objects[name].pose.bones[bone].rotation_mode == "YXZ"
        bpy.ops.ed.undo()
    assert bpy.data.objects[name].pose.bones[bone].rotation_mode == "XYZ"


def test_what_cannot_be_repaired_is_one_clear_error(lab):
    with pytest.raises(RuntimeError, match=NO_ROBOT):
        bpy.ops.dynarig.repair_rig()
    result = lab.load("case05")
    bpy.ops.object.mode_set(mode="EDIT")
    result.object.data.edit_bones.remove(result.object.data.edit_bones["l3"])
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(RuntimeError, match="bone of joint 'skew' is gone"):
        bpy.ops.dynarig.repair_rig()


def test_a_linked_robot_is_refused_and_its_override_is_repaired(lab):
    linked = lab.linked(lab.load("case06").object)
    with pytest.raises(RigError, match="linked from another file"):
        repair_rig(bpy.context, linked)
    own = linked.override_create(remap_local_usages=True)
    own.pose.bones[0].rotation_mode = "XYZ"
    assert len(repair_rig(bpy.context, own).channels) == 1
