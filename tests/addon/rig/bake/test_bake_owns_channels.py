"""A bake takes all channels of the robot's bones, and gives back what an earlier one took."""

import bpy
import numpy as np
import pytest
from dynarig.addon import compat
from dynarig.addon.blender.bake import bake as bake_module
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.joint_limits import CONSTRAINT_NAME, MUTED_KEY
from dynarig.core.trajectory import Trajectory

SETTINGS = BakeSettings(frame_start=1, frame_end=13, fps=24.0)


def bake(lab, result, motion=None):
    """Bake a random motion, or a given one, and check every other frame of it."""
    motion = motion or lab.random_motion(lab.open(result)[1], 0.5)
    baked = bake_robot(bpy.context, result.object, SETTINGS, motion)
    for frame in range(1, 14, 2):
        bpy.context.scene.frame_set(frame)
        q, _ = motion.sample((frame - 1) / 24.0)
        assert lab.error(result.object, motion.model, q) < 1e-5 + 1.2e-7 * np.abs(q).max()
    return baked


def paths(obj):
    return {(curve.data_path, curve.array_index) for curve in compat.existing_channels(obj)}


def key(bone, path, value, frame=5):
    setattr(bone, path, value)
    assert bone.keyframe_insert(path, frame=frame)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("rotation_euler", (0.5, 0.1, 0.2)),
        ("location", (0.1, 0.2, 0.3)),
        ("scale", (1.0, 2.0, 1.0)),
        ("rotation_mode", "QUATERNION"),
        ("rotation_mode", "XYZ"),
        ("rotation_quaternion", (0.5, 0.5, 0.5, 0.5)),
    ],
)
def test_keys_on_other_channels_of_the_bones_are_removed_and_told(lab, path, value):
    result = lab.load("panda")
    rig, _ = lab.open(result)
    key(rig.pose_bone("panda_joint2"), path, value)
    bpy.context.scene.frame_set(1)
    baked = bake(lab, result)
    assert baked.cleared == ("panda_joint2",)
    assert "other channels of the bones removed: panda_joint2" in baked.summary()
    assert len(paths(result.object)) == baked.channels
    again = bake(lab, result)
    assert again.cleared == ()
    assert "removed" not in again.summary()


def test_keys_on_a_base_and_on_a_follower_are_removed_too(lab):
    walker = lab.load("solo12")
    rig, _ = lab.open(walker)
    base = rig.table.bones[0].joint
    key(rig.pose_bone(base), "rotation_mode", "XYZ")
    key(rig.pose_bone(base), "rotation_euler", (0.1, 0.2, 0.3))
    assert bake(lab, walker).cleared == (base,)
    claw = lab.load("case06")
    rig, model = lab.open(claw)
    follower = next(iter(model.followers))
    key(rig.pose_bone(follower), "location", (0.1, 0.1, 0.1))
    assert bake(lab, claw).cleared == (follower,)


def test_curves_of_other_bones_properties_and_objects_stay(lab):
    result = lab.load("panda")
    bpy.ops.object.mode_set(mode="EDIT")
    bones = result.object.data.edit_bones
    extra = bones.new('control "panda_link2"')
    extra.tail = (0.0, 0.0, 0.1)
    bpy.ops.object.mode_set(mode="OBJECT")
    other = lab.load("ur5")
    rig, _ = lab.open(result)
    bone = rig.pose_bone("panda_joint2")
    key(result.object.pose.bones['control "panda_link2"'], "location", (1.0, 2.0, 3.0))
    key(result.object, "location", (0.0, 0.0, 0.0))
    key(bone.constraints[CONSTRAINT_NAME], "influence", 1.0)
    bone["mine"] = 1.0
    bone.keyframe_insert('["mine"]', frame=5)
    key(other.object.pose.bones[0], "scale", (1.0, 1.0, 1.0))
    kept, others = paths(result.object), paths(other.object)
    assert len(kept) == 8
    baked = bake(lab, result)
    assert baked.cleared == ()
    assert paths(result.object) >= kept
    assert len(paths(result.object)) == baked.channels + len(kept)
    assert paths(other.object) == others


