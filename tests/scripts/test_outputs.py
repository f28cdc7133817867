"""Products are regular files of their own, and what goes wrong names them."""

from __future__ import annotations

import itertools
import json
import math
import os
import stat
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest
from batch.chatter import Quiet
from batch.figures import Figures, broken_promise
from batch.motion import PoseError, start_pose, table_motion
from batch.options import LAST_FRAME, read_options
from batch.outputs import OutputError, check_outputs, naming
from dynarig.addon.blender.bake import settings as bake_settings
from dynarig.core.dynamics import Model, compile_robot
from dynarig.core.trajectory import Trajectory
from dynarig.core.urdf import parse_urdf

ROBOT = """<robot name="r"><link name="a"/>
<link name="b"><inertial><mass value="1"/>
 <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="c"><inertial><mass value="1"/>
 <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="p" type="planar"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
<joint name="{name}" type="continuous"><parent link="b"/><child link="c"/></joint>
</robot>"""


def model_with(name: str) -> Model:
    return compile_robot(parse_urdf(ROBOT.format(name=name)))


def check(folder: Path, *arguments: object) -> None:
    check_outputs(read_options([str(folder / "robot.urdf"), *map(str, arguments)]))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "robot.urdf").write_text(ROBOT.format(name="j"))
    (tmp_path / "in.csv").write_text("time,j\n0,0\n1,1\n")
    return tmp_path


@pytest.mark.parametrize(
    ("how", "option"),
    [
        *itertools.product(("hard", "symbolic", "chain", "folder"), ("trajectory", "report")),
        ("same", "trajectory"),
    ],
)
def test_a_product_is_no_other_file_by_any_link(folder: Path, how: str, option: str) -> None:
    suffix = "csv" if option == "trajectory" else "json"
    taken = folder / f"in.{suffix}"
    taken.touch()
    alias = folder / "alias.csv"
    if how == "hard":
        alias.hardlink_to(taken)
    elif how == "symbolic":
        alias.symlink_to(taken)
    elif how == "chain":
        (folder / "middle").symlink_to(taken)
        alias.symlink_to(folder / "middle")
    elif how == "folder":
        (folder / "there").symlink_to(folder, target_is_directory=True)
        alias = folder / "there" / "alias.csv"
        (folder / "alias.csv").hardlink_to(taken)
    else:
        alias = taken
    with pytest.raises(OutputError, match="is also"):
        check(folder, "--csv", alias, f"--{option}", taken)
    (folder / "robot.csv").hardlink_to(folder / "robot.urdf")
    with pytest.raises(OutputError, match="is also"):
        check(folder, "--csv", folder / "robot.csv")


def test_two_names_of_a_file_that_is_not_there_yet(folder: Path) -> None:
    (folder / "later.csv").symlink_to(folder / "new.json")
    with pytest.raises(OutputError, match="is also"):
        check(folder, "--csv", folder / "later.csv", "--report", folder / "new.json")
    check(folder, "--csv", folder / "later.csv", "--report", folder / "other.json")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize("kind", ["fifo", "link to fifo", "device", "loop"])
def test_a_product_is_a_regular_file(folder: Path, kind: str) -> None:
    path = folder / "x.csv"
    if kind == "device":
        path.symlink_to("/dev/full")
    elif kind == "loop":
        path.symlink_to(path)
    else:
        fifo = path if kind == "fifo" else folder / "fifo"
        os.mkfifo(fifo)
        if kind != "fifo":
            path.symlink_to(fifo)
    with pytest.raises(OutputError, match=r"x\.csv: (is a device or pipe|cannot be written: Too)"):
        check(folder, "--csv", path)
    assert not path.exists() or not stat.S_ISREG(path.stat().st_mode)


def test_an_error_of_the_system_names_the_product(folder: Path) -> None:
    with (
        pytest.raises(OutputError, match=r"--csv .*x\.csv: cannot be written: No space left"),
        naming("csv", folder / "x.csv"),
    ):
        raise OSError(28, "No space left on device")


def test_blenders_last_frame_is_the_add_ons() -> None:
    assert LAST_FRAME == bake_settings.LAST_FRAME


@pytest.mark.parametrize("span", [1e6, 1e300, 0.01])
def test_a_table_that_no_scene_can_hold_is_refused(tmp_path: Path, span: float) -> None:
    (tmp_path / "table.csv").write_text(f"time,j\n0,0\n{span!r},1\n")
    with pytest.raises(PoseError, match=rf"table.csv: is .* wanted 1 to {LAST_FRAME - 1}"):
        table_motion(model_with("j"), tmp_path / "table.csv", 24.0, None)


def test_a_pose_by_a_name_of_two_coordinates_is_refused() -> None:
    model = model_with("p.x")
    with pytest.raises(PoseError, match="two coordinates"):
        start_pose(model, [("p.x", 1.0)])
    assert start_pose(model, [("p.y", 1.0)])[1] == 1.0
    # the name of the time column is no trouble here
    assert start_pose(model_with("time"), [("time", 0.5)])[3] == 0.5


@pytest.mark.parametrize("largest", [0.0, 1e5])
def test_the_promise_of_the_design_is_watched(largest: float) -> None:
    model = model_with("j")
    q = np.zeros((2, model.nq))
    q[1, 3] = largest
    motion = Trajectory.from_table(model, (0.0, 1.0), q)
    promised = 1e-5 + 1.2e-7 * largest
    assert not broken_promise(0.99 * promised, motion)
    assert "more than" in broken_promise(1.01 * promised, motion)
    assert math.isclose(promised, 1.2e-2 + 1e-5) or not largest


def test_figures_are_of_single_lines_whatever_the_names_hold() -> None:
    lines: list[str] = []
    figures = Figures(lines.append)
    figures.title("two\nlines")
    figures.note(["a\n  b", os.fsdecode(b"\xff")])
    assert lines == ["two lines", "  note: a b", "  note: \\udcff"]
    json.dumps(figures.report).encode("utf-8")


def test_names_that_are_no_utf8_can_be_printed(capfd: pytest.CaptureFixture[str]) -> None:
    with Quiet() as quiet:
        quiet.say(os.fsdecode(b"out\xff"))
        quiet.complain(os.fsdecode(b"err\xff"))
    assert capfd.readouterr() == ("out\\udcff\n", "err\\udcff\n")


Script = Callable[..., CompletedProcess[str]]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_the_script_takes_and_tells_names_that_are_no_utf8(
    script: Script, arm: Path, tmp_path: Path
) -> None:
    import bpy

    if bpy.app.binary_path:
        pytest.skip("Blender's own command line takes UTF-8 only")
    robot, out, report = (
        tmp_path / os.fsdecode(b"\xff" + name) for name in (b".urdf", b".blend", b".json")
    )
    robot.write_bytes(arm.read_bytes())
    files = ("--out", out, "--report", report, "--csv", report.with_suffix(".csv"))
    done = script(robot, *files, "--duration", "0.2")
    assert done.returncode == 0, done.stderr
    assert all(file.stat().st_size for file in files[1::2] if isinstance(file, Path))
    done = script(robot.with_suffix(".none"), "--csv", report.with_suffix(".csv"))
    assert done.returncode == 1
    assert "\\udcff.none: is no file" in done.stderr
