"""The schemes by name, their options, and the checks of these at the door.

auto                  DOP853, and the Rosenbrock scheme once the motion is stiff (see `driver`)
dop853                explicit, order 8, error control: smooth motion
dormand-prince        explicit, order 5, error control: smooth motion at loose tolerances
rosenbrock            linearly implicit, order 3, error control: stiff motion
semi-implicit-euler   explicit, order 1, steps of a given size: games, long crude motion
rk4                   explicit, order 4, steps of a given size
implicit-midpoint     implicit, order 2, steps of a given size: energy over long times
generalized-alpha     implicit, order 2, steps of a given size, damps what is fast: stiff motion
newmark               implicit, order 2, steps of a given size: the trapezoidal rule
time-stepping         contacts with friction, steps of a given size, see `stepping`

Generalized-alpha and newmark take constraints at index 2 (velocities) or 3 (positions) too, see
`integrate.constrained`; all others, and they by default, at index 1: accelerations, with
projection after each step.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeGuard, get_args

import numpy as np
from numpy.typing import ArrayLike

from .arrays import FloatArray, as_floats
from .errors import SimulationError
from .integrate import (
    DOP853,
    RK4,
    ConstrainedAlpha,
    DormandPrince54,
    GeneralizedAlpha,
    ImplicitMidpoint,
    Index,
    RosenbrockW32,
    SemiImplicitEuler,
    Stepper,
)
from .integrate.control import ErrorControlled
from .motion import Motion

Controlled = Literal["dormand-prince", "dop853", "rosenbrock"]
Fixed = Literal["semi-implicit-euler", "rk4", "implicit-midpoint", "generalized-alpha", "newmark"]
Stepped = Literal["time-stepping"]
Scheme = Controlled | Fixed
Method = Literal["auto"] | Scheme | Stepped
STEPPED: Stepped = "time-stepping"
CONTROLLED: tuple[Controlled, ...] = get_args(Controlled)
FIXED: tuple[Fixed, ...] = get_args(Fixed)
WITH_INDEX: tuple[Fixed, ...] = ("generalized-alpha", "newmark")  # may hold constraints themselves
METHODS: tuple[Method, ...] = ("auto", *CONTROLLED, *FIXED, STEPPED)

# rtol and atol where none are given, by what they leave (tests/core/integrate/test_accuracy.py)
DEFAULT_TOLERANCE: Mapping[Controlled, float] = {
    "dormand-prince": 1e-6,
    "dop853": 5e-8,
    "rosenbrock": 1e-6,
}
DEFAULT_RADIUS = 0.8  # of generalized-alpha: keeps slow motion, ends what is fast in some steps
LEAST_TOLERANCE, LARGEST_TOLERANCE = 1e-13, 1e-1

Tolerance = float | FloatArray
CONTROLLED_SCHEMES: Mapping[Controlled, Callable[..., ErrorControlled]] = {
    "dop853": DOP853,
    "dormand-prince": DormandPrince54,
    "rosenbrock": RosenbrockW32,
}


@dataclass(frozen=True, eq=False)
class Options:
    """How to integrate.

    Attributes:
        method: one of METHODS.
        rtol, atol: of each step, relative and absolute: a number, or (nq + nv,) for each entry
            of (q, v). Where rtol is not given, the scheme's default; where atol is not given, the
            same, or the least rtol if that is less.
        step: s, of the schemes with steps of one size; 0 for the others, and for the step that
            time stepping chooses.
        spectral_radius: of generalized-alpha, 0 to 1.
        index: of the constraints: 1, or 2 or 3 with a method of WITH_INDEX.
        max_step: s, of the schemes with error control.
    """

    method: Method
    rtol: Tolerance | None = None
    atol: Tolerance | None = None
    step: float = 0.0
    spectral_radius: float = DEFAULT_RADIUS
    index: Index = 1
    max_step: float = np.inf

    def begin(self, scheme: Scheme, motion: Motion, t: float, y: FloatArray) -> Stepper:
        """A stepper of the scheme at the state y (n,) of time t.

        Raises:
            StepCollapse: where the motion cannot start there.
        """
        for name, make in CONTROLLED_SCHEMES.items():
            if scheme == name:
                controlled = make(motion, t, y, *self._tolerances(name))
                controlled.longest = self.max_step
                return controlled
        if scheme == "semi-implicit-euler":
            return SemiImplicitEuler(motion, t, y, self.step)
        if scheme == "rk4":
            return RK4(motion, t, y, self.step)
        if scheme == "implicit-midpoint":
            return ImplicitMidpoint(motion, t, y, self.step)
        newmark = scheme == "newmark"
        if newmark or self.index > 1:
            radius = None if newmark else self.spectral_radius
            return ConstrainedAlpha(motion, t, y, self.step, radius, self.index)
        return GeneralizedAlpha(motion, t, y, self.step, self.spectral_radius)

    def _tolerances(self, scheme: Controlled) -> tuple[Tolerance, Tolerance]:
        """rtol and atol for y; the work, which is only reported, takes the largest."""

        def of_state(given: Tolerance | None, otherwise: float) -> Tolerance:
            if given is None:
                return otherwise
            if isinstance(given, float):
                return given
            return np.append(given, given.max(initial=LEAST_TOLERANCE))

        default = DEFAULT_TOLERANCE[scheme]
        # a tight rtol alone would change little beside a loose atol
        tightest = default if self.rtol is None else float(np.min(self.rtol, initial=default))
        return of_state(self.rtol, default), of_state(self.atol, tightest)


def checked_options(
    size: int,
    method: Method,
    tolerance: float | None = None,
    rtol: ArrayLike | None = None,
    atol: ArrayLike | None = None,
    step: float | None = None,
    spectral_radius: float | None = None,
    index: Index = 1,
    max_step: float | None = None,
) -> Options:
    """Options as a caller gives them; `tolerance` is short for rtol and atol of the same number.

    Args:
        size: nq + nv.

    Raises:
        SimulationError: for what does not fit, naming the argument and what is allowed.
    """
    if method not in METHODS:
        raise SimulationError(f"method: wanted one of {', '.join(METHODS)}, got {method!r}")
    if tolerance is not None:
        if not (is_number(tolerance) and LEAST_TOLERANCE <= tolerance <= LARGEST_TOLERANCE):
            raise SimulationError(f"tolerance: wanted a number in [1e-13, 0.1], got {tolerance!r}")
        if rtol is not None or atol is not None:
            raise SimulationError("tolerance: wanted either tolerance, or rtol and atol, not both")
        rtol = atol = tolerance
    if method == STEPPED:
        if tolerance is None and (rtol is not None or atol is not None):
            raise SimulationError(
                f"rtol, atol: method '{method}' takes a tolerance, of speeds at contacts in m/s"
            )
        if step is not None and not (is_number(step) and step > 0.0):
            raise SimulationError(
                f"step: wanted a positive number of seconds, or None, got {step!r}"
            )
    elif method in FIXED:
        _check_fixed(method, rtol is not None or atol is not None, step)
    elif step is not None:
        raise SimulationError(
            f"step: method '{method}' chooses its steps by tolerance; a step size is taken by "
            f"{', '.join(FIXED)}, {STEPPED}"
        )
    if spectral_radius is not None:
        if method != "generalized-alpha":
            raise SimulationError("spectral_radius: wanted only for method 'generalized-alpha'")
        if not (is_number(spectral_radius) and 0.0 <= spectral_radius <= 1.0):
            raise SimulationError(
                f"spectral_radius: wanted a number from 0 to 1, got {spectral_radius!r}"
            )
    if max_step is not None:
        if method in FIXED or method == STEPPED:
            raise SimulationError(
                f"max_step: method '{method}' makes steps of one size, given by step"
            )
        if not (is_number(max_step) and max_step > 0.0):
            raise SimulationError(
                f"max_step: wanted a positive number of seconds, got {max_step!r}"
            )
    if index not in (1, 2, 3):
        raise SimulationError(f"index: wanted 1, 2 or 3, got {index!r}")
    if index > 1 and method not in WITH_INDEX:
        raise SimulationError(
            f"index: method '{method}' holds constraints at index 1; index {index} is taken by "
            f"{', '.join(WITH_INDEX)}"
        )
    return Options(
        method,
        _checked_tolerance(rtol, size, "rtol", LEAST_TOLERANCE, LARGEST_TOLERANCE),
        _checked_tolerance(atol, size, "atol", sys.float_info.min, sys.float_info.max),
        0.0 if step is None else float(step),
        DEFAULT_RADIUS if spectral_radius is None else float(spectral_radius),
        index,
        np.inf if max_step is None else float(max_step),
    )


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is one finite real number."""
    return isinstance(value, int | float | np.number) and bool(np.isfinite(value))


