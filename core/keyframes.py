"""From a trajectory to keys: scalar channels, unwrapped, with exact slopes; no Blender here.

Between two keys an F-curve is a cubic: with handles at a third of the interval it is the
Hermite cubic of the values and slopes at both keys. Where that lies too far from the solver's
dense output, keys are added between whole frames.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from .arrays import FloatArray, frozen
from .dynamics import q_derivative
from .errors import TrajectoryError
from .trajectory import Trajectory

Interpolation = Literal["BEZIER", "LINEAR"]
INTERPOLATIONS: tuple[Interpolation, ...] = ("BEZIER", "LINEAR")
CLOSEST_KEYS = 0.02  # frames: Blender merges keys that stand nearer
PROBES = np.arange(1, 8) / 8.0  # where the interpolant is compared between two keys
ROUNDING = 1e-9  # frames, so that the last frame is not lost to rounding


@dataclass(frozen=True)
class JointKeys:
    """The keys of one joint.

    frames (n,); values (n, nq_joint) in rad and m, quaternions unit with continuous sign;
    slopes (n, nq_joint) per frame.
    """

    joint: str
    frames: FloatArray
    values: FloatArray
    slopes: FloatArray


@dataclass(frozen=True)
class KeyTable:
    """The keys of all joints; deviation is the largest distance (rad or m) from dense output."""

    keys: tuple[JointKeys, ...]
    interpolation: Interpolation
    deviation: float

    @property
    def count(self) -> int:
        """How many keys there are, over all channels."""
        return sum(keys.values.size for keys in self.keys)


@dataclass(frozen=True)
class _Clock:
    """time = start + (frame - frame_start) / fps."""

    trajectory: Trajectory
    fps: float
    frame_start: float

    def states(self, frames: FloatArray) -> tuple[FloatArray, FloatArray]:
        """q and dq/dframe at frames (…): (…, nq) each."""
        times = self.trajectory.times[0] + (frames - self.frame_start) / self.fps
        q, v = self.trajectory.sample(times)
        return q, q_derivative(self.trajectory.model, q, v) / self.fps


def joint_keys(
    trajectory: Trajectory,
    fps: float,
    frame_start: float,
    frame_end: float,
    *,
    interpolation: Interpolation = "BEZIER",
    tolerance: float | None = None,
) -> KeyTable:
    """Keys for every joint that has coordinates of its own.

    Args:
        trajectory: the motion; its first time falls on `frame_start`.
        fps: frames per second.
        frame_start, frame_end: keys stand at frame_start, frame_start + 1, … to frame_end or to
            the end of the motion, whichever comes first.
        interpolation: 'BEZIER' (exact slopes) or 'LINEAR'.
        tolerance: largest distance from dense output (rad or m); keys are added between frames
            until it is met, at least CLOSEST_KEYS apart. None adds none.

    Returns:
        The keys, and how far the interpolant is from dense output.

    Raises:
        TrajectoryError: for arguments that do not fit.
    """
    if interpolation not in INTERPOLATIONS:
        raise TrajectoryError(f"interpolation: wanted BEZIER or LINEAR, got {interpolation!r}")
    if not fps > 0.0:
        raise TrajectoryError(f"fps: wanted a positive number, got {fps!r}")
    if tolerance is not None and not tolerance > 0.0:
        raise TrajectoryError(f"tolerance: wanted a positive number, got {tolerance!r}")
    clock = _Clock(trajectory, fps, frame_start)
    length = (trajectory.times[-1] - trajectory.times[0]) * fps
    count = int(np.floor(min(length, frame_end - frame_start) + ROUNDING)) + 1
    if count < 1:
        raise TrajectoryError(f"no frame lies between {frame_start} and {frame_end}")
    frames = frame_start + np.arange(count, dtype=np.float64)
    keys, worst = [], 0.0
    for joint in trajectory.model.joint_names:
        own, error = _keys_of_joint(clock, joint, frames, interpolation, tolerance)
        keys.append(own)
        worst = max(worst, error)
    return KeyTable(tuple(keys), interpolation, worst)


def _keys_of_joint(
    clock: _Clock,
    joint: str,
    frames: FloatArray,
    interpolation: Interpolation,
    tolerance: float | None,
) -> tuple[JointKeys, float]:
    """Keys at the frames and, where a tolerance asks for them, between; and what error is left."""
    while True:
        keys = _at_frames(clock, joint, frames)
        errors = _interval_errors(clock, keys, interpolation)
        gaps = np.diff(frames)
        worst = float(errors.max(initial=0.0))
        if tolerance is None:
            return keys, worst
        split = (errors > tolerance) & (gaps >= 2.0 * CLOSEST_KEYS)
        if not split.any():
            return keys, worst
        frames = np.sort(np.concatenate((frames, (frames[:-1] + 0.5 * gaps)[split])))


def _at_frames(clock: _Clock, joint: str, frames: FloatArray) -> JointKeys:
    values, slopes = _joint_states(clock, joint, frames)
    return JointKeys(joint, frozen(frames), frozen(values), frozen(slopes))


def _joint_states(clock: _Clock, joint: str, frames: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Values and slopes (…, nq_joint), the quaternion of a free joint made unit.

    Its sign is the trajectory's own, which is continuous however fast the body spins.
    """
    where = clock.trajectory.model.q_index(joint)
    q, slope = clock.states(frames)
    values, slopes = q[..., where].copy(), slope[..., where].copy()
    if _has_quaternion(clock, joint):
        length = np.linalg.norm(values[..., -4:], axis=-1, keepdims=True)
        unit = values[..., -4:] / length
        rate = slopes[..., -4:] / length
        values[..., -4:] = unit
        slopes[..., -4:] = rate - unit * (unit * rate).sum(axis=-1, keepdims=True)
    return values, slopes


