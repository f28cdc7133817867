"""Trajectories in files, by the suffix of their names."""

from __future__ import annotations

from pathlib import Path

from ..dynamics import Model, System
from ..errors import TrajectoryError
from ..motion import Torque
from .csv_file import read_csv, write_csv
from .npz_file import read_npz, write_npz
from .trajectory import Trajectory
from .whole_file import checked_path, checked_system

SUFFIXES = (".npz", ".csv")


def save_trajectory(trajectory: Trajectory, path: Path | str) -> None:
    """Write a trajectory: .npz, all of it, or .csv, its samples.

    Raises:
        TrajectoryError: for another suffix, for joints that a table cannot tell apart, and for a
            file that cannot be written; what stood there before is as it was then.
    """
    if _suffix(path) == ".npz":
        write_npz(trajectory, path)
    else:
        write_csv(trajectory, path)


def load_trajectory(
    path: Path | str, model: Model | System, tau: Torque | None = None
) -> Trajectory:
    """Read a trajectory of a model, as `read_npz` or `read_csv`.

    Args:
        path: a file whose name ends in .npz or .csv.
        model: whose motion, or the System it was simulated with.
        tau: the function it was simulated with (.npz only).

    Raises:
        TrajectoryError: for another suffix, and for a file that does not fit, naming the joint or
            the line and column.
    """
    suffix, system = _suffix(path), checked_system(model)
    if suffix == ".npz":
        return read_npz(system, path, tau)
    if tau is not None:
        raise TrajectoryError(f"{path}: tau: wanted none, a table is a motion that is given")
    return read_csv(system, path)


def _suffix(path: Path | str) -> str:
    suffix = checked_path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise TrajectoryError(f"{path}: wanted a file name that ends in {' or '.join(SUFFIXES)}")
    return suffix
