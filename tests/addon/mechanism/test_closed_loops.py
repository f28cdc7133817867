"""Closed loops in a scene: bodies stand where the core has them, and bones are the tree's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest


@pytest.fixture(scope="module", params=["plain", "shared"])
def four_bar(request):
    """A four-bar that is cut at a joint, or whose joints all carry something."""
    from dynarig.core.mechanism import Mechanism, planar

    load = {"plain": 0.0, "shared": 0.1}[request.param]
    world, post = planar.World("world"), planar.Fixed("post", r=(3, 0))
    shapes = {"crank": (0, 1), "coupler": (3, 1.5), "rocker": (0, -2.5)}
    bars = [planar.BodyShape(name, r=r, I=0.1) for name, r in shapes.items()]
    starts = {"a": 3.0, "b": -3.0, "c": 1.2, "d": None}
    pins = [planar.Revolute(name, w0=w, d=load) for name, w in starts.items()]
    mechanism = Mechanism("four-bar", [world, post, *pins, *bars])
    mechanism.chain(world, pins[0], bars[0], pins[1], bars[1], pins[2], bars[2], pins[3])
    mechanism.connect(pins[3].frame_b, post.frame_b)
    return mechanism, mechanism.simulate(1.0)


@pytest.mark.parametrize("kind", ["objects", "armature"])
def test_a_closed_loop_is_played_and_stays_closed(four_bar, tmp_path: Path, kind: str) -> None:
    import bpy
    from dynarig.addon.render import write_blend

    mechanism, sol = four_bar
    path = write_blend(mechanism, sol, tmp_path / "loop.blend", kind=kind, fps=25)
    bpy.ops.wm.open_mainfile(filepath=str(path))
    links = [name for name in sol.compiled.model.link_names if name != "world"]
    if kind == "armature":
        (armature,) = bpy.data.armatures
        assert sorted(bone.name for bone in armature.bones) == sorted(links)
    for frame in (1, 9, 26):
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        for name in ("crank", "coupler", "rocker"):
            found = bpy.data.objects[name].evaluated_get(graph).matrix_world.translation
            ends = [sol((frame - 1) / 25, f"{name}.frame_{end}.{x}") for x in "xy" for end in "ab"]
            middle = np.reshape(ends, (2, 2)).mean(axis=1)
            np.testing.assert_allclose(found[:2], middle, atol=1e-5)


def test_a_closed_loop_is_rendered(four_bar, tmp_path: Path) -> None:
    from dynarig.addon.render import render

    film = render(*four_bar, tmp_path / "loop.png", size=(96, 54))
    for pin in "abcd":
        x, y = film.pixel([four_bar[1](0.5, f"{pin}.frame_a.{axis}") for axis in "xy"])
        assert 0.0 < x < 96 and 0.0 < y < 54
