"""An impact of a motion, as it is told."""

from __future__ import annotations

from dataclasses import dataclass

from ..arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Impact:
    """Gaps that have closed at one instant, and the velocities before and behind it.

    Attributes:
        time: s.
        contacts: (k), the names of the gaps that exerted an impulse.
        impulses: (k,), N s or N m s, positive: they push apart.
        speeds_left, speeds_right: (k,), rates of the gaps before and behind, m/s or rad/s.
        q: (nq,); v_left, v_right: (nv,).
        lost: J, kinetic energy before less that behind.
    """

    time: float
    contacts: tuple[str, ...]
    impulses: FloatArray
    speeds_left: FloatArray
    speeds_right: FloatArray
    q: FloatArray
    v_left: FloatArray
    v_right: FloatArray
    lost: float
