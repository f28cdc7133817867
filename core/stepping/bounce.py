"""Restitution: which contacts bounce, how fast, and what of it there is no energy for.

With a the acceleration of a gap without contact and u_0 its speed at the start of the step, a
contact meets with the speed that it has at the instant of touching, and leaves as if that were the
end of the step:

    u^- = -sqrt(u_0^2 - 2 a gap),    J v+ >= -e u^- - h a / 2

So a ball that bounces with e = 1 keeps its energy, and is late by less than a step.

Newton's restitution with friction may make energy out of nothing. The work of the impulses is

    p . (u_f + u_+) / 2 <= sum p_n (u_0 - u^-) / 2

u_f and u_+ without and with p, and on the right what falling on to the touch gives. Where it is
more, as much of the rebound is taken back as makes it so, with p_0 of e = 0:

    p <- p_0 + s (p - p_0),    which stays in the cones of friction
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray
from .rows import Rows
from .settings import LEAST_BOUNCE, RESTING

HALVINGS = 40  # of the part of a rebound that is taken back


class Times(NamedTuple):
    """s: the instant, and the steps before and after it, 0 for none."""

    t: float
    before: float
    after: float

    @property
    def kick(self) -> float:
        """How long forces act: from the middle of one step to that of the next."""
        return 0.5 * (self.before + self.after)

    @property
    def reach(self) -> float:
        """How long coordinates move with what comes out; behind the end as long as before."""
        return self.after if self.after > 0.0 else self.before


class Meeting(NamedTuple):
    """How gaps close, each (k + r,): u_0 at the start, u^- at the touch, and h a / 2."""

    start: FloatArray
    touch: FloatArray
    late: FloatArray


def meeting(rows: Rows, before: FloatArray, v: FloatArray, times: Times) -> Meeting:
    """How the gaps of all places close.

    Args:
        before: (k + r,), their rates at the velocity v (nv,) of the step before.
    """
    a = rows.jacobian[rows.normal] @ (rows.free - v) / times.kick
    start = before + 0.5 * times.before * a
    square = np.maximum(start * start - 2.0 * a * np.fmax(rows.gap, 0.0), 0.0)
    touch = np.where(start < 0.0, -np.sqrt(square), 0.0)
    return Meeting(start, touch, 0.5 * times.after * a)


def bounces(rows: Rows, meets: Meeting, pressing: BoolArray, gravity: float, h: float) -> BoolArray:
    """The places (k + r,) that bounce: slow meetings do not, so that bouncing comes to an end."""
    least = max(RESTING * gravity * h, LEAST_BOUNCE)
    out: BoolArray = pressing & (rows.restitution > 0.0) & (meets.touch < -least)
    return out


def without_gain(
    w: FloatArray,
    speed: FloatArray,
    rebound: FloatArray,
    still: FloatArray,
    counted: BoolArray,
    given: FloatArray,
) -> FloatArray:
    """The impulses (m,) of a rebound, less what there is no energy for.

    Args:
        w: (m, m); speed: (m,), without impulses.
        rebound, still: (m,), impulses with and without restitution.
        counted: (m,), the rows that are to do no work.
        given: (m,), speeds that their impulses may do work with.
    """

    def gain(p: FloatArray) -> float:
        work = p * (2.0 * speed + w @ p - given)
        return float(work[counted].sum())

    if gain(rebound) <= 0.0:
        return rebound
    least, most = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = 0.5 * (least + most)
        if gain(still + middle * (rebound - still)) <= 0.0:
            least = middle
        else:
            most = middle
    return still + least * (rebound - still)
