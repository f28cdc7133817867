"""What is odd but can be read: one warning that names line and element, and a sensible value."""

import re

import pytest
from dynarig.core.urdf import Limit, Material, Mesh, Mimic, Sphere, parse_urdf

LINKS = '<link name="a"/><link name="b"/>'


def joint(text, kind="revolute"):
    """The joint, and the one warning of its file."""
    robot = parse_urdf(
        f'<robot name="r">{LINKS}<joint name="j" type="{kind}"><parent link="a"/>'
        f'<child link="b"/>\n{text}</joint></robot>'
    )
    (warning,) = robot.warnings
    return robot.joint("j"), warning


def link(text):
    """The link, and the one warning of its file."""
    robot = parse_urdf(f'<robot name="r"><link name="a">\n{text}</link></robot>')
    (warning,) = robot.warnings
    return robot.link("a"), warning


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_no_limit_means_unlimited(kind):
    read, warning = joint("", kind)
    assert read.limit is None
    assert warning.startswith('line 1: <joint name="j">: ')
    assert "unlimited" in warning


def test_a_limit_without_bounds_means_unlimited():
    read, warning = joint('<limit effort="1" velocity="2"/>')
    assert read.limit == Limit(None, None, 1.0, 2.0)
    assert warning.startswith('line 2: <limit> in <joint name="j">: ')


@pytest.mark.parametrize(
    ("text", "bounds"),
    [('<limit upper="2"/>', (0.0, 2.0)), ('<limit lower="-2"/>', (-2.0, 0.0))],
)
def test_one_bound_leaves_the_other_at_its_default(text, bounds):
    read, warning = joint(text)
    assert (read.limit.lower, read.limit.upper) == bounds
    assert "taken as 0" in warning


def test_limits_that_look_like_degrees_are_told():
    read, warning = joint('<limit lower="-143" upper="90"/>')
    assert (read.limit.lower, read.limit.upper) == (-143.0, 90.0)
    assert "143 rad is 22.8 turns; is it in degrees?" in warning
    # no limit at all, as exporters write it, is no mistake
    text = (
        f'<robot name="r">{LINKS}<joint name="j" type="revolute"><parent link="a"/>'
        '<child link="b"/><limit lower="-1e16" upper="1e16"/></joint></robot>'
    )
    assert parse_urdf(text).warnings == ()


def test_inertia_without_mass_is_told():
    read, warning = link(
        '<inertial><mass value="0"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    )
    assert read.inertial.mass == 0.0
    assert "value is 0 although the link has inertia" in warning


def test_swapped_limits_are_put_right():
    read, warning = joint('<limit lower="2" upper="-1"/>')
    assert (read.limit.lower, read.limit.upper) == (-1.0, 2.0)
    assert "swapped" in warning


def test_commas_are_read_as_blanks():
    read, warning = joint('<origin xyz="1,2, 3"/><limit lower="0" upper="1"/>')
    assert read.origin.xyz == (1.0, 2.0, 3.0)
    assert "commas" in warning
    assert "xyz" in warning


@pytest.mark.parametrize("attribute", ["damping", "friction"])
def test_negative_dissipation_is_none(attribute):
    read, warning = joint(f'<dynamics {attribute}="-0.1"/>', "continuous")
    assert (read.dynamics.damping, read.dynamics.friction) == (0.0, 0.0)
    assert attribute in warning
    assert "negative" in warning


def test_limits_that_are_equal_are_told():
    read, warning = joint('<limit lower="0.5" upper="0.5"/>')
    assert (read.limit.lower, read.limit.upper) == (0.5, 0.5)
    assert warning == (
        'line 2: <limit> in <joint name="j">: lower and upper are both 0.5: the joint cannot move'
    )


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ('<limit lower="nan" upper="2"/>', (-1e16, 2.0)),
        ('<limit lower="-1" upper="INF"/>', (-1.0, 1e16)),
        ('<limit lower="-inf" upper="1"/>', (-1e16, 1.0)),
    ],
)
def test_a_bound_that_is_not_finite_is_none(text, bounds):
    read, warning = joint(text)
    assert (read.limit.lower, read.limit.upper) == bounds
    assert "was read as no bound" in warning


def test_effort_and_velocity_that_are_not_finite_are_no_bounds():
    read, warning = joint('<limit lower="0" upper="1" effort="inf" velocity="3"/>')
    assert read.limit == Limit(0.0, 1.0, None, 3.0)
    assert "effort inf is not finite, or beyond 1e+16, and was read as no bound" in warning


