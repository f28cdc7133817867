"""A small studio around a robot: floor, plinth, camera and light, fitted to its whole motion."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ....core.arrays import FloatArray
from .camera import looking_rotation, new_camera, viewpoint
from .sweep import Sweep

Colour = tuple[float, float, float]

TOWARDS_SUN = (-0.25, -0.55, 1.0)
BACKDROP = (0.60, 0.66, 0.74)  # linear, as the rest
FLOOR = (0.22, 0.25, 0.29)
TILE = (0.18, 0.21, 0.25)
PLINTH = (0.10, 0.11, 0.13)
FLOOR_SIZE = 40.0  # times the robot's reach: past the upper edge of the picture
TILE_SIZE = 0.3  # of the reach, about
PLINTH_SIZE = 0.85  # of the narrower side of the robot's base
PLINTH_SIDES = 64


def build_studio(
    context: bpy.types.Context,
    sweep: Sweep,
    size: tuple[int, int],
    held: bool,
    *,
    floor_height: float | None = None,
) -> None:
    """Put floor, plinth, camera, sun and backdrop into the scene, in a collection of their own.

    Args:
        context: whose scene.
        sweep: what the camera has to see.
        size: of the picture in pixels.
        held: whether the robot's base is held; then it stands on a plinth where it is high.
        floor_height: m, of ground that the robot has met; under all of the robot if none.
    """
    scene = context.scene
    collection = bpy.data.collections.new("Studio")
    scene.collection.children.link(collection)
    if floor_height is None:
        floor_height = min(0.0, sweep.lowest)
    floor = new_floor(sweep, floor_height)
    floor.display.show_shadows = False  # it casts none, and computing that takes half the time
    collection.objects.link(floor)
    if held and sweep.stands_on_base(above=floor_height):
        collection.objects.link(_plinth(sweep.base, floor_height))
    collection.objects.link(new_sun())
    camera = new_camera(viewpoint(sweep, size))
    collection.objects.link(camera)
    scene.camera = camera
    scene.world = new_world()


def show_through_camera(screens: Iterable[bpy.types.Screen]) -> None:
    """Let every 3D view of the file show the robot in its colours, through the camera."""
    views: list[Any] = [
        area.spaces.active for screen in screens for area in screen.areas if area.type == "VIEW_3D"
    ]
    for view in views:
        view.shading.color_type = "MATERIAL"
        view.shading.show_cavity = True
        view.region_3d.view_perspective = "CAMERA"


def new_sun() -> bpy.types.Object:
    """A light for renderers other than Workbench."""
    light: Any = bpy.data.lights.new("Sun", "SUN")
    light.energy, light.angle = 3.0, math.radians(5.0)
    obj = bpy.data.objects.new("Sun", light)
    obj.matrix_world = Matrix(looking_rotation(TOWARDS_SUN).tolist()).to_4x4()
    return obj


def new_world(backdrop: Colour = BACKDROP) -> bpy.types.World:
    """The colour behind everything."""
    world = bpy.data.worlds.new("Studio")
    world.color = backdrop
    if world.node_tree is None:
        world.use_nodes = True
    tree: Any = world.node_tree
    background = next(node for node in tree.nodes if node.type == "BACKGROUND")
    background.inputs["Color"].default_value = (*backdrop, 1.0)
    return world


def tile_edge(reach: float) -> float:
    """The length of 1, 2 or 5 times a power of ten (m) nearest to TILE_SIZE of the reach."""
    wanted = math.log10(TILE_SIZE * reach)
    power = math.floor(wanted)
    steps = [factor * 10.0**power for factor in (1.0, 2.0, 5.0, 10.0)]
    return min(steps, key=lambda step: abs(math.log10(step) - wanted))


def new_floor(
    sweep: Sweep,
    height: float,
    colours: tuple[Colour, Colour] = (FLOOR, TILE),
    size: float = FLOOR_SIZE,
) -> bpy.types.Object:
    """Tiles of two colours, which show where the floor is and how large things are.

    Args:
        sweep: the motion above it.
        height: m.
        colours: linear.
        size: its edge, times the motion's reach.
    """
    edge = tile_edge(sweep.reach)
    half = round(size * sweep.reach / edge / 2.0)
    count = 2 * half
    line = edge * np.arange(-half, half + 1)
    x, y = np.meshgrid(line, line)
    corners = np.stack((x, y, np.zeros_like(x)), axis=-1).reshape(-1, 3)
    first = (np.arange(count)[:, None] * (count + 1) + np.arange(count)).ravel()
    faces = np.stack((first, first + 1, first + count + 2, first + count + 1), axis=1)
    mesh = bpy.data.meshes.new("Floor")
    mesh.from_pydata(corners.tolist(), [], faces.tolist())
    mesh.materials.append(_material("Floor", colours[0]))
    mesh.materials.append(_material("Floor tile", colours[1]))
    odd = (np.add.outer(np.arange(count), np.arange(count)) % 2).ravel()
    mesh.polygons.foreach_set("material_index", odd.astype(np.int32))
    obj = bpy.data.objects.new("Floor", mesh)
    centre = sweep.corners.reshape(-1, 3).mean(axis=0) if sweep.corners.size else np.zeros(3)
    # the edges of the tiles stay at whole multiples of their length
    obj.location = (*(float(edge * round(float(c) / edge)) for c in centre[:2]), height)
    return obj


def _plinth(base: FloatArray, floor_height: float) -> bpy.types.Object:
    """A column from the floor to the underside of the robot's base."""
    low, high = base.min(axis=0), base.max(axis=0)
    centre = (low + high) / 2.0
    radius = PLINTH_SIZE * float(min(high[0] - low[0], high[1] - low[1])) / 2.0
    turns = np.linspace(0.0, 2.0 * math.pi, PLINTH_SIDES, endpoint=False)
    ring = radius * np.stack((np.cos(turns), np.sin(turns)), axis=1) + centre[:2]
    corners = [(*point, height) for height in (floor_height, low[2]) for point in ring.tolist()]
    n = PLINTH_SIDES
    sides = [(i, (i + 1) % n, (i + 1) % n + n, i + n) for i in range(n)]
    mesh = bpy.data.meshes.new("Plinth")
    mesh.from_pydata(corners, [], [*sides, tuple(range(n, 2 * n)), tuple(reversed(range(n)))])
    mesh.polygons.foreach_set("use_smooth", [True] * n + [False, False])
    mesh.materials.append(_material("Plinth", PLINTH))
    return bpy.data.objects.new("Plinth", mesh)


def _material(name: str, colour: Colour) -> bpy.types.Material:
    material = bpy.data.materials.new(name)
    if material.node_tree is None:
        material.use_nodes = True
    material.diffuse_color = (*colour, 1.0)
    material.roughness = 0.9
    tree: Any = material.node_tree
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    shader.inputs["Roughness"].default_value = 0.9
    return material
