"""Names that Blender would cut, escape or mix up: every operator goes by the exact ones."""

import csv
from itertools import pairwise
from xml.sax.saxutils import quoteattr

import bpy
import numpy as np
import pytest
from dynarig.addon import compat
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.contact.link_overrides import contact_of_links
from dynarig.addon.blender.loops import add_loop, loop_constraints, read_loops
from dynarig.addon.blender.pose import get_configuration, set_configuration
from dynarig.addon.blender.repair import repair_rig
from dynarig.addon.blender.rig_access import open_rig

NAMES = (
    "x" * 80 + "a",
    "x" * 80 + "b",
    "ß" * 31 + "関" * 30 + "1",  # cut inside a character
    "ß" * 31 + "関" * 30 + "2",
    "e\u0301" * 40,  # combining marks
    "\U0001f916" * 20,
    "\u202eleft",
    "it's",
    'say "hi"',
    "back\\slash\\",
    'pose.bones["arm"].location[0]',
    "[0]",
    "arm",
    "arm.001",
    "two  words",
    "percent%20s{}",
)
BOX = '<visual><geometry><box size=".1 .1 .1"/></geometry></visual>'
INERTIAL = (
    '<inertial><mass value="1"/><inertia ixx=".1" ixy="0" ixz="0" iyy=".1" iyz="0" izz=".1"/>'
    "</inertial>"
)


def robot_of(names, more=""):
    """A chain of links, and joints of the same names; each second one follows the first."""
    body = '<link name="base"/>'
    above = "base"
    for number, name in enumerate(names):
        mimic = f"<mimic joint={quoteattr(names[0])}/>" if more == "mimic" and number % 2 else ""
        body += (
            f"<link name={quoteattr(name)}>{BOX}{INERTIAL}</link>"
            f'<joint name={quoteattr(name)} type="revolute"><parent link={quoteattr(above)}/>'
            f'<child link={quoteattr(name)}/><origin xyz="0.1 0 0.05"/><axis xyz="0 1 0"/>'
            f'<limit lower="-1" upper="1" effort="1" velocity="1"/>{mimic}</joint>'
        )
        above = name
    return body


@pytest.fixture(params=[{}, {"fixed_links": "KEEP"}], ids=["merged", "kept"])
def rig(lab, request):
    return open_rig(lab.load_text(robot_of(NAMES, "mimic"), **request.param).object)


def test_exact_names_are_in_the_scene(rig):
    bones = rig.object.pose.bones
    assert {bone["urdf_link"] for bone in bones} - {"base"} == set(NAMES)
    assert {bone["urdf_joint"] for bone in bones if "urdf_joint" in bone} == set(NAMES)
    assert set(rig.table.links) == {"base", *NAMES}
    names = [bone.name for bone in bones]
    assert len(set(names)) == len(names)
    assert all(len(name.encode()) <= 63 for name in names)
    for name in NAMES:
        assert rig.pose_bone(name)["urdf_joint"] == name
        assert bones[rig.pose_bone(name).name] == rig.pose_bone(name)


def test_followers_and_poses(rig, lab):
    model = rig.compile(np.zeros(3))
    assert set(model.followers) == set(NAMES[1::2])
    q = 0.3 * lab.random_q(model)
    set_configuration(rig, model, q)
    assert lab.error(rig.object, model, q) < 1e-5
    assert all(curve.driver.is_valid for curve in rig.object.animation_data.drivers)


def test_a_bake_keys_every_joint(rig, lab):
    model = rig.compile(np.zeros(3))
    motion = lab.random_motion(model)
    told = bake_robot(bpy.context, rig.object, BakeSettings(frame_end=25), motion)
    assert told.channels == len(model.joint_names) == len(NAMES[::2])
    for curve in compat.existing_channels(rig.object):
        rig.object.path_resolve(curve.data_path)
    for frame in (1, 9, 25):
        bpy.context.scene.frame_set(frame)
        q, _ = motion.sample((frame - 1) / 24.0)
        assert lab.error(rig.object, model, q) < 1e-5


def test_a_repair_finds_every_joint(rig, lab):
    for name in NAMES:
        rig.pose_bone(name).rotation_mode = "ZYX"
    for index, bone in enumerate(rig.object.data.bones):
        bone.name = f"my bone {index}"
    told = repair_rig(bpy.context, rig.object)
    assert set(told.channels) == set(NAMES)
    rig = open_rig(rig.object)
    model = rig.compile(np.zeros(3))
    q = 0.3 * lab.random_q(model)
    set_configuration(rig, model, q)
    assert lab.error(rig.object, model, q) < 1e-5


