"""Each way a file can be wrong: the message names file, line, element and what is allowed."""

from pathlib import Path

import pytest
from dynarig.core.errors import DynarigError, UrdfError
from dynarig.core.urdf import load_urdf, parse_urdf

LINKS = '<link name="a"/><link name="b"/>'
ENDS = '<parent link="a"/><child link="b"/>'


def robot(*lines):
    """A robot whose inner lines start at line 2."""
    return "\n".join(('<robot name="r">', *lines, "</robot>"))


def shape(text):
    return robot('<link name="a"><visual><geometry>', text, "</geometry></visual></link>")


def joint(text, kind="revolute"):
    return robot(LINKS, f'<joint name="j" type="{kind}">{ENDS}', text, "</joint>")


def chain(*pairs):
    """Links a, b, c and one fixed joint a line, from line 3."""
    return robot(
        '<link name="a"/><link name="b"/><link name="c"/>',
        *(
            f'<joint name="j{i}" type="fixed">'
            f'<parent link="{parent}"/><child link="{child}"/></joint>'
            for i, (parent, child) in enumerate(pairs)
        ),
    )


# name of the fault: (text, line, what the message must hold)
FAULTS = {
    # the tree
    "two roots": (robot(LINKS), 1, ['<robot name="r">', "'a', 'b'", "exactly one root"]),
    "no link": (robot(), 1, ["<robot", "no <link>", "at least one"]),
    "two parents": (
        chain("ac", "bc"),
        4,
        ['<joint name="j1">', "'c'", "'j0' at line 3", "one parent only"],
    ),
    "cycle beside the root": (
        robot(
            '<link name="a"/><link name="b"/><link name="c"/>',
            '<joint name="j" type="fixed"><parent link="b"/><child link="c"/></joint>',
            '<joint name="k" type="fixed"><parent link="c"/><child link="b"/></joint>',
        ),
        4,
        ['<joint name="k">', "b -> c -> b", "closed loops"],
    ),
    "cycle without a root": (chain("ab", "bc", "ca"), 5, ["<joint", "cycle", "wanted a tree"]),
    # numbers out of this world
    "a huge multiplier": (joint('<mimic joint="k" multiplier="1e17"/>'), 4, ["<mimic>", "1e+17"]),
    "nan in a safety limit": (
        joint('<safety_controller k_velocity="nan"/>'),
        4,
        ["<safety_controller>", "'nan'", "finite"],
    ),
    "a huge origin": (joint('<origin xyz="0 2e6 0"/>'), 4, ["<origin>", "2e+06", "up to 1e+06 m"]),
    "parent and child the same": (chain("aa"), 3, ['<joint name="j0">', "both 'a'"]),
    "unknown parent": (
        chain("xb"),
        3,
        ['<parent> in <joint name="j0">', "'x'", "links are 'a', 'b', 'c'"],
    ),
    "unknown child": (chain("ax"), 3, ['<child> in <joint name="j0">', "'x'", "links are"]),
    "two links of one name": (
        robot('<link name="a"/>', '<link name="a"/>'),
        3,
        ['<link name="a">', "first is at line 2", "name of its own"],
    ),
    "two joints of one name": (
        robot(
            '<link name="a"/><link name="b"/><link name="c"/>',
            '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>',
            '<joint name="j" type="fixed"><parent link="a"/><child link="c"/></joint>',
        ),
        4,
        ['<joint name="j">', "first is at line 3"],
    ),
    # names and types
    "link without a name": (robot("<link/>"), 2, ["<link>", "needs the attribute name"]),
    "blank name": (robot('<link name="  "/>'), 2, ["<link", "not empty"]),
    "joint without a type": (
        robot(LINKS, f'<joint name="j">{ENDS}</joint>'),
        3,
        ['<joint name="j">', "needs the attribute type", "revolute, continuous, prismatic"],
    ),
    "unknown type": (
        joint("", "hinge"),
        3,
        ['<joint name="j">', "'hinge'", "fixed, floating, planar, spherical"],
    ),
    "joint without a parent": (
        robot(LINKS, '<joint name="j" type="fixed"><child link="b"/></joint>'),
        3,
        ['<joint name="j">', '<parent link="..."/>'],
    ),
    "child without a link": (
        robot(LINKS, '<joint name="j" type="fixed"><parent link="a"/>', "<child/></joint>"),
        4,
        ['<child> in <joint name="j">', "attribute link"],
    ),
    # numbers
    "not a number": (
        joint('<origin xyz="0 abc 0"/>'),
        4,
        ['<origin> in <joint name="j">', "xyz='0 abc 0'", "'abc'", "3 finite numbers"],
    ),
    "too few numbers": (joint('<origin rpy="0 0"/>'), 4, ["<origin>", "2 values", "3 finite"]),
    "nan": (joint('<origin xyz="nan 0 0"/>'), 4, ["<origin>", "'nan' is not a finite number"]),
    "underscores": (joint('<limit upper="1_0"/>'), 4, ["<limit>", "'1_0'"]),
    "decimal comma": (joint('<limit upper="0,5"/>'), 4, ["<limit>", "'0,5'", "2 values"]),
    "bad mimic number": (joint('<mimic joint="k" offset="x"/>'), 4, ["<mimic>", "offset", "'x'"]),
    # mimics
    "mimic of itself": (joint('<mimic joint="j"/>'), 4, ["<mimic>", "circle: j -> j;"]),
    # xacro
    "expression": (
        joint('<origin xyz="0 0 ${h / 2}"/>'),
        4,
        ['<origin> in <joint name="j">', "xacro", "${h / 2}", "expanded"],
    ),
    "launch argument": (
        joint('<origin xyz="$(optenv X 0 0 0)"/>'),
        4,
        ["<origin>", "xacro", "$(optenv X 0 0 0)"],
    ),
    "macro call": (
        robot('<link name="a"/>', '<xacro:arm prefix="l"/>'),
        3,
        ["<xacro:arm>", "expanded"],
    ),
    "other prefix": (
        '<robot name="r" xmlns:x="http://www.ros.org/wiki/xacro">\n'
        '<x:arm/><link name="a"/></robot>',
        2,
        ["<x:arm>", "xacro"],
    ),
    # XML
    "empty": ("", 1, ["empty", "<robot>"]),
    "only blanks": (" \n\n", 1, ["empty"]),
    "not XML": ("solid part\n facet normal", 1, ["not well-formed XML", "column", "<robot>"]),
    "tag not closed": (robot("<link>"), 3, ["mismatched tag"]),
    "two roots in the XML": (robot('<link name="a"/>') + "\n<robot/>", 4, ["not well-formed"]),
    "other root": ('<?xml version="1.0"?>\n<sdf/>', 2, ["<sdf>", "wanted <robot>"]),
    "internal entity": (
        '<!DOCTYPE r [\n<!ENTITY a "1">]><robot name="&a;"/>',
        2,
        ["<!ENTITY a>", "refused"],
    ),
    "external entity": (
        '<!DOCTYPE r [\n<!ENTITY a SYSTEM "file:///etc/passwd">]><robot>&a;</robot>',
        2,
        ["<!ENTITY a>", "refused"],
    ),
    "parameter entity": (
        '<!DOCTYPE r [\n<!ENTITY % a SYSTEM "x.dtd"> %a;]><robot/>',
        2,
        ["<!ENTITY a>", "refused"],
    ),
    "declarations without entities": (
        '<!DOCTYPE robot [\n<!ATTLIST link name CDATA "x">\n]><robot/>',
        3,
        ["<!DOCTYPE", "declarations", "refused"],
    ),
    "external document type": (
        '\n<!DOCTYPE r SYSTEM "x.dtd"><robot/>',
        2,
        ["<!DOCTYPE r>", "x.dtd", "remove"],
    ),
    "entities in entities": (
        '<!DOCTYPE r [\n<!ENTITY a "aaaaaaaa">\n<!ENTITY b "&a;&a;">]><robot name="&b;"/>',
        2,
        ["<!ENTITY a>", "refused"],
    ),
    "an attribute twice": (robot('<link name="a" name="b"/>'), 2, ["duplicate attribute"]),
    "a bare ampersand": (robot('<link name="a&b"/>'), 2, ["not well-formed XML", "column"]),
    "an empty name": (robot('<link name=""/>'), 2, ["<link", "not empty"]),
    "a link without a name inside a joint": (
        robot(LINKS, '<joint name="j" type="fixed"><parent link=" "/><child link="b"/></joint>'),
        3,
        ['<parent> in <joint name="j">', "attribute link", "not empty"],
    ),
    "undefined entity": ('<robot name="r">\n&nbsp;</robot>', 2, ["undefined entity"]),
    "deep nesting": (robot("<a>\n" * 200, "</a>" * 200), 101, ["<a>", "deeper than 100"]),
    "unknown encoding": (
        b'<?xml version="1.0" encoding="klingon"?><robot/>',
        1,
        ["'klingon'", "UTF-8"],
    ),
    "encoding that is no text": (
        b'<?xml version="1.0" encoding="rot13"?><robot/>',
        1,
        ["'rot13'", "UTF-8"],
    ),
    "encoding that takes for ever": (
        b'<?xml version="1.0" encoding="punycode"?>' + b"a" * 100_000 + b"-" + b"b" * 100_000,
        1,
        ["'punycode'", "UTF-8"],
    ),
    "encoding that hides tags": (
        b'<?xml version="1.0" encoding="Unicode_Escape"?>\\x3crobot/>',
        1,
        ["'Unicode_Escape'", "UTF-8"],
    ),
    "cut UTF-16": ('<robot name="r"/>'.encode("utf-16")[:-1], 1, ["utf-16", "UTF-8"]),
    "a NUL": (robot('<link name="a"/>', "\0"), 3, ["U+0000", "UTF-8"]),
    "a NUL after each character": (
        "".join(f"{letter}\0" for letter in robot('<link name="a"/>')),
        1,
        ["U+0000", "UTF-8"],
    ),
    "a mark of UTF-16 on UTF-32": (
        b"\xff\xfe" + robot('<link name="a"/>').encode("utf-32-le"),
        1,
        ["U+0000", "UTF-8"],
    ),
    "half a surrogate pair": (robot("\udc80"), 2, ["surrogate", "Unicode"]),
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda name: name.replace(" ", "_"))
def test_the_message_names_file_line_element_and_what_is_allowed(fault):
    text, line, parts = FAULTS[fault]
    with pytest.raises(UrdfError) as caught:
        parse_urdf(text, Path("/somewhere/bad.urdf"))
    message = str(caught.value)
    where = Path("/somewhere/bad.urdf")
    assert message.startswith(f"{where}:{line}: "), message
    for part in parts:
        assert part in message
    assert "\n" not in message
    assert isinstance(caught.value, DynarigError)


