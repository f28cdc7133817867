"""xacro files: what they expand to, where their files are found, and what becomes of them."""

import os
import sys

import pytest
from dynarig.core.errors import UrdfError
from dynarig.core.urdf import load_urdf, parse_urdf, resolve_meshes

from .xacro_case import DATA, error_of, names, write

HERON = DATA / "16_xacro_arm" / "urdf" / "heron.urdf.xacro"
LINK = '<link name="a"/>'


pytestmark = pytest.mark.usefixtures("bare_environment")


def expanded(folder, body, **arguments):
    """The names of the links that a body expands to."""
    return names(load_urdf(write(folder / "r.xacro", body), (), arguments))


def test_an_arm_of_macros_includes_yaml_and_conditions():
    robot = load_urdf(HERON)
    assert robot.source == HERON
    assert robot.warnings == ()
    assert names(robot) == ["base", "upper", "lower", "left_finger", "right_finger"]
    upper = robot.joint("upper_joint")
    # !degrees of the YAML file, a block with the origin, a default parameter, pi
    assert (upper.limit.lower, upper.limit.upper) == pytest.approx((-1.5707963, 1.5707963))
    assert upper.limit.velocity == pytest.approx(3.14159265)
    assert upper.axis == (0.0, 1.0, 0.0)
    lower = robot.joint("lower_joint").origin
    assert lower.xyz == (0.0, 0.0, 0.4)
    assert lower.rpy == pytest.approx((0.0, 0.0, 1.5707963))
    assert robot.link("upper").inertial.mass == 2.5
    assert robot.link("upper").inertial.inertia[5] == pytest.approx(2.5 * 0.03**2 / 2)
    # a macro that calls itself, and a condition in it
    assert robot.joint("left_finger_joint").mimic is None
    assert robot.joint("right_finger_joint").mimic.joint == "left_finger_joint"
    # $(find) and package:// lead to one file
    base = robot.link("base")
    mesh = HERON.parents[1] / "meshes" / "base.stl"
    assert base.visuals[0].geometry.path == base.collisions[0].geometry.path == mesh


def test_arguments():
    robot = load_urdf(HERON, (), {"prefix": "l_", "gripper": False})
    assert names(robot) == ["l_base", "l_upper", "l_lower"]
    assert load_urdf(HERON, xacro_args={"gripper": "0"}) == load_urdf(
        HERON, (), {"gripper": "false"}
    )


def test_the_text_is_the_expanded_robot():
    robot = load_urdf(HERON)
    assert "<xacro:" not in robot.text and "${" not in robot.text
    assert resolve_meshes(parse_urdf(robot.text, HERON)) == robot


def test_arguments_that_no_one_asks_for_are_told(tmp_path):
    file = write(tmp_path / "r.xacro", f'<xacro:arg name="side" default="left"/>{LINK}')
    robot = load_urdf(file, (), {"sied": "right", "side": "right"})
    assert robot.warnings == ("xacro arguments not used: 'sied'; the file has 'side'",)
    plain = tmp_path / "r.urdf"
    plain.write_text('<robot name="r"><link name="a"/></robot>')
    (warning,) = load_urdf(plain, (), {"side": "left"}).warnings
    assert "'side'" in warning and "no .xacro" in warning


@pytest.mark.parametrize("wrong", [{"": "x"}, {"a": None}, {1: "x"}, {"a": ["x"]}])
def test_arguments_that_are_none(tmp_path, wrong):
    message = error_of(write(tmp_path / "r.xacro", LINK), (), wrong)
    assert message.startswith("xacro_args: ")


@pytest.mark.parametrize(
    ("body", "links"),
    [
        ('<xacro:arg name="x" default="3"/><link name="a$(arg x)"/>', ["a3"]),
        ('<xacro:arg name="x" default="3"/><link name="a$(eval x * 2)"/>', ["a6"]),
        ("<xacro:arg name='x' default='b'/><link name=\"${xacro.arg('x')}\"/>", ["b"]),
        ('<link name="$(optenv DYNARIG_NONE left)"/>', ["left"]),
        ('<link name="$(env DYNARIG_SIDE)"/>', ["right"]),
        ("<link name=\"${'b'.upper()}_${','.join(['c', 'd']).replace(',', '_')}\"/>", ["B_c_d"]),
        ('<link name="${[i**2 for i in [1, 2, 3] if i % 2]}"/>', ["[1, 9]"]),
        ('<link name="${list(map(lambda x: 2 * x, python.range(3)))}"/>', ["[0, 2, 4]"]),
        ('<link name="${python.sum([1, 2])}${max(1, 2)}${round(pi, 2)}"/>', ["323.14"]),
        ('<xacro:property name="n" value="5"/><link name="${n // 2}${n &gt; 2}"/>', ["2True"]),
        ('<xacro:macro name="m" params=" "><link name="b"/></xacro:macro><xacro:m/>', ["b"]),
        (
            '<xacro:macro name="m" params="n"><link name="${n}"/></xacro:macro>'
            '<xacro:call macro="m" n="b"/>',
            ["b"],
        ),
        # `xacro:name` and `name` of one element, in a body that is copied
        (
            '<xacro:macro name="m" params=""><xacro:element xacro:name="link" name="b"/>'
            "</xacro:macro><xacro:m/>",
            ["b"],
        ),
        ('<link name="a"/><gazebo>$${x} &lt; 1</gazebo>', ["a"]),
        ('<link name="a"/><!-- ${nothing} --><gazebo><x:y z:w="1"/></gazebo>', ["a"]),
    ],
)
def test_the_language(tmp_path, monkeypatch, body, links):
    monkeypatch.setenv("DYNARIG_SIDE", "right")
    robot = load_urdf(write(tmp_path / "r.xacro", body))
    assert names(robot) == links
    assert robot.warnings == ()


