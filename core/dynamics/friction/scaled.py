"""The problem with every contact's mean mobility 1, in which all impulses are alike.

    p' = s p,   u' = u / s,   W' = W / (s s^T),   b' = b / s,   s^2 = mean of W_ii over the contact

One s for the three rows of a contact keeps its cone; a scalar row has its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...arrays import FloatArray
from .law import Law, Projected
from .quiet import times

IMMOBILE = 1e-14  # of the largest mobility: nothing that can be told from rounding
ROUNDING = 2.3e-16  # of z: where impulses grow beyond all bounds, no error is seen any more


class Scaled(NamedTuple):
    """u' = W' p' + b': matrix (m, m), vector (m,), their law, and unit s (m,)."""

    matrix: FloatArray
    vector: FloatArray
    law: Law
    unit: FloatArray

    def stay(self, point: FloatArray) -> Stay:
        """How far p' (m,) is from p' = P(p' - u')."""
        z = point - (times(self.matrix, point) + self.vector)
        at = self.law.project(z)
        gap = point - at.onto
        error = np.abs(gap) + ROUNDING * np.abs(z)
        return Stay(z, at, gap, float((error * self.unit).max(initial=0.0)))

    def pulled(self, weight: float, centre: FloatArray) -> Scaled:
        """The same with the velocity weight (p' - centre) added."""
        matrix = self.matrix.copy()
        matrix.flat[:: len(matrix) + 1] += weight
        return self._replace(matrix=matrix, vector=self.vector - weight * centre)


class Stay(NamedTuple):
    """z = p' - u' (m,), its projection, gap p' - P(z) (m,), and residual: gap in units of u."""

    z: FloatArray
    at: Projected
    gap: FloatArray
    residual: float


class Found(NamedTuple):
    """A point p' (m,) that obeys the bounds, its residual and the steps to it."""

    point: FloatArray
    residual: float
    steps: int


def scaled(w: FloatArray, b: FloatArray, law: Law) -> Scaled:
    """The problem in units of its contacts; what cannot move takes the unit of what moves most."""
    count = 3 * len(law.friction)
    mobility = w.diagonal().copy()
    contacts = mobility[:count].reshape(-1, 3)
    contacts[:] = (contacts.sum(axis=1) / 3.0)[:, None]
    largest = float(mobility.max(initial=0.0)) or 1.0
    mobility[mobility <= IMMOBILE * largest] = largest
    unit = np.sqrt(mobility)
    per = 1.0 / unit
    own = law
    if len(unit) > count:
        own = Law(law.friction, law.lower * unit, law.upper * unit)
    return Scaled(w * per * per[:, None], b * per, own, unit)
