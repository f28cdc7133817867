"""The whole script: its products, and what it says when it cannot make them."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest

Script = Callable[..., CompletedProcess[str]]

FPS, FRAMES = 10, 6
START = {"shoulder": 0.4, "elbow": -0.7, "grip": 0.02}
PRODUCTS = {"out": "arm.blend", "render": "arm.mp4", "sheet": "arm.png"} | {
    "csv": "arm.csv",
    "npz": "arm.npz",
    "report": "arm.json",
}


@dataclass(frozen=True)
class Run:
    """One run that makes every product."""

    folder: Path
    done: CompletedProcess[str]

    def __getitem__(self, product: str) -> Path:
        return self.folder / PRODUCTS[product]

    def report(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self["report"].read_text())
        return report


@pytest.fixture(scope="module")
def run(script: Script, arm: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("a # folder")
    files = [part for name, file in PRODUCTS.items() for part in (f"--{name}", folder / file)]
    pose = [f"{joint}={value}" for joint, value in START.items()]
    motion = ["--duration", "0.5", "--fps", FPS, "--pose", *pose, "--size", "128x96"]
    return Run(folder, script(arm, *files, *motion))


def rows_of(path: Path) -> tuple[list[str], np.ndarray]:
    with path.open(newline="") as file:
        header, *rows = csv.reader(file)
    return header, np.array(rows, dtype=float)


def test_it_succeeds_and_prints_nothing_but_its_table(run: Run) -> None:
    assert run.done.returncode == 0, run.done.stderr
    assert not run.done.stderr
    # a real Blender prints its own name before it runs anything
    table = [line for line in run.done.stdout.splitlines() if not line.startswith("Blender ")]
    assert table[0] == "arm"
    assert all(line.startswith("  ") for line in table[1:])
    for label in ("links", "keys", "largest pose difference", "drift of energy", "render"):
        assert label in run.done.stdout
    # and at the end where its products are
    written = {line.removeprefix("  written: ") for line in table if "written" in line}
    assert written == {str(run[product]) for product in PRODUCTS}
    assert "written" in table[-1]


def test_every_product_is_there_and_nothing_else(run: Run) -> None:
    assert {path.name for path in run.folder.iterdir()} == set(PRODUCTS.values())
    assert run["render"].read_bytes()[4:8] == b"ftyp"
    assert run["sheet"].read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_the_figures_are_within_the_bounds_of_the_design(run: Run) -> None:
    report = run.report()
    counts = {key: report[key] for key in ("links", "joints", "bones", "frames", "keys")}
    assert counts == {"links": 5, "joints": 4, "bones": 4, "frames": FRAMES, "keys": 3 * FRAMES}
    assert report["pose_difference"] < 1e-5
    assert report["pose_difference_between"] < 1e-5
    assert report["energy_drift"] < 1e-4
    assert report["dissipated"] > 0.0


def test_the_table_of_joint_values_starts_at_the_pose(run: Run) -> None:
    header, rows = rows_of(run["csv"])
    rates = [
        *("shoulder.v [rad/s]", "elbow.v [rad/s]", "grip.v [m/s]"),
        *("shoulder.a [rad/s^2]", "elbow.a [rad/s^2]", "grip.a [m/s^2]"),
    ]
    assert header == ["time [s]", "shoulder [rad]", "elbow [rad]", "grip [m]", *rates]
    np.testing.assert_allclose(rows[:, 0], np.arange(FRAMES) / FPS, atol=1e-12)
    np.testing.assert_allclose(rows[0, 1:4], list(START.values()), atol=1e-12)
    np.testing.assert_allclose(rows[0, 4:7], 0.0, atol=1e-12)
    assert np.abs(rows[-1] - rows[0])[1] > 0.05
    # at rest at first, falling from there: x = a t^2 / 2 is the first frame's order
    fall = 0.5 * rows[0, 7:9] * rows[1, 0] ** 2
    np.testing.assert_allclose(rows[1, 1:3] - rows[0, 1:3], fall, rtol=0.2)


def test_the_whole_motion_is_kept(run: Run) -> None:
    from dynarig.core.dynamics import compile_robot
    from dynarig.core.trajectory import load_trajectory
    from dynarig.core.urdf import parse_urdf

    description = Path(__file__).parents[1] / "data" / "arm" / "arm.urdf"
    model = compile_robot(parse_urdf(description.read_text()))
    motion = load_trajectory(run["npz"], model)
    _, rows = rows_of(run["csv"])
    np.testing.assert_allclose(motion.times, rows[:, 0], atol=1e-12)
    samples = np.hstack((motion.q, motion.v, motion.a))
    np.testing.assert_allclose(samples, rows[:, 1:], rtol=0.0, atol=1e-9)
    assert motion.energy_drift == run.report()["energy_drift"]


def test_the_film_has_the_frames_and_the_size(run: Run, opened: Callable[[Path], None]) -> None:
    import bpy

    opened(run["out"])
    film = bpy.data.movieclips.load(str(run["render"]))
    assert film.frame_duration == FRAMES
    assert tuple(film.size) == (128, 96)


def test_the_sheet_shows_twelve_different_pictures(
    run: Run, opened: Callable[[Path], None]
) -> None:
    import bpy

    opened(run["out"])
    image = bpy.data.images.load(str(run["sheet"]))
    pixels = np.array(image.pixels[:]).reshape(image.size[1], image.size[0], 4)[..., :3]
    white = pixels.min(axis=2) > 0.999
    rows, columns = bands(white.all(axis=1)), bands(white.all(axis=0))
    tiles = [pixels[a:b, c:d] for a, b in rows for c, d in columns]
    assert len(tiles) == 12
    assert len({tile.shape for tile in tiles}) == 1
    assert all(tile.std() > 0.02 for tile in tiles)
    # the orange arm is seen in each
    orange = [(tile[..., 0] > 1.8 * tile[..., 2]).sum() for tile in tiles]
    assert min(orange) > 0.002 * tiles[0][..., 0].size
    # and hangs elsewhere in the next
    assert all(np.abs(a - b).max() > 0.2 for a, b in pairwise(tiles))


def bands(gap: np.ndarray) -> list[tuple[int, int]]:
    """(start, end) of each run of rows or columns between the gaps."""
    edges = np.flatnonzero(np.diff(np.concatenate(([True], gap, [True])).astype(int)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def test_the_scene_is_complete_and_shows_the_motion(
    run: Run, opened: Callable[[Path], None]
) -> None:
    import bpy
    from dynarig.addon.blender.pose import evaluated_link_poses
    from dynarig.core.dynamics import compile_robot, link_poses
    from dynarig.core.urdf import parse_urdf

    opened(run["out"])
    scene = bpy.context.scene
    assert (scene.frame_start, scene.frame_end, scene.frame_current) == (1, FRAMES, 1)
    assert scene.render.fps / scene.render.fps_base == pytest.approx(FPS)
    assert scene.camera is not None
    assert {"Floor", "Sun", "Camera", "arm"} <= set(bpy.data.objects.keys())
    views = [area.spaces.active for s in bpy.data.screens for area in s.areas]
    shading = {view.shading.color_type for view in views if view.type == "VIEW_3D"}
    assert shading == {"MATERIAL"}

    robot = bpy.data.objects["arm"]
    description = Path(__file__).parents[1] / "data" / "arm" / "arm.urdf"
    model = compile_robot(parse_urdf(description.read_text()))
    _, rows = rows_of(run["csv"])
    expected = link_poses(model, rows[:, 1 : 1 + model.nq])
    for frame, poses in enumerate(expected, start=1):
        scene.frame_set(frame)
        found = evaluated_link_poses(bpy.context, robot)
        for name, pose in zip(model.link_names, poses, strict=True):
            np.testing.assert_allclose(found[name], pose, atol=1e-5)


def test_the_camera_sees_the_robot_in_every_frame(run: Run, opened: Callable[[Path], None]) -> None:
    import bpy
    from bpy_extras.object_utils import world_to_camera_view

    opened(run["out"])
    scene = bpy.context.scene
    heights = []
    for frame in range(1, FRAMES + 1):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        for obj in bpy.data.objects["arm"].children:
            part = obj.evaluated_get(graph)
            for vertex in part.data.vertices:
                x, y, _ = world_to_camera_view(scene, scene.camera, part.matrix_world @ vertex.co)
                assert 0.0 < x < 1.0
                assert 0.0 < y < 1.0
                heights.append(y)
    assert max(heights) - min(heights) > 0.7


def keys_of(scene_object: Any) -> dict[tuple[str, int], np.ndarray]:
    """The keys (n, 2) of every F-curve of an object."""
    from dynarig.addon.compat import existing_channels

    return {
        (curve.data_path, curve.array_index): np.array(
            [tuple(point.co) for point in curve.keyframe_points]
        )
        for curve in existing_channels(scene_object)
    }


@pytest.mark.parametrize("suffix", ["csv", "npz"])
def test_a_file_bakes_to_the_keys_it_was_written_from(
    script: Script, arm: Path, tmp_path: Path, opened: Callable[[Path], None], suffix: str
) -> None:
    import bpy

    table, copy = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    motion = ["--fps", FPS, "--interpolation", "LINEAR"]
    first = script(
        arm,
        "--duration",
        "0.5",
        *motion,
        f"--{suffix}",
        table,
        "--out",
        tmp_path / "a.blend",
        "--pose",
        "elbow=0.3",
    )
    assert first.returncode == 0, first.stderr
    second = script(
        arm, "--trajectory", table, *motion, f"--{suffix}", copy, "--out", tmp_path / "b.blend"
    )
    assert second.returncode == 0, second.stderr
    if suffix == "csv":
        np.testing.assert_allclose(rows_of(copy)[1], rows_of(table)[1], atol=1e-9)
    else:
        assert copy.read_bytes() == table.read_bytes()
    keys = []
    for name in ("a.blend", "b.blend"):
        opened(tmp_path / name)
        keys.append(keys_of(bpy.data.objects["arm"]))
    assert keys[0].keys() == keys[1].keys()
    for channel, points in keys[0].items():
        np.testing.assert_array_equal(points, keys[1][channel])


def test_case_13_bakes_many_turns_from_a_table(
    script: Script, data: Path, tmp_path: Path, opened: Callable[[Path], None]
) -> None:
    import bpy
    from dynarig.addon.blender.pose import evaluated_link_poses

    case = data / "urdf" / "13_bake_many_turns"
    scene_file = tmp_path / "spinner.blend"
    table = ["--trajectory", case / "traj.csv", "--interpolation", "LINEAR"]
    done = script(case / "spinner.urdf", *table, "--out", scene_file)
    assert done.returncode == 0, done.stderr
    opened(scene_file)
    scene, robot = bpy.context.scene, bpy.data.objects["spinner"]
    expected = json.loads((case / "expected.json").read_text())
    assert scene.frame_end == expected["last_frame"]
    for text, values in {**expected["frames"], **expected["subframes(linear keys)"]}.items():
        frame = float(text)
        scene.frame_set(int(frame), subframe=frame % 1.0)
        blade = evaluated_link_poses(bpy.context, robot)["blade"]
        np.testing.assert_allclose(blade[:3, 3], values["blade_xyz"], atol=2e-5)


def test_a_robot_that_travels_far_is_followed_by_the_camera(
    script: Script, arm: Path, tmp_path: Path, opened: Callable[[Path], None]
) -> None:
    import bpy
    from bpy_extras.object_utils import world_to_camera_view

    scene_file = tmp_path / "arm.blend"
    done = script(arm, "--floating-base", "--duration", "2", "--fps", "5", "--out", scene_file)
    assert done.returncode == 0, done.stderr
    opened(scene_file)
    scene = bpy.context.scene
    for frame in (scene.frame_start, scene.frame_end):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        for obj in bpy.data.objects["arm"].children:
            place = obj.evaluated_get(graph).matrix_world.translation
            x, y, _ = world_to_camera_view(scene, scene.camera, place)
            assert 0.0 < x < 1.0
            assert 0.0 < y < 1.0
    assert obj.evaluated_get(graph).matrix_world.translation.z < -15.0


def test_it_runs_from_the_folder_of_an_installed_extension(
    script: Script, arm: Path, tmp_path: Path, extension_zip: Path
) -> None:
    package = tmp_path / "any_name"
    shutil.unpack_archive(extension_zip, package)
    table = tmp_path / "arm.csv"
    done = script(arm, "--duration", "0.2", "--csv", table, package=package)
    assert done.returncode == 0, done.stderr
    assert len(rows_of(table)[1]) == 5


BAD_URDF = '<robot name="r"><link name="a"/><link name="a"/></robot>'
NO_INERTIA = (
    '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous">'
    '<parent link="a"/><child link="b"/></joint></robot>'
)


@pytest.mark.parametrize(
    ("robot", "arguments", "words"),
    [
        ("none.urdf", ["--csv", "{}/x.csv"], ["none.urdf", "is no file"]),
        ("bad.urdf", ["--csv", "{}/x.csv"], ["bad.urdf", "'a'"]),
        ("massless.urdf", ["--csv", "{}/x.csv"], ["inertia", "'j'"]),
        ("arm.urdf", ["--out", "{}/none/x.blend"], ["none", "does not exist"]),
        ("arm.urdf", ["--out", "{}/folder.blend"], ["is a folder"]),
        ("arm.urdf", ["--csv", "{}/good.csv", "--trajectory", "{}/good.csv"], ["is also"]),
        ("arm.urdf", ["--csv", "{}/x.csv", "--pose", "wrist=1"], ["wrist", "elbow"]),
        ("arm.urdf", ["--csv", "{}/x.csv", "--pose", "grip=0.5"], ["grip", "0.04"]),
        ("arm.urdf", ["--csv", "{}/x.csv", "--pose", "grip_other=0.02"], ["follows 'grip'"]),
        ("arm.urdf", ["--csv", "{}/x.csv", "--trajectory", "{}/other.csv"], ["csv:1", "spin"]),
        ("arm.urdf", ["--csv", "{}/x.csv", "--trajectory", "{}/nan.csv"], ["nan.csv:3", "elbow"]),
        ("arm.urdf", ["--csv", "{}/x.csv", "--trajectory", "{}/gone.csv"], ["gone.csv"]),
        ("arm.urdf", ["--npz", "{}/x.npz", "--trajectory", "{}/no.npz"], ["no.npz", "zip"]),
        ("arm.urdf", ["--csv", "{}/x.csv", "--trajectory", "{}/deg.csv"], ["'elbow'", "rad"]),
        ("arm.urdf", ["--csv", "{}/x.csv", "--package-dir", "{}/none"], ["--package-dir"]),
        ("arm.urdf", ["--csv", "{}/x.csv", "--trajectory", "{}/long.csv"], ["long.csv", "1048573"]),
        (
            "arm.urdf",
            ["--csv", "{}/x.csv", "--trajectory", "{}/far.csv"],
            ["'elbow' reaches 1e+09"],
        ),
        ("clash.urdf", ["--csv", "{}/x.csv"], ["two columns", "'time'"]),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_code_1(
    script: Script, arm: Path, tmp_path: Path, robot: str, arguments: list[str], words: list[str]
) -> None:
    (tmp_path / "arm.urdf").write_bytes(arm.read_bytes())
    (tmp_path / "bad.urdf").write_text(BAD_URDF)
    (tmp_path / "massless.urdf").write_text(NO_INERTIA)
    (tmp_path / "folder.blend").mkdir()
    (tmp_path / "good.csv").write_text("time,elbow\n0,0\n1,1\n")
    (tmp_path / "other.csv").write_text("time,spin\n0,0\n1,1\n")
    (tmp_path / "no.npz").write_text("time,elbow\n0,0\n1,1\n")
    (tmp_path / "deg.csv").write_text("time,elbow [deg]\n0,0\n1,1\n")
    (tmp_path / "nan.csv").write_text("time,elbow\n0,0\n1,nan\n")
    (tmp_path / "long.csv").write_text("time,elbow\n0,0\n1e300,1\n")
    (tmp_path / "far.csv").write_text("time,elbow\n0,0\n1,1e9\n")
    (tmp_path / "clash.urdf").write_text(arm.read_text().replace('"elbow"', '"time"'))
    before = sorted(path.name for path in tmp_path.rglob("*"))
    done = script(tmp_path / robot, *(text.format(tmp_path) for text in arguments))
    assert done.returncode == 1, done.stdout
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert all(word in done.stderr for word in words), done.stderr
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


def test_wrong_usage_ends_with_code_2_in_blender_too(script: Script, arm: Path) -> None:
    done = script(arm, "--duration", "-3")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
