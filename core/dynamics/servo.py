"""Servos: motors that hold a joint at a position, at a velocity or at both.

    tau = clip(k (x* - x) + d (x'* - x'), -effort, effort)

x is the coordinate of the joint, x* and x'* are what the servo aims at. Where the limit cuts
the force off it has a corner and no slope; schemes with error control take it in their stride by
shorter steps there, and time stepping takes the part within the limit implicitly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import FloatArray
from ..errors import ArgumentError, ModelError
from ..tree import SINGLE_JOINT_TYPES
from .constraints.given_functions import called, numbers, refuse_unknown
from .model import Model

if TYPE_CHECKING:
    from .system import Moment

LISTED = 12  # joints in a message, of many

Position = float | Callable[[float], tuple[float, float]]
Velocity = float | Callable[[float], float]


@dataclass(frozen=True, eq=False)
class Servo:
    """A servo on a joint of one coordinate: a force element of a `System`.

    Attributes:
        joint: its name.
        stiffness: k, N m/rad or N/m, from 0 on; 0 for a servo of velocity alone.
        damping: d, N m s/rad or N s/m, from 0 on.
        position: x*, rad or m, or a function of t (s) that gives x* and its rate x'*.
        velocity: x'*, rad/s or m/s, or a function of t; 0 if none. A position that is a function
            has its own.
        effort: the largest force, N m or N; inf for none. The limit of the joint if None, see
            `TreeJoint.effort`.
    """

    joint: str
    stiffness: float
    damping: float
    position: Position = 0.0
    velocity: Velocity | None = None
    effort: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.joint, str) or not self.joint:
            raise ArgumentError(f"Servo: joint: wanted the name of a joint, got {self.joint!r}")
        for name in ("stiffness", "damping"):
            given = getattr(self, name)
            if not _is_number(given) or not 0.0 <= given < np.inf:
                raise ArgumentError(
                    f"{self.label}: {name}: wanted a finite number from 0 on, got {given!r}"
                )
        for name, result in (("position", "(x, x')"), ("velocity", "x'")):
            given = getattr(self, name)
            is_default = name == "velocity" and given is None
            if not is_default and not callable(given) and not _is_finite(given):
                raise ArgumentError(
                    f"{self.label}: {name}: wanted a finite number or a function of t that gives "
                    f"{result}, got {given!r}"
                )
        if callable(self.position) and self.velocity is not None:
            raise ArgumentError(
                f"{self.label}: velocity: wanted none beside a position that is a function, which "
                f"gives the rate too, got {self.velocity!r}"
            )
        if self.effort is not None and not (_is_number(self.effort) and self.effort > 0.0):
            raise ArgumentError(
                f"{self.label}: effort: wanted a number above 0, inf for no limit or None for the "
                f"joint's own, got {self.effort!r}"
            )

    @property
    def label(self) -> str:
        """Such as "Servo of joint 'elbow'", for messages."""
        return f"Servo of joint '{self.joint}'"

    @property
    def timed(self) -> bool:
        """Whether a function of time is in it."""
        return callable(self.position) or callable(self.velocity)

    def aims(self, t: float) -> tuple[float, float]:
        """x* and x'* at t, s.

        Raises:
            ArgumentError, SimulationError: for a function that does not give them.
        """
        if callable(self.position):
            x, rate = self._asked("position", self.position, t, 2)
            return x, rate
        if callable(self.velocity):
            return self.position, self._asked("velocity", self.velocity, t, 1)[0]
        return self.position, 0.0 if self.velocity is None else self.velocity

    def joint_forces(self, at: Moment) -> FloatArray:
        """(…, nv), N m and N; a `System` asks all its servos at once, see `ServoBank`."""
        return ServoBank(at.tableau.model, (self,)).joint_forces(at)

    def _asked(
        self, name: str, function: Callable[[float], object], t: float, count: int
    ) -> tuple[float, ...]:
        owner = f"{self.label}: {name}"
        values = numbers(owner, t, called(owner, function, t), (count,))
        refuse_unknown(owner, t, "values", values)
        return tuple(float(value) for value in values)


class ServoBank:
    """n servos of a model as one force element.

    Attributes:
        servos: at most one for each joint.
        q, v: (n,), the places of their coordinates in q and v.
        effort: (nv,), the largest force, N m or N; infinite where there is none, and for
            velocities without a servo.
        timed: whether a function of time is among what they aim at.

    Raises:
        ModelError: for a joint that is not there, that follows another, that has not one
            coordinate, or has two servos.
    """

    def __init__(self, model: Model, servos: Sequence[Servo]) -> None:
        self.servos = tuple(servos)
        self._nv = model.nv
        for number, servo in enumerate(self.servos):
            _check_joint(model, servo)
            if servo.joint in (other.joint for other in self.servos[:number]):
                raise ModelError(
                    f"{model.name}: joint '{servo.joint}': wanted one servo, got two; stiffness "
                    "and damping of one hold position and velocity together"
                )
        self.q = np.array([model.q_index(own.joint).start for own in self.servos], dtype=np.intp)
        self.v = np.array([model.v_index(own.joint).start for own in self.servos], dtype=np.intp)
        self._stiffness = np.array([own.stiffness for own in self.servos], dtype=np.float64)
        self._damping = np.array([own.damping for own in self.servos], dtype=np.float64)
        own_limits = model.effort_limits()[self.v]
        given = [np.nan if own.effort is None else own.effort for own in self.servos]
        self._limit = np.where(np.isnan(given), own_limits, given)
        self.effort = np.full(model.nv, np.inf)
        self.effort[self.v] = self._limit
        still = [(0.0, 0.0) if own.timed else own.aims(0.0) for own in self.servos]
        self._still = np.array(still, dtype=np.float64).reshape(-1, 2)
        self._timed = [index for index, own in enumerate(self.servos) if own.timed]
        self._slopes = self._spread(self._damping), self._spread(self._stiffness)

    @property
    def timed(self) -> bool:
        """See above."""
        return bool(self._timed)

    def aims(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        """x* and x'* of all servos at times t (…), each (…, n)."""
        if not self._timed:
            return self._still[:, 0], self._still[:, 1]
        aims = np.empty((*t.shape, *self._still.shape))
        aims[...] = self._still
        for place in np.ndindex(t.shape):
            for index in self._timed:
                aims[(*place, index)] = self.servos[index].aims(float(t[place]))
        return aims[..., 0], aims[..., 1]

    def wanted(self, at: Moment) -> FloatArray:
        """k (x* - x) + d (x'* - x') of each servo (…, n), N m and N, without its limit."""
        x, rate = self.aims(at.t)
        force = self._stiffness * (x - at.q[..., self.q])
        out: FloatArray = force + self._damping * (rate - at.v[..., self.v])
        return out

    def torques(self, at: Moment) -> FloatArray:
        """What each servo exerts (…, n), N m and N."""
        out: FloatArray = np.clip(self.wanted(at), -self._limit, self._limit)
        return out

    def joint_forces(self, at: Moment) -> FloatArray:
        """(…, nv), N m and N."""
        return self._spread(self.torques(at))

    def implicit(self, at: Moment) -> tuple[FloatArray, FloatArray, FloatArray]:
        """What a scheme needs that takes the servos at the end of its step.

            f(q + h v+, v+) = clip(force - stiffness h v+ - damping (v+ - v), -effort, effort)

        Args:
            at: the state at the start of the step, with the time at which it is aimed.

        Returns:
            force (…, nv) at that state without the limit, damping = -d force/d v (nv,) and
            stiffness = -d force/d q (nv,).
        """
        return self._spread(self.wanted(at)), *self._slopes

    def _spread(self, values: FloatArray) -> FloatArray:
        """Values of servos (…, n) at their velocities (…, nv)."""
        out = np.zeros((*values.shape[:-1], self._nv))
        out[..., self.v] = values
        return out


def driven_joints(model: Model) -> tuple[str, ...]:
    """The joints that may have a servo: those of one coordinate that follow no other."""
    kinds = model.joint_types
    return tuple(name for name in model.q_slices if kinds[name] in SINGLE_JOINT_TYPES)


def _check_joint(model: Model, servo: Servo) -> None:
    model.q_index(servo.joint)  # refuses followers and unknown joints
    kind = model.joint_type(servo.joint)
    if kind not in SINGLE_JOINT_TYPES:
        allowed = driven_joints(model)
        more = f", … ({len(allowed)} in all)" if len(allowed) > LISTED else ""
        raise ModelError(
            f"{model.name}: {servo.label}: wanted a joint of one coordinate "
            f"({', '.join(SINGLE_JOINT_TYPES)}), got a {kind} one; there are: "
            f"{', '.join(allowed[:LISTED]) or 'none'}{more}"
        )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool | np.bool_)


def _is_finite(value: object) -> bool:
    return _is_number(value) and bool(np.isfinite(value))  # type: ignore[call-overload]
