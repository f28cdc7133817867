"""The loop: a robot moves by its own dynamics, sampled at the times that were asked for.

    trajectory = run(simulate(model, np.linspace(0, 5, 121), q0))

`simulate` is a generator, so that a caller may show progress and may stop at any time: nothing
outside it is touched.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from .arrays import FloatArray, as_floats
from .course import ConstraintWarning, Course, State, Stretch
from .dynamics import Model, System
from .dynamics.contact import ContactSystem
from .dynamics.equations import check_inertia
from .dynamics.friction import CollisionSystem
from .errors import SimulationError
from .integrate import Index
from .motion import Motion, Torque
from .schemes import STEPPED, Method, Options, checked_options, is_number
from .stepping import March
from .trajectory import Trajectory

TIMED_STEP = 0.05  # s; the explicit schemes look some ten times within a step
LARGEST_DAMPING = 1e12  # N m s/rad or N s/m

Result = TypeVar("Result")

__all__ = ["ConstraintWarning", "Sample", "Simulation", "run", "simulate"]


@dataclass(frozen=True, eq=False)
class Sample:
    """The state at one of the output times, worked out when it is asked for.

    q (nq,), v (nv,) and the `time` (s); index counts the output times.
    """

    index: int
    time: float
    _state: State = field(repr=False)

    @cached_property
    def _values(self) -> tuple[FloatArray, FloatArray]:
        return self._state(self.time)

    @property
    def q(self) -> FloatArray:
        """Coordinates (nq,)."""
        return self._values[0]

    @property
    def v(self) -> FloatArray:
        """Velocities (nv,)."""
        return self._values[1]


@dataclass(frozen=True, eq=False)
class Simulation:
    """A motion to be worked out: M(q) a + b(q, v) = tau + all other forces, from times[0] on.

    Attributes:
        model: the compiled tree, or a System: a tree with force elements, prescribed coordinates
            and constraints. These are switched as their `switches` say: a step ends there. A
            CollisionSystem, whose bodies touch with friction, is for method 'time-stepping'.
        times: (n,), s, increasing; the first is the time of the initial state.
        q: (nq,), the neutral pose inside the limits if none; v: (nv,), at rest if none. Entries of
            prescribed coordinates do not matter.
        tau: joint forces as a function of (t, q, v) -> (nv,), N m and N; it is asked about states
            near the motion too, in no order of time.
        damping: added to every joint but floating ones, N m s/rad or N s/m.
        limits: whether the joint limits act: as stiff damped stops, as contacts by time stepping.
        passive: whether the damping, friction and springs of the description act.
        tolerance: of each step, absolute and relative; of time stepping, by how much speeds at
            contacts may be off, m/s; the scheme's own default if none.
        method: the scheme, by its name in `schemes`; 'auto' chooses by the rule in `driver`.
        rtol, atol: instead of tolerance; each a number, or (nq + nv,) for the entries of (q, v).
        step: s, for the schemes with steps of one size; the last step ends at the last time. Time
            stepping takes STEP of `stepping` if none.
        spectral_radius: of generalized-alpha, 0 to 1, 0.8 if none: what remains of the fastest
            oscillations after each step.
        index: of the constraints: 1, accelerations, with projection after each step; with
            generalized-alpha and newmark also 2, velocities, or 3, positions.

        max_step: s, the longest step of the schemes with error control, so that what acts for a
            short time is not stepped over. Where functions of time act (tau, motors, given forces,
            prescribed motions) it is TIMED_STEP if none, else unlimited.

    Raises:
        SimulationError: for arguments that do not fit.
        ModelError: where a joint moves no inertia, or the mass matrix at the start is no real
            body's.
    """

    model: Model | System
    times: ArrayLike
    q: ArrayLike | None = None
    v: ArrayLike | None = None
    tau: Torque | None = None
    damping: float = 0.0
    limits: bool = True
    passive: bool = True
    tolerance: float | None = None
    method: Method = "auto"
    rtol: ArrayLike | None = None
    atol: ArrayLike | None = None
    step: float | None = None
    spectral_radius: float | None = None
    index: Index = 1
    max_step: float | None = None

    def __post_init__(self) -> None:
        self._options()
        system = self._system
        touching = isinstance(system, CollisionSystem) and (system.colliders or system.joint_stops)
        if touching and self.method != STEPPED:
            raise SimulationError(
                f"{system.model.name}: method: wanted '{STEPPED}' for a CollisionSystem, whose "
                f"bodies touch with friction, got {self.method!r}"
            )
        if not is_number(self.damping) or not 0.0 <= self.damping <= LARGEST_DAMPING:
            raise SimulationError(
                f"damping: wanted a number from 0 to {LARGEST_DAMPING:g}, got {self.damping!r}"
            )
        _checked_times(self.times)
        self._initial_state()
        check_inertia(self._system.model)

    def samples(self) -> Generator[Sample, None, Trajectory]:
        """Yield a Sample at each output time; return the Trajectory."""
        times, due = _checked_times(self.times), 0
        strides = self._march()
        while True:
            try:
                stretch = next(strides)
            except StopIteration as end:
                trajectory: Trajectory = end.value
                return trajectory
            while due < len(times) and times[due] <= stretch.t:
                yield Sample(due, float(times[due]), stretch.state)
                due += 1

    def steps(self) -> Generator[float, None, Trajectory]:
        """Yield the time reached (s) after each step of the scheme; return the Trajectory."""
        strides = self._march()
        while True:
            try:
                stretch = next(strides)
            except StopIteration as end:
                trajectory: Trajectory = end.value
                return trajectory
            yield stretch.t

    @property
    def _system(self) -> System:
        return self.model if isinstance(self.model, System) else System(self.model)

    def _options(self) -> Options:
        model = self._system.model
        return checked_options(
            model.nq + model.nv,
            self.method,
            self.tolerance,
            self.rtol,
            self.atol,
            self.step,
            self.spectral_radius,
            self.index,
            self.max_step,
        )

    def _bounded(self, options: Options) -> Options:
        """The options, with steps that do not pass over what functions of time do."""
        if self.max_step is None and (self.tau is not None or self._system.timed):
            return replace(options, max_step=TIMED_STEP)
        return options

    def _initial_state(self) -> tuple[FloatArray, FloatArray]:
        model = self._system.model
        q = model.clamped(model.neutral()) if self.q is None else self.q
        v = np.zeros(model.nv) if self.v is None else self.v
        return _checked_state(q, model.nq, "q"), _checked_state(v, model.nv, "v")

    def _march(self) -> Generator[Stretch, None, Trajectory]:
        """Step to the last time; yield what each step leads to."""
        times = _checked_times(self.times)
        end = float(times[-1])
        options = self._bounded(self._options())
        with np.errstate(all="ignore"):  # numbers out of range end in errors of our own
            course = self._course(options, times)
        yield course.here()
        while course.t < end:
            with np.errstate(all="ignore"):
                stretch = course.stride(end)
            yield stretch
        with np.errstate(all="ignore"):
            return course.trajectory(times)

    def _course(self, options: Options, times: FloatArray) -> Course | March:
        """The way from the first of times (n,) to the last."""
        start, end = float(times[0]), float(times[-1])
        state = self._initial_state()
        if options.method != STEPPED:
            return Course(self._system, self._motion, options, start, *state)
        tolerance = self.tolerance
        return March(
            self._system, self._motion, options.step, tolerance, start, end, *state, self.limits
        )

    def _motion(self, system: System) -> Motion:
        """The equations of motion of a system with what acts on it."""
        # limits that are contacts are no stiff stops
        stops = self.limits and self.method != STEPPED
        stops &= not (isinstance(system, ContactSystem) and system.stops_joints)
        return Motion(system, self.tau, self.damping, stops, self.passive, self.index)


def simulate(
    model: Model | System,
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
    rtol: ArrayLike | None = None,
    atol: ArrayLike | None = None,
    step: float | None = None,
    spectral_radius: float | None = None,
    index: Index = 1,
    max_step: float | None = None,
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
        model,
        times,
        q,
        v,
        tau,
        damping,
        limits,
        passive,
        tolerance,
        method,
        rtol,
        atol,
        step,
        spectral_radius,
        index,
        max_step,
    ).samples()


def run(simulation: Generator[object, None, Result]) -> Result:
    """Exhaust a simulation and hand out what it returns."""
    while True:
        try:
            next(simulation)
        except StopIteration as end:
            result: Result = end.value
            return result


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
