"""First and second derivatives of a function of time that gives only its values.

Central differences at steps h_i = h_0 / r^i have errors in even powers of h, which Richardson's
extrapolation removes one after the other:

    D_i0 = (f(t + h_i) - f(t - h_i)) / 2 h_i,   D_ij = D_i,j-1 + (D_i,j-1 - D_i-1,j-1) / (r^2j - 1)

The entry of the table is taken that its neighbours agree with best; likewise for the second
derivative. Motions that are smooth over a tenth of a second and vary over 0.05 s or more come out
to about 1e-11 of their largest rate, the second derivative to 1e-9. Around a kink the steps shrink
until it is out of reach; at the kink itself the first derivative is the mean of both sides.

Source: C. J. F. Ridders, Accurate computation of F'(x) and F'(x)F''(x) (1982).
"""

from __future__ import annotations

from collections.abc import Callable

FIRST_STEP = 0.0731  # s; no simple fraction, so that steps do not fall on whole periods
RATIO = 1.4
STEPS = 14  # the last is 0.9 ms


def derivatives(f: Callable[[float], float], t: float) -> tuple[float, float, float]:
    """f, f' and f'' at t, s."""
    here = f(t)
    first, second = _Table(), _Table()
    step = FIRST_STEP
    for _ in range(STEPS):
        ahead, behind = f(t + step), f(t - step)
        first.add((ahead - behind) / (2.0 * step))
        second.add((ahead - 2.0 * here + behind) / (step * step))
        step /= RATIO
    return here, first.best, second.best


class _Table:
    """The last row of the extrapolation, and the entry that is known best so far."""

    def __init__(self) -> None:
        self.row: list[float] = []
        self.best = 0.0
        self.doubt = float("inf")

    def add(self, estimate: float) -> None:
        row, factor = [estimate], 1.0
        for above in self.row:
            factor *= RATIO * RATIO
            row.append(row[-1] + (row[-1] - above) / (factor - 1.0))
            doubt = max(abs(row[-1] - row[-2]), abs(row[-1] - above))
            if doubt <= self.doubt:
                self.doubt, self.best = doubt, row[-1]
        self.row = row
