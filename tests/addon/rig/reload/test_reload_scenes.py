"""A reload in files as users have them: several scenes, copies, overrides, strips, slots, undo."""

import bpy
import numpy as np
import pytest
from dynarig.addon import compat
from dynarig.addon.blender.pose import get_configuration
from dynarig.addon.blender.reload import reload_robot
from dynarig.addon.blender.rig_access import open_rig
from dynarig.addon.errors import RigError

from ....close import assert_close
from .described import bake, keys, part, reload, write_stl

CLOSE = 2e-5


def change(file):
    """The file is another one: faces, a place, a limit."""
    write_stl(file.path.parent / "arm.stl", 0.3)
    file.replace("shoulder", "0 0 0.1", "0 0.5 0.1")
    file.replace("wrist", 'upper="3"', 'upper="2.5"')


def assert_is_the_file_s(lab, obj):
    rig = open_rig(obj)
    assert rig.robot.joint("shoulder").origin.xyz[1] == 0.5
    model = rig.compile(np.zeros(3))
    assert lab.error(obj, model, get_configuration(rig, model)) < CLOSE


def test_a_robot_in_two_scenes_is_one_robot_in_both(lab, file, robot):
    other = bpy.data.scenes.new("other")
    other.collection.children.link(robot.collection)
    alone = bpy.data.scenes.new("alone")
    alone.collection.objects.link(robot.object)
    file.parts["tool"] = '<link name="tool"><visual><geometry><sphere radius="0.1"/></geometry>'
    file.parts["tool"] += '</visual></link><joint name="turn" type="fixed"><parent link="hand"/>'
    file.parts["tool"] += '<child link="tool"/></joint>'
    change(file)
    assert "1 new shape" in reload(robot).changes
    assert_is_the_file_s(lab, robot.object)
    tool = part(robot, "visual", "tool")
    assert tool.name in other.objects and tool.name in bpy.context.scene.objects
    assert robot.object.name in alone.objects
    assert {scene.name for scene in bpy.data.scenes} >= {"other", "alone"}


def test_a_copy_that_shares_its_armature_is_refused_and_a_single_one_is_not(lab, file, robot):
    twin = robot.object.copy()
    robot.collection.objects.link(twin)
    change(file)
    table = robot.object.data["dynarig_robot"]
    with pytest.raises(RigError, match=r"Make Single User"):
        reload(robot)
    assert robot.object.data["dynarig_robot"] == table
    twin.data = twin.data.copy()
    reload(robot)
    assert_is_the_file_s(lab, robot.object)
    assert open_rig(twin).robot.joint("shoulder").origin.xyz[1] == 0.0


def test_an_override_of_a_linked_robot_is_refused_and_a_local_one_is_not(lab, file, robot):
    linked = lab.linked(robot.object)
    change(file)
    with pytest.raises(RigError, match="Make Local"):
        reload_robot(bpy.context, linked)
    own = linked.override_create(remap_local_usages=True)
    bpy.context.view_layer.update()
    with pytest.raises(RigError, match="Make Local"):
        reload_robot(bpy.context, own)
    own.make_local()
    own.data.make_local()
    bpy.context.view_layer.update()
    assert reload_robot(bpy.context, own).changes
    assert_is_the_file_s(lab, own)


def test_bones_and_constraints_of_the_user_s_stay(lab, file, robot):
    rig = open_rig(robot.object)
    for joint in ("shoulder", "wrist"):
        rig.pose_bone(joint).name = f"my {joint}"
    target = bpy.data.objects.new("target", None)
    robot.collection.objects.link(target)
    hand = open_rig(robot.object).pose_bone("wrist")
    own = hand.constraints.new("IK")
    own.name, own.target, own.chain_count = "my ik", target, 2
    own.pole_target, own.pole_subtarget = robot.object, "my shoulder"
    own.influence = 0.0
    change(file)
    reload(robot)
    hand = open_rig(robot.object).pose_bone("wrist")
    own = hand.constraints["my ik"]
    assert hand.name == "my wrist" and (own.target, own.chain_count) == (target, 2)
    assert (own.pole_target, own.pole_subtarget) == (robot.object, "my shoulder")
    assert [item.name for item in hand.constraints] == ["URDF Limit", "my ik"]
    assert_is_the_file_s(lab, robot.object)


