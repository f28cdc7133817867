"""Joints that follow others, in Blender's own evaluation."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.pose import set_joint_values
from dynarig.addon.blender.rig_access import open_rig

RELATION = '<mimic joint="{}" multiplier="{}" offset="{}"/>'
LIMIT = '<limit lower="-9" upper="9" effort="1" velocity="1"/>'


def chain(length, random):
    """Links one after the other; each joint follows the one before, turns and slides mixed."""
    body = '<link name="l0"/>'
    for number in range(1, length + 1):
        kind = ("revolute", "prismatic", "continuous")[number % 3]
        # many along -Y, where bones point the other way
        axis = ("0 -1 0", "1 0.2 0", "0 1 0")[number % 2 + (number % 5 == 0)]
        multiplier, offset = random.uniform(0.9, 1.1) * random.choice((-1, 1)), 0.01 * number
        mimic = RELATION.format(f"j{number - 1}", multiplier, offset) if number > 1 else ""
        body += (
            f'<link name="l{number}"/><joint name="j{number}" type="{kind}">'
            f'<parent link="l{number - 1}"/><child link="l{number}"/>'
            f'<origin xyz="0.01 0.02 0"/><axis xyz="{axis}"/>{LIMIT}{mimic}</joint>'
        )
    return body


@pytest.mark.parametrize("options", [{}, {"fixed_links": "KEEP"}])
def test_followers_of_followers_of_followers(lab, options):
    result = lab.load_text(chain(50, lab.random), **options)
    rig, model = lab.open(result)
    assert model.joint_names == ("j1",)
    assert len(model.followers) == 49
    assert len({record.sign for record in rig.table.bones}) == 2
    for value in (0.0, 0.3, -1.1):
        set_joint_values(rig, {"j1": value})
        assert lab.error(result.object, model, np.array([value])) < 2e-5


def test_they_are_in_the_order_of_the_file_or_not(lab):
    """A follower may stand before its leader, and hang above it."""
    body = "".join(f'<link name="{name}"/>' for name in "abcd")
    body += joint("last", "a", "b", RELATION.format("middle", 2.0, 0.1))
    body += joint("middle", "b", "c", RELATION.format("first", -0.5, 0.2))
    body += joint("first", "c", "d", "")
    result = lab.load_text(body)
    rig, model = lab.open(result)
    for value in (-0.4, 0.9):
        set_joint_values(rig, {"first": value})
        assert lab.error(result.object, model, np.array([value])) < 1e-6


def joint(name, parent, child, mimic, axis="0 0 1"):
    return (
        f'<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="0 0 1"/><axis xyz="{axis}"/>{LIMIT}{mimic}</joint>'
    )


def test_they_are_right_at_the_first_frame_and_after_scrubbing(lab, tmp_path):
    result = lab.load("case06")
    name = result.object.name
    rig, model = lab.open(result)
    bone = rig.pose_bone("knob")
    ((path, index),) = rig.channels["knob"].paths
    scene = bpy.context.scene
    values = {1: 0.5, 2: -0.7, 30: 1.2}
    for frame, value in values.items():
        set_joint_values(rig, {"knob": value})
        bone.keyframe_insert(path, index=index, frame=frame)
    for frame in (1, 30, 2, 30, 1):
        scene.frame_set(frame)
        assert lab.error(result.object, model, np.array([values[frame]])) < 1e-6
    blend = str(tmp_path / "robot.blend")
    scene.frame_set(30)
    bpy.ops.wm.save_as_mainfile(filepath=blend)
    # scripts stay off: the expressions are simple ones
    bpy.ops.wm.open_mainfile(filepath=blend, use_scripts=False)
    obj = bpy.data.objects[name]
    assert lab.error(obj, model, np.array([values[30]])) < 1e-6
    bpy.context.scene.frame_set(1)
    assert lab.error(obj, model, np.array([values[1]])) < 1e-6
    drivers = [curve.driver for curve in obj.animation_data.drivers]
    assert len(drivers) == 4
    assert all(driver.is_simple_expression and driver.is_valid for driver in drivers)


def test_a_multiplier_of_nothing_and_large_numbers(lab):
    body = "".join(f'<link name="{name}"/>' for name in "abcde")
    body += joint("lead", "a", "b", "")
    body += joint("still", "b", "c", RELATION.format("lead", 0.0, 0.25))
    body += joint("fast", "c", "d", RELATION.format("lead", 1234.5678, -1e-3))
    body += joint("fine", "d", "e", RELATION.format("lead", 1e-7, 1.0000001))
    result = lab.load_text(body.replace('"revolute"', '"continuous"'))
    rig, model = lab.open(result)
    set_joint_values(rig, {"lead": 0.01})
    assert lab.error(result.object, model, np.array([np.float32(0.01)], dtype=float)) < 1e-5
    assert all(curve.driver.is_simple_expression for curve in rig.object.animation_data.drivers)
    assert open_rig(rig.object).edited_robot is rig.robot
