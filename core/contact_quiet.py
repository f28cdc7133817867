"""Steps on whose way nothing changes at contacts, told without sampling them.

Gaps of joint limits are linear in the coordinates. On the way of a step q + h sum_j p_j theta^j,
0 <= theta <= 1, such a gap phi stays within

    phi + h sum_j min(J p_j, 0)  to  phi + h sum_j max(J p_j, 0)

Forces at joints that rest at their limits are looked at closely only where they may come near 0:
not where they change by less on the way of the step than they are at the least, as seen at its
ends and in its middle.
"""

from __future__ import annotations

import numpy as np

from .arrays import BoolArray, FloatArray
from .dynamics.contact import Gaps
from .dynamics.model import IntArray
from .integrate import DenseOutput
from .motion import Motion

PULLED = 1e-9  # of the largest force: what is none
NO_FORCE = 0.1  # of that: what stays none
CLEAR = 0.01  # of a gap at the start of a step: what it must keep


class RestingForces:
    """The forces of gaps at rest.

    Attributes:
        small: (n,), N or N m: what forces at resting gaps are small against.
    """

    def __init__(self, gaps: Gaps) -> None:
        self._gaps = gaps
        self.small = np.zeros(len(gaps))
        self._places: tuple[Motion, IntArray, IntArray] | None = None
        self._known: tuple[Motion, float, FloatArray] | None = None

    def pushes(self, motion: Motion, times: FloatArray, y: FloatArray) -> FloatArray:
        """What resting gaps exert at times (…) and states y (…, ny), (…, n), N or N m."""
        q, v, _ = motion.unpack(y)
        told = motion.respond(motion.system.moment(times, q, v)).multipliers
        resting, rows = self._rows(motion)
        out = np.zeros((*times.shape, len(self._gaps)))
        out[..., resting] = told[..., rows] * self._gaps.pushes[resting]
        return out

    def bounds(self, largest: float) -> FloatArray:
        """By how much forces (n,) must be pulls to be some, where this is the largest of all."""
        out: FloatArray = PULLED * np.maximum(largest, self.small)
        return out

    def keep(self, motion: Motion, times: FloatArray, y: FloatArray) -> BoolArray:
        """Which forces (n,) stay pushes, or none.

        Args:
            times: (3,), the start, the middle and the end of a step or of a part of one.
            y: (3, ny), the states.
        """
        known, start, end = self._known, float(times[0]), float(times[2])
        if known is not None and known[0] is motion and known[1] == start:
            first = known[2]
        else:
            first = self.pushes(motion, times[0], y[0])
        last = self.pushes(motion, times[2], y[2])
        self._known = motion, end, last
        forces = np.stack((first, self.pushes(motion, times[1], y[1]), last))
        largest = np.abs(forces).max(axis=0)
        changes = np.abs(np.diff(forces, axis=0)).sum(axis=0)
        none = largest < NO_FORCE * self.bounds(float(largest.max()))
        out: BoolArray = (forces.min(axis=0) > changes) | none
        return out

    def _rows(self, motion: Motion) -> tuple[IntArray, IntArray]:
        """The gaps (k,) that a motion holds at 0, and the rows (k,) that do so."""
        if self._places is None or self._places[0] is not motion:
            rows, names = motion.system.rows, self._gaps.names
            assert rows is not None
            resting = [index for index, name in enumerate(names) if name in rows.where]
            places = [int(rows.where[names[index]][0]) for index in resting]
            self._places = motion, np.array(resting, np.intp), np.array(places, np.intp)
        return self._places[1], self._places[2]


def gap_ranges(gaps: Gaps, step: DenseOutput) -> tuple[FloatArray, FloatArray]:
    """The least and the largest values (n,) of the gaps of limits on the way of one step."""
    nq = gaps.model.nq
    start, powers = step.start[0, :nq], step.powers[0, :nq]
    h = float(step.knots[1] - step.knots[0])
    rises = h * (gaps.limits.slopes @ powers)
    gap = gaps.limits.gap(start)
    return gap + np.minimum(rises, 0.0).sum(axis=1), gap + np.maximum(rises, 0.0).sum(axis=1)


def stay_apart(gaps: Gaps, step: DenseOutput, side: FloatArray) -> BoolArray:
    """Which gaps of limits stay positive (side 1), or negative (-1), on the way of one step."""
    least, largest = gap_ranges(gaps, step)
    enough = CLEAR * np.abs(gaps.limits.gap(step.start[0, : gaps.model.nq]))
    out: BoolArray = np.where(side > 0.0, least, -largest) > enough
    return out
