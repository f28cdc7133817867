"""The armature is what DESIGN.md says: bones on the axes, links where the core has them."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.bone_lengths import LENGTH_PER_DISTANCE
from dynarig.addon.blender.joint_limits import CONSTRAINT_NAME
from dynarig.addon.blender.pose import get_configuration, set_configuration, set_joint_values
from dynarig.addon.blender.rig_access import open_rig
from dynarig.addon.blender.robot_table import TABLE_KEY, read_table
from dynarig.addon.errors import RigError
from dynarig.core.frames import matrix_from_axis_roll

AXIS_ROOM = 3e-6  # half the last place of float32, over the least length of bones
ALL = (
    *("panda", "ur5", "solo12", "talos"),
    *("case01", "case03", "case05", "case06", "case09", "case11", "case13"),
)
LINK = '<link name="{}"/>'
JOINT = (
    '<joint name="{name}" type="{type}"><parent link="{parent}"/><child link="{child}"/>'
    '<origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/>{more}</joint>'
)


def joint(name, kind, parent, child, xyz="0 0 0", rpy="0 0 0", axis="0 0 1", more=""):
    return JOINT.format(
        name=name, type=kind, parent=parent, child=child, xyz=xyz, rpy=rpy, axis=axis, more=more
    )


def limit(lower, upper):
    return f'<limit lower="{lower}" upper="{upper}" effort="1" velocity="1"/>'


def links(*names):
    return "".join(LINK.format(name) for name in names)


@pytest.mark.parametrize("name", ALL)
def test_links_are_where_the_core_has_them(lab, name):
    result = lab.load(name)
    rig, model = lab.open(result)
    assert lab.error(result.object, model, model.clamped(model.neutral())) < 1e-6
    for _ in range(5):
        q = lab.random_q(model)
        set_configuration(rig, model, q)
        assert lab.error(result.object, model, q) < 1e-5
        assert np.allclose(get_configuration(rig, model), q, atol=1e-6)


@pytest.mark.parametrize("name", ALL)
def test_one_bone_for_each_link_that_a_joint_moves(lab, name):
    result = lab.load(name)
    rig, model = lab.open(result)
    moving = [joint for joint in rig.robot.joints if joint.type != "fixed"]
    floating = int(rig.table.floating_base)
    assert result.bones == len(result.object.data.bones) == len(moving) + floating
    assert {record.joint for record in rig.table.bones} == set(model.joint_types)
    assert set(rig.table.links) == {link.name for link in rig.robot.links}


@pytest.mark.parametrize("name", ALL)
def test_bones_lie_on_the_joint_axes(lab, name):
    result = lab.load(name)
    rig, _ = lab.open(result)
    zero = rest_poses(rig)
    axes = {joint.child: np.array(joint.axis) for joint in rig.robot.joints}
    for record in rig.table.bones:
        bone = rig.pose_bones[record.id].bone
        made = np.array(bone.matrix_local)
        head = zero[record.link][:3, 3]
        assert np.abs(made[:3, 3] - head).max() < 1e-6
        assert not bone.use_connect
        assert bone.length >= 0.999 * LENGTH_PER_DISTANCE * np.linalg.norm(head)
        assert bone.length > 1e-3
        if record.kind == "floating":
            assert np.abs(made - zero[record.link]).max() < 1e-5
            continue
        axis = record.sign * zero[record.link][:3, :3] @ axes[record.link]
        assert np.abs(made[:3, 1] - axis).max() < AXIS_ROOM
        assert np.abs(made[:3, :3] - matrix_from_axis_roll(axis)).max() < 1e-4


def rest_poses(rig):
    """Every link's pose with all joints at zero, from the table."""
    rest = {record.id: record.armature_from_bone for record in rig.table.bones}
    return {
        name: (rest[link.bone] if link.bone else np.eye(4)) @ link.bone_from_link
        for name, link in rig.table.links.items()
    }


def test_parents_are_the_nearest_links_that_move(lab):
    rig, _ = lab.open(lab.load("case05"))
    parents = {record.link: rig.pose_bones[record.id].parent for record in rig.table.bones}
    names = {link: parent and parent.name for link, parent in parents.items()}
    # l5 is welded to l4: the bone of l6 hangs from that of l4
    assert names == {"l1": None, "l2": "l1", "l3": "l2", "l4": "l3", "l6": "l4"}
    carrier = rig.table.links["l5"].bone
    assert carrier == rig.table.links["l4"].bone


