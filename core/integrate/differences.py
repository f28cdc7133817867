"""Jacobians by differences: all columns come from one evaluation of a batch of states."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..arrays import FloatArray

NUDGE = float(np.sqrt(np.finfo(np.float64).eps))  # rounding and curvature then weigh the same


def jacobian(f: Callable[[FloatArray], FloatArray], x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """f and its Jacobian at x, J_ij = (f_i(x + d_j e_j) - f_i(x)) / d_j, d_j = NUDGE (1 + |x_j|).

    Args:
        f: of states (k, n), to values (k, m).
        x: (n,).

    Returns:
        (f (m,), J (m, n)).
    """
    states = np.tile(x, (x.size + 1, 1))
    nudged = x + NUDGE * (1.0 + np.abs(x))
    states[np.arange(x.size) + 1, np.arange(x.size)] = nudged
    values = f(states)
    # divided by the difference as it is after rounding
    return values[0], (values[1:] - values[0]).T / (nudged - x)
