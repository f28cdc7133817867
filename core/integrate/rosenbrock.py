"""A linearly implicit scheme for stiff joints: strong damping or friction on light links.

An explicit scheme would have to follow time constants of microseconds there. This one solves
one linear system for each stage, and keeps its order for any approximation of the Jacobian, so
that only the stiff part (the passive joint forces) needs to be in it.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from .control import ErrorControlled, Trial
from .hermite import hermite_powers
from .stepper import Steps

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
NODES = ALPHA.sum(axis=1)
THIRD = np.array([2.4212380706095346e-01, -1.2232505839045147e00, 1.5452602553351020e00, GAMMA])
SECOND = np.array(
    [3.7810903145819369e-01, -9.6042292212423178e-02, 5.0e-01, 2.1793326075422950e-01]
)
ERROR = (THIRD - SECOND)[None]


class RosenbrockW32(ErrorControlled):
    """Four linear systems with one matrix for each step.

    y_1 = y_0 + sum_i b_i k_i
    (1 - h g A) k_i = h f(y_0 + sum_j a_ij k_j) + h A sum_j g_ij k_j
    """

    order: ClassVar[int] = 3
    error_order: ClassVar[int] = 2
    degree: ClassVar[int] = 3

    _start: FloatArray  # the slope at the start of the last trial

    def trial(self, h: float) -> Trial:
        """One step of size h; see the class for the equation."""
        self._start = self.slope
        multiply, solve = self.equations.linearised(self.t, self.y, h * GAMMA)
        rises = np.empty((4, self.y.size))
        rises[0] = solve(h * self.slope)
        for i in range(1, 4):
            inner = self.y + ALPHA[i, :i] @ rises[:i]
            slope = self.rate(self.t + NODES[i] * h, inner)
            rises[i] = solve(h * slope + h * multiply(GAMMAS[i, :i] @ rises[:i]))
        return Trial(self.y + THIRD @ rises, ERROR @ rises)

    def stages(self) -> FloatArray:
        """The slopes at both ends."""
        return np.stack((self._start, self.slope))

    def powers(self, steps: Steps) -> FloatArray:
        """Hermite's cubic."""
        return hermite_powers(steps, steps.stages[:, 0], steps.stages[:, 1])
