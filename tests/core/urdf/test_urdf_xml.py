"""XML as real files have it: marks, encodings, prefixes, foreign elements, size."""

import contextlib
import sys
import time
from pathlib import Path

import pytest
from dynarig.core.errors import UrdfError
from dynarig.core.urdf import load_urdf, parse_urdf
from dynarig.core.urdf.file_size import LARGEST_COUNT, LARGEST_FILE

NAMED = '<robot name="größe_関"><link name="ä"/></robot>'


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-8"])
def test_byte_order_marks(encoding):
    robot = parse_urdf(NAMED.encode(encoding))
    assert (robot.name, robot.warnings) == ("größe_関", ())
    assert robot.text == NAMED


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("UTF-8", "utf-8"),
        ("utf-16", "utf-16"),
        ("UTF-16", "utf-16-le"),
        ("UTF-16", "utf-16-be"),
        ("utf-8", "utf-32-le"),
        ("UTF-32", "utf-32-be"),
        ("ISO-8859-1", "latin-1"),
        ("latin-1", "latin-1"),
        ("windows-1252", "cp1252"),
        ("shift_jis", "shift_jis"),
    ],
)
def test_declared_encodings_and_the_way_back(declared, encoding):
    name = "関節" if encoding == "shift_jis" else "größe"
    text = (
        f'<?xml version="1.0" encoding="{declared}"?>\r\n'
        f'<robot name="{name}"><link name="a"/></robot>'
    )
    robot = parse_urdf(text.encode(encoding))
    assert (robot.name, robot.warnings) == (name, ())
    assert robot.text == text
    assert parse_urdf(robot.text) == robot


def test_latin_1_that_claims_to_be_utf_8_is_read_with_a_warning():
    data = '<?xml version="1.0" encoding="utf-8"?>\n<robot name="n"><link name="grün"/></robot>'
    robot = parse_urdf(data.encode("latin-1"))
    assert robot.links[0].name == "grün"
    assert robot.warnings[0].startswith("line 2: ")


def test_a_mark_in_text_does_not_matter():
    assert parse_urdf("\ufeff" + NAMED) == parse_urdf(NAMED)


@pytest.mark.parametrize("before", ["\n", "  ", "<!-- a -->\n<!-- b -->", "\n <!---->"])
def test_a_late_declaration_is_read_over(before):
    text = before + '<?xml version="1.0" encoding="latin-1"?>' + NAMED.replace("関", "")
    robot = parse_urdf(text.encode("latin-1"))
    assert robot.name == "größe_"
    (warning,) = robot.warnings
    assert "<?xml?>" in warning
    assert parse_urdf(robot.text) == robot


def test_hyphens_in_comments_are_read_over():
    robot = parse_urdf('<robot name="r"><!-- ---- \n -- --><link name="a"/></robot>')
    assert [link.name for link in robot.links] == ["a"]
    assert "comment" in robot.warnings[0]


def test_prefixes_that_nobody_declared():
    robot = parse_urdf(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a" x:y="1">'
        "<sensor:camera><q:if/></sensor:camera></link><gazebo><q:z>a</q:z></gazebo></robot>"
    )
    assert robot.warnings == ()


def test_foreign_elements_do_not_count():
    robot = parse_urdf(
        """<robot name="r"><link name="a"/>
        <transmission name="t"><joint name="ghost"/><actuator name="m"/></transmission>
        <ros2_control name="s" type="system"><joint name="ghost"/><link name="ghost"/>
          <param name="p">x.yaml</param></ros2_control>
        <gazebo><plugin filename="y.so"/><material>Red</material></gazebo>
        <!-- <xacro:include filename="$(find x)"/> ${x} --></robot>"""
    )
    assert ([link.name for link in robot.links], robot.joints) == (["a"], ())
    assert robot.warnings == ()


def test_a_document_type_by_itself_is_harmless():
    assert parse_urdf('<!DOCTYPE robot><robot name="r"><link name="a"/></robot>').root == "a"


def test_line_ends_of_all_systems_count_the_same():
    text = '<robot name="r">\n<link name="a"/>\n<joint/></robot>'
    for end in ("\n", "\r\n", "\r"):
        with pytest.raises(UrdfError, match=r"^URDF text:3: <joint>"):
            parse_urdf(text.replace("\n", end))


def chain(count, order=1, leader="j{}"):
    """Links in a chain, the last first in the file; each joint follows another."""
    parts = [
        f'<link name="l{i}"><visual><geometry><sphere radius="1"/></geometry></visual></link>'
        f'<joint name="j{i}" type="continuous"><parent link="l{i}"/>'
        f'<child link="l{i + 1}"/><mimic joint="{leader.format(i + order)}"/></joint>\n'
        for i in range(count)
    ]
    last = (
        f'<link name="l{count}"/><link name="end"/><joint name="j{count}" type="continuous">'
        f'<parent link="l{count}"/><child link="end"/></joint>'
    )
    return '<robot name="r">' + "".join(reversed(parts)) + last + "</robot>"


