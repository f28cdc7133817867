"""The zero of a function that is known as a Chebyshev series, up to what the series leaves.

Newton's iteration on the function itself, from the zero of the series and with its slope,

    t <- t - g(t) / s'(t),

ends in a step or two. Where it does not, the zero is found between its bounds without slopes.
"""

from __future__ import annotations

from collections.abc import Callable

from .arrays import FloatArray
from .integrate.event_samples import DERIVATIVE
from .integrate.roots import PRECISION, bracketed_root

MOST = 4  # steps; the slope of the series is right to some 1e-8, and so they end or never will
HALVINGS = 60


def root_near(
    g: Callable[[float], float],
    parts: FloatArray,
    span: tuple[float, float],
    times: tuple[float, float],
    values: tuple[float, float],
) -> float:
    """The time t with g(t) = 0 between two times, to PRECISION or to their rounding.

    Args:
        g: of a time, s.
        parts: (k,), the coefficients of its series s on the span (s).
        times: s, increasing, within the span; values: g there, on different sides of zero.
    """
    (a, b), half = times, 0.5 * (span[1] - span[0])
    series, slopes = parts.tolist(), (DERIVATIVE @ parts).tolist()
    least = max(PRECISION, 4.0 * 2.3e-16 * max(abs(a), abs(b)))
    t = _between(series, slopes, span, times, values)
    for _ in range(MOST):
        rate = clenshaw(slopes, (t - span[0]) / half - 1.0) / half
        if rate == 0.0:
            break
        step = g(t) / rate
        t -= step
        if not a <= t <= b:
            break
        if abs(step) <= least:
            return t
    return bracketed_root(g, times, values)


def clenshaw(parts: list[float], x: float) -> float:
    """sum_k parts_k T_k(x)."""
    first = second = 0.0
    for part in parts[:0:-1]:
        first, second = part + 2.0 * x * first - second, first
    return parts[0] + x * first - second


def _between(
    series: list[float],
    slopes: list[float],
    span: tuple[float, float],
    times: tuple[float, float],
    values: tuple[float, float],
) -> float:
    """The zero of the series between two times, s: Newton's steps, or halves where these leave."""
    half = 0.5 * (span[1] - span[0])
    low, high = ((t - span[0]) / half - 1.0 for t in times)
    falls = values[0] > values[1]
    x = low + (high - low) * abs(values[0]) / (abs(values[0]) + abs(values[1]))
    for _ in range(HALVINGS):
        value = clenshaw(series, x)
        if (value > 0.0) == falls:
            low = x
        else:
            high = x
        rate = clenshaw(slopes, x)
        step = value / rate if rate != 0.0 else 0.0
        following = x - step
        if rate == 0.0 or not low <= following <= high:
            following = 0.5 * (low + high)
        if abs(following - x) <= 1e-15 or high - low <= 1e-15:
            break
        x = following
    return span[0] + half * (1.0 + x)
