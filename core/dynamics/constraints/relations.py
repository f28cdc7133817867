"""Linear relations between joint coordinates, and coordinates that are functions of time.

Coordinates go by name: that of a joint with one coordinate, or such as 'base.x', 'ball.turn'. A
coupled follower counts as what it is: multiplier times its leader plus offset.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .constraint import Constraint

# x of a time, s; or x, x' and x''
Motion = Callable[[float], "float | tuple[float, float, float]"]


@dataclass(frozen=True, eq=False, kw_only=True)
class LinearRelation(Constraint):
    """sum of coefficient * coordinate = offset: 1 row, such as a differential gear.

    Attributes:
        coefficients: by the names of coordinates.
        offset: rad or m.
    """

    coefficients: Mapping[str, float]
    offset: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.coefficients, Mapping) or not self.coefficients:
            raise self.refused("coefficients", "{name: number, …}", self.coefficients)
        for name, value in self.coefficients.items():
            self.number(value, f"coefficients['{name}']")
        self.number(self.offset, "offset")

    def terms(self) -> tuple[Mapping[str, float], float]:
        """Coefficients and offset."""
        return self.coefficients, self.offset


@dataclass(frozen=True, eq=False, kw_only=True)
class Gear(Constraint):
    """driven = ratio * driver + offset; outer teeth make the ratio negative."""

    driver: str
    driven: str
    ratio: float
    offset: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.number(self.ratio, "ratio")
        self.number(self.offset, "offset")

    def terms(self) -> tuple[Mapping[str, float], float]:
        """Coefficients and offset."""
        return _both({self.driven: 1.0}, {self.driver: -self.ratio}), self.offset


@dataclass(frozen=True, eq=False, kw_only=True)
class Mimic(Constraint):
    """follower = multiplier * leader + offset, as a constraint."""

    leader: str
    follower: str
    multiplier: float = 1.0
    offset: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.number(self.multiplier, "multiplier")
        self.number(self.offset, "offset")

    def terms(self) -> tuple[Mapping[str, float], float]:
        """Coefficients and offset."""
        return _both({self.follower: 1.0}, {self.leader: -self.multiplier}), self.offset


@dataclass(frozen=True, eq=False, kw_only=True)
class RackAndPinion(Constraint):
    """rack (m) = radius (m) * pinion (rad) + offset (m)."""

    pinion: str
    rack: str
    radius: float
    offset: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.number(self.radius, "radius")
        self.number(self.offset, "offset")

    def terms(self) -> tuple[Mapping[str, float], float]:
        """Coefficients and offset."""
        return _both({self.rack: 1.0}, {self.pinion: -self.radius}), self.offset


@dataclass(frozen=True, eq=False, kw_only=True)
class Screw(Constraint):
    """slide (m) = pitch (m/rad) * turn (rad) + offset (m)."""

    turn: str
    slide: str
    pitch: float
    offset: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.number(self.pitch, "pitch")
        self.number(self.offset, "offset")

    def terms(self) -> tuple[Mapping[str, float], float]:
        """Coefficients and offset."""
        return _both({self.slide: 1.0}, {self.turn: -self.pitch}), self.offset


@dataclass(frozen=True, eq=False, kw_only=True)
class PrescribedCoordinate(Constraint):
    """coordinate = motion(t): 1 row, whose lambda is what drives it, with the sign turned.

    Attributes:
        motion: t (s) -> x, or (x, x', x''), rad or m. Of x alone the derivatives are found: exactly
            where it takes complex numbers, else by differences. Given ones are held against
            differences where it begins to act and at some times after.
    """

    coordinate: str
    motion: Motion

    def __post_init__(self) -> None:
        super().__post_init__()
        if not callable(self.motion):
            raise self.refused("motion", "a function of time", self.motion)

    @property
    def timed(self) -> bool:
        """It has its motion."""
        return True


CoordinateRelation = LinearRelation | Gear | Mimic | RackAndPinion | Screw


def _both(first: Mapping[str, float], second: Mapping[str, float]) -> Mapping[str, float]:
    """The sum of two sets of coefficients; a joint geared to itself has both."""
    return {name: first.get(name, 0.0) + second.get(name, 0.0) for name in {**first, **second}}
