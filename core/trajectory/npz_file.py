"""Trajectories as .npz: all of a motion, so that it answers as before, between times as at them.

The file is a zip of arrays that `numpy.load` reads without pickle. Its bytes depend on the motion
alone: no clock, no machine.

    format, version             what the file is
    model, joints, joint_types  whose motion it is
    q_names, q_units, v_names, v_units, a_names, a_units
    times, q, v, a              the samples
    energy, work                of a simulated motion
    method, steps, evaluations, remarks  how it was made
    knots, start, powers        dense output: y = (q, v, …) as a piecewise polynomial
    given                       whether the motion was given, not simulated
    damping, limits, passive    what acts besides force elements and tau
    elements, has_tau           how many joint forces, frame forces and prescribed coordinates
                                acted, and whether a tau did; they themselves are functions

and what `npz_phases` says of constraints and jumps, `npz_impacts` of impacts, and `npz_touches` of
contacts with friction.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..dynamics import Model, System
from ..errors import ModelError, TrajectoryError
from ..integrate import DenseOutput
from ..motion import Motion, Torque
from .columns import columns_of
from .npz_content import FORMAT, VERSION, Array, Content, check_joints, read_content
from .npz_impacts import impact_arrays, read_impacts
from .npz_phases import jump_arrays, other_constraints, phase_arrays, phased, read_jumps
from .npz_touches import read_touches, touch_arrays
from .trajectory import Trajectory
from .whole_file import checked_path, checked_system, whole_file

ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)
CHECKED = 100  # samples, about so many, at which the equations at hand are compared
SAME = 1e-6  # of the largest acceleration: equations that give others are not those of the file


def write_npz(trajectory: Trajectory, path: Path | str) -> None:
    """Write all of a trajectory; the same trajectory gives the same bytes.

    Raises:
        TrajectoryError: as `whole_file`.
    """
    arrays = arrays_of(trajectory)
    with whole_file(path) as whole, zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as file:
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy", ZIP_EPOCH)
            entry.create_system = 3  # where this runs is not of interest
            file.writestr(entry, _bytes(array))


def arrays_of(trajectory: Trajectory) -> dict[str, Array]:
    """What the file holds, by name."""
    model, equations, dense = trajectory.model, trajectory.equations, trajectory.dense
    system, columns = equations.system, columns_of(model)
    out: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "model": model.name,
        "joints": list(model.joint_names),
        "joint_types": [model.joint_types[joint] for joint in model.joint_names],
    }
    for name, part in (("q", columns.q), ("v", columns.v), ("a", columns.a)):
        out[f"{name}_names"] = [column.name for column in part]
        out[f"{name}_units"] = [column.unit for column in part]
    out |= {name: getattr(trajectory, name) for name in ("times", "q", "v", "a")}
    if trajectory.energy is not None and trajectory.work is not None:
        out |= {"energy": trajectory.energy, "work": trajectory.work}
    out |= {
        "method": trajectory.method,
        "steps": trajectory.steps,
        "evaluations": trajectory.evaluations,
        "remarks": list(trajectory.remarks),
        "knots": dense.knots,
        "start": dense.start,
        "powers": dense.powers,
        "given": trajectory.given,
        "damping": float(equations.damping),
        "limits": bool(equations.limits),
        "passive": bool(equations.passive),
        "elements": _elements(system),
        "has_tau": equations.tau is not None,
    }
    out |= phase_arrays(equations) | jump_arrays(trajectory.jumps)
    out |= impact_arrays(trajectory.impacts) | touch_arrays(trajectory.touches)
    return {name: _array(value) for name, value in out.items()}


def read_npz(model: Model | System, path: Path | str, tau: Torque | None = None) -> Trajectory:
    """Read a trajectory of a model: between times it answers as the one that was written.

    Accelerations and forces are those of the equations of motion where these are known again:
    where only the model's own forces acted, or where the System and the tau are handed in. Else
    the motion counts as given.

    Args:
        model: whose motion, or the System it was simulated with.
        path: a file of `write_npz`.
        tau: the function it was simulated with.

    Raises:
        TrajectoryError: for a file that is no trajectory, or that of another robot, naming the
            joints that differ; for a System and a tau that do not make the motion of the file.
    """
    system = checked_system(model)
    content = read_content(checked_path(path))
    check_joints(content, system.model)
    motion = Motion(
        system,
        tau,
        damping=content.number("damping"),
        limits=content.flag("limits"),
        passive=content.flag("passive"),
    )
    trajectory = _trajectory(content, motion)
    handed_in = tau is not None or any(_elements(system)) or bool(system.constraints)
    if content.flag("given"):
        if tau is not None:
            raise TrajectoryError(f"{path}: tau: wanted none, the motion was given")
        return trajectory
    problem = other_constraints(content, system)
    if not problem:
        motion = phased(content, motion)
        problem = _other_equations(content, replace(trajectory, equations=motion))
    if not problem:
        dense = replace(trajectory.dense, settle=motion.settle)
        return replace(trajectory, given=False, dense=dense, equations=motion)
    if handed_in:
        raise TrajectoryError(f"{path}: {problem}; wanted those of the file, or the Model alone")
    return trajectory


def _trajectory(content: Content, motion: Motion) -> Trajectory:
    """The motion of a file, as one that was given."""
    model = motion.model
    times = content.times("times", least=1)
    count, knots = len(times), content.times("knots", least=1)
    start = content.numbers("start", (len(knots), None))
    if start.shape[1] < model.nq + model.nv:
        raise content.error(f"'start': wanted at least {model.nq + model.nv} columns")
    powers = content.numbers("powers", (len(knots) - 1, start.shape[1], None))
    if not powers.shape[2]:
        raise content.error("'powers': wanted at least one power")
    simulated = "energy" in content.arrays
    return Trajectory(
        model=model,
        times=times,
        q=content.numbers("q", (count, model.nq)),
        v=content.numbers("v", (count, model.nv)),
        a=content.numbers("a", (count, model.nv)),
        method=content.text("method"),
        dense=DenseOutput(knots, start, powers),
        equations=motion,
        given=True,
        energy=content.numbers("energy", (count,)) if simulated else None,
        work=content.numbers("work", (count,)) if simulated else None,
        steps=content.count("steps"),
        evaluations=content.count("evaluations"),
        remarks=tuple(content.texts("remarks")),
        jumps=read_jumps(content, model),
        impacts=read_impacts(content, model),
        touches=read_touches(content, model),
    )


def _other_equations(content: Content, trajectory: Trajectory) -> str:
    """Why the equations at hand are not those of the file; nothing where they are."""
    motion = trajectory.equations
    had, has = content.flag("has_tau"), motion.tau is not None
    if had != has:
        return f"was made with{'' if had else 'out'} a tau, got {'one' if has else 'none'}"
    elements = content.numbers("elements", (3,)).astype(int).tolist()
    if elements != _elements(motion.system):
        kinds = "joint forces, frame forces and prescribed coordinates"
        return f"was made with {elements} {kinds}, got {_elements(motion.system)}"
    if trajectory.touches is not None:
        return ""  # accelerations are those of the motion, and not of the equations
    dense = replace(trajectory.dense, settle=motion.settle)
    stride = slice(None, None, 1 + len(trajectory.times) // CHECKED)
    times, expected = trajectory.times[stride], trajectory.a[stride]
    if dense.start.shape[1] != motion.nq + motion.nv + motion.quadratures:
        return "has no work in its dense output"
    try:
        rates = motion.derivative(times, dense(times))
    except ModelError as error:
        return str(error)
    a = rates[:, motion.nq : motion.nq + motion.nv]
    worst, largest = (np.abs(x).max(initial=0.0) for x in (a - expected, expected))
    if worst <= SAME * largest:
        return ""
    return f"has accelerations that differ by up to {worst:.3g} from those of the forces at hand"


def _elements(system: System) -> list[int]:
    """How many joint forces, frame forces and prescribed coordinates act."""
    return [len(system.joint_forces), len(system.frame_forces), len(system.prescribed)]


def _array(value: Any) -> Array:
    """An array of little-endian numbers, or of texts."""
    array = np.asarray(value)
    if isinstance(value, list) and not value:
        array = np.zeros(0, dtype="<U1")
    kinds = {"f": "<f8", "i": "<i8", "b": "|b1"}
    return np.array(array, dtype=kinds.get(array.dtype.kind), order="C")


def _bytes(array: Array) -> bytes:
    """An array as a .npy file."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()
