"""What all schemes share: the state that has been reached, and what a step leaves behind.

Three things are apart. A scheme *makes* a step (one file each); `control` and `fixed` *choose*
its size and judge it; `dense` *records* what the caller of `step` hands on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from ..errors import SimulationError
from .equations import Equations, Time

LEAST_STEP = 1e-13  # relative to the time reached; below it the motion cannot be continued

NO_STEP = "no step size meets the tolerance"


class StepCollapse(SimulationError):
    """The motion cannot be continued from time t; it is about the component y[component]."""

    def __init__(self, t: float, component: int, reason: str = NO_STEP) -> None:
        super().__init__(f"at t = {t:.6g} s: {reason}")
        self.t, self.component, self.reason = t, component, reason


@dataclass(frozen=True)
class Step:
    """An accepted step: from start (n,) at t to end (n,) at t + h, made by `scheme`.

    stages (s, n) are the slopes that the scheme's interpolant is made of.
    """

    t: float
    h: float
    start: FloatArray
    end: FloatArray
    stages: FloatArray
    scheme: Stepper


@dataclass(frozen=True)
class Steps:
    """Steps of one scheme as arrays: t, h (m,); start, end (m, n); stages (m, s, n)."""

    t: FloatArray
    h: FloatArray
    start: FloatArray
    end: FloatArray
    stages: FloatArray

    @classmethod
    def of(cls, steps: Sequence[Step]) -> Steps:
        """The arrays of a list of steps."""
        return cls(
            np.array([step.t for step in steps]),
            np.array([step.h for step in steps]),
            np.array([step.start for step in steps]),
            np.array([step.end for step in steps]),
            np.array([step.stages for step in steps]),
        )


class Stepper(ABC):
    """A one-step scheme for y' = f(t, y).

    Attributes:
        order: of the solution that is carried on, and of the dense output in between.
        degree: of the polynomial of a step.
        t, y: the state that has been reached.
        evaluations: calls of f so far; one call may serve a batch.
    """

    order: ClassVar[int]
    degree: ClassVar[int]

    def __init__(self, equations: Equations, t: float, y: FloatArray) -> None:
        self.equations, self.t, self.y = equations, t, y
        self.evaluations = 0

    @abstractmethod
    def step(self, limit: float) -> Step:
        """Advance by one accepted step that ends at `limit` at the latest.

        Raises:
            StepCollapse: where the motion cannot be continued.
        """

    @abstractmethod
    def powers(self, steps: Steps) -> FloatArray:
        """The interpolants: (m, n, degree) of y(t + theta h) = start + h sum_j powers_j theta^j.

        The sum is over j = 1 … degree. What it takes beyond the stages is evaluated here, for
        all steps in one call.
        """

    def rate(self, t: Time, y: FloatArray) -> FloatArray:
        """The derivative, counted."""
        self.evaluations += 1
        return self.equations.derivative(t, y)

    def rates(self, t: FloatArray, y: FloatArray) -> FloatArray:
        """The derivatives (m, n) at times (m,) and states (m, n); one takes the way of one."""
        if len(y) > 1:
            return self.rate(t, y)
        return self.rate(float(t[0]), y[0])[None]

    def first_slope(self) -> FloatArray:
        """The derivative at the start.

        Raises:
            StepCollapse: where it is no number.
        """
        slope = self.rate(self.t, self.y)
        if not np.isfinite(slope).all():
            raise StepCollapse(self.t, int(np.argmin(np.isfinite(slope))))
        return slope
