"""What `render`, `write_blend`, `animate` and a film cannot take is refused by name, beforehand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

LAST_FRAME = 1_048_574  # of Blender


def refused(call, name: str, given: str) -> None:
    """One error, of one kind, that names the argument and shows what was given."""
    from dynarig.core.errors import ArgumentError

    with pytest.raises(ArgumentError) as caught:
        call()
    message = str(caught.value)
    assert message.startswith(f"{name}: wanted ") and given in message, message


NUMBERS = ["a", None, [0.1], float("nan"), float("inf"), True, 10**400, 1j]


@pytest.mark.parametrize("value", NUMBERS, ids=repr)
@pytest.mark.parametrize("name", ["fps", "start", "end", "at"])
def test_what_is_no_number_is_refused(pendulum, no_rendering, tmp_path, name, value) -> None:
    from dynarig.addon.render import render

    if value is None and name != "fps":
        return  # the default
    file = tmp_path / "film.png"
    refused(lambda: render(*pendulum, file, **{name: value}), name, repr(value))
    assert not file.exists()


@pytest.mark.parametrize(
    "size", [0, None, (0, 10), (640,), "ab", (64, 64, 64), (64.5, 64), (True, 64), (64, [64])]
)
def test_a_size_is_two_whole_numbers(pendulum, no_rendering, tmp_path, size) -> None:
    from dynarig.addon.render import render, write_blend

    refused(lambda: render(*pendulum, tmp_path / "film.png", size=size), "size", repr(size))
    refused(lambda: write_blend(*pendulum, tmp_path / "a.blend", size=size), "size", repr(size))


def test_a_mechanism_and_its_own_motion_are_wanted(pendulum, no_rendering, tmp_path) -> None:
    import bpy
    from dynarig.addon.render import animate, render, write_blend
    from dynarig.core.mechanism import Mechanism, planar

    mechanism, sol = pendulum
    other = Mechanism("other", [planar.World("world")])
    wrong = [
        ("mechanism", "None", None, sol),
        ("mechanism", "a str", "pendulum", sol),
        ("sol", "None", mechanism, None),
        ("sol", "a Trajectory", mechanism, sol.trajectory),
        ("sol", "'pendulum'", other, sol),
    ]
    for name, given, *pair in wrong:
        refused(lambda pair=pair: render(*pair, tmp_path / "film.gif"), name, given)
        refused(lambda pair=pair: write_blend(*pair, tmp_path / "film.blend"), name, given)
        refused(lambda pair=pair: animate(bpy.context, *pair), name, given)


@pytest.mark.parametrize("path", [None, 7, b"film.gif", "film", "fi\0lm.gif"], ids=repr)
def test_a_path_is_the_name_of_a_file(pendulum, no_rendering, path) -> None:
    from dynarig.addon.render import render, write_blend

    refused(lambda: render(*pendulum, path), "path", repr(path))
    refused(lambda: write_blend(*pendulum, path), "path", repr(path))


@pytest.mark.parametrize("value", ["a", None, float("nan"), 1.5, LAST_FRAME + 1, -LAST_FRAME - 1])
def test_a_first_frame_is_a_whole_number(pendulum, inventory, value) -> None:
    import bpy
    from dynarig.addon.render import animate

    before = inventory()
    refused(lambda: animate(bpy.context, *pendulum, frame_start=value), "frame_start", repr(value))
    assert inventory() == before


def test_the_whole_motion_is_within_blenders_frames(pendulum) -> None:
    import bpy
    from dynarig.addon.compat import existing_channels
    from dynarig.addon.render import animate

    last = LAST_FRAME - 24  # of 25 frames in a second at 24 per second
    refused(
        lambda: animate(bpy.context, *pendulum, frame_start=last + 1), "frame_start", str(last + 1)
    )
    for first in (last, -LAST_FRAME):
        collection = animate(bpy.context, *pendulum, frame_start=first)
        (keyed,) = [obj for obj in collection.objects if existing_channels(obj)]
        for curve in existing_channels(keyed):
            frames = [point.co[0] for point in curve.keyframe_points]
            np.testing.assert_array_equal(frames, first + np.arange(25))


def test_a_context_and_a_kind_are_looked_at(pendulum) -> None:
    import bpy
    from dynarig.addon.render import animate

    refused(lambda: animate(None, *pendulum), "context", "None")
    refused(lambda: animate({}, *pendulum), "context", "{}")
    for kind in (None, ["objects"], np.zeros(2)):
        refused(lambda kind=kind: animate(bpy.context, *pendulum, kind=kind), "kind", repr(kind))


@pytest.mark.parametrize("point", ["a", None, 1.0, (1.0,), ((1.0, 2.0, 3.0),) * 2, "abc", [[1], 2]])
def test_a_pixel_is_asked_for_by_a_point(point) -> None:
    from dynarig.addon.film import Film

    film = Film(Path("film.gif"), (200, 100), np.array([0.0]), np.eye(4)[None], 400.0, {})
    refused(lambda: film.pixel(point), "point", repr(point))


@pytest.mark.parametrize("t", ["a", [0.1], float("nan")])
def test_a_pixel_is_asked_for_at_a_time(t) -> None:
    from dynarig.addon.film import Film

    film = Film(Path("film.gif"), (200, 100), np.array([0.0]), np.eye(4)[None], 400.0, {})
    refused(lambda: film.pixel((0.0, 0.0, -1.0), t), "t", repr(t))
