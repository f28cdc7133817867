"""Every element of the specification arrives in the document, with its defaults."""

import math

import pytest
from dynarig.core.urdf import (
    Box,
    Calibration,
    Capsule,
    Collision,
    Cylinder,
    Inertial,
    JointDynamics,
    Limit,
    Link,
    Material,
    Mesh,
    Mimic,
    Origin,
    Safety,
    Sphere,
    Visual,
    parse_urdf,
)

FULL = """<?xml version="1.0"?>
<robot name="full" version="1.0">
  <material name="steel"><color rgba="0.5 0.6 0.7 1"/><texture filename="steel.png"/></material>
  <link name="base">
    <inertial>
      <origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>
      <mass value="4.5"/>
      <inertia ixx="0.3" ixy="0.01" ixz="0.02" iyy="0.4" iyz="0.03" izz="0.5"/>
    </inertial>
    <visual name="body">
      <origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry><material name="steel"/>
    </visual>
    <visual><geometry><cylinder radius="0.1" length="0.5"/></geometry>
      <material name=""><color rgba="1 0 0 0.5"/></material></visual>
    <visual><geometry><mesh filename="a.stl" scale="1 -2 0.001"/></geometry></visual>
    <collision name="hit"><origin rpy="0 0 1"/>
      <geometry><sphere radius="0.7"/></geometry></collision>
    <collision><geometry><capsule radius="0.2" length="0.6"/></geometry></collision>
  </link>
  <link name="arm"/>
  <joint name="elbow" type="revolute">
    <origin xyz="0.1 0.2 0.3" rpy="-1 0.5 2"/>
    <parent link="base"/><child link="arm"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1" upper="2" effort="30" velocity="4"/>
    <dynamics damping="0.7" friction="0.2"/>
    <calibration rising="0.5" falling="-0.5"/>
    <safety_controller soft_lower_limit="-0.9" soft_upper_limit="1.9"
      k_position="15" k_velocity="3"/>
  </joint>
</robot>
"""


def test_all_elements_of_a_link():
    base = parse_urdf(FULL).link("base")
    steel = Material("steel", (0.5, 0.6, 0.7, 1.0), "steel.png")
    assert base == Link(
        name="base",
        inertial=Inertial(
            4.5, (0.3, 0.01, 0.02, 0.4, 0.03, 0.5), Origin((1.0, 2.0, 3.0), (0.1, 0.2, 0.3))
        ),
        visuals=(
            Visual(Box((1.0, 2.0, 3.0)), Origin((0.0, 0.0, 1.0)), "body", steel),
            Visual(Cylinder(0.1, 0.5), material=Material("", (1.0, 0.0, 0.0, 0.5))),
            Visual(Mesh("a.stl", None, (1.0, -2.0, 0.001))),
        ),
        collisions=(
            Collision(Sphere(0.7), Origin(rpy=(0.0, 0.0, 1.0)), "hit"),
            Collision(Capsule(0.2, 0.6)),
        ),
    )


def test_all_elements_of_a_joint():
    elbow = parse_urdf(FULL).joint("elbow")
    assert (elbow.type, elbow.parent, elbow.child) == ("revolute", "base", "arm")
    assert elbow.origin == Origin((0.1, 0.2, 0.3), (-1.0, 0.5, 2.0))
    assert elbow.axis == (0.0, 0.0, 1.0)
    assert elbow.limit == Limit(-1.0, 2.0, 30.0, 4.0)
    assert elbow.dynamics == JointDynamics(0.7, 0.2)
    assert elbow.calibration == Calibration(0.5, -0.5)
    assert elbow.safety == Safety(-0.9, 1.9, 15.0, 3.0)
    assert elbow.mimic is None


def test_the_robot_itself():
    robot = parse_urdf(FULL)
    assert (robot.name, robot.root, robot.warnings) == ("full", "base", ())
    assert [link.name for link in robot.links] == ["base", "arm"]
    assert list(robot.materials) == ["steel"]
    assert robot.source is None


def one_joint(kind, inside="", links='<link name="a"/><link name="b"/>'):
    return parse_urdf(
        f'<robot name="r">{links}<joint name="j" type="{kind}">'
        f'<parent link="a"/><child link="b"/>{inside}</joint></robot>'
    )


