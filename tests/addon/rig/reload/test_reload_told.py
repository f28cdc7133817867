"""What a reload replaces or takes away is told, and what changed is named with its values."""

import bpy
import pytest
from dynarig.addon.blender.pose import set_joint_values
from dynarig.addon.blender.reload.changes import LINES_OF_KIND, ReloadChanges
from dynarig.addon.blender.rig_access import open_rig

from .described import bake, part, reload, write_stl


def report():
    return bpy.data.texts["Dynarig import report"].as_string().split("\n\n")[-2]


def told(done, *words):
    return [note for note in done.notes if all(word in note for word in words)]


CHANGES = [
    ("shoulder", 'upper="3"', 'upper="2.5"', "limit", "limit -3 to 3 rad -> -3 to 2.5 rad"),
    (
        "shoulder",
        'effort="10"',
        'effort="20"',
        "joint's numbers",
        "effort 10, velocity 2 -> effort",
    ),
    ("shoulder", "0 0 0.1", "0 0.2 0.1", "joint origin", "origin xyz 0 0 0.1 -> xyz 0 0.2 0.1"),
    ("shoulder", 'axis xyz="0 1 0"', 'axis xyz="0 0 1"', "axis", "axis (0 1 0) -> (0 0 1)"),
    ("wrist", 'type="revolute"', 'type="continuous"', "joint type", "revolute -> continuous"),
    ("grip", 'multiplier="0.1"', 'multiplier="0.2"', "mimic", "0.1 * 'wrist' + 0 -> 0.2 * 'wrist'"),
    (
        "wrist",
        'parent link="arm"',
        'parent link="base"',
        "joint on another link",
        "'base' to 'hand'",
    ),
    ("hand", 'mass value="1"', 'mass value="2"', "inertia", "link 'hand': inertia 1 kg"),
    ("head", "0.8 0.1 0.1 1", "0.1 0.8 0.1 1", "material", "0.8 0.1 0.1 1 -> 'red' 0.1 0.8 0.1 1"),
    ("base", "0.2 0.2 0.1", "0.3 0.2 0.1", "mesh", "box 0.2 0.2 0.1 -> box 0.3 0.2 0.1"),
    ("arm", 'origin xyz="0 0 0.25"/><geom', 'origin xyz="1 0 0"/><geom', "shape moved", "-> xyz 1"),
]


@pytest.mark.parametrize("change", CHANGES, ids=[change[3] for change in CHANGES])
def test_each_change_is_named_with_what_was_and_what_is(file, robot, change):
    where, before, after, kind, words = change
    file.replace(where, before, after)
    done = reload(robot)
    assert f"1 {kind}" in done.changes
    text = report()
    assert words in text
    owner = {"head": "base", "inertia": "hand"}.get(where, where)
    assert f"'{owner}'" in next(line for line in text.splitlines() if words in line)


def test_names_of_what_came_and_went_are_told(file, robot):
    for name in ("finger", "grip"):
        del file.parts[name]
    file.parts["tool"] = '<link name="tool"><visual><geometry><sphere radius="0.1"/></geometry>'
    file.parts["tool"] += (
        '</visual></link><joint name="turn" type="continuous"><parent link="hand"/>'
        '<child link="tool"/></joint>'
    )
    file.write()
    reload(robot)
    for line in (
        "link 'tool': new",
        "joint 'turn': new",
        "link 'finger': removed",
        "joint 'grip': removed",
        "visual 1 of link 'tool': new",
        "visual 1 of link 'finger': removed",
    ):
        assert line in report()


def test_a_report_names_no_more_than_some_dozens():
    changes = ReloadChanges()
    for index in range(500):
        changes.add("limits", f"joint {index}")
        changes.add("new_links", f"link {index}")
    lines = list(changes.details())
    assert len(lines) == 2 * (LINES_OF_KIND + 1) and "492 more limits" in lines[LINES_OF_KIND]
    assert changes.phrases() == ["500 limits", "500 new links"]


def test_limits_that_the_keys_leave_are_told_as_a_bake_tells_them(file, robot):
    for joint, angle in (("wrist", 1.0), ("shoulder", 0.5)):
        bone = open_rig(robot.object).pose_bone(joint)
        for frame, value in ((1, -angle), (20, angle)):
            bone.rotation_euler[1] = value
            bone.keyframe_insert("rotation_euler", index=1, frame=frame)
    ends = file.parts["wrist"]
    file.replace("wrist", 'lower="-3" upper="3"', 'lower="-0.9" upper="0.9"')
    done = reload(robot)
    (note,) = told(done, "limits muted", "leaves")
    assert "wrist" in note and "shoulder" not in note
    file.parts["wrist"] = ends
    file.write()
    assert not told(reload(robot), "limits muted")


