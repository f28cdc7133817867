"""Two ways of doing the same, measured in turn, so that both meet the same noise.

Of a round the fastest of a few short runs counts, of all rounds the median: other work on the
machine lengthens single runs, and both alike for a while.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

ROUNDS = 7  # at least
RUNS = 4  # of each in a round
ONE = 0.001  # s that one run takes: less than a scheduler gives a process at a time

Work = Callable[[], Any]


@dataclass(frozen=True)
class Compared:
    """Seconds of a call of each, and the ratio ours / theirs: median and what a quarter beat."""

    ours: float
    theirs: float
    ratio: float
    at_best: float


def compared(ours: Work, theirs: Work, seconds: float) -> Compared:
    """Both in turn, until there are rounds enough."""
    repeats = [repeats_for(work) for work in (ours, theirs)]
    samples: list[tuple[float, float]] = []
    start = time.perf_counter()
    while len(samples) < ROUNDS or time.perf_counter() - start < seconds:
        samples.append((fastest(ours, repeats[0]), fastest(theirs, repeats[1])))
    one, other = np.median(samples, axis=0)
    ratios = [own / peer for own, peer in samples]
    return Compared(
        float(one), float(other), float(np.median(ratios)), float(np.quantile(ratios, 0.25))
    )


def median_time(work: Work, seconds: float) -> float:
    """Seconds of one call."""
    repeats = repeats_for(work)
    samples: list[float] = []
    start = time.perf_counter()
    while len(samples) < 3 or time.perf_counter() - start < seconds:
        samples.append(fastest(work, repeats))
    return float(np.median(samples))


def fastest(work: Work, repeats: int) -> float:
    """Seconds of a call, in the fastest of a few runs."""
    return min(timed(work, repeats) for _ in range(RUNS))


def timed(work: Work, repeats: int) -> float:
    """Seconds of a call, over some calls in a row."""
    start = time.perf_counter()
    for _ in range(repeats):
        work()
    return (time.perf_counter() - start) / repeats


def repeats_for(work: Work) -> int:
    """How many calls make one measurement."""
    work()
    return max(1, int(ONE / timed(work, 1)))
