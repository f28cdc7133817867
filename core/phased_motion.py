"""Equations of motion that change at given times: phases, each with constraints of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import EllipsisType
from typing import Literal

import numpy as np

from .arrays import BoolArray, FloatArray
from .dynamics import Moment
from .dynamics.constraints.hold import placed
from .dynamics.constraints.rows import ConstraintRows
from .dynamics.system import Response
from .integrate import Time
from .motion import Motion

Side = Literal["left", "right"]
Where = BoolArray | EllipsisType  # which of some times, or all of them


class PhasedMotion(Motion):
    """The equations of the phase that a time is in; at a change, of that which begins there.

    Multipliers are those of the rows of all constraints, 0 where these do not act.

    Attributes:
        starts: (n,), s, increasing, of the phases; before the first one it goes on backwards.
        phases: the equations (n) of each.
        rows: of all constraints, whether they act or not.
    """

    def __init__(self, starts: Sequence[float], phases: Sequence[Motion]) -> None:
        first = phases[0]
        super().__init__(
            first.system, first.tau, first.damping, first.limits, first.passive, first.index
        )
        self.starts, self.phases = np.array(starts), tuple(phases)
        self.rows = ConstraintRows(
            self.model, [placed(own) for own in first.system.constraints], first.system.markers
        )

    def parts(self, t: FloatArray, side: Side = "right") -> list[tuple[Motion, BoolArray]]:
        """The phases that times t (…) are in, and which of them (…) are in each."""
        index = np.searchsorted(self.starts, t, side=side) - 1
        index = np.maximum(index, 0)
        return [(self.phases[own], np.asarray(index == own)) for own in np.unique(index)]

    def derivative(self, t: Time, y: FloatArray) -> FloatArray:
        """See `Motion`."""
        return self._each(t, y, lambda motion, when, states: motion.derivative(when, states))

    def settle(self, t: Time, y: FloatArray) -> FloatArray:
        """See `Motion`."""
        return self._each(t, y, lambda motion, when, states: motion.settle(when, states))

    def respond(
        self, moment: Moment, strict: bool = False, more: FloatArray | None = None
    ) -> Response:
        """See `Motion`; multipliers (…, m) of all rows."""
        q, v = moment.q, moment.v
        when = np.broadcast_to(moment.t, q.shape[:-1])
        a, drive, pull = np.empty_like(v), np.empty_like(v), np.empty_like(v)
        multipliers = np.zeros((*when.shape, len(self.rows)))
        for motion, where in self.parts(when):
            part = motion.system.moment(when[where], q[where], v[where])
            own = motion.respond(part, strict, None if more is None else more[where])
            a[where], drive[where], pull[where] = own.a, own.drive, own.pull
            multipliers[where] = self._spread(motion, own.multipliers)
        return Response(a, drive, multipliers, pull)

    def _each(
        self,
        t: Time,
        y: FloatArray,
        function: Callable[[Motion, FloatArray, FloatArray], FloatArray],
    ) -> FloatArray:
        """A function of times and states (…, n), by the phases."""
        when = np.broadcast_to(np.asarray(t, dtype=np.float64), y.shape[:-1])
        parts = self.parts(when)
        if len(parts) == 1:
            return function(parts[0][0], when, y)
        out = np.empty_like(y)
        for motion, where in parts:
            out[where] = function(motion, when[where], y[where])
        return out

    def _spread(self, motion: Motion, multipliers: FloatArray) -> FloatArray:
        """Multipliers of the rows that act (k, …) as those of all rows (k, m)."""
        out = np.zeros((len(multipliers), len(self.rows)))
        rows = motion.system.rows
        if rows is not None:
            for own in rows.constraints:
                out[:, self.rows.where[own.name]] = multipliers[:, rows.where[own.name]]
        return out


def parts_of(motion: Motion, t: FloatArray, side: Side = "right") -> list[tuple[Motion, Where]]:
    """The equations that hold at times t (…), with which of these they hold at."""
    if isinstance(motion, PhasedMotion):
        return [*motion.parts(t, side)]
    return [(motion, ...)]
