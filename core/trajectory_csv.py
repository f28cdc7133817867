"""Trajectories as tables: a time column, then a column for each coordinate, named by its joint."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from .dynamics import Model
from .dynamics.coordinate_names import coordinate_names
from .errors import TrajectoryError
from .trajectory import Trajectory

TIME = "time"


def columns(model: Model) -> list[str]:
    """The name of each coordinate of q, in order (nq)."""
    return coordinate_names(model)


def table_columns(model: Model) -> list[str]:
    """The columns of the model's tables: `time`, then the coordinates; each name stands once.

    Raises:
        TrajectoryError: for joints whose coordinates go by the same name, or by that of the time.
    """
    names = [TIME, *columns(model)]
    for name in names:
        if names.count(name) > 1:
            raise TrajectoryError(
                f"{model.name}: two columns of a table would be called '{name}'; wanted other "
                "joint names (a planar or floating joint J has columns J.x, J.y and more)"
            )
    return names


def write_csv(trajectory: Trajectory, path: Path | str) -> None:
    """Write times (s) and coordinates (rad, m) at the sampled times, to full precision.

    Raises:
        TrajectoryError: as `table_columns`, before the file is touched.
    """
    header = table_columns(trajectory.model)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        for time, q in zip(trajectory.times, trajectory.q, strict=True):
            writer.writerow([repr(float(value)) for value in (time, *q)])


def read_csv(model: Model, path: Path | str) -> Trajectory:
    """Read a table of joint values; a joint that has no column stays at its neutral value.

    Args:
        model: what the joints belong to.
        path: a CSV file whose first row names `time` (s) and coordinates (rad, m); see `columns`.
            Blanks around a name count only where a joint has them.

    Raises:
        TrajectoryError: naming the file, the line and the column, and what is allowed.
    """
    rows = _rows(Path(path))
    allowed = table_columns(model)
    known = allowed[1:]
    names = [name if name in allowed else name.strip() for name in rows[0][1]]
    for name in names:
        if names.count(name) > 1:
            raise TrajectoryError(f"{path}:{rows[0][0]}: column '{name}' stands twice")
        if name not in allowed:
            raise TrajectoryError(
                f"{path}:{rows[0][0]}: unknown column '{name}'; allowed: {', '.join(allowed)}"
            )
    if TIME not in names:
        raise TrajectoryError(f"{path}:{rows[0][0]}: wanted a column '{TIME}' (s)")
    table = np.array([_numbers(path, line, names, row) for line, row in rows[1:]])
    if len(table) < 2:
        raise TrajectoryError(f"{path}: wanted at least two rows of numbers, got {len(table)}")
    times = table[:, names.index(TIME)]
    q = np.tile(model.clamped(model.neutral()), (len(times), 1))
    for index, name in enumerate(known):
        if name in names:
            q[:, index] = table[:, names.index(name)]
    later = np.flatnonzero(np.diff(times) <= 0.0)
    if len(later):
        raise TrajectoryError(f"{path}:{rows[later[0] + 2][0]}: column '{TIME}' must increase")
    try:
        return Trajectory.from_table(model, times, q)
    except TrajectoryError as error:
        raise TrajectoryError(f"{path}: {error}") from error


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """(line number, cells) of each row that is not empty; the first is the header."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise TrajectoryError(f"{path}: cannot be read as a CSV table: {error}") from error
    if not rows:
        raise TrajectoryError(
            f"{path}: is empty; wanted a header row with '{TIME}' and joint names"
        )
    return rows


def _numbers(path: Path | str, line: int, names: list[str], row: list[str]) -> list[float]:
    if len(row) != len(names):
        raise TrajectoryError(f"{path}:{line}: wanted {len(names)} columns, got {len(row)}")
    numbers = []
    for name, cell in zip(names, row, strict=True):
        try:
            number = float(cell)
        except ValueError:
            number = np.nan
        if not np.isfinite(number):
            raise TrajectoryError(
                f"{path}:{line}: column '{name}': wanted a finite number, got {cell.strip()!r}"
            )
        numbers.append(number)
    return numbers
