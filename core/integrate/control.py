"""Choosing the step size by an error estimate, and judging the steps that were made.

A trial step is repeated until its error is below the tolerance (E. Hairer, S. Norsett,
G. Wanner, Solving ODEs I, 2nd ed., section II.4).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from ..errors import SimulationError
from .equations import Equations
from .stepper import LEAST_STEP, Step, StepCollapse, Stepper

SAFETY = 0.9  # of the step size that the error estimate allows
SHRINK, GROW = 0.2, 5.0  # bounds of one change of step size
CALM = 1e-4  # an error below it says no more about the next step than it does itself
SLIVER = 1e-3  # of a step: so little is not left over for another one
PASSED_OVER = 1e3  # taken for the error of a step whose end is moved by settling
SHORTEST_EVENT = 1e-6  # s: what moves the end of such a step is a jump
GIVE = 10.0  # tolerances: what the error of a step may be, seen from the settled state
CRAWL_STEPS = 500  # so many steps in a row that are shorter than CRAWL on average, and the
CRAWL = 1e-7  # s: motion has collapsed as well, though no single step has


@dataclass(frozen=True)
class Trial:
    """A step that was made but not yet accepted.

    end (n,); errors (k, n), one row for each embedded solution; slope (n,) at the end where
    the scheme has worked it out already.
    """

    end: FloatArray
    errors: FloatArray
    slope: FloatArray | None = None


class ErrorControlled(Stepper):
    """A scheme with embedded solutions, which keep the error of each step below a tolerance.

    Attributes:
        slope: the derivative at the state that has been reached.
        longest: s, no step is longer.
        rejected: trial steps that were not accepted so far.
    """

    error_order: ClassVar[int]  # of the embedded solution
    # how much the error of the step before counts for the size of the next one: fewer steps are
    # rejected, and where stability holds the steps back, they stay even
    steadiness: ClassVar[float] = 0.0

    def __init__(
        self,
        equations: Equations,
        t: float,
        y: FloatArray,
        rtol: float | FloatArray,
        atol: float | FloatArray,
    ) -> None:
        super().__init__(equations, t, y)
        self.rtol, self.atol = rtol, atol
        self.longest = np.inf
        self.rejected = 0
        self._error_before = CALM
        self._worst = 0  # the component of y with the largest error in the last trial
        self._since_check, self._checked_at = 0, t
        self.slope = self.first_slope()
        self.h = self._first_step()

    @abstractmethod
    def trial(self, h: float) -> Trial:
        """One step of size h from the state that has been reached."""

    @abstractmethod
    def stages(self) -> FloatArray:
        """What the interpolant of the step that was just accepted needs, as a new array."""

    def step(self, limit: float) -> Step:
        """Advance by one accepted step that ends at `limit` at the latest; see `Stepper.step`."""
        shrunk = False
        while True:
            left, h = limit - self.t, min(self.h, self.longest)
            last = left - h < SLIVER * h
            h = left if last else h
            if not h >= LEAST_STEP * max(1.0, abs(self.t)):
                raise StepCollapse(self.t, self._worst)
            trial = self.trial(h)
            error = self.error(trial)
            if error > 1.0 and (unsure := self.equations.uncertainty(self.t, self.y)) is not None:
                error = self.error(trial, h * unsure)
            t = limit if last else self.t + h
            end = self._settled(t, h, trial) if error <= 1.0 else None
            if end is not None:
                break
            # something short was passed over where the settled end is somewhere else
            error = max(error, PASSED_OVER)
            self.rejected += 1
            shrunk = True
            self.h = h * self._factor(error, 1.0)
        grow = self._factor(error, self._error_before)
        self._error_before = max(error, CALM)
        proposed = h * (min(grow, 1.0) if shrunk else grow)
        # a step that was cut at the limit says little about the next one
        self.h = max(self.h, proposed) if last and not shrunk else proposed
        return self._accept(trial, end, h, t, limit)

    def allows(self, h: float) -> bool:
        """Whether a step of size h, from the state reached, would be accepted; h is tried next."""
        if not self.error(self.trial(h)) <= 1.0:
            return False
        self.h = h
        return True

    def error(self, trial: Trial, give: FloatArray | float = 0.0) -> float:
        """The size of a trial's error, 1 being the tolerance; infinite where numbers overflowed.

        Args:
            give: (n,), what is allowed beyond the tolerance.
        """
        scaled = trial.errors / (self._scale(trial.end) + give)
        squares = np.square(scaled)
        self._worst = int(np.argmax(squares[0]))
        size = self.combined(squares.sum(axis=1), trial.end.size)
        return size if np.isfinite(size) and np.isfinite(trial.end).all() else np.inf

    def combined(self, squares: FloatArray, n: int) -> float:
        """One number of the sums of squares (k,) of the scaled errors: their root mean square."""
        return float(np.sqrt(squares[0] / n))

    def _settled(self, t: float, h: float, trial: Trial) -> FloatArray | None:
        """The end of a trial as it is settled; None where a shorter step is to be tried.

        Raises:
            SimulationError: where no step is so short that its end is not moved.
        """
        end = self.equations.settle(t, trial.end)
        if end is trial.end:
            return end
        give = GIVE * np.sqrt(end.size) * self._scale(trial.end)
        try:
            self.equations.refuse_jump(t, h, trial.end, end, give)
        except SimulationError:
            if h > SHORTEST_EVENT:
                return None
            raise
        return end

    def _accept(self, trial: Trial, end: FloatArray, h: float, t: float, limit: float) -> Step:
        """Go to the settled end of a trial."""
        start, self.y = self.y, end
        begun, self.t = self.t, t
        # the slope of a trial is that of its own end, which may have been settled since
        known = trial.slope if end is trial.end else None
        self.slope = self.rate(t, end) if known is None else known
        self._watch_crawl(limit)
        return Step(begun, h, start, end, self.stages(), self)

    def _watch_crawl(self, limit: float) -> None:
        """Raise where the last CRAWL_STEPS steps have led nowhere."""
        self._since_check += 1
        if self._since_check < CRAWL_STEPS:
            return
        if self.t - self._checked_at < CRAWL * CRAWL_STEPS and self.t < limit:
            raise StepCollapse(self.t, self._worst)
        self._since_check, self._checked_at = 0, self.t

    def _scale(self, end: FloatArray) -> FloatArray:
        """What an error is measured against: atol + rtol max(|y|, |end|)."""
        scale: FloatArray = self.atol + self.rtol * np.maximum(np.abs(self.y), np.abs(end))
        return scale

    def _factor(self, error: float, before: float) -> float:
        """By how much the next step may be longer, after errors of this size and that before.

        SAFETY before^b / error^(1 / k - 3/4 b), with the order k - 1 of the error estimate and
        the steadiness b (E. Hairer, G. Wanner, Solving ODEs II, 2nd ed., section IV.2).
        """
        if error == 0.0:
            return GROW
        power = 1.0 / (self.error_order + 1) - 0.75 * self.steadiness
        factor: float = SAFETY * before**self.steadiness / error**power
        return min(max(factor, SHRINK), GROW)

    def _first_step(self) -> float:
        """A first guess from the sizes of y, y' and y'' (Hairer et al., section II.4)."""

        def size(x: FloatArray) -> float:
            return float(np.sqrt(np.mean(np.square(x / scale))))

        scale = self._scale(self.y)
        d0, d1 = size(self.y), size(self.slope)
        h = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
        ahead = self.rate(self.t + h, self.y + h * self.slope)
        d2 = size(ahead - self.slope) / h
        largest = max(d1, d2)
        if not np.isfinite(largest):
            return h
        longest = (
            max(1e-6, 1e-3 * h)
            if largest <= 1e-15
            else (0.01 / largest) ** (1.0 / (self.error_order + 1))
        )
        return float(min(100.0 * h, longest))
