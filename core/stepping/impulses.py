"""The impulses of a step: of the position, and again of the velocity where these differ."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray
from ..dynamics.friction.cones import cone_answer
from ..dynamics.friction.law import Law
from ..dynamics.model import IntArray
from .bounce import Meeting, Times, bounces, meeting, without_gain
from .rows import Rows
from .settings import CORRECTION, CORRECTION_SPEED, LANDING, SLOP


class Answer(NamedTuple):
    """What impulses do.

    Attributes:
        moving: (nv,), the velocity of the displacement; after: (nv,), the one that goes on.
        contacts: (k, 3), N s, normal and tangents; scalars: (r,), N s or N m s.
        push: (nv,), J^T p of contacts and limits.
        acted: whether contacts or limits exert anything; landed: whether some that were not closed
            before do.
        corrected: whether penetration is taken back.
        residual: m/s; converged: whether that is small enough.
    """

    moving: FloatArray
    after: FloatArray
    contacts: FloatArray
    scalars: FloatArray
    push: FloatArray
    acted: bool = False
    landed: bool = False
    corrected: bool = False
    residual: float = 0.0
    converged: bool = True


class Impulses:
    """Solves for impulses, starting from those of the step before.

    Args:
        gravity: m/s^2.
        tolerance: of the residual, m/s.
    """

    def __init__(self, gravity: float, tolerance: float) -> None:
        self._gravity, self._tolerance = gravity, tolerance
        self._keys: IntArray = np.zeros(0, dtype=np.intp)
        self._same = b""  # the keys, as they stood
        self._last = np.zeros((0, 3))
        self._residual, self._converged = 0.0, True

    def __call__(self, rows: Rows, v: FloatArray, times: Times) -> Answer:
        """The impulses of a step; v (nv,) is the velocity before."""
        k, none = rows.count, np.zeros(rows.scalars)
        idle = Answer(rows.free, rows.free, np.zeros((k, 3)), none, np.zeros(len(v)))
        if not k + rows.scalars:
            return idle
        speed, shift = rows.speeds(), _shift(rows)
        # where nothing comes too near nothing has to be solved
        if bool((rows.is_gap & (speed[rows.normal] + shift[rows.normal] >= 0.0)).all()):
            return idle
        self._residual, self._converged = 0.0, True
        moves, w = rows.matrices()
        p = self._solved(w, speed + shift, *rows.bounds, self._warm(rows))
        self._remember(rows, p)
        moving = after = rows.free + moves @ p
        pressing = (p[rows.normal] > 0.0) & rows.is_gap
        before = rows.jacobian[rows.normal] @ v
        landing = (before < -LANDING * self._gravity * times.kick) | (rows.gap > SLOP)
        deep = pressing & (rows.gap < -SLOP)
        bouncing, meets = landing & False, None
        if rows.restitution.any():
            meets = meeting(rows, before, v, times)
            bouncing = bounces(rows, meets, pressing, self._gravity, times.kick)
            landing |= bouncing
        if bouncing.any() or deep.any():
            p = self._of_velocity(rows, w, speed, p, meets, bouncing, pressing)
            after = rows.free + moves @ p
        return Answer(
            moving,
            after,
            p[: 3 * k].reshape(k, 3),
            p[3 * k :],
            (p if rows.joints is None else p * rows.spread(rows.is_gap)) @ rows.jacobian,
            bool(pressing.any()),
            bool((pressing & landing).any()),
            bool(deep.any()),
            self._residual,
            self._converged,
        )

    def _of_velocity(
        self,
        rows: Rows,
        w: FloatArray,
        speed: FloatArray,
        start: FloatArray,
        meets: Meeting | None,
        bouncing: BoolArray,
        pressing: BoolArray,
    ) -> FloatArray:
        """The impulses (m,) of the velocity that goes on; only what touches has some."""
        k = rows.count
        taken = pressing | ~rows.is_gap | (rows.gap <= SLOP)
        own = np.flatnonzero(rows.spread(taken))
        mu, lower, upper = rows.bounds
        bounds = mu[taken[:k]], lower[taken[k:]], upper[taken[k:]]
        wanted = np.zeros(len(speed))
        if meets is not None:
            rebound = rows.restitution * meets.touch + meets.late
            wanted[rows.normal] = np.where(bouncing, rebound, 0.0)
        matrix = w[np.ix_(own, own)]
        p = self._solved(matrix, (speed + wanted)[own], *bounds, start[own])
        if meets is not None and bouncing.any():
            still = self._solved(matrix, speed[own], *bounds, p)
            given = np.zeros(len(speed))
            given[rows.normal] = np.where(bouncing, meets.start - meets.touch, 0.0)
            counted = rows.spread(rows.is_gap)[own]
            p = without_gain(matrix, speed[own], p, still, counted, given[own])
        out = np.zeros(len(speed))
        out[own] = p
        return out

    def _solved(
        self,
        w: FloatArray,
        b: FloatArray,
        mu: FloatArray,
        lower: FloatArray,
        upper: FloatArray,
        start: FloatArray,
    ) -> FloatArray:
        """Impulses (m,), with what is to be told of how well they were found."""
        if not b.any():
            return np.zeros(len(b))
        answer = cone_answer(w, b, Law.of(mu, lower, upper), start, self._tolerance)
        self._residual = max(self._residual, answer.residual)
        self._converged &= answer.converged
        return answer.impulses

    def _warm(self, rows: Rows) -> FloatArray:
        """The impulses (m,) of the step before, where places are the same."""
        start, k = np.zeros(len(rows.jacobian)), rows.count
        if not len(self._keys):
            return start
        last = self._last
        if rows.keys.tobytes() != self._same:
            order = np.argsort(self._keys)
            where = order[np.searchsorted(self._keys, rows.keys, sorter=order) % len(order)]
            known = self._keys[where] == rows.keys
            last = np.where(known[:, None], last[where], 0.0)
        if rows.contacts is not None:
            start[: 3 * k] = (rows.contacts.basis @ last[:k, :, None])[..., 0].ravel()
        start[3 * k :] = last[k:, 0]
        return start

    def _remember(self, rows: Rows, p: FloatArray) -> None:
        """Keep the impulses (m,), those of contacts in the world's axes."""
        k = rows.count
        last = np.zeros((len(rows.keys), 3))
        if rows.contacts is not None:
            last[:k] = (p[: 3 * k].reshape(k, 1, 3) @ rows.contacts.basis)[:, 0]
        last[k:, 0] = p[3 * k :]
        self._keys, self._same, self._last = rows.keys, rows.keys.tobytes(), last


def _shift(rows: Rows) -> FloatArray:
    """What positions ask for: u + shift >= 0 of gaps, (m,), m/s."""
    out, gap = np.zeros(len(rows.jacobian)), rows.gap
    back = np.maximum((-SLOP - gap) * (CORRECTION / rows.h), 0.0)
    own = np.maximum(gap, 0.0) / rows.h - np.minimum(back, CORRECTION_SPEED)
    if rows.contacts is not None and rows.contacts.wanted is not None:
        own[: rows.count] = rows.contacts.wanted
    out[rows.normal] = own if rows.joints is None else np.where(rows.is_gap, own, 0.0)
    return out