def test_a_fixed_base_has_no_bone_and_a_floating_one_has(lab):
    fixed, _ = lab.open(lab.load("panda"))
    assert fixed.table.links["panda_link0"].bone is None
    floating, model = lab.open(lab.load("solo12"))
    assert floating.table.links["base_link"].bone == floating.table.bones[0].id
    bone = floating.pose_bones[floating.table.bones[0].id]
    assert np.allclose(np.array(bone.bone.matrix_local), np.eye(4), atol=2e-7)
    assert bone.rotation_mode == "QUATERNION"
    # channels of a base read as position and orientation
    q = lab.random_q(model)
    set_configuration(floating, model, q)
    assert np.allclose(bone.location, q[:3], atol=1e-6)
    assert np.allclose(bone.rotation_quaternion, q[3:7], atol=1e-6)


def test_one_channel_and_the_others_locked(lab):
    rig, _ = lab.open(lab.load("panda"))
    turn, slide = rig.pose_bone("panda_joint1"), rig.pose_bone("panda_finger_joint1")
    assert turn.rotation_mode == slide.rotation_mode == "YXZ"
    assert list(turn.lock_rotation) == [True, False, True]
    assert list(turn.lock_location) == [True, True, True]
    assert list(slide.lock_rotation) == [True, True, True]
    assert list(slide.lock_location) == [True, False, True]
    for bone in (turn, slide):
        assert list(bone.lock_scale) == [True, True, True]
        assert bone.lock_ik_x
        assert bone.lock_ik_z


def test_limits_become_constraints_where_blender_can_hold_them(lab):
    body = links("a", "b", "c", "d", "e", "f", "g")
    body += joint("inside", "revolute", "a", "b", more=limit(-0.5, 1.5))
    body += joint("pi", "revolute", "a", "c", more=limit(-3.14159, 3.14159))
    body += joint("wide", "revolute", "a", "d", more=limit(-6.0, 1.0))
    body += joint("wheel", "continuous", "a", "e")
    body += joint("slide", "prismatic", "a", "f", more=limit(0.1, 0.4))
    body += joint("down", "revolute", "a", "g", axis="0 -1 0", more=limit(-0.5, 1.5))
    rig, model = lab.open(lab.load_text(body))
    limits = {
        name: rig.pose_bone(name).constraints.get(CONSTRAINT_NAME) for name in model.joint_names
    }
    assert limits["wide"] is None
    assert limits["wheel"] is None
    turn = limits["inside"]
    assert turn.type == limits["pi"].type == "LIMIT_ROTATION"
    assert (turn.min_y, turn.max_y) == pytest.approx((-0.5, 1.5))
    assert (turn.use_limit_x, turn.use_limit_y, turn.use_limit_z) == (False, True, False)
    assert turn.owner_space == "LOCAL"
    assert turn.use_transform_limit
    assert not turn.use_legacy_behavior
    slide = limits["slide"]
    assert slide.type == "LIMIT_LOCATION"
    assert (slide.min_y, slide.max_y) == pytest.approx((0.1, 0.4))
    assert slide.owner_space == "LOCAL"
    # the bone points against the axis, and so do its limits
    assert rig.bone_of_joint["down"].sign == -1
    assert (limits["down"].min_y, limits["down"].max_y) == pytest.approx((-1.5, 0.5))


def test_import_poses_joints_at_zero_clamped_into_their_limits(lab):
    result = lab.load("panda")
    rig, model = lab.open(result)
    q = get_configuration(rig, model)
    assert q == pytest.approx(model.clamped(np.zeros(model.nq)), abs=1e-6)
    # the Panda's fourth joint cannot be at 0
    assert q[model.q_index("panda_joint4")][0] == pytest.approx(-0.0698)


