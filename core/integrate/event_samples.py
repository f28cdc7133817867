"""A function of time and state on the way of a step: sampled so that no zero is passed over.

It is sampled at Chebyshev nodes, and taken for the polynomial through them; where that does not
yet tell it, the step is halved. Where the polynomial may have a zero, the function is sampled at
its extremes too.

Source: J. Boyd, Computing zeros on a real interval through Chebyshev expansion and polynomial
rootfinding, SIAM J. Numer. Anal. 40 (2002).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..arrays import FloatArray
from .event_sides import NOISE, Change, Side
from .roots import bracketed_root

DEGREE = 12
ORDERS = np.arange(DEGREE + 1)
NODES = np.cos(np.pi * ORDERS[::-1] / DEGREE)  # -1 … 1: Chebyshev's extreme points
# of the series sum_k c_k T_k through values at the nodes
COEFFICIENTS = np.linalg.inv(np.cos(np.arccos(NODES)[:, None] * ORDERS))
# of the derivative of such a series: twice the sum of k c_k over k = j + 1, j + 3, …
DERIVATIVE = 2.0 * ORDERS * np.triu((ORDERS - ORDERS[:-1, None]) % 2, 1)
DERIVATIVE[0] *= 0.5
TAIL = 3  # the last coefficients, which tell whether
RESOLVED = 1e-8  # of the largest value, the polynomial is the function
DEEPEST = 5  # halvings of a step
ROUNDING = 1e-14  # of the largest coefficient
FAR = 0.01  # of the largest value: so far from zero the state need not be known exactly
NEARLY_REAL = 0.05  # the imaginary part of a zero of the slope that is looked at too

Path = Callable[[FloatArray], FloatArray]  # t (k,) -> y (k, n), along one step
Value = Callable[[float, FloatArray], float]  # g(t, y)


class Look:
    """The states of a step, worked out once for all functions."""

    def __init__(self, path: Path, rough: Path) -> None:
        self.path, self.rough = path, rough
        self._known: dict[tuple[float, float, bool], tuple[FloatArray, FloatArray]] = {}

    def nodes(
        self, start: float, end: float, roughly: bool = False
    ) -> tuple[FloatArray, FloatArray]:
        """Times (k,) of the nodes between two times, and the states (k, n)."""
        key = start, end, roughly and self.rough is not self.path
        if key not in self._known:
            times = start + 0.5 * (end - start) * (1.0 + NODES)
            times[-1] = end
            self._known[key] = times, (self.rough if key[2] else self.path)(times)
        return self._known[key]


class Samples:
    """One function on the way of a step: times (k,), increasing, and values (k,)."""

    def __init__(self, event: Value, look: Look, start: float, end: float, side: Side) -> None:
        self._event, self._look = event, look
        self._roots: dict[Change, float] = {}
        self.times, states = look.nodes(start, end, roughly=True)
        self.values: FloatArray = self._values(self.times, states)
        if side.sure and self._is_far(side):
            return
        times, values = self._piece(start, end, side.largest, 0)
        self.times, places = np.unique(times, return_index=True)
        self.values = values[places]

    def _is_far(self, side: Side) -> bool:
        """Whether the function stays far from zero, on the side where it is."""
        parts = COEFFICIENTS @ self.values
        largest = max(side.largest, float(np.abs(self.values).max()))
        least = side.side * parts[0] - np.abs(parts[1:]).sum()
        return bool(np.abs(parts[-TAIL:]).max() <= RESOLVED * largest and least > FAR * largest)

    def until(self, t: float) -> FloatArray:
        """The values up to a time, that of the time itself last."""
        if t >= self.times[-1]:
            return self.values
        before = self.values[self.times < t]
        return np.append(before, self._at(np.array([t])))

    def root(self, change: Change) -> float:
        """The time (s) of a change, to PRECISION."""
        if change not in self._roots:
            g_before, g_after = change.values
            if g_before * g_after >= 0.0:  # it begins at zero
                return change.before
            self._roots[change] = bracketed_root(
                lambda t: float(self._at(np.array([t]))[0]),
                (change.before, change.after),
                (g_before, g_after),
            )
        return self._roots[change]

    def _at(self, times: FloatArray) -> FloatArray:
        return self._values(times, self._look.path(times))

    def _values(self, times: FloatArray, states: FloatArray) -> FloatArray:
        pairs = zip(times.tolist(), states, strict=True)
        return np.array([self._event(t, y) for t, y in pairs])

    def _piece(
        self, start: float, end: float, largest: float, depth: int
    ) -> tuple[FloatArray, FloatArray]:
        """Samples from start to end: nodes, and extremes where a zero may be."""
        times, states = self._look.nodes(start, end)
        values = self._values(times, states)
        size = float(np.abs(values).max())
        if size <= NOISE * largest:
            return times, values
        parts, largest = COEFFICIENTS @ values, max(largest, size)
        middle = 0.5 * (start + end)
        rest = float(np.abs(parts[-TAIL:]).max())
        if rest > max(RESOLVED * size, NOISE * largest) and depth < DEEPEST:
            first = self._piece(start, middle, largest, depth + 1)
            second = self._piece(middle, end, largest, depth + 1)
            return np.concatenate((first[0], second[0])), np.concatenate((first[1], second[1]))
        if abs(parts[0]) > np.abs(parts[1:]).sum():
            return times, values
        extra = middle + 0.5 * (end - start) * extremes(parts)
        if not len(extra):
            return times, values
        return np.append(times, extra), np.append(values, self._at(extra))


def extremes(parts: FloatArray) -> FloatArray:
    """Where within (-1, 1) the slope of a Chebyshev series (k,) vanishes, or nearly does.

    The zeros of the slope sum_j d_j T_j, j = 0 … n, are the eigenvalues of x in the basis
    T_0 … T_(n-1), with x T_j = (T_(j-1) + T_(j+1)) / 2 and T_n = -sum_(j < n) d_j T_j / d_n.
    """
    slope = DERIVATIVE @ parts
    large = np.flatnonzero(np.abs(slope) > ROUNDING * np.abs(slope).max())
    n = int(large[-1]) if len(large) else 0
    if n == 0:
        return np.zeros(0)
    shift = 0.5 * (np.eye(n, k=1) + np.eye(n, k=-1))
    shift[0] *= 2.0
    shift[-1] -= (0.5 if n > 1 else 1.0) * slope[:n] / slope[n]
    zeros = np.linalg.eigvals(shift)
    near = zeros.real[np.abs(zeros.imag) < NEARLY_REAL]
    out: FloatArray = near[np.abs(near) < 1.0]
    return out
