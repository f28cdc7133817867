"""Where a robot is during its whole motion, for the camera and the floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ....core.arrays import FloatArray

MOST_SAMPLES = 60  # frames at which the robot is measured
FAR = 4.0  # times its own size: a robot that travels farther is followed by the camera
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


def _corners(obj: bpy.types.Object) -> FloatArray:
    """The corners (8, 3) of an object's box, in the world."""
    world_from_object = np.array(obj.matrix_world, dtype=np.float64)
    corners = np.array([tuple(corner) for corner in obj.bound_box], dtype=np.float64)
    placed: FloatArray = corners @ world_from_object[:3, :3].T + world_from_object[:3, 3]
    return placed
