"""Springs, dampers and motors on joint coordinates, all of a mechanism at once.

    tau = clip(tau_0(t, phi, w) + kp (phi_ref(t) - phi) + kd (w_ref(t) - w), -limit, limit)

phi and w are a joint's coordinate and its rate; tau acts along them. A follower's coordinate
is multiplier * leader + offset, so its torque reaches the leader times the multiplier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..forces.ports import IntArray
from ..forces.signals import Signals

if TYPE_CHECKING:
    from ...dynamics import Moment


@dataclass(frozen=True, eq=False, repr=False)
class JointDrives:
    """n drives: a force element of `dynamics.System`.

    Attributes:
        nv: of the model; q, v: (n,), the places of coordinate and rate in its q and v.
        multiplier, offset: (n,), see above; 1 and 0 but for followers.
        tau, phi_ref, w_ref: n signals; N m, rad, rad/s, or N, m, m/s of slides.
        kp, kd: (n,), N m/rad, N m s/rad.
        limit: (n,), N m, infinite where there is none.
        springs: (n,), whether kp is that of a spring, which stores energy, and not of a motor.
    """

    nv: int
    q: IntArray
    v: IntArray
    multiplier: FloatArray
    offset: FloatArray
    tau: Signals
    phi_ref: Signals
    w_ref: Signals
    kp: FloatArray
    kd: FloatArray
    limit: FloatArray
    springs: BoolArray

    def __repr__(self) -> str:
        return f"<JointDrives: {len(self.q)} joint drives>"

    @classmethod
    def joined(cls, parts: Sequence[JointDrives]) -> JointDrives:
        """All elements of several as one."""
        return cls(
            parts[0].nv,
            np.concatenate([part.q for part in parts]),
            np.concatenate([part.v for part in parts]),
            np.concatenate([part.multiplier for part in parts]),
            np.concatenate([part.offset for part in parts]),
            Signals.joined([part.tau for part in parts]),
            Signals.joined([part.phi_ref for part in parts]),
            Signals.joined([part.w_ref for part in parts]),
            np.concatenate([part.kp for part in parts]),
            np.concatenate([part.kd for part in parts]),
            np.concatenate([part.limit for part in parts]),
            np.concatenate([part.springs for part in parts]),
        )

    @property
    def timed(self) -> bool:
        """Whether a function of time is among its elements."""
        return self.tau.timed or self.phi_ref.timed or self.w_ref.timed

    def state(self, at: Moment) -> tuple[FloatArray, FloatArray]:
        """phi and w of each (…, n)."""
        phi = at.q[..., self.q] * self.multiplier + self.offset
        return phi, at.v[..., self.v] * self.multiplier

    def torques(self, at: Moment) -> FloatArray:
        """tau of each (…, n)."""
        lead, (phi, w) = at.q.shape[:-1], self.state(at)
        tau = self.tau.at(at.t, lead, phi, w)
        tau = tau + self.kp * (self.phi_ref.at(at.t, lead) - phi)
        tau = tau + self.kd * (self.w_ref.at(at.t, lead) - w)
        out: FloatArray = np.clip(tau, -self.limit, self.limit)
        return out

    def joint_forces(self, at: Moment) -> FloatArray:
        """(…, nv)."""
        out: FloatArray = self.torques(at) @ self._spread
        return out

    def stored_energy(self, at: Moment) -> FloatArray:
        """sum of 1/2 kp (phi - phi_ref)^2 of the springs (…), J."""
        phi, _ = self.state(at)
        turn = self.phi_ref.at(at.t, phi.shape[:-1]) - phi
        out: FloatArray = (0.5 * np.where(self.springs, self.kp, 0.0) * turn**2).sum(axis=-1)
        return out

    @cached_property
    def _spread(self) -> FloatArray:
        """(n, nv): several drives may share a velocity."""
        places = self.v[:, None] == np.arange(self.nv)
        out: FloatArray = places * self.multiplier[:, None]
        return out
