"""What all schemes share: choosing the next step size, accepting steps, and dense output.

A scheme says how one trial step is made; `Stepper.step` repeats it until the error estimate is
below the tolerance (E. Hairer, S. Norsett, G. Wanner, Solving ODEs I, 2nd ed., section II.4).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from ..arrays import FloatArray
from ..errors import SimulationError

SAFETY = 0.9  # of the step size that the error estimate allows
SHRINK, GROW = 0.2, 5.0  # bounds of one change of step size
SMALLEST_STEP = 1e-13  # relative to the time reached; below it the motion cannot be continued
CRAWL_STEPS = 500  # so many steps in a row that are shorter than CRAWL on average, and the
CRAWL = 1e-7  # s: motion has collapsed as well, though no single step has


class StepCollapse(SimulationError):
    """No step size meets the tolerance at time t; the error is that of component y[component]."""

    def __init__(self, t: float, component: int) -> None:
        super().__init__(f"at t = {t:.6g} s: no step size meets the tolerance")
        self.t, self.component = t, component


class System(Protocol):
    """What is integrated: y' = f(t, y)."""

    def derivative(self, t: float, y: FloatArray) -> FloatArray:
        """f(t, y), shape (n,)."""
        ...


@dataclass(frozen=True)
class Step:
    """An accepted step with its interpolant: y(t + theta h) = start + h sum_j powers_j theta^(j+1).

    start (n,), powers (n, degree); theta in [0, 1].
    """

    t: float
    h: float
    start: FloatArray
    powers: FloatArray


@dataclass(frozen=True)
class Trial:
    """A step that was made but not yet accepted: the end, its slope, the error and the powers."""

    end: FloatArray
    slope: FloatArray
    error: FloatArray
    powers: FloatArray


class Stepper(ABC):
    """An error-controlled one-step scheme for y' = f(t, y).

    Attributes:
        t, y, slope: the state that has been reached.
        evaluations, rejected: counts so far.
    """

    order: ClassVar[int]  # of the solution that is carried on
    error_order: ClassVar[int]  # of the embedded one

    def __init__(self, system: System, t: float, y: FloatArray, tolerance: float) -> None:
        self.system, self.t, self.y, self.tolerance = system, t, y, tolerance
        self.evaluations = 0
        self.rejected = 0
        self._worst = 0  # the component of y with the largest error in the last trial
        self._since_check, self._checked_at = 0, t
        self.slope = self.rate(t, y)
        if not np.isfinite(self.slope).all():
            raise StepCollapse(t, int(np.argmin(np.isfinite(self.slope))))
        self.h = self._first_step()

    @abstractmethod
    def trial(self, h: float) -> Trial:
        """One step of size h from the state that has been reached."""

    def rate(self, t: float, y: FloatArray) -> FloatArray:
        """The derivative, counted."""
        self.evaluations += 1
        return self.system.derivative(t, y)

    def step(self, limit: float) -> Step:
        """Advance by one accepted step that ends at `limit` at the latest.

        Raises:
            StepCollapse: when no step size worth the name meets the tolerance.
        """
        shrunk = False
        while True:
            h = min(self.h, limit - self.t)
            if limit - self.t - h < 1e-3 * h:
                h = limit - self.t  # no sliver is left over
            if not h >= SMALLEST_STEP * max(1.0, abs(self.t)):
                raise StepCollapse(self.t, self._worst)
            trial = self.trial(h)
            error = self._norm(trial.error, trial.end)
            if error <= 1.0:
                break
            self.rejected += 1
            shrunk = True
            self.h = h * self._factor(error)
        grow = self._factor(error)
        self.h = h * (min(grow, 1.0) if shrunk else grow)
        taken = Step(self.t, h, self.y, trial.powers)
        self.t, self.y, self.slope = self.t + h, trial.end, trial.slope
        self._watch_crawl(limit)
        return taken

    def _watch_crawl(self, limit: float) -> None:
        """Raise where the last CRAWL_STEPS steps have led nowhere."""
        self._since_check += 1
        if self._since_check < CRAWL_STEPS:
            return
        if self.t - self._checked_at < CRAWL * CRAWL_STEPS and self.t < limit:
            raise StepCollapse(self.t, self._worst)
        self._since_check, self._checked_at = 0, self.t

    def _norm(self, error: FloatArray, end: FloatArray) -> float:
        """Root mean square of error / (tol (1 + |y|)); infinite where numbers overflowed."""
        scale = self.tolerance * (1.0 + np.maximum(np.abs(self.y), np.abs(end)))
        squares = np.square(error / scale)
        self._worst = int(np.argmax(squares))
        value = float(np.sqrt(np.mean(squares)))
        return value if np.isfinite(value) and np.isfinite(end).all() else np.inf

    def _factor(self, error: float) -> float:
        if error == 0.0:
            return GROW
        return float(np.clip(SAFETY * error ** (-1.0 / (self.error_order + 1)), SHRINK, GROW))

    def _first_step(self) -> float:
        """A first guess from the sizes of y and y' (Hairer et al., II.4, shortened)."""
        scale = self.tolerance * (1.0 + np.abs(self.y))
        d0 = float(np.sqrt(np.mean(np.square(self.y / scale))))
        d1 = float(np.sqrt(np.mean(np.square(self.slope / scale))))
        return 1e-4 if d0 < 1e-5 or d1 < 1e-5 else min(0.01 * d0 / d1, 1e-2)