def test_the_same_from_a_file_on_disk(tmp_path):
    file = tmp_path / "bad robot.urdf"
    file.write_text(joint('<origin xyz="0 abc 0"/>'), encoding="utf-8")
    with pytest.raises(UrdfError) as caught:
        load_urdf(file)
    assert str(caught.value).startswith(f"{file}:4: <origin> in <joint name=\"j\">: xyz='0 abc 0'")


def test_text_without_a_file_says_so():
    with pytest.raises(UrdfError, match=r"^URDF text:1: "):
        parse_urdf("<robot/>")


def test_a_missing_file(tmp_path):
    with pytest.raises(UrdfError, match=r"none\.urdf: does not exist"):
        load_urdf(tmp_path / "none.urdf")


def test_a_folder(tmp_path):
    with pytest.raises(UrdfError, match="is a folder"):
        load_urdf(tmp_path)


@pytest.mark.parametrize("path", ["a\0b.urdf", "x" * 5000 + ".urdf", "none/../../none.urdf"])
def test_impossible_paths(path):
    with pytest.raises(UrdfError):
        load_urdf(path)


def test_a_long_value_is_cut_in_the_message():
    with pytest.raises(UrdfError) as caught:
        parse_urdf(joint(f'<origin xyz="{"9" * 100000}x 0 0"/>'))
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("path", [None, 5, b"robot.urdf"])
def test_what_is_no_path_is_refused(path):
    with pytest.raises(UrdfError, match="is no path; wanted the path of a URDF file"):
        load_urdf(path)


@pytest.mark.parametrize("text", [None, 5])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(UrdfError, match="is no text; wanted str or bytes"):
        parse_urdf(text)
