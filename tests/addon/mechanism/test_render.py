"""Films and .blend files of mechanisms: what is in them, and that nothing else is touched."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ...gif_reader import read_gif

SIZE = (96, 54)


def picture_of(path: Path) -> np.ndarray:
    """A picture (height, width, 3), display colours 0..1, the first row at the top."""
    import bpy

    image = bpy.data.images.load(str(path))
    width, height = image.size
    pixels = np.array(image.pixels[:]).reshape(height, width, 4)[::-1, :, :3]
    bpy.data.images.remove(image)
    return pixels


def test_a_gif_has_a_frame_for_each_time(pendulum, tmp_path: Path) -> None:
    from dynarig.addon.render import render

    film = render(*pendulum, tmp_path / "film.gif", fps=8, size=SIZE, start=0.25, end=0.75)
    frames, delays = read_gif(film.path.read_bytes())
    np.testing.assert_allclose(film.times, 0.25 + np.arange(5) / 8)
    assert frames.shape == (5, 54, 96, 3)
    assert sum(delays) == pytest.approx(100 * 5 / 8, abs=0.51)
    # it moves
    assert (frames[1:] != frames[:-1]).any(axis=(1, 2, 3)).all()


def test_an_mp4_has_a_frame_for_each_time(pendulum, tmp_path: Path) -> None:
    import bpy
    from dynarig.addon.render import render

    film = render(*pendulum, tmp_path / "film.mp4", fps=24, size=SIZE, end=0.25)
    clip = bpy.data.movieclips.load(str(film.path))
    assert clip.frame_duration == len(film.times) == 7
    assert tuple(clip.size) == SIZE
    assert clip.fps == pytest.approx(24.0)
    bpy.data.movieclips.remove(clip)


def test_a_png_shows_the_middle_or_the_instant_asked_for(pendulum, tmp_path: Path) -> None:
    from dynarig.addon.render import render

    middle = render(*pendulum, tmp_path / "middle.png", size=SIZE, start=0.2, end=0.6)
    np.testing.assert_allclose(middle.times, [0.4])
    asked = render(*pendulum, tmp_path / "asked.png", size=SIZE, start=0.2, end=0.6, at=0.4)
    assert (picture_of(middle.path) == picture_of(asked.path)).all()
    # the camera is that of the whole motion
    film = render(*pendulum, tmp_path / "film.gif", fps=10, size=SIZE, start=0.2, end=0.6)
    assert asked.pixel((1.0, 0.0)) == pytest.approx(film.pixel((1.0, 0.0)))


def test_the_camera_looks_along_minus_z_and_sees_all_of_a_planar_motion(pendulum, tmp_path) -> None:
    from dynarig.addon.render import render

    film = render(*pendulum, tmp_path / "film.png", size=SIZE)
    np.testing.assert_allclose(film.world_from_camera[0][:3, :3], np.eye(3), atol=1e-12)
    left, right = film.pixel((-1.0, 0.0)), film.pixel((1.0, 0.0))
    up, down = film.pixel((0.0, 0.5)), film.pixel((0.0, -0.5))
    assert left[0] < right[0] and left[1] == pytest.approx(right[1])
    assert up[1] < down[1] and up[0] == pytest.approx(down[0])
    for t in np.linspace(0.0, 1.0, 21):
        x, y = film.pixel(pendulum[1](t, "body.r"))
        assert 0.0 < x < SIZE[0] and 0.0 < y < SIZE[1]


def test_the_camera_of_a_traveller_goes_along(tmp_path: Path) -> None:
    from dynarig.addon.render import render
    from dynarig.core.mechanism import Mechanism, spatial

    ball = spatial.BodySphere("ball", diameter=0.2, v0=(5.0, 0.0, 5.0))
    thrown = Mechanism("thrown", [spatial.World("world"), ball])
    sol = thrown.simulate(1.0)
    film = render(thrown, sol, tmp_path / "film.gif", fps=5, size=SIZE)
    middle = [film.pixel(sol(t, "ball.r_cm"), t) for t in film.times]
    np.testing.assert_allclose(middle, np.broadcast_to(middle[0], (6, 2)), atol=1e-3)
    assert np.linalg.norm(np.diff(film.world_from_camera[:, :3, 3], axis=0), axis=1).min() > 0.5
    frames, _ = read_gif(film.path.read_bytes())
    assert blob(frames[0] / 255.0, film.colours["ball"]) == pytest.approx(middle[0], abs=1.0)
    assert blob(frames[4] / 255.0, film.colours["ball"]) == pytest.approx(middle[4], abs=1.0)


def blob(picture: np.ndarray, colour: tuple[float, float, float]) -> tuple[float, float]:
    """The middle (x, y) of what has the hue of a colour, in pixels."""
    chroma = picture - picture.mean(axis=2, keepdims=True)
    wanted = np.array(colour) - np.mean(colour)
    length = np.linalg.norm(chroma, axis=2)
    alike = (chroma @ wanted) / np.maximum(length * np.linalg.norm(wanted), 1e-9)
    y, x = np.nonzero((alike > 0.97) & (length > 0.5 * np.linalg.norm(wanted)))
    return float(x.mean()) + 0.5, float(y.mean()) + 0.5


@pytest.mark.parametrize("name", ["film.gif", "film.png", "film.mp4", "film.blend"])
@pytest.mark.parametrize("fails", [False, True])
def test_nothing_of_it_stays(pendulum, inventory, tmp_path, monkeypatch, name, fails) -> None:
    import bpy
    from dynarig.addon import render as module
    from dynarig.addon.blender.mechanism import play

    own = bpy.data.objects.new("own", None)
    scene = bpy.context.scene
    scene.collection.objects.link(own)
    bpy.context.view_layer.objects.active = own
    own.select_set(True)
    scene.frame_set(17)
    before = inventory()
    if fails:
        monkeypatch.setattr(play.Drawing, "draw", lambda *_: 1 / 0)
    options = {"fps": 10.0, "size": SIZE, "end": 0.2}
    write = module.write_blend if name.endswith("blend") else module.render
    if fails:
        with pytest.raises(ZeroDivisionError):
            write(*pendulum, tmp_path / name, **options)
        assert not list(tmp_path.iterdir())
    else:
        write(*pendulum, tmp_path / name, **options)
        assert [path.name for path in tmp_path.iterdir()] == [name]
    assert inventory() == before
    assert bpy.context.scene == scene and scene.frame_current == 17
    assert bpy.context.view_layer.objects.active == own and own.select_get()


@pytest.mark.parametrize("kind", ["objects", "armature"])
def test_a_blend_file_opens_with_the_motion_and_its_camera(pendulum, tmp_path, kind) -> None:
    import bpy
    from dynarig.addon.render import write_blend

    mechanism, sol = pendulum
    # names that are taken here, as in most sessions
    own = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    path = write_blend(mechanism, sol, tmp_path / "film.blend", kind=kind, fps=25, end=0.8)
    assert own.name == own.data.name == "Camera"
    bpy.ops.wm.open_mainfile(filepath=str(path))
    scene = bpy.context.scene
    assert [*bpy.data.scenes] == [scene]
    assert scene.camera.name == scene.camera.data.name == "pendulum camera"
    assert not [block.name for block in bpy.data.user_map() if block.name.endswith(".001")]
    assert (scene.frame_start, scene.frame_end, scene.render.fps) == (1, 21, 25)
    assert scene.camera is not None and scene.render.engine == "BLENDER_WORKBENCH"
    assert ("pendulum" in bpy.data.armatures) == (kind == "armature")
    for frame in (1, 7, 21):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        found = bpy.data.objects["body"].evaluated_get(graph).matrix_world.translation
        wanted = sol((frame - 1) / 25, "body.r")
        np.testing.assert_allclose(found, (*wanted, 0.0), atol=1e-5)


def test_a_planar_motion_is_keyed_as_one_angle(pendulum) -> None:
    import bpy
    from dynarig.addon.compat import existing_channels
    from dynarig.addon.render import animate

    mechanism, sol = pendulum
    collection = animate(bpy.context, mechanism, sol, frame_start=5)
    assert collection.name in bpy.context.scene.collection.children
    keyed = [obj for obj in collection.objects if existing_channels(obj)]
    assert len(keyed) == 1  # the rod and the body stand still against each other
    channels = existing_channels(keyed[0])
    turns = {(c.data_path, c.array_index): c for c in channels if "rotation" in c.data_path}
    assert set(turns) == {("rotation_euler", 2)}
    fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    angle = turns["rotation_euler", 2].evaluate(5 + fps * 0.5)
    assert angle == pytest.approx(float(sol(0.5, "hinge.phi")), abs=1e-5)


def test_what_does_not_fit_is_refused_by_name(pendulum, tmp_path: Path) -> None:
    import bpy
    from dynarig.addon.errors import RenderError
    from dynarig.addon.render import animate, render, write_blend
    from dynarig.core.errors import ArgumentError
    from dynarig.core.mechanism import Mechanism

    mechanism, sol = pendulum
    good = tmp_path / "film.gif"
    wrong = [
        (r"\.gif or \.mp4 or \.png", lambda: render(mechanism, sol, tmp_path / "film.avi")),
        ("at: only a .png", lambda: render(mechanism, sol, good, at=0.5)),
        ("at: .* from 0 s to 1 s", lambda: render(mechanism, sol, tmp_path / "x.png", at=2.0)),
        ("start: .* from 0 s to 1 s", lambda: render(mechanism, sol, good, start=-1.0)),
        ("end: ", lambda: render(mechanism, sol, good, start=0.5, end=0.25)),
        ("fps: ", lambda: render(mechanism, sol, good, fps=0.0)),
        ("size: ", lambda: render(mechanism, sol, good, size=(0, 90))),
        ("size: .*even", lambda: render(mechanism, sol, tmp_path / "x.mp4", size=(91, 90))),
        ("motion of 'other'", lambda: render(Mechanism("other"), sol, good)),
        ("kind: ", lambda: write_blend(mechanism, sol, tmp_path / "x.blend", kind="bones")),
        ("kind: ", lambda: animate(bpy.context, mechanism, sol, kind="bones")),
    ]
    for words, call in wrong:
        with pytest.raises(ArgumentError, match=words):
            call()
    with pytest.raises(RenderError, match="folder does not exist"):
        render(mechanism, sol, tmp_path / "none" / "film.gif")
    assert not list(tmp_path.iterdir())


def test_without_blender_the_door_says_how_to_get_it(root: Path) -> None:
    code = f"""
