"""Dense output of the order of the steps themselves, from one that is an order lower.

Slopes evaluated on an interpolant of order p - 1 are off by h^p, and so y that is integrated from
them only by h^(p + 1), as at the end of a step of order p. The polynomial of degree p has these
slopes at p - 3 places between the ends, and state and slope of the step at both ends.

Source: W. Enright, K. Jackson, S. Norsett, P. Thomsen, Interpolants for Runge-Kutta Formulas,
ACM Transactions on Mathematical Software 12 (1986), 193-218.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from ..arrays import FloatArray, frozen
from .stepper import Steps


@cache
def places(count: int) -> FloatArray:
    """Where slopes are evaluated, (count,) in (0, 1): Chebyshev's extremes.

    Of an odd number the last is left out, since slopes at places that are symmetric to the middle
    say all about the end of the step already.
    """
    even = count + count % 2
    return frozen((0.5 - 0.5 * np.cos(np.pi * np.arange(1, even + 1) / (even + 1)))[:count])


@cache
def _powers(degree: int) -> FloatArray:
    """(degree - 1, degree - 1): what slopes at the places, at 1 and on the mean add to powers 2 on.

    All are without the slope at 0, which is the first power: so rounding errors stay small.
    """
    theta = np.concatenate((places(degree - 3), [1.0]))[:, None]
    j = np.arange(1, degree)
    slopes = (j + 1.0) * theta**j
    return frozen(np.linalg.inv(np.concatenate((slopes, np.ones((1, degree - 1))))))


def lifted(
    rate: Callable[[FloatArray, FloatArray], FloatArray],
    steps: Steps,
    powers: FloatArray,
    ends: tuple[FloatArray, FloatArray, FloatArray],
    degree: int,
) -> FloatArray:
    """Powers (m, n, degree) of the interpolant of order `degree`.

    Args:
        rate: f(t, y) of times (m,) and states (m, n).
        steps: m steps of order `degree`.
        powers: (m, n, less), the interpolant of order degree - 1.
        ends: the slopes at 0 and at 1, and the mean one, (y_1 - y_0) / h: each (m, n).
    """
    h = steps.h[:, None]
    first, last, mean = ends
    slopes = []
    for theta in places(degree - 3):
        rise = powers @ theta ** np.arange(1.0, powers.shape[2] + 1.0)
        slopes.append(rate(steps.t + theta * steps.h, steps.start + h * rise))
    known = np.stack((*slopes, last, mean), axis=-1) - first[..., None]
    return np.concatenate((first[..., None], known @ _powers(degree).T), axis=-1)
