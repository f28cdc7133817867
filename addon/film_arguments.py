"""Checks of what `render`, `write_blend` and `animate` are given; no Blender is needed."""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import ArgumentError

if TYPE_CHECKING:
    from ..core.mechanism.solution import MechanismSolution

SIZES = (16, 8192)  # pixels, least and greatest side
SPEEDS = (0.01, 1000.0)  # frames per second, least and greatest
LONGEST = 100_000  # frames
LAST_FRAME = 1_048_574  # of Blender, and the first is minus that; keys beyond fall onto it
ROUNDING = 1e-9  # frames, so that the last frame is not lost to rounding


def check_motion(mechanism: Any, sol: Any) -> None:
    """Refuse what is no mechanism, and what is no motion of it.

    Raises:
        ArgumentError: naming the argument.
    """
    from ..core.mechanism import Mechanism
    from ..core.mechanism.solution import MechanismSolution

    if not isinstance(mechanism, Mechanism):
        raise ArgumentError(f"mechanism: wanted a Mechanism, got {_kind(mechanism)}")
    if not isinstance(sol, MechanismSolution):
        raise ArgumentError(
            f"sol: wanted a MechanismSolution of '{mechanism.name}', got {_kind(sol)}"
        )
    if sol.mechanism is not mechanism:
        raise ArgumentError(
            f"sol: wanted a motion of '{mechanism.name}', this very mechanism, got one of another, "
            f"'{sol.mechanism.name}'"
        )


def checked_size(size: Any, even: bool = False) -> tuple[int, int]:
    """Width and height of a picture, pixels.

    Raises:
        ArgumentError: for anything else.
    """
    low, high = SIZES
    try:
        sides = [_whole(side) for side in size]
    except TypeError:
        sides = []
    step = 2 if even else 1
    if len(sides) == 2:
        width, height = sides
        if width in range(low, high + 1, step) and height in range(low, high + 1, step):
            assert width is not None and height is not None
            return width, height
    wanted = "two even numbers" if even else "two whole numbers"
    raise ArgumentError(f"size: wanted {wanted} of pixels, {low} to {high}, got {size!r}")


def checked_fps(fps: Any) -> float:
    """Frames per second.

    Raises:
        ArgumentError: for anything else.
    """
    low, high = SPEEDS
    speed = number(fps, "fps", f"a number from {low:g} to {high:g}")
    if not low <= speed <= high:
        raise ArgumentError(f"fps: wanted a number from {low:g} to {high:g}, got {fps!r}")
    return speed


def checked_frame(frame_start: Any, count: int) -> int:
    """The first of `count` frames, all of which Blender can count to.

    Raises:
        ArgumentError: for anything else.
    """
    start, last = _whole(frame_start), LAST_FRAME - count + 1
    if start is None or not -LAST_FRAME <= start <= last:
        raise ArgumentError(
            f"frame_start: wanted a whole number from {-LAST_FRAME} to {last}, so that Blender "
            f"can count all frames of the motion ({count}), got {frame_start!r}"
        )
    return start


def frame_times(sol: MechanismSolution, fps: float, start: Any, end: Any) -> FloatArray:
    """The times of all frames, s.

    Raises:
        ArgumentError: for times outside the motion, in the wrong order, or too many frames.
    """
    first = instant(sol, sol.trajectory.times[0] if start is None else start, "start")
    last = instant(sol, sol.trajectory.times[-1] if end is None else end, "end")
    if last < first:
        raise ArgumentError(f"end: wanted a time from the start, {first:g} s, on, got {last:g} s")
    if (last - first) * fps > LONGEST:
        raise ArgumentError(f"start, end: wanted at most {LONGEST} frames, got {last - first:g} s")
    count = int(np.floor((last - first) * fps + ROUNDING)) + 1
    times: FloatArray = first + np.arange(count) / fps
    return times


def instant(sol: MechanismSolution, t: Any, name: str) -> float:
    """A time within the motion, s.

    Raises:
        ArgumentError: for anything else.
    """
    first, last = float(sol.trajectory.times[0]), float(sol.trajectory.times[-1])
    wanted = f"a time from {first:g} s to {last:g} s"
    given = number(t, name, wanted)
    if not first <= given <= last:
        raise ArgumentError(f"{name}: wanted {wanted}, got {t!r}")
    return given


def number(value: Any, name: str, wanted: str) -> float:
    """A finite number.

    Raises:
        ArgumentError: for anything else: text, lists, None, truth values, NaN.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, Real) and not isinstance(value, bool):
        try:
            out = float(value)
        except OverflowError:
            out = math.inf
        if math.isfinite(out):
            return out
    raise ArgumentError(f"{name}: wanted {wanted}, got {value!r}")


def _whole(value: Any) -> int | None:
    """A whole number; None for anything else."""
    try:
        given = number(value, "", "")
    except ArgumentError:
        return None
    return int(given) if given.is_integer() else None


def _kind(value: Any) -> str:
    return "None" if value is None else f"a {type(value).__name__}"
