"""Loop joints outlive what a user does to the file: new names, copies, other files, deletions."""

import bpy
import pytest
from dynarig.addon.blender.loops import (
    loop_objects,
    mend_loops,
    read_loops,
    robot_or_none,
    update_loop,
)
from dynarig.addon.blender.repair import repair_rig
from dynarig.addon.blender.rig_access import find_robot, open_rig
from dynarig.addon.blender.robot_table import TABLE_KEY
from dynarig.addon.errors import RigError

from ....close import assert_close


def check(robot, count=1):
    """The loops of a robot, which are as they were made."""
    loops = read_loops(robot)
    assert len(loops) == count
    for loop in loops:
        assert (loop.kind.id, loop.a.link, loop.b.link) == ("HINGE", "rocker_end", "pivot")
        assert loop.a.bone in open_rig(robot).pose_bones
    return loops


def duplicate(*objects):
    """What Shift-D makes of objects, in the order that they are given in."""
    bpy.ops.object.select_all(action="DESELECT")
    for obj in objects:
        obj.select_set(True)
    bpy.context.view_layer.objects.active = objects[0]
    before = set(bpy.data.objects)
    bpy.ops.object.duplicate(linked=False)
    return set(bpy.data.objects) - before


def saved(tmp_path):
    """The file, saved."""
    path = str(tmp_path / "loops.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    return path


def test_saved_and_loaded(four_bar, tmp_path):
    obj = four_bar.close()
    obj["dynarig_loop_enabled"] = True
    ends = [end.link_from_loop for end in check(four_bar.object)[0].ends]
    name = four_bar.object.name
    bpy.ops.wm.open_mainfile(filepath=saved(tmp_path))
    loop = check(bpy.data.objects[name])[0]
    for end, before in zip(loop.ends, ends, strict=True):
        assert_close(end.link_from_loop, before, 0.0)


def test_renamed(four_bar, tmp_path):
    obj = four_bar.close()
    for index, bone in enumerate(four_bar.object.data.bones):
        bone.name = f"my bone {index}"
    four_bar.object.name, four_bar.object.data.name = "my robot", "my armature"
    obj.name = "my loop"
    assert check(four_bar.object)[0].name == "my loop"
    # Blender takes the Empty's parent along
    assert obj.parent_bone == open_rig(four_bar.object).pose_bone("knee").name
    assert repair_rig(bpy.context, four_bar.object).loops == ()
    # names that other things had before
    bones = four_bar.object.data.bones
    bones[0].name, bones[1].name, bones[2].name = "x", "my bone 2", "my bone 1"
    bpy.ops.wm.open_mainfile(filepath=saved(tmp_path))
    check(bpy.data.objects["my robot"])


def test_a_copied_robot_has_its_own_loops(four_bar):
    obj = four_bar.close()
    copies = duplicate(four_bar.object, obj)
    other = next(copy for copy in copies if copy.type == "ARMATURE")
    mine, its = check(four_bar.object)[0], check(other)[0]
    assert (mine.name, its.name) == (obj.name, next(c for c in copies if c.type == "EMPTY").name)
    assert {obj["dynarig_loop_a"], obj["dynarig_loop_b"]} == {four_bar.object}


def test_a_robot_that_is_copied_alone_has_none(four_bar):
    four_bar.close()
    (other,) = duplicate(four_bar.object)
    check(other, 0)
    check(four_bar.object)


def test_an_empty_that_is_copied_alone_is_a_second_joint(four_bar):
    obj = four_bar.close()
    duplicate(obj)
    check(four_bar.object, 2)


def test_a_copied_scene_has_copies_of_its_own(four_bar):
    four_bar.close()
    bpy.ops.scene.new(type="FULL_COPY")
    other = next(obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE")
    assert other != four_bar.object
    check(other)
    check(four_bar.object)


@pytest.mark.parametrize("link", [False, True])
def test_appended_and_linked(four_bar, tmp_path, link):
    name = four_bar.close().name
    robot = four_bar.object.name
    path = saved(tmp_path)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(path, link=link) as (_, wanted):
        wanted.objects = [name]
    obj = wanted.objects[0]
    bpy.context.scene.collection.objects.link(obj)
    found = next(own for own in bpy.data.objects if own.type == "ARMATURE")
    assert found.name == robot
    assert found.library is None or link
    bpy.context.scene.collection.objects.link(found)
    check(found)
    if link:
        # what comes from a library is changed in an override only
        obj.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
        own = next(own for own in bpy.data.objects if own.type == "ARMATURE" and not own.library)
        bpy.context.view_layer.update()
        check(own)
        assert repair_rig(bpy.context, own).problems == ()


def test_appended_twice(four_bar, tmp_path):
    four_bar.close()
    collection = four_bar.result.collection.name
    path = saved(tmp_path)
    for _ in range(2):
        bpy.ops.wm.append(directory=f"{path}/Collection/", filename=collection)
    robots = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    assert len(robots) == 3
    for robot in robots:
        check(robot)


def test_a_joint_is_deleted_as_any_object_is(four_bar):
    obj = four_bar.close()
    bpy.ops.object.select_all(action="DESELECT")
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj
    # something else still refers to it
    bpy.context.scene["mine"] = obj
    bpy.ops.object.delete()
    check(four_bar.object, 0)
    assert loop_objects(four_bar.object) == ()


def test_a_joint_whose_robot_was_deleted_says_so(four_bar):
    obj = four_bar.close()
    other = four_bar.lab.load("ur5").object
    # by the user: the pointer keeps the robot in the file
    bpy.ops.object.select_all(action="DESELECT")
    four_bar.object.select_set(True)
    bpy.context.view_layer.objects.active = four_bar.object
    bpy.ops.object.delete()
    check(other, 0)
    obj.parent = other
    with pytest.raises(RigError, match=r"robot 'ur5': .*'four_bar' of its first end was"):
        read_loops(other)
    # by a script
    bpy.data.objects.remove(obj["dynarig_loop_a"])
    with pytest.raises(RigError, match="first end is gone"):
        read_loops(other)
    obj["dynarig_loop_enabled"] = False
    check(other, 0)


def test_a_robot_that_was_deleted_is_found_no_more(four_bar):
    obj = four_bar.close()
    robot = four_bar.object
    part = bpy.data.objects.new("part", None)
    bpy.context.collection.objects.link(part)
    part.parent = robot
    assert find_robot(part) == find_robot(obj) == robot
    bpy.ops.object.select_all(action="DESELECT")
    robot.select_set(True)
    bpy.context.view_layer.objects.active = robot
    bpy.ops.object.delete()
    # the pointers keep it
    assert robot in bpy.data.objects.values()
    for own in (robot, obj, part):
        assert find_robot(own) is None
    assert robot_or_none(obj) is None
    bpy.context.view_layer.objects.active = obj
    for operator in ("add_loop", "close_loops", "bake_simulation", "repair_rig"):
        assert not getattr(bpy.ops.dynarig, operator).poll()
    with pytest.raises(RigError, match="its robot is gone; remove it, or undo"):
        update_loop(obj)
    # back by undo, or by hand
    bpy.context.collection.objects.link(robot)
    assert find_robot(obj) == robot_or_none(obj) == robot
    assert bpy.ops.dynarig.close_loops.poll()


def test_a_bone_that_was_deleted_is_named(four_bar):
    four_bar.close()
    name = open_rig(four_bar.object).pose_bone("knee").name
    bpy.ops.object.mode_set(mode="EDIT")
    four_bar.object.data.edit_bones.remove(four_bar.object.data.edit_bones[name])
    bpy.ops.object.mode_set(mode="OBJECT")
    told = "loop joint 'Hinge.*robot 'four_bar'.*bone of joint 'knee'.*'rocker_end', is gone"
    with pytest.raises(RigError, match=told):
        read_loops(four_bar.object)


def test_a_joint_of_another_robot_is_told_and_mended(four_bar, data):
    obj = four_bar.close()
    twin = four_bar.lab.load_file(data / "loops" / "four_bar.urdf").object
    obj.parent = twin
    for robot in (twin, four_bar.object):
        with pytest.raises(RigError, match=rf"is on '{four_bar.object.name}'.*'{twin.name}'"):
            read_loops(robot)
    # the robot that it hangs from takes it, the other one only tells of it
    told = repair_rig(bpy.context, four_bar.object)
    assert (told.loops, len(told.problems)) == ((), 1)
    found = repair_rig(bpy.context, twin)
    assert (found.loops, found.problems) == ((obj.name,), ())
    assert obj.name in found.summary()
    check(twin)
    check(four_bar.object, 0)


def test_a_joint_that_does_not_fit_the_robot_it_hangs_from_stays_as_it_is(four_bar):
    obj = four_bar.close()
    other = four_bar.lab.load("ur5").object
    obj.parent = other
    mended, problems = mend_loops(open_rig(other))
    assert (mended, len(problems)) == ((), 1)
    assert obj["dynarig_loop_a"] == four_bar.object
    bpy.context.view_layer.objects.active = other
    assert bpy.ops.dynarig.repair_rig() == {"FINISHED"}


def test_a_joint_without_a_parent_is_still_the_robots(four_bar):
    obj = four_bar.close()
    obj.parent = None
    check(four_bar.object)


def test_an_empty_that_hangs_from_a_wrong_bone_is_mended(four_bar):
    obj = four_bar.close()
    obj.parent_bone = open_rig(four_bar.object).pose_bone("drive").name
    assert repair_rig(bpy.context, four_bar.object).loops == (obj.name,)
    assert obj.parent_bone == open_rig(four_bar.object).pose_bone("knee").name


@pytest.mark.parametrize(
    ("key", "value", "match"),
    [
        ("dynarig_loop", "{", "damaged"),
        ("dynarig_loop", 3.0, "wanted a text, got float"),
        ("dynarig_loop", "[" * 100000, "damaged"),
        ("dynarig_loop", '{"version": 2}', "version 2"),
        ("dynarig_loop", '{"version": 1, "kind": "GLUE", "ends": []}', "kind: wanted one of BALL"),
        ("dynarig_loop", '{"version": 1, "kind": "BALL", "ends": []}', "wanted 2, got 0"),
        ("dynarig_loop_b", "four_bar", "second end is gone"),
        ("dynarig_loop_length", 0.0, "length: wanted a length greater than 0, got 0"),
        ("dynarig_loop_length", "long", "length: wanted .* got 'long'"),
    ],
)
def test_a_damaged_joint_is_named(four_bar, key, value, match):
    from dynarig.addon.blender.loops import add_loop

    obj = add_loop(four_bar.object, "DISTANCE", "crank", "rocker", [0.0, 0.0, 0.1])
    del obj[key]  # a property keeps its type
    obj[key] = value
    with pytest.raises(RigError, match=f"'{obj.name}' of robot 'four_bar'.*{match}"):
        read_loops(four_bar.object)


def test_a_link_that_the_robot_does_not_have_is_told(four_bar):
    obj = four_bar.close()
    obj["dynarig_loop"] = obj["dynarig_loop"].replace("rocker_end", "tail")
    with pytest.raises(RigError, match="first end: robot 'four_bar' has no link 'tail'"):
        read_loops(four_bar.object)


def test_a_damaged_table_is_told(four_bar):
    four_bar.close()
    four_bar.object.data[TABLE_KEY] = "{"
    with pytest.raises(RigError, match="damaged"):
        read_loops(four_bar.object)
