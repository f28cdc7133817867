"""Dense output: the motion between the steps, as a piecewise polynomial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray
from .stepper import Step


@dataclass(frozen=True)
class DenseOutput:
    """A piecewise polynomial: y(t_i + theta h_i) = start_i + h_i sum_j powers_ij theta^(j+1).

    knots (m + 1,), s; start (m + 1, n), the last being the end; powers (m, n, degree), of the
    degree of the scheme. Steps of a scheme of lower degree have zeros behind their own powers.
    """

    knots: FloatArray
    start: FloatArray
    powers: FloatArray

    @classmethod
    def of(cls, steps: Sequence[Step], end: FloatArray) -> DenseOutput:
        """Of a scheme's accepted steps and the state that they reach."""
        degree = max((step.powers.shape[1] for step in steps), default=1)
        powers = np.zeros((len(steps), end.size, degree))
        for index, step in enumerate(steps):
            powers[index, :, : step.powers.shape[1]] = step.powers
        last = [steps[-1].t + steps[-1].h] if steps else [0.0]
        return cls(
            np.array([step.t for step in steps] + last),
            np.array([step.start for step in steps] + [end]),
            powers,
        )

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
        index = np.searchsorted(self.knots, when, side="right") - 1
        index = np.clip(index, 0, len(self.powers) - 1)
        h = self.knots[index + 1] - self.knots[index]
        theta = ((when - self.knots[index]) / h)[..., None]
        powers = self.powers[index]
        value = powers[..., -1]
        for j in range(self.degree - 2, -1, -1):
            value = value * theta + powers[..., j]
        start: FloatArray = self.start[index]
        rise: FloatArray = h[..., None] * theta * value
        return start + rise
