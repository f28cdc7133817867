"""Whatever is wrong with a xacro file: one line that names file, line, element and macro."""

import pytest
from dynarig.core.urdf import load_urdf

from .xacro_case import error_of, names, write

LINK = '<link name="a"/>'


@pytest.mark.parametrize(
    ("body", "words"),
    [
        # arguments and names
        (
            '<link name="$(arg side)_a"/>\n<xacro:arg name="side" default="l"/>',
            [":2: <link", "'side' is not declared yet", "r.xacro:3) comes later", "side:=value"],
        ),
        ('<xacro:arg name="side"/>', [":2: <xacro:arg", "'side' has no default", "side:=value"]),
        ('\n<link name="$(arg side)"/>', [":3: <link", "argument 'side'", "side:=value"]),
        ('<link name="${side}"/>', [":2: <link", "name 'side' is not defined"]),
        ('<link\n name="a">\n<visual name="${b}"/></link>', [":4: <visual", "'b' is not defined"]),
        ('<link name="$(env DYNARIG_NONE)"/>', [":2: <link", "DYNARIG_NONE"]),
        ('<link name="$(nothing a)"/>', [":2: <link", "Unknown substitution", "optenv"]),
        # macros
        (
            '<xacro:macro name="arm" params=""><link name="b"/></xacro:macro>\n<xacro:amr/>',
            [":3: <xacro:amr>", "unknown macro", "known are 'arm'"],
        ),
        ("<xacro:arm/>", [":2: <xacro:arm>", "unknown macro", "none is defined"]),
        (
            '<xacro:macro name="m" params="a b"><link name="c"/></xacro:macro>\n<xacro:m a="1"/>',
            [":3: <xacro:m>", "Undefined parameters [b]"],
        ),
        (
            '<xacro:macro name="m" params="a"><link name="c"/></xacro:macro>\n<xacro:m a="" z=""/>',
            [":3: <xacro:m>", 'Invalid parameter "z"'],
        ),
        (
            '<xacro:macro name="m" params="*a"><link name="c"/></xacro:macro>\n<xacro:m/>',
            [":3: <xacro:m>", "Not enough blocks"],
        ),
        (
            '<xacro:macro name="m" params="name b"><link name="c"/></xacro:macro>\n'
            '<xacro:m name="arm"/>',
            [':3: <xacro:m name="arm">', "Undefined parameters [b]"],
        ),
        (
            '<xacro:macro name="m" params="name"><link name="c"/></xacro:macro>\n'
            '<xacro:property name="side" value="left"/><xacro:m name="${side}" k="1"/>',
            [':3: <xacro:m name="${side}">', 'Invalid parameter "k"'],
        ),
        (
            '<xacro:macro name="arm" params=""><link name="a"/></xacro:macro>'
            '<xacro:macro name="leg" params=""/>',
            [":1: <robot", "has no <link>", "only defines macros ('arm', 'leg')", "includes it"],
        ),
        ('<xacro:insert_block name="b"/>', [":2: <xacro:insert_block", 'Undefined block "b"']),
        # properties and conditions
        ('<xacro:property name="a.b" value="1"/>', [":2: <xacro:property", "valid python"]),
        ('<xacro:property name="p" value="${p}"/><link name="${p}"/>', [":2: <link", "circular"]),
        ('<xacro:if value="maybe"/>', [":2: <xacro:if>", "not a boolean"]),
        ("<xacro:if/>", [":2: <xacro:if>", "missing attribute 'value'"]),
        # expressions
        (
            '<xacro:property name="l" value="abc"/>\n<link name="${l / 2 + k}"/>',
            [":3: <link", "unsupported operand", "(l = 'abc')", "'l / 2 + k'"],
        ),
        ('<link name="${1 / 0}"/>', [":2: <link", "division by zero", "'1 / 0'"]),
        ('<link name="${1 +}"/>', [":2: <link", "no valid expression", "'1 +'"]),
        ('<link name="${1 + 2"/>', [":2: <link", "invalid expression"]),
        ('<link name="${[1][5]}"/>', [":2: <link", "out of range"]),
        ("<link name=\"${{'a': 1}['b']}\"/>", [":2: <link"]),
        ("<link name=\"${dict(a=1)['b']}\"/>", [":2: <link", "there is no 'b'"]),
        ("<link name=\"${xacro.fatal('stop', 'here')}\"/>", [":2: <link", "stop here"]),
        # what it expands to is no URDF
        (f"{LINK}\n<link name=\"${{dict(b='a')['b']}}\"/>", [":3: <link", "second link named 'a'"]),
        ("\n", [":1: <robot", "has no <link>"]),
        ('<link name="$${x}"/>', [":2: <link", "left-over xacro", "was not expanded"]),
        ('<xacro:element xacro:name="1a"/>', [":2: <1a>", "no name for an element"]),
    ],
)
def test_one_line_with_the_place(tmp_path, body, words):
    file = write(tmp_path / "r.xacro", body)
    message = error_of(file)
    assert message.startswith(str(file))
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", "has no <link>"),
        (
            '<link name="finger"/><joint name="j" type="fixed"><parent link="wrist"/>'
            '<child link="finger"/></joint>',
            "link 'wrist' does not exist",
        ),
        ('<link name="a"/><link name="b"/>', "2 links are no joint's child"),
    ],
)
def test_a_part_of_a_robot_is_told_as_one(tmp_path, body, words):
    hint = "may be a part of another one that includes it"
    part = write(tmp_path / "part.xacro", body)
    message = error_of(part)
    assert words in message and hint in message
    # not where the file itself includes others, and not where it is no xacro
    include = '<xacro:include filename="part.xacro"/>'
    for file, text in (("r.xacro", include), ("r.urdf", body)):
        message = error_of(write(tmp_path / file, text))
        assert words in message and hint not in message


