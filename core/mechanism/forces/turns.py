"""Torsion springs and dampers between two frames, all of a mechanism at once.

    tau = c (phi - phi_rel0) + d w

phi is the turn of frame_b against frame_a about an axis n of frame_a. Where all that lies
between the frames turns about axes along n only, phi is the sum of these joints' coordinates, over
any number of turns, and the torques act about n. Otherwise it is the twist part of the
relative rotation R (b in a), nearest to phi_rel0:

    phi = atan2(n . vee(R - R^T), tr R - n . R n),   w = g . (omega_b - omega_a)
    g = (n_a + n_b) / (1 + n_a . n_b)

with n_a and n_b the axis as fixed to a and to b. The torque on b is -tau g, on a tau g: so the
work that they do is that of tau on phi, whatever else the frames do. Only where the frames tilt
by half a turn against each other has phi no value; there the element exerts nothing.

Source: worked out from tan(phi/2) = q_vec . n / q_w and the rate of a quaternion, q' = 1/2 q
(0, omega) (J. Diebel, Representing Attitude, 2006).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import BoolArray, FloatArray
from .ports import IntArray, Ports

if TYPE_CHECKING:
    from ...dynamics import Moment

OPPOSITE = 1e-12  # 1 + n_a . n_b below which the frames tilt by half a turn


@dataclass(frozen=True, eq=False)
class TurnState:
    """Of n elements: angle phi (rad), rate w (rad/s), torque tau (N m), each (…, n).

    axes (…, n, 3): the gradient of phi, in the world.
    """

    phi: FloatArray
    w: FloatArray
    tau: FloatArray
    axes: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class TurnForces:
    """n torsion springs and dampers: a force element of `dynamics.System`.

    Attributes:
        ports: the 2 n frames: a and b of the first element, then of the next.
        axis_in_a, axis_in_b: (n, 3), unit, the axis as fixed to a and to b.
        counted: (n,), whether phi = row @ q + offset; rows (n, nq), offsets (n,), rad.
        c (N m/rad), phi_rel0 (rad), d (N m s/rad): (n,).
    """

    ports: Ports
    axis_in_a: FloatArray
    axis_in_b: FloatArray
    counted: BoolArray
    rows: FloatArray
    offsets: FloatArray
    c: FloatArray
    phi_rel0: FloatArray
    d: FloatArray

    def __repr__(self) -> str:
        return f"<TurnForces: {len(self.c)} torsion springs and dampers>"

    @classmethod
    def joined(cls, parts: Sequence[TurnForces]) -> TurnForces:
        """All elements of several as one."""
        return cls(
            Ports.joined([part.ports for part in parts]),
            np.concatenate([part.axis_in_a for part in parts]),
            np.concatenate([part.axis_in_b for part in parts]),
            np.concatenate([part.counted for part in parts]),
            np.concatenate([part.rows for part in parts]),
            np.concatenate([part.offsets for part in parts]),
            np.concatenate([part.c for part in parts]),
            np.concatenate([part.phi_rel0 for part in parts]),
            np.concatenate([part.d for part in parts]),
        )

    @property
    def frames(self) -> IntArray:
        """(2 n,): of the model."""
        return self.ports.frames

    @property
    def timed(self) -> bool:
        """Whether a function of time is among its elements: none is."""
        return False

    def state(self, at: Moment) -> TurnState:
        """Angles, rates and torques."""
        rotations = self.ports.rotations(at)
        first, second = rotations[..., 0::2, :, :], rotations[..., 1::2, :, :]
        in_a = (first @ self.axis_in_a[..., None])[..., 0]
        in_b = (second @ self.axis_in_b[..., None])[..., 0]
        share = 1.0 + (in_a * in_b).sum(axis=-1)
        tilted = share < OPPOSITE
        axes = (in_a + in_b) / np.where(tilted, np.inf, share)[..., None]
        phi = at.q @ self.rows.T + self.offsets
        if not self.counted.all():
            phi = np.where(self.counted, phi, self._twist(first, second))
        turning = self.ports.twists(at)[..., :3]
        w = (axes * (turning[..., 1::2, :] - turning[..., 0::2, :])).sum(axis=-1)
        return TurnState(phi, w, self.c * (phi - self.phi_rel0) + self.d * w, axes)

    def wrenches(self, at: Moment) -> FloatArray:
        """(…, 2 n, 6): torques on the carriers of a and b."""
        state = self.state(at)
        torque = state.tau[..., None] * state.axes
        out = np.zeros((*torque.shape[:-2], len(self.frames), 6))
        out[..., 0::2, :3] = torque
        out[..., 1::2, :3] = -torque
        return out

    def stored_energy(self, at: Moment) -> FloatArray:
        """sum of 1/2 c (phi - phi_rel0)^2 (…), J."""
        turn = self.state(at).phi - self.phi_rel0
        out: FloatArray = (0.5 * self.c * turn**2).sum(axis=-1)
        return out

    def _twist(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """The twist part (…, n) of the rotations, within half a turn of phi_rel0."""
        angle = twist_angle(first.swapaxes(-1, -2) @ second, self.axis_in_a) - self.phi_rel0
        out: FloatArray = self.phi_rel0 + angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi))
        return out


def twist_angle(a_from_b_rot: FloatArray, axis: FloatArray) -> FloatArray:
    """The part about an axis (…, 3) of rotations (…, 3, 3), in (-pi, pi], rad."""
    turn = a_from_b_rot
    vee = np.stack(
        (
            turn[..., 2, 1] - turn[..., 1, 2],
            turn[..., 0, 2] - turn[..., 2, 0],
            turn[..., 1, 0] - turn[..., 0, 1],
        ),
        axis=-1,
    )
    along = ((turn @ axis[..., None])[..., 0] * axis).sum(axis=-1)
    angle: FloatArray = np.arctan2(
        (vee * axis).sum(axis=-1), np.trace(turn, axis1=-2, axis2=-1) - along
    )
    return angle
