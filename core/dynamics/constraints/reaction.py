"""How a mechanism answers forces while its constraints hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray
from ...errors import ModelError, SimulationError
from ..model import IntArray
from ..quantities import integrate_q
from .crossings import crossing_near
from .near_singular import NEAREST, limit_rows, usual_rank
from .projection import HOLD, Projection
from .rows import ConstraintRows
from .solve import INDEPENDENT, WEAK, Solution, solve, solve_regular, threshold

if TYPE_CHECKING:
    from ..system import Moment

AGREED = 1e-6  # of accelerations: by so much a limit may differ from a solution close to it
ROUNDING = 1e-15  # of positions, against the model's length
BENDING = 30.0  # how much positions that are off may bend the motion, see `_agree`
CONTRADICTION = 1e-6  # of the accelerations: what redundant rows may differ by


class Reaction(NamedTuple):
    """a (…, nv), lambda (…, m) and -J^T lambda (…, nv), the forces of the constraints."""

    a: FloatArray
    multipliers: FloatArray
    pull: FloatArray


def reaction(
    projection: Projection,
    at: Moment,
    mass: FloatArray,
    force: FloatArray,
    given: FloatArray | None = None,
    strict: bool = False,
) -> Reaction:
    """a and lambda of M a + J^T lambda = f with J a = gamma.

    Near a singular configuration the rows are taken at the nearest state of the manifold, and very
    near in their limit (see `near_singular`).

    Args:
        projection: of the constraints.
        at: the state.
        mass: M (…, nv, nv); force: f (…, nv), without b.
        given: a (…, nv) with the accelerations of the velocities that are not free, whose own
            equations then do not count.
        strict: whether constraints that contradict each other are refused; trial states, a little
            off the manifold, may make redundant ones do so.

    Raises:
        ModelError: for a singular mass matrix.
        SimulationError: for constraints that contradict each other, naming them.
    """
    rows = projection.rows
    positions = rows.at(at)
    gamma, jacobian = rows.gamma(at, positions), positions.jacobian
    try:
        if given is None and gamma.ndim == 1 and rows.weights is not None:
            rank = usual_rank(projection, at)
            one = solve_regular(mass, force, jacobian, gamma, *rows.weights, rank)
            if one is not None:
                a, multipliers = one
                return Reaction(a, multipliers, -jacobian.T.dot(multipliers))
        case = _Case(mass, force, projection.free, given)
        slack = rows.slack(positions)
        solution = case.solve(jacobian, gamma, rows.typical, threshold(slack))
    except np.linalg.LinAlgError as error:
        raise ModelError(
            f"{rows.model.name}: the mass matrix is singular in this pose; links beyond moving "
            "joints need mass and inertia"
        ) from error
    pull = -(jacobian.swapaxes(-1, -2) @ solution.multipliers[..., None])[..., 0]
    found = Reaction(solution.a, solution.multipliers, pull)
    weak = solution.weakest < WEAK
    if solution.gap is not None:
        weak |= solution.rank < usual_rank(projection, at)
    if weak.any():
        return _through(projection, at, case, found, weak, strict)
    if strict and solution.gap is not None:
        _refuse_contradiction(rows, at, jacobian, gamma, solution, slack)
    return found


class _Case(NamedTuple):
    """What is solved again with other rows: mass, force, and what `reaction` has of drives."""

    mass: FloatArray
    force: FloatArray
    free: IntArray | None
    given: FloatArray | None

    def at(self, index: tuple[int, ...]) -> _Case:
        """One of a batch."""
        given = None if self.given is None else self.given[index]
        return _Case(self.mass[index], self.force[index], self.free, given)

    def solve(
        self, jacobian: FloatArray, gamma: FloatArray, sizes: FloatArray, least: FloatArray | float
    ) -> Solution:
        """The solution for rows (…, m, nv), with all accelerations."""
        mass, force, free = self.mass, self.force, self.free
        if free is None or self.given is None:
            return solve(mass, force, jacobian, gamma, sizes, least)
        rest = (force - (mass @ self.given[..., None])[..., 0])[..., free]
        left = gamma - (jacobian @ self.given[..., None])[..., 0]
        block = mass[..., free[:, None], free]
        solution = solve(block, rest, jacobian[..., free], left, sizes, least)
        a = self.given.copy()
        a[..., free] = solution.a
        return solution._replace(a=a)


def _through(
    projection: Projection,
    at: Moment,
    case: _Case,
    found: Reaction,
    weak: BoolArray,
    strict: bool,
) -> Reaction:
    """The answer with those that are weak (…) near a singular configuration worked out again."""
    out = Reaction(*(part.copy() for part in found))
    t = np.broadcast_to(at.t, weak.shape)
    for index in np.ndindex(weak.shape):
        if not weak[index]:
            continue
        one = projection.moment(t[index], at.q[index], at.v[index])
        parts = _one_through(projection, one, case.at(index), strict)
        if parts is not None:
            for whole, part in zip(out, parts, strict=True):
                whole[index] = part
    return out


def _one_through(projection: Projection, at: Moment, case: _Case, strict: bool) -> Reaction | None:
    """The answer of one state; None where no state of the manifold is near."""
    rows = projection.rows
    crossing = crossing_near(projection, at, usual_rank(projection, at))
    try:
        there = _polished(projection, at)
    except SimulationError:
        return None
    positions = rows.at(there)
    gamma, jacobian = rows.gamma(there, positions), positions.jacobian
    slack = rows.slack(positions)
    solution = case.solve(jacobian, gamma, rows.typical, threshold(slack))
    multipliers = solution.multipliers
    lost = solution.rank < usual_rank(projection, there)
    if lost and strict and solution.gap is not None:
        # velocities that belong to no motion through the singular configuration
        _refuse_contradiction(rows, there, jacobian, gamma, solution, slack)
    missed = crossing is not None and not crossing.exact
    if lost or (solution.weakest < NEAREST and not missed):
        limit = limit_rows(projection, there, case.given)
        if limit is not None:
            near = case.solve(limit.jacobian, limit.gamma, np.ones(len(limit.gamma)), INDEPENDENT)
            if lost or solution.weakest < HOLD or _agree(near.a, solution, there, slack):
                pull = -(limit.jacobian.T @ near.multipliers)
                return Reaction(near.a, limit.multipliers @ near.multipliers, pull)
    if strict and solution.gap is not None:
        _refuse_contradiction(rows, there, jacobian, gamma, solution, slack)
    return Reaction(solution.a, multipliers, -(jacobian.T @ multipliers))


def _polished(projection: Projection, at: Moment) -> Moment:
    """The nearest state of the manifold, to the last digit: small residuals are large distances."""
    q = projection.positions(at.t, at.q, at.v)
    near = projection.moment(at.t, q, at.v)
    positions = projection.fitted(near)
    least = threshold(projection.rows.slack(positions))
    step = projection.least_step(near, positions, -positions.residual, least).a
    near = projection.moment(at.t, integrate_q(projection.rows.model, q, step, 1.0), at.v)
    return projection.moment(at.t, near.q, projection.velocities(near))


def _agree(a: FloatArray, solution: Solution, at: Moment, slack: FloatArray) -> bool:
    """Whether a limit (nv,) is where a solution close to it leads.

    It is not where bars that nearly come into line turn round just before. Positions that are off
    by some slack do so too, with accelerations v^2 slack / sigma^3.
    """
    known = AGREED + BENDING * max(float(slack), ROUNDING) / float(solution.weakest) ** 3
    size = 1.0 + np.abs(solution.a).max() + float(at.v @ at.v)
    return bool(np.abs(a - solution.a).max() <= known * size)


def _refuse_contradiction(
    rows: ConstraintRows,
    at: Moment,
    jacobian: FloatArray,
    gamma: FloatArray,
    solution: Solution,
    slack: FloatArray,
) -> None:
    """Raise where rows that depend on each other ask for different accelerations."""
    gap, a = solution.gap, solution.a
    assert gap is not None
    size = np.abs(gamma).max(axis=-1) + np.abs(jacobian).max(axis=(-2, -1)) * np.abs(a).max(axis=-1)
    allowed = (CONTRADICTION + 10.0 * threshold(slack)) * (1.0 + size)
    if (np.abs(gap) > allowed[..., None]).any():
        off = np.abs(gap).reshape(-1, gap.shape[-1]).max(axis=0)
        time = f"at t = {float(at.t):.6g} s " if not np.ndim(at.t) else ""
        raise SimulationError(
            f"{rows.model.name}: {time}the constraints contradict each other: no accelerations "
            f"satisfy {rows.blame(off)} at once"
        )