def test_text_and_special_characters_survive(tmp_path):
    body = '<link name="ä&lt;&quot;&amp;&#10;"/><gazebo kind="a"><b>1 &lt; 2 &amp; ü</b></gazebo>'
    robot = load_urdf(write(tmp_path / "r.xacro", body))
    assert names(robot) == ['ä<"&\n']
    assert "1 &lt; 2 &amp; ü" in robot.text


def test_messages_of_the_file_are_warnings_with_their_line(tmp_path, capsys):
    write(tmp_path / "b.xacro", '\n<xacro:property name="q" value="${xacro.warning(\'two\')}"/>')
    body = '<xacro:include filename="b.xacro"/>\n<link name="a${q}${xacro.message(\'one\')}"/>'
    robot = load_urdf(write(tmp_path / "r.xacro", body))
    assert any("line 3: <link" in text and "two" in text for text in robot.warnings)
    assert any("line 3: <link" in text and "one" in text for text in robot.warnings)
    assert capsys.readouterr() == ("", "")


def test_warnings_of_the_reader_name_the_file_that_the_element_is_from(tmp_path):
    write(
        tmp_path / "b.xacro",
        '\n\n<link name="a"><visual><origin xyz="1,2,3"/>'
        '<geometry><sphere radius="1"/></geometry></visual></link>',
    )
    robot = load_urdf(write(tmp_path / "r.xacro", '<xacro:include filename="b.xacro"/>'))
    assert robot.warnings
    assert all(text.startswith(f"line 4 of {tmp_path / 'b.xacro'}: ") for text in robot.warnings)


# where files are found


def test_includes_are_relative_to_the_file_that_names_them(tmp_path):
    write(tmp_path / "parts" / "b.xacro", '<xacro:include filename="deep/c.xacro"/>')
    write(tmp_path / "parts" / "deep" / "c.xacro", '<link name="c"/>')
    assert expanded(tmp_path, '<xacro:include filename="parts/b.xacro"/>') == ["c"]


@pytest.mark.parametrize(
    "name",
    [
        "my parts/ä.xacro",
        r"my parts\ä.xacro",
        "my%20parts/%C3%A4.xacro",
        "./my parts/../my parts/ä.xacro",
        "file://{}/my parts/ä.xacro",
        "{}/my parts/ä.xacro",
        "package://arm_desc/my parts/ä.xacro",
        "$(find arm_desc)/my parts/ä.xacro",
        "$(dirname)/my parts/ä.xacro",
        "$(cwd)/my parts/ä.xacro",
        "my parts/*.xacro",
    ],
)
def test_ways_to_name_an_include(tmp_path, name):
    folder = tmp_path / "arm_desc"
    write(folder / "my parts" / "ä.xacro", '<link name="c"/>')
    assert expanded(folder, f'<xacro:include filename="{name.format(folder.as_posix())}"/>') == [
        "c"
    ]


def test_brackets_in_a_folder_are_no_wildcards(tmp_path):
    folder = tmp_path / "robots [old] *"
    write(folder / "b.xacro", '<link name="b"/>')
    assert expanded(folder, '<xacro:include filename="b.xacro"/>') == ["b"]
    assert expanded(folder, '<xacro:include filename="[a-c].xacro"/>') == ["b"]


def test_an_optional_include_may_be_missing(tmp_path):
    body = '<xacro:include filename="none.xacro" optional="true"/>'
    assert expanded(tmp_path, body + LINK) == ["a"]


def test_an_include_under_a_name_of_its_own(tmp_path):
    body = '<xacro:property name="q" value="3"/><xacro:macro name="m" params="n">'
    write(tmp_path / "b.xacro", body + '<link name="${n}"/></xacro:macro>')
    body = '<xacro:include filename="b.xacro" ns="other"/><xacro:other.m n="${other.q}"/>'
    assert expanded(tmp_path, body) == ["3"]


