"""A twice differentiable function of time through one that gives only its values.

On a grid of times k h the first two derivatives come from central differences of sixth order,

    f'  = (45 (f_1 - f_-1) - 9 (f_2 - f_-2) + (f_3 - f_-3)) / 60 h
    f'' = (270 (f_1 + f_-1) - 27 (f_2 + f_-2) + 2 (f_3 + f_-3) - 490 f_0) / 180 h^2

and between the grid's times the function is the quintic with the values and derivatives at both
ends. So f, f' and f'' belong together exactly: over a corner f'' adds up to the jump of f', within
4 h of it. For sin(t / T) with T = 0.05 s and more, f is met to 1e-12, f' to 1e-9 of its largest
value and f'' to 1e-8.

Source of the differences: B. Fornberg, Generation of finite difference formulas on arbitrarily
spaced grids, Mathematics of Computation 51 (1988), table 1.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor

SPACING = 1e-3  # s
REMEMBERED = 1000  # values of f


class Smooth:
    """f, f' and f'' of a function f(t), t in s."""

    def __init__(self, f: Callable[[float], float]) -> None:
        self._f = f
        self._values: dict[int, float] = {}

    def __call__(self, t: float) -> tuple[float, float, float]:
        """The quintic between the grid's times around t, and its derivatives."""
        k = floor(t / SPACING)
        s = t / SPACING - k
        x0, v0, a0 = self._at(k)
        x1, v1, a1 = self._at(k + 1)
        # the last three coefficients of x0 + v0 s + a0/2 s^2 + c s^3 + d s^4 + e s^5
        rise = x1 - x0 - v0 - 0.5 * a0
        tilt, bend = v1 - v0 - a0, a1 - a0
        c = 10.0 * rise - 4.0 * tilt + 0.5 * bend
        d = -15.0 * rise + 7.0 * tilt - bend
        e = 6.0 * rise - 3.0 * tilt + 0.5 * bend
        x = x0 + s * (v0 + s * (0.5 * a0 + s * (c + s * (d + s * e))))
        v = v0 + s * (a0 + s * (3.0 * c + s * (4.0 * d + s * 5.0 * e)))
        a = a0 + s * (6.0 * c + s * (12.0 * d + s * 20.0 * e))
        return x, v / SPACING, a / SPACING**2

    def _at(self, k: int) -> tuple[float, float, float]:
        """f, h f' and h^2 f'' at the grid's time k h."""
        here, one, two, three = ((self._value(k + i), self._value(k - i)) for i in range(4))
        first = 45.0 * (one[0] - one[1]) - 9.0 * (two[0] - two[1]) + (three[0] - three[1])
        second = 270.0 * sum(one) - 27.0 * sum(two) + 2.0 * sum(three) - 490.0 * here[0]
        return here[0], first / 60.0, second / 180.0

    def _value(self, k: int) -> float:
        if k not in self._values:
            if len(self._values) >= REMEMBERED:
                self._values.clear()
            self._values[k] = self._f(k * SPACING)
        return self._values[k]
