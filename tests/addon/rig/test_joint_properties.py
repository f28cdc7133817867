"""What bones say of their joints in custom properties, and who listens to it."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.joint_properties import JOINT_KEY, LINK_KEY, NUMBERS
from dynarig.addon.blender.repair import repair_rig
from dynarig.addon.blender.rig_access import open_rig
from dynarig.addon.errors import RigError

KEYS = ("urdf_effort", "urdf_velocity", "urdf_damping", "urdf_friction")
BODY = """
<link name="base"/><link name="arm"><inertial><mass value="1"/>
 <inertia ixx=".1" ixy="0" ixz="0" iyy=".1" iyz="0" izz=".1"/></inertial></link>
<link name="slider"/><link name="wheel"/><link name="tip"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="1 0 0"/>
 <limit lower="-1" upper="1" effort="12.1" velocity="3.3"/>
 <dynamics damping="0.7" friction="0.2"/></joint>
<joint name="slide" type="prismatic"><parent link="arm"/><child link="slider"/>
 <limit lower="0" upper="1" effort="0" velocity="0.1"/></joint>
<joint name="roll" type="continuous"><parent link="arm"/><child link="wheel"/></joint>
<joint name="glue" type="fixed"><parent link="arm"/><child link="tip"/></joint>"""


@pytest.fixture
def rig(lab):
    return open_rig(lab.load_text(BODY, fixed_links="KEEP").object)


def numbers_on(bone):
    return {key: bone[key] for key in KEYS if key in bone}


def test_keys_are_short_ascii():
    assert tuple(number.key for number in NUMBERS) == KEYS
    assert all(key.isascii() and len(key) < 64 for key in (*KEYS, JOINT_KEY, LINK_KEY))


def test_numbers_of_the_file_are_there_to_the_last_digit_and_no_others(rig):
    assert numbers_on(rig.pose_bone("turn")) == {
        "urdf_effort": 12.1, "urdf_velocity": 3.3, "urdf_damping": 0.7, "urdf_friction": 0.2
    }  # fmt: skip
    assert numbers_on(rig.pose_bone("slide")) == {"urdf_effort": 0.0, "urdf_velocity": 0.1}
    assert numbers_on(rig.pose_bone("roll")) == {}


@pytest.mark.parametrize(
    ("joint", "key", "unit"),
    [
        ("turn", "urdf_effort", ", N m;"),
        ("turn", "urdf_velocity", ", rad/s;"),
        ("turn", "urdf_damping", ", N m s/rad;"),
        ("turn", "urdf_friction", ", N m;"),
        ("slide", "urdf_effort", ", N;"),
        ("slide", "urdf_velocity", ", m/s;"),
    ],
)
def test_a_person_reads_the_unit(rig, joint, key, unit):
    shown = rig.pose_bone(joint).id_properties_ui(key).as_dict()
    assert unit in shown["description"]
    assert shown["min"] == 0.0


def test_names_are_told_of_moving_and_of_fixed_bones(rig):
    for record in rig.table.bones:
        bone = rig.pose_bones[record.id]
        assert (bone[JOINT_KEY], bone[LINK_KEY]) == (record.joint, record.link)
    for fixed in rig.table.fixed_bones:
        bone = rig.pose_bones[fixed.id]
        assert bone[LINK_KEY] == fixed.link
        assert JOINT_KEY not in bone


def test_what_nobody_edited_is_the_description_itself(rig):
    assert rig.edited_robot is rig.robot


def test_edits_count_in_a_bake_and_the_text_stays(rig):
    text = rig.table.text
    turn = rig.pose_bone("turn")
    turn["urdf_effort"], turn["urdf_damping"] = 5, 2.5
    rig.pose_bone("roll")["urdf_effort"] = 1.5
    again = open_rig(rig.object)
    joint = again.edited_robot.joint("turn")
    assert (joint.limit.effort, joint.limit.velocity, joint.limit.lower) == (5.0, 3.3, -1.0)
    assert (joint.dynamics.damping, joint.dynamics.friction) == (2.5, 0.2)
    model, before = again.compile(np.zeros(3)), again.robot
    assert model.effort_limits()[model.v_index("turn")] == pytest.approx(5.0)
    assert model.effort_limits()[model.v_index("roll")] == pytest.approx(1.5)
    # an effort of 0 is none
    assert np.isinf(model.effort_limits()[model.v_index("slide")]).all()
    assert before.joint("turn").limit.effort == 12.1
    assert again.table.text == text


def test_damping_that_was_edited_slows_a_simulation(lab):
    falls = []
    for damping in (0.7, 50.0):
        body = BODY.replace('<mass value="1"/>', '<origin xyz="0 0.5 0"/><mass value="1"/>')
        body = body.replace('"prismatic"', '"fixed"').replace('"continuous"', '"fixed"')
        result = lab.load_text(body)
        open_rig(result.object).pose_bone("turn")["urdf_damping"] = damping
        told = bake_robot(bpy.context, result.object, BakeSettings(frame_end=13))
        model = told.trajectory.model
        falls.append(abs(float(told.trajectory.q[-1][model.q_index("turn")][0])))
    assert falls[1] < 0.2 * falls[0]
    assert falls[1] > 0.0


def test_what_was_removed_is_what_the_file_says(rig):
    del rig.pose_bone("turn")["urdf_effort"]
    again = open_rig(rig.object)
    assert again.edited_robot.joint("turn").limit.effort == 12.1


@pytest.mark.parametrize("value", ["much", -1.0, float("nan"), float("inf"), True, [1.0, 2.0]])
def test_what_is_no_amount_is_named_and_nothing_is_baked(rig, value):
    bone = rig.pose_bone("turn")
    del bone["urdf_effort"]
    bone["urdf_effort"] = value
    with pytest.raises(RigError, match=r"'urdf_effort' of bone 'arm' \(joint 'turn'\): wanted"):
        bake_robot(bpy.context, rig.object, BakeSettings(frame_end=3))
    assert rig.object.animation_data is None
    assert not bpy.data.actions


def test_a_repair_tells_names_again_and_leaves_numbers(rig):
    turn, glue = rig.pose_bone("turn"), rig.hanging("tip")[0]
    turn["urdf_effort"] = 5.0
    turn[JOINT_KEY] = "mine"
    del glue[LINK_KEY], turn[LINK_KEY]
    turn[LINK_KEY] = 3.5
    told = repair_rig(bpy.context, rig.object)
    assert set(told.names) == {"turn", "glue"}
    assert "name properties of turn, glue" in told.summary()
    assert (turn[JOINT_KEY], turn[LINK_KEY], glue[LINK_KEY]) == ("turn", "arm", "tip")
    assert turn["urdf_effort"] == 5.0
    assert repair_rig(bpy.context, rig.object).names == ()


def test_a_file_keeps_them(rig, tmp_path):
    rig.pose_bone("turn")["urdf_effort"] = 5.0
    blend, name = str(tmp_path / "robot.blend"), rig.object.name
    bpy.ops.wm.save_as_mainfile(filepath=blend)
    bpy.ops.wm.open_mainfile(filepath=blend)
    again = open_rig(bpy.data.objects[name])
    bone = again.pose_bone("turn")
    assert (bone["urdf_effort"], bone["urdf_velocity"], bone[LINK_KEY]) == (5.0, 3.3, "arm")
    assert ", N m;" in bone.id_properties_ui("urdf_effort").as_dict()["description"]
    assert again.edited_robot.joint("turn").limit.effort == 5.0


def test_they_can_be_edited_in_an_override_of_a_linked_robot(lab, rig, tmp_path):
    own = lab.linked(rig.object).override_create(remap_local_usages=True)
    open_rig(own).pose_bone("turn")["urdf_effort"] = 5.0
    kept, own_name = str(tmp_path / "scene.blend"), own.name
    bpy.ops.wm.save_as_mainfile(filepath=kept)
    bpy.ops.wm.open_mainfile(filepath=kept)
    again = open_rig(bpy.data.objects[own_name, None])
    assert again.edited_robot.joint("turn").limit.effort == 5.0
