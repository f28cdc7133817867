"""DOP853: Dormand and Prince's explicit scheme of order 8, with dense output of order 8."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from .control import ErrorControlled, Trial
from .dop853_tableau import (
    DENSE,
    EIGHTH,
    EXTENDED,
    FIFTH_ERROR,
    NODES,
    STAGES,
    THIRD,
    WEIGHTS,
)
from .equations import Equations
from .explicit import Stages
from .lift import lifted
from .stepper import Steps

ERRORS = np.stack((FIFTH_ERROR, EIGHTH - THIRD))
# |h lambda| at which the scheme becomes unstable, of the negative axis (Hairer et al., IV.2)
STABILITY = 6.1


def _powers() -> FloatArray:
    """(16, 7): what each stage adds to each power of theta in the interpolant.

    y_0 + h theta (f_0 + (1 - theta) (f_1 + theta (f_2 + (1 - theta) (f_3 + … theta f_6))))
    """
    first, last = np.eye(EXTENDED)[0], np.eye(EXTENDED)[STAGES]
    mean = np.concatenate((EIGHTH, np.zeros(EXTENDED - STAGES)))
    terms = (mean, first - mean, 2.0 * mean - first - last, *DENSE)
    nested = np.zeros((EXTENDED, len(terms)))
    for index in range(len(terms) - 1, -1, -1):
        nested[:, 0] += terms[index]
        if index == 0:
            return nested
        # times theta or 1 - theta
        shifted = np.roll(nested, 1, axis=1)
        nested = shifted if index % 2 == 0 else nested - shifted
    return nested


POWERS = _powers()


class DOP853(ErrorControlled):
    """y_1 = y_0 + h sum_i b_i k_i with twelve stages; two embedded solutions judge the error.

    The scheme's own interpolant, of order 7, takes three more stages; five further slopes on it
    give one of order 8. They are evaluated when the steps are recorded, for many of them in one
    call.
    """

    order: ClassVar[int] = 8
    error_order: ClassVar[int] = 7
    steadiness: ClassVar[float] = 0.04
    degree: ClassVar[int] = 8

    def __init__(
        self,
        equations: Equations,
        t: float,
        y: FloatArray,
        rtol: float | FloatArray,
        atol: float | FloatArray,
    ) -> None:
        self._stages = Stages(NODES[:STAGES], WEIGHTS[:STAGES], y.size)
        self._size = 0.0  # of the last trial
        super().__init__(equations, t, y, rtol, atol)

    def trial(self, h: float) -> Trial:
        """One step of size h; see the class for the equation."""
        self._size = h
        rates = self._stages.rates
        self._stages.fill(self.rate, self.t, h, self.y, self.slope)
        return Trial(self.y + h * EIGHTH.dot(rates), h * (ERRORS @ rates))

    def combined(self, squares: FloatArray, n: int) -> float:
        """e5^2 / sqrt(e5^2 + e3^2 / 100), of errors of orders 5 and 3 (Hairer et al., II.10)."""
        fifth, third = float(squares[0]), float(squares[1])
        if fifth == 0.0:
            return 0.0
        return float(fifth / np.sqrt((fifth + 0.01 * third) * n))

    def stages(self) -> FloatArray:
        """The twelve and the slope at the end."""
        return np.concatenate((self._stages.rates, self.slope[None]))

    def powers(self, steps: Steps) -> FloatArray:
        """The interpolant of order 8: that of order 7 with three more stages, lifted."""
        rates = np.empty((len(steps.h), EXTENDED, steps.start.shape[1]))
        rates[:, : STAGES + 1] = steps.stages
        for i in range(STAGES + 1, EXTENDED):
            rise = WEIGHTS[i, :i] @ rates[:, :i]
            state = steps.start + steps.h[:, None] * rise
            rates[:, i] = self.rates(steps.t + NODES[i] * steps.h, state)
        powers = rates.swapaxes(1, 2) @ POWERS
        ends = rates[:, 0], rates[:, STAGES], EIGHTH @ rates[:, :STAGES]
        return lifted(self.rates, steps, powers, ends, self.degree)

    def stiffness(self) -> float:
        """|h lambda| / STABILITY in the step just made, as its last two stages show it.

        Both are at the end of the step: the difference of their slopes over that of their
        states is the rate at which neighbouring motions come together (Hairer and Wanner,
        Solving ODEs II, 2nd ed., equation IV.2.29). Quadratures are left out.
        """
        size = self.y.size - self.equations.quadratures
        apart = self.y[:size] - self._stages.inner[:size]
        rates = self.slope[:size] - self._stages.rates[-1, :size]
        distance = float(np.linalg.norm(apart))
        if distance == 0.0:
            return 0.0
        return self._size * float(np.linalg.norm(rates)) / distance / STABILITY
