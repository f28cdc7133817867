"""The buttons of the panel: add, update, select and close loop joints, and what they undo."""

import re

import bpy
import numpy as np
import pytest
from dynarig.addon.active_robot import NO_ROBOT
from dynarig.addon.blender.joint_limits import CONSTRAINT_NAME
from dynarig.addon.blender.loops import KINDS, close_loops, is_moved, read_loops
from dynarig.addon.blender.rig_access import open_rig
from dynarig.addon.errors import RigError
from mathutils import Euler, Vector

from ....close import assert_close


def pick(first=None, second=None, **settings):
    """Fill the fields of the panel."""
    panel = bpy.context.window_manager.dynarig_loops
    for name, value in (("pick_a", first), ("pick_b", second), *settings.items()):
        if value is not None:
            setattr(panel, name, value)
    return panel


def select_bones(four_bar, first, second):
    """Two bones in pose mode, the second one active."""
    rig = open_rig(four_bar.object)
    bpy.ops.object.mode_set(mode="POSE")
    for bone in four_bar.object.pose.bones:
        holder = bone if hasattr(bone, "select") else bone.bone
        holder.select = bone in (rig.pose_bone(first), rig.pose_bone(second))
    four_bar.object.data.bones.active = rig.pose_bone(second).bone


def empties():
    return [obj for obj in bpy.data.objects if obj.type == "EMPTY"]


@pytest.fixture(autouse=True)
def fresh_panel():
    """What is picked outlives the file, as the window manager does."""
    panel = bpy.context.window_manager.dynarig_loops
    for name in panel.bl_rna.properties.keys():  # noqa: SIM118
        if name not in ("rna_type", "name", "pick_a", "pick_b"):
            panel.property_unset(name)


def test_between_two_selected_bones_at_the_cursor(four_bar):
    select_bones(four_bar, "drive", "knee")
    bpy.context.scene.cursor.location = 0.2, 0.1, 0.3
    selected = [bone.name for bone in bpy.context.selected_pose_bones]
    assert bpy.ops.dynarig.add_loop(kind="BALL") == {"FINISHED"}
    (joint,) = read_loops(four_bar.object)
    assert (joint.kind.id, joint.a.link, joint.b.link) == ("BALL", "crank", "rocker")
    # mode, selection and active object are as they were
    assert (bpy.context.mode, bpy.context.object) == ("POSE", four_bar.object)
    assert [bone.name for bone in bpy.context.selected_pose_bones] == selected
    bpy.context.view_layer.update()
    assert_close(empties()[0].matrix_world.translation, [0.2, 0.1, 0.3], 1e-6)


def test_between_picked_ends_the_new_empty_is_selected(four_bar):
    panel = pick("rocker_end (fixed to rocker)", "pivot (fixed)", place="SECOND")
    assert (panel.pick_a, panel.pick_b) == ("rocker_end (fixed to rocker)", "pivot (fixed)")
    # bone ids are kept, not names
    assert (panel.bone_a, panel.bone_b) == (open_rig(four_bar.object).bone_of_joint["knee"].id, "")
    assert bpy.ops.dynarig.add_loop() == {"FINISHED"}
    (obj,) = empties()
    assert bpy.context.object == obj
    assert bpy.context.selected_objects == [obj]
    # along the axis of the joint that moves the first end: the second does not move
    bpy.context.view_layer.update()
    assert_close(obj.matrix_world.col[2].to_3d(), [0.0, 1.0, 0.0], 1e-6)
    assert_close(obj.matrix_world.translation, [0.45, 0.0, 0.0], 1e-6)
    # the robot is still the one that the buttons work on
    assert bpy.ops.dynarig.close_loops() == {"FINISHED"}