@pytest.mark.parametrize(
    "kind", ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"]
)
def test_seven_joint_types_and_their_defaults(kind):
    joint = one_joint(kind).joint("j")
    assert joint.type == kind
    assert joint.axis == (1.0, 0.0, 0.0)
    assert joint.origin == Origin()
    assert joint.dynamics == JointDynamics()
    assert (joint.limit, joint.mimic, joint.calibration, joint.safety) == (None,) * 4


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic", "planar"])
def test_axes_are_unit_vectors(kind):
    robot = one_joint(kind, '<axis xyz="1 -2 3"/>')
    axis = robot.joint("j").axis
    assert math.hypot(*axis) == pytest.approx(1.0, abs=1e-15)
    assert axis == pytest.approx([value / math.sqrt(14) for value in (1, -2, 3)])
    assert any("<axis>" in text and "unit" in text for text in robot.warnings)


def test_huge_and_tiny_axes_keep_their_direction():
    assert one_joint("continuous", '<axis xyz="1e300 0 1e300"/>').joint("j").axis == pytest.approx(
        (math.sqrt(0.5), 0.0, math.sqrt(0.5))
    )
    assert one_joint("continuous", '<axis xyz="0 1e-6 0"/>').joint("j").axis == (0.0, 1.0, 0.0)


@pytest.mark.parametrize("kind", ["fixed", "floating", "spherical"])
def test_an_axis_without_meaning_is_ignored(kind):
    robot = one_joint(kind, '<axis xyz="0 0 0"/>')
    assert robot.joint("j").axis == (1.0, 0.0, 0.0)
    assert robot.warnings == ()


def test_an_axis_with_six_digits_is_no_warning():
    robot = one_joint("continuous", '<axis xyz="0.7071068 0.7071068 0"/>')
    assert robot.warnings == ()


@pytest.mark.parametrize("kind", ["continuous", "planar", "floating", "fixed", "spherical"])
def test_only_revolute_and_prismatic_joints_have_bounds(kind):
    joint = one_joint(kind, '<limit lower="0" upper="0" effort="3" velocity="2"/>').joint("j")
    assert joint.limit == Limit(None, None, 3.0, 2.0)


def test_mimic_with_and_without_numbers():
    text = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
    <joint name="x" type="continuous"><parent link="a"/><child link="b"/><mimic joint="z"/></joint>
    <joint name="y" type="prismatic"><parent link="b"/><child link="c"/>
      <limit lower="0" upper="1"/><mimic joint="x" multiplier="0" offset="-0.5"/></joint>
    <joint name="z" type="continuous"><parent link="c"/><child link="d"/></joint></robot>"""
    robot = parse_urdf(text)
    assert robot.joint("x").mimic == Mimic("z", 1.0, 0.0)
    assert robot.joint("y").mimic == Mimic("x", 0.0, -0.5)
    assert robot.warnings == ()


MATERIALS = """<robot name="r">
  <link name="l">
    <visual><geometry><sphere radius="1"/></geometry><material name="late"/></visual>
    <visual><geometry><sphere radius="1"/></geometry><material name="in link"/></visual>
    <visual><geometry><sphere radius="1"/></geometry>
      <material name="in link"><color rgba="0 1 0 1"/></material></visual>
    <visual><geometry><sphere radius="1"/></geometry><material name="gazebo/unknown"/></visual>
    <visual><geometry><sphere radius="1"/></geometry>
      <material name="late"><color rgba="0 0 0 1"/></material></visual>
    <visual><geometry><sphere radius="1"/></geometry>
      <material><texture filename="t.png"/></material></visual>
    <visual><geometry><sphere radius="1"/></geometry></visual>
  </link>
  <material name="late"><color rgba="0 0 1 1"/></material>
</robot>"""


def test_materials_before_and_after_use_inside_links_and_inline():
    robot = parse_urdf(MATERIALS)
    green, blue = (0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)
    assert [visual.material for visual in robot.link("l").visuals] == [
        Material("late", blue),
        Material("in link", green),
        Material("in link", green),
        Material("gazebo/unknown"),
        Material("late", (0.0, 0.0, 0.0, 1.0)),
        Material("", None, "t.png"),
        None,
    ]
    assert dict(robot.materials) == {"late": Material("late", blue)}
    unknown, different = robot.warnings
    assert unknown.startswith('line 7: <material name="gazebo/unknown"> in <link name="l">: ')
    assert different.startswith('line 9: <material name="late"> in <link name="l">: ')


def test_names_are_looked_up_with_a_helpful_error():
    robot = parse_urdf(FULL)
    with pytest.raises(KeyError, match="no link 'leg'; there are: base, arm"):
        robot.link("leg")
    with pytest.raises(KeyError, match="no joint 'knee'; there are: elbow"):
        robot.joint("knee")
