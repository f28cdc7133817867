"""XML as real files have it: marks, encodings, prefixes, foreign elements, size."""

import contextlib
import time

import pytest
from dynarig.core.errors import UrdfError
from dynarig.core.urdf import load_urdf, parse_urdf

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
        "<sensor:camera><xacro:if/></sensor:camera></link><gazebo><q:z>${a}</q:z></gazebo></robot>"
    )
    assert robot.warnings == ()


def test_foreign_elements_do_not_count():
    robot = parse_urdf(
        """<robot name="r"><link name="a"/>
        <transmission name="t"><joint name="ghost"/><actuator name="m"/></transmission>
        <ros2_control name="s" type="system"><joint name="ghost"/><link name="ghost"/>
          <param name="p">$(find pkg)/x.yaml</param></ros2_control>
        <gazebo><plugin filename="$(find pkg)/y.so"/><material>Red</material></gazebo>
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


def test_a_long_chain_needs_no_deep_stack_and_little_time():
    count = 20_000
    parts = [
        f'<link name="l{i}"/><joint name="j{i}" type="continuous"><parent link="l{i}"/>'
        f'<child link="l{i + 1}"/><mimic joint="j{i + 1}"/></joint>\n'
        for i in range(count)
    ]
    last = (
        f'<link name="l{count}"/><link name="end"/><joint name="j{count}" type="continuous">'
        f'<parent link="l{count}"/><child link="end"/></joint>'
    )
    text = '<robot name="r">' + "".join(reversed(parts)) + last + "</robot>"
    start = time.perf_counter()
    robot = parse_urdf(text)
    assert len(robot.links) == count + 2
    assert robot.root == "l0"
    assert time.perf_counter() - start < 10.0  # 1 s measured; quadratic work would take minutes


@pytest.mark.parametrize(
    "text",
    [
        "<!--" * 100_000,
        "<!---->" * 50_000 + "<?xml ",
        " " * 1_000_000 + "<?xml",
        '<robot name="r"><link name="a"/>' + "<!-- -- -->" * 50_000 + "</robot>",
        '<robot name="' + "1" * 1_000_000 + '"/>',
        f'<robot name="r"><material name="m"><color rgba="{"1" * 1_000_000}"/></material></robot>',
        f'<robot name="r"><link name="{"${" * 200_000}"/></robot>',
    ],
    ids=["comments", "late", "blanks", "hyphens", "name", "number", "xacro"],
)
def test_hostile_text_takes_no_time(text):
    start = time.perf_counter()
    with contextlib.suppress(UrdfError):
        parse_urdf(text)
    assert time.perf_counter() - start < 3.0


def test_a_relative_path_gives_an_absolute_source(tmp_path, monkeypatch):
    (tmp_path / "r.urdf").write_text(NAMED, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_urdf("r.urdf").source == tmp_path / "r.urdf"