def _interval_errors(clock: _Clock, keys: JointKeys, interpolation: Interpolation) -> FloatArray:
    """The largest distance of the interpolant from dense output in each interval, (n - 1,)."""
    gaps = np.diff(keys.frames)
    if not len(gaps):
        return np.zeros(0)
    probes = keys.frames[:-1, None] + gaps[:, None] * PROBES
    truth, _ = _joint_states(clock, keys.joint, probes)
    start, end = keys.values[:-1, None], keys.values[1:, None]
    s = PROBES[:, None]
    if interpolation == "LINEAR":
        guess = start + s * (end - start)
    else:
        h = gaps[:, None, None]
        guess = (
            start * (1.0 + 2.0 * s) * (1.0 - s) ** 2
            + end * s * s * (3.0 - 2.0 * s)
            + h * keys.slopes[:-1, None] * s * (1.0 - s) ** 2
            - h * keys.slopes[1:, None] * s * s * (1.0 - s)
        )
    plain = guess.shape[-1] - (4 if _has_quaternion(clock, keys.joint) else 0)
    worst = np.abs(guess - truth)[..., :plain].max(axis=(1, 2), initial=0.0)
    if plain < guess.shape[-1]:
        angles = _angle(guess[..., plain:], truth[..., plain:])
        worst = np.maximum(worst, angles.max(axis=1))
    return np.asarray(worst, dtype=np.float64)


def _angle(guess: FloatArray, truth: FloatArray) -> FloatArray:
    """The angle (…), rad, between quaternions (…, 4) of any length and unit ones."""
    unit = guess / np.linalg.norm(guess, axis=-1, keepdims=True)
    signs = np.where((unit * truth).sum(axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    half = np.linalg.norm(unit - signs * truth, axis=-1) / 2.0
    angle: FloatArray = 4.0 * np.arcsin(np.minimum(half, 1.0))
    return angle


def _has_quaternion(clock: _Clock, joint: str) -> bool:
    model = clock.trajectory.model
    where = model.q_index(joint)
    return bool((model.quaternion_q[:, 3] == where.stop - 1).any())