def pushed_down(obj):
    """The action of a robot as a strip, which plays it."""
    animation = obj.animation_data
    action, slot = animation.action, getattr(animation, "action_slot", None)
    track = animation.nla_tracks.new()
    strip = track.strips.new(action.name, 1, action)
    if slot is not None:
        strip.action_slot = slot
    animation.action = None
    return strip


def values_of(action):
    return [[tuple(key.co) for key in curve.keyframe_points] for curve in compat.curves_of(action)]


@pytest.mark.parametrize("fault", [False, True], ids=["kept", "of a joint that is another"])
def test_strips_play_on(lab, file, robot, fault):
    bake(robot)
    strip = pushed_down(robot.object)
    before = values_of(strip.action)
    change(file)
    if fault:
        file.replace("shoulder", 'type="revolute"', 'type="prismatic"')
    done = reload(robot)
    assert values_of(strip.action) == before
    assert any("NLA" in note for note in done.notes) == fault
    if not fault:
        rig, model = lab.open(robot)
        for frame in (1, 10, 20):
            bpy.context.scene.frame_set(frame)
            assert lab.error(robot.object, model, lab.evaluated_q(rig, model)) < CLOSE


@pytest.mark.parametrize("loses", [False, True])
def test_an_action_that_two_robots_share_is_the_other_s_as_it_was(lab, file, robot, loses):
    bake(robot)
    second = lab.load_file(file.path)
    animation = second.object.animation_data or second.object.animation_data_create()
    animation.action = robot.object.animation_data.action
    if hasattr(animation, "action_slot"):
        animation.action_slot = robot.object.animation_data.action_slot
    before = keys(second.object)
    assert before
    change(file)
    if loses:
        file.replace("shoulder", 'type="revolute"', 'type="prismatic"')
    reload(robot)
    assert keys(second.object) == before
    assert (keys(robot.object) == before) != loses


def operate(name, *arguments):
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        area, function = name.split(".")
        return getattr(getattr(bpy.ops, area), function)(*arguments)


def test_undo_and_redo_of_a_reload(lab, file, robot):
    bake(robot)
    bpy.context.view_layer.objects.active = robot.object
    name, motion = robot.object.name, keys(robot.object)
    faces = len(part(robot, "visual", "base").data.polygons)
    bpy.ops.ed.undo_push(message="before")
    change(file)
    file.replace("base", '<box size="0.2 0.2 0.1"/>', '<sphere radius="0.1"/>')
    assert operate("dynarig.reload_robot", "EXEC_DEFAULT", True) == {"FINISHED"}

    def faces_now():
        obj = bpy.data.objects[name]
        (base,) = (own for own in obj.children if "base" in own.name)
        return len(base.data.polygons)

    count = faces_now()
    assert count != faces
    for _ in range(2):
        operate("ed.undo")
        assert open_rig(bpy.data.objects[name]).robot.joint("shoulder").origin.xyz[1] == 0.0
        assert faces_now() == faces and keys(bpy.data.objects[name]) == motion
        operate("ed.redo")
        assert_is_the_file_s(lab, bpy.data.objects[name])
        assert faces_now() == count and keys(bpy.data.objects[name]) == motion
    assert reload_robot(bpy.context, bpy.data.objects[name]).changes == ()


@pytest.mark.parametrize("options", [{}, {"mesh_parent": "SKIN"}], ids=["bones", "skin"])
def test_a_saved_file_at_another_place_is_reloaded_from_the_moved_file(
    lab, file, tmp_path, options
):
    robot = lab.load_file(file.path, **options)
    role = "skin" if options else "visual"
    shown = part(robot, role, "" if options else "arm")
    shown.vertex_groups.new(name="mine").add([0], 0.5, "REPLACE")
    name, own = robot.object.name, shown.name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    other = tmp_path / "moved"
    other.mkdir()
    (tmp_path / "arm.stl").rename(other / "arm.stl")
    change(file)
    file.path.rename(other / "made.urdf")
    (tmp_path / "arm.stl").unlink()
    write_stl(other / "arm.stl", 0.3)
    obj = bpy.data.objects[name]
    assert "1 mesh" in reload_robot(bpy.context, obj, other / "made.urdf").changes
    assert_is_the_file_s(lab, obj)
    shown = bpy.data.objects[own]
    assert "mine" in shown.vertex_groups
    assert_close(shown.vertex_groups["mine"].weight(0), 0.5, atol=1e-6)
    assert reload_robot(bpy.context, obj).changes == ()