def test_the_macros_around_it_and_their_calls(tmp_path):
    body = """<xacro:macro name="inner" params="n">
    <link name="b"><inertial><mass value="${n / 0}"/></inertial></link>
</xacro:macro>
<xacro:macro name="outer" params="">
    <xacro:inner n="1"/>
</xacro:macro>
<xacro:outer/>"""
    file = write(tmp_path / "r.xacro", body)
    message = error_of(file)
    assert message.startswith(f'{file}:3: <mass> in <link name="b">: division by zero')
    inner = f"in macro 'inner', called at {file}:6"
    outer = f"in macro 'outer', called at {file}:8"
    assert message.index(inner) < message.index(outer)


def test_a_fault_of_what_it_expands_to_names_the_macros_too(tmp_path):
    body = """<link name="a"/><link name="b"/>
<xacro:macro name="z" params="n *block"><joint name="${n}" type="continuous">
    <parent link="a"/><child link="b"/>
    <axis xyz="0 ${n} q"/><xacro:insert_block name="block"/>
</joint></xacro:macro>
<xacro:macro name="outer" params="">
    <xacro:call macro="z" n="1"><origin xyz="0 0 0"/></xacro:call>
</xacro:macro>
<xacro:outer/>"""
    file = write(tmp_path / "r.xacro", body)
    message = error_of(file)
    assert message.startswith(f'{file}:5: <axis> in <joint name="1">: ')
    path = f"; in macro 'z', called at {file}:8; in macro 'outer', called at {file}:10"
    assert message.endswith(path)
    # a fault beside the macros is told without them
    plain = body.replace("q", "1") + '\n<link name="a"/>'
    assert "in macro" not in error_of(write(tmp_path / "s.xacro", plain))


def test_the_file_of_an_include_and_who_includes_it(tmp_path):
    part = write(tmp_path / "parts" / "b.xacro", '\n<link name="${c}"/>')
    file = write(tmp_path / "r.xacro", '\n<xacro:include filename="parts/b.xacro"/>')
    message = error_of(file)
    assert message.startswith(f"{part}:3: <link")
    assert f"included at {file}:3" in message