@pytest.mark.parametrize("largest", ["1.79769e+308", "1e30", "1.1E16", "1e999"])
def test_what_no_motor_and_no_joint_reaches_is_no_bound(largest):
    robot = parse_urdf(
        f'<robot name="r">{LINKS}<joint name="j" type="revolute"><parent link="a"/>'
        f'<child link="b"/>\n<limit lower="-{largest}" upper="{largest}" effort="{largest}" '
        f'velocity="{largest}"/></joint></robot>'
    )
    assert robot.joint("j").limit == Limit(-1e16, 1e16, None, None)
    assert len(robot.warnings) == 4
    assert all(
        text.startswith('line 2: <limit> in <joint name="j">: ') and largest in text
        for text in robot.warnings
    )


def test_safety_limits_beyond_all_numbers_are_the_largest():
    read, warning = joint('<safety_controller k_velocity="-1e300"/>', "continuous")
    assert read.safety.k_velocity == -1e16
    assert "k_velocity -1e300 was read as -1e+16" in warning


def test_an_axis_without_direction_is_the_default():
    read, warning = joint('<axis xyz="0 0 0"/>', "continuous")
    assert read.axis == (1.0, 0.0, 0.0)
    assert warning == (
        "line 2: <axis> in <joint name=\"j\">: xyz='0 0 0' has no direction, taken as 1 0 0"
    )


@pytest.mark.parametrize("text", ["<mimic/>", '<mimic joint=""/>'])
def test_a_mimic_that_names_no_joint_moves_by_itself(text):
    read, warning = joint(text, "continuous")
    assert read.mimic is None
    assert warning.startswith('line 2: <mimic> in <joint name="j">: needs the attribute joint')


@pytest.mark.parametrize(
    "text",
    [
        "<inertial/>",
        "<inertial><mass/></inertial>",
        '<inertial><mass value="-1"/></inertial>',
        '<inertial><mass value=""/></inertial>',
        '<inertial><mass value="nan"/></inertial>',
        '<inertial><mass value="1e17"/></inertial>',
        '<inertial><origin xyz="0"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>',
        '<inertial><mass value="1"/><inertia ixx="nan" iyy="1" izz="1"/></inertial>',
    ],
)
def test_an_inertial_that_cannot_be_read_is_no_mass(text):
    read, warning = link(text)
    assert read.inertial is None
    assert re.match(r'line 2: <\w+> in <link name="a">: ', warning)
    assert warning.endswith("; the link was read as without mass")


def test_a_ball_is_a_spherical_joint():
    read, warning = joint("", "ball")
    assert read.type == "spherical"
    assert warning == "line 1: <joint name=\"j\">: type 'ball' was read as spherical"


def test_negative_effort_is_no_bound():
    read, warning = joint('<limit lower="0" upper="1" effort="-1"/>')
    assert read.limit.effort is None
    assert "effort" in warning


@pytest.mark.parametrize("kind", ["fixed", "floating", "planar", "spherical"])
def test_a_joint_without_one_coordinate_follows_nothing(kind):
    read, warning = joint('<mimic joint="j"/>', kind)
    assert read.mimic is None
    assert f"a {kind} joint cannot follow" in warning


@pytest.mark.parametrize("leader", ["fixed", "floating", "planar", "spherical", None])
def test_a_follower_without_a_leader_moves_by_itself(leader):
    weld = (
        f'<joint name="k" type="{leader}"><parent link="b"/><child link="c"/></joint>'
        if leader
        else '<joint name="other" type="fixed"><parent link="b"/><child link="c"/></joint>'
    )
    robot = parse_urdf(
        f'<robot name="r">{LINKS}<link name="c"/>{weld}\n'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/>'
        '<mimic joint="k" multiplier="2"/></joint></robot>'
    )
    (warning,) = robot.warnings
    assert warning.startswith("line 2: <mimic> in <joint name=\"j\">: joint 'k' ")
    assert (leader or "does not exist") in warning
    assert robot.joint("j").mimic is None


def test_the_rest_of_a_broken_chain_keeps_following():
    robot = parse_urdf(
        f'<robot name="r">{LINKS}<link name="c"/>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/>'
        '<mimic joint="gone"/></joint>'
        '<joint name="k" type="continuous"><parent link="b"/><child link="c"/>'
        '<mimic joint="j"/></joint></robot>'
    )
    assert robot.joint("j").mimic is None
    assert robot.joint("k").mimic == Mimic("j")


@pytest.mark.parametrize(
    "inertia",
    [
        '<inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/>',
        '<inertia ixx="-1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>',
        '<inertia ixx="1" iyy="1" izz="1" ixy="5" ixz="0" iyz="0"/>',
        '<inertia ixx="1e15" iyy="1" izz="1" ixy="0" ixz="0" iyz="1e15"/>',
    ],
)
def test_an_impossible_inertia_is_kept(inertia):
    read, warning = link(f'<inertial><mass value="1"/>{inertia}</inertial>')
    assert read.inertial is not None
    assert warning.startswith('line 2: <inertia> in <link name="a">: no real body')


