"""A small picture of the robot in the scene, with its name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from dynarig.addon.blender.film.camera import new_camera, viewpoint
from dynarig.addon.blender.film.look import check_renderer, set_look
from dynarig.addon.blender.film.movie import render_scene
from dynarig.addon.blender.film.studio import new_world
from dynarig.addon.blender.film.sweep import sweep_of
from dynarig.addon.blender.parts import parts_of
from dynarig.addon.compat import set_file_format

SIZE = (320, 320)  # pixels
LETTERS = 11  # pixels
MOST_LETTERS = 46  # that fit into the picture
BACKDROP = (0.42, 0.47, 0.54)  # linear; white and black parts stand out from it


def take_picture(context: bpy.types.Context, path: Path, name: str) -> None:
    """Render the visuals as they are, in the colours and textures of their materials.

    Args:
        context: whose scene has robots, whose collision shapes are hidden.
        path: of the PNG file.
        name: to be written into it, the end of it where it is long.
    """
    check_renderer()
    scene: Any = context.scene
    scene.frame_set(1)
    robots = [obj for obj in scene.objects if obj.type == "ARMATURE"]
    seen = [obj for robot in robots for obj, tag in parts_of(robot) if tag.role == "visual"]
    sweep = sweep_of(context, seen, [scene.frame_current])
    camera = new_camera(viewpoint(sweep, SIZE))
    scene.collection.objects.link(camera)
    scene.camera, scene.world = camera, new_world(BACKDROP)
    set_look(scene, SIZE)
    scene.display.shading.color_type = "TEXTURE"
    scene.display.shading.show_shadows = False
    render = scene.render
    set_file_format(render.image_settings, "PNG")
    write_name(render, name if seen else f"{name}: no visuals")
    render.filepath = str(path)
    render_scene(film=False)


def write_name(render: Any, name: str) -> None:
    """Put the name alone into the picture."""
    for setting in dir(render):
        if setting.startswith("use_stamp_"):
            setattr(render, setting, setting == "use_stamp_note")
    render.use_stamp = True
    render.stamp_note_text = name if len(name) <= MOST_LETTERS else "…" + name[1 - MOST_LETTERS :]
    render.stamp_font_size = LETTERS
    render.stamp_foreground = (1.0, 1.0, 1.0, 1.0)
    render.stamp_background = (0.0, 0.0, 0.0, 0.35)
