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
    from ...dynamics import JointForce, Moment


def layered(elements: Sequence[JointForce]) -> tuple[JointForce, ...]:
    """Force elements of joints as time stepping takes them: drives in their layers."""
    out: list[JointForce] = []
    for own in elements:
        out += own.layers() if isinstance(own, JointDrives) else (own,)
    return tuple(out)


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
        out: FloatArray = np.clip(self._asked(at), -self.limit, self.limit)
        return out

    def _asked(self, at: Moment) -> FloatArray:
        """tau of each (…, n), without its limit."""
        lead, (phi, w) = at.q.shape[:-1], self.state(at)
        tau = self.tau.at(at.t, lead, phi, w)
        tau = tau + self.kp * (self.phi_ref.at(at.t, lead) - phi)
        out: FloatArray = tau + self.kd * (self.w_ref.at(at.t, lead) - w)
        return out

    def joint_forces(self, at: Moment) -> FloatArray:
        """(…, nv)."""
        out: FloatArray = self.torques(at) @ self._spread
        return out

    def implicit(self, at: Moment) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Force without limits, -d force/d v and -d force/d q, for time stepping.

        Torques that are functions of the state are taken as they are, without slopes. See
        `dynamics.servo.ServoBank`, and `layers` for drives with limits.
        """
        return self._asked(at) @ self._spread, *self._slopes

    @cached_property
    def effort(self) -> FloatArray:
        """The largest force on each velocity (nv,), N m; infinite where there is none."""
        out = np.full(self.nv, np.inf)
        np.minimum.at(out, self.v, np.abs(self.multiplier) * self.limit)
        return out

    def layers(self) -> tuple[JointDrives, ...]:
        """The same drives as several elements, so that no velocity has a limit and two drives.

        Only then is the limit of a drive that of all that the element exerts on a velocity.
        """
        limited = np.isfinite(self.limit)
        # those without a limit first, then the first, the second … limited one of each velocity
        layer = np.zeros(len(self.v), dtype=np.intp)
        for row in np.flatnonzero(limited):
            layer[row] = 1 + np.count_nonzero(limited[:row] & (self.v[:row] == self.v[row]))
        return tuple(self._chosen(np.flatnonzero(layer == own)) for own in np.unique(layer))

    def stored_energy(self, at: Moment) -> FloatArray:
        """sum of 1/2 kp (phi - phi_ref)^2 of the springs (…), J."""
        phi, _ = self.state(at)
        turn = self.phi_ref.at(at.t, phi.shape[:-1]) - phi
        out: FloatArray = (0.5 * np.where(self.springs, self.kp, 0.0) * turn**2).sum(axis=-1)
        return out

    def _chosen(self, rows: IntArray) -> JointDrives:
        """Those of some rows (k,)."""
        return JointDrives(
            self.nv,
            self.q[rows],
            self.v[rows],
            self.multiplier[rows],
            self.offset[rows],
            self.tau.chosen(rows.tolist()),
            self.phi_ref.chosen(rows.tolist()),
            self.w_ref.chosen(rows.tolist()),
            self.kp[rows],
            self.kd[rows],
            self.limit[rows],
            self.springs[rows],
        )

    @cached_property
    def _slopes(self) -> tuple[FloatArray, FloatArray]:
        """Damping and stiffness (nv,) of all drives, without their limits."""
        squares = self._spread * self.multiplier[:, None]
        return self.kd @ squares, self.kp @ squares

    @cached_property
    def _spread(self) -> FloatArray:
        """(n, nv): several drives may share a velocity."""
        places = self.v[:, None] == np.arange(self.nv)
        out: FloatArray = places * self.multiplier[:, None]
        return out
