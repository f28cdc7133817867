"""What stands around a mechanism: a wall behind a planar one, a floor below another, a camera."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import bpy
import numpy as np
from mathutils import Matrix

from ....core.arrays import FloatArray
from ....core.frames import minimal_rotation
from ..film.camera import Viewpoint, new_camera, viewpoint
from ..film.look import set_look
from ..film.studio import Colour, new_floor, new_sun, new_world
from ..film.sweep import Sweep
from ..labels import label

# columns: right, away from the viewer and up of the studio, in the world
UPRIGHT_PLANE = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
# seen from the front, from far away: a plane stays a plane
PLANAR_VIEW, PLANAR_LENS = (0.0, -1.0, 0.0), 100.0
SPATIAL_VIEW, SPATIAL_LENS = (0.55, -1.0, 0.32), 65.0
PLANAR_LIGHT, SPATIAL_LIGHT = (-0.35, -0.9, 0.6), (-0.35, -0.4, 0.85)
WALL = 0.09  # how far behind the mechanism the wall is, of its reach
WALL_SIZE = 16.0  # its edge, of the reach: past the picture's edges
CLEARANCE = 0.04  # of the floor below the lowest point, of the reach
WALL_TILES: tuple[Colour, Colour] = ((0.80, 0.82, 0.84), (0.76, 0.78, 0.805))  # linear
FLOOR_TILES: tuple[Colour, Colour] = ((0.95, 0.965, 0.98), (0.88, 0.90, 0.925))
BACKDROP: Colour = (0.85, 0.88, 0.92)
# Samples: rods are thin, and their edges are what one looks at. CPU seconds without a GPU for a
# frame of 640x360, of a planar mechanism and one in space: 0.41 and 0.49 with 5 samples, of which
# shadows take 0.08 and 0.03 and cavities 0.05 and 0.04; 0.21 and 0.24 with FXAA, whose edges are
# up to 120 of 255 away from those of 32 samples where 5 samples are 50 away; 0.09 and 0.11 with
# neither. What a GIF needs besides takes 0.04 to 0.05.
FILM_SMOOTHING, STILL_SMOOTHING = "5", "16"
SHADOW = 0.35


@dataclass(frozen=True, eq=False)
class Stage:
    """The camera's view in the studio, and the studio in the world: see `studio_axes`.

    ground: m, the height of level ground that the floor shows; None without any.
    """

    view: Viewpoint
    world_from_studio_rot: FloatArray
    ground: float | None = None

    def cameras(self) -> FloatArray:
        """(n, 4, 4): world_from_camera at each frame."""
        poses = np.repeat(self.view.pose[None], len(self.view.frames), axis=0)
        poses[:, :3, 3] += self.view.shift
        poses[:, :3] = self.world_from_studio_rot @ poses[:, :3]
        return poses


def studio_axes(planar: bool, gravity: FloatArray) -> FloatArray:
    """world_from_studio_rot (3, 3): the plane stands upright, or up is against gravity."""
    if planar:
        return UPRIGHT_PLANE
    strength = float(np.linalg.norm(gravity))
    up = -gravity / strength if strength > 0.0 else np.array([0.0, 0.0, 1.0])
    return minimal_rotation((0.0, 0.0, 1.0), up)


def view_of(sweep: Sweep, size: tuple[int, int], planar: bool) -> Viewpoint:
    """Where the camera sees a whole motion, given in the studio's axes."""
    towards, lens = (PLANAR_VIEW, PLANAR_LENS) if planar else (SPATIAL_VIEW, SPATIAL_LENS)
    return viewpoint(sweep, size, towards, lens)


def set_stage(
    scene: bpy.types.Scene,
    collection: bpy.types.Collection,
    stage: Stage,
    sweep: Sweep,
    size: tuple[int, int],
    planar: bool,
    owner: str,
) -> None:
    """Put wall or floor, light and camera around a motion, and give the scene its look.

    Args:
        scene: that is looked at.
        collection: of the scene, for what is made.
        stage: where the camera stands.
        sweep: where the mechanism is, in the studio's axes.
        size: of the picture in pixels.
        planar: whether it moves in the world's xy plane.
        owner: the mechanism's name. The camera is named after it: most files have a "Camera", and
            a second one in the same Blender would be "Camera.001" in a file that is written too.
    """
    view, world_from_studio_rot = stage.view, stage.world_from_studio_rot
    root = bpy.data.objects.new("Studio", None)
    root.matrix_world = Matrix(world_from_studio_rot.tolist()).to_4x4()
    root.empty_display_size = 0.1 * sweep.reach
    camera = new_camera(view)
    camera.name = camera.data.name = label(f"{owner} camera")
    for obj in (_wall(sweep) if planar else _ground(sweep, stage.ground), new_sun(), camera):
        obj.parent = root
        collection.objects.link(obj)
    collection.objects.link(root)
    scene.camera, scene.world = camera, new_world(BACKDROP)
    light = PLANAR_LIGHT if planar else SPATIAL_LIGHT
    smoothing = STILL_SMOOTHING if len(view.frames) == 1 else FILM_SMOOTHING
    set_look(scene, size, world_from_studio_rot, light, smoothing)
    scene.display.shading.shadow_intensity = SHADOW


def _ground(sweep: Sweep, height: float | None) -> bpy.types.Object:
    """A floor at a height (m).

    If none, at 0; below a mechanism that reaches deeper, at what of it stands there for good.
    """
    if height is None:
        room = 1e-6 * sweep.reach
        height, base = min(0.0, sweep.lowest), float(sweep.base[:, 2].min(initial=np.inf))
        if height < -room and base > height + room:
            height -= CLEARANCE * sweep.reach
    floor = new_floor(sweep, height, FLOOR_TILES)
    floor.display.show_shadows = False
    return floor


def _wall(sweep: Sweep) -> bpy.types.Object:
    """Tiles behind a planar mechanism."""
    # lay the motion down, put a floor below it, and raise both again
    fallen = replace(sweep, corners=sweep.corners[..., [0, 2, 1]] * (1.0, 1.0, -1.0))
    wall = new_floor(fallen, 0.0, WALL_TILES, WALL_SIZE)
    wall.name = wall.data.name = "Wall"
    x, z = float(wall.location[0]), float(wall.location[1])
    behind = float(sweep.corners[..., 1].max(initial=0.0)) + WALL * sweep.reach
    wall.location = (x, behind, z)
    wall.rotation_euler = (math.pi / 2.0, 0.0, 0.0)
    wall.display.show_shadows = False
    return wall
