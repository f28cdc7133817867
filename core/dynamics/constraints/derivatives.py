"""Derivatives of functions that give only their values.

Where a function takes complex numbers, its derivatives come without any difference of large
numbers, with e an eighth of a turn in the complex plane (e^2 = i):

    f'(x)  = Im f(x + i h) / h
    f''(x) = Im (f(x + e h) + f(x - e h)) / h^2 + O(h^4)

The first h is so small that nothing is lost; the second is extrapolated from h, h/2 and h/4 to
O(h^12). Elsewhere, and where the extrapolation has not settled, central differences of shrinking
steps are extrapolated, and the entry of the table is taken that its neighbours agree with best.

Sources: W. Squire, G. Trapp, Using complex variables to estimate derivatives of real functions
(1998); K.-L. Lai, J. Crassidis, Extensions of the first and second complex-step derivative
approximations (2008); C. Ridders, Accurate computation of F'(x) and F'(x)F''(x) (1982).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...arrays import FloatArray

# of one number, real or complex, to an array of any shape
Curve = Callable[[Any], NDArray[Any]]

TINY = 1e-30
SPAN = 1e-2  # of the first step in a second derivative, in units of x
EIGHTH = np.exp(0.25j * np.pi)
FIRST_STEP, RATIO, STEPS = 0.0731, 1.4, 14  # as for motors: no simple fraction, to 0.9e-3
SETTLED = 1e-5  # of the second derivative: extrapolations that differ by less are near enough
AGREE = 1e-6  # what both ways may differ by where complex numbers are understood


def takes_complex(f: Curve, x: float) -> bool:
    """Whether f understands complex numbers at x: its derivative agrees with differences.

    A function that takes absolute values or real parts does not, and says nothing.
    """
    try:
        by_complex = np.asarray(f(x + 1j * TINY))
        if by_complex.dtype.kind != "c":
            return not np.abs(_differences(f, x)[0]).any()
    except (TypeError, ValueError, AttributeError):
        return False
    slope, size = _differences(f, x)[0], np.abs(np.asarray(f(x)))
    off = np.abs(by_complex.imag / TINY - slope)
    return bool((off <= AGREE * (1.0 + size + np.abs(slope))).all())


def first_derivative(f: Curve, x: float, is_complex: bool) -> FloatArray:
    """f'(x)."""
    if is_complex:
        return np.asarray(np.asarray(f(x + 1j * TINY)).imag / TINY, dtype=np.float64)
    return _differences(f, x)[0]


def derivatives(
    f: Curve, x: float, is_complex: bool, span: float = 1.0
) -> tuple[FloatArray, FloatArray]:
    """f'(x) and f''(x); span is how far from x the function is smooth, in units of x."""
    if not is_complex:
        return _differences(f, x, span)
    first = first_derivative(f, x, True)
    wide, half, near = (_second(f, x, part * SPAN * span) for part in (1.0, 0.5, 0.25))
    # errors in h^4, then in h^8
    coarse = half + (half - wide) / 15.0
    fine = near + (near - half) / 15.0
    second: FloatArray = fine + (fine - coarse) / 255.0
    if (np.abs(fine - coarse) > SETTLED * (np.abs(fine) + np.abs(first))).any():
        second = _differences(f, x, span)[1]
    return first, second


def _second(f: Curve, x: float, h: float) -> FloatArray:
    ahead, behind = np.asarray(f(x + EIGHTH * h)), np.asarray(f(x - EIGHTH * h))
    return np.asarray((ahead + behind).imag / (h * h), dtype=np.float64)


def _differences(f: Curve, x: float, span: float = 1.0) -> tuple[FloatArray, FloatArray]:
    """f'(x) and f''(x) by extrapolated central differences."""
    here = np.asarray(f(x), dtype=np.float64)
    first, second = _Table(here), _Table(here)
    step = FIRST_STEP * span
    for _ in range(STEPS):
        ahead = np.asarray(f(x + step), dtype=np.float64)
        behind = np.asarray(f(x - step), dtype=np.float64)
        first.add((ahead - behind) / (2.0 * step))
        second.add((ahead - 2.0 * here + behind) / (step * step))
        step /= RATIO
    return first.best, second.best


class _Table:
    """The last row of the extrapolation, and of each entry what is known best so far."""

    def __init__(self, like: FloatArray) -> None:
        self.row: list[FloatArray] = []
        self.best = np.zeros_like(like)
        self.doubt = np.full(like.shape, np.inf)

    def add(self, estimate: FloatArray) -> None:
        """The estimate of the next, shorter step."""
        row, factor = [estimate], 1.0
        for above in self.row:
            factor *= RATIO * RATIO
            row.append(row[-1] + (row[-1] - above) / (factor - 1.0))
            doubt = np.maximum(np.abs(row[-1] - row[-2]), np.abs(row[-1] - above))
            better = doubt <= self.doubt
            self.doubt = np.where(better, doubt, self.doubt)
            self.best = np.where(better, row[-1], self.best)
        self.row = row
