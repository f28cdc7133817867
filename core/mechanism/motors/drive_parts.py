"""Components that push a joint's coordinate: torque motors, servos, torsion springs on joints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from ...arrays import FloatArray
from ..arguments import positive
from ..component import Component, Forces, Output
from ..forces.signals import Given, Signal, Signals
from ..places import JointPlace, Places
from .drives import JointDrives
from .joint_choice import Joint, checked_joint, place_of

if TYPE_CHECKING:
    from ..snapshot import Snapshot


def drive(
    nv: int,
    place: JointPlace,
    *,
    tau: Signal,
    phi_ref: Signal,
    w_ref: Signal,
    kp: float,
    kd: float,
    limit: float,
    spring: bool = False,
) -> JointDrives:
    """The one drive of a component; none for a follower that cannot move.

    spring tells that it is none of a motor, and stores energy.
    """
    count = len(place.v)

    def row(value: float) -> FloatArray:
        return np.full(count, value)

    own, phi, w = (Signals.of([signal] * count) for signal in (tau, phi_ref, w_ref))
    return JointDrives(
        nv,
        np.array(place.q, dtype=np.intp),
        np.array(place.v, dtype=np.intp),
        row(place.multiplier),
        row(place.offset),
        own,
        phi,
        w,
        row(kp),
        row(kd),
        row(limit),
        np.full(count, spring),
    )


class DrivePart(Component):
    """A motor on a joint of one coordinate.

        tau = clip(tau_0(t, phi, w) + kp (phi_ref(t) - phi) + kd (w_ref(t) - w), -limit, limit)

    Variables: tau, N m (N on a slide), what it exerts along the joint's coordinate; power = tau w,
    that it puts into the motion, W; phi and w, of the joint, rad and rad/s (m and m/s).
    """

    needs: ClassVar[Literal["all", "any", "none"]] = "none"
    is_servo: ClassVar[bool] = False  # has the limit of its joint, where it has none of its own

    def __init__(
        self,
        name: str,
        joint: Joint,
        *,
        tau: Given = 0.0,
        phi_ref: Given = 0.0,
        w_ref: Given = 0.0,
        kp: float = 0.0,
        kd: float = 0.0,
        tau_max: float | None = None,
    ) -> None:
        super().__init__(name, ())
        self.joint = checked_joint(self.label, joint)
        self._tau = Signal.of(self.label, "tau", tau, (), "phi, w")
        self._phi_ref = Signal.of(self.label, "phi_ref", phi_ref, ())
        self._w_ref = Signal.of(self.label, "w_ref", w_ref, ())
        self._kp, self._kd = kp, kd
        is_free = tau_max is None or (isinstance(tau_max, float) and tau_max == np.inf)
        self._limit = tau_max if is_free else positive(self.label, "tau_max", tau_max)

    def forces(self, places: Places) -> Forces:
        """Along the coordinate of the joint."""
        return Forces(joint_forces=(self._law(places),))

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Torque, power, and the joint's coordinate and velocity."""
        place, law = place_of(self.label, self.joint, places), self._law(places)

        def tau(at: Snapshot) -> FloatArray:
            if not place.v:
                return np.zeros(at.q.shape[:-1])
            return law.torques(at.moment)[..., 0]

        def w(at: Snapshot) -> FloatArray:
            return at.velocities(place.edge)[..., 0]

        return {
            "tau": tau,
            "power": lambda at: tau(at) * w(at),
            "phi": lambda at: at.coordinates(place.edge)[..., 0],
            "w": w,
        }

    def _law(self, places: Places) -> JointDrives:
        place = place_of(self.label, self.joint, places)
        own = self._limit
        if own is None:
            own = place.edge.joint.effort if self.is_servo else np.inf
        return drive(
            places.model.nv,
            place,
            tau=self._tau,
            phi_ref=self._phi_ref,
            w_ref=self._w_ref,
            kp=self._kp,
            kd=self._kd,
            limit=own,
        )
