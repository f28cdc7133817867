"""A small studio around a robot: floor, plinth, camera and light, fitted to its whole motion."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from dynarig.core.arrays import FloatArray
from mathutils import Matrix

MOST_SAMPLES = 60  # frames at which the robot is measured
LENS = 50.0  # mm on Blender's 36 mm film: a natural view of a thing
MARGIN = 1.12  # of the picture around the motion
FAR = 4.0  # times its own size: a robot that travels farther is followed by the camera
# where the camera looks from, seen from the robot: its front right, from above
TOWARDS_CAMERA = (0.72, -1.0, 0.36)
TOWARDS_SUN = (-0.25, -0.55, 1.0)
BACKDROP = (0.60, 0.66, 0.74)  # linear, as the rest
FLOOR = (0.22, 0.25, 0.29)
TILE = (0.18, 0.21, 0.25)
PLINTH = (0.10, 0.11, 0.13)
FLOOR_SIZE = 40.0  # times the robot's reach: past the upper edge of the picture
TILE_SIZE = 0.3  # of the reach, about
PLINTH_SIZE = 0.85  # of the narrower side of the robot's base
PLINTH_SIDES = 64
HIGH_BASE = 0.02  # of the reach: a base less above the floor stands on it


@dataclass(frozen=True)
class Sweep:
    """Where a robot is during its motion, in the world.

    frames (m,) at which it was measured; corners (m, n, 3) of its parts' boxes there; base (k, 3)
    those of the parts that no joint moves. A robot that shows nothing has n = 0.
    """

    frames: tuple[int, ...]
    corners: FloatArray
    base: FloatArray

    @property
    def reach(self) -> float:
        """The diagonal of the box around it all, m; 1 for a robot that shows nothing."""
        return _diagonal(self.corners.reshape(-1, 3)) or 1.0

    @property
    def lowest(self) -> float:
        """The height of the lowest point, m."""
        return float(self.corners[..., 2].min(initial=0.0))

    def stands_on_base(self, above: float) -> bool:
        """Whether the base is higher than a floor and, at the start, below all other parts."""
        if not len(self.base):
            return False
        room = HIGH_BASE * self.reach
        height = float(self.base[:, 2].min())
        start = float(self.corners[0][:, 2].min())
        return height > above + room and height < start + room

    def shift(self) -> FloatArray:
        """How far the camera goes with the robot, (m, 3): not at all, unless it travels far."""
        still = np.zeros((len(self.frames), 3))
        if not self.corners.size or self.reach < FAR * _diagonal(self.corners[0]):
            return still
        centres = self.corners.mean(axis=1)
        away: FloatArray = centres - centres[0]
        return away

    def seen(self) -> FloatArray:
        """The points (m n, 3) that the camera has to see from where it is at the first frame."""
        seen: FloatArray = (self.corners - self.shift()[:, None]).reshape(-1, 3)
        return seen


def _diagonal(points: FloatArray) -> float:
    return float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0


def sweep_of(
    context: bpy.types.Context, objects: Sequence[bpy.types.Object], frames: Sequence[int]
) -> Sweep:
    """Measure the evaluated objects of a robot over frames, at most MOST_SAMPLES of them."""
    scene = context.scene
    picks = np.unique(np.linspace(0, len(frames) - 1, MOST_SAMPLES).round().astype(int))
    parts = [obj for obj in objects if obj.type == "MESH"]
    measured = []
    for pick in picks:
        scene.frame_set(frames[pick])
        graph = context.evaluated_depsgraph_get()
        boxes = [_corners(obj.evaluated_get(graph)) for obj in parts]
        measured.append(np.concatenate([np.zeros((0, 3)), *boxes]))
    scene.frame_set(frames[0])
    held = np.repeat([obj.parent_type == "OBJECT" for obj in parts], 8).astype(bool)
    return Sweep(tuple(frames[pick] for pick in picks), np.array(measured), measured[0][held])


def build_studio(
    context: bpy.types.Context, sweep: Sweep, size: tuple[int, int], held: bool
) -> None:
    """Put floor, plinth, camera, sun and backdrop into the scene, in a collection of their own.

    Args:
        context: whose scene.
        sweep: what the camera has to see.
        size: of the picture in pixels.
        held: whether the robot's base is held; then it stands on a plinth where it is high.
    """
    scene = context.scene
    collection = bpy.data.collections.new("Studio")
    scene.collection.children.link(collection)
    floor_height = min(0.0, sweep.lowest)
    floor = _floor(sweep, floor_height)
    floor.display.show_shadows = False  # it casts none, and computing that takes half the time
    collection.objects.link(floor)
    if held and sweep.stands_on_base(above=floor_height):
        collection.objects.link(_plinth(sweep.base, floor_height))
    collection.objects.link(_sun())
    camera = _camera(sweep, size)
    collection.objects.link(camera)
    scene.camera = camera
    scene.world = _world()


def show_through_camera(screens: Iterable[bpy.types.Screen]) -> None:
    """Let every 3D view of the file show the robot in its colours, through the camera."""
    views: list[Any] = [
        area.spaces.active for screen in screens for area in screen.areas if area.type == "VIEW_3D"
    ]
    for view in views:
        view.shading.color_type = "MATERIAL"
        view.shading.show_cavity = True
        view.region_3d.view_perspective = "CAMERA"


def fit_camera(
    points: FloatArray, world_from_camera_rot: FloatArray, slope_x: float, slope_y: float
) -> FloatArray:
    """The nearest place from which a camera of given direction sees all points, centred.

    In camera axes (right, up, back) a camera at c sees a point p where |p_x - c_x| <= s_x d and
    |p_y - c_y| <= s_y d with its distance d = c_z - p_z. Each of the four planes is touched by
    one point; with a = max(p_x + s_x p_z) and b = max(-p_x + s_x p_z) that is

        c_x = (a - b) / 2,   c_z >= (a + b) / (2 s_x)

    and the same upward. The farther of the two distances is taken.

    Args:
        points: (n, 3) in the world.
        world_from_camera_rot: (3, 3), columns right, up, back.
        slope_x, slope_y: tangents of the half angles of view.

    Returns:
        (3,) the camera's place in the world.
    """
    local = points @ world_from_camera_rot
    centre, distance = np.zeros(3), -np.inf
    for axis, slope in enumerate((slope_x, slope_y)):
        a = float((local[:, axis] + slope * local[:, 2]).max())
        b = float((-local[:, axis] + slope * local[:, 2]).max())
        centre[axis] = (a - b) / 2.0
        distance = max(distance, (a + b) / (2.0 * slope))
    centre[2] = distance
    place: FloatArray = world_from_camera_rot @ centre
    return place


def looking_rotation(towards_camera: Sequence[float]) -> FloatArray:
    """world_from_camera (3, 3) of an upright camera that stands in a direction and looks back."""
    back = np.array(towards_camera, dtype=np.float64)
    back /= np.linalg.norm(back)
    right = np.array([-back[1], back[0], 0.0])
    right /= np.linalg.norm(right)
    return np.stack((right, np.array(_cross(back, right)), back), axis=1)


def _cross(a: FloatArray, b: FloatArray) -> tuple[float, float, float]:
    return (
        float(a[1] * b[2] - a[2] * b[1]),
        float(a[2] * b[0] - a[0] * b[2]),
        float(a[0] * b[1] - a[1] * b[0]),
    )


def _corners(obj: bpy.types.Object) -> FloatArray:
    """The corners (8, 3) of an object's box, in the world."""
    world_from_object = np.array(obj.matrix_world, dtype=np.float64)
    corners = np.array([tuple(corner) for corner in obj.bound_box], dtype=np.float64)
    placed: FloatArray = corners @ world_from_object[:3, :3].T + world_from_object[:3, 3]
    return placed


