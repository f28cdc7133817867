"""Steps of one size that is given, of which the last ends exactly at the end."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from .equations import Equations
from .hermite import hermite_powers
from .newton import NoConvergence
from .stepper import LEAST_STEP, Step, StepCollapse, Stepper, Steps

SLIVER = 1e-6  # of a step: so little is not left over for another one


class FixedStep(Stepper):
    """A scheme whose steps end at the start + h, + 2 h and so on, and at the limit.

    Dense output is Hermite's cubic, with the slopes at both ends.
    """

    degree: ClassVar[int] = 3
    first_unknown = 0  # of Newton's iteration, in y

    def __init__(self, equations: Equations, t: float, y: FloatArray, h: float) -> None:
        super().__init__(equations, t, y)
        self.h = h
        self._start, self._made = t, 0

    @abstractmethod
    def make(self, h: float, t: float) -> tuple[FloatArray, FloatArray]:
        """The end (n,) of a step of size h to time t, and its stages (s, n)."""

    def step(self, limit: float) -> Step:
        """Advance by one step that ends at `limit` at the latest; see `Stepper.step`."""
        due = self._start + (self._made + 1) * self.h
        t = limit if due > limit - SLIVER * self.h else due
        h = t - self.t
        if not h >= LEAST_STEP * max(1.0, abs(t)):
            raise StepCollapse(self.t, 0, f"steps of {self.h:g} s are lost in the rounding of t")
        begun, start = self.t, self.y
        try:
            end, stages = self.make(h, t)
        except NoConvergence as error:
            reason = (
                f"Newton's iteration finds no end of a step of {h:.6g} s; take shorter steps, or "
                "soften what is stiff"
            )
            raise StepCollapse(begun, self.first_unknown + error.component, reason) from error
        finite = np.isfinite(end)
        if not finite.all():
            reason = f"steps of {h:.6g} s are too long for this scheme, and numbers overflow"
            raise StepCollapse(begun, int(np.argmin(finite)), reason)
        self.t, self.y = t, end
        self._made += 1
        return Step(begun, h, start, end, stages, self)

    def powers(self, steps: Steps) -> FloatArray:
        """Hermite's cubic, with the slopes where they are first and last of the stages."""
        return hermite_powers(steps, steps.stages[:, 0], steps.stages[:, -1])
