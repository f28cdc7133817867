"""The look and the film of a scene, rendered by Workbench: no GPU is needed."""

from __future__ import annotations

import ctypes
import shutil
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import bmesh
import bpy
from dynarig.addon.compat import set_file_format
from dynarig.core.errors import DynarigError

# Seconds of one core for a frame of the Panda at 960x540: 0.4 with FXAA (0.8 if the floor cast a
# shadow too), 2.9 with 5 samples, which draw all shadows five times.
SMOOTHING = "FXAA"
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
            render_scene(film=True)
        finally:
            scene.render.filepath = own
        move_product(made, path)


def render_scene(*, film: bool) -> None:
    """Render the film, or the current frame, into the file that the scene names."""
    try:
        bpy.ops.render.render(animation=film, write_still=not film)
    except RuntimeError as error:
        raise RenderError(f"rendering failed: {' '.join(str(error).split())}") from error


def move_product(made: Path, path: Path) -> None:
    """Put a rendered file where it is wanted; errors if there is none."""
    if not made.is_file() or not made.stat().st_size:
        raise RenderError(f"{path}: Blender rendered nothing; is it built with FFmpeg?")
    shutil.move(str(made), str(path))
