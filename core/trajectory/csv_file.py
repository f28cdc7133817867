"""Trajectories as tables: time, then coordinates, velocities and accelerations, by joint.

    time [s],elbow [rad],…,elbow.v [rad/s],…,elbow.a [rad/s^2]

Read is any choice of these columns, in any order, with or without units.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import numpy as np

from ..arrays import FloatArray
from ..dynamics import Model, System
from ..errors import ModelError, TrajectoryError
from .columns import Column, Columns, table_columns
from .trajectory import Trajectory
from .whole_file import checked_path, checked_system, whole_file

WITH_UNIT = re.compile(r"(?P<name>.*?)\s*\[(?P<unit>[^\[\]]*)\]\s*", re.DOTALL)


def write_csv(trajectory: Trajectory, path: Path | str) -> None:
    """Write times, q, v and a at the sampled times, to full precision.

    Raises:
        TrajectoryError: as `table_columns`, before the file is touched, and as `whole_file`.
    """
    header = [column.heading for column in table_columns(trajectory.model).all]
    rows = np.column_stack((trajectory.times, trajectory.q, trajectory.v, trajectory.a))
    with whole_file(path) as whole:
        file = io.TextIOWrapper(whole, encoding="utf-8", newline="")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([repr(value) for value in row] for row in rows.tolist())
        file.flush()


def read_csv(model: Model | System, path: Path | str) -> Trajectory:
    """Read a table; a joint that has no column stays at its neutral value.

    Args:
        model: what the joints belong to.
        path: a CSV file whose first row names `time` (s) and coordinates (rad, m), and perhaps
            velocities and accelerations of all or some of the joints; see `table_columns`. Units
            may stand behind the names, in brackets. Blanks around a name count only where a joint
            has them.

    Raises:
        TrajectoryError: naming the file, the line and the column, and what is allowed.
    """
    system = checked_system(model)
    tree = system.model
    rows = _rows(checked_path(path))
    columns = table_columns(tree)
    place = f"{path}:{rows[0][0]}"
    header = _header(place, columns, rows[0][1])
    _check_rates(place, tree, columns, header)
    table = np.array([_numbers(path, line, header, row) for line, row in rows[1:]])
    if len(table) < 2:
        raise TrajectoryError(f"{path}: wanted at least two rows of numbers, got {len(table)}")
    times = table[:, header.index(columns.time)]
    later = np.flatnonzero(np.diff(times) <= 0.0)
    if len(later):
        line = rows[later[0] + 2][0]
        raise TrajectoryError(f"{path}:{line}: column '{columns.time.name}' must increase")
    q, v, a = (_part(part, header, table) for part in (columns.q, columns.v, columns.a))
    q = np.where(np.isnan(q), tree.clamped(tree.neutral()), q)
    try:
        return Trajectory.from_table(system, times, q, v, a)
    except (ModelError, TrajectoryError) as error:
        raise TrajectoryError(f"{path}: {error}") from error


def _part(part: tuple[Column, ...], header: list[Column], table: FloatArray) -> FloatArray:
    """The columns of q, v or a (n, k) out of a table; nan where there is none."""
    out = np.full((len(table), len(part)), np.nan)
    for index, column in enumerate(part):
        if column in header:
            out[:, index] = table[:, header.index(column)]
    return out


def _header(place: str, columns: Columns, cells: list[str]) -> list[Column]:
    """The column that each cell of the header names."""
    header = [_column(place, columns, cell) for cell in cells]
    for column in header:
        if header.count(column) > 1:
            raise TrajectoryError(f"{place}: column '{column.name}' stands twice")
    if columns.time not in header:
        raise TrajectoryError(f"{place}: wanted a column '{columns.time.name}' (s)")
    return header


def _column(place: str, columns: Columns, cell: str) -> Column:
    """The column that a cell of the header names, with or without its unit."""
    known = {name: column for column in columns.all for name in (column.name, column.heading)}
    for text in (cell, cell.strip()):
        if text in known:
            return known[text]
    parts = WITH_UNIT.fullmatch(cell)
    for name in (parts["name"], parts["name"].strip()) if parts else ():
        if name in known:
            column, unit = known[name], parts["unit"].strip() if parts else ""
            if unit != column.unit:
                raise TrajectoryError(
                    f"{place}: column '{name}': wanted the unit {column.unit}, got '{unit}'"
                )
            return column
    coordinates = ", ".join(column.name for column in (columns.time, *columns.q))
    rates = ", ".join(column.name for column in columns.v)
    raise TrajectoryError(
        f"{place}: unknown column '{cell.strip()}'; allowed: {coordinates}; velocities {rates}; "
        "accelerations, with .a for .v"
    )


def _check_rates(place: str, model: Model, columns: Columns, header: list[Column]) -> None:
    """Raise where a joint has some of its velocities or accelerations, or lacks what they are of.

    Velocities want all coordinates of the joint, accelerations want all velocities.
    """
    for joint in model.joint_names:
        q = columns.q[model.q_slices[joint]]
        v, a = (part[model.v_slices[joint]] for part in (columns.v, columns.a))
        for what, given, wanted in (("velocities", v, q + v), ("accelerations", a, v + a)):
            missing = [column.name for column in wanted if column not in header]
            if missing and any(column in header for column in given):
                raise TrajectoryError(
                    f"{place}: joint '{joint}' has {what}; wanted columns {', '.join(missing)} "
                    "beside them"
                )


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """(line number, cells) of each row that is not empty; the first is the header."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise TrajectoryError(f"{path}: cannot be read as a CSV table: {error}") from error
    if not rows:
        raise TrajectoryError(f"{path}: is empty; wanted a header row with 'time' and joint names")
    return rows


def _numbers(path: Path | str, line: int, header: list[Column], row: list[str]) -> list[float]:
    if len(row) != len(header):
        raise TrajectoryError(f"{path}:{line}: wanted {len(header)} columns, got {len(row)}")
    numbers = []
    for column, cell in zip(header, row, strict=True):
        try:
            # Python would take 1_0 for 10
            number = np.nan if "_" in cell else float(cell)
        except ValueError:
            number = np.nan
        if not np.isfinite(number):
            raise TrajectoryError(
                f"{path}:{line}: column '{column.name}': wanted a finite number, got "
                f"{cell.strip()!r}"
            )
        numbers.append(number)
    return numbers
