"""One state back onto the manifold: what `projection` does, with the rows of `one_state_rows`.

Rows that depend on time, nearly singular configurations and what does not converge are left to
the projection of many states.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...arrays import FloatArray
from ..quantities import integrate_q
from .kinematics import Places, random_poses
from .one_state_rows import OneStateRows
from .rows import ConstraintRows

if TYPE_CHECKING:
    from ..system import Moment

MET = 3e-13  # a residual against its size that counts as zero
ROUNDED = 1e-9  # a residual that no longer shrinks below it is one of rounding
MOST_STEPS = 25
CLOSED = 1e-13  # of the rows' sizes: what combinations that never move may be off by


class Still(NamedTuple):
    """What does not depend on the state.

    spread (m, r): residuals of all rows from those of the combinations. rates (r,): of the
    combinations where nothing moves.
    """

    spread: FloatArray
    rates: FloatArray


class OneStateProjection:
    """Projects single states; None is told where the other way is to be gone."""

    def __init__(
        self,
        rows: ConstraintRows,
        fewer: OneStateRows,
        moment: Callable[[FloatArray, FloatArray, FloatArray], Moment],
    ) -> None:
        self._rows, self._fewer, self._moment = rows, fewer, moment

    def state(
        self, t: FloatArray, q: FloatArray, v: FloatArray
    ) -> tuple[FloatArray, FloatArray] | None:
        """q (nq,) and v (nv,) at a time t (), put onto the manifold."""
        if self._still is None:
            return None
        before = np.inf
        for _ in range(MOST_STEPS):
            at = self._moment(t, q, v)
            one = at.one
            if one is None:
                return None
            jacobian, residual = self._fewer.positions(at, one)
            sizes = self._rows.sizes(t, q, Places.of(at.tableau))
            worst = float((np.abs(self._still.spread.dot(residual)) / sizes).max())
            if worst <= MET or 0.5 * before < worst <= ROUNDED:
                rates = self._still.rates + jacobian.dot(v)
                turn = self._fewer.step(one.mass, jacobian, -rates)
                return None if turn is None else (q, v + turn)
            step = self._fewer.step(one.mass, jacobian, -residual)
            if step is None or not worst < np.inf:
                return None
            before = worst
            q = integrate_q(self._rows.model, q, step, 1.0)
        return None

    @cached_property
    def _still(self) -> Still | None:
        """None where combinations that never move anything do not keep their equations."""
        rows, gather = self._rows, self._fewer.gather
        spread = rows.typical[:, None] ** 2 * gather.T
        q = random_poses(rows.model, rows.length)[0]
        at = self._moment(np.asarray(0.0), q, np.zeros(rows.model.nv))
        positions = rows.at(at)
        rates = rows.rates(at, positions)
        sizes = rows.sizes(at.t, at.q, Places.of(at.tableau))
        for left in (positions.residual, rates):
            if (np.abs(left - spread @ (gather @ left)) > CLOSED * sizes).any():
                return None
        return Still(spread, gather @ rates)
