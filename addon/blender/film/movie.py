"""The film of a scene: its clock, H.264 in MP4, single pictures."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import bmesh
import bpy

from ...compat import set_file_format
from ...errors import RenderError
from ...target import naming


def set_clock(scene: bpy.types.Scene, fps: float, frame_start: int) -> None:
    """The scene's frame rate, which Blender keeps as a whole number over a base, and its start."""
    whole = max(1, round(fps))
    scene.render.fps, scene.render.fps_base = whole, whole / fps
    scene.frame_start = frame_start
    scene.frame_set(frame_start)
    scene.sync_mode = "FRAME_DROP"


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
            render_scene(film=True, scene=scene)
        finally:
            scene.render.filepath = own
        move_product(made, path)


def render_scene(*, film: bool, scene: bpy.types.Scene | None = None) -> None:
    """Render the film, or the current frame, into the file that a scene names.

    Args:
        film: all frames of the scene, else the current one.
        scene: the context's if none.
    """
    name = "" if scene is None else scene.name
    try:
        bpy.ops.render.render(animation=film, write_still=not film, scene=name)
    except RuntimeError as error:
        raise RenderError(f"rendering failed: {' '.join(str(error).split())}") from error


def move_product(made: Path, path: Path) -> None:
    """Put a rendered file where it is wanted; errors if there is none.

    Raises:
        RenderError: naming the file.
    """
    if not made.is_file() or not made.stat().st_size:
        raise RenderError(f"{path}: Blender rendered nothing; is it built with FFmpeg?")
    with naming(path):
        shutil.move(str(made), str(path))
