"""What every constraint has, whatever its kind: a name, the names of its rows, and switches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray, as_finite, frozen
from ...errors import ArgumentError
from ...plain_values import as_flag
from .switch import Switch, checked_switches

UNIT_LENGTH = 1e-12  # a direction that is shorter, m or 1, is none


@dataclass(frozen=True, eq=False, kw_only=True)
class Constraint:
    """A relation that the motion must keep, as one or more scalar equations: its rows.

    Attributes:
        active: whether it acts from the start; inactive rows have no effect and lambda = 0.
        switches: where in a simulation it begins and ceases to act; see `switch`.
    """

    name: str
    active: bool = True
    switches: Sequence[Switch] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ArgumentError(f"{type(self).__name__}: name: wanted text, got {self.name!r}")
        object.__setattr__(self, "active", as_flag(self.active, f"{self.label}: active"))
        object.__setattr__(self, "switches", checked_switches(self.label, self.switches))

    @property
    def timed(self) -> bool:
        """Whether its equations have functions of time."""
        return False

    @property
    def label(self) -> str:
        """Such as "Hinge 'loop'", for messages."""
        return f"{type(self).__name__} '{self.name}'"

    def unit(self, value: ArrayLike, argument: str) -> FloatArray:
        """A direction (3,) made a unit vector.

        Raises:
            ArgumentError: where it has no length.
        """
        vector = self.vector(value, argument)
        length = float(np.linalg.norm(vector))
        if length < UNIT_LENGTH:
            raise self.refused(argument, "a direction", value)
        return frozen(vector / length)

    def vector(self, value: ArrayLike, argument: str) -> FloatArray:
        """Three finite numbers."""
        vector = as_finite(value, (3,), f"{self.label}: {argument}")
        if vector.shape != (3,):
            raise self.refused(argument, "3 numbers", value)
        return vector

    def number(self, value: object, argument: str, positive: bool = False) -> float:
        """One finite number, greater than 0 if it must be positive."""
        fits = isinstance(value, int | float | np.number) and bool(np.isfinite(value))
        if not fits or (positive and not value > 0.0):  # type: ignore[operator]
            wanted = "a positive number" if positive else "a finite number"
            raise self.refused(argument, wanted, value)
        return float(value)  # type: ignore[arg-type]

    def refused(self, argument: str, wanted: str, given: object) -> ArgumentError:
        """The error for an argument that does not fit."""
        return ArgumentError(f"{self.label}: {argument}: wanted {wanted}, got {given!r}")
