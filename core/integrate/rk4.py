"""The classical Runge-Kutta scheme of order 4."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from .equations import Equations
from .explicit import Stages
from .fixed import FixedStep

# E. Hairer, S. Norsett, G. Wanner, Solving ODEs I, 2nd ed., table II.1.2
NODES = np.array([0.0, 1 / 2, 1 / 2, 1.0])
WEIGHTS = np.array([[0, 0, 0], [1 / 2, 0, 0], [0, 1 / 2, 0], [0, 0, 1.0]])
FOURTH = np.array([1 / 6, 1 / 3, 1 / 3, 1 / 6])


class RK4(FixedStep):
    """y_1 = y_0 + h (k_1 + 2 k_2 + 2 k_3 + k_4) / 6."""

    order: ClassVar[int] = 4

    def __init__(self, equations: Equations, t: float, y: FloatArray, h: float) -> None:
        super().__init__(equations, t, y, h)
        self._stages = Stages(NODES, WEIGHTS, y.size)
        self._slope = self.first_slope()

    def make(self, h: float, t: float) -> tuple[FloatArray, FloatArray]:
        """One step of size h; see the class for the equation."""
        first = self._slope
        self._stages.fill(self.rate, self.t, h, self.y, first)
        end = self.equations.settle(t, self.y + h * FOURTH.dot(self._stages.rates))
        self._slope = self.rate(t, end)
        return end, np.stack((first, self._slope))
