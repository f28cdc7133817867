"""Where functions of time and state cross zero on the way of a step.

Each function g(t, y) is followed from step to step: it is known on which side of zero it is
(`event_sides`), and a crossing is where it gets to the other one. A step is looked at through its
dense output y(t), at as many places as it takes (`event_samples`), and the zero between two of
them is found to PRECISION (`roots`). Crossings that are no further apart than SAME are one instant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..errors import SimulationError
from .event_samples import Look, Path, Samples
from .event_sides import Change, Side

SAME = 1e-12  # s; of times after 1 s, of the time: nearer instants are one

Direction = Literal[-1, 0, 1]


@dataclass(frozen=True, eq=False)
class EventFunction:
    """A function to be watched.

    Attributes:
        value: g(t, y) of a time (s) and the state (n,) then.
        label: what it is called in messages.
        direction: of the crossings that count: +1 rising, -1 falling, 0 any.
    """

    value: Callable[[float, FloatArray], float]
    label: str
    direction: Direction = 0

    def __call__(self, t: float, y: FloatArray) -> float:
        """g at one state.

        Raises:
            SimulationError: where it is no finite number.
        """
        given = self.value(t, y)
        try:
            value = float(given)
        except (TypeError, ValueError):
            value = np.nan
        if not np.isfinite(value):
            raise SimulationError(
                f"{self.label}: at t = {t:.6g} s: wanted a finite number, got {given!r}"
            )
        return value

    def counts(self, side: int) -> bool:
        """Whether a crossing to that side counts."""
        return self.direction in (0, side)


class Crossing(NamedTuple):
    """An instant (s) at which functions cross zero, by their places among all."""

    t: float
    events: tuple[int, ...]


def same_instant(t: float) -> float:
    """How near to a time another is the same instant, s."""
    return SAME * max(1.0, abs(t))


class Watch:
    """Follows functions along a motion.

    Args:
        events: the functions.
        t, y: the start, y (n,).
    """

    def __init__(self, events: Sequence[EventFunction], t: float, y: FloatArray) -> None:
        self.events = tuple(events)
        self._sides = [Side() for _ in self.events]
        self._samples: list[Samples] = []
        for event in self.events:
            event(t, y)  # refused at once; its side shows once its size is known

    def first(
        self,
        path: Path,
        start: float,
        end: float,
        live: Sequence[bool] | None = None,
        rough: Path | None = None,
    ) -> Crossing | None:
        """The first crossing that counts, on the way of a step; None where there is none.

        `follow` or another step comes next.

        Args:
            path: the step's dense output.
            start, end: s, of the step.
            live: which functions are asked for; all if none are said.
            rough: the same as path but for what is settled, where that takes less time.
        """
        look = Look(path, path if rough is None else rough)
        self._samples = [
            Samples(event, look, start, end, side)
            for event, side in zip(self.events, self._sides, strict=True)
        ]
        found: list[tuple[float, int]] = []
        nearest = np.inf
        for index, event in enumerate(self.events):
            if live is not None and not live[index]:
                continue
            for change in self._changes(index):
                if event.counts(change.side):
                    if change.before <= nearest + same_instant(end):
                        t = self._samples[index].root(change)
                        nearest = min(nearest, t)
                        found.append((t, index))
                    break
        if not found:
            return None
        together = nearest + same_instant(nearest)
        return Crossing(nearest, tuple(index for t, index in found if t <= together))

    def follow(self, t: float) -> None:
        """Go along the step that was looked at, to a time within it (s) or to its end."""
        for index, samples in enumerate(self._samples):
            side = self._sides[index]
            passed = [
                change.side
                for change in self._changes(index)
                if change.before <= t + same_instant(t)
                and samples.root(change) <= t + same_instant(t)
            ]
            self._sides[index] = side.followed(samples.until(t), passed)
        self._samples = []

    def jump(self, t: float, y: FloatArray) -> tuple[int, ...]:
        """Go on from another state (n,) of the same time; which functions that makes cross."""
        crossed = []
        for index, event in enumerate(self.events):
            before = self._sides[index]
            after = self._sides[index] = before.thrown(event(t, y))
            if before.side and after.side != before.side and event.counts(after.side):
                crossed.append(index)
        return tuple(crossed)

    def _changes(self, index: int) -> list[Change]:
        samples = self._samples[index]
        return self._sides[index].changes(samples.times, samples.values)
