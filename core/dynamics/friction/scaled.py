"""The problem with every contact's mean mobility 1, in which all impulses are alike.

    p' = s p,   u' = u / s,   W' = W / (s s^T),   b' = b / s,   s^2 = mean of W_ii over the contact

One s for the three rows of a contact keeps its cone; a scalar row has its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...arrays import FloatArray
from .law import Law

IMMOBILE = 1e-14  # of the largest mobility: nothing that can be told from rounding


class Found(NamedTuple):
    """A point p' (m,) that obeys the bounds, its residual and the steps to it."""

    point: FloatArray
    residual: float
    steps: int

    def better(self, other: Found) -> Found:
        """The one with less residual."""
        return other if other.residual < self.residual else self


class Scaled(NamedTuple):
    """u' = W' p' + b': matrix (m, m), vector (m,), their law, and unit s (m,)."""

    matrix: FloatArray
    vector: FloatArray
    law: Law
    unit: FloatArray


def scaled(w: FloatArray, b: FloatArray, law: Law) -> Scaled:
    """The problem in units of its contacts; what cannot move takes the unit of what moves most."""
    count = 3 * len(law.friction)
    mobility = np.maximum(w.diagonal(), 0.0)
    mobility[:count].reshape(-1, 3)[:] = mobility[:count].reshape(-1, 3).mean(1)[:, None]
    largest = float(mobility.max(initial=0.0)) or 1.0
    mobility[mobility <= IMMOBILE * largest] = largest
    unit = np.sqrt(mobility)
    per = 1.0 / unit
    own = Law(law.friction, law.lower * unit[count:], law.upper * unit[count:])
    return Scaled(w * per * per[:, None], b * per, own, unit)
