"""From a trajectory to keys: scalar channels, unwrapped, with exact slopes; no Blender here.

Between two keys an F-curve is a cubic: with handles at a third of the interval it is the
Hermite cubic of the values and slopes at both keys. Where that lies too far from the solver's
dense output, or opens a closed loop, keys are added between whole frames; the joints of a loop
get theirs at the same instants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import BoolArray, FloatArray, frozen
from .dynamics import Model, System
from .dynamics.contact import Resting
from .dynamics.model import IntArray
from .errors import TrajectoryError
from .key_segments import CLOSEST_KEYS, Clock, Interpolation, Segments, key_frames
from .loop_gap import LOOP_TOLERANCE, LoopGap
from .loop_gaps import Loops, Phase, gaps_of, look_along, loops_of, phases_of
from .trajectory import Trajectory

INTERPOLATIONS: tuple[Interpolation, ...] = ("BEZIER", "LINEAR")
ROUNDING = 1e-9  # frames, so that the last frame is not lost to rounding


@dataclass(frozen=True)
class JointKeys:
    """The keys of one joint.

    frames (n,); values (n, nq_joint) in rad and m, quaternions unit with continuous sign;
    slopes (n, nq_joint) per frame, at jumps of the motion those behind; slopes_before: the same,
    with those before jumps. A jump that has no key and is nearly at one counts as there.
    """

    joint: str
    frames: FloatArray
    values: FloatArray
    slopes: FloatArray
    slopes_before: FloatArray


@dataclass(frozen=True)
class KeyTable:
    """The keys of all joints.

    Attributes:
        deviation: the largest distance (rad or m) from dense output.
        deviation_frame: where it is: the start of that stretch between two keys.
        gaps: how far each constraint opens under the curves, in the order of the system's.
    """

    keys: tuple[JointKeys, ...]
    interpolation: Interpolation
    deviation: float
    gaps: tuple[LoopGap, ...] = ()
    deviation_frame: float = 0.0

    @property
    def count(self) -> int:
        """How many keys there are, over all channels."""
        return sum(keys.values.size for keys in self.keys)


@dataclass(frozen=True)
class _Wanted:
    """How curves run, and the largest deviation (rad or m) and gap (m) that they may have."""

    interpolation: Interpolation
    tolerance: float | None
    loop_tolerance: float | None


@dataclass(frozen=True, eq=False)
class _Group:
    """Joints with keys at the same instants, and the loops that they close."""

    joints: tuple[str, ...]
    columns: IntArray
    plain: IntArray  # the columns that are no quaternion's
    quaternions: IntArray  # (n, 4)
    loops: Loops | None

    @classmethod
    def of(cls, model: Model, joints: Sequence[str], loops: Loops | None) -> _Group:
        """The group of some joints."""
        places = [np.arange(model.nq)[model.q_slices[joint]] for joint in joints]
        columns = np.concatenate([np.zeros(0, dtype=np.intp), *places])
        own = np.isin(model.quaternion_q, columns).all(axis=1)
        quaternions = model.quaternion_q[own]
        return cls(tuple(joints), columns, np.setdiff1d(columns, quaternions), quaternions, loops)


def joint_keys(
    trajectory: Trajectory,
    fps: float,
    frame_start: float,
    frame_end: float,
    *,
    interpolation: Interpolation = "BEZIER",
    tolerance: float | None = None,
    loop_tolerance: float | None = LOOP_TOLERANCE,
    system: System | None = None,
    keys_at_jumps: bool = True,
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
        loop_tolerance: largest gap of a constraint (m) between keys, see `loop_gaps`; keys are
            added likewise. What cannot be reached is told in the gaps. None adds none.
        system: whose constraints count, of the trajectory's model; the one that was simulated if
            none. What holds bodies that rest on each other does not.
        keys_at_jumps: whether keys stand where velocities jump too, with the slopes on both sides.

    Returns:
        The keys, how far the interpolant is from dense output, and how far it opens loops.

    Raises:
        TrajectoryError: for arguments that do not fit.
    """
    if interpolation not in INTERPOLATIONS:
        raise TrajectoryError(f"interpolation: wanted BEZIER or LINEAR, got {interpolation!r}")
    if not fps > 0.0:
        raise TrajectoryError(f"fps: wanted a positive number, got {fps!r}")
    for name, value in (("tolerance", tolerance), ("loop_tolerance", loop_tolerance)):
        if value is not None and not value > 0.0:
            raise TrajectoryError(f"{name}: wanted a positive number, got {value!r}")
    length = (trajectory.times[-1] - trajectory.times[0]) * fps
    count = int(np.floor(min(length, frame_end - frame_start) + ROUNDING)) + 1
    if count < 1:
        raise TrajectoryError(f"no frame lies between {frame_start} and {frame_end}")
    whole = frame_start + np.arange(count, dtype=np.float64)
    clock, frames = key_frames(trajectory, fps, whole, interpolation, keys_at_jumps)
    wanted = _Wanted(interpolation, tolerance, loop_tolerance)
    phases = phases_of(trajectory.equations) if system is None else [(-np.inf, system)]
    return _table(clock, [(start, _loops_alone(own)) for start, own in phases], frames, wanted)


