"""Runs of equal numbers in sorted lists."""

from __future__ import annotations

import numpy as np

from ..model import IntArray


def run_starts(numbers: IntArray) -> IntArray:
    """Where each run of equal numbers (n,) begins (r,)."""
    new = np.ones(len(numbers), dtype=np.bool_)
    np.not_equal(numbers[1:], numbers[:-1], out=new[1:])
    return new.nonzero()[0]


def run_rows(starts: IntArray, count: int) -> IntArray:
    """The run (n,) that each of `count` numbers belongs to; runs begin at `starts` (r,)."""
    step = np.zeros(count, dtype=np.intp)
    step[starts[1:]] = 1
    return step.cumsum()
