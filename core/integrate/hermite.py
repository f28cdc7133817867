"""Hermite's cubic through the states and the slopes at both ends of a step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..arrays import FloatArray
from .equations import Time
from .stepper import Steps


def hermite_powers(steps: Steps, first: FloatArray, last: FloatArray) -> FloatArray:
    """Powers (m, n, 3) of y(t + theta h) = start + h sum_j powers_j theta^j, j = 1 … 3.

    first, last (m, n): the slopes. The error is h^4 / 384 times the fourth derivative of y.
    """
    mean = (steps.end - steps.start) / steps.h[:, None]
    return np.stack((first, 3.0 * mean - 2.0 * first - last, first + last - 2.0 * mean), axis=-1)


def end_slopes(
    rate: Callable[[Time, FloatArray], FloatArray], steps: Steps
) -> tuple[FloatArray, FloatArray]:
    """The slopes (m, n) at the starts and at the ends of steps in a row, from one evaluation."""
    t = np.append(steps.t, steps.t[-1] + steps.h[-1])
    slopes = rate(t, np.concatenate((steps.start, steps.end[-1:])))
    return slopes[:-1], slopes[1:]
