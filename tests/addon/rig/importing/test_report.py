"""What an import says: one line for the user, and the text "Dynarig import report"."""

from dataclasses import replace

import bpy
import pytest
from dynarig.addon.blender.importing.importer import REPORT_NAME, import_robot
from dynarig.addon.blender.importing.options import ImportOptions
from dynarig.addon.blender.importing.report import KINDS_SHOWN, ReportText, grouped, section

from .test_importer import run

ROBOT = """<robot name="counted">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <material name="tiles"><texture filename="tiles.png"/></material>
  <link name="base">
    <visual><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
    <visual><geometry><box size="1 1 1"/></geometry><material name="red"/></visual>
    <visual><geometry><mesh filename="gone.stl"/></geometry></visual>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
    <collision><geometry><mesh filename="gone.stl"/></geometry></collision>
    <collision><geometry><mesh filename="also_gone.stl"/></geometry></collision>
  </link>
  <link name="a">
    <visual><geometry><mesh filename="one.obj"/></geometry><material name="tiles"/></visual>
  </link>
  <link name="b"/>
  <joint name="turn" type="continuous"><parent link="base"/><child link="a"/></joint>
  <joint name="slide" type="prismatic">
    <parent link="a"/><child link="b"/><limit lower="0" upper="1" effort="1" velocity="1"/>
    <mimic joint="turn" multiplier="0.1"/>
  </joint>
</robot>"""


@pytest.fixture
def counted(tmp_path):
    """A robot whose parts can be counted by hand."""
    (tmp_path / "counted.urdf").write_text(ROBOT)
    (tmp_path / "one.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nf 1/1 2/1 3/1 4/1\nf 1/1 2/1 5/1\n"
    )
    image = bpy.data.images.new("tiles", 2, 2)
    image.filepath_raw, image.file_format = str(tmp_path / "tiles.png"), "PNG"
    image.save()
    bpy.data.images.remove(image)
    return tmp_path / "counted.urdf"


def test_what_came_in_is_counted(counted):
    result = import_robot(bpy.context, counted, ImportOptions(shown="BOTH"))
    assert (result.links, result.joints, result.bones, result.drivers) == (3, 2, 2, 1)
    assert (result.visuals, result.collisions) == (3, 1)
    parts = [obj for obj in result.collection.all_objects if obj.type == "MESH"]
    assert len(parts) == 4
    assert result.meshes == len({obj.data for obj in parts})
    # a square and a triangle, and the twelve of each box
    boxes = len({obj.data for obj in parts if len(obj.data.polygons) == 6})
    assert boxes == result.meshes - 1
    assert result.triangles == 3 + 12 * boxes
    assert result.textures == 1
    assert result.materials >= 2
    assert result.missing_meshes == 2
    names = "3 links, 2 joints, 2 bones, 3 visuals, 1 collision shape from"
    assert names in result.summary()


def test_only_wanted_shapes_are_missed(counted):
    result = import_robot(bpy.context, counted)
    assert (result.visuals, result.collisions, result.missing_meshes) == (3, 0, 1)
    result = import_robot(bpy.context, counted, ImportOptions(shown="COLLISION"))
    assert (result.visuals, result.collisions, result.missing_meshes) == (0, 1, 2)
    assert "2 bones, 1 collision shape from 1 mesh" in result.summary()


def test_one_skinned_mesh_is_one_visual(counted):
    result = import_robot(bpy.context, counted, ImportOptions(mesh_parent="SKIN"))
    assert (result.visuals, result.meshes, result.triangles) == (1, 1, 27)


def test_the_text_has_a_section_for_each_import(counted, lab):
    options = ImportOptions(shown="BOTH", scale=2.0, package_dirs=(str(counted.parent),))
    first = import_robot(bpy.context, counted, options)
    second = lab.load("case05")
    text = bpy.data.texts[REPORT_NAME].as_string()
    one, two = text.split("\n\n")[:2]
    lines = one.splitlines()
    assert lines[0] == first.summary()
    assert lines[1] == f"  file: {counted}"
    assert lines[2] == f"  options: package_dirs = {counted.parent}; shown = BOTH; scale = 2.0"
    assert lines[3].startswith("  came in: 3 links, 2 joints, 2 bones, 1 driver, 3 visuals, ")
    assert lines[3].endswith("2 mesh files not found")
    assert lines[4].startswith("  time: ")
    assert lines[5] == f"  {len(first.warnings)} warnings:"
    assert [line.removeprefix("    * ") for line in lines[6:]] == list(first.warnings)
    assert two.splitlines()[0] == second.summary()
    assert "options:" not in two


