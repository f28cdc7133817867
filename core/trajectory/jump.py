"""An instant at which a motion jumps: where it comes from, and how it goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Jump:
    """Velocities, or accelerations only, are not the same before and after.

    Attributes:
        time: s.
        causes: what happened, such as "Ball 'catch' switched on at 2 s".
        q_left, v_left: (nq,), (nv,), the state before.
        q_right, v_right: the state after, which is that of the trajectory at the time itself.
        lost: J, kinetic and potential energy before less that after.
    """

    time: float
    causes: tuple[str, ...]
    q_left: FloatArray
    v_left: FloatArray
    q_right: FloatArray
    v_right: FloatArray
    lost: float


def merged(jumps: Sequence[Jump]) -> tuple[Jump, ...]:
    """The jumps in order, those of one time made one."""
    out: list[Jump] = []
    for jump in jumps:
        if out and out[-1].time == jump.time:
            before = out.pop()
            jump = replace(
                jump,
                causes=(*before.causes, *jump.causes),
                q_left=before.q_left,
                v_left=before.v_left,
                lost=before.lost + jump.lost,
            )
        out.append(jump)
    return tuple(out)