def test_a_macro_of_an_include_is_named_by_its_own_lines(tmp_path):
    body = '<xacro:macro name="m" params="n">\n<link name="${n}"/>\n</xacro:macro>'
    part = write(tmp_path / "b.xacro", body)
    body = '<xacro:include filename="b.xacro"/>\n<xacro:m n="a"/>\n<xacro:m n="a"/>'
    message = error_of(write(tmp_path / "r.xacro", body))
    # two links of one name: both come from line 3 of the include
    assert message.startswith(f"{part}:3: <link")


@pytest.mark.parametrize(
    ("include", "words"),
    [
        ("none.xacro", ["none.xacro' does not exist"]),
        (".", ["is no file"]),
        ("$(find ghost)/b.xacro", ["no package 'ghost'", "ROS_PACKAGE_PATH"]),
        ("package://ghost/b.xacro", ["no package 'ghost'"]),
        ("http://example.org/b.xacro", ["'http:' is not read", "$(find package)"]),
        ("r.xacro", ["include each other"]),
        ("${name}", ["name 'name' is not defined"]),
    ],
)
def test_includes_that_cannot_be_read(tmp_path, include, words):
    file = write(tmp_path / "r.xacro", f'\n<xacro:include filename="{include}"/>{LINK}')
    message = error_of(file)
    assert message.startswith(f"{file}:3: <xacro:include>")
    for word in words:
        assert word in message


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("<robot>\n<link></robot>", 2, "not well-formed"),
        ("", 1, "empty"),
        ('<!DOCTYPE r [<!ENTITY a "b">]>\n<robot>&a;</robot>', 1, "refused"),
        ('<!DOCTYPE r SYSTEM "file:///etc/passwd">\n<robot/>', 1, "refused"),
        ("<robot>" + "<a>" * 200 + "</a>" * 200 + "</robot>", 1, "nested deeper"),
    ],
)
@pytest.mark.parametrize("included", [False, True])
def test_xml_that_is_refused(tmp_path, included, text, line, word):
    file = tmp_path / "b.xacro"
    file.write_text(text)
    top = write(tmp_path / "r.xacro", '<xacro:include filename="b.xacro"/>') if included else file
    message = error_of(top)
    assert message.startswith(f"{file}:{line}: ")
    assert word in message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, ["limits.yaml' does not exist"]),
        ("a: 1\nb: [1, 2\nc: 3\n", ["limits.yaml:3: is no valid YAML"]),
        ("a: !!python/object:os.system {}\n", ["limits.yaml:1: is no valid YAML"]),
        ("a: &a [*a]\n", ["limits.yaml", "refer to itself"]),
        ("a: {b: 1}\n", ["no key 'x'"]),
        ("x: !degrees 1 +\n", ["invalid expression: 1 +"]),
        ("[" * 300, ["limits.yaml", "no valid YAML"]),
    ],
)
def test_yaml(tmp_path, text, words):
    if text is not None:
        (tmp_path / "limits.yaml").write_text(text)
    body = '<xacro:property name="c" value="${xacro.load_yaml(\'limits.yaml\')}"/>\n'
    file = write(tmp_path / "r.xacro", body + '<link name="${c.x}"/>')
    message = error_of(file)
    assert message.startswith(f"{file}:3: <link")
    for word in words:
        assert word in message


def test_the_name_of_the_robot_comes_before_all_declarations(tmp_path):
    file = write(tmp_path / "r.xacro", f'<xacro:arg name="p" default=""/>{LINK}', "$(arg p)_arm")
    message = error_of(file)
    assert ":1: <robot" in message
    assert "'p' is not declared yet where it is used" in message
    assert "r.xacro:2) comes later" in message
    assert load_urdf(file, (), {"p": "left"}).name == "left_arm"


def test_an_included_file_may_only_define_macros(tmp_path):
    body = f'<xacro:macro name="arm" params="">{LINK}</xacro:macro>'
    library = write(tmp_path / "library.xacro", body)
    calling = write(tmp_path / "r.xacro", '<xacro:include filename="library.xacro"/><xacro:arm/>')
    assert names(load_urdf(calling)) == ["a"]
    assert "only defines macros ('arm')" in error_of(library)
