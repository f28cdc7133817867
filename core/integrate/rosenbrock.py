"""A linearly implicit scheme for stiff joints: strong damping or friction on light links.

An explicit scheme would have to follow time constants of microseconds there. This one solves
one linear system for each stage, and keeps its order for any approximation of the Jacobian, so
that only the stiff part (the passive joint forces) needs to be in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Protocol

import numpy as np

from ..arrays import FloatArray
from .stepper import Stepper, System, Trial

# ROS34PW2 of J. Rang and L. Angermann, New Rosenbrock W-methods of order 3 for PDAEs of
# index 1, BIT 45 (2005): order 3, stiffly accurate, embedded order 2
GAMMA = 4.3586652150845900e-01
ALPHA = np.array(
    [
        [0, 0, 0],
        [8.7173304301691801e-01, 0, 0],
        [8.4457060015369423e-01, -1.1299064236484185e-01, 0],
        [0, 0, 1.0],
    ]
)
GAMMAS = np.array(
    [
        [0, 0, 0],
        [-8.7173304301691801e-01, 0, 0],
        [-9.0338057013044082e-01, 5.4180672388095326e-02, 0],
        [2.4212380706095346e-01, -1.2232505839045147e00, 5.4526025533510214e-01],
    ]
)
THIRD = np.array([2.4212380706095346e-01, -1.2232505839045147e00, 1.5452602553351020e00, GAMMA])
SECOND = np.array(
    [3.7810903145819369e-01, -9.6042292212423178e-02, 5.0e-01, 2.1793326075422950e-01]
)

Linear = Callable[[FloatArray], FloatArray]


class StiffSystem(System, Protocol):
    """A system that also knows its stiff part."""

    def linearised(self, t: float, y: FloatArray, hg: float) -> tuple[Linear, Linear]:
        """Two functions of a vector (n,): x -> A x, and x -> (1 - hg A)^-1 x.

        A approximates df/dy at (t, y); what is not stiff may be left out.
        """
        ...


class RosenbrockW32(Stepper):
    """Four linear systems with one matrix for each step.

    y_1 = y_0 + sum_i b_i k_i
    (1 - h g A) k_i = h f(y_0 + sum_j a_ij k_j) + h A sum_j g_ij k_j
    """

    order: ClassVar[int] = 3
    error_order: ClassVar[int] = 2

    def __init__(self, system: StiffSystem, t: float, y: FloatArray, tolerance: float) -> None:
        self.stiff = system
        super().__init__(system, t, y, tolerance)

    def trial(self, h: float) -> Trial:
        """One step of size h; see the class for the equation."""
        multiply, solve = self.stiff.linearised(self.t, self.y, h * GAMMA)
        stages = np.empty((4, self.y.size))
        for i in range(4):
            slope = self.slope
            if i:
                inner = self.y + ALPHA[i, :i] @ stages[:i]
                slope = self.rate(self.t + ALPHA[i].sum() * h, inner)
            right = h * slope
            if i:
                right = right + h * multiply(GAMMAS[i, :i] @ stages[:i])
            stages[i] = solve(right)
        end = self.y + THIRD @ stages
        error = (THIRD - SECOND) @ stages
        slope = self.rate(self.t + h, end)

        # cubic Hermite between both ends
        d = (end - self.y) / h
        powers = np.stack(
            (self.slope, 3.0 * d - 2.0 * self.slope - slope, self.slope + slope - 2.0 * d), axis=-1
        )
        return Trial(end, slope, error, powers)
