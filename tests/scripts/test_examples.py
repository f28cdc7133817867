"""The examples: short, with the right numbers, and pictures that show bodies in place."""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from ..close import assert_close
from ..gif_reader import read_gif

NAMES = (
    *("planar_pendulum", "double_pendulum", "furuta_pendulum", "spring_mass_pendulum"),
    *("quadruped", "four_bar", "spatial_slider_crank", "stewart_platform", "jack_in_a_box"),
)
PLOTS = ("jack_in_a_box",)  # those that write curves too
FILM = {"size": (96, 54), "fps": 2.0}  # what `main` renders: small and quick
STILL = (400, 226)  # pixels, of the pictures that are measured
BODY = ("r_cm", "a_cm", "R", "w", "wd")  # what a body's equations of motion need
NEAR = 1.5  # pixels between where a body is and where its picture shows it


@pytest.fixture(scope="module")
def example(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable:
    """Call with a name: the solution and the film of an example, which runs once."""
    done: dict[str, tuple] = {}

    def run(name: str) -> tuple:
        if name not in done:
            folder = tmp_path_factory.mktemp(name)
            done[name] = load(root, name).main(folder, **FILM)
            files = {f"{name}.gif", f"{name}.blend"} | {
                f"{own}.svg" for own in PLOTS if own == name
            }
            assert {path.name for path in folder.iterdir()} == files
        return done[name]

    return run


def load(root: Path, name: str) -> ModuleType:
    file = root / "scripts" / "examples" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"example_{name}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def still(sol, t: float, folder: Path):
    """A frame of a motion: the film and the picture (height, width, 3), display colours 0..1."""
    import bpy
    from dynarig.addon.render import render

    film = render(sol.mechanism, sol, folder / "still.png", at=t, size=STILL)
    image = bpy.data.images.load(str(film.path))
    pixels = np.array(image.pixels[:]).reshape(STILL[1], STILL[0], 4)[::-1, :, :3]
    bpy.data.images.remove(image)
    return film, pixels


def seen(picture: np.ndarray, colour: tuple[float, float, float]) -> np.ndarray:
    """The pixels (n, 2), as x and y of their middles, that have the hue of a colour."""
    chroma = picture - picture.mean(axis=2, keepdims=True)
    wanted = np.array(colour) - np.mean(colour)
    length = np.linalg.norm(chroma, axis=2)
    alike = (chroma @ wanted) / np.maximum(length * np.linalg.norm(wanted), 1e-9)
    y, x = np.nonzero((alike > 0.98) & (length > 0.3 * np.linalg.norm(wanted)))
    assert len(x) > 20, "hardly any pixel has this colour"
    return np.stack((x, y), axis=1) + 0.5


def outline(sol, t: float, component: str) -> np.ndarray:
    """Corners of a component's box, rims of its cylinder, outer points of its ball; (n, 3)."""
    from dynarig.core.mechanism.picture import picture

    solid = next(s for s in picture(sol.compiled).solids if s.component == component)
    poses = sol.trajectory.link_poses(t)
    pose = poses[sol.compiled.model.link_names.index(solid.link)] @ solid.link_from_solid
    if solid.kind == "box":
        half = np.array(solid.size) / 2.0
        points = np.array(list(itertools.product((-1, 1), repeat=3))) * half
    elif solid.kind == "sphere":
        points = solid.size[0] * np.concatenate((np.eye(3), -np.eye(3)))
    else:
        radius, length = solid.size
        turns = np.linspace(0.0, 2.0 * np.pi, 64)
        rim = np.stack((radius * np.cos(turns), radius * np.sin(turns), 0.0 * turns), axis=1)
        points = np.concatenate([rim + np.array([0.0, 0.0, end * length]) for end in (-0.5, 0.5)])
    return points @ pose[:3, :3].T + pose[:3, 3]


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_short_and_says_what_it_is(root: Path, name: str) -> None:
    lines = (root / "scripts" / "examples" / f"{name}.py").read_text().splitlines()
    assert len(lines) < 60
    assert lines[0].startswith('"""') and f"scripts/examples/{name}.py" in lines[2]


def test_there_are_no_other_examples(root: Path) -> None:
    assert {path.stem for path in (root / "scripts" / "examples").glob("*.py")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_without_blender_an_example_prints_its_numbers_and_a_hint(
    root: Path, tmp_path: Path, name: str
) -> None:
    file = str(root / "scripts" / "examples" / f"{name}.py")
    code = f"""
import runpy, sys
sys.modules["bpy"] = None  # importing it raises ImportError
runpy.run_path({file!r}, run_name="__main__")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "blender --background" in done.stdout
    assert not list(tmp_path.iterdir())


def test_planar_pendulum(example: Callable) -> None:
    sol, _ = example("planar_pendulum")
    assert_close(sol(1.0, "revolute.phi"), -2.88130447131128, 1e-9)
    assert_close(sol(1.0, "body.r"), (-0.9663158519474605, -0.2573590376789857), 1e-9)
    assert_close(sol(3.0, "revolute.phi"), -1.1353980733426001, 1e-9)


def test_double_pendulum(example: Callable) -> None:
    """Against the equations of Lagrange, written for the two angles from the level."""
    sol, _ = example("double_pendulum")
    m1, m2, l1, l2, g = 1.0, 0.5, 1.0, 0.8, 9.80665

    def rates(y: np.ndarray) -> np.ndarray:
        a, b, u, w = y
        c, s = np.cos(a - b), np.sin(a - b)
        mass = [[(m1 + m2) * l1**2, m2 * l1 * l2 * c], [m2 * l1 * l2 * c, m2 * l2**2]]
        force = [
            -m2 * l1 * l2 * s * w * w - (m1 + m2) * g * l1 * np.cos(a),
            m2 * l1 * l2 * s * u * u - m2 * g * l2 * np.cos(b),
        ]
        return np.array([u, w, *np.linalg.solve(mass, force)])

    y, h = np.array([0.4, 0.7, 0.0, 0.0]), 1e-3
    for _ in range(1000):
        k1 = rates(y)
        k2 = rates(y + h / 2 * k1)
        k3 = rates(y + h / 2 * k2)
        k4 = rates(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    assert_close(sol(1.0, "shoulder.phi"), y[0], 1e-8)
    assert_close(sol(1.0, "elbow.phi"), y[1] - y[0], 1e-8)


def test_furuta_pendulum(example: Callable, data: Path) -> None:
    sol, _ = example("furuta_pendulum")
    cases = json.loads((data / "planar_and_3d" / "furuta_pendulum.json").read_text())["truth"]
    for case in cases:
        if case["t"] <= 5.0:
            angles = [sol(case["t"], f"{joint}.phi") for joint in ("shoulder", "elbow")]
            assert_close(angles, case["q"], 1e-8)
            assert_close(sol(case["t"], "tip.r"), case["lower_arm_tip"], 1e-8)


def test_spring_mass_pendulum(example: Callable, data: Path) -> None:
    sol, _ = example("spring_mass_pendulum")
    cases = json.loads((data / "planar_and_3d" / "free_body_two_springs.json").read_text())
    for t, case in cases["truth"]["R=Rx Ry Rz"].items():
        assert_close(sol(float(t), "bar.r"), case["r_frame_a"], 1e-9)
        assert_close(sol(float(t), "bar.Q"), case["quat_wxyz"], 1e-9)


def test_quadruped(example: Callable) -> None:
    """The trunk dances above its feet, and the springs and gravity are all that moves it."""
    from dynarig.core.dynamics import momentum

    sol, _ = example("quadruped")
    times = np.linspace(0.2, 2.8, 14)
    feet = np.stack([sol(times, f"shin {leg}.r_cm") for leg in range(4)])
    assert feet[..., 2].min() > 0.05 and feet[..., 2].max() < 0.25
    trunk = sol(times, "trunk.r_cm")
    assert trunk[:, 2].min() > 0.4 and np.ptp(trunk, axis=0).min() > 0.01

    # what the pads exert, and its moment about the origin
    force, moment = np.zeros((2, 14, 3))
    for leg, (x, y) in enumerate([(0.1, 0.2), (0.1, -0.2), (0.6, -0.2), (0.6, 0.2)]):
        foot = sol.translation(sol.mechanism.components[f"shin {leg}"].frame_b, times)
        pull = 4000.0 * (np.array([x, y, 0.0]) - foot)
        force, moment = force + pull, moment + np.cross(foot, pull)
    # by Newton and Euler, body by body, all at one time
    names = ["trunk", *(f"{bone} {leg}" for bone in ("thigh", "shin") for leg in range(4))]
    bodies = [sol.mechanism.components[name] for name in names]
    gravity, mass = np.array([0.0, 0.0, -9.80665]), sum(body.m for body in bodies)
    linear, angular = np.zeros((2, 14, 3))
    for body in bodies:
        place, a, turned, w, wd = (sol(times, f"{body.name}.{x}") for x in BODY)
        carried = body.m * (a - gravity)
        inertia = turned @ body.I @ turned.swapaxes(-1, -2)
        spin, gained = ((inertia @ x[..., None])[..., 0] for x in (w, wd))
        linear, angular = linear + carried, angular + np.cross(place, carried)
        angular = angular + gained + np.cross(w, spin)
    assert_close(linear, force, 1e-11)
    assert_close(angular, moment, 1e-11)
    # and over time, by differences of fourth order of a motion that is known to some 1e-6
    h = 5e-4
    states = (sol.trajectory.sample(times + k * h)[:2] for k in (-2, -1, 1, 2))
    p = [momentum(sol.compiled.model, q, v)[:, 3:] for q, v in states]
    rate = (8.0 * (p[2] - p[1]) - (p[3] - p[0])) / (12.0 * h)
    assert_close(rate, force + mass * gravity, 2e-5)


def test_four_bar(example: Callable) -> None:
    """The other bars follow from the crank's angle by the law of cosines; the energy is kept."""
    sol, _ = example("four_bar")
    t = np.linspace(0.0, 6.0, 50)
    assert sol(6.0, "crank.phi") > 8.0 * np.pi
    angle = 0.5 * np.pi + sol(t, "crank.phi")
    tip = np.stack((np.cos(angle), np.sin(angle)), axis=-1)
    coupler, rocker = np.hypot(3.0, 1.5), 2.5
    away = np.array([3.0, 0.0]) - tip
    apart = np.linalg.norm(away, axis=-1)
    bend = np.arccos((coupler**2 + apart**2 - rocker**2) / (2.0 * coupler * apart))
    turn = np.arctan2(away[:, 1], away[:, 0]) + bend
    knee = tip + coupler * np.stack((np.cos(turn), np.sin(turn)), axis=-1)
    assert_close(sol(t, "c.frame_a.x"), knee[:, 0], 1e-11)
    assert_close(sol(t, "c.frame_a.y"), knee[:, 1], 1e-11)
    turn = turn - np.arctan2(1.5, 3.0)
    pen = [0.9 * np.cos(turn) - 1.6 * np.sin(turn), 0.9 * np.sin(turn) + 1.6 * np.cos(turn)]
    assert_close(sol(t, "pen.r"), tip + np.transpose(pen), 1e-11)
    drift = sol.trajectory.energy_drift / np.abs(sol.trajectory.energy).max()
    assert drift < 1e-10


def test_spatial_slider_crank(example: Callable) -> None:
    """x = sqrt(l^2 - distance^2) of the pin from the rail; the motor's work becomes energy."""
    sol, _ = example("spatial_slider_crank")
    t = np.linspace(0.0, 5.0, 50)
    phi = 3.0 * t - np.tanh(3.0 * t)
    pin = np.stack((0.15 - 0.2 * np.sin(phi), 0.6 + 0.2 * np.cos(phi)), axis=-1)
    away = (pin**2).sum(axis=-1) - 0.4 * pin[:, 1] + 0.04  # from the rail at z = 0.2
    assert_close(sol(t, "slider.r")[:, 0], np.sqrt(0.7425 - away), 1e-11)
    assert_close(sol(t, "slider.r")[:, 1], 0.0, 1e-12)
    assert_close(sol(t, "slider.r")[:, 2], 0.2, 1e-12)
    assert_close(energy_rate(sol, t[1:-1]), sol(t[1:-1], "motor.power"), 1e-6)


def test_stewart_platform(example: Callable) -> None:
    """The legs between where the plate is and the ground are as long as they were told to be."""
    sol, _ = example("stewart_platform")
    t = np.linspace(0.0, 5.0, 30)
    place, turned = sol(t, "plate.r"), sol(t, "plate.R")
    powers = 0.0
    for leg, (below, above) in enumerate(
        np.radians([(50, 70, 170, 190, 290, 310), (10, 110, 130, 230, 250, 350)]).T
    ):
        foot = np.array([np.cos(below), np.sin(below), -1.0])
        top = np.array([0.6 * np.cos(above), 0.6 * np.sin(above), 0.0])
        reach = np.linalg.norm(place + turned @ top - foot, axis=-1)
        longer = np.tanh(t * t) * (0.14 * np.sin(3 * t - above) + 0.05 * np.sin(6 * t))
        assert_close(reach, np.linalg.norm(top - foot) + longer, 1e-11)
        powers = powers + sol(t, f"drive {leg}.power")
    assert np.ptp(place[:, 2]) > 0.1 and turned[:, 2, 2].min() < np.cos(0.2)
    assert_close(energy_rate(sol, t[1:-1]), powers[1:-1], 1e-6)


def energy_rate(sol, t: np.ndarray, h: float = 2e-3) -> np.ndarray:
    """The rate of kinetic and potential energy, by differences of sixth order."""
    from dynarig.core.dynamics import kinetic_energy, potential_energy

    model, rate = sol.compiled.model, np.zeros_like(t)
    for k, weight in ((1, 45.0), (2, -9.0), (3, 1.0)):
        for sign in (1.0, -1.0):
            q, v = sol.trajectory.sample(t + sign * k * h)
            energy = kinetic_energy(model, q, v) + potential_energy(model, q)
            rate = rate + sign * weight * energy / (60.0 * h)
    return rate


@pytest.mark.parametrize(
    ("name", "body", "place"),
    [
        ("four_bar", "pen", "pen.r"),
        ("planar_pendulum", "body", "body.r"),
        ("double_pendulum", "bob", "bob.r"),
        ("furuta_pendulum", "tip", "tip.r"),
    ],
)
@pytest.mark.parametrize("t", [0.35, 1.1])
def test_a_picture_shows_a_body_where_it_is(example, name, body, place, t, tmp_path) -> None:
    sol, _ = example(name)
    film, picture = still(sol, t, tmp_path)
    found = seen(picture, film.colours[body]).mean(axis=0)
    assert np.linalg.norm(found - film.pixel(sol(t, place))) < NEAR


@pytest.mark.parametrize("t", [0.35, 1.6])
@pytest.mark.parametrize(
    ("name", "body", "hidden"),
    [
        ("spring_mass_pendulum", "bar", False),
        ("quadruped", "trunk", True),
        ("spatial_slider_crank", "slider", False),
        ("stewart_platform", "plate", False),
    ],
)
def test_a_picture_shows_the_outline_of_a_body_where_it_is(
    example, name, body, hidden, t, tmp_path
) -> None:
    sol, _ = example(name)
    film, picture = still(sol, t, tmp_path)
    found = seen(picture, film.colours[body])
    wanted = np.array([film.pixel(point) for point in outline(sol, t, body)])
    # the pixels found are those that the body covers more than half
    assert_close(found.min(axis=0) - 0.5, wanted.min(axis=0), NEAR)
    assert_close(found.max(axis=0)[0] + 0.5, wanted.max(axis=0)[0], NEAR)
    if not hidden:  # as legs do with the lower edge of the trunk
        assert_close(found.max(axis=0)[1] + 0.5, wanted.max(axis=0)[1], NEAR)


@pytest.mark.parametrize("name", NAMES)
def test_the_camera_sees_everything_at_all_times(example: Callable, name: str) -> None:
    sol, film = example(name)
    places = [
        film.pixel(point, t)
        for t in film.times
        for body in film.colours
        for point in outline(sol, t, body)
    ]
    x, y = np.array(places).T
    assert x.min() > 0.0 and x.max() < film.size[0]
    assert y.min() > 0.0 and y.max() < film.size[1]
    # and no farther away than it has to be
    assert np.ptp(x) > 0.8 * film.size[0] or np.ptp(y) > 0.8 * film.size[1]


def test_every_frame_of_the_film_has_its_own_time(example: Callable, tmp_path: Path) -> None:
    from dynarig.addon.render import render

    sol, _ = example("planar_pendulum")
    film = render(sol.mechanism, sol, tmp_path / "film.gif", fps=5, size=(240, 136), end=1.0)
    frames, _ = read_gif(film.path.read_bytes())
    for t, frame in zip(film.times, frames, strict=True):
        found = seen(frame / 255.0, film.colours["body"]).mean(axis=0)
        assert np.linalg.norm(found - film.pixel(sol(t, "body.r"))) < NEAR


def test_an_example_runs_as_a_script(root: Path, tmp_path: Path) -> None:
    """As a user starts it: in a `blender --background` inside a Blender, else with this Python."""
    import bpy

    blender = bpy.app.binary_path
    file = root / "scripts" / "examples" / "planar_pendulum.py"
    # a film of one frame a second, that the test does not take longer than it must
    code = f"""
import sys
sys.path.insert(0, {str(file.parent)!r})
import planar_pendulum
planar_pendulum.main(size=(64, 36), fps=1)
"""
    script = tmp_path / "run.py"
    script.write_text(code)
    command = [sys.executable, str(script)]
    if blender:
        command = [blender, "--background", "--factory-startup", "--python", str(script)]
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False
    )
    assert "phi(1.0) = -2.88130447131 rad" in done.stdout, done.stderr
    assert "Saved" not in done.stdout
    assert {path.name for path in tmp_path.iterdir()} == {
        *("run.py", "planar_pendulum.gif", "planar_pendulum.blend"),
    }


def test_jack_in_a_box(example: Callable, root: Path) -> None:
    """All impacts of the replay with 40 digits, and curves in a file."""
    sol, film = example("jack_in_a_box")
    file = root / "tests" / "data" / "impact" / "jack_in_a_box.json"
    wanted = json.loads(file.read_text())["sets"]["A"]["impacts"]
    hits = sol.trajectory.impacts
    names = [f"wall {own['wall']} corner {own['corner']}" for own in wanted]
    assert [hit.contacts for hit in hits] == [(name,) for name in names]
    for hit, own in zip(hits, wanted, strict=True):
        assert_close(hit.time, own["t"], max(1e-10, 100 * abs(own["dop853_minus_mp_t"])))
    svg = (film.path.parent / "jack_in_a_box.svg").read_text()
    assert svg.count("<polyline") == 5
