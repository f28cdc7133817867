"""The stretches between neighbouring keys: the motion along them, and what curves make of it."""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from .arrays import FloatArray
from .dynamics.model import IntArray
from .key_slopes import Kinks, with_slopes, with_unit_quaternions
from .phased_motion import Side
from .trajectory import Trajectory

Interpolation = Literal["BEZIER", "LINEAR"]
Sample = Callable[[FloatArray], tuple[FloatArray, FloatArray]]
# where the motion is looked at along a segment, its keys included
SHARES = np.arange(9) / 8.0
CLOSEST_KEYS = 0.02  # frames: Blender merges keys that stand nearer
# A jump of slopes by D per frame at a share s of a segment of h frames cannot be followed between
# keys. With the slope of its other side a curve is off by D h s (1 - 3 s^2 + 2 s^3), with that of
# the key by about 0.08 D h where s is small: this is the share where both are the same.
NEARLY_AT = 0.09
BLOCK = 500  # instants that are sampled in one call: bounds the memory


@dataclass(frozen=True, eq=False)
class Segments:
    """Some segments, with the motion at some shares of each, its start and its end included.

    frames (k, s); times (k, s), s; q (k, s, nq), quaternions unit with the trajectory's own sign,
    which is continuous; v (k, s, nv); slopes (k, 2, nq), dq/dframe at both ends, inside the
    segment; shares (s,) or (k, s).
    """

    frames: FloatArray
    times: FloatArray
    q: FloatArray
    v: FloatArray
    slopes: FloatArray
    shares: FloatArray

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
        s = self.shares[..., None]
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

    @cached_property
    def kinks(self) -> Kinks:
        """Where the motion jumps, whether keys stand there or not."""
        return Kinks.of(self.trajectory, self.fps, self.frame_start)

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
        return *with_slopes(model, q, v, self.fps), v

    def key_states(self, frames: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """q, slopes behind and slopes before (n, nq) of keys at frames (n,), increasing.

        Between two keys they are as in `segments`. Before the first key and behind the last they
        are as on the other side, and as behind the time itself.
        """
        q, behind, _ = self.states(frames)
        along = self._slopes(frames[:-1], frames[1:], behind[:-1], behind[1:])
        behind[:-1] = along[:, 0]
        before = behind.copy()
        before[1:] = along[:, 1]
        return q, behind, before

    def segments(self, starts: FloatArray, ends: FloatArray) -> Segments:
        """Those from frames (k,) to frames (k,)."""
        frames = starts[:, None] + (ends - starts)[:, None] * SHARES
        keys = np.stack((starts, ends), axis=1)
        frames[:, (0, -1)] = keys  # to the last digit, as that is how jumps are known
        times = self.times(frames)
        q, v = self._between(times)
        own, slopes, rates = self.states(keys)
        q[:, (0, -1)], v[:, (0, -1)] = own, rates
        slopes = self._slopes(starts, ends, slopes[:, 0], slopes[:, 1])
        return Segments(frames, times, q, v, slopes, SHARES)

    def at_kinks(self, segments: Segments) -> tuple[IntArray, Segments]:
        """The segments again in which the motion jumps, once for each jump, looked at there.

        Returns:
            Which segments (p,), and these with the shares 0, that of the jump, and 1.
        """
        kinks = self.kinks
        order = np.argsort(segments.frames[:, 0])
        place = np.searchsorted(segments.frames[order, 0], kinks.frames, side="right") - 1
        rows = order[np.maximum(place, 0)] if len(order) else np.zeros(len(kinks), dtype=np.intp)
        found = place >= 0
        found[found] = kinks.frames[found] < segments.frames[rows[found], -1]
        rows = rows[found]

        def with_kinks(values: FloatArray, there: FloatArray) -> FloatArray:
            return np.stack((values[rows, 0], there[found], values[rows, -1]), axis=1)

        frames = with_kinks(segments.frames, kinks.frames)
        return rows, Segments(
            frames,
            with_kinks(segments.times, kinks.times),
            with_kinks(segments.q, kinks.q),
            with_kinks(segments.v, kinks.v),
            segments.slopes[rows],
            (frames - frames[:, :1]) / (frames[:, -1:] - frames[:, :1]),
        )

    def _slopes(
        self, starts: FloatArray, ends: FloatArray, first: FloatArray, last: FloatArray
    ) -> FloatArray:
        """The slopes at both ends (k, 2, nq) that curves of segments have.

        A jump at an end, or nearly there, counts as on the end's far side.

        Args:
            starts, ends: (k,), frames.
            first, last: (k, nq), the slopes there, of the motion behind jumps.
        """
        near = NEARLY_AT * (ends - starts)
        begin, end = self.times(starts), self.times(ends)
        first = first + self.kinks.turned(begin, self.times(starts + near))
        # those at the very end too: what is there is behind them
        last = last - self.kinks.turned(np.nextafter(self.times(ends - near), -np.inf), end)
        return np.stack((first, last), axis=1)

    def _between(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """q (…, nq) and v (…, nv) at times (…), good enough to be compared with.

        They are not put onto the manifold of constraints, which would cost most of the time.
        """
        rough = replace(self.trajectory, dense=replace(self.trajectory.dense, settle=None))
        q, v = self._sampled(rough.sample, times)
        return with_unit_quaternions(self.trajectory.model, q), v

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

    Keys stand CLOSEST_KEYS apart: of jumps that are nearer to each other the largest has the key.
    The first and the last frame keep theirs, so that poses are right there. Where a jump is nearer
    to another whole frame, a curve with slopes has its key at the jump, and straight lines have it
    on the frame.
    """
    clock = Clock(trajectory, fps, float(whole[0]))
    if not at_jumps:
        return clock, whole
    kinks, taken = clock.kinks, list[float]()
    times = dict(zip(kinks.frames.tolist(), kinks.times.tolist(), strict=True))
    for frame in kinks.frames[np.argsort(-kinks.sizes, kind="stable")].tolist():
        place = bisect(taken, frame)
        alone = all(
            abs(frame - own) >= CLOSEST_KEYS for own in taken[max(place - 1, 0) : place + 1]
        )
        inside = whole[0] + CLOSEST_KEYS <= frame <= whole[-1] - CLOSEST_KEYS
        beside = interpolation == "BEZIER" or np.abs(whole - frame).min() >= CLOSEST_KEYS
        if alone and inside and beside:
            insort(taken, frame)
    near = (np.abs(whole[:, None] - np.array(taken)) < CLOSEST_KEYS).any(axis=1)
    frames = np.sort(np.concatenate((whole[~near], taken)))
    return replace(clock, jumps=tuple((frame, times[frame]) for frame in taken)), frames
