"""Whether stability holds an explicit scheme back, seen over several steps."""

from __future__ import annotations

STEPS = 15  # at the bound of stability, not counting those below it: the motion is stiff
CLEAR = 6  # in a row below the bound: what was counted is forgotten


class StiffnessWatch:
    """Counts steps at the bound of stability.

    Source: E. Hairer, G. Wanner, Solving ODEs II, 2nd ed., section IV.2 (its numbers of steps).
    """

    def __init__(self) -> None:
        self._at_bound = 0
        self._below = 0

    def sees(self, stiffness: float) -> bool:
        """Whether the motion is stiff, after one more step of |h lambda| = stiffness bounds.

        Having said so, it starts over.
        """
        if stiffness > 1.0:
            self._at_bound, self._below = self._at_bound + 1, 0
        else:
            self._below += 1
            if self._below == CLEAR:
                self._at_bound = 0
        if self._at_bound < STEPS:
            return False
        self._at_bound = 0
        return True
