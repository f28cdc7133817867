"""Closed loops of the batch script: read from a file, kept in the scene, closed between frames."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest
from batch.loop_file import LoopFileError, read_loop_file
from batch.options import Options, read_options
from batch.outputs import InputError, OutputError, check_inputs, check_outputs

Script = Callable[..., CompletedProcess[str]]

PIVOT: dict[str, Any] = {
    "name": "pivot",
    "kind": "hinge",
    "a": {"link": "pivot", "axis": [0, 1, 0]},
    "b": {"link": "rocker_end"},
}


@pytest.fixture
def four_bar(data: Path) -> Path:
    """An open chain of three rods, which closes at zero."""
    return data / "loops" / "four_bar.urdf"


def written(folder: Path, *loops: object) -> Path:
    file = folder / "loops.json"
    file.write_text(json.dumps(loops))
    return file


@pytest.mark.parametrize("interpolation", ["BEZIER", "LINEAR"])
def test_a_closed_mechanism_is_simulated_baked_and_saved_with_its_loop(
    script: Script,
    four_bar: Path,
    tmp_path: Path,
    opened: Callable[[Path], None],
    interpolation: str,
) -> None:
    import bpy
    from dynarig.addon.blender.loops import read_loops
    from dynarig.addon.blender.pose import evaluated_link_poses

    files = ["--out", tmp_path / "a.blend", "--report", tmp_path / "a.json"]
    motion = ["--duration", "0.5", "--interpolation", interpolation, "--pose", "drive=0.4"]
    done = script(four_bar, "--loops", written(tmp_path, PIVOT), *motion, *files)
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "a.json").read_text())
    assert report["keys"] > 3 * report["frames"]
    assert 1e-5 < report["loop_gap"] < 1e-4
    assert "loop 'pivot' opens at most 0.0" in done.stdout
    assert "the constraints have moved the initial positions by up to" in done.stdout

    opened(tmp_path / "a.blend")
    robot = bpy.data.objects["four_bar"]
    for tick in range(4 * (report["frames"] - 1) + 1):
        bpy.context.scene.frame_set(1 + tick // 4, subframe=tick % 4 / 4.0)
        poses = evaluated_link_poses(bpy.context, robot)
        apart = poses["pivot"][:3, 3] - poses["rocker_end"][:3, 3]
        assert np.linalg.norm(apart) < 1e-4
    # it can be edited and baked on
    (loop,) = read_loops(robot)
    assert (loop.name, loop.kind.id) == ("pivot", "HINGE")
    bpy.context.view_layer.objects.active = robot
    assert bpy.ops.dynarig.bake_simulation(duration=0.2) == {"FINISHED"}


def test_a_motion_from_a_file_is_held_against_the_loops(
    script: Script, four_bar: Path, tmp_path: Path
) -> None:
    loops = ["--loops", written(tmp_path, PIVOT)]
    motion = ["--duration", "0.3", "--npz", tmp_path / "a.npz"]
    done = script(four_bar, *loops, *motion)
    assert done.returncode == 0, done.stderr
    report = ["--report", tmp_path / "a.json"]
    again = script(four_bar, *loops, "--trajectory", tmp_path / "a.npz", *report)
    assert again.returncode == 0, again.stderr
    assert json.loads((tmp_path / "a.json").read_text())["loop_gap"] < 1e-4
    # a turn of the crank alone leaves the loop open
    (tmp_path / "a.csv").write_text("time,drive\n0,0\n0.3,1\n")
    apart = script(four_bar, *loops, "--trajectory", tmp_path / "a.csv", *report)
    assert apart.returncode == 0, apart.stderr
    assert "the motion itself does not close it" in apart.stdout
    assert json.loads((tmp_path / "a.json").read_text())["loop_gap"] > 0.01


def first_row(file: Path) -> dict[str, float]:
    names, row = (line.split(",") for line in file.read_text().splitlines()[:2])
    return {name.split(" [")[0]: float(value) for name, value in zip(names, row, strict=True)}


def gap(row: dict[str, float]) -> float:
    """How far the four-bar is open (m): its rods lie in x and z, and turn about y."""
    point = -0.45 + 0.0j  # x + i z, which a turn about y by an angle takes to e^(-i angle)
    angle = 0.0
    for joint, rod in (("drive", 0.1j), ("elbow", 0.24 + 0.18j), ("knee", 0.21 - 0.28j)):
        angle += row[joint]
        point += rod * np.exp(-1j * angle)
    return abs(point)


def notes(done: CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    return "\n".join(line for line in done.stdout.splitlines() if "note: " in line)


def test_posed_joints_stay_where_they_are_as_far_as_the_loops_allow(
    script: Script, four_bar: Path, tmp_path: Path
) -> None:
    table = tmp_path / "a.csv"
    common = ["--loops", written(tmp_path, PIVOT), "--duration", "0.05", "--csv", table]
    told = notes(script(four_bar, *common, "--pose", "drive=0.5"))
    row = first_row(table)
    assert row["drive"] == 0.5
    np.testing.assert_allclose(gap(row), 0.0, atol=1e-9)
    for joint in ("elbow", "knee"):
        assert f"{joint} from 0 to {row[joint]:.6g} rad" in told
    assert "drive" not in told
    assert "--pose" not in told
    # one more than the mechanism has freedoms for: the first one stays
    told = notes(script(four_bar, *common, "--pose", "elbow=0.3", "drive=0.5"))
    row = first_row(table)
    assert row["elbow"] == 0.3
    assert abs(row["drive"] - 0.5) > 0.1
    np.testing.assert_allclose(gap(row), 0.0, atol=1e-9)
    left = f"the loops do not allow all of --pose: drive=0.5 starts at {row['drive']:.6g} rad"
    assert told.count(left) == 1
    assert "elbow=" not in told
    # with the knee that far bent the rods are too short
    told = notes(script(four_bar, *common, "--pose", "knee=1.5"))
    row = first_row(table)
    np.testing.assert_allclose(gap(row), 0.0, atol=1e-9)
    assert f"knee=1.5 starts at {row['knee']:.6g} rad" in told


def test_what_the_file_does_not_say_is_told(script: Script, four_bar: Path, tmp_path: Path) -> None:
    bare = {**PIVOT, "a": {"link": "pivot"}}
    other = {**bare, "b": {"link": "rocker_end", "axis": [0, 1, 0]}}
    table, tables = tmp_path / "a.csv", []
    common = ["--duration", "0.1", "--pose", "drive=0.4", "--csv", table]
    for loop, told in ((PIVOT, ""), (bare, "takes that of joint 'knee'"), (other, "")):
        said = notes(script(four_bar, "--loops", written(tmp_path, loop), *common))
        assert told in said
        assert ("no axis" in said) == bool(told)
        tables.append(np.loadtxt(table, delimiter=",", skiprows=1))
    assert np.abs(np.diff(tables[0][:, 1])).max() > 1e-3  # it moves
    for own in tables[1:]:
        np.testing.assert_allclose(own, tables[0], atol=1e-5)
    # the other way round b is what does not move
    turned = {**PIVOT, "a": {"link": "rocker_end"}, "b": {"link": None, "xyz": [0.45, 0, 0]}}
    told = notes(script(four_bar, "--loops", written(tmp_path, turned), *common))
    assert "loops.json: loop 1: no axis is given, it takes that of joint 'knee'" in told
    rod = {**bare, "kind": "distance", "a": {"link": "ground"}}
    told = notes(script(four_bar, "--loops", written(tmp_path, rod), *common, "--pose", "knee=0"))
    end = 0.1j * np.exp(-0.4j) + (0.45 - 0.1j) * np.exp(-0.4j)
    assert f"it takes the distance in the start pose, {abs(end):.6g} m" in told
    told = notes(script(four_bar, "--loops", written(tmp_path, {**rod, "length": 0.4}), *common))
    assert "no length" not in told


def test_a_loop_that_cannot_be_is_one_line_that_names_file_and_entry(
    script: Script, four_bar: Path, tmp_path: Path
) -> None:
    far = {**PIVOT, "kind": "ball", "a": {"link": None, "xyz": [0.9, 0, 0]}}
    for loop, words in (
        ({**PIVOT, "b": {"link": "rod"}}, ["loops.json: loop 1", "'rod'", "rocker_end"]),
        ({**PIVOT, "a": {"link": "ground"}, "b": {"link": "pivot"}}, ["loop 1", "no joint moves"]),
        (far, ["Ball 'pivot' by 0.1"]),
    ):
        done = script(four_bar, "--loops", written(tmp_path, loop), "--csv", tmp_path / "a.csv")
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1
        assert all(word in done.stderr for word in words), done.stderr
        assert not (tmp_path / "a.csv").exists()


def test_the_file_must_be_there_and_is_not_overwritten(
    four_bar: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, PIVOT)

    def options(*arguments: object) -> Options:
        return read_options([str(four_bar), *map(str, arguments)])

    given = options("--loops", file, "--loop-tolerance", "2e-3", "--report", tmp_path / "a.json")
    assert (given.loops, given.loop_tolerance) == (file, 2e-3)
    assert options("--report", tmp_path / "a.json").loop_tolerance == 1e-4
    check_inputs(given)
    check_outputs(given)
    with pytest.raises(OutputError, match=r"loops.json: is also .*loops.json, which is read"):
        check_outputs(options("--loops", file, "--report", file))
    with pytest.raises(InputError, match=r"--loops .*none.json: is no file"):
        check_inputs(options("--loops", tmp_path / "none.json", "--report", tmp_path / "a.json"))
    with pytest.raises(SystemExit):
        options("--loop-tolerance", "0", "--report", tmp_path / "a.json")
    assert "--loop-tolerance: wanted a number above 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", ["cannot be read as JSON", "line 1"]),
        ("{}", ["wanted a list of loops"]),
        ("[1]", ["loop 1: wanted an object, got 1"]),
        ('[{"kind": "hing"}]', ["loop 1.kind: wanted one of ball", "'hing'"]),
        ('[{"kind": "ball"}]', ["loop 1.a: is missing"]),
        ('[{"kind": "ball", "at": []}]', ["loop 1.at: is unknown; wanted kind, a, b"]),
        ('[{"kind": "ball", "lead": 1}]', ["loop 1.lead: wanted none for a ball, got 1"]),
        ('[{"kind": "screw", "lead": "x"}]', ["loop 1.lead: wanted a finite number, got 'x'"]),
        ('[{"kind": "ball", "a": {"xyz": []}}]', ["loop 1.a.xyz: wanted 3 finite numbers"]),
        ('[{"kind": "ball", "a": {"axis": [0, 0, 0]}}]', ["loop 1.a.axis: wanted a direction"]),
        ('[{"kind": "ball", "a": {"xyz": [0, 0, NaN]}}]', ["3 finite numbers"]),
        (
            '[{"kind": "ball", "a": {"link": 3}, "b": {"link": ""}}]',
            ["loop 1.a.link: wanted a text, got 3"],
        ),
        (
            '[{"kind": "ball", "a": {"axis": [0, 0, 1], "rpy": [0, 0, 1]}}]',
            ["loop 1.a.rpy: wanted none beside an axis"],
        ),
        (
            '[{"kind": "ball", "a": {"xyz": [0, -1e7, 0]}}]',
            ["loop 1.a.xyz: wanted lengths up to 1e+06 m, got [0, -10000000.0, 0]"],
        ),
        (
            '[{"kind": "ball", "a": {"rpy": [0, 0, 1e5]}}]',
            ["loop 1.a.rpy: wanted angles up to 10000 rad, got [0, 0, 100000.0]"],
        ),
        ('[{"kind": "ball", "kind": "weld"}]', ["'kind' is there twice in one object"]),
    ],
)
def test_a_file_that_does_not_fit_is_named_with_its_entry(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    file = tmp_path / "loops.json"
    file.write_text(text)
    with pytest.raises(LoopFileError) as error:
        read_loop_file(file)
    assert str(error.value).startswith(f"{file}: ")
    for word in words:
        assert word in str(error.value)


def test_both_ends_have_places_and_axes_of_their_own(tmp_path: Path) -> None:
    entry = {
        "kind": "Point on Line",
        "a": {"link": None, "xyz": [1, 2, 3], "rpy": [0, 0, 0.5]},
        "b": {"link": "rod", "axis": [0, -3, 0]},
    }
    (loop,) = read_loop_file(written(tmp_path, entry))
    assert loop.kind.id == "POINT_ON_LINE"
    assert loop.a.link is None
    np.testing.assert_allclose(loop.a.place, [1.0, 2.0, 3.0])
    np.testing.assert_allclose(loop.a.rotation[:, 0], [np.cos(0.5), np.sin(0.5), 0.0], atol=1e-15)
    np.testing.assert_allclose(loop.b.place, 0.0)
    np.testing.assert_allclose(loop.b.rotation[:, 2], [0.0, -1.0, 0.0], atol=1e-15)


@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_axes_of_any_size(tmp_path: Path, size: float) -> None:
    entry = {"kind": "hinge", "a": {"link": "rod", "axis": [size, size, 0]}, "b": {"link": None}}
    (loop,) = read_loop_file(written(tmp_path, entry))
    half = np.sqrt(0.5)
    np.testing.assert_allclose(loop.a.rotation[:, 2], [half, half, 0.0], rtol=0.0, atol=1e-15)


def test_a_file_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = written(tmp_path, PIVOT)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert read_loop_file(file)[0].name == "pivot"
