"""Offsets of rows that are functions of time, with their first and second derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray
from ...errors import ArgumentError
from .coordinate_vector import CoordinateVector
from .derivatives import Curve, derivatives, first_derivative, takes_complex
from .relations import PrescribedCoordinate

# t (s) -> (3, n): offset, its rate, and the rate of that; at velocity level the offset is 0
Offset = Callable[[float], FloatArray]


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
        curve = _curve(lambda t: rate(t, given), rows, f"{label}: offset_function_t")
        slope = _Slope(curve)
        return lambda t: np.stack((np.zeros(rows), _real(curve(t)), slope(t)))
    if value is None and rate is None:
        return None
    place = _curve(
        (lambda t: given) if value is None else (lambda t: value(t, given)),
        rows,
        f"{label}: offset_function",
    )
    if rate is None:
        both = _Slopes(place)
        return lambda t: np.stack((_real(place(t)), *both(t)))
    velocity = _curve(lambda t: rate(t, given), rows, f"{label}: offset_function_t")
    slope = _Slope(velocity)
    return lambda t: np.stack((_real(place(t)), _real(velocity(t)), slope(t)))


def motion_of(constraint: PrescribedCoordinate) -> Offset:
    """The motion of a prescribed coordinate as the offset (3, 1) of its row."""
    motion = constraint.motion
    label = f"{constraint.label}: motion"

    def whole(t: float) -> FloatArray:
        values = np.asarray(motion(t), dtype=np.float64)
        if values.shape != (3,):
            raise ArgumentError(f"{label}: wanted x, or (x, x', x''), got {values!r} at t = {t:g}")
        return values[:, None]

    if np.shape(motion(0.0)) == (3,):
        return whole
    place = _curve(motion, 1, label)
    both = _Slopes(place)
    return lambda t: np.stack((_real(place(t)), *both(t)))


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
        values = np.atleast_1d(np.asarray(f(t)))
        if values.shape != (rows,) or values.dtype.kind not in "biufc":
            raise ArgumentError(f"{label}: wanted {rows} numbers, got {values!r} at t = {t}")
        return values

    return curve


def _real(values: Any) -> FloatArray:
    return np.asarray(values, dtype=np.float64)
