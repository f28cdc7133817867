"""The options of the import: as the dialog has them, each of them checked, and what they do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest
from batch import values
from batch.import_options import ImportChoices
from batch.options import read_options

Script = Callable[..., CompletedProcess[str]]
GOOD = ["arm.urdf", "--out", "arm.blend"]
SHORT = ("--duration", "0.1", "--fps", "10")
ALL = (
    *("--scale", "2", "--collection", "left arm", "--skin", "--inertia", "--frame-empties"),
    *("--keep-fixed-links", "--bone-length", "0.07", "--collision-detail", "0.5"),
)
SHAPE = '<geometry><box size="0.3 0.2 0.5"/></geometry>'
MASS = '<mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
HULL = (
    f'<robot name="hull"><link name="a"/><link name="b"><inertial>{MASS}</inertial><collision>'
    f'{SHAPE}</collision></link><joint name="j" type="continuous"><parent link="a"/>'
    '<child link="b"/></joint></robot>'
)
MIXED = HULL.replace('<link name="a"/>', f'<link name="a"><visual>{SHAPE}</visual></link>')


def test_what_the_dialog_has_and_its_defaults() -> None:
    from dataclasses import fields

    from dynarig.addon.blender.importing.options import ImportOptions

    own = {field.name: field.default for field in fields(ImportChoices)}
    theirs = {field.name: field.default for field in fields(ImportOptions)}
    assert own | {"floating_base": False} == theirs
    assert read_options(GOOD).imports == ImportChoices()


def test_bounds_are_those_of_the_add_on() -> None:
    from dynarig.addon.blender.importing import options

    assert values.SCALES == (options.SMALLEST_SCALE, options.LARGEST_SCALE)
    assert values.LONGEST_BONE == options.LONGEST_BONE


def test_every_option_is_read() -> None:
    assert read_options([*GOOD, *ALL]).imports == ImportChoices(
        scale=2.0,
        collection="left arm",
        mesh_parent="SKIN",
        decimation=0.5,
        inertia=True,
        fixed_links="KEEP",
        fixed_frames=True,
        bone_length=0.07,
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--scale", "0"], ("--scale", "1e-06 to 1e+06")),
        (["--scale", "nan"], ("--scale",)),
        (["--collision-detail", "0"], ("--collision-detail", "above 0, to 1")),
        (["--collision-detail", "1.5"], ("--collision-detail",)),
        (["--bone-length", "-0.1"], ("--bone-length", "from 0")),
        (["--bone-length", "long"], ("--bone-length", "'long'")),
        (["--skin", "3"], ("3",)),
        (["--shown", "all"], ("--shown", "visual, collision or both, got 'all'")),
        (["--collada-up", "Y"], ("--collada-up", "ignore or apply, got 'Y'")),
        (["--gltf-up", "x"], ("--gltf-up", "auto, y or z, got 'x'")),
    ],
)
def test_values_are_checked_at_the_door(
    arguments: list[str], words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        read_options([*GOOD, *arguments])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert all(word in line for word in words), line


@pytest.mark.parametrize(
    ("option", "field", "value"),
    [
        (("--xacro-arg", "a:=1"), "xacro_args", (("a", "1"),)),
        (("--xacro-arg", "a:=1", "b:=2.urdf"), "xacro_args", (("a", "1"), ("b", "2.urdf"))),
        (("--package-dir", "one", "two"), "package_dirs", (Path("one"), Path("two"))),
    ],
)
@pytest.mark.parametrize("after", [(), ("--fps", "30")])
def test_the_robot_may_come_after_the_values_of_an_option(
    option: tuple[str, ...], field: str, value: Any, after: tuple[str, ...]
) -> None:
    options = read_options(["--out", "a.blend", *option, "arm.urdf.xacro", *after])
    assert options.robot == Path("arm.urdf.xacro")
    assert getattr(options.imports, field) == value


def test_the_robot_may_come_last_after_poses_and_grounds() -> None:
    options = read_options(["--out", "a.blend", "--pose", "a=-1", "b=2", "arm.URDF"])
    assert (options.robot, options.pose) == (Path("arm.URDF"), (("a", -1.0), ("b", 2.0)))
    options = read_options(["--out", "a.blend", "--ground", "floor", "arm.urdf"])
    assert (options.robot, options.contact.ground) == (Path("arm.urdf"), ("floor",))


def test_what_they_do(
    script: Script, arm: Path, tmp_path: Path, opened: Callable[[Path], None]
) -> None:
    import bpy

    scene = tmp_path / "arm.blend"
    done = script(arm, "--out", scene, *SHORT, *ALL)
    assert done.returncode == 0, done.stderr
    opened(scene)
    (rig,) = (obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    assert np.allclose(rig.scale, 2.0)
    assert "left arm" in bpy.data.collections
    assert [bone.length for bone in rig.data.bones] == pytest.approx(
        [0.07] * len(rig.data.bones), rel=1e-4
    )
    assert any(modifier.type == "ARMATURE" for obj in rig.children for modifier in obj.modifiers)
    assert any("inertia" in obj.users_collection[0].name for obj in rig.children)


def shapes_of(scene: Path, opened: Callable[[Path], None]) -> list[Any]:
    import bpy
    from dynarig.addon.blender.parts import parts_of

    opened(scene)
    (rig,) = (obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    return [obj for obj, tag in parts_of(rig) if tag.role == "collision"]


@pytest.mark.parametrize(
    ("text", "shown", "seen"),
    [
        (HULL, "collision", True),
        (HULL, "both", True),
        (MIXED, "collision", True),
        (MIXED, "both", False),
    ],
)
def test_films_show_collision_shapes_where_nothing_else_is_there(
    script: Script,
    tmp_path: Path,
    opened: Callable[[Path], None],
    text: str,
    shown: str,
    seen: bool,
) -> None:
    robot, scene = tmp_path / "hull.urdf", tmp_path / "hull.blend"
    robot.write_text(text)
    done = script(robot, "--out", scene, "--shown", shown, *SHORT)
    assert done.returncode == 0, done.stderr
    (shape,) = shapes_of(scene, opened)
    assert shape.hide_render is not seen
    assert (shape.display_type == "TEXTURED") is seen
    assert shape.data.materials or not seen


def test_a_urdf_file_takes_no_arguments_and_says_so(
    script: Script, arm: Path, tmp_path: Path
) -> None:
    done = script(arm, "--csv", tmp_path / "x.csv", *SHORT, "--xacro-arg", "side:=left")
    assert done.returncode == 0, done.stderr
    assert "xacro arguments not used: side" in done.stdout.replace("'", "")
