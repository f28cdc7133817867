"""The columns of a motion's files: names and units of time, coordinates, and their rates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ..dynamics import Model
from ..dynamics.coordinate_names import (
    coordinate_names,
    coordinate_units,
    velocity_names,
    velocity_units,
)
from ..errors import TrajectoryError

TIME = "time"
VELOCITY, ACCELERATION = ".v", ".a"  # behind the name of an entry of v


@dataclass(frozen=True)
class Column:
    """A column's name and unit, such as `elbow` and `rad`."""

    name: str
    unit: str

    @property
    def heading(self) -> str:
        """How it stands in a header: `elbow [rad]`."""
        return f"{self.name} [{self.unit}]"


@dataclass(frozen=True)
class Columns:
    """The columns of a robot: of q (nq), v (nv) and a (nv), in order, behind that of the time."""

    time: Column
    q: tuple[Column, ...]
    v: tuple[Column, ...]
    a: tuple[Column, ...]

    @property
    def all(self) -> tuple[Column, ...]:
        """From left to right."""
        return (self.time, *self.q, *self.v, *self.a)


def columns_of(model: Model) -> Columns:
    """The columns of a model, whether or not a table can tell them apart."""
    rates = list(zip(velocity_names(model), velocity_units(model), strict=True))
    return Columns(
        Column(TIME, "s"),
        tuple(map(Column, coordinate_names(model), coordinate_units(model))),
        tuple(Column(name + VELOCITY, unit) for name, unit in rates),
        tuple(Column(name + ACCELERATION, f"{unit}^2") for name, unit in rates),
    )


def table_columns(model: Model) -> Columns:
    """The columns of the model's tables, where each name stands once.

    Raises:
        TrajectoryError: for joints whose columns go by the same name, or by that of the time.
    """
    columns = columns_of(model)
    names = [column.name for column in columns.all]
    used = Counter((*names, *(column.heading for column in columns.all)))
    for name in (name for name in names if used[name] > 1):
        raise TrajectoryError(
            f"{model.name}: two columns of a table would be called '{name}'; wanted other joint "
            "names (a joint J has columns J, J.v and J.a, a planar or floating one J.x and more)"
        )
    return columns
