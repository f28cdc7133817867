"""Semi-implicit Euler: order 1, one evaluation a step, no drift of the energy of oscillations."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from .equations import MechanicalEquations
from .fixed import FixedStep


class SemiImplicitEuler(FixedStep):
    """v_1 = v_0 + h a(t_0, q_0, v_0),  q_1 = q_0 moved by h v_1.

    For a floating joint that is so of the velocity in the axes it moves in, not in its own.

    Source: E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed.,
    equation I.1.9 (symplectic Euler).
    """

    order: ClassVar[int] = 1

    def __init__(self, equations: MechanicalEquations, t: float, y: FloatArray, h: float) -> None:
        super().__init__(equations, t, y, h)
        self._mechanism = equations
        self._slope = self.first_slope()

    def make(self, h: float, t: float) -> tuple[FloatArray, FloatArray]:
        """One step of size h; see the class for the equation."""
        mechanism, first = self._mechanism, self._slope
        end = self.y + h * first
        of_q, of_v = slice(mechanism.nq), slice(mechanism.nq, mechanism.nq + mechanism.nv)
        end[of_q], end[of_v] = mechanism.drift(self.y[of_q], self.y[of_v], first[of_v], h)
        end = mechanism.settle(t, end)
        self._slope = self.rate(t, end)
        return end, np.stack((first, self._slope))
