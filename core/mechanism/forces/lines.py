"""Springs and dampers along the line between two points, all of a mechanism at once.

    f = c (s - s_unstretched) + d s',  positive where the element pulls

with s the distance of the points. The unit wrench of the line at the world origin is
L = (p_a x e, e) with e from a to b, so that s' = L . (V_b - V_a), and the element acts on the
carrier of a with f L and on that of b with -f L.

Where the points coincide, e is the direction in which they part, and 0 where they are at rest
against each other. So a spring without rest length pulls with exactly -c times the vector, and a
damper that passes through length 0 pulls on with the same force; one with a rest length
has no direction there and exerts nothing at the instant of rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import FloatArray
from .ports import IntArray, Ports, cross

if TYPE_CHECKING:
    from ...dynamics import Moment


@dataclass(frozen=True, eq=False)
class LineState:
    """Of n elements: length s (m), rate v (m/s), force f (N), each (…, n); lines (…, n, 6)."""

    s: FloatArray
    v: FloatArray
    f: FloatArray
    lines: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class LineForces:
    """n springs and dampers: a force element of `dynamics.System`.

    ports are the 2 n ends: a and b of the first element, then of the next. c (N/m),
    s_unstretched (m) and d (N s/m) are (n,).
    """

    ports: Ports
    c: FloatArray
    s_unstretched: FloatArray
    d: FloatArray

    def __repr__(self) -> str:
        return f"<LineForces: {len(self.c)} line forces>"

    @classmethod
    def joined(cls, parts: Sequence[LineForces]) -> LineForces:
        """All elements of several as one."""
        return cls(
            Ports.joined([part.ports for part in parts]),
            np.concatenate([part.c for part in parts]),
            np.concatenate([part.s_unstretched for part in parts]),
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

    def state(self, at: Moment) -> LineState:
        """Lengths, rates and forces."""
        places = self.ports.positions(at)
        start = places[..., 0::2, :]
        across = places[..., 1::2, :] - start
        # hypot neither overflows nor underflows
        s = np.hypot(np.hypot(across[..., 0], across[..., 1]), across[..., 2])
        twists = self.ports.twists(at)
        gain = twists[..., 1::2, :] - twists[..., 0::2, :]
        together = s == 0.0
        if together.any():
            parting = gain[..., 3:] + cross(gain[..., :3], start)
            speed = np.linalg.norm(parting, axis=-1)
            across = np.where(together[..., None], parting, across)
            length = np.where(together, np.where(speed > 0.0, speed, 1.0), s)
        else:
            length = s
        e = across / length[..., None]
        lines = np.concatenate((cross(start, e), e), axis=-1)
        v = (lines * gain).sum(axis=-1)
        return LineState(s, v, self.c * (s - self.s_unstretched) + self.d * v, lines)

    def wrenches(self, at: Moment) -> FloatArray:
        """(…, 2 n, 6): on the carriers of a and b."""
        state = self.state(at)
        pull = state.f[..., None] * state.lines
        out = np.empty((*pull.shape[:-2], len(self.frames), 6))
        out[..., 0::2, :] = pull
        out[..., 1::2, :] = -pull
        return out

    def stored_energy(self, at: Moment) -> FloatArray:
        """sum of 1/2 c (s - s_unstretched)^2 (…), J."""
        stretch = self.state(at).s - self.s_unstretched
        out: FloatArray = (0.5 * self.c * stretch**2).sum(axis=-1)
        return out
