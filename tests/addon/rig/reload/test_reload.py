"""A robot is brought up to date with its file, and keeps all that is the user's."""

import re

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.loops import add_loop, read_loops
from dynarig.addon.blender.parts import parts_of
from dynarig.addon.blender.pose import get_configuration, set_joint_values
from dynarig.addon.blender.reload import reload_robot
from dynarig.addon.blender.rig_access import open_rig
from dynarig.addon.errors import RigError
from dynarig.core.dynamics import compile_robot, link_poses
from dynarig.core.errors import UrdfError
from dynarig.core.urdf import load_urdf
from mathutils import Matrix, Vector

from ....close import assert_close
from .described import bake, keys, part, reload, write_stl

CLOSE = 2e-5  # of a link's pose in Blender's float32


def assert_frames_are_the_file_s(lab, result, path):
    """At all keys the scene has the links where the core has them for the file."""
    model = compile_robot(load_urdf(path), False, np.array([0.0, 0.0, -9.81]))
    rig, own = lab.open(result)
    assert own.joint_names == model.joint_names
    for frame in range(1, 21, 3):
        bpy.context.scene.frame_set(frame)
        q = lab.evaluated_q(rig, model)
        assert lab.error(result.object, model, q) < CLOSE
        assert np.isfinite(link_poses(model, q)).all()


def test_an_unchanged_file_changes_nothing(robot, inventory):
    set_joint_values(open_rig(robot.object), {"shoulder": 0.3})
    before = inventory()
    done = reload(robot)
    assert done.changes == () and done.summary() == "made: nothing changed"
    assert {**inventory(), "texts": set()} == {**before, "texts": set()}
    assert get_configuration(*pair(robot))[0] == pytest.approx(0.3)


def pair(result):
    rig = open_rig(result.object)
    return rig, rig.compile(np.zeros(3))


@pytest.mark.parametrize(
    "name", ["case01", "case03", "case05", "case06", "case09", "case11", "panda"]
)
@pytest.mark.parametrize("options", [{}, {"fixed_links": "KEEP", "shown": "BOTH", "inertia": True}])
def test_robots_that_did_not_change_are_left_alone(lab, name, options):
    result = lab.load(name, meshes=name != "panda", **options)
    text = result.object.data["dynarig_robot"]
    done = reload(result)
    assert done.changes == () and done.notes == ()
    assert result.object.data["dynarig_robot"] == text


def test_everything_at_once_and_the_keys_stay(lab, file, robot):
    bake(robot)
    rig = open_rig(robot.object)
    rig.pose_bone("shoulder").name = "my shoulder"
    constraint = rig.pose_bone("wrist").constraints.new("COPY_SCALE")
    constraint.name = "mine"
    arm = part(robot, "visual", "arm")
    arm.name = "my arm"
    arm.modifiers.new("mine", "BEVEL")
    hat = bpy.data.objects.new("hat", None)
    robot.collection.objects.link(hat)
    hat.parent, hat.parent_type, hat.parent_bone = robot.object, "BONE", "my shoulder"
    open_rig(robot.object)
    before = keys(robot.object)
    bone_names = {bone.name for bone in robot.object.data.bones}

    write_stl(file.path.parent / "arm.stl", 0.3)
    file.replace("shoulder", 'upper="3"', 'upper="2.5"')
    file.replace("shoulder", "0 0 0.1", "0 0.2 0.1")
    file.replace("wrist", 'axis xyz="0 1 0"', 'axis xyz="0 0.8 0.6"')
    file.replace("grip", 'multiplier="0.1"', 'multiplier="0.2"')
    file.replace("head", "0.8 0.1 0.1", "0.1 0.6 0.1")
    file.parts["tool"] = '<link name="tool"><visual><geometry><sphere radius="0.1"/></geometry>'
    file.parts["tool"] += (
        '</visual></link><joint name="turn" type="continuous"><parent link="hand"/>'
    )
    file.parts["tool"] += '<child link="tool"/><axis xyz="0 0 1"/></joint>'
    file.write()
    red = part(robot, "visual", "base").material_slots[0].material

    done = reload(robot)
    wanted = {"1 mesh", "1 new shape", "1 material", "1 limit", "1 mimic", "1 joint origin"}
    assert wanted | {"1 axis", "1 new link", "1 new joint"} <= set(done.changes)
    assert keys(robot.object) == before
    assert_frames_are_the_file_s(lab, robot, file.path)
    rig = open_rig(robot.object)
    assert rig.pose_bone("shoulder").name == "my shoulder"
    assert bone_names < {bone.name for bone in robot.object.data.bones}
    assert "mine" in rig.pose_bone("wrist").constraints
    assert part(robot, "visual", "arm").name == "my arm" and "mine" in arm.modifiers
    assert max(vertex.co.x for vertex in arm.data.vertices) == pytest.approx(0.3)
    assert hat.parent_bone == "my shoulder"
    green = red.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value
    assert part(robot, "visual", "base").material_slots[0].material == red
    assert green[1] > green[0]
    ends = [(own.min_y, own.max_y) for own in rig.pose_bone("shoulder").constraints]
    assert ends[0] in ((-3.0, 2.5), (-2.5, 3.0))
    assert rig.table.bones[0].upper == 2.5
    # and once more, nothing
    assert reload(robot).changes == ()
    assert not [own for own in bpy.data.armatures if own.users == 0]
    assert not [own for own in bpy.data.meshes if own.users == 0]


