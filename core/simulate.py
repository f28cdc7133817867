"""The loop: a robot moves by its own dynamics, sampled at the times that were asked for.

    trajectory = run(simulate(model, np.linspace(0, 5, 121), q0))

`simulate` is a generator, so that a caller may show progress and may stop at any time: nothing
outside it is touched.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from .arrays import FloatArray, as_floats
from .driver import METHODS, Driver, Method
from .dynamics import Model
from .dynamics.equations import check_inertia
from .errors import SimulationError
from .integrate import DenseOutput, Step
from .motion import Motion, Torque
from .trajectory import Trajectory

LARGEST_DAMPING = 1e12  # N m s/rad or N s/m

Result = TypeVar("Result")


@dataclass(frozen=True)
class Sample:
    """The state at one of the output times."""

    index: int
    time: float
    q: FloatArray
    v: FloatArray


@dataclass(frozen=True, eq=False)
class Simulation:
    """A motion to be worked out: M(q) a = tau - b(q, v) + passive forces from times[0] on.

    Attributes:
        model: the compiled tree.
        times: (n,), s, increasing; the first is the time of the initial state.
        q: (nq,), the neutral pose inside the limits if none; v: (nv,), at rest if none.
        tau: joint forces as a function of (t, q, v) -> (nv,), N m and N.
        damping: added to every joint but floating ones, N m s/rad or N s/m.
        limits: whether the joint limits act, as stiff damped stops.
        passive: whether the damping and friction of the description act.
        tolerance: of each step, absolute and relative; the scheme's own default if none.
        method: 'dormand-prince' (explicit, orders 5 and 4), 'rosenbrock' (linearly implicit, for
            joints with strong damping or friction on light links), or 'auto' to choose by how
            fast the passive forces act, at the start and on the way.

    Raises:
        SimulationError: for arguments that do not fit.
        ModelError: where a joint moves no inertia, or the mass matrix at the start is no real
            body's.
    """

    model: Model
    times: ArrayLike
    q: ArrayLike | None = None
    v: ArrayLike | None = None
    tau: Torque | None = None
    damping: float = 0.0
    limits: bool = True
    passive: bool = True
    tolerance: float | None = None
    method: Method = "auto"

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise SimulationError(
                f"method: wanted one of {', '.join(METHODS)}, got {self.method!r}"
            )
        if not _is_number(self.damping) or not 0.0 <= self.damping <= LARGEST_DAMPING:
            raise SimulationError(
                f"damping: wanted a number from 0 to {LARGEST_DAMPING:g}, got {self.damping!r}"
            )
        tolerance = self.tolerance
        if tolerance is not None and not (_is_number(tolerance) and 1e-13 <= tolerance <= 1e-1):
            raise SimulationError(f"tolerance: wanted a number in [1e-13, 0.1], got {tolerance!r}")
        _checked_times(self.times)
        self._initial_state()
        check_inertia(self.model)

    def samples(self) -> Generator[Sample, None, Trajectory]:
        """Yield a Sample at each output time; return the Trajectory."""
        strides = self._march()
        while True:
            try:
                _, samples = next(strides)
            except StopIteration as end:
                trajectory: Trajectory = end.value
                return trajectory
            yield from samples

    def steps(self) -> Generator[float, None, Trajectory]:
        """Yield the time reached (s) after each step of the scheme; return the Trajectory."""
        strides = self._march()
        while True:
            try:
                reached, _ = next(strides)
            except StopIteration as end:
                trajectory: Trajectory = end.value
                return trajectory
            yield reached

    def _initial_state(self) -> tuple[FloatArray, FloatArray]:
        model = self.model
        q = model.clamped(model.neutral()) if self.q is None else self.q
        v = np.zeros(model.nv) if self.v is None else self.v
        return _checked_state(q, model.nq, "q"), _checked_state(v, model.nv, "v")

    def _march(self) -> Generator[tuple[float, list[Sample]], None, Trajectory]:
        """Step to the last time; yield the time reached and the samples due there."""
        motion = Motion(self.model, self.tau, self.damping, self.limits, self.passive)
        times, y = _checked_times(self.times), motion.pack(*self._initial_state())
        with np.errstate(all="ignore"):  # numbers out of range end in errors of our own
            driver = Driver(motion, float(times[0]), y, self.method, self.tolerance)
        q, v, _ = motion.unpack(y)
        yield float(times[0]), [Sample(0, float(times[0]), q.copy(), v.copy())]
        steps: list[Step] = []
        due = 1
        while due < len(times):
            with np.errstate(all="ignore"):
                steps.append(driver.advance(float(times[-1])))
            samples = []
            while due < len(times) and times[due] <= driver.t:
                q, v, _ = motion.unpack(DenseOutput.of(steps[-1:], driver.y)(times[due]))
                samples.append(Sample(due, float(times[due]), q, v))
                due += 1
            yield driver.t, samples
        return Trajectory.from_simulation(
            motion,
            times,
            DenseOutput.of(steps, driver.y),
            ", then ".join(driver.schemes),
            driver.evaluations,
        )


def simulate(
    model: Model,
    times: ArrayLike,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    *,
    tau: Torque | None = None,
    damping: float = 0.0,
    limits: bool = True,
    passive: bool = True,
    tolerance: float | None = None,
    method: Method = "auto",
) -> Generator[Sample, None, Trajectory]:
    """Simulate, as a generator over the output times; see `Simulation` for the arguments.

    Yields:
        A Sample at each output time.

    Returns:
        The Trajectory.

    Raises:
        SimulationError, ModelError: at once for arguments that do not fit, and on the way for a
            motion that cannot be continued, naming the time and the joint.
    """
    return Simulation(
        model, times, q, v, tau, damping, limits, passive, tolerance, method
    ).samples()


def run(simulation: Generator[object, None, Result]) -> Result:
    """Exhaust a simulation and hand out what it returns."""
    while True:
        try:
            next(simulation)
        except StopIteration as end:
            result: Result = end.value
            return result


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and bool(np.isfinite(value))


def _checked_state(state: ArrayLike, size: int, name: str) -> FloatArray:
    values = as_floats(state, (size,), name)
    if values.shape != (size,) or not np.isfinite(values).all():
        raise SimulationError(f"{name}: wanted finite numbers of shape ({size},), got {state!r}")
    return values


def _checked_times(times: ArrayLike) -> FloatArray:
    when = np.atleast_1d(as_floats(times, (), "times"))
    if (
        when.ndim != 1
        or not len(when)
        or not np.isfinite(when).all()
        or (np.diff(when) <= 0.0).any()
    ):
        raise SimulationError("times: wanted a list of finite, increasing times in seconds")
    return when
