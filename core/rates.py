"""Whether a function that is given as a rate is the rate of another function.

Difference quotients to both sides enclose the rate of a smooth function, up to their own error, and
those of a function with a corner enclose both slopes there. A rate is refused only where it lies
outside of them for every step, so that neither fast motions nor rounding are taken for errors.
"""

from __future__ import annotations

from collections.abc import Callable

STEPS = (1e-3, 1e-5, 1e-7)  # s, to either side
SHARE = 0.02  # of the larger slope, by which a rate may lie outside
ROUNDING = 1e-14  # of the values, a few units in the last place


def is_rate(
    f: Callable[[float], float], t: float, rate: float, share: float = SHARE
) -> tuple[bool, float]:
    """Whether rate may be f' at t, s, and what f' is by its differences.

    A rate may lie outside of them by a share of the larger slope. Where f fails to one side because
    it is not defined there, any rate may be.
    """
    here = f(t)
    quotient: float | None = None
    for step in STEPS:
        step = max(step, 1e-10 * abs(t))
        slopes, noise = [], 0.0
        for side in (t - step, t + step):
            try:
                there = f(side)
            except Exception:  # whatever a user's function may do where it is not defined
                return True, rate
            slopes.append((there - here) / (side - t))
            noise = max(noise, ROUNDING * (abs(there) + abs(here) + abs(t * rate)) / step)
        # where both quotients bend to one side, as those of t^3 at 0, they lead on by their change
        before, quotient = quotient, sum(slopes) / len(slopes)
        led = 0.0 if before is None else SHARE * abs(quotient - before)
        slack = share * max(abs(rate), *map(abs, slopes)) + noise + led
        if min(slopes) - slack <= rate <= max(slopes) + slack:
            return True, rate
    assert quotient is not None
    return False, quotient