def test_a_long_chain_needs_no_deep_stack():
    robot = parse_urdf(chain(10_000))
    assert len(robot.links) == 10_002
    assert robot.root == "l0"
    assert robot.joint("j0").mimic.joint == "j1"


def calls(text):
    """How many functions are called while the text is read."""
    count = 0

    def note(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        parse_urdf(text)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("arguments", [(), (1, "gone{}")], ids=["chain", "dangling"])
def test_work_grows_as_the_robot(arguments):
    once, ten_times = calls(chain(100, *arguments)), calls(chain(1000, *arguments))
    assert ten_times < 12.0 * once  # quadratic work would be near 100


HOSTILE = {
    "comments": "<!--" * 100_000,
    "late": "<!---->" * 50_000 + "<?xml ",
    "blanks": " " * 1_000_000 + "<?xml",
    "hyphens": '<robot name="r"><link name="a"/>' + "<!-- -- -->" * 50_000 + "</robot>",
    "name": '<robot name="' + "1" * 1_000_000 + '"/>',
    "number": f'<robot name="r"><material name="m"><color rgba="{"1" * 10_000_000}"/></material>'
    "</robot>",
    "vector": f'<robot name="r"><link name="a"><visual><origin xyz="0{" " * 1_000_000}0 0"/>'
    "</visual></link></robot>",
    "values": f'<robot name="r"><link name="a"><visual><origin xyz="{"0," * 1_000_000}"/>'
    "<geometry><sphere radius='1'/></geometry></visual></link></robot>",
    "xacro": f'<robot name="r"><link name="{"${" * 200_000}"/></robot>',
    "attributes": '<robot name="r"><link name="a" '
    + " ".join(f'a{i}="1"' for i in range(100_000))
    + "/></robot>",
    "seconds": '<robot name="r"><link name="a">' + "<inertial/>" * 100_000 + "</link></robot>",
    "roots": '<robot name="r">'
    + "".join(f'<link name="{i}"/>' for i in range(100_000))
    + "</robot>",
    "elements": '<robot name="r"><link name="a"/>' + "<x/>" * 1_000_000 + "</robot>",
    "bytes": b"\xff" * 10_000_000,
    "zeros": b"\0" * 10_000_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_takes_no_time(text):
    start = time.process_time()
    with contextlib.suppress(UrdfError):
        parse_urdf(text)
    assert time.process_time() - start < 5.0  # 0.6 s measured; quadratic work would take minutes


def test_more_elements_than_any_robot_needs_are_refused():
    text = '<robot name="r"><link name="a"/>\n' + "<x/>" * LARGEST_COUNT + "</robot>"
    with pytest.raises(UrdfError, match=r"^URDF text:2: <x>: wanted at most 400000 elements"):
        parse_urdf(text)


def test_more_bytes_than_any_robot_needs_are_refused():
    text = '<robot name="r"><link name="a"/></robot>'
    padded = text + " " * (LARGEST_FILE - len(text))
    assert parse_urdf(padded).root == "a"
    with pytest.raises(UrdfError, match=r"^URDF text: has 32\.0 MB; wanted at most 32 MB"):
        parse_urdf(padded + " ")


def test_a_huge_file_is_not_even_read(tmp_path):
    file = tmp_path / "huge.urdf"
    with file.open("wb") as stream:
        stream.truncate(100 * 10**9)  # a hole, which takes no space
    with pytest.raises(UrdfError, match=r"huge\.urdf: has 100000\.0 MB; wanted at most 32 MB"):
        load_urdf(file)


def test_an_empty_file_and_one_of_blanks(tmp_path):
    for number, content in enumerate((b"", b"\xef\xbb\xbf", b" \r\n\t", b"\xff\xfe")):
        file = tmp_path / f"{number}.urdf"
        file.write_bytes(content)
        with pytest.raises(UrdfError, match=r"\.urdf:1: the file is empty; wanted a <robot>"):
            load_urdf(file)


def test_a_relative_path_gives_an_absolute_source(tmp_path, monkeypatch):
    (tmp_path / "r.urdf").write_text(NAMED, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_urdf("r.urdf").source == tmp_path / "r.urdf"


def test_a_source_may_be_a_text_or_a_path():
    for source in ("r.urdf", Path("r.urdf")):
        robot = parse_urdf('<robot name="r"><link name="a"/></robot>', source)
        assert robot.source == Path("r.urdf")
    with pytest.raises(UrdfError, match=r"^r\.urdf:1: "):
        parse_urdf('<robot name="r"/>', "r.urdf")
