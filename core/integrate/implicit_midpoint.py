"""The implicit midpoint rule: order 2, stable for any step, and no drift of the energy."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from .equations import Equations
from .fixed import FixedStep
from .hermite import end_slopes, hermite_powers
from .newton import solve
from .stepper import Steps


class ImplicitMidpoint(FixedStep):
    """z = y_0 + h/2 f(t_0 + h/2, z),  y_1 = 2 z - y_0.

    It keeps quadratic invariants, such as the lengths of quaternions and momenta, exactly.

    Source: E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed., equation
    I.1.7 and theorem IV.2.1.
    """

    order: ClassVar[int] = 2

    def __init__(self, equations: Equations, t: float, y: FloatArray, h: float) -> None:
        super().__init__(equations, t, y, h)
        self._slope = self.first_slope()  # the last one at a midpoint: where Newton starts

    def make(self, h: float, t: float) -> tuple[FloatArray, FloatArray]:
        """One step of size h; see the class for the equation."""
        size = self.y.size - self.equations.quadratures
        y, tail, middle = self.y[:size], self.y[size:], self.t + 0.5 * h

        def residual(z: FloatArray) -> FloatArray:
            rest = np.broadcast_to(tail, (len(z), tail.size))
            slopes = self.rate(middle, np.concatenate((z, rest), axis=1))
            self._slope = slopes[0]
            out: FloatArray = z - y - 0.5 * h * slopes[:, :size]
            return out

        z = solve(residual, y + 0.5 * h * self._slope[:size])
        end = np.concatenate((2.0 * z - y, tail + h * self._slope[size:]))
        return self.equations.settle(t, end), self._slope[None]

    def powers(self, steps: Steps) -> FloatArray:
        """Hermite's cubic, with the slopes at both ends evaluated here."""
        return hermite_powers(steps, *end_slopes(self.rate, steps))
