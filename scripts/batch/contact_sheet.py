"""A contact sheet: frames spread over a motion, side by side, each with its time."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from dynarig.addon.blender.film.movie import move_product, render_scene
from dynarig.addon.compat import set_file_format
from dynarig.core.arrays import FloatArray

FINER = 2  # times as many pixels along an edge are rendered for the sheet, then averaged
SHEET_FRAMES = 12
SHEET_SCALE = 2.0 / 3.0  # height of a picture in the sheet, over that of the film
LETTERS = 1.0 / 24.0  # height of the letters of the time, over that of the picture
LARGEST_LETTERS = 64  # pixels, that Blender writes into a picture
NARROWEST = 0.8  # width of a picture in the sheet, over its height
GAP = 4  # pixels
GAP_COLOUR = 1.0


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
    render.resolution_x, render.resolution_y = (FINER * round(SHEET_SCALE * side) for side in size)
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
            move_product(made, path)
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
        render_scene(film=False)
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