CHANGES = {
    "expression": lambda curve: setattr(curve.driver, "expression", "0.3"),
    "no expression": lambda curve: setattr(curve.driver, "type", "AVERAGE"),
    "target": lambda curve: setattr(
        curve.driver.variables[0].targets[0], "id", bpy.context.scene.objects["other"]
    ),
    "path": lambda curve: setattr(curve.driver.variables[0].targets[0], "data_path", "location[0]"),
    "variable": lambda curve: setattr(curve.driver.variables[0], "name", "other"),
    "kind": lambda curve: setattr(curve.driver.variables[0], "type", "TRANSFORMS"),
    "more": lambda curve: curve.driver.variables.new(),
    "none": lambda curve: curve.driver.variables.remove(curve.driver.variables[0]),
    "muted": lambda curve: setattr(curve, "mute", True),
    "mapped": lambda curve: curve.keyframe_points.insert(0.0, 1.0),
    "modifier": lambda curve: curve.modifiers.new("GENERATOR"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_mimic_driver_that_was_changed_is_made_again(lab, change):
    result = lab.load("case06")
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("other", None))
    drivers = result.object.animation_data.drivers
    count = len(drivers)
    CHANGES[change](drivers[0])
    bake(lab, result)
    assert len(drivers) == count


def test_a_copied_robot_follows_its_own_leader(lab):
    result = lab.load("case06")
    _, model = lab.open(result)
    twin = result.object.copy()
    twin.data = result.object.data.copy()
    bpy.context.scene.collection.objects.link(twin)
    motion = lab.random_motion(model, 0.5)
    bake_robot(bpy.context, twin, SETTINGS, motion)
    bpy.context.scene.frame_set(9)
    assert lab.error(twin, model, motion.sample(8.0 / 24.0)[0]) < 1e-5
    drivers = twin.animation_data.drivers
    assert {driver.driver.variables[0].targets[0].id for driver in drivers} == {twin}


def test_mimic_drivers_that_are_right_stay_and_so_do_drivers_of_the_users_own(lab):
    result = lab.load("case06")
    obj = result.object
    bones = obj.data
    bpy.ops.object.mode_set(mode="EDIT")
    bones.edit_bones.new("mine").tail = (0.0, 0.0, 0.1)
    bpy.ops.object.mode_set(mode="OBJECT")
    mine = obj.pose.bones["mine"].driver_add("location", 1)
    mine.driver.expression = "frame"
    mine.driver.variables.new().name = "leader"
    # a broken one: its property is gone
    obj.pose.bones["mine"]["gone"] = 1.0
    obj.pose.bones["mine"].driver_add('["gone"]').driver.expression = "2.0"
    del obj.pose.bones["mine"]["gone"]
    before = [curve.as_pointer() for curve in obj.animation_data.drivers]
    bake(lab, result)
    assert [curve.as_pointer() for curve in obj.animation_data.drivers] == before


def test_names_that_changed_places_leave_no_driver_on_the_wrong_bone(lab):
    result = lab.load("case06")
    rig, model = lab.open(result)
    follower = next(iter(model.followers))
    leader, led = rig.pose_bone(model.joint_names[0]), rig.pose_bone(follower)
    one, two = leader.name, led.name
    leader.name, led.name = "between", one
    rig, _ = lab.open(result)
    rig.pose_bone(model.joint_names[0]).name = two
    bake(lab, result)
    assert len(result.object.animation_data.drivers) == len(model.followers)


def test_muted_groups_are_unmuted_by_the_next_bake(lab):
    result = lab.load("panda")
    bake(lab, result)
    for curve in compat.existing_channels(result.object):
        curve.group.mute = True
    bpy.context.scene.frame_set(1)
    bake(lab, result)
    assert not any(curve.group.mute for curve in compat.existing_channels(result.object))


def inside_and_outside(lab, result):
    """A motion within the limit of case13's feather, and one that leaves it."""
    _, model = lab.open(result)
    times = np.linspace(0.0, 0.5, 121)
    share = np.sin(np.pi * times)
    return [
        Trajectory.from_table(model, times, np.stack((0.0 * times, top * share), axis=1))
        for top in (0.4, 0.8)
    ]


def test_a_limit_that_a_bake_muted_is_active_again_for_a_motion_inside(lab):
    result = lab.load("case13")
    inside, outside = inside_and_outside(lab, result)
    rig, _ = lab.open(result)
    bone = rig.pose_bone("feather")
    limit = bone.constraints[CONSTRAINT_NAME]
    assert bake(lab, result, outside).muted == ("feather",)
    assert limit.mute
    assert MUTED_KEY in bone
    assert bake(lab, result, outside).muted == ("feather",)
    assert limit.mute
    assert bake(lab, result, inside).muted == ()
    assert not limit.mute
    assert MUTED_KEY not in bone


def test_a_limit_that_the_user_muted_stays_muted(lab):
    result = lab.load("case13")
    inside, outside = inside_and_outside(lab, result)
    limit = lab.open(result)[0].pose_bone("feather").constraints[CONSTRAINT_NAME]
    limit.mute = True
    for motion in (outside, inside, outside):
        assert bake(lab, result, motion).muted == ()
        assert limit.mute


def test_a_follower_that_leaves_its_limits_by_the_description_stays_muted(lab):
    """Its leader takes it there, whatever the motion that was baked last."""
    result = lab.load_text(FOLLOWER)
    rig, model = lab.open(result)
    limit = rig.pose_bone("follower").constraints[CONSTRAINT_NAME]
    assert limit.mute
    bake(lab, result, Trajectory.from_table(model, [0.0, 0.5], [[0.0], [0.05]]))
    assert limit.mute


FOLLOWER = """
<link name="a"/><link name="b"/><link name="c"/>
<joint name="leader" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="follower" type="revolute"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>
  <mimic joint="leader" multiplier="2"/>
  <limit lower="-0.5" upper="0.5" effort="1" velocity="1"/></joint>
"""


def test_a_bake_that_fails_leaves_muted_what_another_had_muted(lab, monkeypatch):
    result = lab.load("case13")
    inside, outside = inside_and_outside(lab, result)
    bone = lab.open(result)[0].pose_bone("feather")
    bake(lab, result, outside)
    monkeypatch.setattr(bake_module, "set_mimic_drivers", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        bake(lab, result, inside)
    assert bone.constraints[CONSTRAINT_NAME].mute
    monkeypatch.undo()
    bake(lab, result, inside)
    assert not bone.constraints[CONSTRAINT_NAME].mute