def test_find_follows_the_rules_for_meshes(tmp_path, monkeypatch):
    body = '<xacro:include filename="$(find arm_desc)/b.xacro"/>'
    file = write(tmp_path / "robots" / "deep" / "r.xacro", body)
    assert "no package 'arm_desc'" in error_of(file)

    def package(folder):
        write(folder / "b.xacro", f'<link name="{folder.parent.name}"/>')

    package(tmp_path / "prefix" / "share" / "arm_desc")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "prefix"))
    assert names(load_urdf(file)) == ["share"]
    package(tmp_path / "ws" / "arm_desc")
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path / "ws"))
    assert names(load_urdf(file)) == ["ws"]
    package(tmp_path / "given" / "arm_desc")
    assert names(load_urdf(file, tmp_path / "given")) == ["given"]
    # a folder of that name that has not the file is passed over
    (tmp_path / "robots" / "arm_desc").mkdir()
    assert names(load_urdf(file, tmp_path / "given")) == ["given"]


def test_a_package_by_the_name_in_its_package_xml(tmp_path):
    (tmp_path / "arm-main").mkdir()
    (tmp_path / "arm-main" / "package.xml").write_text("<package><name>arm_desc</name></package>")
    write(tmp_path / "arm-main" / "parts" / "b.xacro", '<link name="b"/>')
    body = '<xacro:include filename="$(find arm_desc)/parts/b.xacro"/>'
    assert expanded(tmp_path / "arm-main" / "urdf", body) == ["b"]


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need rights on Windows")
def test_symbolic_links(tmp_path):
    write(tmp_path / "real" / "b.xacro", '<link name="b"/>')
    write(tmp_path / "real" / "r.xacro", '<xacro:include filename="b.xacro"/>')
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "r.xacro").symlink_to(tmp_path / "real" / "r.xacro")
    (tmp_path / "folder").symlink_to(tmp_path / "real", target_is_directory=True)
    for file in (tmp_path / "links" / "r.xacro", tmp_path / "folder" / "r.xacro"):
        robot = load_urdf(file)
        assert names(robot) == ["b"]
        assert robot.source == file


def test_nothing_is_written_beside_the_robot(tmp_path):
    write(tmp_path / "b.xacro", '<link name="b"/>')
    write(tmp_path / "r.xacro", '<xacro:include filename="b.xacro"/>')
    before = sorted(os.walk(tmp_path))
    tmp_path.chmod(0o555)
    try:
        assert names(load_urdf(tmp_path / "r.xacro")) == ["b"]
    finally:
        tmp_path.chmod(0o755)
    assert sorted(os.walk(tmp_path)) == before


def test_the_name_decides_what_is_expanded(tmp_path):
    for name in ("r.xacro", "R.URDF.XACRO"):
        assert names(load_urdf(write(tmp_path / name, '<link name="${1 + 1}"/>'))) == ["2"]
    message = error_of(write(tmp_path / "r.urdf", '<link name="${1 + 1}"/>'))
    assert "r.urdf:2: <link" in message
    assert "left-over xacro" in message and "ends in .xacro" in message


def test_meshes_meant_for_a_folder_above(tmp_path):
    mesh = tmp_path / "meshes" / "a.stl"
    mesh.parent.mkdir()
    mesh.touch()
    body = '<link name="a"><visual><geometry><mesh filename="./meshes/a.stl"/></geometry></visual>'
    robot = load_urdf(write(tmp_path / "xacro" / "r.xacro", f"{body}</link>"))
    assert robot.links[0].visuals[0].geometry.path == mesh
    (warning,) = robot.warnings
    assert "folder above the xacro file" in warning
    # a plain URDF means what it says
    plain = load_urdf(write(tmp_path / "xacro" / "r.urdf", f"{body}</link>"))
    assert plain.links[0].visuals[0].geometry.path is None


@pytest.mark.parametrize("missing", ["xacro", "yaml"])
def test_without_the_package_it_says_how_to_get_it(tmp_path, monkeypatch, missing):
    file = write(tmp_path / "r.xacro", LINK)
    monkeypatch.setitem(sys.modules, missing, None)
    assert "pip install xacro PyYAML" in error_of(file)
    monkeypatch.undo()
    assert names(load_urdf(file)) == ["a"]


def test_latin_1_a_late_declaration_and_comments_with_hyphens(tmp_path):
    file = tmp_path / "r.xacro"
    text = '\n<?xml version="1.0"?>\n<robot name="r"><!-- 90° -- -->\n<link name="a${1}"/></robot>'
    file.write_bytes(text.encode("latin-1"))
    robot = load_urdf(file)
    assert names(robot) == ["a1"]
    assert [text.split(":")[0] for text in robot.warnings] == ["line 3", "line 2", "line 3"]


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UrdfError, match="does not exist"):
        load_urdf(tmp_path / "none.xacro")
