"""The contact forces that a motion by time stepping has found, as a force element.

With it the equations of motion tell what acts through joints, frames and constraints. Each impulse
is spread over its time, see `trajectory.Touches`, so that forces are steps over time; an impact is
one high step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import FloatArray
from ...dynamics.model import IntArray
from ...trajectory.touches import Touches
from .touching_pairs import TouchingPairs

if TYPE_CHECKING:
    from ...dynamics import Moment


@dataclass(frozen=True, eq=False)
class Touch:
    """What acts between the two sides of a contact.

    push, rub (…), N: the sums of all its points along the normals, and across them.
    """

    push: FloatArray
    rub: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class TouchForces:
    """Of n pairs of colliders, over time: a force element of `dynamics.System`.

    Attributes:
        pairs: what may touch.
        frames: (2 n,), the model's frames of the colliders.
        touches: what the motion has left behind.
    """

    pairs: TouchingPairs
    frames: IntArray
    touches: Touches

    timed = True

    def __repr__(self) -> str:
        return f"<TouchForces: {len(self.pairs.names)} pairs>"

    def wrenches(self, at: Moment) -> FloatArray:
        """(…, 2 n, 6): torque, force, at the world origin; a pair's are opposite."""
        own = self._wrench[self._place(at.t)]
        both = np.stack((own, -own), axis=-2)
        out: FloatArray = both.reshape(*both.shape[:-3], -1, 6)
        return np.broadcast_to(out, (*at.q.shape[:-1], *out.shape[-2:]))

    def touch(self, name: str, t: FloatArray) -> Touch:
        """Of the component of that name at times t (…), s."""
        pair, place = self.pairs.names.index(name), self._place(t)
        return Touch(self._push[place, pair], self._rub[place, pair])

    def _place(self, t: FloatArray) -> IntArray:
        """The kicks (…) within whose time t (…) is."""
        place = np.searchsorted(self.touches.edges, t, side="right") - 1
        return np.clip(place, 0, len(self._span) - 1)

    @cached_property
    def _span(self) -> FloatArray:
        """(k,), s: over how long each kick acts."""
        return np.diff(self.touches.edges)

    @cached_property
    def _pair(self) -> tuple[IntArray, FloatArray]:
        """Of each contact its pair, and +1 where its first collider is the pair's first."""
        number = {own.name: index for index, own in enumerate(self.pairs.colliders)}
        known = np.array([number[name] for name in self.touches.colliders], dtype=np.intp)
        first = known[self.touches.first] if len(known) else self.touches.first
        return first // 2, np.where(first % 2 == 0, 1.0, -1.0)

    @cached_property
    def _wrench(self) -> FloatArray:
        """(k, n, 6), on the first collider of each pair."""
        touches, (_, sign) = self.touches, self._pair
        force = sign[:, None] * touches.impulse
        return self._summed(np.concatenate((np.cross(touches.point, force), force), axis=1))

    @cached_property
    def _normal(self) -> FloatArray:
        """Of each contact the part of its impulse along the normal, N s."""
        out: FloatArray = (self.touches.impulse * self.touches.normal).sum(axis=1)
        return out

    @cached_property
    def _push(self) -> FloatArray:
        """(k, n), N."""
        return self._summed(self._normal)

    @cached_property
    def _rub(self) -> FloatArray:
        """(k, n), N."""
        _, sign = self._pair
        across = self.touches.impulse - self._normal[:, None] * self.touches.normal
        out: FloatArray = np.linalg.norm(self._summed(sign[:, None] * across), axis=-1)
        return out

    def _summed(self, values: FloatArray) -> FloatArray:
        """Sums over the contacts (m, …) of each kick and pair, (k, n, …), over their time."""
        pair, _ = self._pair
        out = np.zeros((len(self._span), len(self.pairs.names), *values.shape[1:]))
        np.add.at(out, (self.touches.kick, pair), values)
        return out / self._span.reshape(-1, *[1] * (out.ndim - 1))
