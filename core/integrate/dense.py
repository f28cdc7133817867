"""Dense output: the steps of a motion, recorded as a piecewise polynomial."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray
from .stepper import Step, Steps

Settle = Callable[[FloatArray, FloatArray], FloatArray]  # t (…), y (…, n) -> y

BATCH = 64  # steps whose interpolants are worked out in one call


@dataclass(frozen=True)
class DenseOutput:
    """A piecewise polynomial: y(t_i + theta h_i) = start_i + h_i sum_j powers_ij theta^(j+1).

    knots (m + 1,), s; start (m + 1, n), the last being the end; powers (m, n, degree), of the
    degree of the scheme. Steps of a scheme of lower degree have zeros behind their own powers.
    settle, if there is one, makes the entries exact that are known functions of time.
    """

    knots: FloatArray
    start: FloatArray
    powers: FloatArray
    settle: Settle | None = None

    @classmethod
    def of(cls, steps: Sequence[Step], end: FloatArray) -> DenseOutput:
        """Of a scheme's accepted steps in a row and the state (n,) that they reach."""
        record = Record()
        for step in steps:
            record.add(step)
        return record.dense(steps[-1].t + steps[-1].h if steps else 0.0, end)

    @classmethod
    def linear(cls, times: FloatArray, values: FloatArray) -> DenseOutput:
        """Straight lines between values (m + 1, n) at times (m + 1,)."""
        slopes = np.diff(values, axis=0) / np.diff(times)[:, None]
        return cls(times, values, slopes[:, :, None])

    @property
    def degree(self) -> int:
        """Of the polynomial of a step."""
        return self.powers.shape[2]

    def __call__(self, t: ArrayLike) -> FloatArray:
        """y (…, n) at times t (…), held constant outside the knots."""
        when = np.clip(np.asarray(t, dtype=np.float64), self.knots[0], self.knots[-1])
        if not len(self.powers):
            return np.broadcast_to(self.start[0], (*when.shape, self.start.shape[1])).copy()
        knot = np.searchsorted(self.knots, when, side="right") - 1
        step = np.minimum(knot, len(self.powers) - 1)
        h = self.knots[step + 1] - self.knots[step]
        # counted from the knot, so that the last one is met exactly too
        theta = ((when - self.knots[knot]) / h)[..., None]
        powers = self.powers[step]
        value = powers[..., -1]
        for j in range(self.degree - 2, -1, -1):
            value = value * theta + powers[..., j]
        start: FloatArray = self.start[knot]
        rise: FloatArray = h[..., None] * theta * value
        y = start + rise
        return y if self.settle is None else self.settle(when, y)


class Record:
    """Takes down steps in a row, of one scheme or of several, and hands out their dense output.

    Interpolants are worked out for BATCH steps at a time: what they take beyond the stages is
    evaluated in one call.
    """

    def __init__(self) -> None:
        self._waiting: list[Step] = []
        self._parts: list[float] = []  # of the steps that wait: how much of each is taken
        self._knots: list[FloatArray] = []
        self._starts: list[FloatArray] = []
        self._powers: list[FloatArray] = []

    def add(self, step: Step, until: float | None = None, powers: FloatArray | None = None) -> None:
        """Take down the next step, whole or until a time on its way, s.

        Args:
            powers: (1, n, degree), its interpolant, where that is known.
        """
        if powers is not None:
            self._work_out()
            self._take(Steps.of([step]), powers, [_part(step, until)])
            return
        if self._waiting and step.scheme is not self._waiting[0].scheme:
            self._work_out()
        self._waiting.append(step)
        self._parts.append(_part(step, until))
        if len(self._waiting) == BATCH:
            self._work_out()

    def dense(self, t: float, y: FloatArray, settle: Settle | None = None) -> DenseOutput:
        """The dense output of all steps; t and y (n,) are the state that has been reached."""
        self._work_out()
        degree = max((powers.shape[2] for powers in self._powers), default=1)
        count = sum(map(len, self._powers))
        powers = np.zeros((count, y.size, degree))
        row = 0
        for part in self._powers:
            powers[row : row + len(part), :, : part.shape[2]] = part
            row += len(part)
        return DenseOutput(
            np.concatenate((*self._knots, [t])),
            np.concatenate((*self._starts, y[None])),
            powers,
            settle,
        )

    def _work_out(self) -> None:
        """The interpolants of the steps that wait for them."""
        if not self._waiting:
            return
        steps = Steps.of(self._waiting)
        self._take(steps, self._waiting[0].scheme.powers(steps), self._parts)
        self._waiting, self._parts = [], []

    def _take(self, steps: Steps, powers: FloatArray, shares: list[float]) -> None:
        """Take down steps with their interpolants, of which these parts are taken."""
        parts = np.array(shares)
        if (parts != 1.0).any():
            powers = powers * parts[:, None, None] ** np.arange(powers.shape[2])
        self._knots.append(steps.t)
        self._starts.append(steps.start)
        self._powers.append(powers)


def _part(step: Step, until: float | None) -> float:
    """How much of a step is taken up to a time, s."""
    return 1.0 if until is None else (until - step.t) / step.h
