"""Offsets of rows that are functions of time, with their first and second derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray
from ...errors import ArgumentError
from ...rates import is_rate
from .coordinate_vector import CoordinateVector
from .derivatives import Curve, derivatives, first_derivative, takes_complex
from .given_functions import as_array, called, numbers, refuse_unknown
from .relations import PrescribedCoordinate

Function = Callable[[float], FloatArray]

# given rates are held against differences: so often, so far apart (s), to such a share of them
WATCHED, APART, NEAR = 20, 0.05, 1e-3


class Pair(NamedTuple):
    """A rate that is given, and what it is to be the rate of, both (n,) of t.

    name: with whose it is; of: the name of the other.
    """

    name: str
    of: str
    rate: Function
    value: Function


class Offset:
    """An offset as a function of t, s: (3, n), the offset, its rate, and the rate of that.

    At velocity level the offset is 0. Once it is watched, rates that are given are held against
    what they are the rates of, then and at some times after.
    """

    def __init__(self, owner: str, function: Function, pairs: Sequence[Pair] = ()) -> None:
        self.owner = owner  # whose it is and which, for messages
        self.function, self.pairs = function, tuple(pairs)
        self.shift = 0.0
        self._watched: list[float] = []  # times, s

    def __call__(self, t: float) -> FloatArray:
        """The three at t, s."""
        watched = self._watched
        if watched and len(watched) < WATCHED and abs(t - watched[-1]) >= APART:
            self.watch(t)
        values = self.function(t)
        refuse_unknown(self.owner, t, "values and rates", values)
        return values - np.array([[self.shift], [0.0], [0.0]]) if self.shift else values

    def watch(self, t: float) -> None:
        """Hold the given rates against differences at t, s, and where it is called after.

        Raises:
            ArgumentError: where a rate is not that of what it is to be the rate of.
        """
        for pair in self.pairs:
            _refuse_other_rate(pair, t)
        if self.pairs:
            self._watched.append(t)


def offset_of(constraint: CoordinateVector) -> Offset | None:
    """The offset of a coordinate-vector constraint, None where it is constant.

    At velocity level it is given as a velocity, so that the constant is the rate.
    """
    given, rows = np.asarray(constraint.offset, dtype=np.float64), constraint.rows
    value, rate = constraint.offset_function, constraint.offset_function_t
    label = constraint.label
    if constraint.velocity_level:
        if rate is None:
            return None
        owner = f"{label}: offset_function_t"
        curve = _curve(lambda t: rate(t, given), rows, owner)
        slope = _Slope(curve)
        return Offset(owner, lambda t: np.stack((np.zeros(rows), _real(curve(t)), slope(t))))
    if value is None:
        return None
    owner = f"{label}: offset_function"
    place = _curve(lambda t: value(t, given), rows, owner)
    if rate is None:
        both = _Slopes(place)
        return Offset(owner, lambda t: np.stack((_real(place(t)), *both(t))))
    velocity = _curve(lambda t: rate(t, given), rows, f"{label}: offset_function_t")
    slope = _Slope(velocity)
    pair = Pair(f"{label}: offset_function_t", "offset_function", velocity, place)
    whole = lambda t: np.stack((_real(place(t)), _real(velocity(t)), slope(t)))  # noqa: E731
    return Offset(owner, whole, [pair])


def motion_of(constraint: PrescribedCoordinate) -> Offset:
    """The motion of a prescribed coordinate as the offset (3, 1) of its row."""
    motion = constraint.motion
    label = f"{constraint.label}: motion"

    def given(t: float) -> FloatArray:
        return _real(numbers(label, t, called(label, motion, t), (3,)))[:, None]

    if as_array(called(label, motion, 0.0)).shape == (3,):
        pairs = [
            Pair(f"{label}: x'", "x", lambda t: given(t)[1], lambda t: given(t)[0]),
            Pair(f"{label}: x''", "x'", lambda t: given(t)[2], lambda t: given(t)[1]),
        ]
        return Offset(label, given, pairs)
    place = _curve(motion, 1, label)
    both = _Slopes(place)
    return Offset(label, lambda t: np.stack((_real(place(t)), *both(t))))


def _refuse_other_rate(pair: Pair, t: float) -> None:
    """Raise an ArgumentError unless a rate may be that of what it is to be the rate of at t, s."""
    rates = _real(pair.rate(t))
    for entry, own in enumerate(rates):
        fits, quotient = is_rate(partial(_entry, pair.value, entry), t, float(own), NEAR)
        if not fits:
            where = f" at [{entry}]" if len(rates) > 1 else ""
            raise ArgumentError(
                f"{pair.name}: wanted the rate of {pair.of}, which is about {quotient:.6g}{where} "
                f"at t = {t:g} s by its differences, got {float(own):.6g}"
            )


def _entry(f: Function, entry: int, t: float) -> float:
    return float(_real(f(t))[entry])


class _Slope:
    """The derivative of a curve; whether it takes complex numbers is found at its first call."""

    def __init__(self, curve: Curve) -> None:
        self.curve = curve
        self.is_complex: bool | None = None

    def __call__(self, t: float) -> FloatArray:
        if self.is_complex is None:
            self.is_complex = takes_complex(self.curve, t)
        return first_derivative(self.curve, t, self.is_complex)


class _Slopes:
    """The first two derivatives of a curve, in the same way."""

    def __init__(self, curve: Curve) -> None:
        self.curve = curve
        self.is_complex: bool | None = None

    def __call__(self, t: float) -> tuple[FloatArray, FloatArray]:
        if self.is_complex is None:
            self.is_complex = takes_complex(self.curve, t)
        return derivatives(self.curve, t, self.is_complex)


def _curve(f: Callable[[Any], ArrayLike], rows: int, label: str) -> Curve:
    """f with values of shape (rows,), checked."""

    def curve(t: Any) -> Any:
        return numbers(label, t, called(label, f, t), (rows,))

    return curve


def _real(values: Any) -> FloatArray:
    return np.asarray(values, dtype=np.float64)
