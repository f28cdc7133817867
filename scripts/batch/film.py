"""The film of a scene, and a contact sheet of it, rendered by Workbench: no GPU is needed."""

from __future__ import annotations

import ctypes
import shutil
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import bmesh
import bpy
import numpy as np
from dynarig.addon.compat import set_file_format
from dynarig.core.arrays import FloatArray
from dynarig.core.errors import DynarigError

# Seconds of one core for a frame of the Panda at 960x540: 0.4 with FXAA (0.8 if the floor cast a
# shadow too), 2.9 with 5 samples, which draw all shadows five times.
SMOOTHING = "FXAA"
FINER = 2  # times as many pixels along an edge are rendered for the sheet, then averaged
SHEET_FRAMES = 12
SHEET_SCALE = 2.0 / 3.0  # height of a picture in the sheet, over that of the film
LETTERS = 1.0 / 24.0  # height of the letters of the time, over that of the picture
LARGEST_LETTERS = 64  # pixels, that Blender writes into a picture
NARROWEST = 0.8  # width of a picture in the sheet, over its height
GAP = 4  # pixels
GAP_COLOUR = 1.0
LIGHT = "paint.sl"  # a studio light of every Blender that leaves white things white
LIGHT_FROM = (-0.35, 0.85, 0.4)  # right, up, towards the front


class RenderError(DynarigError):
    """A picture that cannot be rendered."""


def check_renderer() -> None:
    """Blender aborts the process where the library it draws with is missing: ask before.

    Raises:
        RenderError: saying how to get it.
    """
    if sys.platform != "linux":
        return
    try:
        ctypes.CDLL("libEGL.so.1")
    except OSError as error:
        raise RenderError(
            f"rendering needs a library that is missing here ({error}); on Debian: "
            "apt-get install libegl1 libgl1-mesa-dri"
        ) from error


def set_look(scene: Any, size: tuple[int, int]) -> None:
    """Workbench with material colours, shadow and cavities; colours as the files give them."""
    render, display = scene.render, scene.display
    render.engine = "BLENDER_WORKBENCH"
    render.resolution_x, render.resolution_y = size
    render.resolution_percentage = 100
    scene.view_settings.view_transform = "Standard"
    display.render_aa = SMOOTHING
    display.light_direction = LIGHT_FROM
    display.shadow_focus = 0.3
    shading = display.shading
    shading.light, shading.color_type = "STUDIO", "MATERIAL"
    with suppress(TypeError):  # a build without this light keeps its own
        shading.studio_light = LIGHT
    shading.background_type = "WORLD"
    shading.show_shadows, shading.shadow_intensity = True, 0.45
    shading.show_cavity, shading.cavity_type = True, "SCREEN"
    shading.curvature_ridge_factor, shading.curvature_valley_factor = 0.6, 1.0
    shading.show_object_outline = False


def set_film(scene: Any, name: str) -> None:
    """H.264 in MP4, named `name` beside the scene's file."""
    render = scene.render
    set_file_format(render.image_settings, "FFMPEG")
    render.ffmpeg.format, render.ffmpeg.codec = "MPEG4", "H264"
    render.ffmpeg.constant_rate_factor = "HIGH"
    render.ffmpeg.gopsize = 12
    render.filepath = f"//{name}"


def stop_shadow_leaks(objects: Iterable[bpy.types.Object]) -> None:
    """Split mesh edges at which Workbench's shadow volumes leak: thin streaks in the picture.

    They are the edges of three or more faces, or of two that are turned against each other.
    Where a mesh merely has a hole nothing leaks, so each face gets an edge of its own. It looks
    the same after, and is done for the pictures, not for the saved scene.
    """
    for mesh in {obj.data for obj in objects if isinstance(obj.data, bpy.types.Mesh)}:
        work = bmesh.new()
        work.from_mesh(mesh)
        faulty = [edge for edge in work.edges if not (edge.is_contiguous or edge.is_boundary)]
        if faulty:
            bmesh.ops.split_edges(work, edges=faulty)
            work.to_mesh(mesh)
        work.free()


def render_film(scene: Any, path: Path) -> None:
    """Render all frames of a scene into an MP4 file."""
    set_film(scene, path.name)
    with tempfile.TemporaryDirectory(prefix="dynarig-") as folder:
        # by a plain name: Blender puts frame numbers in the place of '#' in a path
        made = Path(folder, "film.mp4")
        own = scene.render.filepath
        scene.render.filepath = str(made)
        try:
            _render(film=True)
        finally:
            scene.render.filepath = own
        _move(made, path)


