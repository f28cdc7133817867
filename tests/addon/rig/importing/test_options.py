"""The import dialog: its values become options, presets keep them, wrong ones are told."""

import json
import math
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest
from dynarig.addon.blender.importing.importer import import_robot
from dynarig.addon.blender.importing.options import TITLES, ImportOptions
from dynarig.addon.blender.robot_table import read_table
from dynarig.addon.import_properties import ImportProperties, draw_import_options, options_of
from dynarig.addon.xacro_arguments import parse_xacro_arguments
from dynarig.core.errors import ArgumentError

CHANGED = ImportOptions(
    floating_base=True,
    package_dirs=("/one", "/two words"),
    xacro_args=(("prefix", "left"), ("title", "my robot")),
    shown="BOTH",
    fixed_links="KEEP",
    mesh_parent="SKIN",
    bone_length=0.05,
    scale=2.5,
    collada_up="APPLY",
    gltf_up="Z",
    decimation=0.25,
    inertia=True,
    fixed_frames=True,
    collection="robots",
)
# the same as the dialog has it
VALUES = {
    **CHANGED.to_json(),
    "package_dirs": "/one; ;/two words",
    "xacro_args": 'prefix:=left; title:="my robot"',
    "collection": " robots ",
}
NAMES = [field.name for field in fields(ImportOptions)]


def operator_properties():
    return bpy.ops.dynarig.import_urdf.get_rna_type().properties


def test_the_test_changes_every_option():
    assert list(CHANGED.changed()) == NAMES
    assert ImportOptions().changed() == {}


def test_every_option_is_in_the_dialog_with_the_same_default():
    assert set(ImportProperties.__annotations__) == set(NAMES)
    values = {name: operator_properties()[name].default for name in NAMES}
    assert options_of(SimpleNamespace(**values)) == ImportOptions()
    for name in NAMES:
        prop = operator_properties()[name]
        assert len(prop.description) > 20, name
        assert not prop.is_hidden, name


def test_the_dialogs_values_are_the_options():
    assert options_of(SimpleNamespace(**VALUES)) == CHANGED


def test_folders_of_the_preferences_come_after_those_of_the_dialog():
    options = options_of(SimpleNamespace(**VALUES), ("/three", "/one"))
    assert options.package_dirs == ("/one", "/two words", "/three")


def test_the_operators_values_reach_the_robot(lab, monkeypatch):
    from dynarig.addon.operators import import_urdf

    seen = []

    def note(context, path, options, progress):
        seen.append(options)
        return import_robot(context, path, replace(options, xacro_args=()), progress)

    monkeypatch.setattr(import_urdf, "import_robot", note)
    bpy.ops.dynarig.import_urdf(filepath=str(lab.path("case05")), **VALUES)
    assert seen == [CHANGED]
    robot = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    assert read_table(robot.data).options == replace(CHANGED, xacro_args=())
    assert [item.name for item in robot.users_collection] == ["robots"]


def test_the_file_alone_is_no_part_of_presets():
    kept = {prop.identifier for prop in operator_properties() if not prop.is_skip_preset}
    assert set(NAMES) <= kept
    assert not kept & {"filepath", "directory", "files", "filter_glob"}
    for name in ("filepath", "directory", "files"):
        assert operator_properties()[name].is_skip_save, name


def test_a_preset_file_sets_all(tmp_path):
    """As Blender writes and runs one: a line for each property, set on the active operator."""
    preset = bpy.types.WM_OT_operator_preset_add
    subject = SimpleNamespace(operator="DYNARIG_OT_import_urdf")
    names = preset.preset_values.fget(subject)
    assert {f"op.{name}" for name in NAMES} <= set(names)
    file = tmp_path / "preset.py"
    file.write_text("".join(f"{name} = {VALUES[name[3:]]!r}\n" for name in names))
    op = SimpleNamespace()
    exec(compile(file.read_text(), str(file), "exec"), {"op": op})
    assert options_of(op) == CHANGED


def shown(values):
    """The labels of the dialog, drawn in a layout that Blender made; see test_panels."""
    menu = bpy.context.window_manager.popmenu_begin__internal("test", icon="NONE")
    asked = []
    folded = SimpleNamespace(
        panel=lambda name: (
            asked.append(name),
            (menu.layout.row(), menu.layout.column()),
        )[1]
    )
    # a menu has no panels that fold: each stands below its title
    draw_import_options(folded, values)
    return asked, json.dumps(menu.layout.introspect())