def test_a_joint_that_turns_the_other_way_round_keeps_its_motion(lab, file, robot):
    bake(robot)
    rig, model = lab.open(robot)
    sign = rig.bone_of_joint["wrist"].sign
    bpy.context.scene.frame_set(13)
    q = lab.evaluated_q(rig, model)
    # under a parent that points the other way the bone is turned round
    file.replace("shoulder", 'axis xyz="0 1 0"', 'axis xyz="0 -1 0"')
    reload(robot)
    rig, model = lab.open(robot)
    bpy.context.scene.frame_set(13)
    assert_close(lab.evaluated_q(rig, model), q, atol=1e-5)
    assert_frames_are_the_file_s(lab, robot, file.path)
    assert rig.bone_of_joint["wrist"].sign in (sign, -sign)


def test_what_vanished_goes_with_its_keys(lab, file, robot):
    bake(robot)
    hat = bpy.data.objects.new("hat", None)
    robot.collection.objects.link(hat)
    hand = open_rig(robot.object).pose_bone("wrist").name
    hat.parent, hat.parent_type, hat.parent_bone = robot.object, "BONE", hand
    bpy.context.view_layer.update()
    world = hat.matrix_world.copy()
    shoulder = open_rig(robot.object).pose_bone("shoulder").path_from_id()
    kept = {key: found for key, found in keys(robot.object).items() if key[0].startswith(shoulder)}
    for name in ("hand", "finger", "wrist", "grip"):
        del file.parts[name]
    file.write()
    done = reload(robot)
    assert {"2 links removed", "2 joints removed", "2 shapes removed"} <= set(done.changes)
    assert any("F-curve" in change for change in done.changes)
    assert keys(robot.object) == kept
    assert [bone.joint for bone in open_rig(robot.object).table.bones] == ["shoulder"]
    assert not robot.object.animation_data.drivers
    assert hat.parent is None and any("hat" in note for note in done.notes)
    assert_close(np.array(hat.matrix_world), np.array(world), atol=1e-6)
    assert_frames_are_the_file_s(lab, robot, file.path)


def test_own_bones_and_edits_stay(lab, file, robot):
    rig = open_rig(robot.object)
    for constraint in rig.pose_bone("wrist").constraints:
        constraint.max_y = 0.25
    rig.pose_bone("wrist")["urdf_effort"] = 99.0
    edit(robot.object, lambda bones: own_bone(bones, rig.pose_bone("shoulder").name))
    hand = part(robot, "visual", "hand")
    hand.location.x += 0.5
    file.replace("shoulder", "0 0 0.1", "0.5 0 0.1")
    file.replace("shoulder", 'effort="10"', 'effort="20"')
    reload(robot)
    rig = open_rig(robot.object)
    assert any(own.max_y == 0.25 for own in rig.pose_bone("wrist").constraints)
    assert rig.pose_bone("wrist")["urdf_effort"] == 99.0
    assert rig.pose_bone("shoulder")["urdf_effort"] == 20.0
    assert part(robot, "visual", "hand").location.x == pytest.approx(hand.location.x)
    mine = robot.object.data.bones["mine"]
    assert mine.parent.name == rig.pose_bone("shoulder").name
    assert mine.head_local.x == pytest.approx(0.5, abs=1e-6)


def own_bone(bones, parent):
    bone = bones.new("mine")
    bone.head, bone.tail = (0, 0, 0.2), (0, 0, 0.4)
    bone.parent = bones[parent]


