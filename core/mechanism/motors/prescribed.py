"""A joint that moves as it is told: its coordinate is a function of time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from ...arrays import FloatArray
from ...errors import ArgumentError, ModelError, SimulationError
from ...rates import is_rate
from ..component import Component, Forces, Output
from ..forces.signals import Given, Signal
from ..places import JointPlace, Places
from .derivatives import Smooth
from .joint_choice import Joint, checked_joint, place_of

if TYPE_CHECKING:
    from ..snapshot import Snapshot

Motion = Callable[[float], tuple[float, float, float]]
WATCHED, APART = 20, 0.05  # times at which given rates are checked, and how far apart, s


class PrescribedMotionPart(Component):
    """The joint's coordinate is phi(t), whatever torque that takes.

    Variables: tau, N m (N on a slide), what the drive exerts along the coordinate; power = tau w,
    W; phi, w and a, of the joint.

    Args:
        name: of the component.
        joint: a joint of one coordinate, or its name ('hinge', 'robot.elbow').
        phi: rad (m): a function of t, or a number for a joint that is held.
        w: its rate, rad/s (m/s), a function of t; None to find it by differences.
        a: the rate of w, rad/s^2 (m/s^2), likewise.

    w and a are held against differences where the motion starts and at some times after. Jumps, and
    rates that do not lead to the values, are refused on the way.

    Without w and a the joint moves along a smooth function through phi, which differs from it by
    less than rounding where phi is smooth, and rounds corners over some milliseconds; see
    `derivatives`.
    """

    needs: ClassVar[Literal["all", "any", "none"]] = "none"

    def __init__(
        self,
        name: str,
        *,
        joint: Joint,
        phi: Given,
        w: Callable[[float], float] | None = None,
        a: Callable[[float], float] | None = None,
    ) -> None:
        super().__init__(name, ())
        self.joint = checked_joint(self.label, joint)
        values = Signal.of(self.label, "phi", phi, ())
        rates = None if w is None else Signal.of(self.label, "w", w, ())
        gains = None if a is None else Signal.of(self.label, "a", a, ())
        if rates is None and gains is not None:
            raise ArgumentError(f"{self.label}: a: wanted w with it, whose rate it is")
        for given in (rates, gains):
            if given is not None and (given.function is None or values.function is None):
                raise ArgumentError(
                    f"{self.label}: {given.name}: wanted a function of t, with phi one too"
                )
        self._motion = _remembered(_watched(_motion(values, rates, gains), values, rates, gains))

    def forces(self, places: Places) -> Forces:
        """The prescribed coordinate."""
        from ...dynamics import Prescribed  # `dynamics` imports this package

        place = self._place(places)
        return Forces(prescribed=(Prescribed(place.q[0], place.v[0], self._motion),))

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Torque, power, and the joint's motion."""
        place = self._place(places)

        def tau(at: Snapshot) -> FloatArray:
            return at.drive[..., place.v[0]]

        def w(at: Snapshot) -> FloatArray:
            return at.velocities(place.edge)[..., 0]

        return {
            "tau": tau,
            "power": lambda at: tau(at) * w(at),
            "phi": lambda at: at.coordinates(place.edge)[..., 0],
            "w": w,
            "a": lambda at: at.joint(place.edge)[2][..., 0],
        }

    def _place(self, places: Places) -> JointPlace:
        """Where the joint is; it follows no other and has no other prescribed motion."""
        place = place_of(self.label, self.joint, places)
        mechanism, label = places.assembly.name, place.edge.label
        if place.edge.joint.mimic is not None:
            raise ModelError(
                f"{mechanism}: {self.label}: joint '{place.edge.joint.name}' follows "
                f"'{place.edge.joint.mimic.leader}'; prescribe the motion of that one"
            )
        for other in places.assembly.components:
            if (
                isinstance(other, PrescribedMotionPart)
                and other is not self
                and place_of(other.label, other.joint, places).edge is place.edge
            ):
                raise ModelError(
                    f"{mechanism}: {self.label} and {other.label} both prescribe the motion of "
                    f"{label}; remove one"
                )
        return place


def _motion(values: Signal, rates: Signal | None, gains: Signal | None) -> Motion:
    """x, x' and x'' of t: as given, else by differences of the highest derivative that is."""
    if values.function is None:
        still = float(values.constant)
        return lambda t: (still, 0.0, 0.0)

    def x(t: float) -> float:
        return float(values(t))

    if rates is None:
        return Smooth(x)
    rate = rates

    def v(t: float) -> float:
        return float(rate(t))

    if gains is None:
        smooth = Smooth(v)
        return lambda t: (x(t), *smooth(t)[:2])
    gain = gains
    return lambda t: (x(t), v(t), float(gain(t)))


def _watched(motion: Motion, values: Signal, rates: Signal | None, gains: Signal | None) -> Motion:
    """The same; w is held against phi, and a against w, where it starts and at times after.

    Raises:
        SimulationError: where a rate is not that of what it is the rate of.
    """
    if rates is None:
        return motion
    pairs = [(values, rates)] if gains is None else [(values, rates), (rates, gains)]
    watched: list[float] = []

    def checked(t: float) -> tuple[float, float, float]:
        due = not watched or (len(watched) < WATCHED and abs(t - watched[-1]) >= APART)
        if due:
            for value, rate in pairs:
                _refuse_other_rate(value, rate, t)
            watched.append(t)
        return motion(t)

    return checked


def _refuse_other_rate(value: Signal, rate: Signal, t: float) -> None:
    given = float(rate(t))
    fits, quotient = is_rate(lambda when: float(value(when)), t, given)
    if not fits:
        raise SimulationError(
            f"{rate.owner}: {rate.name}: wanted the rate of {value.name}, which is about "
            f"{quotient:.6g} at t = {t:g} s by its differences, got {given:.6g}; leave "
            f"{rate.name} out to have it found from {value.name}"
        )


def _remembered(motion: Motion) -> Motion:
    """The same, with the last answer kept: one evaluation of a system asks twice."""
    last: dict[float, tuple[float, float, float]] = {}

    def remembered(t: float) -> tuple[float, float, float]:
        if t not in last:
            answer = motion(t)
            last.clear()
            last[t] = answer
        return last[t]

    return remembered