def _check_fixed(method: str, has_tolerance: bool, step: float | None) -> None:
    if has_tolerance:
        raise SimulationError(
            f"tolerance: method '{method}' makes steps of one size and has no tolerance; it is "
            f"taken by auto, {', '.join(CONTROLLED)}"
        )
    if not (is_number(step) and step > 0.0):
        raise SimulationError(
            f"step: method '{method}' makes steps of one size: wanted that size, a positive number "
            f"of seconds, got {step!r}"
        )


def _checked_tolerance(
    value: ArrayLike | None, size: int, name: str, least: float, largest: float
) -> Tolerance | None:
    if value is None:
        return None
    values = as_floats(value, (), name, SimulationError)
    if values.shape not in ((), (size,)):
        raise SimulationError(
            f"{name}: wanted a number, or {size} for the entries of (q, v), got shape "
            f"{values.shape}"
        )
    wrong = ~((values >= least) & (values <= largest))
    if wrong.any():
        where = "" if not values.ndim else f" at [{int(np.argmax(wrong))}]"
        allowed = "positive numbers" if name == "atol" else f"numbers in [{least:g}, {largest:g}]"
        raise SimulationError(
            f"{name}: wanted {allowed}, got {np.atleast_1d(values)[np.atleast_1d(wrong)][0]}{where}"
        )
    return values.copy() if values.ndim else float(values)