def test_a_follower_that_its_leader_takes_past_its_limit_is_muted_and_reported(lab):
    body = links("a", "b", "c", "d", "e")
    body += joint("lead", "revolute", "a", "b", more=limit(-1, 1))
    body += joint(
        "follow",
        "revolute",
        "b",
        "c",
        xyz="1 0 0",
        more=limit(-0.2, 0.2) + '<mimic joint="lead" multiplier="-2" offset="0.1"/>',
    )
    body += joint(
        "within",
        "revolute",
        "b",
        "d",
        more=limit(-2, 2.2) + '<mimic joint="lead" multiplier="-2" offset="0.1"/>',
    )
    body += joint(
        "slide", "prismatic", "b", "e", more=limit(0, 1) + '<mimic joint="lead" multiplier="0"/>'
    )
    result = lab.load_text(body)
    rig, model = lab.open(result)
    muted = {
        name: rig.pose_bone(name).constraints[CONSTRAINT_NAME].mute for name in model.joint_types
    }
    assert muted == {"lead": False, "follow": True, "within": False, "slide": False}
    assert [warning for warning in result.warnings if "muted" in warning] == [
        "joint 'follow' follows 'lead' beyond its own limits: its constraint is muted"
    ]
    for lead in (-1.0, 0.9):
        set_joint_values(rig, {"lead": lead})
        assert lab.error(result.object, model, np.array([lead])) < 1e-6


def test_many_followers_that_leave_their_limits_are_one_warning(lab):
    names = ("f", "g", "h", "i")
    body = "".join(f'<link name="{name}"/>' for name in ("a", "b", *names))
    body += joint("lead", "revolute", "a", "b", more=limit(-1, 1))
    for name in names:
        body += joint(
            f"j{name}", "revolute", "a", name, more=limit(-0.5, 0.5) + '<mimic joint="lead"/>'
        )
    (warning,) = lab.load_text(body).warnings
    assert warning == (
        "4 joints follow others beyond their own limits: their constraints are muted: "
        "'jf', 'jg', 'jh', 'ji'"
    )


# radians off the parent's -Y: snapped, straight, sheared by Blender's own rest matrices, free
OFF = (0.0, 1e-5, 2.9e-4, 3.1e-4, 1e-3, 0.01, 0.0523, 0.0525, 0.08, 0.11, 0.15, 0.25, 0.349, 0.36)


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "planar"])
def test_axes_near_minus_y_of_the_parent_bone(lab, kind):
    """Where Blender cannot make such a bone well, it points the other way and the sign is -1."""
    more = limit(-2, 1) if kind != "planar" else ""
    turn = "0.3 0.4 0.5"
    body = links("a", "b", *(f"{off}{end}" for off in OFF for end in ("", " tip")))
    body += joint("up", "revolute", "a", "b", rpy=turn, axis="0 1 0", more=limit(-1, 1))
    for off in OFF:
        axis = f"{np.sin(off) * 0.6} {-np.cos(off)} {np.sin(off) * 0.8}"
        body += joint(f"{off}", kind, "b", f"{off}", xyz="0.5 0.2 0.1", axis=axis, more=more)
        body += joint(f"{off} end", "fixed", f"{off}", f"{off} tip", xyz="1 1 1")
    result = lab.load_text(body)
    rig, model = lab.open(result)
    for off in OFF:
        sheared = np.radians(3.0) < off < np.radians(20.0)
        assert rig.bone_of_joint[f"{off}"].sign == (-1 if off < 3e-4 or sheared else 1)
    for _ in range(10):
        q = lab.random_q(model)
        set_configuration(rig, model, q)
        assert lab.error(result.object, model, q) < 1e-5
        assert np.allclose(get_configuration(rig, model), q, atol=1e-6)


AXES = ("0 0 1", "0 0 -1", "0 1 0", "0 -1 0", "1 2 3", "0.1 -1 0.05")


