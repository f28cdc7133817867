"""Dormand and Prince's explicit pair of orders 5 and 4, with dense output of order 5."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from .control import ErrorControlled, Trial
from .equations import Equations
from .explicit import Stages
from .lift import lifted
from .stepper import Steps

# E. Hairer, S. Norsett, G. Wanner, Solving ODEs I, 2nd ed., table II.5.2
NODES = np.array([0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0])
WEIGHTS = np.array(
    [
        [0, 0, 0, 0, 0, 0],
        [1 / 5, 0, 0, 0, 0, 0],
        [3 / 40, 9 / 40, 0, 0, 0, 0],
        [44 / 45, -56 / 15, 32 / 9, 0, 0, 0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
)
FIFTH = np.array([35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0])
FOURTH = np.array([5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40])
ERROR = (FIFTH - FOURTH)[None]
# the term of the interpolant of order 4 that Hermite data do not give (Hairer et al., II.6)
DENSE = np.array(
    [
        -12715105075 / 11282082432,
        0,
        87487479700 / 32700410799,
        -10690763975 / 1880347072,
        701980252875 / 199316789632,
        -1453857185 / 822651844,
        69997945 / 29380423,
    ]
)


def _powers() -> FloatArray:
    """(7, 4): what each stage adds to each power of theta in the interpolant.

    y0 + h (theta d + theta (1 - theta) (b + theta (c + (1 - theta) e)))
    """
    first, last = np.eye(7)[0], np.eye(7)[6]
    b = first - FIFTH
    c = FIFTH - last - b
    return np.stack((FIFTH + b, c - b + DENSE, -c - 2.0 * DENSE, DENSE), axis=-1)


POWERS = _powers()


class DormandPrince54(ErrorControlled):
    """y_1 = y_0 + h sum_i b_i k_i, the last stage being the first of the next step."""

    order: ClassVar[int] = 5
    error_order: ClassVar[int] = 4
    steadiness: ClassVar[float] = 0.04
    degree: ClassVar[int] = 5

    def __init__(
        self,
        equations: Equations,
        t: float,
        y: FloatArray,
        rtol: float | FloatArray,
        atol: float | FloatArray,
    ) -> None:
        self._stages = Stages(NODES, WEIGHTS, y.size)
        super().__init__(equations, t, y, rtol, atol)

    def trial(self, h: float) -> Trial:
        """One step of size h; see the class for the equation."""
        stages = self._stages
        stages.fill(self.rate, self.t, h, self.y, self.slope)
        return Trial(stages.inner, h * (ERROR @ stages.rates), stages.rates[6].copy())

    def stages(self) -> FloatArray:
        """All seven."""
        return self._stages.rates.copy()

    def powers(self, steps: Steps) -> FloatArray:
        """The interpolant of order 5: that of order 4, of the stages alone, lifted."""
        powers = steps.stages.swapaxes(1, 2) @ POWERS
        ends = steps.stages[:, 0], steps.stages[:, 6], FIFTH @ steps.stages
        return lifted(self.rates, steps, powers, ends, self.degree)
