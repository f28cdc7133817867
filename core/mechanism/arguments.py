"""Checks of a component's arguments; every message names the component and the parameter."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import NUMBERS, FloatArray, frozen
from ..errors import ArgumentError
from ..frames import SEQUENCES
from ..plain_values import as_color

UNPHYSICAL = 1e-9  # share of the largest moment of inertia, for rounding
ROUNDING = 1e-12  # of the largest entry: asymmetry of a matrix, and a start beyond a limit


def array(owner: str, name: str, value: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """Finite numbers of exactly this shape, as a read-only array of its own."""
    try:
        given = np.asarray(value)
        if given.dtype.kind not in NUMBERS or given.dtype.kind == "b":
            raise ValueError
        numbers = np.array(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{owner}: {name}: wanted {_wanted(shape)}, got {value!r}") from None
    if numbers.shape != shape or not np.isfinite(numbers).all():
        raise ArgumentError(f"{owner}: {name}: wanted {_wanted(shape)}, got {value!r}")
    return frozen(numbers)


def number(owner: str, name: str, value: object, least: float = -np.inf) -> float:
    """A finite number of at least `least`."""
    out = float(array(owner, name, value, ()))  # type: ignore[arg-type]
    if out < least:
        raise ArgumentError(f"{owner}: {name}: wanted a number of {least:g} or above, got {out:g}")
    return out


def positive(owner: str, name: str, value: object) -> float:
    """A finite number above 0."""
    out = number(owner, name, value)
    if out <= 0.0:
        raise ArgumentError(f"{owner}: {name}: wanted a number above 0, got {out:g}")
    return out


def coefficients(
    owner: str, name: str, value: ArrayLike, count: int, least: float = 0.0
) -> tuple[float, ...]:
    """One number for all coordinates of a joint, or one for each: always one for each."""
    given = array(owner, name, value, (count,) if _shape(value) else ())
    if (given < least).any():
        raise ArgumentError(f"{owner}: {name}: wanted {least:g} or above, got {value!r}")
    return tuple(float(x) for x in np.broadcast_to(given, (count,)))


def direction(owner: str, name: str, value: ArrayLike, size: int) -> FloatArray:
    """A vector of any length but 0, made unit."""
    given = scaled(array(owner, name, value, (size,)))
    length = np.linalg.norm(given)
    if not length > 0.0:
        raise ArgumentError(
            f"{owner}: {name}: wanted a direction (any length but 0), got {value!r}"
        )
    return frozen(given / length)


def scaled(vector: FloatArray) -> FloatArray:
    """A vector times the power of 2 that brings its largest entry to 0.5 … 1; 0 stays 0.

    Squares of its entries neither overflow nor underflow then, and no digit changes.
    """
    _, exponent = np.frexp(np.abs(vector).max(initial=0.0))
    out: FloatArray = np.ldexp(vector, -exponent)
    return out


def limits(owner: str, value: tuple[float, float] | None) -> tuple[float, float]:
    """(lower, upper), either of which may be infinite; None for none."""
    if value is None:
        return -np.inf, np.inf
    try:
        lower, upper = (float(x) for x in value)
    except (TypeError, ValueError, OverflowError):
        lower, upper = np.nan, np.nan
    if not lower < upper:
        raise ArgumentError(
            f"{owner}: limits: wanted (lower, upper) with lower < upper, got {value!r}"
        )
    return lower, upper


def within(owner: str, name: str, value: float, lower: float, upper: float) -> None:
    """Raise for an initial value beyond the limits, from which their stops would throw it back."""
    slack = ROUNDING * max(1.0, abs(value))
    if not lower - slack <= value <= upper + slack:
        raise ArgumentError(
            f"{owner}: {name}: wanted an initial value within the limits, {lower:g} to {upper:g}, "
            f"got {value:g}"
        )


def color(
    owner: str, value: tuple[float, float, float] | None
) -> tuple[float, float, float] | None:
    """Red, green and blue in 0..1; None for none."""
    return as_color(value, f"{owner}: color")


def sequence(owner: str, value: str | ArrayLike) -> str:
    """An Euler sequence, 'XYZ' or (1, 2, 3): R = R_X(a) R_Y(b) R_Z(c)."""
    label: object = value
    if not isinstance(value, str):
        axes = np.asarray(value if _shape(value) == (3,) else ())
        known = axes.shape == (3,) and axes.dtype.kind in "iu" and ((axes > 0) & (axes < 4)).all()
        label = "".join("XYZ"[int(axis) - 1] for axis in axes) if known else None
    if label not in SEQUENCES:
        raise ArgumentError(
            f"{owner}: sequence: wanted one of {', '.join(SEQUENCES)}, or its axes as numbers such "
            f"as (1, 2, 3), got {value!r}"
        )
    return str(label)


def inertia(owner: str, name: str, value: ArrayLike) -> FloatArray:
    """(3, 3) of one moment for all axes, of three principal moments, or of a matrix; kg m^2."""
    shape = _shape(value)
    given = array(owner, name, value, shape if shape in ((), (3,), (3, 3)) else (3, 3))
    matrix = np.array(given) if given.ndim == 2 else np.eye(3) * given
    largest = np.abs(matrix).max()
    unit = matrix / largest if largest > 0.0 else matrix  # so that no sum overflows
    if np.abs(unit - unit.T).max() > ROUNDING:
        raise ArgumentError(f"{owner}: {name}: wanted a symmetric matrix, got {matrix.tolist()}")
    matrix = 0.5 * matrix + 0.5 * matrix.T
    first, second, third = np.linalg.eigvalsh(0.5 * unit + 0.5 * unit.T)
    if first < -UNPHYSICAL * third or first + second < third * (1.0 - UNPHYSICAL):
        raise ArgumentError(
            f"{owner}: {name}: no body has the moments {first * largest:g}, {second * largest:g}, "
            f"{third * largest:g}; wanted "
            "none negative, and none larger than the other two together"
        )
    return frozen(matrix)


def _shape(value: object) -> tuple[int, ...] | None:
    """Of nested lists of numbers; None for lists of different lengths."""
    try:
        return np.shape(value)  # type: ignore[arg-type]
    except ValueError:
        return None


def _wanted(shape: tuple[int, ...]) -> str:
    if not shape:
        return "a finite number"
    if len(shape) == 1:
        return f"{shape[0]} finite numbers"
    return f"finite numbers of shape {shape}"
