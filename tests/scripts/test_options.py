"""The command line on its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from batch.options import parser, read_options

GOOD = ["arm.urdf", "--out", "arm.blend"]


def test_defaults() -> None:
    options = read_options(GOOD)
    assert options.fps == 24.0
    assert options.duration is None
    assert options.gravity == (0.0, 0.0, -9.81)
    assert options.limits
    assert options.products() == {"out": Path("arm.blend")}


def test_negative_numbers_of_every_form_are_numbers() -> None:
    options = read_options([*GOOD, "--gravity", "-1e-3", "-.5", "-9", "--pose", "a=-1", "b=1e-2"])
    assert options.gravity == (-1e-3, -0.5, -9.0)
    assert options.pose == (("a", -1.0), ("b", 0.01))


def test_a_joint_name_may_hold_an_equals_sign() -> None:
    assert read_options([*GOOD, "--pose", "a=b=2"]).pose == (("a=b", 2.0),)


def test_arguments_of_a_xacro_file() -> None:
    arguments = ["arm.urdf.xacro", "--out", "arm.blend", "--xacro-arg", "prefix:=l_", "side:=a:=b"]
    arguments += ["--xacro-arg", "empty:=", "turn:=-1"]
    given = (("prefix", "l_"), ("side", "a:=b"), ("empty", ""), ("turn", "-1"))
    assert read_options(arguments).imports.xacro_args == given


def test_choices_of_the_import_in_either_letter_case() -> None:
    options = read_options(GOOD).imports
    assert (options.shown, options.collada_up, options.gltf_up) == ("VISUAL", "IGNORE", "AUTO")
    given = ["--shown", "both", "--collada-up", "APPLY", "--gltf-up", "z"]
    options = read_options([*GOOD, *given]).imports
    assert (options.shown, options.collada_up, options.gltf_up) == ("BOTH", "APPLY", "Z")


def test_a_joint_name_may_begin_with_a_minus() -> None:
    arguments = [*GOOD, "--pose=-j=-0.5", "--pose", "a=-1", "--pose=-k=2"]
    assert read_options(arguments).pose == (("-j", -0.5), ("a", -1.0), ("-k", 2.0))


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "ROBOT.urdf"),
        (["arm.urdf"], "at least one product"),
        ([*GOOD, "--duration", "-1"], "--duration"),
        ([*GOOD, "--duration", "nan"], "--duration"),
        ([*GOOD, "--duration", "0.01"], "frames"),
        ([*GOOD, "--duration", "1e9"], "frames"),
        ([*GOOD, "--fps", "0"], "--fps"),
        ([*GOOD, "--fps", "-24"], "--fps"),
        ([*GOOD, "--gravity", "0", "0", "-inf"], "--gravity"),
        ([*GOOD, "--gravity", "0", "0"], "--gravity"),
        ([*GOOD, "--damping", "-1"], "--damping"),
        ([*GOOD, "--tolerance", "0"], "--tolerance"),
        ([*GOOD, "--pose", "elbow"], "JOINT=VALUE"),
        (["a.xacro", "--out", "a.blend", "--xacro-arg", "side=left"], "NAME:=VALUE"),
        (["a.xacro", "--out", "a.blend", "--xacro-arg", ":=left"], "NAME:=VALUE"),
        (["a.xacro", "--out", "a.blend", "--xacro-arg", "a:=1", "a:=2"], "twice"),
        ([*GOOD, "--shown", "all"], "--shown"),
        ([*GOOD, "--pose", "elbow=nan"], "--pose"),
        ([*GOOD, "--pose", "elbow=1", "elbow=2"], "twice"),
        ([*GOOD, "--pose", "elbow=1", "--trajectory", "x.csv"], "--trajectory"),
        ([*GOOD, "--duration", "43690.6"], "frames"),
        ([*GOOD, "--pose", "-j=0.5"], "--pose=-j=0.5"),
        ([*GOOD, "--pose", "a=1", "-j=0.5"], "--pose=-j=0.5"),
        ([*GOOD, "--pose=a=1", "-j=0.5"], "--pose=-j=0.5"),
        (["arm.urdf", "--out", "two\nlines.mp4"], "two lines.mp4"),
        (["arm.urdf", "--out", "\udcff.mp4"], "\\udcff.mp4"),
        ([*GOOD, "--size", "101x50"], "even"),
        ([*GOOD, "--size", "big"], "WxH"),
        ([*GOOD, "--interpolation", "cubic"], "--interpolation"),
        ([*GOOD, "--frobnicate"], "--frobnicate"),
        (["arm.urdf", "--out", "arm.mp4"], ".blend"),
        (["arm.urdf", "--render", "arm.avi"], ".mp4"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(
    arguments: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        read_options(arguments)
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert not out
    assert len(err.splitlines()) == 1
    assert word in err


def plain_python(root: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The script in a Python without packages but those in a folder."""
    return subprocess.run(
        [sys.executable, "-S", str(root / "scripts" / "simulate_urdf.py"), *arguments],
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_help_explains_every_option_and_needs_no_blender(root: Path, tmp_path: Path) -> None:
    done = plain_python(root, tmp_path, "--help")
    assert done.returncode == 0
    assert not done.stderr
    for action in parser()._actions:
        assert action.help
        for option in action.option_strings:
            assert option in done.stdout
    for unit in ("seconds", "rad or m", "m/s^2", "N m s/rad", "frames per second", "pixels"):
        assert unit in done.stdout


def test_without_numpy_one_line_says_so(root: Path, tmp_path: Path) -> None:
    done = plain_python(root, tmp_path, *GOOD)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "numpy" in done.stderr


def test_without_blender_one_line_says_what_to_install(root: Path, tmp_path: Path) -> None:
    numpy = Path(np.__file__).parent
    for folder in (numpy, numpy.with_name("numpy.libs")):
        if folder.is_dir():
            (tmp_path / folder.name).symlink_to(folder, target_is_directory=True)
    done = plain_python(root, tmp_path, *GOOD)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "pip install bpy" in done.stderr
