"""When a constraint begins and ceases to act: at a time, or where a condition crosses zero.

`Switch.at(2.0, False)` lets go at 2 s; `Switch.when(height, True, direction=-1)` takes hold where
the function (t, q, v) -> float falls through zero. Both are met exactly: a step of the scheme ends
there. `simulate` honours switches; everything else goes by a constraint's `active` alone.

* A switch that finds its constraint as it is to be has no effect.
* Switches at times up to the start have been made before it, in the order of their times; what
  acts then is put together as any start is.
* A condition counts where it goes from one side of zero to the other, and each time that it does;
  one that has crossed before the start, or that never crosses, has no effect. Starting at zero
  itself is no crossing, nor is coming to zero without leaving it again.
* A condition that is thrown to the other side, because a switch changes velocities, has crossed.
* Switches at one instant are made together, and the state is projected once. Two that want one
  constraint differently are an error.
* Switches at the end of a simulation are made: its last state is the one behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...arrays import FloatArray
from ...errors import ArgumentError

Direction = Literal[-1, 0, 1]
# of t (s), q (nq,) and v (nv,)
Condition = Callable[[float, FloatArray, FloatArray], float]


@dataclass(frozen=True, eq=False)
class Switch:
    """A constraint begins to act, or ceases to; made by `Switch.at` and `Switch.when`.

    Attributes:
        active: whether the constraint acts from there on.
        time: s; None where a condition decides.
        function: the condition (t, q, v) -> float, with q (nq,) and v (nv,) of the model; None
            where a time decides.
        direction: of the crossing: +1 rising only, -1 falling only, 0 any.

    Raises:
        ArgumentError: for what is no time, function or direction.
    """

    active: bool
    time: float | None = None
    function: Condition | None = None
    direction: Direction = 0

    @classmethod
    def at(cls, time: float, active: bool) -> Switch:
        """At a time, s."""
        return cls(active, time=time)

    @classmethod
    def when(cls, function: Condition, active: bool, direction: Direction = 0) -> Switch:
        """Where a function (t, q, v) -> float crosses zero."""
        return cls(active, function=function, direction=direction)

    def __post_init__(self) -> None:
        if not isinstance(self.active, bool | np.bool_):
            raise _refused("active", "True (it acts from there on) or False", self.active)
        object.__setattr__(self, "active", bool(self.active))
        if (self.time is None) == (self.function is None):
            given = (self.time, self.function)
            raise _refused("time, function", "one of them; see Switch.at and Switch.when", given)
        if self.time is not None:
            number = isinstance(self.time, int | float | np.number)
            if not number or isinstance(self.time, bool) or not np.isfinite(self.time):
                raise _refused("time", "a finite number of seconds", self.time)
            object.__setattr__(self, "time", float(self.time))
            if self.direction != 0:
                raise _refused("direction", "none for a switch at a time", self.direction)
        elif not callable(self.function):
            raise _refused("function", "a function (t, q, v) -> float", self.function)
        if self.direction not in (-1, 0, 1):
            wanted = "+1 (rising), -1 (falling) or 0 (any)"
            raise _refused("direction", wanted, self.direction)

    @property
    def cause(self) -> str:
        """Such as "at 2 s" or "by its condition", for messages."""
        if self.time is not None:
            return f"at {self.time:g} s"
        way = {1: " (rising)", -1: " (falling)", 0: ""}[self.direction]
        return f"by its condition{way}"


def checked_switches(owner: str, given: Sequence[Switch]) -> tuple[Switch, ...]:
    """The switches of a constraint, as a tuple.

    Args:
        owner: its label, for messages.

    Raises:
        ArgumentError: for what is no switch, and for two that contradict each other at one time.
    """
    try:
        switches = (given,) if isinstance(given, Switch) else tuple(given)
    except TypeError:
        switches = (None,)  # type: ignore[assignment]
    if not all(isinstance(own, Switch) for own in switches):
        raise ArgumentError(
            f"{owner}: switches: wanted switches such as Switch.at(1.0, True), got {given!r}"
        )
    wanted: dict[float, bool] = {}
    for own in switches:
        if own.time is not None and wanted.setdefault(own.time, own.active) != own.active:
            raise ArgumentError(
                f"{owner}: switches: wanted one at {own.time:g} s, got both on and off"
            )
    return switches


def _refused(argument: str, wanted: str, given: object) -> ArgumentError:
    return ArgumentError(f"Switch: {argument}: wanted {wanted}, got {given!r}")
