"""Robots that meet the ground, by the script: figures, motion, keys and pictures agree."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest

Script = Callable[..., CompletedProcess[str]]

EDGE = 0.2  # m, of the box below
BOX = f'<geometry><box size="{EDGE} {EDGE} {EDGE}"/></geometry>'
CRATE = (
    '<robot name="crate"><link name="crate"><inertial><mass value="1"/>'
    '<inertia ixx="0.0067" ixy="0" ixz="0" iyy="0.0067" iyz="0" izz="0.0067"/></inertial>'
    f"<visual>{BOX}</visual><collision>{BOX}</collision></link></robot>"
)
PUSHER = (
    '<robot name="pusher"><link name="rail"/><link name="sled"><inertial><mass value="1"/>'
    '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    f"<collision>{BOX}</collision></link>"
    '<joint name="slide" type="prismatic"><parent link="rail"/><child link="sled"/>'
    '<axis xyz="0 0 1"/><limit lower="-0.5" upper="2" effort="100" velocity="1"/></joint></robot>'
)
# a slope of 30 degrees through the origin, two triangles
RISE = np.tan(np.radians(30.0))
SLOPE = "".join(f"v {x} {y} {-x * RISE}\n" for x in (-3, 3) for y in (-3, 3)) + "f 1 3 4 2\n"


@pytest.fixture
def crate(tmp_path: Path) -> Path:
    return written(tmp_path / "crate.urdf", CRATE)


@pytest.fixture
def pusher(tmp_path: Path) -> Path:
    return written(tmp_path / "pusher.urdf", PUSHER)


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


class Made:
    """What a run has written."""

    def __init__(self, done: CompletedProcess[str], folder: Path) -> None:
        assert done.returncode == 0, done.stderr
        self.shown = done.stdout
        self.report: dict[str, Any] = json.loads((folder / "x.json").read_text())
        lines = (folder / "x.csv").read_text().splitlines()
        names = [name.split(" ")[0] for name in lines[0].split(",")]
        rows = np.array([[float(cell) for cell in line.split(",")] for line in lines[1:]])
        self.column = dict(zip(names, rows.T, strict=True))


@pytest.fixture
def make(script: Script, tmp_path: Path) -> Callable[..., Made]:
    """Run the script with a table and a report, and read them."""

    def run(*arguments: object) -> Made:
        products = ("--csv", tmp_path / "x.csv", "--report", tmp_path / "x.json")
        return Made(script(*arguments, *products), tmp_path)

    return run


FALL = ("--floating-base", "--ground", "floor")
WITH_FRICTION = (*FALL, "--scheme", "friction")


@pytest.mark.parametrize("scheme", ["exact", "friction"])
def test_a_dropped_box_falls_by_the_height_and_lies_on_the_floor(
    make: Callable[..., Made], crate: Path, scheme: str
) -> None:
    made = make(crate, *FALL, "--scheme", scheme, "--drop", "0.3", "--duration", "0.5")
    height = made.column["floating_base.z"]
    assert height[0] == pytest.approx(0.3 + 0.5 * EDGE, abs=1e-12)
    assert height[5] == pytest.approx(height[0] - 0.5 * 9.81 * (5 / 24) ** 2, abs=1e-6)
    assert height[-1] == pytest.approx(0.5 * EDGE, abs=1e-4)
    assert made.report["scheme"] == scheme
    assert scheme in made.shown
    assert made.report["real_time_factor"] > 0.0
    assert "times as fast as real time" in made.shown


def test_the_figures_are_those_of_the_scheme(make: Callable[..., Made], crate: Path) -> None:
    own = ("--drop", "0.05", "--duration", "0.3")
    stepped = make(crate, *WITH_FRICTION, *own).report
    assert 0.0 <= stepped["penetration"] < 1e-4
    assert 0.0 <= stepped["residual"] < 1e-5
    assert stepped["unconverged"] == 0
    assert "impacts" not in stepped
    exact = make(crate, *FALL, *own)
    assert exact.report["impacts"] >= 1
    assert "penetration" not in exact.report
    assert "comes to rest" in exact.shown
    free = make(crate, "--floating-base", "--duration", "0.3").report
    assert "scheme" not in free


@pytest.mark.parametrize("scheme", ["exact", "friction"])
def test_a_box_bounces_as_high_as_its_restitution_says(
    make: Callable[..., Made], crate: Path, scheme: str
) -> None:
    own = ("--scheme", scheme, "--restitution", "0.8", "--drop", "0.2", "--fps", "200")
    made = make(crate, *FALL, *own, "--duration", "0.6")
    height = made.column["floating_base.z"] - 0.5 * EDGE
    # after the first hit, which is at 0.2 s
    top = height[60:].max()
    assert top == pytest.approx(0.64 * 0.2, abs=1e-3)


def test_a_pose_of_the_floating_base_is_a_start_too(make: Callable[..., Made], crate: Path) -> None:
    turned = ("--pose", "floating_base.z=0.5", "floating_base.qx=0.4", "--duration", "1.5")
    made = make(crate, *WITH_FRICTION, *turned)
    assert made.column["floating_base.z"][0] == pytest.approx(0.5)
    # it lies on one of its faces
    assert made.column["floating_base.z"][-1] == pytest.approx(0.5 * EDGE, abs=1e-3)


def test_the_lowest_point_of_a_turned_box_is_its_edge(
    make: Callable[..., Made], crate: Path
) -> None:
    eighth = f"floating_base.qx={np.tan(np.pi / 8.0):.17g}"
    made = make(crate, *FALL, "--drop", "0", "--pose", eighth, "--duration", "0.05")
    assert made.column["floating_base.z"][0] == pytest.approx(EDGE / np.sqrt(2.0), abs=1e-9)


@pytest.mark.parametrize(("friction", "sticks"), [(0.7, True), (0.4, False)])
def test_a_box_on_a_slope_from_a_file_sticks_or_slides(
    make: Callable[..., Made],
    crate: Path,
    tmp_path: Path,
    opened: Callable[[Path], None],
    friction: float,
    sticks: bool,
) -> None:
    import bpy

    slope = written(tmp_path / "slope.obj", SLOPE)
    half = np.radians(15.0)
    away = 0.5 * EDGE * np.array([np.sin(2.0 * half), np.cos(2.0 * half)])
    start = {"x": away[0], "z": away[1], "qw": np.cos(half), "qy": np.sin(half)}
    pose = [f"floating_base.{name}={value:.17g}" for name, value in start.items()]
    own = ("--floating-base", "--scheme", "friction", "--ground", slope, "--friction", friction)
    scene = tmp_path / "x.blend"
    made = make(crate, *own, "--pose", *pose, "--duration", "1", "--out", scene)
    moved = np.hypot(
        *(
            made.column[f"floating_base.{name}"][-1] - made.column[f"floating_base.{name}"][0]
            for name in "xz"
        )
    )
    pull = 9.81 * (np.sin(2.0 * half) - friction * np.cos(2.0 * half))
    assert moved == pytest.approx(0.0 if sticks else 0.5 * pull, abs=0.01 * 0.5 * abs(pull))
    # the slope is seen, and the studio's floor does not cut it
    opened(scene)
    assert "slope" in bpy.data.objects
    corners = [
        bpy.data.objects["slope"].matrix_world @ v.co
        for v in bpy.data.objects["slope"].data.vertices
    ]
    assert bpy.data.objects["Floor"].location.z < min(corner.z for corner in corners)


def test_links_have_surfaces_of_their_own(
    make: Callable[..., Made], crate: Path, tmp_path: Path
) -> None:
    surfaces = tmp_path / "surfaces.json"
    own = ("--surfaces", surfaces, "--drop", "0.1", "--duration", "0.5", "--fps", "200")

    def top(text: str) -> float:
        written(surfaces, text)
        made = make(crate, *WITH_FRICTION, *own)
        return float((made.column["floating_base.z"] - 0.5 * EDGE)[45:].max())

    assert top('{"crate": {"restitution": 0.9, "friction": 0.1}}') == pytest.approx(0.081, abs=1e-3)
    assert top("{}") < 1e-3


def test_a_link_that_does_not_collide_falls_through_the_floor(
    make: Callable[..., Made], pusher: Path, tmp_path: Path
) -> None:
    surfaces = written(tmp_path / "s.json", '{"sled": {"collides": false, "limit": false}}')
    own = ("--ground", "floor", "--pose", "slide=0.2", "--duration", "0.5")
    assert make(pusher, *own).column["slide"][-1] == pytest.approx(0.5 * EDGE, abs=1e-6)
    fallen = make(pusher, *own, "--surfaces", surfaces).column["slide"][-1]
    # past its limit too
    assert fallen == pytest.approx(0.2 - 0.5 * 9.81 * 0.25, abs=1e-6)


@pytest.mark.parametrize("scheme", ["exact", "friction"])
def test_a_joint_bounces_at_its_limit_as_its_link_says(
    make: Callable[..., Made], pusher: Path, tmp_path: Path, scheme: str
) -> None:
    surfaces = written(tmp_path / "s.json", '{"sled": {"limit_restitution": 0.5}}')
    own = ("--surfaces", surfaces, "--duration", "0.6", "--fps", "200", "--scheme", scheme)
    slide = make(pusher, *own).column["slide"]
    # 0.5 m in 0.32 s, and a quarter of it back in 0.16 s
    assert slide.min() == pytest.approx(-0.5, abs=1e-2)
    assert slide[75:].max() == pytest.approx(-0.375, abs=2e-3)


def test_motors_hold_the_start_pose(make: Callable[..., Made], arm: Path) -> None:
    pose = ("--pose", "shoulder=0.5", "elbow=0.3", "--duration", "0.5")
    loose = make(arm, *pose)
    held = make(arm, *pose, "--hold", "--hold-frequency", "20", "--hold-damping", "1")
    soft = make(arm, *pose, "--hold", "--hold-frequency", "2")
    away = [np.abs(own.column["elbow"] - 0.3).max() for own in (loose, soft, held)]
    assert away[0] > 2.0 * away[1] > 4.0 * away[2]


def test_motors_are_as_strong_as_the_description_says(
    make: Callable[..., Made], pusher: Path
) -> None:
    pusher.write_text(PUSHER.replace('effort="100"', 'effort="5"'))
    slide = make(pusher, "--hold", "--hold-frequency", "50", "--duration", "0.2").column["slide"]
    # 9.81 N pull, 5 N hold
    assert slide[-1] == pytest.approx(-0.5 * (9.81 - 5.0) * slide_time(slide) ** 2, abs=2e-3)


def slide_time(rows: np.ndarray) -> float:
    """The time of the last of rows at 24 a second."""
    return (len(rows) - 1) / 24.0


def test_a_shorter_step_is_taken(make: Callable[..., Made], crate: Path, tmp_path: Path) -> None:
    from dynarig.core.dynamics import compile_robot
    from dynarig.core.trajectory import load_trajectory
    from dynarig.core.urdf import parse_urdf

    model = compile_robot(parse_urdf(CRATE), floating_base=True)
    file = tmp_path / "x.npz"
    steps = []
    for step in (0.01, 0.002):
        own = ("--contact-step", step, "--duration", "0.25", "--npz", file)
        make(crate, *WITH_FRICTION, "--drop", "0.01", *own)
        steps.append(load_trajectory(file, model).touches.steps)
    assert steps == [25, 125]


def test_keys_at_impacts_are_left_out_when_asked(
    make: Callable[..., Made], crate: Path, tmp_path: Path, opened: Callable[[Path], None]
) -> None:
    import bpy
    from dynarig.addon.compat import existing_channels

    scene = tmp_path / "x.blend"
    own = (*FALL, "--drop", "0.3", "--restitution", "0.9", "--duration", "0.5", "--out", scene)

    def fractional() -> int:
        opened(scene)
        curves = existing_channels(bpy.data.objects["crate"])
        return sum(point.co[0] % 1.0 != 0.0 for curve in curves for point in curve.keyframe_points)

    make(crate, *own)
    assert fractional() > 0
    make(crate, *own, "--no-impact-keys")
    assert fractional() == 0


def test_the_floor_of_the_film_is_the_ground(
    script: Script, crate: Path, tmp_path: Path, opened: Callable[[Path], None]
) -> None:
    import bpy

    for ground, height in (("floor", 0.0), ("none", None)):
        scene = tmp_path / f"{ground}.blend"
        turned = ("--pose", "floating_base.z=0.25", "floating_base.qx=0.4")
        own = ("--floating-base", "--scheme", "friction", "--ground", ground, "--duration", "0.5")
        assert script(crate, *own, *turned, "--out", scene).returncode == 0
        opened(scene)
        found = bpy.data.objects["Floor"].location.z
        assert found == height if height is not None else found < -0.5


def test_a_motion_that_is_read_shows_the_ground_and_keeps_its_contacts(
    make: Callable[..., Made], crate: Path, tmp_path: Path, opened: Callable[[Path], None]
) -> None:
    import bpy

    file, scene = tmp_path / "x.npz", tmp_path / "x.blend"
    turned = ("--pose", "floating_base.z=0.25", "floating_base.qx=0.4", "--duration", "0.5")
    first = make(crate, *WITH_FRICTION, *turned, "--npz", file).column
    second = make(
        crate, "--floating-base", "--trajectory", file, "--ground", "floor", "--out", scene
    )
    for name, rows in first.items():
        np.testing.assert_allclose(second.column[name], rows, atol=1e-9)
    assert "scheme" not in second.report
    opened(scene)
    assert bpy.data.objects["Floor"].location.z == 0.0


def test_links_touch_each_other_when_asked(make: Callable[..., Made], tmp_path: Path) -> None:
    """Two sleds on rails of their own fall one on the other."""
    sled = PUSHER[PUSHER.index('<link name="sled">') : PUSHER.index("</robot>")]
    upper = sled.replace("sled", "upper").replace("slide", "above")
    text = PUSHER.replace("</robot>", f"{upper}</robot>").replace("-0.5", "0")
    file = written(tmp_path / "two.urdf", text)
    own = ("--scheme", "friction", "--pose", "above=0.5", "--duration", "0.5")
    through = make(file, *own).column["above"][-1]
    assert through == pytest.approx(0.0, abs=1e-3)
    stacked = make(file, *own, "--self-collision").column["above"][-1]
    assert stacked == pytest.approx(EDGE, abs=1e-3)


def test_what_is_seen_touches_when_asked(make: Callable[..., Made], tmp_path: Path) -> None:
    higher = BOX.replace(f"{EDGE} {EDGE} {EDGE}", f"{EDGE} {EDGE} {2.0 * EDGE}")
    text = CRATE.replace(f"<visual>{BOX}", f"<visual>{higher}")
    file = written(tmp_path / "tall.urdf", text)
    own = (*WITH_FRICTION, "--drop", "0", "--duration", "0.1", "--geometry")
    heights = [
        make(file, *own, kind).column["floating_base.z"][-1] for kind in ("collision", "visual")
    ]
    assert heights == pytest.approx([0.5 * EDGE, EDGE], abs=1e-4)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--ground", "{}/none.stl"], ["--ground", "none.stl", "is no file"]),
        (["--ground", "{}/crate.urdf"], ["--ground", "crate.urdf", ".stl"]),
        (["--surfaces", "{}/x.json", "--report", "{}/x.json"], ["x.json", "is also"]),
        (["--surfaces", "{}/x.json"], ["x.json", "'wheel'", "crate"]),
    ],
)
def test_what_cannot_be_used_is_one_line_and_exit_code_1(
    script: Script, crate: Path, tmp_path: Path, arguments: list[str], words: list[str]
) -> None:
    written(tmp_path / "x.json", '{"wheel": {"friction": 1}}')
    own = [text.format(tmp_path) for text in arguments]
    own += ["--floating-base", "--scheme", "friction", "--duration", "0.1"]
    done = script(crate, *own, "--csv", tmp_path / "x.csv")
    assert done.returncode == 1, done.stdout
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert all(word in done.stderr for word in words), done.stderr
    assert not (tmp_path / "x.csv").exists()


def test_a_shape_that_exact_impacts_do_not_know_is_told_by_the_names_of_options(
    script: Script, tmp_path: Path
) -> None:
    can = CRATE.replace(BOX, '<geometry><cylinder radius=".1" length=".2"/></geometry>')
    file = written(tmp_path / "can.urdf", can)
    done = script(file, *FALL, "--csv", tmp_path / "x.csv")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "link 'crate' touches with a cylinder" in line
    assert "add --scheme friction" in line
    assert "--surfaces" in line
    assert "(FRICTION)" not in line