@pytest.mark.parametrize("rpy", ["0 0 0", "3.14159265358979 0 0", "0.3 -0.7 2.1"])
def test_planar_and_floating_joints(lab, rpy):
    body = links("a", *(f"{axis} {name}" for axis in AXES for name in "bcd"))
    for axis in AXES:
        b, c, d = (f"{axis} {name}" for name in "bcd")
        body += joint(f"{axis} plane", "planar", "a", b, xyz="0.2 0.3 0.1", rpy=rpy, axis=axis)
        body += joint(f"{axis} free", "floating", b, c, xyz="0.1 0 0.4", rpy=rpy)
        body += joint(f"{axis} turn", "continuous", c, d, xyz="0 0.3 0", rpy=rpy, axis=axis)
    result = lab.load_text(body)
    rig, model = lab.open(result)
    assert lab.error(result.object, model, model.neutral()) < 1e-6
    for axis in AXES:
        plane = rig.pose_bone(f"{axis} plane")
        assert list(plane.lock_location) == [False, True, False]
        assert list(plane.lock_rotation) == [True, False, True]
    for _ in range(4):
        q = lab.random_q(model)
        set_configuration(rig, model, q)
        assert lab.error(result.object, model, q) < 1e-5
        assert np.allclose(get_configuration(rig, model), q, atol=2e-6)


def test_mimic_joints_are_simple_drivers(lab):
    result = lab.load("case06")
    rig, model = lab.open(result)
    assert model.joint_names == ("knob",)
    bpy.context.view_layer.update()
    drivers = [curve.driver for curve in result.object.animation_data.drivers]
    assert len(drivers) == 4
    assert all(driver.is_simple_expression and driver.is_valid for driver in drivers)
    for knob in (0.0, 0.8, -1.3, 5e-5, -3e-5, 1.00005):
        set_joint_values(rig, {"knob": knob})
        assert lab.error(result.object, model, np.array([knob])) < 1e-6
        evaluated = result.object.evaluated_get(bpy.context.evaluated_depsgraph_get())
        values = {
            name: channel_value(rig, evaluated, name)
            for name in ("jaw_l", "jaw_r", "idler", "twin")
        }
        wanted = {
            "jaw_l": 0.02 * knob + 0.005, "jaw_r": -0.02 * knob - 0.005,
            "idler": 0.2 - 3 * knob, "twin": knob,
        }  # fmt: skip
        assert values == pytest.approx(wanted, abs=1e-6)


def channel_value(rig, evaluated, name):
    ((path, index),) = rig.channels[name].paths
    bone = evaluated.pose.bones[rig.pose_bone(name).name]
    return getattr(bone, path)[index] * rig.bone_of_joint[name].sign


def test_mimic_of_joints_on_bones_that_point_against_their_axes(lab):
    body = links("a", "b", "c", "d")
    body += joint("lead", "revolute", "a", "b", axis="0 -1 0", more=limit(-1, 1))
    body += joint(
        "turn",
        "revolute",
        "b",
        "c",
        axis="0 1 0",
        xyz="1 0 0",
        more=limit(-2, 2) + '<mimic joint="lead" multiplier="-1.5" offset="0.1"/>',
    )
    body += joint(
        "slide",
        "prismatic",
        "c",
        "d",
        axis="0 -1 0",
        xyz="1 0 0",
        more=limit(-2, 2) + '<mimic joint="turn" multiplier="0.5"/>',
    )
    result = lab.load_text(body)
    rig, model = lab.open(result)
    assert [record.sign for record in rig.table.bones] != [1, 1, 1]
    for lead in (-0.7, 0.9):
        set_joint_values(rig, {"lead": lead})
        assert lab.error(result.object, model, np.array([lead])) < 1e-6


@pytest.mark.parametrize("name", ["panda", "ur5", "solo12", "talos", "case01", "case03", "case11"])
def test_visuals_ride_on_their_links(lab, name):
    result = lab.load(name, meshes=True)
    rig, model = lab.open(result)
    for _ in range(3):
        q = lab.random_q(model)
        set_configuration(rig, model, q)
        assert lab.visual_error(rig, model, q) < 1e-5
    meshes = [obj for obj in result.collection.objects if obj.type == "MESH"]
    assert set(meshes) == set(result.object.children)
    assert len(meshes) == result.visuals > 0
    for obj in meshes:
        if obj.parent_type == "BONE":
            assert not result.object.data.bones[obj.parent_bone].use_relative_parent


def test_bones_are_found_after_the_user_renames_them(lab):
    result = lab.load("case09")
    rig, model = lab.open(result)
    for index, bone in enumerate(result.object.data.bones):
        bone.name = f"my bone {index}"
    rig, model = lab.open(result)
    q = lab.random_q(model)
    set_configuration(rig, model, q)
    assert lab.error(result.object, model, q) < 1e-5


