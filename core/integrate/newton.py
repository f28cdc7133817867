"""Newton's iteration for the equations of an implicit step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..arrays import FloatArray
from .differences import jacobian

PRECISION = 1e-12  # of 1 + |x|: a correction that is smaller ends the iteration
ROUNDING = 1e-8  # of 1 + |x|: corrections below it that no longer shrink are rounding errors
SLOW = 0.1  # a correction that shrinks by less than this asks for a new Jacobian
MOST_CORRECTIONS = 30


class NoConvergence(Exception):
    """Newton's iteration has found no root; the largest correction is that of x[component]."""

    def __init__(self, component: int) -> None:
        super().__init__(component)
        self.component = component


def solve(residual: Callable[[FloatArray], FloatArray], x: FloatArray) -> FloatArray:
    """x (n,) with residual(x) = 0.

        x <- x - J^-1 residual(x),  J by differences, kept while the corrections shrink quickly

    Args:
        residual: of a batch of x (k, n), to (k, n).
        x: the first guess.

    Raises:
        NoConvergence: where the corrections do not fall below PRECISION.
    """
    inverse: FloatArray | None = None
    before = 0.0  # none yet
    worst = 0
    for _ in range(MOST_CORRECTIONS):
        fresh = inverse is None
        if inverse is None:
            value, slopes = jacobian(residual, x)
            inverse = _inverse(slopes)
        else:
            value = residual(x[None])[0]
        correction = inverse @ value
        sizes = np.abs(correction) / (1.0 + np.abs(x))
        worst = int(np.argmax(sizes))
        size = float(sizes[worst])
        if not np.isfinite(size):
            break
        x = x - correction
        shrinks = min(size / before, 1.0) if before else 1.0
        # what is left is the next correction, which the shrinking so far foretells
        if size * shrinks <= PRECISION or (size <= ROUNDING and shrinks > SLOW):
            return x
        if shrinks > SLOW and not fresh:
            inverse = None
        before = size
    raise NoConvergence(worst)


def _inverse(matrix: FloatArray) -> FloatArray:
    """Of NaN where there is none, which ends the iteration."""
    try:
        return np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.full_like(matrix, np.nan)
