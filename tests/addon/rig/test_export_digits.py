"""What was not edited goes out to its last digit, also beside what was."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.export import export_robot
from dynarig.addon.blender.parts import parts_of
from dynarig.core.urdf import load_urdf

# numbers that float32 does not hold
BODY = """
<link name="base"><visual><origin xyz="0.123456789012 0.2345678901 -0.3456789012"
 rpy="0.1234567891 -0.2345678912 0.3456789123"/><geometry><box size="0.1234567890123
 0.2345678901234 0.3456789012345"/></geometry><material name="paint">
<color rgba="0.123456789 0.234567891 0.345678912 0.987654321"/></material></visual></link>
<link name="arm"/><link name="slide"/>
<joint name="turn" type="revolute"><origin xyz="0.1111111111 0.2222222222 0.3333333333"
 rpy="0.1111111111 0.2222222222 0.3333333333"/><parent link="base"/><child link="arm"/>
<axis xyz="0 {sign} 0"/><limit lower="-1.57079632679" upper="1.47079632679" effort="1"
 velocity="1"/></joint>
<joint name="push" type="prismatic"><parent link="arm"/><child link="slide"/>
<axis xyz="0 0 1"/><limit lower="-0.1234567890123" upper="0.2345678901234" effort="1"
 velocity="1"/></joint>"""


@pytest.fixture(params=[1, -1], ids=["along", "against"])
def robot(lab, request):
    return lab.load_text(BODY.format(sign=request.param))


def exported(result, tmp_path):
    export_robot(bpy.context, result.object, tmp_path / "out.urdf")
    return load_urdf(tmp_path / "out.urdf")


def visual_of(result):
    return next(obj for obj, tag in parts_of(result.object) if tag.link == "base")


def test_one_end_of_a_limit_leaves_the_other(lab, robot, tmp_path):
    rig, _ = lab.open(robot)
    source = rig.robot
    for joint in ("turn", "push"):
        (constraint,) = rig.pose_bone(joint).constraints
        end = "max_y" if rig.bone_of_joint[joint].sign > 0 else "min_y"
        setattr(constraint, end, rig.bone_of_joint[joint].sign * 0.125)
    after = exported(robot, tmp_path)
    for joint in ("turn", "push"):
        assert after.joint(joint).limit.lower == source.joint(joint).limit.lower
        assert after.joint(joint).limit.upper == 0.125


def test_one_channel_of_a_colour_leaves_the_others(robot, tmp_path):
    material = visual_of(robot).material_slots[0].material
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    red, _, blue, alpha = shader.inputs["Base Color"].default_value
    shader.inputs["Base Color"].default_value = (red, 1.0, blue, alpha)
    (visual,) = exported(robot, tmp_path).link("base").visuals
    assert visual.material.rgba == (0.123456789, 1.0, 0.345678912, 0.987654321)


@pytest.mark.parametrize("axis", range(3))
def test_a_shape_that_was_moved_along_one_axis(robot, tmp_path, axis):
    visual_of(robot).location[axis] = 0.75
    (visual,) = exported(robot, tmp_path).link("base").visuals
    wanted = [0.123456789012, 0.2345678901, -0.3456789012]
    wanted[axis] = 0.75
    assert visual.origin.xyz == tuple(wanted)
    assert visual.origin.rpy == (0.1234567891, -0.2345678912, 0.3456789123)
    assert visual.geometry.size == (0.1234567890123, 0.2345678901234, 0.3456789012345)


def test_a_shape_that_was_stretched_along_one_axis(robot, tmp_path):
    visual_of(robot).scale.y = 2.0
    (visual,) = exported(robot, tmp_path).link("base").visuals
    x, y, z = visual.geometry.size
    assert (x, z) == (0.1234567890123, 0.3456789012345)
    assert y == pytest.approx(2.0 * 0.2345678901234, rel=1e-6)
    assert visual.origin.xyz == (0.123456789012, 0.2345678901, -0.3456789012)
    assert visual.origin.rpy == (0.1234567891, -0.2345678912, 0.3456789123)


def test_a_turned_shape_stays_in_its_place(robot, tmp_path):
    obj = visual_of(robot)
    obj.rotation_euler.z += np.float32(0.5)
    (visual,) = exported(robot, tmp_path).link("base").visuals
    assert visual.origin.xyz == (0.123456789012, 0.2345678901, -0.3456789012)
    assert visual.origin.rpy[:2] == (0.1234567891, -0.2345678912)
    assert visual.origin.rpy[2] == pytest.approx(0.8456789123, abs=1e-6)


def test_a_driver_that_was_changed_is_told(lab, tmp_path):
    result = lab.load("case06")
    curve = result.object.animation_data.drivers[0]
    before = export_robot(bpy.context, result.object, tmp_path / "a.urdf")
    assert before.notes == ()
    curve.driver.expression = "2.0 * leader"
    after = export_robot(bpy.context, result.object, tmp_path / "b.urdf")
    assert "drivers of mimic joints were changed" in after.summary()
    assert (tmp_path / "a.urdf").read_text() == (tmp_path / "b.urdf").read_text()


@pytest.mark.parametrize("size", [1e-5, 1e-3, 1.0])
@pytest.mark.parametrize("factor", [1.001, 2.0])
def test_small_shapes_are_resized_too(lab, tmp_path, size, factor):
    body = f'<link name="base"><visual><geometry><box size="{size} {size} {size}"/></geometry>'
    result = lab.load_text(body + "</visual></link>")
    visual_of(result).scale = (factor, 1.0, 1.0)
    (visual,) = exported(result, tmp_path).link("base").visuals
    assert visual.geometry.size[0] == pytest.approx(size * factor, rel=1e-6)
    assert visual.geometry.size[1:] == (size, size)


@pytest.mark.parametrize("name", ["effort", "velocity"])
def test_a_bound_of_zero_that_was_added_goes_out(lab, tmp_path, name):
    body = BODY.format(sign=1).replace(f'{name}="1"', "")
    result = lab.load_text(body)
    rig, _ = lab.open(result)
    rig.pose_bone("turn")[f"urdf_{name}"] = 0.0
    after = exported(result, tmp_path)
    assert getattr(after.joint("turn").limit, name) == 0.0
    assert getattr(after.joint("push").limit, name) is None
