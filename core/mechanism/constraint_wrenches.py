"""What constraints exert on the frames of a mechanism, column by column.

A column is a pair of ports between which a constraint acts: the wrench W = -sum lambda w acts on
the second, -W on the first. A cable has one for each of its stretches, all others have one. What
couples coordinates acts inside joints, and has none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import FloatArray
from ..dynamics.constraints import (
    Cable,
    Constraint,
    Distance,
    Port,
    PrescribedFrame,
    RollingWheel,
)
from ..dynamics.constraints.frame_rows import FrameRows
from ..dynamics.constraints.kinematics import Places as Kinematics
from ..dynamics.constraints.pairs import PairConstraint

if TYPE_CHECKING:
    from ..dynamics import Moment
    from ..dynamics.system import System

Pair = tuple[Port | None, Port | None]  # None is the world


@dataclass(frozen=True)
class Column:
    """A pair of ports; constraint is its name, stretch counts its pairs."""

    constraint: str
    stretch: int
    pair: Pair


def columns_of(constraints: Sequence[Constraint]) -> list[Column]:
    """All columns, in the order of the constraints."""
    return [
        Column(own.name, stretch, pair)
        for own in constraints
        for stretch, pair in enumerate(_pairs(own))
    ]


def _pairs(own: Constraint) -> list[Pair]:
    if isinstance(own, PairConstraint):
        return [(own.a, own.b)]
    if isinstance(own, Distance | Cable):
        return list(zip(own.points[:-1], own.points[1:], strict=True))
    if isinstance(own, RollingWheel):
        return [(own.plane, own.wheel)]
    return [(None, own.port)] if isinstance(own, PrescribedFrame) else []


def exerted(
    system: System, at: Moment, multipliers: Mapping[str, FloatArray], columns: Sequence[Column]
) -> FloatArray:
    """W (…, k, 6) of all columns, torque first, at the world origin.

    Args:
        system: whose constraints that act exert it; columns of others get 0.
        multipliers: lambda (…, n) of each of them.
    """
    out = np.zeros((*at.q.shape[:-1], len(columns), 6))
    own = [c for c in system.constraints if c.active and _pairs(c)]
    if not own:
        return out
    rows = FrameRows(system.model, own)
    state = rows.positions(at.t, Kinematics.of(at.tableau))
    count: dict[str, int] = {}
    forces = []
    for constraint, _ in rows.owners:
        index = count.get(constraint.name, 0)
        forces.append(multipliers[constraint.name][..., index])
        count[constraint.name] = index + 1
    wrenches = rows.exerted(state, np.stack(forces, axis=-1))
    place = {(column.constraint, column.stretch): k for k, column in enumerate(columns)}
    for term, key in enumerate(_terms(rows)):
        out[..., place[key], :] += wrenches[..., term, :]
    return out


def _terms(rows: FrameRows) -> list[tuple[str, int]]:
    """The constraint and the pair of each term of the rows; wheels have three."""
    out: list[tuple[str, int]] = []
    wheels: dict[str, None] = {}
    for own, _ in rows.owners:
        if isinstance(own, RollingWheel):
            wheels[own.name] = None
        elif isinstance(own, Distance | Cable):
            out += [(own.name, stretch) for stretch in range(len(own.points) - 1)]
        else:
            out.append((own.name, 0))
    return out + [(name, 0) for name in wheels for _ in range(3)]
