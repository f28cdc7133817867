"""The slope of dense output: the derivative of its polynomials."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray
from .dense import DenseOutput

Side = Literal["left", "right"]


def slope(dense: DenseOutput, t: ArrayLike) -> FloatArray:
    """y' of the polynomials: sum_j (j + 1) powers_ij theta^j.

    At a knot where the slope jumps it is the mean of both sides.

    Args:
        dense: a piecewise polynomial.
        t: (…), s; outside the knots the slope is that of the nearest end.

    Returns:
        (…, n), per second; zero where there are no steps.
    """
    when = np.clip(np.asarray(t, dtype=np.float64), dense.knots[0], dense.knots[-1])
    if not len(dense.powers):
        return np.zeros((*when.shape, dense.start.shape[1]))
    mean: FloatArray = 0.5 * (_of_side(dense, when, "left") + _of_side(dense, when, "right"))
    return mean


def _of_side(dense: DenseOutput, when: FloatArray, side: Side) -> FloatArray:
    """The slope in the step that ends ('left') or begins ('right') at a knot."""
    step = np.searchsorted(dense.knots, when, side=side) - 1
    step = np.clip(step, 0, len(dense.powers) - 1)
    h = dense.knots[step + 1] - dense.knots[step]
    theta = ((when - dense.knots[step]) / h)[..., None]
    powers = dense.powers[step]
    value: FloatArray = dense.degree * powers[..., -1]
    for j in range(dense.degree - 1, 0, -1):
        value = value * theta + j * powers[..., j - 1]
    return value
