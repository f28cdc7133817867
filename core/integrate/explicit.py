"""The stages of an explicit Runge-Kutta scheme, in room that is made once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..arrays import FloatArray


class Stages:
    """k_i = f(t + c_i h, y + h sum_j a_ij k_j), j < i.

    Attributes:
        rates: the k_i (s, n), overwritten by every step.
        inner: the state (n,) at which the last one was evaluated.
    """

    def __init__(self, nodes: FloatArray, weights: FloatArray, size: int) -> None:
        self.rates = np.empty((len(nodes), size))
        self.inner = np.empty(size)
        # views and rows are cut once: slicing costs as much as the sum
        self._rows = [
            (i, float(nodes[i]), np.ascontiguousarray(weights[i, :i]), self.rates[:i])
            for i in range(1, len(nodes))
        ]

    def fill(
        self,
        rate: Callable[[float, FloatArray], FloatArray],
        t: float,
        h: float,
        y: FloatArray,
        first: FloatArray,
    ) -> None:
        """All stages of a step of size h from y at t, where the slope is `first`."""
        rates = self.rates
        rates[0] = first
        for i, node, row, before in self._rows:
            state = row.dot(before)
            state *= h
            state += y
            rates[i] = rate(t + node * h, state)
        self.inner = state
