"""How far a closed loop opens between keys, and how that is told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

LOOP_TOLERANCE = 1e-4  # m
WORTH_TELLING = 1e-9  # rad
# why a loop stays open: keys cannot stand nearer, the motion itself is open, too few digits
Reason = Literal["", "keys", "motion", "digits"]
REASONS = {
    "keys": "keys cannot stand nearer there; slow the motion down or raise the frame rate",
    "motion": "the motion itself does not close it",
    "digits": "curves keep 7 digits of the joint values, too few digits for that",
}


@dataclass(frozen=True)
class LoopGap:
    """How far one constraint opens under the curves.

    Attributes:
        name: of the constraint.
        distance: m; angle: rad, where the opening is largest; None where it has no such rows.
        opening: m, the largest; frame: where.
        tolerance: m, what was asked for; None for nothing.
        reason: why the opening is larger than that; empty where it is not.
    """

    name: str
    distance: float | None
    angle: float | None
    opening: float
    frame: float
    tolerance: float | None = None
    reason: Reason = ""

    @property
    def is_met(self) -> bool:
        """Whether it is below the tolerance."""
        return not self.reason

    def scaled(self, scale: float) -> LoopGap:
        """The same with lengths `scale` times as long."""
        return replace(
            self,
            distance=None if self.distance is None else scale * self.distance,
            opening=scale * self.opening,
            tolerance=None if self.tolerance is None else scale * self.tolerance,
        )

    def told(self) -> str:
        """Such as "loop 'rod' opens at most 0.03 mm between frames"."""
        gaps = [] if self.distance is None else [f"{1e3 * self.distance:.2g} mm"]
        if self.angle is not None and (self.angle > WORTH_TELLING or not gaps):
            gaps.append(f"{self.angle:.2g} rad")
        text = f"loop '{self.name}' opens at most {' and '.join(gaps)} between frames"
        if not self.reason:
            return text
        assert self.tolerance is not None
        return (
            f"{text}, at frame {self.frame:.6g}, and {1e3 * self.tolerance:.3g} mm were wanted: "
            f"{REASONS[self.reason]}"
        )