def test_the_dialog_shows_every_option_in_panels_that_fold(lab):
    operator = bpy.context.window_manager.operator_properties_last("dynarig.import_urdf")
    asked, drawn = shown(operator)
    assert len(asked) == len(set(asked)) == 4
    for name in NAMES:
        assert f".{name}" in drawn, name
    for title in ("Robot", "Geometry", "Armature", "Files"):
        assert f'"draw_string": "{title}"' in drawn


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        (" ;; ", ()),
        ("a:=1", (("a", "1"),)),
        ("a:=1 b:=two;c:=3", (("a", "1"), ("b", "two"), ("c", "3"))),
        ("a:=", (("a", ""),)),
        ('a:="x y;z" b:=\'it is "so"\'', (("a", "x y;z"), ("b", 'it is "so"'))),
        ("url:=package://p/q:=r", (("url", "package://p/q:=r"),)),
        ("größe:=1,5\nn:=$(find p)", (("größe", "1,5"), ("n", "$(find"))),
    ],
)
def test_xacro_arguments(text, expected):
    if text.endswith("p)"):
        # a blank ends a value that is not quoted
        with pytest.raises(ArgumentError, match=r"'p\)' is not understood"):
            parse_xacro_arguments(text)
        return
    assert parse_xacro_arguments(text) == expected


@pytest.mark.parametrize(
    "text", ["a", "a=1", ":=1", "a:=1 b", 'a:="open', 'a:=x"y"', "a:='x'y", "a : = 1"]
)
def test_xacro_arguments_that_are_none(text):
    with pytest.raises(ArgumentError, match=r"not understood; wanted name:=value"):
        parse_xacro_arguments(text)


def test_xacro_arguments_that_stand_twice():
    with pytest.raises(ArgumentError, match="'a' stands twice"):
        parse_xacro_arguments("a:=1 a:=2")


def test_the_operator_tells_arguments_that_it_does_not_understand(lab, inventory):
    before = inventory()
    with pytest.raises(RuntimeError, match="wanted name:=value"):
        bpy.ops.dynarig.import_urdf(filepath=str(lab.path("case05")), xacro_args="left")
    assert inventory() == before


WRONG = [
    ("scale", math.nan),
    ("scale", math.inf),
    ("scale", 0.0),
    ("scale", -1.0),
    ("scale", 1e-7),
    ("bone_length", -0.1),
    ("bone_length", math.nan),
    ("bone_length", math.inf),
    ("decimation", 0.0),
    ("decimation", 1.01),
    ("decimation", math.nan),
    ("shown", "ALL"),
    ("fixed_links", "merge"),
    ("gltf_up", "X"),
    ("xacro_args", (("", "1"),)),
    ("xacro_args", (("a", "1"), ("a", "2"))),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_values_that_no_import_can_have(lab, inventory, name, value):
    before = inventory()
    options = replace(ImportOptions(), **{name: value})
    with pytest.raises(ArgumentError, match=rf"^{TITLES[name]}: .* allowed are "):
        import_robot(bpy.context, lab.path("case05"), options)
    assert inventory() == before
    with pytest.raises(ValueError, match=f"{name}|{TITLES[name]}"):
        ImportOptions.from_json({**options.to_json()})


def test_what_is_refused_is_called_as_in_the_dialog(lab):
    declared = ImportProperties.__annotations__
    assert {name: declared[name].keywords["name"] for name in TITLES} == TITLES
    with pytest.raises(
        RuntimeError, match=r"Collision Detail: 0 is not possible; allowed are above 0 to 1"
    ):
        bpy.ops.dynarig.import_urdf(filepath=str(lab.path("case05")), decimation=0.0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("scale", True),
        ("scale", 10**400),
        ("scale", "1"),
        ("inertia", 1),
        ("package_dirs", "/one"),
        ("xacro_args", [["a"]]),
        ("collection", None),
    ],
)
def test_tables_with_values_of_the_wrong_kind(name, value):
    with pytest.raises(ValueError, match=f"{name}|{TITLES.get(name)}"):
        ImportOptions.from_json({name: value})


def test_options_come_back_from_json():
    assert ImportOptions.from_json(json.loads(json.dumps(CHANGED.to_json()))) == CHANGED
    assert ImportOptions.from_json({"scale": 2, "of another version": 1}).scale == 2.0


def test_folders_that_are_not_there_are_told(lab, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    path = lab.path("case05")
    missing = str(tmp_path / "none")
    options = ImportOptions(package_dirs=(str(tmp_path), missing, "..", "beside", "~"))
    told = [text for text in import_robot(bpy.context, path, options).warnings if "folder" in text]
    text = "package folder '{}' does not exist"
    assert told == [text.format(missing), text.format("beside")]
    assert Path(path.parent / "..").is_dir()
