"""The zero of a function between two places where its signs differ.

Source: T. Chandrupatla, A new hybrid quadratic/bisection algorithm for finding the zero of a
nonlinear function without using derivatives, Advances in Engineering Software 28 (1997).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

PRECISION = 1e-13  # s; of late times their rounding


def bracketed_root(
    g: Callable[[float], float], times: tuple[float, float], values: tuple[float, float]
) -> float:
    """The time t with g(t) = 0 between two times, to PRECISION or to their rounding.

    Inverse quadratic interpolation where the last three values are nearly a parabola's, else
    halves (Chandrupatla).

    Args:
        g: of a time, s.
        times: s, increasing; values: g there, on different sides of zero.
    """
    (b, a), (gb, ga) = times, values
    c, gc, part = b, gb, 0.5
    least = max(PRECISION, 4.0 * float(np.spacing(max(abs(a), abs(b)))))
    while ga != 0.0 and gb != 0.0 and abs(b - a) > least:
        # no nearer to an end than the precision, so that the bracket closes there
        edge = 0.5 * least / abs(b - a)
        t = a + min(max(part, edge), 1.0 - edge) * (b - a)
        gt = g(t)
        if (gt > 0.0) == (ga > 0.0):
            c, gc = a, ga
        else:
            c, gc, b, gb = b, gb, a, ga
        a, ga = t, gt
        xi, phi = (a - b) / (c - b), (ga - gb) / (gc - gb)
        if phi * phi < xi and (1.0 - phi) ** 2 < 1.0 - xi:
            part = ga / (gb - ga) * gc / (gb - gc)
            part += (c - a) / (b - a) * ga / (gc - ga) * gb / (gc - gb)
        else:
            part = 0.5
    return a if abs(ga) <= abs(gb) else b
