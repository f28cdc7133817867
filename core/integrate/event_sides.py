"""On which side of zero a function is, and where it gets to the other one.

Behind its own crossing a function is near zero and may stay there, as that of a point that is held
where it was caught. So it counts as back only when it has got further than NOISE, of the largest
value that it has had; and as far from zero it has to be before a start on zero becomes a side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray

NOISE = 1e-10  # of the largest value: so near zero is on it


class Change(NamedTuple):
    """A function gets to another side (+1, -1), between two times of samples (s).

    values: g there; the first is not on the side that is left where the step begins at zero.
    """

    before: float
    after: float
    values: tuple[float, float]
    side: int


@dataclass(frozen=True)
class Side:
    """Where a function is: side +1, -1, or 0 where it has not left zero yet.

    sure: whether it has been further from zero than noise since it came to that side; largest:
    of all |g| so far.
    """

    side: int = 0
    sure: bool = False
    largest: float = 0.0

    def _seen(self, values: Sequence[float] | FloatArray) -> float:
        return max(self.largest, float(np.abs(values).max()))

    def _walk(self, values: FloatArray) -> tuple[list[tuple[int, int, int]], Side]:
        """Changes as (place before, place after, new side), and where it ends."""
        largest = self._seen(values)
        side, sure, before = self.side, self.sure, 0
        if sure and (values * side > 0.0).all():
            return [], replace(self, largest=largest)
        found = []
        for place, value in enumerate(values.tolist()):
            clear = abs(value) > NOISE * largest
            if value * side > 0.0:
                before, sure = place, sure or clear
            elif side == 0 and clear:
                side, sure, before = _sign(value), True, place
            elif value * side < 0.0 and (sure or clear):
                found.append((before, place, -side))
                side, sure, before = -side, clear, place
        return found, Side(side, sure, largest)

    def changes(self, times: FloatArray, values: FloatArray) -> list[Change]:
        """All changes of side on the way of a step."""
        return [
            Change(
                float(times[before]),
                float(times[after]),
                (float(values[before]), float(values[after])),
                side,
            )
            for before, after, side in self._walk(values)[0]
        ]

    def followed(self, values: FloatArray, passed: Sequence[int]) -> Side:
        """After samples, and changes to the sides that were passed."""
        after = self._walk(values)[1]
        if passed and after.side != passed[-1]:
            return replace(after, side=passed[-1], sure=False)
        return after

    def thrown(self, value: float) -> Side:
        """After a jump to a value."""
        largest = self._seen([value])
        if abs(value) > NOISE * largest:
            return Side(_sign(value), True, largest)
        return Side(self.side, False, largest)


def _sign(value: float) -> int:
    return 1 if value > 0.0 else -1