def render_sheet(
    scene: Any, path: Path, points: FloatArray, fps: float, frames: Sequence[int]
) -> None:
    """Render frames spread over the motion, side by side, each with its time, into a PNG file.

    Args:
        scene: with its camera.
        path: of the PNG file.
        points: (n, 3) what the camera sees at the first frame: pictures are cut to it at both
            sides.
        fps: frames per second; time is 0 at the first frame.
        frames: of the motion; a motion of few frames is shown between them too.
    """
    first = frames[0]
    scene.frame_set(first)
    picks = np.linspace(first, frames[-1], SHEET_FRAMES)
    if len(frames) > SHEET_FRAMES:
        picks = picks.round()
    render = scene.render
    size = (render.resolution_x, render.resolution_y)
    render.resolution_x, render.resolution_y = (
        FINER * round(SHEET_SCALE * side) for side in size
    )
    set_file_format(render.image_settings, "PNG")
    render.border_min_x, render.border_max_x = _columns(scene, points)
    render.border_min_y, render.border_max_y = 0.0, 1.0
    render.use_border = render.use_crop_to_border = True
    _set_stamp(render)
    try:
        with tempfile.TemporaryDirectory(prefix="dynarig-") as folder:
            pictures = [
                _picture(scene, Path(folder, f"{index}.png"), float(frame), (frame - first) / fps)
                for index, frame in enumerate(picks)
            ]
            made = Path(folder, "sheet.png")
            _save(contact_sheet(pictures), made)
            _move(made, path)
    finally:
        render.use_border = render.use_crop_to_border = render.use_stamp = False
        render.resolution_x, render.resolution_y = size
        scene.frame_set(first)


def contact_sheet(pictures: Sequence[FloatArray]) -> FloatArray:
    """Put pictures of one size side by side, in rows that read from the upper left.

    Args:
        pictures: each (height, width, 4), the first row at the bottom, as Blender has them.

    Returns:
        (rows, columns, 4), likewise. There are as many columns as make it about twice as wide
        as high.
    """
    height, width = pictures[0].shape[:2]
    best = np.sqrt(2.0 * len(pictures) * height / width)
    fitting = [n for n in range(1, len(pictures) + 1) if len(pictures) % n == 0]
    columns = min(fitting, key=lambda n: abs(np.log(n / best)))
    rows = len(pictures) // columns
    size = (rows * (height + GAP) + GAP, columns * (width + GAP) + GAP, 4)
    sheet = np.full(size, GAP_COLOUR, dtype=pictures[0].dtype)
    for index, picture in enumerate(pictures):
        row, column = divmod(index, columns)
        y = GAP + (rows - 1 - row) * (height + GAP)
        x = GAP + column * (width + GAP)
        sheet[y : y + height, x : x + width] = picture
    return sheet


def averaged(picture: FloatArray) -> FloatArray:
    """A picture (height, width, 4) of a FINER-th of the size: the means of FINER^2 pixels each."""
    height, width = (side // FINER for side in picture.shape[:2])
    blocks = picture[: height * FINER, : width * FINER].reshape(height, FINER, width, FINER, 4)
    smaller: FloatArray = blocks.mean(axis=(1, 3))
    return smaller


def _columns(scene: Any, points: FloatArray) -> tuple[float, float]:
    """The part of the picture's width that shows the points, 0 to 1, with the margin above."""
    if not len(points):
        return 0.0, 1.0
    camera = scene.camera
    local = (points - np.array(camera.matrix_world.translation)) @ np.array(
        camera.matrix_world.to_3x3()
    )
    width, height = scene.render.resolution_x, scene.render.resolution_y
    focal = camera.data.lens / camera.data.sensor_width * max(width, height) / width
    x = 0.5 + focal * local[:, 0] / -local[:, 2]
    y = focal * width / height * local[:, 1] / -local[:, 2]
    margin = max(0.5 - float(np.abs(y).max()), 0.02) * height / width
    half = max(float(np.abs(x - 0.5).max()) + margin, 0.5 * NARROWEST * height / width)
    return max(0.0, 0.5 - half), min(1.0, 0.5 + half)


def _set_stamp(render: Any) -> None:
    """Only the note, which holds the time, in small letters."""
    for name in dir(render):
        if name.startswith("use_stamp_"):
            setattr(render, name, name == "use_stamp_note")
    render.use_stamp = True
    render.stamp_font_size = min(round(LETTERS * render.resolution_y), LARGEST_LETTERS)
    render.stamp_foreground = (1.0, 1.0, 1.0, 1.0)
    render.stamp_background = (0.0, 0.0, 0.0, 0.0)


def _picture(scene: Any, path: Path, frame: float, time: float) -> FloatArray:
    """Render one frame; the picture as (height, width, 4), 0 to 1 as in the file."""
    scene.frame_set(int(frame), subframe=frame % 1.0)
    scene.render.stamp_note_text = f"{time:.2f} s"
    scene.render.filepath, own = str(path), scene.render.filepath
    try:
        _render(film=False)
    finally:
        scene.render.filepath = own
    image: Any = bpy.data.images.load(str(path))
    try:
        width, height = image.size
        pixels = np.empty(width * height * 4, dtype=np.float32)
        image.pixels.foreach_get(pixels)
    finally:
        bpy.data.images.remove(image)
    return averaged(pixels.reshape(height, width, 4).astype(np.float64))


def _save(picture: FloatArray, path: Path) -> None:
    image: Any = bpy.data.images.new("Sheet", picture.shape[1], picture.shape[0])
    try:
        image.pixels.foreach_set(picture.astype(np.float32).ravel())
        image.filepath_raw, image.file_format = str(path), "PNG"
        image.save()
    finally:
        bpy.data.images.remove(image)


def _render(*, film: bool) -> None:
    try:
        bpy.ops.render.render(animation=film, write_still=not film)
    except RuntimeError as error:
        raise RenderError(f"rendering failed: {' '.join(str(error).split())}") from error


def _move(made: Path, path: Path) -> None:
    if not made.is_file() or not made.stat().st_size:
        raise RenderError(f"{path}: Blender rendered nothing; is it built with FFmpeg?")
    shutil.move(str(made), str(path))
