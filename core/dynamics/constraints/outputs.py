"""What a constraint tells over time: its equation, its force, and what it is between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import FloatArray, frozen
from ...errors import ModelError
from .constraint import Constraint
from .coordinate_rows import marker_columns
from .coordinate_vector import CoordinateVector
from .coordinates import Coordinates
from .hold import placed
from .rows import ConstraintRows

if TYPE_CHECKING:
    from ..system import Moment, System


@dataclass(frozen=True, eq=False)
class ConstraintOutput:
    """Of one constraint, over any leading axes of times.

    Attributes:
        rows: names of its n rows.
        equation: (…, n), the residual, which is 0 where it holds: of positions, of rows at velocity
            level of velocities. Of a `Hold` that has not held yet it is nan, its rate too.
        rate: (…, n), the rate of the residual; at velocity level the residual.
        force: (…, n), lambda with M a + J^T lambda = f; 0 where it is inactive.
        displacement: (…, k), of a coordinate-vector constraint, q1 - q0 without scaling, against
            the ground that of the other marker; None of others, and of markers of different size.
        velocity: (…, k), its rate, of full coordinates.
    """

    rows: tuple[str, ...]
    equation: FloatArray
    rate: FloatArray
    force: FloatArray
    displacement: FloatArray | None = None
    velocity: FloatArray | None = None


def constraint_output(
    system: System, name: str, at: Moment, multipliers: FloatArray
) -> ConstraintOutput:
    """What the constraint of that name tells.

    Args:
        at: the state, or many.
        multipliers: (…, m), of the rows of all constraints that act; see `System.respond`.

    Raises:
        ModelError: for an unknown constraint, listing those that exist.
    """
    own = find_constraint(system, name)
    rows = ConstraintRows(system.model, [placed(own)], system.markers)
    positions = rows.at(at)
    rate = rows.rates(at, positions)
    force = np.zeros_like(rate)
    if own.active and system.rows is not None:
        force = multipliers[..., system.rows.where[name]]
    displacement, velocity = _between(system, own, at)
    equation = np.where(rows.velocity_level, rate, positions.residual)
    if placed(own) is not own:  # nobody knows yet where it is to hold
        equation, rate = np.full_like(equation, np.nan), np.full_like(rate, np.nan)
    return ConstraintOutput(
        rows.names,
        frozen(equation),
        frozen(rate),
        frozen(force),
        displacement,
        velocity,
    )


def find_constraint(system: System, name: str) -> Constraint:
    """The constraint of that name.

    Raises:
        ModelError: listing those that exist.
    """
    for own in system.constraints:
        if own.name == name:
            return own
    names = ", ".join(own.name for own in system.constraints) or "none"
    raise ModelError(f"{system.model.name}: no constraint '{name}'; there are: {names}")


def _between(
    system: System, own: Constraint, at: Moment
) -> tuple[FloatArray | None, FloatArray | None]:
    """Displacement and velocity of a coordinate-vector constraint."""
    if not isinstance(own, CoordinateVector):
        return None, None
    markers = {marker.name: marker for marker in system.markers}
    columns = marker_columns(system.model, own, markers)
    first, second = (Coordinates(system.model, own) for own in columns)
    if not columns[0]:
        return frozen(second.values(at.q)), frozen(second.rates(at.q, at.v))
    if not columns[1]:
        return frozen(-first.values(at.q)), frozen(-first.rates(at.q, at.v))
    if len(columns[0]) != len(columns[1]):
        return None, None
    return (
        frozen(second.values(at.q) - first.values(at.q)),
        frozen(second.rates(at.q, at.v) - first.rates(at.q, at.v)),
    )