def test_thousands_of_warnings_stay_readable():
    missing = [f"file 'meshes/part_{number}.stl': not found" for number in range(243)]
    others = [f"line {number}: <mass> has value {number * 0.1}" for number in range(4000)]
    lines = list(grouped([*missing[:100], *others, "something else", *missing[100:]]))
    assert lines == [
        *(f"* {text}" for text in missing[:3]),
        "  (and 240 more)",
        *(f"* {text}" for text in others[:3]),
        "  (and 3,997 more)",
        "* something else",
    ]


def test_few_of_a_kind_are_all_written():
    warnings = [f"link 'l{number}' has no mass" for number in range(4)]
    assert list(grouped(warnings)) == [f"* {text}" for text in warnings]
    assert len(list(grouped([*warnings, "link 'x' has no mass"]))) == 4


def test_too_many_kinds_are_counted():
    words = [f"{'x' * number} is odd" for number in range(1, KINDS_SHOWN + 31)]
    lines = list(grouped(words))
    assert len(lines) == KINDS_SHOWN + 1
    assert lines[-1] == "(and 30 more of other kinds)"


def test_a_warning_is_one_line_of_the_text(lab):
    result = replace(lab.load("case05"), warnings=("two\nlines \udcff",))
    text = section(result, lab.path("case05"), ImportOptions(), 0.5)
    assert "    * two lines \\udcff\n" in text
    assert text.endswith("\n\n")


def test_a_text_that_is_restored(lab):
    lab.load("case05")
    remembered = ReportText.remember()
    remembered.add("more")
    assert bpy.data.texts[REPORT_NAME].as_string().endswith("\nmore")
    remembered.restore()
    assert bpy.data.texts[REPORT_NAME].as_string() == remembered.before


def test_a_text_of_a_library_is_left_alone(lab, tmp_path):
    library = str(tmp_path / "library.blend")
    theirs = bpy.data.texts.new(REPORT_NAME)
    theirs.from_string("theirs")
    bpy.data.libraries.write(library, {theirs})
    bpy.data.texts.remove(theirs)
    with bpy.data.libraries.load(library, link=True) as (_, here):
        here.texts = [REPORT_NAME]
    linked = next(text for text in bpy.data.texts if text.library)
    result = lab.load("case05")
    assert linked.as_string() == "theirs"
    own = next(text for text in bpy.data.texts if not text.library)
    assert result.summary() in own.as_string()


def test_the_operator_reports_a_line_for_each_file(tmp_path, capfd):
    """INFO for what came in whole, WARNING where there are warnings, never an error."""
    clean, odd = tmp_path / "clean.urdf", tmp_path / "odd.urdf"
    clean.write_text('<robot name="clean"><link name="a"/></robot>')
    odd.write_text(
        '<robot name="odd"><link name="a"><visual><geometry><mesh filename="gone.stl"/></geometry>'
        "</visual></link></robot>"
    )
    assert run(clean, odd) == {"FINISHED"}
    told = [line for line in capfd.readouterr().out.splitlines() if "link" in line]
    assert [line.split(":")[:2] for line in told] == [["Info", " clean"], ["Warning", " odd"]]
    assert f'1 warning in the text "{REPORT_NAME}"' in told[1]


def test_a_text_of_the_users_that_has_the_name_stays(lab, tmp_path):
    own = bpy.data.texts.new(REPORT_NAME)
    own.from_string("my notes")
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="gone.stl"/></geometry>'
        "</visual></link></robot>"
    )
    for times in (1, 2):
        result = import_robot(bpy.context, tmp_path / "r.urdf")
        assert own.as_string() == "my notes"
        assert result.report != REPORT_NAME
        assert f'in the text "{result.report}"' in result.summary()
        assert bpy.data.texts[result.report].as_string().count(result.summary()) == times
    assert len([text for text in bpy.data.texts if text.name.startswith(REPORT_NAME)]) == 2
