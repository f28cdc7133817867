"""The initial state: put together, however far the parts are apart.

Levenberg and Marquardt's steps in the metric of the masses, with h = g against the rows' sizes,

    d = -M^-1 J^T (J M^-1 J^T + mu 1)^-1 h,   mu smaller the better the last step was foretold

of which none turns a joint by more than LONGEST. They end on the manifold, where the projection
does the last digits, or where h cannot shrink any more: then the loops cannot close.

Source: J. Nocedal, S. Wright, Numerical Optimization, 2nd ed., sections 10.3 and 4.1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import BoolArray, FloatArray
from ...errors import SimulationError
from ..coordinate_names import (
    coordinate_names,
    coordinate_units,
    velocity_names,
    velocity_units,
)
from ..equations import mass_of
from ..model import Model
from ..quantities import difference_q, integrate_q
from .projection import Projection
from .rows import ConstraintRows

LONGEST = 0.5  # rad, and of the model's length: of one step
NEAR = 1e-4  # h below it is left to the projection
STUCK = 1e-7  # h that a step foretells to shrink by less than this, of itself, cannot shrink
MOST_STEPS = 200
KICK, KICKS = 0.3, 4  # rad, and of the model's length; and how often
WORTH_TELLING = 1e-9  # rad and m, and per second: what the start was moved by
CHANGED = 1e-3  # rad and m: coordinates that moved by more are told one by one
TOLD = 5  # of them


@dataclass(frozen=True)
class Assembly:
    """A state on the manifold, and how far it is from the one that was given.

    q (nq,), v (nv,); moved (nv,), the least step in positions, rad and m; turned (nv,), the
    change of the velocities; changes tells which coordinates went from where to where.
    """

    q: FloatArray
    v: FloatArray
    moved: FloatArray
    turned: FloatArray
    names: tuple[str, ...]
    units: tuple[str, ...]
    changes: str = ""

    @property
    def notice(self) -> str | None:
        """How far positions and velocities were moved; None where they were not."""
        parts = []
        for what, change, rate in (
            ("positions", self.moved, ""),
            ("velocities", self.turned, "/s"),
        ):
            if np.abs(change).max(initial=0.0) > WORTH_TELLING:
                most = int(np.argmax(np.abs(change)))
                unit = self.units[most].removesuffix("/s") + rate
                parts.append(
                    f"initial {what} by up to {abs(change[most]):.6g} {unit} ('{self.names[most]}')"
                )
        changes = f"; {self.changes}" if self.changes else ""
        return (
            f"the constraints have moved the {' and the '.join(parts)}{changes}" if parts else None
        )


def assemble(
    projection: Projection,
    t: float,
    q: FloatArray,
    v: FloatArray,
    held: Sequence[Collection[int]] = (),
) -> Assembly:
    """The state on the manifold next to q (nq,), v (nv,).

    Args:
        held: velocities whose positions stay as they are, as far as the constraints allow; see
            `assemble_positions`.

    Raises:
        SimulationError: for an impossible assembly, naming what cannot close and by how much.
    """
    when = np.asarray(t, dtype=np.float64)
    model = projection.rows.model
    if held:
        end = assemble_positions(projection, t, q, v, held)
        rate = projection.velocities(projection.moment(when, end, v))
    else:
        end, rate = projection.state(when, _approach(projection, when, q, v), v)
    return Assembly(
        end,
        rate,
        difference_q(model, q, end),
        rate - v,
        tuple(velocity_names(model)),
        tuple(velocity_units(model)),
        told_changes(model, q, end),
    )


def assemble_positions(
    projection: Projection,
    t: float,
    q: FloatArray,
    v: FloatArray,
    held: Sequence[Collection[int]] = (),
) -> FloatArray:
    """q (nq,) on the manifold next to q (nq,), of `assemble` without the velocities.

    Args:
        held: groups of velocities, such as those of a joint, whose positions stay as they are:
            all of them, or else one group after the other that can stay beside those before it.

    Raises:
        SimulationError: as `assemble`, where no motion of all coordinates closes the loops.
    """
    when = np.asarray(t, dtype=np.float64)

    def attempt(still: Collection[int]) -> FloatArray | None:
        own = holding(projection, still)
        try:
            return own.positions(when, _approach(own, when, q, v), v)
        except SimulationError:
            return None

    end = attempt({index for group in held for index in group}) if held else None
    if end is None and len(held) > 1:
        still = set[int]()
        for group in held:
            found = attempt(still | set(group))
            if found is not None:
                end = found
                still |= set(group)
    if end is None:
        end = projection.positions(when, _approach(projection, when, q, v), v)
    return end


def holding(projection: Projection, held: Collection[int]) -> Projection:
    """The projection that leaves some velocities, and the positions they move, as they are."""
    if not held:
        return projection
    free = np.arange(projection.rows.model.nv) if projection.free is None else projection.free
    left = np.setdiff1d(free, np.array(sorted(held), dtype=np.intp))
    return Projection(projection.rows, projection.moment, left, projection.prescribed)


def told_changes(model: Model, q: FloatArray, end: FloatArray) -> str:
    """The coordinates that went from q (nq,) to another value at the end (nq,), the most first."""
    change = np.abs(end - q)
    moved = [int(i) for i in np.argsort(-change, kind="stable") if change[i] > CHANGED]
    if not moved:
        return ""
    names, units = coordinate_names(model), coordinate_units(model)
    told = [
        f"{names[i]} from {q[i]:.6g} to {end[i]:.6g}{'' if units[i] == '1' else f' {units[i]}'}"
        for i in moved[:TOLD]
    ]
    more = f", … ({len(moved)} in all)" if len(moved) > TOLD else ""
    return f"{', '.join(told)}{more}"


def _approach(projection: Projection, t: FloatArray, q: FloatArray, v: FloatArray) -> FloatArray:
    """q (nq,) within reach of Newton's iteration.

    Where the residuals cannot shrink and yet are none, such as where a loop lies in a line, the
    joints around it are kicked a little, always in the same way.
    """
    rows = projection.rows
    end, h = _descend(projection, t, q, v)
    best = h
    kicks = np.random.default_rng(0)
    for _ in range(KICKS):
        if np.abs(h.residual).max(initial=0.0) <= NEAR:
            return end
        shift = KICK * kicks.normal(size=rows.model.nv) * _longest(rows)
        shift[~_around(projection, t, end, v, kicks)] = 0.0
        end, h = _descend(projection, t, integrate_q(rows.model, end, shift, 1.0), v)
        best = h if h.square < best.square else best
    if np.abs(h.residual).max(initial=0.0) <= NEAR:
        return end
    raise SimulationError(
        f"{rows.model.name}: the constraints cannot be met from this start: "
        f"{rows.shortfall(np.abs(best.raw), np.abs(best.residual))}"
    )


def _descend(
    projection: Projection, t: FloatArray, q: FloatArray, v: FloatArray
) -> tuple[FloatArray, _Scaled]:
    """The state (nq,) where the steps end, and its residuals."""
    rows, mu = projection.rows, 1e-3
    longest = _longest(rows)
    h = _scaled(projection, t, q, v)
    for _ in range(MOST_STEPS):
        if np.abs(h.residual).max(initial=0.0) <= NEAR:
            break
        step, foretold = h.step(mu)
        if foretold <= STUCK:
            break
        long = float((np.abs(step) / longest).max(initial=0.0))
        step = step * min(1.0, LONGEST / long) if long > 0.0 else step
        ahead = integrate_q(rows.model, q, step, 1.0)
        after = _scaled(projection, t, ahead, v)
        gain = 1.0 - after.square / h.square
        if not gain > 0.0:
            mu = max(mu, 1e-12) * 10.0
            continue
        mu = mu * (0.1 if gain > 0.5 * foretold or long > LONGEST else 2.0)
        q, h = ahead, after
    return q, h


def _longest(rows: ConstraintRows) -> FloatArray:
    """(nv,): what counts as a long step of each velocity, 1 rad or the model's length."""
    slides = [unit == "m/s" for unit in velocity_units(rows.model)]
    return np.where(slides, rows.length, 1.0)


