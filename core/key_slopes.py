"""Slopes of coordinates per frame, and where they jump."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .arrays import FloatArray
from .dynamics import Model, q_derivative

if TYPE_CHECKING:
    from .trajectory import Trajectory


@dataclass(frozen=True, eq=False)
class Kinks:
    """The instants at which slopes jump, in order of time.

    times (m,), s; frames (m,); q (m, nq), quaternions unit; v (m, nv), of the motion behind; turns
    (m, nq): by how much slopes per frame are more behind than before.
    """

    times: FloatArray
    frames: FloatArray
    q: FloatArray
    v: FloatArray
    turns: FloatArray

    @classmethod
    def of(cls, trajectory: Trajectory, fps: float, frame_start: float) -> Kinks:
        """Those of a motion whose first time falls on `frame_start`."""
        model, jumps = trajectory.model, trajectory.jumps

        def stacked(name: str, size: int) -> FloatArray:
            rows = [getattr(jump, name) for jump in jumps]
            return np.array(rows, dtype=np.float64).reshape(len(jumps), size)

        (_, before), (q, behind) = (
            with_slopes(model, stacked(f"q_{side}", model.nq), stacked(f"v_{side}", model.nv), fps)
            for side in ("left", "right")
        )
        times = np.array([jump.time for jump in jumps], dtype=np.float64)
        frames = frame_start + (times - trajectory.times[0]) * fps
        return cls(times, frames, q, stacked("v_right", model.nv), behind - before)

    def __len__(self) -> int:
        return len(self.times)

    @property
    def sizes(self) -> FloatArray:
        """How much slopes jump (m,), per frame."""
        sizes: FloatArray = np.abs(self.turns).max(axis=1, initial=0.0)
        return sizes

    def turned(self, after: FloatArray, until: FloatArray) -> FloatArray:
        """By how much slopes (k, nq) jump in all after times (k,), s, and up to others (k,)."""
        first, last = (np.searchsorted(self.times, when, side="right") for when in (after, until))
        total = np.concatenate((np.zeros((1, self.turns.shape[1])), self.turns.cumsum(axis=0)))
        turned: FloatArray = total[np.maximum(first, last)] - total[first]
        return turned


def with_slopes(
    model: Model, q: FloatArray, v: FloatArray, fps: float
) -> tuple[FloatArray, FloatArray]:
    """q (…, nq) with unit quaternions, and dq/dframe (…, nq) of it, of states (q, v)."""
    slopes = q_derivative(model, q, v) / fps
    if not len(model.quaternion_q):
        return q, slopes
    unit, slopes = with_unit_quaternions(model, q), slopes.copy()
    for where in model.quaternion_q:
        along = unit[..., where]
        rate = slopes[..., where] / np.linalg.norm(q[..., where], axis=-1, keepdims=True)
        slopes[..., where] = rate - along * (along * rate).sum(axis=-1, keepdims=True)
    return unit, slopes


def with_unit_quaternions(model: Model, q: FloatArray) -> FloatArray:
    """A copy of q (…, nq) with the quaternions of free joints made unit."""
    q = q.copy()
    for where in model.quaternion_q:
        q[..., where] /= np.linalg.norm(q[..., where], axis=-1, keepdims=True)
    return q
