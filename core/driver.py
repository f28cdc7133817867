"""Which scheme drives a motion: chosen by stiffness, changed on the way, collapse explained.

The rule of method 'auto': DOP853 drives, until the motion is found to be stiff; from there on
the Rosenbrock scheme does. A motion is stiff where
* forces bring neighbouring motions together faster than STIFF_RATE: looked for at the start and
  after every STEPS_BETWEEN_LOOKS steps (passive forces of joints: from their own slopes; other
  forces: from the Jacobian); or
* stability and not accuracy has kept the steps short over several of them (`StiffnessWatch`),
  and a trial step of the Rosenbrock scheme, LEAP times as long, meets the tolerance.
"""

from __future__ import annotations

import numpy as np

from .arrays import FloatArray
from .dynamics.singular import check_mass, joint_of_velocity
from .errors import ModelError, SimulationError
from .integrate import DOP853, Step, StepCollapse, Stepper
from .integrate.control import ErrorControlled
from .integrate.stepper import NO_STEP
from .integrate.stiffness import StiffnessWatch
from .motion import Motion
from .schemes import STEPPED, Options, Scheme

STIFF_RATE = 3000.0  # 1/s: forces that decay faster are integrated implicitly
STEPS_BETWEEN_LOOKS = 100  # a pose may become stiff on the way; looking costs half a step
FAST = f"forces decay faster than {STIFF_RATE:g}/s"
HELD_BACK = "stability and not accuracy kept the steps short"
FASTEST = 1e9  # rad/s or m/s: beyond it forces feed a motion that feeds them
LEAP = 5.0  # of an explicit step: so much longer must an implicit one be


class Driver:
    """Steps through a motion.

    Attributes:
        t, y: the state that has been reached.
        schemes: those that were used, in order.
        remarks: when and why the motion was found to be stiff.
    """

    def __init__(self, motion: Motion, start: float, y: FloatArray, options: Options) -> None:
        check_mass(motion.model, motion.unpack(y)[0])
        self.motion, self.options = motion, options
        self.schemes: list[Scheme] = []
        self.remarks: list[str] = []
        self._spent = 0
        self._steps = 0
        self._watch = StiffnessWatch()
        scheme = options.method
        assert scheme != STEPPED  # which has a way of its own
        if scheme == "auto":
            stiff = self._decays_fast(start, y)
            scheme = "rosenbrock" if stiff else "dop853"
            if stiff:
                self._remark(start, FAST)
        self._stepper = self._begin(scheme, start, y)

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
        """Calls of the equations of motion so far; one call may serve a batch of states."""
        return self._spent + self._stepper.evaluations

    def advance(self, limit: float) -> Step:
        """One accepted step that ends at `limit` at the latest.

        Raises:
            SimulationError: for a motion that cannot be continued, naming the time and the joint.
        """
        self._steps += 1
        if self._steps % STEPS_BETWEEN_LOOKS == 0 and self._may_change:
            self._change_if_fast()
        try:
            step = self._stepper.step(limit)
        except StepCollapse as error:
            if self._may_change and self._change_if_fast():
                return self.advance(limit)
            raise self._told(error, self.y) from error
        except ModelError as error:
            raise self._refused(self.t, error) from error
        self._refuse_runaway()
        if self._may_change and self.t < limit:
            self._change_if_held_back(step.h)
        return step

    def restart(self, motion: Motion, t: float, y: FloatArray, *, look: bool = True) -> None:
        """Go on from another state (n,), or with other equations: after a jump.

        The scheme stays the one that drives, unless forces now decay fast; where these are the
        same as before, that need not be looked for (`look`).

        Raises:
            SimulationError: as `advance`.
        """
        self.motion = motion
        self._spent += self._stepper.evaluations
        self._watch = StiffnessWatch()
        scheme = self.schemes[-1]
        if look and self._may_change and self._decays_fast(t, y):
            self._remark(t, FAST)
            scheme = "rosenbrock"
        self._stepper = self._begin(scheme, t, y)

    @property
    def _may_change(self) -> bool:
        return self.options.method == "auto" and self.schemes[-1] == "dop853"

    def _begin(self, scheme: Scheme, start: float, y: FloatArray) -> Stepper:
        try:
            stepper = self.options.begin(scheme, self.motion, start, y)
        except StepCollapse as error:
            raise self._told(error, y) from error
        except ModelError as error:
            raise self._refused(start, error) from error
        if scheme not in self.schemes[-1:]:
            self.schemes.append(scheme)
        return stepper

    def _change_if_fast(self) -> bool:
        """Go on with the implicit scheme where forces decay fast."""
        if not self._decays_fast(self.t, self.y):
            return False
        self._remark(self.t, FAST)
        self._spent += self._stepper.evaluations
        self._stepper = self._begin("rosenbrock", self.t, self.y)
        return True

    def _change_if_held_back(self, h: float) -> None:
        """Go on with the implicit scheme where it can take longer steps than stability allows."""
        assert isinstance(self._stepper, DOP853)
        if not self._watch.sees(self._stepper.stiffness()):
            return
        before = self._stepper
        implicit = self.options.begin("rosenbrock", self.motion, self.t, self.y)
        assert isinstance(implicit, ErrorControlled)
        if implicit.allows(LEAP * h):
            self._spent += before.evaluations
            self._stepper = implicit
            self.schemes.append("rosenbrock")
            self._remark(self.t, HELD_BACK)

    def _remark(self, t: float, why: str) -> None:
        self.remarks.append(f"stiff from t = {t:.6g} s: {why}")

    def _decays_fast(self, t: float, y: FloatArray) -> bool:
        return self.motion.fastest_decay(t, y) > STIFF_RATE

    def _told(self, error: StepCollapse, y: FloatArray) -> SimulationError:
        """A collapse, told by the joint that it is about."""
        with np.errstate(all="ignore"):
            cause = self.motion.explain(error.t, y, error.component)
        if error.reason != NO_STEP:
            cause = f"{error.reason} ({cause})"
        return self._cannot(error.t, cause)

    def _refuse_runaway(self) -> None:
        """Raise where something moves faster than anything does."""
        v = self.motion.unpack(self.y)[1]
        if not np.abs(v).max(initial=0.0) < FASTEST:
            fastest = int(np.argmax(np.abs(v)))
            joint = joint_of_velocity(self.motion.model, fastest)
            raise self._cannot(
                self.t,
                f"joint '{joint}' moves at {v[fastest]:.3g} rad/s or m/s; check the forces that "
                "drive it",
            )

    def _refused(self, t: float, error: ModelError) -> SimulationError:
        """An evaluation that was refused, with the time."""
        return self._cannot(t, str(error).removeprefix(f"{self.motion.model.name}: "))

    def _cannot(self, t: float, cause: str) -> SimulationError:
        name = self.motion.model.name
        return SimulationError(f"{name}: at t = {t:.6g} s the motion cannot be continued: {cause}")
