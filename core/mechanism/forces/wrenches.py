"""Forces and torques that are given, all of a mechanism at once.

A force f and a torque tau, given in axes R, act on a port at p with the wrench

    (p x R f + R tau, R f)

at the world origin. Where the element has a second port, the opposite of that wrench acts there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import FloatArray
from .ports import IntArray, Ports, cross
from .signals import Signals

if TYPE_CHECKING:
    from ...dynamics import Moment

WORLD_AXES = -1


@dataclass(frozen=True, eq=False, repr=False)
class GivenWrenches:
    """n forces and torques: a force element of `dynamics.System`.

    Attributes:
        ports: k frames, in the order in which wrenches act on them.
        source, sign: (k,), which of the n wrenches acts on each port, and with which sign.
        acting: (n,), the port where each force attaches.
        axes: (n,), the port whose axes f and tau are given in, or WORLD_AXES.
        force, torque: n signals of (3,), N and N m; a force may be a function of (t, r, v),
            with the position and the velocity of the acting port in the world.
    """

    ports: Ports
    source: IntArray
    sign: FloatArray
    acting: IntArray
    axes: IntArray
    force: Signals
    torque: Signals

    def __repr__(self) -> str:
        return f"<GivenWrenches: {len(self.acting)} given forces and torques>"

    @classmethod
    def joined(cls, parts: Sequence[GivenWrenches]) -> GivenWrenches:
        """All elements of several as one."""
        ports = _starts([len(part.source) for part in parts])
        wrenches = _starts([len(part.acting) for part in parts])
        shift = list(zip(parts, ports, wrenches, strict=True))
        return cls(
            Ports.joined([part.ports for part in parts]),
            np.concatenate([part.source + wrench for part, _, wrench in shift]),
            np.concatenate([part.sign for part in parts]),
            np.concatenate([part.acting + port for part, port, _ in shift]),
            np.concatenate(
                [np.where(part.axes < 0, WORLD_AXES, part.axes + port) for part, port, _ in shift]
            ),
            Signals.joined([part.force for part in parts]),
            Signals.joined([part.torque for part in parts]),
        )

    @property
    def frames(self) -> IntArray:
        """(k,): of the model."""
        return self.ports.frames

    @property
    def timed(self) -> bool:
        """Whether a function of time is among its elements."""
        return self.force.timed or self.torque.timed

    @cached_property
    def _some_local(self) -> bool:
        return bool((self.axes != WORLD_AXES).any())

    @cached_property
    def _all_local(self) -> bool:
        return bool((self.axes != WORLD_AXES).all())

    def given(self, at: Moment) -> tuple[FloatArray, FloatArray]:
        """Force and torque of each (…, n, 3), in world axes, about the acting port."""
        lead = at.q.shape[:-1]
        state: tuple[FloatArray, ...] = ()
        if self.force.of_state:
            place = self.ports.positions(at)[..., self.acting, :]
            twist = self.ports.twists(at)[..., self.acting, :]
            state = place, twist[..., 3:] + cross(twist[..., :3], place)
        force = self.force.at(at.t, lead, *state)
        torque = self.torque.at(at.t, lead)
        if self._some_local:
            turned = self.ports.rotations(at)[..., self.axes, :, :]
            if not self._all_local:
                turned = np.where(self.axes[:, None, None] == WORLD_AXES, np.eye(3), turned)
            return (turned @ force[..., None])[..., 0], (turned @ torque[..., None])[..., 0]
        whole = np.zeros((*lead, len(self.acting), 3))
        return force + whole, torque + whole

    def wrenches(self, at: Moment) -> FloatArray:
        """(…, k, 6): on the carriers of the ports."""
        force, torque = self.given(at)
        place = self.ports.positions(at)[..., self.acting, :]
        wrench = np.concatenate((cross(place, force) + torque, force), axis=-1)
        out: FloatArray = wrench[..., self.source, :] * self.sign[:, None]
        return out


def _starts(counts: Sequence[int]) -> list[int]:
    return [sum(counts[:index]) for index in range(len(counts))]