def _loops_alone(system: System) -> System:
    """The system without what holds bodies at rest on each other."""
    rests = any(isinstance(own, Resting) for own in system.constraints)
    if not rests:
        return system
    loops = tuple(own for own in system.constraints if not isinstance(own, Resting))
    return System(
        system.model, constraints=loops, markers=system.markers, reference=system.reference
    )


def _table(clock: Clock, phases: Sequence[Phase], frames: FloatArray, wanted: _Wanted) -> KeyTable:
    """Keys at the frames and between them."""
    q, _, v = clock.states(frames)
    first = clock.segments(frames[:-1], frames[1:])
    keys: dict[str, JointKeys] = {}
    gaps: dict[str, LoopGap] = {}
    worst = (0.0, float(frames[0]))
    # a single key has nothing between
    groups = _groups(clock, phases if len(first) else [], frames, q, v)
    for group in groups:
        between, deviation, found = _refine(clock, group, first, wanted)
        worst = max(worst, deviation, key=lambda own: own[0])
        gaps.update((gap.name, gap) for gap in found)
        every = np.sort(np.concatenate((frames, between)))
        parts = clock.key_states(every)
        for joint in group.joints:
            where = clock.trajectory.model.q_index(joint)
            own = (frozen(part[:, where].copy()) for part in parts)
            keys[joint] = JointKeys(joint, frozen(every.copy()), *own)
    names = [own.name for _, system in phases[:1] for own in system.constraints]
    return KeyTable(
        tuple(keys[joint] for joint in clock.trajectory.model.joint_names),
        wanted.interpolation,
        worst[0],
        tuple(gaps[name] for name in names if name in gaps),
        worst[1],
    )


def _groups(
    clock: Clock, phases: Sequence[Phase], frames: FloatArray, q: FloatArray, v: FloatArray
) -> list[_Group]:
    """The joints of loops together, and every other joint for itself."""
    model = clock.trajectory.model
    loops = loops_of(phases, clock.times(frames), q, v)
    bound = {joint for own in loops for joint in own.joints}
    groups = [_Group.of(model, own.joints, own) for own in loops]
    free = [joint for joint in model.joint_names if joint not in bound]
    return groups + [_Group.of(model, [joint], None) for joint in free]


def _refine(
    clock: Clock, group: _Group, segments: Segments, wanted: _Wanted
) -> tuple[FloatArray, tuple[float, float], list[LoopGap]]:
    """The frames of keys to be added between those of the segments, and what is left then.

    Segments are bisected where curves deviate or loops open too far, until they may be no shorter.

    Returns:
        Frames (n,), the deviation (rad or m) with its frame, and the gaps of the group's loops.
    """
    added, worst, looks = [np.zeros(0)], (0.0, 0.0), []
    while True:
        errors = _deviations(group, segments, wanted.interpolation)
        rows, kinks = clock.at_kinks(segments)
        np.maximum.at(errors, rows, _deviations(group, kinks, wanted.interpolation))
        split: BoolArray = np.zeros(len(segments), dtype=bool)
        if wanted.tolerance is not None:
            split |= errors > wanted.tolerance
        look = None
        if group.loops is not None:
            gap = wanted.loop_tolerance
            look = look_along(group.loops, segments, group.columns, wanted.interpolation, gap)
            if gap is not None:
                split |= look.worth_keys(gap)
        split &= segments.gaps >= 2.0 * CLOSEST_KEYS
        kept = errors[~split]
        if kept.max(initial=0.0) > worst[0]:
            place = int(kept.argmax())
            worst = float(kept[place]), float(segments.frames[~split][place, 0])
        if look is not None:
            looks.append(look.kept(~split))
        if not split.any():
            break
        starts, ends = segments.frames[split, 0], segments.frames[split, -1]
        middles = starts + 0.5 * (ends - starts)
        added.append(middles)
        segments = clock.segments(
            np.concatenate((starts, middles)), np.concatenate((middles, ends))
        )
    gaps = [] if group.loops is None else gaps_of(group.loops, looks, wanted.loop_tolerance)
    return np.concatenate(added), worst, gaps


def _deviations(group: _Group, segments: Segments, interpolation: Interpolation) -> FloatArray:
    """The largest distance of curves from dense output in each segment (k,), rad or m."""
    guess = segments.interpolated(group.plain, interpolation)
    worst = np.abs(guess - segments.q[..., group.plain]).max(axis=(1, 2), initial=0.0)
    for where in group.quaternions:
        guess = segments.interpolated(where, interpolation)
        worst = np.maximum(worst, _angle(guess, segments.q[..., where]).max(axis=1))
    return np.asarray(worst, dtype=np.float64)


def _angle(guess: FloatArray, truth: FloatArray) -> FloatArray:
    """The angle (…), rad, between quaternions (…, 4) of any length and unit ones."""
    unit = guess / np.linalg.norm(guess, axis=-1, keepdims=True)
    signs = np.where((unit * truth).sum(axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    half = np.linalg.norm(unit - signs * truth, axis=-1) / 2.0
    angle: FloatArray = 4.0 * np.arcsin(np.minimum(half, 1.0))
    return angle
