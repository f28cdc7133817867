"""Singular configurations close to a motion, and by how much the loop misses them.

Where a combination u of rows loses its hold, J^T u = 0, the others leave a surface on which u . g
has a saddle point. Two motions cross there if its value, the miss, is zero. If it is not, which
means that lengths do not quite fit, the motions part before and turn from one line to the other,
within a distance of sqrt(miss). The point is found by Newton's iteration on

    J(q)^T u = 0,    g(q) = delta u,    u . u = 1

in q, u and delta. A miss that is less than lengths are usually known to, EXACT, is one of rounding:
it is taken off the residuals for all of the neighbourhood, so that the motions do cross.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..coordinate_names import velocity_units
from ..equations import mass_of
from ..quantities import difference_q, integrate_q
from .rows import ConstraintRows

if TYPE_CHECKING:
    from ..system import Moment
    from .projection import Projection

EXACT = 1e-9  # of the sizes of residuals: lengths that miss by less count as fitting
REACH = 0.3  # rad, and of the model's length: the neighbourhood
FRUITLESS = 0.02  # the same around states from which none was found
MOST_STEPS = 12
CONVERGED = 1e-13
APART = 1e-4  # rad, and of the model's length, of differences of J
RANK = 1e-9  # of the largest: singular values of Newton's matrix below it are none
ROUNDING = 1e-15  # of lengths: what residuals are not known to
LEAST = 1e-6  # singular values that rounding is told for
KEPT = 16  # crossings that are remembered


class Crossing(NamedTuple):
    """A singular configuration.

    Attributes:
        q: (nq,), the configuration.
        shift: (m,), the residuals there.
        exact: whether the motions cross, but for rounding.
        radius: how far it reaches.
    """

    q: FloatArray
    shift: FloatArray
    exact: bool
    radius: float


def reach_of(rows: ConstraintRows) -> FloatArray:
    """(nv,): what counts as far for each velocity, 1 rad or the model's length."""
    slides = [unit == "m/s" for unit in velocity_units(rows.model)]
    return np.where(slides, rows.length, 1.0)


def crossing_near(projection: Projection, at: Moment, rank: int) -> Crossing | None:
    """The singular configuration near one state, looked for where it is not known yet.

    Args:
        rank: how many combinations of rows are independent in usual states.

    Returns:
        None where there is none, and where coordinates or rows are prescribed in time, whose
        singular configurations are passed once and not at rest.
    """
    if projection.free is not None or projection.rows.is_timed or not rank:
        return None
    known = projection.crossings
    for own in reversed(known):
        if _within(projection.rows, own, at.q):
            return own if own.radius == REACH else None
    found = _found(projection, at, rank)
    if len(known) == KEPT:
        del known[0]
    known.append(found or Crossing(at.q.copy(), np.zeros(len(projection.rows)), True, FRUITLESS))
    return found


def miss_at(projection: Projection, q: FloatArray) -> FloatArray | None:
    """(…, m): what is to be taken off the residuals at q (…, nq); None for nothing."""
    shift: FloatArray | None = None
    for own in projection.crossings:
        if own.exact and own.shift.any():
            part = np.where(_within(projection.rows, own, q)[..., None], own.shift, 0.0)
            shift = part if shift is None else np.where(part == 0.0, shift, part)
    return shift


def near_miss(projection: Projection, q: FloatArray) -> BoolArray | bool:
    """(…): whether q (…, nq) is close to a configuration where motions nearly cross."""
    out: BoolArray | bool = False
    for own in projection.crossings:
        if not own.exact:
            out = out | _within(projection.rows, own, q)
    return out


def unsure_accelerations(projection: Projection, at: Moment) -> FloatArray | None:
    """(nv,): what rounding may change accelerations by where motions nearly cross, else None.

    A place off by eps / sigma, in the direction that is hardly held, bends the way by 1 / sigma^2.
    """
    if not projection.crossings or not np.any(near_miss(projection, at.q)):
        return None
    reach = reach_of(projection.rows)
    rank = projection.ranks[0]
    sigma = max(float(_spectrum(projection, at)[0][rank - 1]), LEAST)
    speed = float((np.abs(at.v) / reach).max(initial=0.0))
    bent: FloatArray = ROUNDING * speed**2 / sigma**3 * reach
    return bent


def _within(rows: ConstraintRows, own: Crossing, q: FloatArray) -> BoolArray:
    away = np.abs(difference_q(rows.model, own.q, q)) / reach_of(rows)
    inside: BoolArray = away.max(axis=-1) < own.radius
    return inside


def _found(projection: Projection, at: Moment, rank: int) -> Crossing | None:
    """By Newton's iteration from a state; None where it does not end close to it."""
    rows, model = projection.rows, projection.rows.model
    reach, sizes = reach_of(rows), rows.sizes_at(at)
    n, m = model.nv, len(rows)

    def scaled(q: FloatArray) -> tuple[FloatArray, FloatArray]:
        positions = rows.at(projection.moment(at.t, q, np.zeros((*q.shape[:-1], n))))
        return positions.residual / sizes, positions.jacobian * reach / sizes[:, None]

    q, u, delta = at.q, _weakest(projection, at, rank), 0.0
    matrix = np.zeros((n + m + 1, n + m + 1))
    steps = APART * np.diag(reach)
    for _ in range(MOST_STEPS):
        g, jacobian = scaled(q)
        beside = integrate_q(model, np.tile(q, (2 * n, 1)), np.concatenate((steps, -steps)), 1.0)
        pulls = np.swapaxes(scaled(beside)[1], -1, -2) @ u
        matrix[:n, :n] = (pulls[:n] - pulls[n:]).T / (2.0 * APART)
        matrix[:n, n:-1], matrix[n:-1, :n] = jacobian.T, jacobian
        matrix[n:-1, n:-1] = -delta * np.eye(m)
        matrix[n:-1, -1], matrix[-1, n:-1] = -u, u
        right = np.concatenate((-jacobian.T @ u, delta * u - g, [0.5 * (1.0 - u @ u)]))
        step = np.linalg.lstsq(matrix, right, rcond=RANK)[0]
        if not np.abs(step).max() < 1.0:
            return None
        q, u, delta = integrate_q(model, q, reach * step[:n], 1.0), u + step[n:-1], delta + step[-1]
        if np.abs(step).max() < CONVERGED or np.abs(right).max() < CONVERGED:
            break
    else:
        return None
    there = projection.moment(at.t, q, np.zeros(n))
    positions = rows.at(there)
    shift = delta * u * sizes
    miss = np.abs(shift) / projection.sizes(there, positions)
    own = Crossing(q, shift, bool(miss.max() < EXACT), REACH)
    return own if _within(rows, own, at.q) else None


def _weakest(projection: Projection, at: Moment, rank: int) -> FloatArray:
    """u (m,), of rows by their sizes: the least of the combinations that usually hold."""
    u: FloatArray = _spectrum(projection, at)[1][rank - 1]
    return u


def _spectrum(projection: Projection, at: Moment) -> tuple[FloatArray, FloatArray]:
    """Singular values and, as rows, the combinations (m, m) of rows by their sizes."""
    rows = projection.rows
    jacobian = rows.at(at).jacobian / rows.sizes_at(at)[:, None]
    lower = np.linalg.cholesky(mass_of(rows.model, at.tableau))
    _, sigma, vt = np.linalg.svd(np.linalg.solve(lower, jacobian.T))
    return sigma, vt