def _camera(sweep: Sweep, size: tuple[int, int]) -> bpy.types.Object:
    camera = bpy.data.cameras.new("Camera")
    camera.lens = LENS
    # the film's width fits the longer side of the picture
    slope = camera.sensor_width / 2.0 / LENS / MARGIN
    longer = max(size)
    rotation = looking_rotation(TOWARDS_CAMERA)
    seen = sweep.seen()
    points = seen if len(seen) else np.array([[-0.5] * 3, [0.5] * 3])
    place = fit_camera(points, rotation, slope * size[0] / longer, slope * size[1] / longer)
    distance = float(np.linalg.norm(place - points.mean(axis=0)))
    camera.clip_start, camera.clip_end = 1e-3 * distance, 100.0 * max(distance, sweep.reach)
    obj = bpy.data.objects.new("Camera", camera)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation, place
    obj.matrix_world = Matrix(pose.tolist())
    shift = sweep.shift()
    if shift.any():
        for frame, away in zip(sweep.frames, shift, strict=True):
            obj.location = place + away
            obj.keyframe_insert("location", frame=frame)
        obj.location = place
    return obj


def _sun() -> bpy.types.Object:
    light: Any = bpy.data.lights.new("Sun", "SUN")
    light.energy, light.angle = 3.0, math.radians(5.0)
    obj = bpy.data.objects.new("Sun", light)
    obj.matrix_world = Matrix(looking_rotation(TOWARDS_SUN).tolist()).to_4x4()
    return obj


def _world() -> bpy.types.World:
    world = bpy.data.worlds.new("Studio")
    world.color = BACKDROP
    if world.node_tree is None:
        world.use_nodes = True
    tree: Any = world.node_tree
    background = next(node for node in tree.nodes if node.type == "BACKGROUND")
    background.inputs["Color"].default_value = (*BACKDROP, 1.0)
    return world


def tile_edge(reach: float) -> float:
    """The length of 1, 2 or 5 times a power of ten (m) nearest to TILE_SIZE of the reach."""
    wanted = math.log10(TILE_SIZE * reach)
    power = math.floor(wanted)
    steps = [factor * 10.0**power for factor in (1.0, 2.0, 5.0, 10.0)]
    return min(steps, key=lambda step: abs(math.log10(step) - wanted))


def _floor(sweep: Sweep, height: float) -> bpy.types.Object:
    """Tiles of two greys, which show where the floor is and how large things are."""
    edge = tile_edge(sweep.reach)
    half = round(FLOOR_SIZE * sweep.reach / edge / 2.0)
    count = 2 * half
    line = edge * np.arange(-half, half + 1)
    x, y = np.meshgrid(line, line)
    corners = np.stack((x, y, np.zeros_like(x)), axis=-1).reshape(-1, 3)
    first = (np.arange(count)[:, None] * (count + 1) + np.arange(count)).ravel()
    faces = np.stack((first, first + 1, first + count + 2, first + count + 1), axis=1)
    mesh = bpy.data.meshes.new("Floor")
    mesh.from_pydata(corners.tolist(), [], faces.tolist())
    mesh.materials.append(_material("Floor", FLOOR))
    mesh.materials.append(_material("Floor tile", TILE))
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


def _material(name: str, colour: tuple[float, float, float]) -> bpy.types.Material:
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