def edit(obj, change):
    from dynarig.addon.blender.workspace import temporary_scene

    with temporary_scene(bpy.context) as workspace:
        workspace.scene.collection.objects.link(obj)
        with workspace.override(obj):
            bpy.ops.object.mode_set(mode="EDIT")
            change(obj.data.edit_bones)
        with workspace.override(obj):
            bpy.ops.object.mode_set(mode="OBJECT")


def test_bones_edited_at_rest_are_put_back(lab, file, robot):
    name = open_rig(robot.object).pose_bone("wrist").name

    def change(bones):
        bones[name].head += Vector((0.1, 0, 0))
        bones[name].tail += Vector((0.1, 0, 0))

    edit(robot.object, change)
    with pytest.raises(RigError, match="rest position"):
        open_rig(robot.object)
    done = reload(robot)
    assert any("at rest" in note for note in done.notes)
    rig, model = lab.open(robot)
    q = get_configuration(rig, model)
    assert lab.error(robot.object, model, q) < CLOSE


def test_objects_hang_where_they_did(file, robot):
    """A moved bone takes along what hangs from it, and no further."""
    arm = part(robot, "visual", "arm")
    bpy.context.view_layer.update()
    before = arm.matrix_world.copy()
    file.replace("shoulder", "0 0 0.1", "5 0 0.1")
    reload(robot)
    bpy.context.view_layer.update()
    moved = Matrix.Translation((5, 0, 0)) @ before
    assert_close(np.array(arm.matrix_world), np.array(moved), atol=5e-6)


def test_a_shape_that_moved_is_where_the_file_has_it(file, robot):
    file.replace("arm", '<visual><origin xyz="0 0 0.25"/>', '<visual><origin xyz="1 0 0.25"/>')
    done = reload(robot)
    assert done.changes == ("1 shape moved",)
    bpy.context.view_layer.update()
    assert part(robot, "visual", "arm").matrix_world.translation.x == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(
    "options",
    [{"mesh_parent": "SKIN"}, {"fixed_links": "KEEP", "shown": "BOTH", "fixed_frames": True}],
)
def test_other_options_are_those_of_the_import(lab, file, options):
    result = lab.load_file(file.path, **options)
    result.object.scale = (2.0, 2.0, 2.0)
    count = len(bpy.data.objects)
    write_stl(file.path.parent / "arm.stl", 0.3)
    file.replace("shoulder", "0 0 0.1", "0.5 0 0.1")
    assert "1 joint origin" in reload(result).changes
    assert len(bpy.data.objects) == count
    rig, model = lab.open(result)
    assert rig.table.options.mesh_parent == options.get("mesh_parent", "BONES")
    assert lab.error(result.object, model, get_configuration(rig, model)) < CLOSE
    for obj in result.object.children:
        for modifier in obj.modifiers:
            assert modifier.object == result.object
            names = {bone.name for bone in rig.pose_bones.values()}
            groups = {group.name for group in obj.vertex_groups}
            assert groups and groups <= names
    assert reload(result).changes == ()


def test_a_joint_of_another_type_loses_its_old_keys(file, robot):
    bake(robot)
    wrist = open_rig(robot.object).pose_bone("wrist").path_from_id()
    assert any(path.startswith(wrist) for path, _ in keys(robot.object))
    file.replace("wrist", 'type="revolute"', 'type="prismatic"')
    file.parts["grip"] = file.parts["grip"].replace('<mimic joint="wrist" multiplier="0.1"/>', "")
    file.write()
    done = reload(robot)
    assert "1 joint type" in done.changes
    assert not any(path.startswith(wrist) for path, _ in keys(robot.object))
    bone = open_rig(robot.object).pose_bone("wrist")
    assert not bone.lock_location[1] and bone.lock_rotation[1]
    assert not robot.object.animation_data.drivers


def test_loop_joints_stay_on_their_links(file, robot):
    bpy.context.view_layer.update()
    add_loop(robot.object, "BALL", "base", "hand", (0.0, 0.0, 0.6))
    file.replace("shoulder", "0 0 0.1", "0.5 0 0.1")
    reload(robot)
    assert len(read_loops(robot.object)) == 1
    for name in ("hand", "finger", "wrist", "grip"):
        del file.parts[name]
    file.write()
    done = reload(robot)
    assert any("hand" in note for note in done.notes)


