"""The look of a scene in Workbench, which needs no GPU; and whether it can draw here at all."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from typing import Any

import numpy as np

from ....core.arrays import FloatArray
from ...errors import RenderError

# Seconds of one core for a frame of the Panda at 960x540: 0.4 with FXAA (0.8 if the floor cast a
# shadow too), 2.9 with 5 samples, which draw all shadows five times.
SMOOTHING = "FXAA"
LIGHT = "paint.sl"  # a studio light of every Blender that leaves white things white
LIGHT_FROM = (-0.35, -0.4, 0.85)  # right, away from the viewer, up
SHADOW = 0.45  # how much darker than what the light reaches


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


def set_look(
    scene: Any,
    size: tuple[int, int],
    world_from_studio_rot: FloatArray | None = None,
    light_from: tuple[float, float, float] = LIGHT_FROM,
    smoothing: str = SMOOTHING,
) -> None:
    """Workbench with material colours, shadow and cavities; colours as the files give them.

    Args:
        scene: to be set.
        size: of the picture in pixels.
        world_from_studio_rot: (3, 3), columns right, away and up of the studio; None where it
            stands upright in the world.
        light_from: the direction of the light in the studio.
        smoothing: of edges, an item of `scene.display.render_aa`.
    """
    render, display = scene.render, scene.display
    render.engine = "BLENDER_WORKBENCH"
    render.resolution_x, render.resolution_y = size
    render.resolution_percentage = 100
    scene.view_settings.view_transform = "Standard"
    display.render_aa = smoothing
    light = np.asarray(light_from)
    x, y, z = (light if world_from_studio_rot is None else world_from_studio_rot @ light).tolist()
    display.light_direction = (x, z, -y)  # Blender has right, up, front here
    display.shadow_focus = 0.3
    shading = display.shading
    shading.light, shading.color_type = "STUDIO", "MATERIAL"
    with suppress(TypeError):  # a build without this light keeps its own
        shading.studio_light = LIGHT
    shading.background_type = "WORLD"
    shading.show_shadows, shading.shadow_intensity = True, SHADOW
    shading.show_cavity, shading.cavity_type = True, "SCREEN"
    shading.curvature_ridge_factor, shading.curvature_valley_factor = 0.6, 1.0
    shading.show_object_outline = False
