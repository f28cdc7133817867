"""Coulomb's law as a projection: impulses stay where a step against their velocity leaves them.

A contact's impulse p = (p_n, p_t) and velocity u = (u_n, u_t) obey

    0 <= p_n  _|_  u_n >= 0,   |p_t| <= mu p_n,   p_t = -mu p_n u_t / |u_t|  if u_t != 0

if and only if p = P(p - u / d) for any d > 0, with P of z = (z_n, z_t)

    P_n = max(z_n, 0),   P_t = z_t min(1, mu P_n / |z_t|);

a scalar row's with P = min(max(z, lower), upper). Since the disc has the radius mu P_n, u_n stands
for itself, without De Saxce's mu |u_t|: the law is Coulomb's own and not its convex relaxation.

Source: P. Alart, A. Curnier, A mixed formulation for frictional contact problems prone to Newton
like solution methods, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...arrays import FloatArray, frozen

TINY = 1e-300  # added to divisors that may be 0 where the quotient is 0


@lru_cache(maxsize=64)
def _contact_bounds(k: int) -> tuple[FloatArray, FloatArray]:
    """Lower and upper bounds (3 k,) of the impulses of contacts."""
    low = np.full(3 * k, -np.inf)
    low[::3] = 0.0
    return frozen(low), frozen(np.full(3 * k, np.inf))


class Law(NamedTuple):
    """Bounds of m = 3 k + r impulses: k contacts (normal, tangent, tangent), then r scalars.

    friction mu (k,); lower (m,) and upper (m,): of a contact 0, -inf, -inf and inf, inf, inf.
    """

    friction: FloatArray
    lower: FloatArray
    upper: FloatArray

    @classmethod
    def of(cls, friction: FloatArray, lower: FloatArray, upper: FloatArray) -> Law:
        """The law of contacts with friction (k,) and of scalars with bounds (r,)."""
        low, high = _contact_bounds(len(friction))
        if len(lower):
            low, high = np.concatenate((low, lower)), np.concatenate((high, upper))
        return cls(friction, low, high)

    def project(self, z: FloatArray) -> Projected:
        """P(z) of z (m,)."""
        k = len(self.friction)
        onto = np.maximum(z, self.lower)
        if len(z) > 3 * k:
            np.minimum(onto, self.upper, out=onto)
        contacts = onto[: 3 * k].reshape(k, 3)
        size = np.hypot(contacts[:, 1], contacts[:, 2])
        radius = self.friction * contacts[:, 0]
        part = radius / np.maximum(size, radius + TINY)
        contacts[:, 1:] *= part[:, None]
        return Projected(onto, size, radius, part)

    def slopes(self, z: FloatArray, at: Projected) -> tuple[FloatArray, FloatArray]:
        """dP/dz where P is smooth, an element of its generalised derivative elsewhere.

        Of contacts: blocks (k, 3, 3); with t = z_t / |z_t| they are

            open  0,   sticking  I,   sliding  [[1, 0], [mu t, (mu z_n / |z_t|) (I - t t^T)]];

        of scalar rows: 1 inside the bounds, else 0, (r,).
        """
        k = len(self.friction)
        contacts, scalars = z[: 3 * k].reshape(k, 3), slice(3 * k, None)
        touching, sliding = contacts[:, 0] > 0.0, at.size > at.radius
        along = contacts[:, 1:] * (sliding / np.maximum(at.size, TINY))[:, None]
        blocks = np.zeros((k, 3, 3))
        blocks[:, 0, 0] = touching
        blocks[:, 1:, 0] = along * (self.friction * touching)[:, None]
        np.multiply((-at.part[:, None] * along)[:, :, None], along[:, None, :], blocks[:, 1:, 1:])
        blocks[:, 1, 1] += at.part
        blocks[:, 2, 2] += at.part
        inside = (z[scalars] > self.lower[scalars]) & (z[scalars] < self.upper[scalars])
        return blocks, inside.astype(np.float64)


class Projected(NamedTuple):
    """P(z): onto (m,), and of its contacts what the slopes need.

    size (k,) |z_t|; radius (k,) mu P_n; part (k,) of z_t that P_t is.
    """

    onto: FloatArray
    size: FloatArray
    radius: FloatArray
    part: FloatArray