@pytest.mark.parametrize("fault", ["gone", "broken", "two roots"])
def test_a_bad_file_changes_nothing(file, robot, inventory, fault):
    bake(robot)
    before, motion = inventory(), keys(robot.object)
    table = robot.object.data["dynarig_robot"]
    bones = {bone.name: bone.matrix_local.copy() for bone in robot.object.data.bones}
    if fault == "gone":
        file.path.unlink()
    else:
        text = "<robot" if fault == "broken" else '<robot name="a"><link name="a"/><link name="b"/>'
        file.path.write_text(text + ("</robot>" if fault == "two roots" else ""))
    with pytest.raises((RigError, UrdfError), match=r"made\.urdf"):
        reload(robot)
    assert inventory() == before and keys(robot.object) == motion
    assert robot.object.data["dynarig_robot"] == table
    assert {bone.name: bone.matrix_local for bone in robot.object.data.bones} == bones


def test_what_fails_half_way_changes_nothing(file, robot, inventory):
    before = inventory()
    bones = {bone.name: bone.matrix_local.copy() for bone in robot.object.data.bones}
    file.replace("shoulder", "0 0 0.1", "0.5 0 0.1")

    def stop(part, _doing):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reload_robot(bpy.context, robot.object, progress=stop)
    assert inventory() == before
    assert {bone.name: bone.matrix_local for bone in robot.object.data.bones} == bones
    open_rig(robot.object)


def test_meshes_that_are_exchanged_keep_their_names(lab, file, robot):
    second = lab.load_file(file.path)
    names = {
        result.object.name: {
            obj.name: obj.data.name for obj, tag in parts_of(result.object) if tag.role == "visual"
        }
        for result in (robot, second)
    }
    write_stl(file.path.parent / "arm.stl", 0.2)
    file.replace("base", "0.2 0.2 0.1", "0.3 0.2 0.1")
    for result in (second, robot):
        before = part(result, "visual", "arm").data
        reload(result)
        assert part(result, "visual", "arm").data != before
        assert names[result.object.name] == {
            obj.name: obj.data.name for obj, tag in parts_of(result.object) if tag.role == "visual"
        }
    # another file is called by its own name
    write_stl(file.path.parent / "limb.stl", 0.3)
    file.replace("arm", "arm.stl", "limb.stl")
    reload(robot)
    assert part(robot, "visual", "arm").data.name == "limb"


def test_a_mesh_that_is_gone_stays_as_it_was(file, robot):
    (file.path.parent / "arm.stl").unlink()
    done = reload(robot)
    assert part(robot, "visual", "arm").data is not None
    assert done.changes == () and any("arm" in note for note in done.notes)


def test_what_cannot_be_changed_is_refused(file, robot):
    twin = bpy.data.objects.new("twin", robot.object.data)
    with pytest.raises(RigError, match="twin"):
        reload(robot)
    bpy.data.objects.remove(twin)
    for obj in (part(robot, "visual", "hand"), robot.object):
        bpy.context.view_layer.objects.active = obj
        bpy.ops.object.mode_set(mode="EDIT")
        with pytest.raises(RigError, match="edit mode"):
            reload(robot)
        bpy.ops.object.mode_set(mode="OBJECT")
    assert reload(robot).changes == ()


@pytest.mark.parametrize("first", ["case05", "case06", "case13"])
@pytest.mark.parametrize("second", ["case05", "case06", "case09", "case11", "panda", "solo12"])
@pytest.mark.parametrize("options", [{}, {"fixed_links": "KEEP", "mesh_parent": "SKIN"}])
def test_any_robot_becomes_any_other_one(lab, first, second, options):
    result = lab.load_file(copied(lab, first), **options)
    copied(lab, second)
    reload(result)
    rig, model = lab.open(result)
    assert model.joint_names == compile_robot(load_urdf(lab.folder / "it.urdf")).joint_names
    for bone in rig.pose_bones.values():
        for constraint in bone.constraints:
            constraint.mute = True
    for _ in range(2):
        q = lab.random_q(model)
        set_joint_values(rig, {name: q[model.q_index(name)] for name in model.joint_names})
        assert lab.error(result.object, model, q) < CLOSE
    assert reload(result).changes == ()
    assert len(result.object.data.bones) == len(rig.pose_bones)
    # as a fresh import of the file
    fresh = lab.load_file(lab.folder / "it.urdf", **options)
    assert len(fresh.object.children) == len(result.object.children)
    drivers = [
        list(own.object.animation_data.drivers if own.object.animation_data else ())
        for own in (fresh, result)
    ]
    assert len(drivers[0]) == len(drivers[1])