def test_a_motion_from_a_file_goes_by_exact_names(rig, tmp_path):
    """Columns of a .csv are named after joints, quoted where they must be."""
    leaders = NAMES[::2]
    path = tmp_path / "motion.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(("time", *leaders))
        for step in range(11):
            table.writerow((0.1 * step, *(0.01 * step * number for number in range(len(leaders)))))
    bpy.context.view_layer.objects.active = rig.object
    assert bpy.ops.dynarig.bake_simulation(trajectory=str(path)) == {"FINISHED"}
    bpy.context.scene.frame_set(25)
    again = open_rig(rig.object)
    model = again.compile(np.zeros(3))
    q = get_configuration(again, model)
    for number, name in enumerate(leaders):
        assert q[model.q_index(name)] == pytest.approx([0.1 * number], abs=1e-6)


@pytest.mark.parametrize("number", range(0, len(NAMES), 2))
def test_loops_go_between_links_of_exact_names(rig, number):
    first, second = NAMES[number], NAMES[number + 1]
    bpy.context.view_layer.objects.active = rig.object
    done = bpy.ops.dynarig.add_loop(end_a=second, end_b=first, kind="BALL")
    assert done == {"FINISHED"}
    (loop,) = read_loops(rig.object)
    assert (loop.a.link, loop.b.link) == (second, first)
    assert len(loop_constraints(rig, rig.compile(np.zeros(3)), (loop,))) == 1
    obj = next(obj for obj in rig.object.children if obj.type == "EMPTY")
    assert obj.parent_bone == rig.pose_bone(second).name
    assert bpy.ops.dynarig.select_loop(name=obj.name) == {"FINISHED"}
    repair_rig(bpy.context, rig.object)
    assert read_loops(rig.object)[0].a.link == second


def test_contact_settings_are_those_of_the_exact_link(rig):
    for name in NAMES[::3]:
        rig.pose_bone(name).bone.dynarig.collides = False
    found = contact_of_links(rig)
    assert {name for name, own in found.items() if not own.collides} == set(NAMES[::3])


def test_a_skin_is_moved_by_bones_of_any_name(lab):
    result = lab.load_text(robot_of(NAMES), mesh_parent="SKIN")
    rig, model = lab.open(result)
    (skin,) = [obj for obj in result.object.children if obj.type == "MESH"]
    bones = {bone.name for bone in result.object.data.bones}
    assert {group.name for group in skin.vertex_groups} <= bones
    groups = {group.index: group.name for group in skin.vertex_groups}
    q = 0.3 * lab.random_q(model)
    set_configuration(rig, model, q)
    bpy.context.view_layer.update()
    evaluated = skin.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.array([evaluated.matrix_world @ point.co for point in evaluated.data.vertices])
    owners = [groups[point.groups[0].group] for point in skin.data.vertices]
    for name in NAMES:
        own = points[[owner == rig.pose_bone(name).name for owner in owners]]
        head = np.array(rig.pose_bone(name).head)
        assert own.mean(axis=0) == pytest.approx(head, abs=1e-5)


def test_what_is_in_the_file_already_keeps_its_name(lab):
    taken = [
        bpy.data.objects.new("made", None),
        bpy.data.armatures.new("made"),
        bpy.data.collections.new("made"),
        bpy.data.meshes.new("arm"),
        bpy.data.materials.new("made"),
    ]
    result = lab.load_text(robot_of(("arm", "made")))
    assert [block.name for block in taken] == ["made", "made", "made", "arm", "made"]
    rig, model = lab.open(result)
    assert result.object.name == "made.001"
    assert repair_rig(bpy.context, result.object).summary().startswith("made.001: nothing")
    q = lab.random_q(model)
    set_configuration(rig, model, q)
    assert lab.error(result.object, model, q) < 1e-5


def test_two_hundred_links_that_differ_past_what_blender_keeps(lab):
    names = tuple(f"{'left_front_knuckle_' * 4}{number}" for number in range(200))
    body = '<link name="base"/>' + "".join(
        f'<link name="{name}"/><joint name="{name}" type="revolute"><parent link="base"/>'
        f'<child link="{name}"/><origin xyz="{number * 0.01} 0 0"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        for number, name in enumerate(names)
    )
    result = lab.load_text(body)
    rig, model = lab.open(result)
    assert len({rig.pose_bone(name).name for name in names}) == 200
    q = lab.random_q(model)
    set_configuration(rig, model, q)
    assert lab.error(result.object, model, q) < 1e-5


def test_loops_between_links_of_the_reference_case(lab):
    result = lab.load("case09")
    rig, model = lab.open(result)
    pairs = list(pairwise(list(rig.table.links)[1:]))
    for link, other in pairs:
        add_loop(result.object, "BALL", link, other, np.eye(4))
    loops = read_loops(result.object)
    assert {(loop.a.link, loop.b.link) for loop in loops} == set(pairs)
    assert len(loop_constraints(rig, model, loops)) == len(loops)
