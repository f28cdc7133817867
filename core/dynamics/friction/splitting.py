"""Alternating directions: from any start to where Newton's method can take over.

    q = (W + rho I)^-1 (rho (p - y) - b)
    z = a q + (1 - a) p + y,   p = P(z),   y = z - p

with P of Coulomb's law, which makes it Boyd's method for the least of p . W p / 2 + b . p where
there is no friction; -rho y is the velocity. One inverse serves all steps of a round; a round ends
by changing rho where the two errors, p - q and rho (p - p_old), are far from alike.

Source: S. Boyd, N. Parikh, E. Chu, B. Peleato, J. Eckstein, Distributed Optimization and
Statistical Learning via the Alternating Direction Method of Multipliers (2011), sections 3.1,
3.4.1 and 3.4.3.
"""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray
from .scaled import Scaled

FIRST = 0.1  # rho, of the mean mobility 1: best of 0.03 to 3 over many kinds of problems
RELAXED = 1.6  # a
ALIKE = 2.0  # factor by which rho has to be off to be changed
BOLDEST = 10.0  # factor at once
LEAST, MOST = 1e-4, 1e4  # rho: what W + rho I can be inverted with


class Splitting:
    """The state of the method: p (m,) that obeys the bounds, y (m,), rho and the inverse."""

    def __init__(self, problem: Scaled, start: FloatArray) -> None:
        self._problem = problem
        self.point = problem.law.project(start).onto
        self._dual = -(problem.matrix @ self.point + problem.vector) / FIRST
        self._set(FIRST)

    def _set(self, rho: float) -> None:
        m = len(self.point)
        matrix = self._problem.matrix.copy()
        matrix.flat[:: m + 1] += rho
        self._rho, self._inverse = rho, np.linalg.inv(matrix)
        self._still = self._inverse @ self._problem.vector
        self._inverse *= rho

    def go(self, steps: int) -> None:
        """So many steps, then rho for the next ones."""
        law, point, dual = self._problem.law, self.point, self._dual
        inverse, still = self._inverse, self._still
        old = free = point
        for _ in range(steps):
            old = point
            free = inverse @ (point - dual) - still
            towards = RELAXED * free + (1.0 - RELAXED) * point + dual
            point = law.project(towards).onto
            dual = towards - point
        self.point, self._dual = point, dual
        self._balance(free - point, point - old)

    def _balance(self, apart: FloatArray, moved: FloatArray) -> None:
        """rho where both errors would be alike, each in units of what it is an error of."""
        first = np.abs(apart).max(initial=0.0) * np.abs(self._problem.vector).max(initial=0.0)
        second = self._rho * np.abs(moved).max(initial=0.0) * np.abs(self.point).max(initial=0.0)
        if not (first > 0.0 and second > 0.0):
            return
        ratio = min(max(float(first), second * BOLDEST**-2), second * BOLDEST**2) / second
        factor = min(max(self._rho * float(np.sqrt(ratio)), LEAST), MOST) / self._rho
        if not 1.0 / ALIKE <= factor <= ALIKE:
            self._dual = self._dual / factor
            self._set(self._rho * factor)
