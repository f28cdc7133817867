"""A camera that sees a whole motion: where it stands, and when it goes along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np
from mathutils import Matrix

from ....core.arrays import FloatArray
from .sweep import Sweep

FILM_WIDTH = 36.0  # mm
LENS = 50.0  # mm: a natural view of a thing
MARGIN = 1.12  # of the picture around the motion
# where the camera looks from, seen from the robot: its front right, from above
TOWARDS_CAMERA = (0.72, -1.0, 0.36)


@dataclass(frozen=True, eq=False)
class Viewpoint:
    """Where a camera stands, and how it goes along.

    pose (4, 4) studio_from_camera at the first frame; lens, mm; clip, m; at each of `frames` (m,)
    the camera is moved by shift (m, 3), m.
    """

    pose: FloatArray
    lens: float
    clip: tuple[float, float]
    frames: tuple[int, ...]
    shift: FloatArray

    def at(self, rows: Sequence[int], frames: Sequence[int]) -> Viewpoint:
        """The same view at some of its frames only, which get other numbers."""
        return replace(self, frames=tuple(frames), shift=self.shift[list(rows)])


def viewpoint(
    sweep: Sweep,
    size: tuple[int, int],
    towards_camera: Sequence[float] = TOWARDS_CAMERA,
    lens: float = LENS,
) -> Viewpoint:
    """Where a camera sees the whole motion in a picture of a size in pixels."""
    # the film's width fits the longer side of the picture
    slope = FILM_WIDTH / 2.0 / lens / MARGIN
    longer = max(size)
    rotation = looking_rotation(towards_camera)
    seen = sweep.seen()
    points = seen if len(seen) else np.array([[-0.5] * 3, [0.5] * 3])
    pose = np.eye(4)
    pose[:3, :3] = rotation
    pose[:3, 3] = fit_camera(points, rotation, slope * size[0] / longer, slope * size[1] / longer)
    distance = float(np.linalg.norm(pose[:3, 3] - points.mean(axis=0)))
    clip = (1e-3 * distance, 100.0 * max(distance, sweep.reach))
    return Viewpoint(pose, lens, clip, sweep.frames, sweep.shift())


def new_camera(view: Viewpoint) -> bpy.types.Object:
    """A camera that stands there, with keys where it goes along."""
    camera = bpy.data.cameras.new("Camera")
    camera.lens, camera.sensor_width = view.lens, FILM_WIDTH
    camera.clip_start, camera.clip_end = view.clip
    obj = bpy.data.objects.new("Camera", camera)
    obj.matrix_world = Matrix(view.pose.tolist())
    if view.shift.any():
        place = view.pose[:3, 3]
        for frame, away in zip(view.frames, view.shift, strict=True):
            obj.location = (place + away).tolist()
            obj.keyframe_insert("location", frame=frame)
        obj.location = place.tolist()
    return obj


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