import sys
sys.modules["bpy"] = None
sys.path.insert(0, {str(root / "scripts")!r})
from package import load_package
load_package()
from dynarig.addon.render import NoBlenderError, render
from dynarig.core.mechanism import Mechanism, spatial
ball = Mechanism("ball", [spatial.World("world"), spatial.BodySphere("ball")])
try:
    render(ball, ball.simulate(0.1), "ball.gif")
except NoBlenderError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "blender --background --python" in done.stdout and "pip install bpy" in done.stdout


def test_a_film_says_where_a_point_is() -> None:
    from dynarig.addon.film import Film
    from dynarig.core.errors import ArgumentError

    # a camera 10 m above, that looks down
    pose = np.eye(4)
    pose[2, 3] = 10.0
    film = Film(Path("film.gif"), (200, 100), np.array([0.0]), pose[None], 400.0, {})
    assert film.pixel((0.0, 0.0)) == (100.0, 50.0)
    assert film.pixel((1.0, 0.5, 0.0)) == pytest.approx((140.0, 30.0))
    assert film.pixel((1.0, 0.5, 5.0)) == pytest.approx((180.0, 10.0))
    with pytest.raises(ArgumentError, match="behind the camera"):
        film.pixel((0.0, 0.0, 11.0))
    with pytest.raises(ArgumentError, match="point"):
        film.pixel((0.0, 0.0, np.nan))
