"""The stretches between neighbouring keys: the motion along them, and what curves make of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from .arrays import FloatArray
from .dynamics import Model, q_derivative
from .dynamics.model import IntArray
from .phased_motion import Side
from .trajectory import Trajectory

Interpolation = Literal["BEZIER", "LINEAR"]
Sample = Callable[[FloatArray], tuple[FloatArray, FloatArray]]
# where the motion is looked at along a segment, its keys included
SHARES = np.arange(9) / 8.0
CLOSEST_KEYS = 0.02  # frames: Blender merges keys that stand nearer
BLOCK = 500  # instants that are sampled in one call: bounds the memory


@dataclass(frozen=True, eq=False)
class Segments:
    """Some segments, with the motion at SHARES of each.

    frames (k, s); times (k, s), s; q (k, s, nq), quaternions unit with the trajectory's own sign,
    which is continuous; v (k, s, nv); slopes (k, 2, nq), dq/dframe at both ends. Where the motion
    jumps at the end of a segment, the slopes there are those before.
    """

    frames: FloatArray
    times: FloatArray
    q: FloatArray
    v: FloatArray
    slopes: FloatArray

    def __len__(self) -> int:
        return len(self.frames)

    @property
    def gaps(self) -> FloatArray:
        """How long they are (k,), in frames."""
        gaps: FloatArray = self.frames[:, -1] - self.frames[:, 0]
        return gaps

    def interpolated(
        self, columns: IntArray, interpolation: Interpolation, rounded: bool = False
    ) -> FloatArray:
        """The coordinates `columns` as curves through the keys at both ends have them (k, s, c).

        A Bezier curve with its handles at a third of the segment is the cubic

            y = (1-s)^3 y0 + 3 s (1-s)^2 (y0 + h m0/3) + 3 s^2 (1-s) (y1 - h m1/3) + s^3 y1

        of the values and slopes at its ends.

        Args:
            rounded: whether keys and handles have single precision, as curves keep them.
        """
        first, last = self.q[:, :1, columns], self.q[:, -1:, columns]
        s = SHARES[:, None]
        if interpolation == "LINEAR":
            points, weights = [first, last], [1.0 - s, s]
        else:
            third = self.gaps[:, None, None] / 3.0
            points = [
                first,
                first + third * self.slopes[:, :1, columns],
                last - third * self.slopes[:, -1:, columns],
                last,
            ]
            weights = [(1.0 - s) ** 3, 3.0 * s * (1.0 - s) ** 2, 3.0 * s * s * (1.0 - s), s**3]
        if rounded:
            points = [point.astype(np.float32).astype(np.float64) for point in points]
        return sum((w * point for w, point in zip(weights, points, strict=True)), np.zeros(()))


@dataclass(frozen=True, eq=False)
class Clock:
    """time = start + (frame - frame_start) / fps.

    jumps: where the motion jumps and keys stand: frames, and the times themselves, s.
    """

    trajectory: Trajectory
    fps: float
    frame_start: float
    jumps: tuple[tuple[float, float], ...] = ()

    def times(self, frames: FloatArray) -> FloatArray:
        """Times (…), s, of frames (…)."""
        times: FloatArray = self.trajectory.times[0] + (frames - self.frame_start) / self.fps
        for frame, time in self.jumps:
            times = np.where(frames == frame, time, times)
        return times

    def states(
        self, frames: FloatArray, side: Side = "right"
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """q (…, nq), dq/dframe (…, nq) and v (…, nv) at frames (…); quaternions are unit.

        At jumps they are those on one side.
        """
        model = self.trajectory.model
        q, v = self._sampled(lambda t: self.trajectory.sample(t, side), self.times(frames))
        q, slopes = _with_unit_quaternions(model, q, q_derivative(model, q, v) / self.fps)
        return q, slopes, v

    def slopes_before(self, frames: FloatArray, slopes: FloatArray) -> FloatArray:
        """Slopes (…, nq) at frames (…) with those at jumps as before them."""
        here = np.isin(frames, [frame for frame, _ in self.jumps])
        if not here.any():
            return slopes
        slopes = slopes.copy()
        slopes[here] = self.states(frames[here], "left")[1]
        return slopes

    def segments(self, starts: FloatArray, ends: FloatArray) -> Segments:
        """Those from frames (k,) to frames (k,)."""
        frames = starts[:, None] + (ends - starts)[:, None] * SHARES
        keys = np.stack((starts, ends), axis=1)
        frames[:, (0, -1)] = keys  # to the last digit, as that is how jumps are known
        times = self.times(frames)
        q, v = self._between(times)
        own, slopes, rates = self.states(keys)
        slopes[:, -1] = self.slopes_before(ends, slopes[:, -1])
        q[:, (0, -1)], v[:, (0, -1)] = own, rates
        return Segments(frames, times, q, v, slopes)

    def _between(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """q (…, nq) and v (…, nv) at times (…), good enough to be compared with.

        They are not put onto the manifold of constraints, which would cost most of the time.
        """
        rough = replace(self.trajectory, dense=replace(self.trajectory.dense, settle=None))
        q, v = self._sampled(rough.sample, times)
        return _unit(self.trajectory.model, q), v

    def _sampled(self, sample: Sample, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """q (…, nq) and v (…, nv) at times (…), BLOCK of them at once."""
        model, every = self.trajectory.model, times.ravel()
        parts = [sample(every[first : first + BLOCK]) for first in range(0, len(every), BLOCK)]
        q = np.concatenate([np.zeros((0, model.nq)), *(part[0] for part in parts)])
        v = np.concatenate([np.zeros((0, model.nv)), *(part[1] for part in parts)])
        return q.reshape(*times.shape, model.nq), v.reshape(*times.shape, model.nv)


def key_frames(
    trajectory: Trajectory,
    fps: float,
    whole: FloatArray,
    interpolation: Interpolation,
    at_jumps: bool,
) -> tuple[Clock, FloatArray]:
    """The clock, and the frames of keys: whole ones (n,), from the first, and those of jumps.

    Without keys at_jumps the clock knows of none.

    Keys stand CLOSEST_KEYS apart. Where a jump is nearer to a whole frame, a curve with slopes has
    its key at the jump, and straight lines have it on the frame.
    """
    jumps: list[tuple[float, float]] = []
    for jump in trajectory.jumps if at_jumps else ():
        frame = float(whole[0] + (jump.time - trajectory.times[0]) * fps)
        inside = whole[0] + CLOSEST_KEYS <= frame <= whole[-1] - CLOSEST_KEYS
        alone = not jumps or frame - jumps[-1][0] >= CLOSEST_KEYS
        beside = interpolation == "BEZIER" or np.abs(whole - frame).min() >= CLOSEST_KEYS
        if inside and alone and beside:
            jumps.append((frame, jump.time))
    at = np.array([frame for frame, _ in jumps])
    near = (np.abs(whole[:, None] - at) < CLOSEST_KEYS).any(axis=1)
    frames = np.sort(np.concatenate((whole[~near], at)))
    return Clock(trajectory, fps, float(whole[0]), tuple(jumps)), frames


def _unit(model: Model, q: FloatArray) -> FloatArray:
    """A copy of q (…, nq) with the quaternions of free joints made unit."""
    q = q.copy()
    for where in model.quaternion_q:
        q[..., where] /= np.linalg.norm(q[..., where], axis=-1, keepdims=True)
    return q


def _with_unit_quaternions(
    model: Model, q: FloatArray, slopes: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """q and its slopes (…, nq) with the quaternions of free joints made unit."""
    if not len(model.quaternion_q):
        return q, slopes
    unit, slopes = _unit(model, q), slopes.copy()
    for where in model.quaternion_q:
        along = unit[..., where]
        rate = slopes[..., where] / np.linalg.norm(q[..., where], axis=-1, keepdims=True)
        slopes[..., where] = rate - along * (along * rate).sum(axis=-1, keepdims=True)
    return unit, slopes