@pytest.mark.parametrize(
    ("place", "axis", "where", "along"),
    [
        ("CURSOR", "CURSOR", (0.1, 0.2, 0.3), (0.0, -1.0, 0.0)),
        ("FIRST", "X", (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
        ("SECOND", "Y", (0.24, 0.0, 0.28), (0.0, 1.0, 0.0)),
        ("SECOND", "Z", (0.24, 0.0, 0.28), (0.0, 0.0, 1.0)),
        ("FIRST", "JOINT", (0.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    ],
)
def test_every_place_and_axis(four_bar, place, axis, where, along):
    cursor = bpy.context.scene.cursor
    cursor.location = 0.1, 0.2, 0.3
    cursor.rotation_euler = 0.5 * np.pi, 0.0, 0.0
    bpy.ops.dynarig.add_loop(kind="HINGE", end_a="crank", end_b="rocker", place=place, axis=axis)
    bpy.context.view_layer.update()
    (obj,) = empties()
    assert_close(obj.matrix_world.translation, where, 1e-6)
    assert_close(obj.matrix_world.col[2].to_3d(), along, 1e-6)


def test_places_of_a_robot_that_was_moved_and_posed(four_bar):
    four_bar.object.location = 1.0, 2.0, 3.0
    four_bar.object.rotation_euler = 0.0, 0.0, 0.5 * np.pi
    four_bar.object.scale = 2.0, 2.0, 2.0
    four_bar.pose(0.5 * np.pi)
    bpy.ops.dynarig.add_loop(end_a="crank", end_b="coupler", place="SECOND")
    bpy.context.view_layer.update()
    (obj,) = empties()
    # the crank lies along the armature's x, which is the scene's y
    assert_close(obj.matrix_world.translation, [1.0, 2.2, 3.0], 1e-6)
    assert_close(obj.matrix_world.col[2].to_3d().normalized(), [-1.0, 0.0, 0.0], 1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_display_that_suits_the_robot(four_bar, kind):
    bpy.context.scene.cursor.location = 0.1, 0.0, 0.2
    bpy.ops.dynarig.add_loop(kind=kind, end_a="rocker_end", end_b="<world>", place="CURSOR")
    (obj,) = empties()
    assert obj.empty_display_type == KINDS[kind].display
    assert 0.005 < obj.empty_display_size < 0.1
    (joint,) = read_loops(four_bar.object)
    assert joint.b.link is None
    if kind == "DISTANCE":
        # from the cursor to the origin of the world
        assert joint.number == pytest.approx(np.hypot(0.1, 0.2), abs=1e-6)
    if kind == "SCREW":
        assert joint.number == pytest.approx(0.01, abs=1e-8)


def test_without_ends_it_says_how_to_choose_them(four_bar, inventory):
    before = inventory()
    for options in ({}, {"end_a": "crank"}):
        with pytest.raises(RuntimeError, match="select two bones in pose mode"):
            bpy.ops.dynarig.add_loop(**options)
    pick("crank (joint drive)")
    with pytest.raises(RuntimeError, match="select two bones in pose mode"):
        bpy.ops.dynarig.add_loop()
    assert inventory() == before


def test_what_was_picked_on_one_robot_is_not_another_robots(four_bar):
    panel = pick("crank", "rocker")
    assert panel.pick_a == "crank (joint drive)"
    four_bar.lab.load("ur5")
    assert (panel.pick_a, panel.pick_b) == ("", "")
    with pytest.raises(RuntimeError, match="choose both ends"):
        bpy.ops.dynarig.add_loop()
    # what is no end of a robot is nothing
    panel.pick_a = "crank"
    assert (panel.pick_a, panel.link_a, panel.bone_a) == ("", "", "")


def test_without_a_robot_it_says_what_to_select():
    for name in ("add_loop", "close_loops"):
        assert not getattr(bpy.ops.dynarig, name).poll()
        with pytest.raises(RuntimeError, match=NO_ROBOT):
            getattr(bpy.ops.dynarig, name)()
    assert not bpy.ops.dynarig.update_loop.poll()


def test_one_undo_takes_each_back(four_bar):
    name = four_bar.object.name

    def count():
        return len(read_loops(bpy.data.objects[name]))

    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        bpy.ops.ed.undo_push(message="before")
        options = {"end_a": "rocker_end", "end_b": "pivot", "place": "SECOND"}
        bpy.ops.dynarig.add_loop("EXEC_DEFAULT", True, **options)
        assert count() == 1
        bpy.ops.ed.undo()
        assert (count(), empties()) == (0, [])
        bpy.ops.ed.redo()
        assert count() == 1
        robot = bpy.data.objects[name]
        bpy.context.view_layer.objects.active = robot
        bone = open_rig(robot).pose_bone("drive").name
        robot.pose.bones[bone].rotation_euler.y = 0.9
        bpy.ops.ed.undo_push(message="posed")
        before = robot.pose.bones[bone].rotation_euler.y
        bpy.ops.dynarig.close_loops("EXEC_DEFAULT", True)
        assert abs(bpy.data.objects[name].pose.bones[bone].rotation_euler.y - before) > 0.01
        bpy.ops.ed.undo()
    assert bpy.data.objects[name].pose.bones[bone].rotation_euler.y == before
    assert count() == 1


def test_an_update_takes_the_empty_where_it_was_moved(four_bar):
    obj = four_bar.close("BALL")
    bpy.context.view_layer.objects.active = obj
    obj.location.y += 0.05
    (joint,) = read_loops(four_bar.object)
    assert is_moved(open_rig(four_bar.object), obj, joint)
    assert bpy.ops.dynarig.update_loop(kind="HINGE") == {"FINISHED"}
    (joint,) = read_loops(four_bar.object)
    assert joint.kind.id == "HINGE"
    assert not is_moved(open_rig(four_bar.object), obj, joint)
    obj["dynarig_loop_a"] = obj
    with pytest.raises(RuntimeError, match="Repair Rig"):
        bpy.ops.dynarig.update_loop()


def test_the_list_selects_a_joint_from_any_mode(four_bar):
    obj = four_bar.close()
    bpy.context.view_layer.objects.active = four_bar.object
    bpy.ops.object.mode_set(mode="POSE")
    assert bpy.ops.dynarig.select_loop(name=obj.name) == {"FINISHED"}
    assert (bpy.context.mode, bpy.context.object) == ("OBJECT", obj)
    assert bpy.context.selected_objects == [obj]
    obj.hide_set(True)
    with pytest.raises(RuntimeError, match="hidden"):
        bpy.ops.dynarig.select_loop(name=obj.name)
    with pytest.raises(RuntimeError, match="no loop joint 'four_bar'"):
        bpy.ops.dynarig.select_loop(name="four_bar")


@pytest.mark.parametrize("kind", ["PLANAR_HINGE", "HINGE", "BALL"])
def test_a_pose_is_closed_by_a_small_step(four_bar, kind):
    four_bar.close(kind)
    wanted = four_bar.closed(1.3)
    four_bar.pose(*(wanted + np.array([0.05, -0.04, 0.03])))
    before = four_bar.q()
    result = close_loops(bpy.context, four_bar.object)
    q = four_bar.q()
    assert four_bar.gap(q) < 1e-7
    assert_close(q, four_bar.closed(q[0]), 1e-6)
    assert_close(result.moved[1], np.abs(q - before).max(), 1e-6)
    assert result.moved[0] in ("drive", "elbow", "knee")
    assert result.moved[0] in result.summary()
    assert four_bar.lab.error(four_bar.object, four_bar.lab.open(four_bar.result)[1], q) < 1e-5
    # closed already
    assert close_loops(bpy.context, four_bar.object).moved is None
    assert_close(four_bar.q(), q, 0.0)


def test_a_moved_turned_and_scaled_robot_closes_as_well(four_bar):
    four_bar.object.location, four_bar.object.scale = Vector((1, 2, 3)), Vector((7, 7, 7))
    four_bar.object.rotation_euler = Euler((0.4, -1.0, 2.0))
    four_bar.close()
    four_bar.pose(*(four_bar.closed(-0.6) + 0.05))
    close_loops(bpy.context, four_bar.object)
    assert four_bar.gap(four_bar.q()) < 1e-6


def test_ends_that_are_apart_are_brought_together(four_bar):
    """A joint may be defined with its ends apart: by an update of one of them."""
    obj = four_bar.close()
    frame = np.array(four_bar.pivot())
    bpy.data.objects.remove(obj)
    four_bar.pose(0.2, 0.3, -0.4)
    from dynarig.addon.blender.loops import add_loop
    from dynarig.addon.blender.pose import evaluated_link_poses

    bpy.context.view_layer.update()
    end = evaluated_link_poses(bpy.context, four_bar.object)["rocker_end"]
    end[:3, :3] = frame[:3, :3]
    add_loop(four_bar.object, "HINGE", "rocker_end", "pivot", end, world_from_second=frame)
    assert four_bar.gap(four_bar.q()) > 0.05
    close_loops(bpy.context, four_bar.object)
    assert four_bar.gap(four_bar.q()) < 1e-6


def test_a_loop_that_cannot_close_is_named_with_its_gap(four_bar):
    """The rods reach 0.75 m; the pivot of this loop is 1 m away."""
    from dynarig.addon.blender.loops import add_loop

    far = np.eye(4)
    far[0, 3] = 1.0
    near = four_bar.pivot()
    obj = add_loop(
        four_bar.object, "BALL", "rocker_end", "pivot", near, world_from_second=far, name="far"
    )
    four_bar.pose(0.3, 0.2, 0.1)
    before = four_bar.q()
    with pytest.raises(RuntimeError, match=r"four_bar: .*Ball 'far' by 0\.\d* m") as raised:
        bpy.ops.dynarig.close_loops()
    # the largest component of 0.25 m in the axes of the first end
    told = float(re.search(r"by (0\.\d*) m", str(raised.value))[1])
    assert 0.25 / np.sqrt(3.0) < told < 0.2501
    assert_close(four_bar.q(), before, 0.0)
    obj["dynarig_loop_enabled"] = False
    with pytest.raises(RuntimeError, match="no loop joint that is enabled"):
        bpy.ops.dynarig.close_loops()


def limit(bone, least, greatest):
    """A limit constraint as the importer makes them."""
    item = bone.constraints.new("LIMIT_ROTATION")
    item.name, item.owner_space = CONSTRAINT_NAME, "LOCAL"
    item.use_limit_y = True
    item.min_y, item.max_y = least, greatest


def test_joints_stop_at_the_limits_of_their_bones_while_a_loop_is_closed(four_bar):
    four_bar.close()
    rig, _ = four_bar.lab.open(four_bar.result)
    wanted = four_bar.closed(1.0)
    limit(rig.pose_bone("elbow"), wanted[1] - 0.01, wanted[1] + 0.01)
    four_bar.pose(wanted[0] - 0.3, wanted[1], wanted[2])
    result = close_loops(bpy.context, four_bar.object)
    assert result.open == ()
    q = four_bar.q()
    assert four_bar.gap(q) < 1e-6
    # at the end of its range
    assert abs(q[1] - wanted[1]) == pytest.approx(0.01, abs=1e-6)
    assert_close(q, four_bar.closed(q[0]), 1e-5)


def test_limits_that_keep_a_loop_open_are_told(four_bar):
    four_bar.close()
    rig, _ = four_bar.lab.open(four_bar.result)
    for joint in ("drive", "elbow", "knee"):
        limit(rig.pose_bone(joint), 0.2, 0.3)
    four_bar.pose(0.25, 0.25, 0.25)
    result = close_loops(bpy.context, four_bar.object)
    assert four_bar.gap(four_bar.q()) > 1e-3
    assert "limits of the bones keep open: 'Hinge" in result.summary()
    assert "'Hinge rocker_end to pivot' by 0." in result.open[0]


def test_a_robot_without_inertia_is_told_and_stays_as_it_is(lab):
    result = lab.load("case05")
    rig, _ = lab.open(result)
    from dynarig.addon.blender.loops import add_loop

    links = [bone.link for bone in rig.table.bones]
    add_loop(result.object, "BALL", links[0], links[1], [0.0, 0.0, 0.0])
    with pytest.raises(RuntimeError, match=r"no inertia is moved by joint"):
        bpy.ops.dynarig.close_loops()


def test_close_without_loops_says_so(four_bar):
    with pytest.raises(RigError, match="'four_bar' has no loop joint"):
        close_loops(bpy.context, four_bar.object)
