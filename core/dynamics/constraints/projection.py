"""Back onto the manifold of the constraints, by the least correction that the masses allow.

    positions   q <- q moved by d,  d = -M^-1 J^T S^+ g,  until g vanishes    (least d . M d)
    velocities  v <- v - M^-1 J^T S^+ (J v + g_t),  S = J M^-1 J^T

Rows at velocity level hold velocities only. Source: E. Hairer, G. Wanner, Solving ODEs II, 2nd
ed., section VII.2 (projection), with the metric of the masses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import FloatArray
from ...errors import SimulationError
from ..coordinate_names import velocity_names
from ..equations import mass_of
from ..model import IntArray
from ..quantities import integrate_q
from .crossings import Crossing, miss_at, near_miss
from .kinematics import Places
from .one_state_projection import MET, MOST_STEPS, ROUNDED, OneStateProjection
from .rows import ConstraintRows, Positions
from .solve import WEAK, Solution, solve, threshold
from .straight_rows import StraightRows

if TYPE_CHECKING:
    from ..system import Moment, Prescribed

MomentOf = Callable[[FloatArray, FloatArray, FloatArray], "Moment"]

POLISHED = 1e-15  # the same near a singular configuration
HOLD = 1e-4  # singular values below it do not hold velocities
CONTRADICTION = 1e-8  # of the largest rate: what may be left of the rates of redundant rows


@dataclass(frozen=True, eq=False)
class Projection:
    """Projects states of a system.

    Attributes:
        rows: the constraints that act.
        moment: (t, q, v) -> Moment, the kinematics there.
        free: the velocities that may change; None for all of them.
        prescribed: the motions of the others.
    """

    rows: ConstraintRows
    moment: MomentOf
    free: IntArray | None = None
    prescribed: Sequence[Prescribed] = ()
    ranks: list[int] = field(default_factory=list)  # the usual one, once it is known
    crossings: list[Crossing] = field(default_factory=list)  # that were found on the way

    def state(self, t: FloatArray, q: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """q (…, nq) and v (…, nv) at times t () or (…), s, put onto the manifold.

        Raises:
            SimulationError: where there is none within reach, naming the constraints.
        """
        if self.straight is not None and self.straight.hold(q, v):
            return q, v
        if self._one_state is not None and q.ndim == v.ndim == 1 and not np.ndim(t):
            quick = self._one_state.state(t, q, v)
            if quick is not None:
                return quick
        at, positions = self._onto_positions(t, q, v)
        return at.q, self.velocities(at, positions)

    def positions(self, t: FloatArray, q: FloatArray, v: FloatArray) -> FloatArray:
        """q (…, nq) of `state`."""
        return self._onto_positions(t, q, v)[0].q

    def velocities(self, at: Moment, positions: Positions | None = None) -> FloatArray:
        """v (…, nv) that the constraints allow, nearest to those of the moment.

        Near a singular configuration, combinations of rows that have lost their hold are left.
        """
        if positions is None:
            positions = self.rows.at(at)
        rates = self.rows.rates(at, positions)
        hold = np.where(near_miss(self, at.q), 0.0, HOLD) if self.crossings else HOLD
        least = np.maximum(threshold(self.rows.slack(positions)), hold)
        step = self.least_step(at, positions, -rates, least).a
        left = np.abs(rates + (positions.jacobian @ step[..., None])[..., 0])
        scale = np.abs(rates).max(axis=-1, initial=0.0) + np.abs(at.v).max(axis=-1, initial=0)
        allowed = (CONTRADICTION + 10.0 * least) * (1.0 + scale)
        if (left > allowed[..., None]).any():
            off = left.reshape(-1, left.shape[-1]).max(axis=0)
            raise SimulationError(
                f"{self.rows.model.name}: {_when(at.t)}the constraints contradict each other: no "
                f"velocities satisfy {self.rows.blame(off)}"
                f"{self._drives(positions.jacobian[..., off >= off.max(), :])} at once"
            )
        return at.v + step

    def _drives(self, slopes: FloatArray) -> str:
        """The prescribed motions that act on rows with these Jacobians (…, k, nv)."""
        names = velocity_names(self.rows.model)
        felt = np.abs(slopes).reshape(-1, slopes.shape[-1]).max(axis=0)
        driven = [own.v_index for own in self.prescribed if felt[own.v_index] > HOLD]
        if not driven:
            return ""
        return f" and the prescribed motion of {', '.join(repr(names[own]) for own in driven)}"

    def fitted(self, at: Moment) -> Positions:
        """The rows at a moment, without what lengths miss a singular configuration by."""
        positions = self.rows.at(at)
        miss = miss_at(self, at.q) if self.crossings else None
        return positions if miss is None else positions._replace(residual=positions.residual - miss)

    def least_step(
        self, at: Moment, positions: Positions, wanted: FloatArray, least: FloatArray
    ) -> Solution:
        """The step d (…, nv) with J d = wanted (…, m) that moves the masses least, as `a`.

        Args:
            least: (…), singular values below it count as none.
        """
        mass, jacobian = mass_of(self.rows.model, at.tableau), positions.jacobian
        free, sizes = self.free, self.rows.typical
        if free is None:
            return solve(mass, np.zeros_like(at.v), jacobian, wanted, sizes, least)
        inner = mass[..., free[:, None], free]
        still = np.zeros((*at.v.shape[:-1], len(free)))
        solution = solve(inner, still, jacobian[..., free], wanted, sizes, least)
        step = np.zeros_like(at.v)
        step[..., free] = solution.a
        return solution._replace(a=step)

    def sizes(self, at: Moment, positions: Positions) -> FloatArray:
        """What the residuals (…, m) are measured against."""
        return self.rows.sizes(at.t, at.q, Places.of(at.tableau), positions.jacobian)

    @cached_property
    def straight(self) -> StraightRows | None:
        """The rows as matrices, where all are linear in plain coordinates."""
        return StraightRows.of(self.rows)

    @cached_property
    def _one_state(self) -> OneStateProjection | None:
        """The faster way for single states; None where it is not for these rows."""
        fewer = self.rows.one_state
        if fewer is None or self.free is not None or self.rows.is_timed:
            return None
        return OneStateProjection(self.rows, fewer, self.moment)

    def _onto_positions(
        self, t: FloatArray, q: FloatArray, v: FloatArray
    ) -> tuple[Moment, Positions]:
        """Newton's iteration; states that are there already stay as they are.

        Near a singular configuration small residuals are large distances, so there they are
        brought down as far as rounding lets them.
        """
        before, met = np.inf, MET
        for _ in range(MOST_STEPS):
            at = self.moment(t, q, v)
            positions = self.fitted(at)
            off = np.abs(positions.residual) / self.sizes(at, positions)
            worst = off.max(axis=-1)
            largest = float(worst.max(initial=0.0))
            if largest <= met or (largest <= ROUNDED and largest > 0.5 * before):
                return at, positions
            if not np.isfinite(largest):
                break
            before = largest
            least = threshold(self.rows.slack(positions))
            solution = self.least_step(at, positions, -positions.residual, least)
            if (solution.weakest < WEAK).any():
                met = POLISHED
            step = np.where(worst[..., None] > met, solution.a, 0.0)
            q = integrate_q(self.rows.model, q, step, 1.0)
        residual = np.abs(positions.residual).reshape(-1, len(self.rows)).max(axis=0)
        raise SimulationError(
            f"{self.rows.model.name}: {_when(at.t)}the constraints cannot be met: "
            f"{self.rows.shortfall(residual, off.reshape(-1, len(self.rows)).max(axis=0))}"
        )


def _when(t: FloatArray) -> str:
    """The time for a message, where there is one."""
    return f"at t = {float(t):.6g} s " if not np.ndim(t) else ""
