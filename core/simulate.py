"""The loop: a robot moves by its own dynamics, sampled at the times that were asked for.

    trajectory = run(simulate(model, np.linspace(0, 5, 121), q0))

`simulate` is a generator, so that a caller may show progress and may stop at any time: nothing
outside it is touched.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from .arrays import FloatArray, as_floats
from .dynamics import Model
from .dynamics.equations import check_inertia
from .errors import SimulationError
from .integrate import DormandPrince54, RosenbrockW32, Step, Stepper
from .motion import Motion, Torque
from .trajectory import DenseOutput, Trajectory

Method = Literal["auto", "dormand-prince", "rosenbrock"]
METHODS: tuple[Method, ...] = ("auto", "dormand-prince", "rosenbrock")
# a scheme of order 3 pays ten times the steps for what one of order 5 gets for two
DEFAULT_TOLERANCE: Mapping[Method, float] = {"dormand-prince": 1e-6, "rosenbrock": 1e-5}
STIFF_RATE = 3000.0  # 1/s: passive forces that decay faster are integrated implicitly

Result = TypeVar("Result")


@dataclass(frozen=True)
class Sample:
    """The state at one of the output times."""

    index: int
    time: float
    q: FloatArray
    v: FloatArray


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
    """Integrate M(q) a = tau - b(q, v) + passive forces from times[0] on.

    Args:
        model: the compiled tree.
        times: (n,), s, increasing; the first is the time of the initial state.
        q: (nq,), the neutral pose inside the limits if none; v: (nv,), at rest if none.
        tau: joint forces as a function of (t, q, v) -> (nv,), N m and N.
        damping: added to every joint with one degree of freedom, N m s/rad or N s/m.
        limits: whether the joint limits act, as stiff damped stops.
        passive: whether the damping and friction of the description act.
        tolerance: of each step, absolute and relative; the scheme's own default if none.
        method: 'dormand-prince' (explicit, orders 5 and 4), 'rosenbrock' (linearly implicit, for
            joints with strong damping or friction on light links), or 'auto' to choose by the
            rate at which the passive forces act at the start.

    Yields:
        A Sample at each output time.

    Returns:
        The Trajectory.

    Raises:
        SimulationError: for arguments that do not fit, and for a motion that cannot be continued.
        ModelError: where a joint moves no inertia.
    """
    when = _checked_times(times)
    if method not in METHODS:
        raise SimulationError(f"method: wanted one of {', '.join(METHODS)}, got {method!r}")
    if not (np.isfinite(damping) and damping >= 0.0):
        raise SimulationError(f"damping: wanted a finite number, 0 or more, got {damping!r}")
    if tolerance is not None and not 1e-13 <= tolerance <= 1e-1:
        raise SimulationError(f"tolerance: wanted a number in [1e-13, 0.1], got {tolerance!r}")
    check_inertia(model)
    motion = Motion(model, tau, damping, limits, passive)
    start = motion.pack(
        model.clamped(model.neutral()) if q is None else _checked_state(q, model.nq, "q"),
        np.zeros(model.nv) if v is None else _checked_state(v, model.nv, "v"),
    )
    if method == "auto":
        stiff = motion.passive_rate(start) > STIFF_RATE
        method = "rosenbrock" if stiff else "dormand-prince"
    if tolerance is None:
        tolerance = DEFAULT_TOLERANCE[method]
    stepper = _stepper(method, motion, float(when[0]), start, tolerance)
    return (yield from _march(motion, stepper, when, method))


def run(simulation: Generator[object, None, Result]) -> Result:
    """Exhaust a simulation and hand out what it returns."""
    while True:
        try:
            next(simulation)
        except StopIteration as end:
            result: Result = end.value
            return result


def _march(
    motion: Motion, stepper: Stepper, times: FloatArray, method: str
) -> Generator[Sample, None, Trajectory]:
    """Step to the last time, recording each step and yielding at the output times."""
    steps: list[Step] = []
    q, v, _ = motion.unpack(stepper.y)
    yield Sample(0, float(times[0]), q.copy(), v.copy())
    due = 1
    while due < len(times):
        steps.append(stepper.step(limit=float(times[-1])))
        while due < len(times) and times[due] <= stepper.t:
            q, v, _ = motion.unpack(DenseOutput.of(steps[-1:], stepper.y)(times[due]))
            yield Sample(due, float(times[due]), q, v)
            due += 1
    return Trajectory.from_simulation(
        motion, times, DenseOutput.of(steps, stepper.y), method, stepper.evaluations
    )


def _stepper(method: Method, motion: Motion, t: float, y: FloatArray, tolerance: float) -> Stepper:
    if method == "rosenbrock":
        return RosenbrockW32(motion, t, y, tolerance)
    return DormandPrince54(motion, t, y, tolerance)


def _checked_state(state: ArrayLike, size: int, name: str) -> FloatArray:
    values = as_floats(state, (size,), name)
    if values.shape != (size,) or not np.isfinite(values).all():
        raise SimulationError(f"{name}: wanted finite numbers of shape ({size},), got {state!r}")
    return values


def _checked_times(times: ArrayLike) -> FloatArray:
    when = np.atleast_1d(as_floats(times, (), "times"))
    if when.ndim != 1 or not np.isfinite(when).all() or (np.diff(when) <= 0.0).any():
        raise SimulationError("times: wanted a list of finite, increasing times in seconds")
    return when