def test_exact_names_survive_whatever_blender_cuts(lab):
    result = lab.load("case09")
    rig, model = lab.open(result)
    outer = "left_front_hydraulic_suspension_knuckle_assembly_lower_wishbone_outer"
    assert {outer, "arm", "arm.001", "Gelenk_größe_関節"} <= set(rig.table.links)
    assert {f"{outer}_joint", "arm", "Drehung_ß"} <= set(model.joint_names)
    assert rig.pose_bone("arm").bone != rig.pose_bone("Drehung_ß").bone
    text = "ß" * 40 + "関" * 30  # more than 63 bytes, cut inside a character
    twins = links("base", f"{text}1", f"{text}2")
    twins += joint(text, "continuous", "base", f"{text}1")
    twins += joint("'\"\\quotes", "continuous", f"{text}1", f"{text}2").replace(
        "'\"\\", "'&quot;\\"
    )
    made = lab.load_text(twins)
    rig, model = lab.open(made)
    assert set(rig.table.links) == {"base", f"{text}1", f"{text}2"}
    assert set(model.joint_names) == {text, "'\"\\quotes"}
    names = [bone.name for bone in made.object.data.bones]
    assert len(set(names)) == 2
    assert all(len(name.encode()) <= 63 for name in names)
    q = lab.random_q(model)
    set_configuration(rig, model, q)
    assert lab.error(made.object, model, q) < 1e-5


def test_two_robots_of_one_file_are_independent(lab):
    first, second = lab.load("panda"), lab.load("panda")
    rig, model = lab.open(first)
    other, _ = lab.open(second)
    before = get_configuration(other, model)
    q = lab.random_q(model)
    set_configuration(rig, model, q)
    assert lab.error(first.object, model, q) < 1e-5
    assert np.array_equal(get_configuration(other, model), before)
    assert lab.error(second.object, model, before) < 1e-5
    assert first.object.data != second.object.data
    assert first.collection != second.collection


def test_the_rig_needs_no_file_any_more(lab, tmp_path):
    body = links("a", "b") + joint("j", "continuous", "a", "b", xyz="0 0 1")
    lab.load_text(body)
    (tmp_path / "robot.urdf").unlink()
    blend = tmp_path / "robot.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    bpy.ops.wm.open_mainfile(filepath=str(blend))
    rig = open_rig(bpy.data.objects["made"])
    assert rig.robot.joint("j").origin.xyz == (0.0, 0.0, 1.0)
    assert rig.robot.name == "made"


def test_a_damaged_or_newer_table_is_one_clear_error(lab):
    data = lab.load("case05").object.data
    text = data[TABLE_KEY]
    data[TABLE_KEY] = text.replace('"version": 1', '"version": 2')
    with pytest.raises(RigError, match="version 2"):
        read_table(data)
    for damaged in (text[:-5], "[]", "{}", text.replace('"sign"', '"sing"'), 7):
        data[TABLE_KEY] = damaged
        with pytest.raises(RigError, match="damaged"):
            read_table(data)


def test_an_edited_rest_pose_is_refused(lab):
    result = lab.load("panda")
    bpy.ops.object.mode_set(mode="EDIT")
    result.object.data.edit_bones[2].tail.x += 0.1
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(RigError, match="rest position"):
        open_rig(result.object)


def test_a_missing_bone_and_a_foreign_armature_are_named(lab):
    result = lab.load("case05")
    bpy.ops.object.mode_set(mode="EDIT")
    bones = result.object.data.edit_bones
    bones.remove(bones["l3"])
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(RigError, match="skew"):
        open_rig(result.object)
    foreign = bpy.data.objects.new("foreign", bpy.data.armatures.new("foreign"))
    with pytest.raises(RigError, match="no robot"):
        open_rig(foreign)
    with pytest.raises(RigError, match="no robot"):
        open_rig(bpy.data.objects.new("mesh", bpy.data.meshes.new("mesh")))


def test_a_robot_of_one_link(lab):
    result = lab.load_text(links("only"))
    _, model = lab.open(result)
    assert result.bones == 0
    assert model.nq == 0
    assert lab.error(result.object, model, np.zeros(0)) == 0.0
