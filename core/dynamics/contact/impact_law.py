"""Impacts: what happens to velocities where gaps close, without friction.

    M (v+ - v-) = J^T lambda,   lambda >= 0,   u = J v = phi'
    Newton:  u+ >= -e u-  for gaps that close,   lambda > 0 only where it holds with =

Constraints and prescribed coordinates hold during the impact: with the mobility

    A = M^-1 - M^-1 G^T (G M^-1 G^T)^+ G M^-1

of the velocities that are free, v+ = v- + A J^T lambda and W = J A J^T.

'joint' solves all gaps of one instant together: W lambda + (1 + e) u- >= 0 as a complementarity,
which keeps symmetry. 'sequential' takes them one after the other, each with the velocities that
the one before has left: lambda = -(1 + e) u / W_ii where u < 0. Both go on until no gap closes.

Source: F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral Contacts (1996), chapter 8, for
impacts as complementarity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from ...arrays import FloatArray
from ...errors import ArgumentError, SimulationError
from ..model import IntArray
from .complementarity import complementary

ImpactRule = Literal["joint", "sequential"]
RULES: tuple[ImpactRule, ...] = ("joint", "sequential")
STILL = 1e-12  # of the largest speed: no gap that closes slower does close
DEPENDENT = 1e-12  # eigenvalues of the scaled G M^-1 G^T: below it rows are redundant
PASSES = 10000  # of one impact
ROUNDED = 1e-9  # of the largest speed: what no longer falls below it is rounding
# of them: what bodies in heaps still pass on to each other then ends without restitution, which
# loses energy and never gains it
GATHER = 200


class Answer(NamedTuple):
    """What an impact does.

    v (nv,) behind it; impulses (n,), N s and N m s, of the gaps; passes, how often they were gone
    through, 0 where no gap closes.
    """

    v: FloatArray
    impulses: FloatArray
    passes: int


def mobility(
    mass: FloatArray, rows: FloatArray | None = None, free: IntArray | None = None
) -> FloatArray:
    """A (nv, nv): dv = A f for impulses f in v-space.

    Args:
        mass: (nv, nv); rows: G (m, nv) of constraints, of any rank; free: the velocities that are
            not prescribed, all if none.
    """
    nv = len(mass)
    own = np.arange(nv) if free is None else free
    if rows is not None and (np.count_nonzero(rows, axis=1) <= 1).all():
        # joints at their limits: as if prescribed
        own = own[~rows[:, own].any(axis=0)]
        rows = None
    out = np.zeros((nv, nv))
    block = np.linalg.inv(mass[np.ix_(own, own)])
    block = 0.5 * (block + block.T)
    if rows is not None and len(rows):
        g = rows[:, own]
        moves = block @ g.T
        s = g @ moves
        size = np.sqrt(np.maximum(s.diagonal(), 0.0))
        size = np.where(size > 0.0, size, 1.0)
        inverse = np.linalg.pinv(s / np.outer(size, size), DEPENDENT, True)
        moves = moves / size
        block = block - moves @ inverse @ moves.T
    out[np.ix_(own, own)] = block
    return out


def impact(
    v: FloatArray,
    jacobian: FloatArray,
    moves: FloatArray,
    restitution: FloatArray,
    rule: ImpactRule = "joint",
    order: Sequence[int] | None = None,
) -> Answer:
    """Velocities behind an impact of gaps that are all closed.

    Args:
        v: (nv,) before; jacobian: J (n, nv) of the gaps; moves: A (nv, nv), see `mobility`.
        restitution: e (n,).
        order: of the gaps, for the sequential rule; as they stand if none.

    Raises:
        SimulationError: where the impact comes to no end.
    """
    check_rule(rule)
    n = len(jacobian)
    answers = moves @ jacobian.T
    w = jacobian @ answers
    speed = _fastest(v, jacobian, moves, w)
    total, u = np.zeros(n), jacobian @ v
    places = range(n) if order is None else order
    passes, before = 0, np.inf
    while (u < -STILL * speed).any():
        if passes == PASSES:
            raise SimulationError(
                f"an impact of {n} contacts comes to no end within {PASSES} passes"
            )
        closing = -float(u.min())
        stalls = rule == "joint" and 0.5 * before < closing <= ROUNDED * speed
        if passes > GATHER and stalls:
            break
        passes, before = passes + 1, closing
        if rule == "joint":
            total += _together(w, u, restitution, STILL * speed, passes > GATHER)
            u = jacobian @ (v + answers @ total)
            continue
        for index in places:
            if u[index] < -STILL * speed:
                total[index] -= (1.0 + restitution[index]) * u[index] / w[index, index]
                u = jacobian @ (v + answers @ total)
    return Answer(v + answers @ total, total, passes)


def _fastest(v: FloatArray, jacobian: FloatArray, moves: FloatArray, w: FloatArray) -> float:
    """What speeds of gaps are small against, m/s.

    |J v| <= |J| |v|, and <= sqrt(W_ii v . M v), which knows of motion along the faces too.
    """
    carried = float(v @ np.linalg.lstsq(moves, v, rcond=None)[0])
    bound = np.sqrt(max(float(w.diagonal().max(initial=0.0)) * carried, 0.0))
    return max(float((np.abs(jacobian) @ np.abs(v)).max(initial=0.0)), float(bound))


def check_rule(rule: object) -> None:
    """Raise an ArgumentError for what is no rule."""
    if rule not in RULES:
        raise ArgumentError(f"impacts: wanted 'joint' or 'sequential', got {rule!r}")


def _together(
    w: FloatArray, u: FloatArray, restitution: FloatArray, still: float, all_gaps: bool
) -> FloatArray:
    """lambda (n,) of the gaps that close or stay closed, all at once.

    Of `all_gaps` none closes then, those included that have opened; without restitution.
    """
    if all_gaps:
        return complementary(w, u)
    taking = np.flatnonzero(u <= still)
    out = np.zeros(len(u))
    # what hardly moves, rounding could let contradict each other
    closing = np.where(u[taking] < -still, u[taking], 0.0)
    out[taking] = complementary(w[np.ix_(taking, taking)], (1.0 + restitution[taking]) * closing)
    return out
