"""Constraints that are linear in plain coordinates, whose equations are two products of matrices.

    X q = c,   J v = 0

as of joints that rest at their limits. Motions of schemes keep these to rounding, and then nothing
needs to be projected.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray
from .rows import ConstraintRows

MET = 3e-13  # of their sizes, residuals that count as zero, as of `one_state_projection`
STILL = 1e-14  # of the largest velocity, what is left of rates


@dataclass(frozen=True, eq=False)
class StraightRows:
    """X (m, nq), c (m,), J (m, nv), and what residuals are measured against (m,) at least."""

    x: FloatArray
    offset: FloatArray
    jacobian: FloatArray
    sizes: FloatArray

    @classmethod
    def of(cls, rows: ConstraintRows) -> StraightRows | None:
        """Those of rows that are all of this kind; None where they are not."""
        terms = rows.linear_terms()
        if terms is None:
            return None
        x, offset, sizes = terms
        slopes = rows.constant_rows
        return cls(x, offset, np.array([slopes[row] for row in range(len(rows))]), sizes)

    def hold(self, q: FloatArray, v: FloatArray) -> bool:
        """Whether states q (…, nq) and v (…, nv) obey the equations."""
        off = np.abs(q @ self.x.T - self.offset)
        rates = np.abs(v @ self.jacobian.T)
        still = STILL * np.abs(self.jacobian).sum(axis=1) * np.abs(v).max(axis=-1, keepdims=True)
        return bool((off <= MET * self.sizes).all() and (rates <= still).all())
