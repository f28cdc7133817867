"""A mechanism's film: a scene of its own, the frames, the file; nothing of it stays."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.arrays import FloatArray, frozen
from ...compat import set_file_format
from ...errors import RenderError
from ...film import Film
from ...gif import write_gif
from ...target import naming
from ..film.camera import FILM_WIDTH
from ..film.look import check_renderer
from ..film.movie import (
    move_product,
    render_film,
    render_scene,
    set_clock,
    set_film,
    stop_shadow_leaks,
)
from ..film.quiet import quiet
from ..labels import label
from ..leftovers import DataSnapshot
from .extent import extent, ground_of, reaching
from .palette import solid_colours
from .play import Kind, Play, set_play
from .stage import Stage, set_stage, studio_axes, view_of

FRAME_START = 1
HEADERS = 54  # bytes before the pixels of a BMP file, or more


@dataclass(frozen=True, eq=False)
class Shot:
    """What of a motion is shown, and how.

    times (n,), s: of the frames. around (m,), s: what the camera has to see. size in pixels, fps
    frames per second.
    """

    times: FloatArray
    around: FloatArray
    fps: float
    size: tuple[int, int]


def shoot(context: bpy.types.Context, play: Play, shot: Shot, path: Path) -> Film:
    """Render a motion into a .gif, .mp4 or .png file (of a single frame).

    Whatever is made in this Blender is removed, also after a failure.

    Raises:
        RenderError: where Blender cannot draw, or writes nothing.
    """
    check_renderer()
    before = DataSnapshot.take()
    try:
        scene, stage = set_scene(context, play, shot, "objects")
        stop_shadow_leaks(scene.objects)
        with naming(path), tempfile.TemporaryDirectory(prefix="dynarig-") as folder:
            made = Path(folder, f"film{path.suffix.lower()}")
            with quiet():
                if made.suffix == ".mp4":
                    render_film(scene, made)
                elif made.suffix == ".gif":
                    _render_stills(scene, Path(folder), "BMP")
                    write_gif(made, _Stills(Path(folder), len(shot.times)), shot.fps)
                else:
                    _render_stills(scene, Path(folder), "PNG")
                    made = _still(Path(folder), 0, ".png")
            move_product(made, path)
    finally:
        before.remove_added()
    # the longer side of the picture shows the film's width
    focal = stage.view.lens / FILM_WIDTH * max(shot.size)
    return Film(
        path,
        shot.size,
        frozen(shot.times.copy()),
        frozen(stage.cameras()),
        focal,
        solid_colours(play.picture),
    )


def save_scene(context: bpy.types.Context, play: Play, shot: Shot, path: Path, kind: Kind) -> None:
    """Write a scene with a play and its stage into a .blend file; nothing of it stays here.

    The file has no windows of its own: only a whole session can be saved with them, and this one
    belongs to the user. Blender opens it in the layout of the startup file, in the scene with its
    camera, and remarks "Library file, loading empty scene" in the console.

    Raises:
        RenderError: for a file that cannot be written.
    """
    before = DataSnapshot.take()
    try:
        scene, _ = set_scene(context, play, shot, kind)
        with quiet():
            bpy.data.libraries.write(str(path.absolute()), {scene}, compress=True)
    except (OSError, RuntimeError) as error:
        raise RenderError(f"{path}: cannot be written: {' '.join(str(error).split())}") from error
    finally:
        before.remove_added()


def set_scene(
    context: bpy.types.Context, play: Play, shot: Shot, kind: Kind
) -> tuple[bpy.types.Scene, Stage]:
    """A new scene with a play, its stage and its clock; the caller removes it."""
    scene = bpy.data.scenes.new(label(play.name))
    set_clock(scene, shot.fps, FRAME_START)
    scene.frame_end = FRAME_START + len(shot.times) - 1
    collections = [bpy.data.collections.new(label(name)) for name in (play.name, "Studio")]
    for collection in collections:
        scene.collection.children.link(collection)
    model, planar = play.trajectory.model, play.picture.planar
    axes = studio_axes(planar, model.gravity)
    # the camera sees the motion around, and is needed at the frames
    times = np.concatenate((shot.around, shot.times))
    poses = play.trajectory.link_poses(times)
    around = poses[: len(shot.around)]
    picture, ground = ground_of(play.picture, model, around, axes)
    others = set_play(
        context,
        collections[0],
        replace(play, picture=picture),
        shot.times,
        shot.fps,
        FRAME_START,
        kind,
        shot.around,
    )
    sweep = extent(reaching(picture, model, around), others, model, poses, axes)
    rows = range(len(shot.around), len(times))
    frames = range(FRAME_START, FRAME_START + len(rows))
    stage = Stage(view_of(sweep, shot.size, planar).at(rows, frames), axes, ground)
    set_stage(scene, collections[1], stage, sweep, shot.size, planar, play.name)
    set_film(scene, f"{play.name}.mp4")
    return scene, stage


class _Stills(Sequence[NDArray[np.uint8]]):
    """Rendered frames (height, width, 3), top row first, each read when it is asked for."""

    def __init__(self, folder: Path, count: int) -> None:
        self._files = [_still(folder, index, ".bmp") for index in range(count)]

    def __len__(self) -> int:
        return len(self._files)

    def __getitem__(self, index: Any) -> Any:
        return read_bitmap(self._files[index])


def _render_stills(scene: Any, folder: Path, form: str) -> None:
    """Render all frames of a scene as files of a form: PNG or BMP."""
    set_file_format(scene.render.image_settings, form)
    scene.render.image_settings.color_mode = "RGB"
    scene.render.filepath = str(folder / "still_####")
    render_scene(film=True, scene=scene)


def _still(folder: Path, index: int, suffix: str) -> Path:
    return folder / f"still_{FRAME_START + index:04d}{suffix}"


def read_bitmap(path: Path) -> NDArray[np.uint8]:
    """A BMP file of 24 bits as Blender writes it: (height, width, 3), the first row at the top.

    Such files are not compressed: to write a frame of 640x360 and to read it twice takes 15 ms of
    CPU; as a PNG file, 66 ms.

    Source: Microsoft, "Bitmap Storage", BITMAPFILEHEADER and BITMAPINFOHEADER.

    Raises:
        RenderError: for another file.
    """
    data = path.read_bytes()
    if len(data) < HEADERS or data[:2] != b"BM":
        raise RenderError(f"{path.name}: wanted a BMP file, got {data[:2]!r}")
    begin, width, height, bits, packing = struct.unpack_from("<10xI4xii2xHI", data)
    row = (3 * width + 3) // 4 * 4  # bytes; rows begin at whole words, the lowest is the first
    if bits != 24 or packing or len(data) < begin + row * height:
        raise RenderError(f"{path.name}: wanted 24 bits per pixel as they are, got {bits}")
    rows = np.frombuffer(data, np.uint8, row * height, begin).reshape(height, row)
    pixels = rows[::-1, : 3 * width].reshape(height, width, 3)
    return np.ascontiguousarray(pixels[..., ::-1])  # blue comes first
