"""Checks at the door for values that are no arrays: yes or no, and colours."""

from __future__ import annotations

import numpy as np

from .errors import ArgumentError

Color = tuple[float, float, float]  # red, green and blue in 0..1


def as_flag(value: object, name: str) -> bool:
    """True or False, and nothing that only counts as one of them.

    Raises:
        ArgumentError: naming the argument and what was given.
    """
    if not isinstance(value, bool | np.bool_):
        raise ArgumentError(f"{name}: wanted True or False, got {value!r}")
    return bool(value)


def as_color(value: object, name: str) -> Color | None:
    """Red, green and blue in 0..1; None for none.

    Raises:
        ArgumentError: naming the argument and what was given.
    """
    if value is None:
        return None
    try:
        given = np.asarray(value)
        numbers = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        given = numbers = np.empty(0)
    fits = numbers.shape == (3,) and given.dtype.kind in "iufO"
    if not (fits and ((numbers >= 0.0) & (numbers <= 1.0)).all()):
        raise ArgumentError(f"{name}: wanted three numbers in 0..1, got {value!r}")
    red, green, blue = (float(part) for part in numbers)
    return red, green, blue
