"""Parts that users removed, unparented, copied or hung from nothing."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.parts import tag_of
from dynarig.addon.blender.rig_access import open_rig

from ....close import assert_close
from .described import part, reload, write_stl

OPTIONS = {"shown": "BOTH", "inertia": True, "fixed_frames": True}


def objects():
    return {obj.name for obj in bpy.data.objects}


def remove(obj):
    bpy.data.objects.remove(obj)


def delete_in_the_interface(obj):
    """What Blender does with an object that something refers to: it is in no collection."""
    obj.use_fake_user = True
    for collection in obj.users_collection[:]:
        collection.objects.unlink(obj)


def unparent(obj):
    world = obj.matrix_world.copy()
    obj.parent = None
    obj.matrix_world = world


@pytest.mark.parametrize("how", [remove, delete_in_the_interface, unparent])
@pytest.mark.parametrize("role", ["visual", "collision", "inertia"])
def test_a_part_taken_away_by_hand_is_not_made_again(lab, file, how, role):
    file.replace(
        "arm",
        "</link>",
        '<collision><geometry><mesh filename="arm.stl"/></geometry></collision></link>',
    )
    robot = lab.load_file(file.path, **OPTIONS)
    how(part(robot, role, "arm"))
    before = objects()
    assert reload(robot).changes == ()
    # nor when other things change, however often
    for place in ("0 0.5 0.1", "0 0.6 0.1"):
        file.parts["shoulder"] = file.parts["shoulder"].replace('"0 0 0.1"', f'"{place}"')
        file.write()
        reload(robot)
        assert objects() == before
    # but when the file changes it
    write_stl(file.path.parent / "arm.stl", 0.3)
    file.replace("arm", 'mass value="2"', 'mass value="3"')
    done = reload(robot)
    assert any("removed by hand and is back" in note and "'arm'" in note for note in done.notes)
    assert "1 new shape" in done.changes
    assert part(robot, role, "arm").parent == robot.object
    assert reload(robot).changes == ()


def test_a_colour_brings_a_removed_part_back(file, robot):
    remove(part(robot, "visual", "base"))
    file.replace("head", "0.8 0.1 0.1", "0.1 0.8 0.1")
    assert "1 new shape" in reload(robot).changes


def test_what_the_file_drops_and_brings_again_is_made_again(file, robot):
    remove(part(robot, "visual", "hand"))
    text = file.parts["hand"]
    file.parts["hand"] = '<link name="hand"/>'
    file.write()
    reload(robot)
    file.parts["hand"] = text
    file.write()
    assert "1 new shape" in reload(robot).changes


def test_a_skin_taken_away_is_not_made_again(lab, file):
    robot = lab.load_file(file.path, mesh_parent="SKIN")
    remove(part(robot, "skin", ""))
    before = objects()
    assert reload(robot).changes == () and objects() == before
    write_stl(file.path.parent / "arm.stl", 0.3)
    assert "1 new shape" in reload(robot).changes


def test_a_part_on_a_bone_that_is_not_there_hangs_from_its_own_again(file, robot):
    arm = part(robot, "visual", "arm")
    bpy.context.view_layer.update()
    bone, basis, world = arm.parent_bone, arm.matrix_basis.copy(), arm.matrix_world.copy()
    arm.parent_bone = "nowhere"
    done = reload(robot)
    assert arm.parent_bone == bone and arm.matrix_basis == basis
    bpy.context.view_layer.update()
    assert_close(np.array(arm.matrix_world), np.array(world), atol=1e-6)
    assert any("nowhere" in note and arm.name in note for note in done.notes)
    assert reload(robot).notes == ()


def test_a_copy_of_a_part_gets_the_faces_and_stays_where_it_is(file, robot):
    arm = part(robot, "visual", "arm")
    twin = arm.copy()
    robot.collection.objects.link(twin)
    twin.location.x += 3.0
    before = twin.matrix_basis.copy()
    assert tag_of(twin) == tag_of(arm)
    write_stl(file.path.parent / "arm.stl", 0.3)
    reload(robot)
    assert twin.data == arm.data and twin.matrix_basis == before
    open_rig(robot.object)