def test_an_inertia_on_the_edge_is_no_warning():
    robot = parse_urdf(
        '<robot name="r"><link name="a"><inertial><mass value="1"/>'
        '<inertia ixx="0.5" iyy="0.5" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>'
    )
    assert robot.warnings == ()


def test_mass_without_inertia():
    read, warning = link('<inertial><mass value="1"/></inertial>')
    assert read.inertial.inertia == (0.0,) * 6
    assert "without <inertia>" in warning


@pytest.mark.parametrize(
    "text",
    [
        "<visual/>",
        "<collision/>",
        "<visual><geometry/></visual>",
        "<visual><geometry><torus radius='1'/></geometry></visual>",
        "<collision><geometry><mesh/></geometry></collision>",
        '<collision><geometry><box size="0 0 0"/></geometry></collision>',
        '<visual><geometry><box size="1 0 1"/></geometry></visual>',
        '<visual><geometry><sphere radius="-2"/></geometry></visual>',
        '<visual><geometry><cylinder radius="0" length="1"/></geometry></visual>',
        '<visual><geometry><capsule radius="1" length="-1"/></geometry></visual>',
        '<visual><geometry><mesh filename="x" scale="1 1 0"/></geometry></visual>',
        '<visual><geometry><mesh filename="x" scale="1 a 1"/></geometry></visual>',
        "<visual><geometry><box/></geometry></visual>",
        '<visual><geometry><box size="1 1 1e7"/></geometry></visual>',
        '<collision><geometry><sphere radius="1e7"/></geometry></collision>',
        '<collision><geometry><cylinder length="1"/></geometry></collision>',
        '<visual><origin xyz="0"/><geometry><sphere radius="1"/></geometry></visual>',
    ],
)
def test_a_shape_that_is_none_is_left_out(text):
    read, warning = link(text)
    assert (read.visuals, read.collisions) == ((), ())
    assert re.match(r'line 2: <\w+> in <link name="a">: ', warning)
    assert "left out" in warning


def test_a_capsule_without_length_is_a_sphere():
    read, warning = link(
        '<collision name="c"><geometry><capsule radius="2" length="0"/></geometry></collision>'
    )
    assert read.collisions[0].geometry == Sphere(2.0)
    assert warning.startswith('line 2: <capsule> in <collision name="c"> in <link name="a">: ')


def test_a_single_scale_holds_for_all_directions():
    read, warning = link(
        '<visual><geometry><mesh filename="x.stl" scale="0.001"/></geometry></visual>'
    )
    assert read.visuals[0].geometry == Mesh("x.stl", None, (0.001, 0.001, 0.001))
    assert "scale" in warning


@pytest.mark.parametrize(
    ("rgba", "read_as"),
    [("1 0 0", (1.0, 0.0, 0.0, 1.0)), ("255 -1 0 1", (1.0, 0.0, 0.0, 1.0))],
)
def test_colours_out_of_the_ordinary(rgba, read_as):
    read, warning = link(
        "<visual><geometry><sphere radius='1'/></geometry>"
        f'<material name="m"><color rgba="{rgba}"/></material></visual>'
    )
    assert read.visuals[0].material == Material("m", read_as)
    assert "rgba" in warning


@pytest.mark.parametrize("rgba", ["red", "", "1 1 1 1 1", "0 0 nan 1"])
def test_a_colour_that_cannot_be_read_is_none(rgba):
    read, warning = link(
        "<visual><geometry><sphere radius='1'/></geometry>"
        f'<material name="m"><color rgba="{rgba}"/><texture filename="t.png"/></material></visual>'
    )
    assert read.visuals[0].material == Material("m", None, "t.png")
    assert warning.startswith('line 2: <color> in <material name="m"> in <link name="a">: ')
    assert warning.endswith("; the colour was left out")


def test_a_second_element_where_one_is_allowed():
    read, warning = joint('<limit lower="0" upper="1"/><limit lower="3" upper="4"/>')
    assert read.limit == Limit(0.0, 1.0)
    assert "second <limit>" in warning


def test_two_materials_of_one_name():
    robot = parse_urdf(
        '<robot name="r"><material name="m"><color rgba="1 0 0 1"/></material>\n'
        '<material name="m"><color rgba="0 1 0 1"/></material>'
        '<material name="m"><color rgba="1 0 0 1"/></material><link name="a"/></robot>'
    )
    (warning,) = robot.warnings
    assert warning.startswith('line 2: <material name="m">: ')
    assert robot.materials["m"].rgba == (1.0, 0.0, 0.0, 1.0)


