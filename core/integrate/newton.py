"""Newton's iteration for the equations of an implicit step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..arrays import FloatArray
from .differences import jacobian

PRECISION = 1e-12  # of 1 + |x|: a correction that is smaller ends the iteration
ROUNDING = 1e-8  # of 1 + |x|: corrections below it that no longer shrink are rounding errors
SLOW = 0.1  # a correction that shrinks by less than this asks for a new Jacobian
MOST_CORRECTIONS = 40
PARTS = 0.5 ** np.arange(1.0, 13.0)  # of a correction that are tried where it does not help
HELPS = 0.25  # of the part that is taken: by so much the next correction must be smaller

Residual = Callable[[FloatArray], FloatArray]


class NoConvergence(Exception):
    """Newton's iteration has found no root; the largest correction is that of x[component]."""

    def __init__(self, component: int) -> None:
        super().__init__(component)
        self.component = component


def solve(residual: Residual, x: FloatArray) -> FloatArray:
    """x (n,) with residual(x) = 0.

        x <- x - p J^-1 residual(x)

    J comes by differences and is kept while the corrections shrink quickly. Of a correction that
    does not make the next one smaller, by the same J, only the part p is taken that does: so the
    iteration passes kinks.

    Args:
        residual: of a batch of x (k, n), to (k, n).
        x: the first guess.

    Raises:
        NoConvergence: where the corrections do not fall below PRECISION.

    Source: P. Deuflhard, Newton Methods for Nonlinear Problems (2004), section 3.3 (the natural
    monotonicity test).
    """
    inverse, correction = _newton(residual, x)
    shrinks = 1.0
    for _ in range(MOST_CORRECTIONS):
        size = _size(correction, x)
        if not np.isfinite(size):
            break
        # what is left is the next correction, which the shrinking so far foretells
        if size * shrinks <= PRECISION or (size <= ROUNDING and shrinks > SLOW):
            return x - correction
        after = x - correction
        following = inverse @ residual(after[None])[0]
        shrinks = _size(following, after) / size
        if shrinks <= SLOW:
            x, correction = after, following
            continue
        if not shrinks <= 1.0 - HELPS and size > ROUNDING:
            after = x - _part(residual, inverse, x, correction) * correction
        x, shrinks = after, 1.0
        inverse, correction = _newton(residual, x)
    raise NoConvergence(int(np.argmax(np.abs(correction) / (1.0 + np.abs(x)))))


def _newton(residual: Residual, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """J^-1 (n, n), of NaN where there is none, and J^-1 residual(x)."""
    value, slopes = jacobian(residual, x)
    try:
        inverse = np.asarray(np.linalg.inv(slopes), dtype=np.float64)
    except np.linalg.LinAlgError:
        inverse = np.full_like(slopes, np.nan)
    return inverse, inverse @ value


def _part(residual: Residual, inverse: FloatArray, x: FloatArray, correction: FloatArray) -> float:
    """The largest of PARTS that makes the next correction smaller; all are tried in one call.

    Where none does, x is at a kink: the one that leaves the smallest correction leads on.
    """
    trials = x - PARTS[:, None] * correction
    following = residual(trials) @ inverse.T
    sizes = np.abs(following / (1.0 + np.abs(trials))).max(axis=1)
    helps = sizes <= (1.0 - HELPS * PARTS) * _size(correction, x)
    return float(PARTS[np.argmax(helps) if helps.any() else np.argmin(sizes)])


def _size(correction: FloatArray, x: FloatArray) -> float:
    """The largest entry against 1 + |x|."""
    return float(np.abs(correction / (1.0 + np.abs(x))).max(initial=0.0))
