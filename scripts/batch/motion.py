"""The motion to bake: a start pose by names, and a simulation or a table."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dynarig.addon.blender.bake_settings import LAST_FRAME, ROUNDING
from dynarig.core.arrays import FloatArray
from dynarig.core.dynamics import Model
from dynarig.core.dynamics.coordinate_names import coordinate_names
from dynarig.core.errors import DynarigError
from dynarig.core.trajectory import Trajectory, read_csv, read_npz


class PoseError(DynarigError):
    """A start pose that the robot cannot have."""


def start_pose(
    model: Model, values: Iterable[tuple[str, float]], limits: bool = True
) -> FloatArray:
    """q (nq,): the neutral pose inside the limits, with some coordinates given.

    Args:
        model: whose joints.
        values: names as in `coordinate_names(model)`, and values in rad or m.
        limits: whether values must lie inside the joint limits.

    Raises:
        PoseError: for an unknown or ambiguous name, a value outside the limits, a quaternion of
            zero length.
        ModelError: for a mimic joint, which follows another.
    """
    q = model.clamped(model.neutral())
    names = coordinate_names(model)
    lower, upper = model.limits()
    for name, value in values:
        if name in model.followers:
            model.q_index(name)  # raises with the name of its leader
        if name not in names:
            raise PoseError(f"--pose: no joint '{name}'; there are: {', '.join(names)}")
        if names.count(name) > 1:
            raise PoseError(f"--pose {name}={value:g}: two coordinates of the robot are called so")
        index = names.index(name)
        if limits and not lower[index] <= value <= upper[index]:
            raise PoseError(
                f"--pose {name}={value:g}: is outside the joint's limits, "
                f"{lower[index]:g} to {upper[index]:g}"
            )
        q[index] = value
    for where in model.quaternion_q:
        if not q[where].any():
            raise PoseError(f"--pose: the quaternion {', '.join(names[i] for i in where)} is zero")
    return q


def table_motion(model: Model, path: Path, fps: float, duration: float | None) -> Trajectory:
    """The motion in a file, .npz or else a CSV table, checked to cover at least one frame.

    Raises:
        TrajectoryError: for a file that does not fit the robot.
        PoseError: for one that ends before the second frame, or after Blender's last.
    """
    read = read_npz if path.suffix.lower() == ".npz" else read_csv
    motion = read(model, path)
    length = float(motion.times[-1] - motion.times[0])
    # as long as the scene's frames, which begin at 1
    if not 1.0 - ROUNDING <= length * fps <= LAST_FRAME - 1:
        raise PoseError(
            f"{path}: is {length:g} s long, {length * fps:g} frames; wanted 1 to {LAST_FRAME - 1}"
        )
    if duration is not None and duration > length + 1e-9:
        raise PoseError(f"--duration {duration:g}: {path} ends after {length:g} s")
    return motion