def copied(lab, name):
    """The file of a robot, without meshes, at the one place."""
    path = lab.folder / "it.urdf"
    text = lab.path(name).read_text(encoding="utf-8")
    path.write_text(re.sub(r"<mesh\b[^>]*>", '<box size="0.1 0.1 0.1"/>', text), encoding="utf-8")
    return path


def test_a_joint_that_is_called_otherwise_keeps_its_keys(lab, file, robot):
    bake(robot)
    before = keys(robot.object)
    file.replace("wrist", 'name="wrist"', 'name="ulna"')
    file.replace("grip", 'joint="wrist"', 'joint="ulna"')
    reload(robot)
    assert keys(robot.object) == before
    assert_frames_are_the_file_s(lab, robot, file.path)


def test_one_step_of_undo_takes_it_back(file, robot):
    bpy.context.view_layer.objects.active = robot.object
    name = robot.object.name
    bpy.ops.ed.undo_push(message="before")
    file.replace("shoulder", "0 0 0.1", "0.5 0 0.1")
    window = bpy.context.window_manager.windows[0]
    with bpy.context.temp_override(window=window):
        assert bpy.ops.dynarig.reload_robot("EXEC_DEFAULT", True) == {"FINISHED"}
        assert open_rig(bpy.data.objects[name]).robot.joint("shoulder").origin.xyz[0] == 0.5
        bpy.ops.ed.undo()
    assert open_rig(bpy.data.objects[name]).robot.joint("shoulder").origin.xyz[0] == 0.0


def test_in_pose_mode_and_the_mode_stays(lab, file, robot):
    bpy.context.view_layer.objects.active = robot.object
    bpy.ops.object.mode_set(mode="POSE")
    file.replace("shoulder", "0 0 0.1", "0.5 0 0.1")
    reload(robot)
    assert robot.object.mode == "POSE" and bpy.context.active_object == robot.object
    rig, model = lab.open(robot)
    assert lab.error(robot.object, model, get_configuration(rig, model)) < CLOSE


def test_another_place_is_remembered(file, robot, tmp_path):
    other = tmp_path / "moved"
    other.mkdir()
    (tmp_path / "arm.stl").rename(other / "arm.stl")
    file.path.rename(other / "made.urdf")
    with pytest.raises(RigError, match="new place"):
        reload(robot)
    assert reload(robot, other / "made.urdf").changes == ()
    assert open_rig(robot.object).table.source == str(other / "made.urdf")
    assert reload(robot).changes == ()


def test_a_saved_file_is_reloaded_alike(lab, file, robot, tmp_path):
    bake(robot)
    motion, name = keys(robot.object), robot.object.name
    path = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    obj = bpy.data.objects[name]
    write_stl(file.path.parent / "arm.stl", 0.3)
    file.replace("shoulder", "0 0 0.1", "0.5 0 0.1")
    done = reload_robot(bpy.context, obj)
    assert set(done.changes) == {"1 mesh", "1 joint origin"}
    assert keys(obj) == motion


def test_the_operator_reloads_in_one_undo_step(file, robot):
    bpy.context.view_layer.objects.active = part(robot, "visual", "hand")
    file.replace("shoulder", "0 0 0.1", "0.5 0 0.1")
    assert bpy.ops.dynarig.reload_robot() == {"FINISHED"}
    assert open_rig(robot.object).robot.joint("shoulder").origin.xyz[0] == 0.5
    file.path.unlink()
    with pytest.raises(RuntimeError, match="does not exist"):
        bpy.ops.dynarig.reload_robot()
    bpy.context.view_layer.objects.active = None
    assert not bpy.ops.dynarig.reload_robot.poll()


def test_a_xacro_file_is_expanded_with_the_arguments_of_its_import(lab, tmp_path):
    path = tmp_path / "made.urdf.xacro"
    text = """<robot name="made" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="size" default="1"/><link name="a"/><link name="b"/>
<joint name="j" type="continuous"><origin xyz="${2 * $(arg size)} 0 0"/><parent link="a"/>
<child link="b"/></joint></robot>"""
    path.write_text(text)
    result = lab.load_file(path, xacro_args=(("size", "3"),))
    assert reload(result).changes == ()
    path.write_text(text.replace("2 *", "4 *"))
    assert reload(result).changes == ("1 joint origin",)
    assert open_rig(result.object).robot.joint("j").origin.xyz == (12.0, 0.0, 0.0)
