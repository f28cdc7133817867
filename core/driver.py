"""Which scheme drives a motion: chosen by stiffness, changed on the way, collapse explained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from .arrays import FloatArray
from .dynamics.singular import check_mass
from .errors import SimulationError
from .integrate import DormandPrince54, RosenbrockW32, Step, StepCollapse, Stepper
from .motion import Motion

Scheme = Literal["dormand-prince", "rosenbrock"]
Method = Literal["auto", "dormand-prince", "rosenbrock"]
METHODS: tuple[Method, ...] = ("auto", "dormand-prince", "rosenbrock")
# a scheme of order 3 pays ten times the steps for what one of order 5 gets for two
DEFAULT_TOLERANCE: Mapping[Scheme, float] = {"dormand-prince": 1e-6, "rosenbrock": 1e-5}
STIFF_RATE = 3000.0  # 1/s: passive forces that decay faster are integrated implicitly
STEPS_BETWEEN_LOOKS = 100  # a pose may become stiff on the way; looking costs half a step


class Driver:
    """Steps through a motion.

    With method 'auto' the explicit scheme is taken until passive forces act faster than
    STIFF_RATE, and the linearly implicit one from there on.

    Attributes:
        t, y: the state that has been reached.
        schemes: those that were used, in order.
    """

    def __init__(
        self, motion: Motion, start: float, y: FloatArray, method: Method, tolerance: float | None
    ) -> None:
        check_mass(motion.model, motion.unpack(y)[0])
        self.motion, self.tolerance = motion, tolerance
        self.automatic = method == "auto"
        self.schemes: list[Scheme] = []
        self._spent = 0
        self._steps = 0
        if method == "auto":
            method = "rosenbrock" if self._is_stiff(y) else "dormand-prince"
        self._stepper = self._begin(method, start, y)

    @property
    def t(self) -> float:
        """The time reached, s."""
        return self._stepper.t

    @property
    def y(self) -> FloatArray:
        """The state reached."""
        return self._stepper.y

    @property
    def evaluations(self) -> int:
        """Evaluations of the equations of motion so far."""
        return self._spent + self._stepper.evaluations

    def advance(self, limit: float) -> Step:
        """One accepted step that ends at `limit` at the latest.

        Raises:
            SimulationError: for a motion that cannot be continued, naming the time and the joint.
        """
        self._steps += 1
        if self._steps % STEPS_BETWEEN_LOOKS == 0:
            self._change_if_stiff()
        try:
            return self._stepper.step(limit)
        except StepCollapse as error:
            if self._change_if_stiff():
                return self.advance(limit)
            raise self._told(error, self.y) from error

    def _begin(self, scheme: Scheme, start: float, y: FloatArray) -> Stepper:
        self.schemes.append(scheme)
        tolerance = DEFAULT_TOLERANCE[scheme] if self.tolerance is None else self.tolerance
        kind = RosenbrockW32 if scheme == "rosenbrock" else DormandPrince54
        try:
            return kind(self.motion, start, y, tolerance)
        except StepCollapse as error:
            raise self._told(error, y) from error

    def _change_if_stiff(self) -> bool:
        """Go on with the implicit scheme where that is allowed and the state asks for it."""
        explicit = self.schemes[-1] == "dormand-prince"
        if not (self.automatic and explicit and self._is_stiff(self.y)):
            return False
        self._spent += self._stepper.evaluations
        self._stepper = self._begin("rosenbrock", self.t, self.y)
        return True

    def _is_stiff(self, y: FloatArray) -> bool:
        return self.motion.passive_rate(y) > STIFF_RATE

    def _told(self, error: StepCollapse, y: FloatArray) -> SimulationError:
        """A collapse, told by the joint that it is about."""
        with np.errstate(all="ignore"):
            cause = self.motion.explain(y, error.component)
        name = self.motion.model.name
        return SimulationError(
            f"{name}: at t = {error.t:.6g} s the motion cannot be continued: {cause}"
        )