def _around(
    projection: Projection,
    t: FloatArray,
    q: FloatArray,
    v: FloatArray,
    kicks: np.random.Generator,
) -> BoolArray:
    """(nv,): the velocities that act on the rows, as seen from some place near q (nq,)."""
    model = projection.rows.model
    near = integrate_q(model, q, KICK * kicks.normal(size=model.nv), 1.0)
    acts: BoolArray = projection.rows.at(projection.moment(t, near, v)).jacobian.any(axis=0)
    if projection.free is not None:
        acts[np.setdiff1d(np.arange(model.nv), projection.free)] = False
    return acts


@dataclass(frozen=True)
class _Scaled:
    """h (m,), its square, the raw residuals, and S = U diag(values) U^T with what makes a step."""

    residual: FloatArray
    raw: FloatArray
    square: float
    values: FloatArray
    vectors: FloatArray
    moves: FloatArray  # (nv, m): M^-1 J^T of the scaled rows

    def step(self, mu: float) -> tuple[FloatArray, float]:
        """The step (nv,), and by which part the square is to shrink if the rows were linear."""
        largest = max(float(self.values.max(initial=0.0)), 1e-300)
        along = self.vectors.T @ self.residual
        damped = self.values + mu * largest
        left = along * (mu * largest / damped)
        step: FloatArray = -self.moves @ (self.vectors @ (along / damped))
        return step, 1.0 - float(left @ left) / self.square


def _scaled(projection: Projection, t: FloatArray, q: FloatArray, v: FloatArray) -> _Scaled:
    """What a step from q (nq,) is made of."""
    at = projection.moment(t, q, v)
    positions = projection.rows.at(at)
    sizes = projection.sizes(at, positions)
    place = np.where(projection.rows.velocity_level, 0.0, 1.0)
    jacobian = positions.jacobian * (place / sizes)[:, None]
    mass = mass_of(projection.rows.model, at.tableau)
    moves = np.zeros_like(jacobian.T)
    free = slice(None) if projection.free is None else projection.free
    moves[free] = np.linalg.solve(mass[free][:, free], jacobian.T[free])
    values, vectors = np.linalg.eigh(jacobian @ moves)
    h = positions.residual / sizes
    square = max(float(h @ h), 1e-300)
    return _Scaled(h, positions.residual, square, np.maximum(values, 0.0), vectors, moves)
