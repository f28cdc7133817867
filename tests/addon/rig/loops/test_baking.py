"""Bakes honour the loop joints of the rig, wherever it stands and whatever it is called."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.loops import add_loop, read_loops
from dynarig.addon.blender.pose import evaluated_link_poses
from dynarig.addon.errors import RigError

from ....close import assert_close

END = 13  # half a second
CLOSED = 1e-6  # m, at keys: what float32 leaves of a robot of half a metre


def gaps(robot, frames=range(1, END + 1)):
    """The distance (m, of the robot's own) of the rocker's end from the pivot at each frame."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        poses = evaluated_link_poses(bpy.context, robot)
        found.append(np.linalg.norm(poses["rocker_end"][:3, 3] - poses["pivot"][:3, 3]))
    return np.array(found)


@pytest.mark.parametrize("kind", ["PLANAR_HINGE", "HINGE", "BALL"])
def test_a_four_bar_is_closed_at_every_key(four_bar, kind):
    four_bar.pose(*four_bar.closed(0.6))
    four_bar.close(kind)
    result = bake_robot(bpy.context, four_bar.object, BakeSettings(frame_end=END))
    assert np.ptp(result.trajectory.q[:, 0]) > 0.3
    assert_close(gaps(four_bar.object), 0.0, CLOSED)
    # the motion is that of the closed loop: one angle gives the others
    for q in result.trajectory.q:
        assert_close(np.sin(q - four_bar.closed(q[0])), 0.0, 1e-6)


def test_a_joint_that_is_off_or_deleted_holds_nothing(four_bar):
    obj = four_bar.close()
    obj["dynarig_loop_enabled"] = False
    bake_robot(bpy.context, four_bar.object, BakeSettings(frame_end=END))
    assert gaps(four_bar.object).max() > 0.05
    bpy.data.objects.remove(obj)
    bpy.context.scene.frame_set(1)
    bake_robot(bpy.context, four_bar.object, BakeSettings(frame_end=END))
    assert gaps(four_bar.object).max() > 0.05


def test_a_robot_that_was_moved_scaled_and_renamed(four_bar):
    four_bar.pose(*four_bar.closed(0.6))
    four_bar.object.location = 2.0, -1.0, 3.0
    four_bar.object.rotation_euler = 0.3, 0.2, 1.0
    four_bar.object.scale = 5.0, 5.0, 5.0
    four_bar.close()
    # moved again after it was closed, and renamed
    four_bar.object.rotation_euler = 0.0, 0.0, -1.0
    four_bar.object.scale = 2.0, 2.0, 2.0
    four_bar.object.name = "linkage"
    for index, bone in enumerate(four_bar.object.data.bones):
        bone.name = f"part {index}"
    bake_robot(bpy.context, four_bar.object, BakeSettings(frame_end=END))
    assert_close(gaps(four_bar.object), 0.0, CLOSED)


def test_a_copy_is_baked_with_its_own_joint(four_bar):
    four_bar.pose(*four_bar.closed(0.6))
    obj = four_bar.close()
    for own in (four_bar.object, obj):
        own.select_set(True)
    bpy.ops.object.duplicate(linked=False)
    copy = next(own for own in bpy.context.selected_objects if own.type == "ARMATURE")
    obj["dynarig_loop_enabled"] = False
    bake_robot(bpy.context, copy, BakeSettings(frame_end=END))
    assert_close(gaps(copy), 0.0, CLOSED)
    bpy.context.scene.frame_set(1)
    bake_robot(bpy.context, four_bar.object, BakeSettings(frame_end=END))
    assert gaps(four_bar.object).max() > 0.05


def test_the_motion_does_not_depend_on_which_end_comes_first(four_bar):
    four_bar.pose(*four_bar.closed(0.6))
    settings = BakeSettings(frame_end=END)
    four_bar.close()
    one = bake_robot(bpy.context, four_bar.object, settings).trajectory.q
    bpy.data.objects.remove(bpy.data.objects[read_loops(four_bar.object)[0].name])
    bpy.context.scene.frame_set(1)
    add_loop(four_bar.object, "HINGE", "pivot", "rocker_end", four_bar.pivot())
    other = bake_robot(bpy.context, four_bar.object, settings).trajectory.q
    assert_close(other, one, 1e-6)


def test_a_joint_that_cannot_be_used_stops_the_bake_before_anything_changes(four_bar, inventory):
    obj = four_bar.close()
    obj["dynarig_loop_b"] = obj
    before, q = inventory(), four_bar.q()
    with pytest.raises(RigError, match=rf"loop joint '{obj.name}' of robot 'four_bar'.*second end"):
        bake_robot(bpy.context, four_bar.object, BakeSettings(frame_end=END))
    assert inventory() == before
    assert_close(four_bar.q(), q, 0.0)
