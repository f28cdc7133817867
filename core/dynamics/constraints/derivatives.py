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

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.exceptions import ComplexWarning
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
        with warnings.catch_warnings():
            # where an imaginary part is dropped, as by math.cos
            warnings.simplefilter("error", ComplexWarning)
            by_complex = np.asarray(f(x + 1j * TINY))
        if by_complex.dtype.kind != "c":
            return not np.abs(_differences(f, x)[0]).any()
    except (TypeError, ValueError, AttributeError, ComplexWarning):
        return False
    slope, size = _differences(f, x)[0], np.abs(np.asarray(f(x)))
    off = np.abs(by_complex.imag / TINY - slope)
    return bool((off <= AGREE * (1.0 + size + np.abs(slope))).all())


def first_derivative(f: Curve, x: float, is_complex: bool) -> FloatArray:
    """f'(x)."""
    if is_complex:
        try:
            return np.asarray(np.asarray(f(x + 1j * TINY)).imag / TINY, dtype=np.float64)
        except TypeError:  # it has other branches, which do not take complex numbers
            pass
    return _differences(f, x)[0]


def derivatives(
    f: Curve, x: float, is_complex: bool, span: float = 1.0
) -> tuple[FloatArray, FloatArray]:
    """f'(x) and f''(x); span is how far from x the function is smooth, in units of x."""
    if not is_complex:
        return _differences(f, x, span)
    try:
        first = first_derivative(f, x, True)
        wide, half, near = (_second(f, x, part * SPAN * span) for part in (1.0, 0.5, 0.25))
    except TypeError:
        return _differences(f, x, span)
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
    first, second = np.empty((2, STEPS, *here.shape))
    step = FIRST_STEP * span
    for index in range(STEPS):
        ahead = np.asarray(f(x + step), dtype=np.float64)
        behind = np.asarray(f(x - step), dtype=np.float64)
        first[index] = (ahead - behind) / (2.0 * step)
        second[index] = (ahead - 2.0 * here + behind) / (step * step)
        step /= RATIO
    return _extrapolated(first), _extrapolated(second)


def _extrapolated(estimates: FloatArray) -> FloatArray:
    """The limit of estimates (STEPS, …): of the extrapolations the one that is least in doubt.

    table[i, j] is made of the steps i - j … i. An entry is in doubt by what it differs from the
    two that it is made of; of several the one of the shortest steps and most of them counts.
    """
    table = np.zeros((STEPS, *estimates.shape))
    doubt = np.full(table.shape, np.inf)
    table[:, 0] = estimates
    factor = 1.0
    for j in range(1, STEPS):
        factor *= RATIO * RATIO
        coarse, fine = table[j - 1 : -1, j - 1], table[j:, j - 1]
        table[j:, j] = fine + (fine - coarse) / (factor - 1.0)
        doubt[j:, j] = np.maximum(np.abs(table[j:, j] - fine), np.abs(table[j:, j] - coarse))
    # what is no number tells nothing
    unknown = np.isnan(doubt)
    doubt[unknown], table[unknown] = np.inf, 0.0
    flat = (STEPS * STEPS, *estimates.shape[1:])
    best = np.argmin(doubt.reshape(flat)[::-1], axis=0)
    out: FloatArray = np.take_along_axis(table.reshape(flat)[::-1], best[None], axis=0)[0]
    return out
