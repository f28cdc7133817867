"""Bones of links that nothing moves, how long bones are, and robots of another size."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender import labels
from dynarig.addon.blender.attach import hang_from
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.bone_lengths import LENGTH_PER_DISTANCE
from dynarig.addon.blender.loops import add_loop, loop_constraints, read_loops
from dynarig.addon.blender.pose import set_configuration, set_joint_values
from dynarig.addon.blender.repair import repair_rig
from dynarig.addon.blender.rig_access import open_rig
from dynarig.addon.blender.robot_table import read_table
from dynarig.addon.errors import RigError
from dynarig.core.dynamics import link_poses
from dynarig.core.errors import ArgumentError

ROBOTS = ("panda", "talos", "case05", "case09", "case11")
KEEP = {"fixed_links": "KEEP"}
SKIN = {"mesh_parent": "SKIN"}


def fixed_links(rig):
    moved = {record.link for record in rig.table.bones}
    return {link.name for link in rig.robot.links} - moved


@pytest.mark.parametrize("name", ROBOTS)
def test_kept_links_have_the_tree_of_the_robot_as_bones(lab, name):
    result = lab.load(name, **KEEP)
    rig, _ = lab.open(result)
    assert {bone.link for bone in rig.table.fixed_bones} == fixed_links(rig)
    bones = {record.link: rig.pose_bones[record.id] for record in rig.table.all_bones}
    assert set(bones) == {link.name for link in rig.robot.links}
    assert len(result.object.data.bones) == len(bones)
    assert bones[rig.robot.root].parent is None
    for joint in rig.robot.joints:
        assert bones[joint.child].parent == bones[joint.parent]
        assert not bones[joint.child].bone.use_connect


@pytest.mark.parametrize("name", ROBOTS)
def test_poses_are_those_of_a_merged_robot(lab, name):
    """Links, and the bones themselves: a fixed one has the axes of its link."""
    result = lab.load(name, **KEEP)
    rig, model = lab.open(result)
    places = {model.link_names[index]: index for index in range(len(model.link_names))}
    for _ in range(3):
        q = lab.random_q(model)
        set_configuration(rig, model, q)
        assert lab.error(result.object, model, q) < 1e-5
        poses = link_poses(model, q)
        evaluated = result.object.evaluated_get(bpy.context.evaluated_depsgraph_get())
        for fixed in rig.table.fixed_bones:
            found = np.array(evaluated.pose.bones[rig.pose_bones[fixed.id].name].matrix)
            wanted = poses[places[fixed.link]]
            assert np.abs(found[:3, 3] - wanted[:3, 3]).max() < 1e-5
            # turned half about Z where Blender would spoil the axis
            turned = found @ np.diag((-1.0, -1.0, 1.0, 1.0))
            off = min(np.abs(found - wanted).max(), np.abs(turned - wanted).max())
            assert off < 1e-5


def test_a_fixed_bone_cannot_be_moved_by_hand(lab):
    rig, _ = lab.open(lab.load("case05", **KEEP))
    assert len(rig.table.fixed_bones) == 2
    for fixed in rig.table.fixed_bones:
        bone = rig.pose_bones[fixed.id]
        locks = (*bone.lock_location, *bone.lock_rotation, *bone.lock_scale, bone.lock_rotation_w)
        assert all((*locks, bone.lock_ik_x, bone.lock_ik_y, bone.lock_ik_z))
        assert not len(bone.constraints)
        assert np.array(bone.matrix_basis) == pytest.approx(np.eye(4))


def test_a_skin_has_a_bone_for_the_root_and_for_no_other_fixed_link(lab):
    rig, _ = lab.open(lab.load("case05", **SKIN))
    (root,) = rig.table.fixed_bones
    assert root.link == rig.robot.root == "l0"
    assert np.abs(root.armature_from_bone - np.eye(4)).max() < 1e-6
    top = [bone for bone in rig.object.data.bones if bone.parent is None]
    assert [bone.name for bone in top] == [rig.pose_bones[root.id].name]
    floating, _ = lab.open(lab.load("solo12", **SKIN))
    assert floating.table.fixed_bones == ()


@pytest.mark.parametrize("options", [{}, KEEP, SKIN, {**KEEP, **SKIN}])
@pytest.mark.parametrize("name", ["case05", "case11", "solo12"])
def test_what_hangs_on_a_link_stands_where_the_link_is(lab, name, options):
    result = lab.load(name, **options)
    rig, model = lab.open(result)
    link_from_object = np.eye(4)
    link_from_object[:3, 3] = 0.1, -0.2, 0.3
    objects = {}
    for link in model.link_names:
        obj = objects[link] = bpy.data.objects.new(link, None)
        bpy.context.scene.collection.objects.link(obj)
        bone, bone_from_link = rig.hanging(link)
        assert (bone is None) == (not options and rig.table.links[link].bone is None)
        hang_from(result.object, bone, obj, bone_from_link @ link_from_object)
    q = lab.random_q(model)
    set_configuration(rig, model, q)
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    for link, pose in zip(model.link_names, link_poses(model, q), strict=True):
        world = np.array(objects[link].evaluated_get(depsgraph).matrix_world)
        assert np.abs(world - pose @ link_from_object).max() < 1e-5


def test_links_welded_to_the_root_of_a_skin_hang_from_its_bone(lab):
    body = (
        '<link name="base"/><link name="plate"/><joint name="weld" type="fixed">'
        '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><parent link="base"/><child link="plate"/></joint>'
    )
    for options, own in ((SKIN, "base"), (KEEP, "plate")):
        rig, _ = lab.open(lab.load_text(body, **options))
        bone, bone_from_link = rig.hanging("plate")
        assert bone["urdf_link"] == own
        pose = np.array(bone.bone.matrix_local) @ bone_from_link
        assert pose[:3, 3] == pytest.approx((1.0, 2.0, 3.0), abs=1e-6)
    with pytest.raises(RigError, match="no link 'nowhere'"):
        rig.hanging("nowhere")


def test_a_table_keeps_fixed_bones(lab):
    result = lab.load("panda", **KEEP)
    table = read_table(result.object.data)
    assert table.options.fixed_links == "KEEP"
    for fixed in table.fixed_bones:
        bone = open_rig(result.object).pose_bones[fixed.id].bone
        assert np.array_equal(np.array(bone.matrix_local), fixed.armature_from_bone)


@pytest.mark.parametrize("options", [{}, KEEP, SKIN])
@pytest.mark.parametrize("floating", [False, True])
def test_a_robot_of_one_link(lab, options, floating):
    result = lab.load_text('<link name="only"/>', floating, **options)
    rig, model = lab.open(result)
    assert len(rig.table.bones) == int(floating)
    assert len(rig.table.fixed_bones) == int(bool(options) and not floating)
    q = lab.random_q(model)
    set_configuration(rig, model, q)
    assert lab.error(result.object, model, q) < 1e-5
    assert "nothing to mend" in repair_rig(bpy.context, result.object).summary()


def test_a_motion_is_baked_and_nothing_is_keyed_on_fixed_bones(lab):
    result = lab.load("case11", **KEEP)
    rig, model = lab.open(result)
    fixed = rig.pose_bones[rig.table.fixed_bones[0].id]
    fixed.location = (0.1, 0.2, 0.3)
    fixed.keyframe_insert("location", frame=1)
    told = bake_robot(
        bpy.context, result.object, BakeSettings(frame_end=25), lab.random_motion(model)
    )
    # the pole is the root, and no joint holds it
    assert told.cleared == ("pole",)
    for frame in (1, 13, 25):
        bpy.context.scene.frame_set(frame)
        rig, _ = lab.open(result)
        q = lab.evaluated_q(rig, model)
        assert lab.error(result.object, model, q) < 1e-5
        assert np.abs(q - told.trajectory.sample((frame - 1) / 24.0)[0]).max() < 1e-5


def test_a_repair_holds_fixed_bones_again(lab):
    result = lab.load("case05", **KEEP)
    rig, model = lab.open(result)
    weld = next(joint for joint in rig.robot.joints if joint.type == "fixed")
    bone = rig.hanging(weld.child)[0]
    bone.location = (0.1, 0.0, 0.0)
    bone.lock_location = (False, False, False)
    q = model.clamped(model.neutral())
    assert lab.error(result.object, model, q) > 0.05
    told = repair_rig(bpy.context, result.object)
    assert told.channels == (weld.name,)
    assert lab.error(result.object, model, q) < 1e-6
    assert repair_rig(bpy.context, result.object).summary().endswith("nothing to mend")


def test_bones_of_the_user_are_let_be(lab):
    """Of a copy of a bone, Blender copies the id too."""
    result = lab.load("case05", **KEEP)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = result.object.data.edit_bones
    first = bones["l3"]
    extra = bones.new("mine")
    extra.head, extra.tail = (1, 1, 1), (1, 1, 2)
    extra.parent = first
    copy = bones.new("aaa")
    copy["dynarig_bone"] = first["dynarig_bone"]
    copy.head, copy.tail, copy.roll = first.head, first.tail.copy() * 1.5, 0.3
    bpy.ops.object.mode_set(mode="OBJECT")
    rig, model = lab.open(result)
    assert {"mine", "aaa"}.isdisjoint(bone.name for bone in rig.pose_bones.values())
    q = lab.random_q(model)
    set_configuration(rig, model, q)
    assert lab.error(result.object, model, q) < 1e-5
    result.object.pose.bones["mine"].location = (5, 5, 5)
    repair_rig(bpy.context, result.object)
    assert list(result.object.pose.bones["mine"].location) == [5, 5, 5]


@pytest.mark.parametrize("options", [{}, KEEP])
def test_a_bone_with_another_parent_is_refused(lab, options):
    """A bone of the user may stand between two of the robot."""
    result = lab.load("case05", **options)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = result.object.data.edit_bones
    extra = bones.new("mine")
    extra.head, extra.tail = (1, 1, 1), (1, 1, 2)
    extra.parent, bones["l3"].parent = bones["l3"].parent, extra
    bpy.ops.object.mode_set(mode="OBJECT")
    open_rig(result.object)
    for parent in (None, "l1"):
        bpy.ops.object.mode_set(mode="EDIT")
        bones = result.object.data.edit_bones
        bones["l3"].parent = bones[parent] if parent else None
        bpy.ops.object.mode_set(mode="OBJECT")
        with pytest.raises(RigError, match=r"'l3' has another parent than it was made with \('l2'"):
            open_rig(result.object)


def test_a_fixed_bone_that_is_gone_is_named(lab):
    result = lab.load("case05", **KEEP)
    name = open_rig(result.object).hanging("l5")[0].name
    bpy.ops.object.mode_set(mode="EDIT")
    bones = result.object.data.edit_bones
    bones.remove(bones[name])
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(RigError, match="the bone of link 'l5' is gone"):
        open_rig(result.object)


LONG = (
    '<link name="a"/><link name="b"/><link name="c"/>'
    '<joint name="near" type="continuous"><parent link="a"/><child link="b"/>'
    '<origin xyz="0 0 0.1"/><axis xyz="1 2 3"/></joint>'
    '<joint name="far" type="continuous"><parent link="b"/><child link="c"/>'
    '<origin xyz="30 0 0"/><axis xyz="3 -2 1"/></joint>'
)


def test_bones_have_the_length_that_is_asked_for_unless_it_is_inexact(lab):
    result = lab.load("panda", bone_length=0.35, **KEEP)
    rig, model = lab.open(result)
    assert [bone.length for bone in result.object.data.bones] == pytest.approx(
        [0.35] * len(rig.pose_bones), rel=1e-5
    )
    assert not [line for line in result.warnings if "longer" in line]
    far = lab.load_text(LONG, bone_length=0.02)
    rig, model = lab.open(far)
    distance = np.hypot(30.0, 0.1)
    assert rig.pose_bone("near").length == pytest.approx(0.02, rel=1e-4)
    assert rig.pose_bone("far").length == pytest.approx(LENGTH_PER_DISTANCE * distance, rel=1e-4)
    (told,) = [line for line in far.warnings if "longer" in line]
    assert told.startswith("1 bone is longer than 0.02 m, up to 0.9 m")
    q = lab.random_q(model)
    set_configuration(rig, model, q)
    assert lab.error(far.object, model, q) < 3e-5  # 30 m have 7 digits


def test_selected_bones_of_fixed_links_are_ends_of_a_loop(lab):
    result = lab.load("case05", **KEEP)
    rig, _ = lab.open(result)
    bpy.context.view_layer.objects.active = result.object
    bpy.ops.object.mode_set(mode="POSE")
    for link in ("l5", "l2"):
        bone = rig.hanging(link)[0]
        for owner in (bone, bone.bone):
            if hasattr(owner, "select"):
                owner.select = True
        result.object.data.bones.active = bone.bone
    assert bpy.ops.dynarig.add_loop(kind="BALL") == {"FINISHED"}
    (loop,) = read_loops(result.object)
    assert {loop.a.link, loop.b.link} == {"l5", "l2"}


@pytest.mark.parametrize("length", [-0.1, float("nan"), float("inf"), 1e30])
def test_a_length_that_no_bone_has_is_refused(lab, inventory, length):
    before = inventory()
    with pytest.raises(ArgumentError, match=r"Bone Length: .* is not possible"):
        lab.load("case05", bone_length=length)
    assert inventory() == before


def test_the_shortest_bones_still_have_their_axes(lab):
    result = lab.load_text(LONG.replace("30 0 0", "1e-6 0 0").replace("0 0 0.1", "0 0 0"))
    rig, model = lab.open(result)
    q = lab.random_q(model)
    set_configuration(rig, model, q)
    assert lab.error(result.object, model, q) < 1e-6
    small = lab.load_text(LONG, bone_length=1e-12)
    rig, model = lab.open(small)
    q = lab.random_q(model)
    set_configuration(rig, model, q)
    assert lab.error(small.object, model, q) < 3e-5


@pytest.mark.parametrize("scale", [0.0, -1.0, float("nan"), float("inf"), 1e-9, 1e9])
def test_a_scale_that_no_robot_has_is_refused(lab, inventory, scale):
    before = inventory()
    with pytest.raises(ArgumentError, match=r"Scale: .* is not possible"):
        lab.load("case05", scale=scale)
    assert inventory() == before


@pytest.mark.parametrize("scale", [0.01, 3.0])
def test_a_robot_of_another_size_stands_and_falls_as_the_core_has_it(lab, scale):
    """Lengths of the scene are `scale` times those of the robot, and so is gravity."""
    body = (
        '<link name="base"/><link name="arm"><inertial><origin xyz="0 0 -0.4"/><mass value="2"/>'
        '<inertia ixx=".1" ixy="0" ixz="0" iyy=".1" iyz="0" izz=".1"/></inertial></link>'
        '<joint name="swing" type="continuous"><parent link="base"/><child link="arm"/>'
        '<origin xyz="0 0 2"/><axis xyz="0 1 0"/></joint>'
    )
    result = lab.load_text(body, scale=scale, **KEEP)
    assert list(result.object.scale) == pytest.approx([scale] * 3)
    rig, model = lab.open(result)
    set_joint_values(rig, {"swing": 1.0})
    assert lab.error(result.object, model, np.array([1.0])) < 1e-6
    bone, bone_from_link = rig.hanging("arm")
    obj = bpy.data.objects.new("hung", None)
    bpy.context.scene.collection.objects.link(obj)
    hang_from(result.object, bone, obj, bone_from_link)
    bpy.context.view_layer.update()
    world = np.array(obj.matrix_world)
    assert world[:3, 3] == pytest.approx((0.0, 0.0, 2.0 * scale), rel=1e-5)
    assert np.linalg.norm(world[:3, 0]) == pytest.approx(scale, rel=1e-5)
    # theta'' = -g m l / (I + m l^2), in robot units
    gravity = np.array([0.0, 0.0, -9.81])
    told = bake_robot(bpy.context, result.object, BakeSettings(frame_end=49, gravity=gravity))
    assert told.trajectory.energy is not None
    bpy.context.scene.frame_set(25)
    rig, _ = lab.open(result)
    q = lab.evaluated_q(rig, model)
    assert lab.error(result.object, model, q) < 1e-5
    wanted = falling(1.0, 9.81 / scale * 0.8 / (0.1 + 0.32), 1.0)
    assert q[0] == pytest.approx(wanted, abs=1e-4)


def falling(angle, ratio, duration, steps=200_000):
    """The angle of a pendulum, theta'' = -ratio sin(theta), from rest, by small steps."""
    rate, dt = 0.0, duration / steps
    rate -= 0.5 * dt * ratio * np.sin(angle)
    for _ in range(steps):
        angle += dt * rate
        rate -= dt * ratio * np.sin(angle)
    return angle


def test_a_loop_of_a_robot_of_another_size_is_closed(lab):
    body = "".join(f'<link name="{name}"/>' for name in "abcd") + "".join(
        f'<joint name="{child}" type="continuous"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{xyz}"/><axis xyz="0 1 0"/></joint>'
        for parent, child, xyz in (("a", "b", "0 0 0"), ("b", "c", "0 0 1"), ("c", "d", "1 0 0"))
    )
    result = lab.load_text(body, scale=0.1, **KEEP)
    rig, model = lab.open(result)
    place = np.eye(4)
    place[:3, 3] = 1.0, 0.0, 0.0
    world = np.diag((0.1, 0.1, 0.1, 1.0)) @ place
    obj = add_loop(result.object, "BALL", "d", "a", world)
    (loop,) = read_loops(result.object)
    (constraint,) = loop_constraints(rig, model, (loop,))
    assert constraint is not None
    assert obj.parent == result.object
    bpy.context.view_layer.update()
    assert np.array(obj.matrix_world)[:3, 3] == pytest.approx((0.1, 0.0, 0.0), abs=1e-6)


def test_a_thousand_names_that_begin_alike_get_labels_at_once(lab):
    class Counted(dict):
        asked = 0

        def __contains__(self, name):
            Counted.asked += 1
            return super().__contains__(name)

    taken = Counted()
    for number in range(1000):
        taken[labels.unique_label("ß" * 50 + str(number), taken)] = None
    assert len(taken) == 1000
    assert all(len(name.encode()) <= 63 for name in taken)
    assert Counted.asked < 25_000