def test_a_robot_without_a_name():
    robot = parse_urdf('<robot><link name="a"/></robot>')
    assert robot.name == "robot"
    assert robot.warnings[0].startswith("line 1: <robot>: ")


@pytest.mark.parametrize("count", [3, 4, 40])
def test_more_than_a_few_that_say_the_same_are_one_line(count):
    inertia = '<inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/>'
    names = [f"l{index}" for index in range(count)]
    links = "\n".join(
        f'<link name="{name}"><inertial><mass value="1"/>{inertia}</inertial></link>'
        for name in names
    )
    joints = "".join(
        f'<joint name="j{name}" type="fixed"><parent link="l0"/><child link="{name}"/></joint>'
        for name in names[1:]
    )
    warnings = parse_urdf(f'<robot name="r">{links}{joints}</robot>').warnings
    if count == 3:
        assert len(warnings) == 3
    else:
        (line,) = warnings
        assert line.startswith('line 1: <inertia> in <link name="l0">: no real body')
        # each is still named, and only once
        assert all(line.count(f'<link name="{name}">') == 1 for name in names)


@pytest.mark.parametrize(
    ("part", "shown"),
    [
        ('<gazebo reference="a">\n<topic>$(arg ns)/x</topic></gazebo>', "$(arg ns)"),
        ('<transmission name="t">\n<actuator name="${p}_m"/></transmission>', "${p}_m"[:4]),
        ("<gazebo>\n<xacro:if value='1'/></gazebo>", "<xacro:if"),
        ("<gazebo>\n<x:arm/></gazebo>", "<x:arm"),
    ],
)
def test_left_over_xacro_in_what_is_not_read_is_told(part, shown):
    robot = parse_urdf(
        f'<robot name="r" xmlns:x="http://ros.org/xacro"><link name="a"/>\n{part}</robot>'
    )
    (warning,) = robot.warnings
    assert re.match(r"line 2: <(gazebo|transmission)", warning)
    assert f"left-over xacro ('{shown}', line 3)" in warning


@pytest.mark.parametrize("part", ["<!-- ${p} <xacro:a/> -->", "<gazebo>$(ls) $HOME $5</gazebo>"])
def test_what_is_no_xacro_is_not_told(part):
    robot = parse_urdf(f'<robot name="r"><link name="a"/>{part}</robot>')
    assert robot.warnings == ()


def test_one_element_that_is_there_many_times_is_named_once():
    again = '<mass value="1"/>' * 500
    inertia = '<inertia ixx="1" iyy="1" izz="1"/>'
    _, warning = link(f"<inertial>{again}{inertia}</inertial>")
    assert warning == (
        'line 2: <mass> in <link name="a">: a second <mass> where one is allowed was left out'
    )


def test_what_stands_between_warnings_alike_is_told_too():
    fixed = (
        '<joint name="{0}" type="fixed"><parent link="a"/><child link="{0}"/>'
        '<mimic joint="none"/></joint>'
    )
    slack = (
        '<joint name="e" type="revolute"><parent link="a"/><child link="e"/>'
        '<limit effort="1" velocity="1" lower="2" upper="1"/></joint>'
    )
    links = "".join(f'<link name="{name}"/>' for name in "abcdef")
    joints = [*(fixed.format(name) for name in "bcd"), slack, fixed.format("f")]
    warnings = parse_urdf("\n".join(['<robot name="r">', links, *joints, "</robot>"])).warnings
    assert [text.split(":")[0] for text in warnings] == ["line 3", "line 6"]
    assert all(f'<joint name="{name}">' in warnings[0] for name in "bcdf")
    assert "swap" in warnings[1]


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ('<link name="a"><visual><geometry><sphere radius="1"/></geometry></visual></link>', 0),
        ('<link name="a"><inertial><mass value="0"/></inertial></link>', 0),
        ('<link name="a"><inertial><mass value="-1"/></inertial></link>', 1),
        ('<link name="a"><visual><origin xyz="0 x 0"/>%s</visual></link>', 1),
        ('<link name="a"><collision><origin xyz="0 0"/>%s</collision><visual/></link>', 2),
        ('<link name="a"><visual>%s<material name="m"><color rgba="x"/></material></visual>', 1),
    ],
)
def test_parts_that_a_robot_is_read_without_are_counted(body, count):
    body = body.replace("%s", '<geometry><sphere radius="1"/></geometry>')
    body += "" if body.endswith("</link>") else "</link>"
    robot = parse_urdf(f'<robot name="r">{body}</robot>')
    assert robot.left_out == count <= len(robot.warnings)