@pytest.mark.parametrize("by", ["joint type", "axis"])
def test_keys_that_are_lost_are_told_by_joint_as_a_warning(file, robot, by):
    bake(robot)
    file.replace("wrist", 'type="revolute"', 'type="prismatic"')
    file.replace("grip", '<mimic joint="wrist" multiplier="0.1"/>', "")
    bpy.context.view_layer.objects.active = robot.object
    done = reload(robot)
    assert told(done, "keys removed", "'wrist'", "another way") and not told(done, "'shoulder'")
    assert "keys removed" in done.summary()


@pytest.mark.parametrize("sign", [1, -1])
def test_edits_that_the_file_replaces_are_told(file, robot, sign):
    if sign < 0:
        file.replace("shoulder", 'axis xyz="0 1 0"', 'axis xyz="0 -1 0"')
        reload(robot)
    bone = open_rig(robot.object).pose_bone("shoulder")
    (limit,) = bone.constraints
    limit.max_y = 0.25
    bone["urdf_effort"] = 99.0
    # what the file says of another joint changes neither
    file.replace("wrist", 'upper="3"', 'upper="2"')
    assert not told(reload(robot), "your edits")
    assert limit.max_y == 0.25 and bone["urdf_effort"] == 99.0
    file.replace("shoulder", 'upper="3"', 'upper="2"')
    file.replace("shoulder", 'effort="10"', 'effort="20"')
    done = reload(robot)
    assert told(done, "your edits", "'shoulder'", "limit")
    assert told(done, "your edits", "'shoulder'", "effort") and not told(done, "velocity")
    bone = open_rig(robot.object).pose_bone("shoulder")
    assert bone["urdf_effort"] == 20.0
    # and what was not edited is not told
    file.replace("shoulder", 'upper="2"', 'upper="1"')
    file.replace("shoulder", 'effort="20"', 'effort="30"')
    assert not told(reload(robot), "your edits")


def test_faces_edited_by_hand_are_told(file, robot):
    arm = part(robot, "visual", "arm")
    arm.data.vertices[0].co.x += 1.0
    assert reload(robot).changes == ()
    write_stl(file.path.parent / "arm.stl", 0.2)
    assert told(reload(robot), "your edits", arm.name)
    write_stl(file.path.parent / "arm.stl", 0.3)
    assert not told(reload(robot), "your edits")


def test_the_button_warns(file, robot):
    bake(robot)
    bpy.context.view_layer.objects.active = robot.object
    set_joint_values(open_rig(robot.object), {"shoulder": 0.1})
    file.replace("shoulder", 'type="revolute"', 'type="prismatic"')
    assert bpy.ops.dynarig.reload_robot() == {"FINISHED"}
    assert "to note" in report() and "keys removed" in report()


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_part_moved_by_hand_is_told_where_the_file_moves_it_too(file, robot, by_hand):
    arm = part(robot, "visual", "arm")
    if by_hand:
        arm.location.x += 0.01
    place = arm.location.copy()
    # with its bone it goes as it is
    file.replace("shoulder", "0 0 0.1", "0 0.5 0.1")
    assert not told(reload(robot), "moved by hand") and arm.location == place
    file.replace("arm", 'origin xyz="0 0 0.25"/><geom', 'origin xyz="1 0 0.25"/><geom')
    assert bool(told(reload(robot), "moved by hand", arm.name)) == by_hand
    assert arm.location != place


UNSHOWN = "description updated (what is not shown)"


def test_another_name_of_the_robot_is_told(file, robot):
    file.path.write_text(file.path.read_text().replace('name="made"', 'name="better"'))
    done = reload(robot)
    assert done.changes == (UNSHOWN,) and UNSHOWN in done.summary()
    assert "name of the robot: 'made' -> 'better'" in report()
    assert open_rig(robot.object).robot.name == "better"
    # the same in other words, which is no change
    file.path.write_text(file.path.read_text().replace("<link", "<!-- a comment -->\n<link"))
    assert reload(robot).changes == ()


def test_shapes_that_are_not_shown_are_told(lab, file):
    file.replace(
        "hand", "</link>", '<collision><geometry><box size="1 1 1"/></geometry></collision></link>'
    )
    robot = lab.load_file(file.path, shown="COLLISION")
    file.replace("base", "0.2 0.2 0.1", "0.3 0.2 0.1")
    assert reload(robot).changes == (UNSHOWN,)
    assert "visual 1 of link 'base' (not shown): changed" in report()
    (own,) = open_rig(robot.object).robot.link("base").visuals
    assert own.geometry.size == (0.3, 0.2, 0.1)
    # beside what is shown
    file.replace("base", "0.3 0.2 0.1", "0.4 0.2 0.1")
    file.replace("hand", "1 1 1", "2 1 1")
    assert reload(robot).changes == ("1 mesh", UNSHOWN)
    assert reload(robot).changes == ()


def test_a_scale_alone_is_told_as_one(file, robot):
    file.replace("arm", 'l"/></geom', 'l" scale="2 2 2"/></geom')
    assert reload(robot).changes == ("1 shape moved",)
    assert "visual 1 of link 'arm': 'arm.stl' -> 'arm.stl' x 2 2 2" in report()
