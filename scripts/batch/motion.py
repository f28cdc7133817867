"""The motion to bake: a start pose by names, and a simulation or a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from dynarig.addon.blender.bake.settings import LAST_FRAME, ROUNDING
from dynarig.core.arrays import FloatArray
from dynarig.core.dynamics import Model, System
from dynarig.core.dynamics.constraints.assembly import WORTH_TELLING, assemble
from dynarig.core.dynamics.contact import ContactSystem, joint_limits
from dynarig.core.dynamics.coordinate_names import coordinate_names, coordinate_units
from dynarig.core.errors import DynarigError, TrajectoryError
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


def closed_start(
    system: System, q: FloatArray, pose: Sequence[tuple[str, float]]
) -> tuple[FloatArray, list[str]]:
    """q (nq,) with the loops closed, and what is to be told of it.

    The joints of the pose stay as they are: all of them, or else those that can stay beside the
    ones before them; the others move as little as the masses allow.

    Raises:
        SimulationError: for loops that cannot be closed, naming them and their gaps.
    """
    if not pose or system.projection is None:
        return q, []
    model = system.model
    names = coordinate_names(model)
    units = ["" if unit == "1" else f" {unit}" for unit in coordinate_units(model)]
    where = {name: names.index(name) for name, _ in pose}
    joint_of = {
        name: next(own for own, part in model.q_slices.items() if part.start <= i < part.stop)
        for name, i in where.items()
    }
    slices = {joint: model.v_slices[joint] for joint in joint_of.values()}
    held = [range(own.start, own.stop) for own in slices.values()]
    try:
        found = assemble(system.projection, 0.0, q, np.zeros(model.nv), held)
    except np.linalg.LinAlgError:
        return q, []  # no inertia: the simulation tells of which joint
    notes = [] if found.notice is None else [found.notice]
    left = [
        f"{name}={value:g} starts at {found.q[where[name]]:.6g}{units[where[name]]}"
        for name, value in pose
        if np.abs(found.moved[slices[joint_of[name]]]).max() > WORTH_TELLING
    ]
    if left:
        notes.append(f"the loops do not allow all of --pose: {', '.join(left)}")
    return found.q, notes


def table_motion(model: Model, path: Path, fps: float, duration: float | None) -> Trajectory:
    """The motion in a file, .npz or else a CSV table, checked to cover at least one frame.

    Raises:
        TrajectoryError: for a file that does not fit the robot.
        PoseError: for one that ends before the second frame, or after Blender's last.
    """
    motion = _read_npz(model, path) if path.suffix.lower() == ".npz" else read_csv(model, path)
    length = float(motion.times[-1] - motion.times[0])
    # as long as the scene's frames, which begin at 1
    if not 1.0 - ROUNDING <= length * fps <= LAST_FRAME - 1:
        raise PoseError(
            f"{path}: is {length:g} s long, {length * fps:g} frames; wanted 1 to {LAST_FRAME - 1}"
        )
    if duration is not None and duration > length + 1e-9:
        raise PoseError(f"--duration {duration:g}: {path} ends after {length:g} s")
    return motion


def _read_npz(model: Model, path: Path) -> Trajectory:
    """The motion in a file, with its forces where it was that of the robot alone, with limits."""
    limits = joint_limits(model)
    if limits:
        try:
            return read_npz(ContactSystem(model, contacts=limits), path)
        except TrajectoryError:
            pass  # something else acted too, or the file does not fit: that is told below
    return read_npz(model, path)
