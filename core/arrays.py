"""Checks at the door: turn what a caller hands in into float64 arrays of a stated shape."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import ArgumentError, DynarigError, ModelError

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

FLOAT64 = np.dtype(np.float64)
NUMBERS = "biufO"  # kinds of dtype that may hold real numbers: not text, not complex, not dates


def as_floats(
    value: ArrayLike,
    tail: tuple[int, ...],
    name: str,
    error: type[DynarigError] = ModelError,
) -> FloatArray:
    """`value` as a float64 array of shape (…, *tail); NaN and infinity pass.

    Args:
        value: numbers of any real type.
        tail: the last axes.
        name: of the argument, for the message.
        error: what to raise.

    Returns:
        The array itself where it already is float64, else a new one.

    Raises:
        DynarigError: of the given type, naming the argument, the shape wanted and what was given.
    """
    # what callers hand in a thousand times a second needs no look at its kind and no copy
    if type(value) is np.ndarray and value.dtype is FLOAT64 and value.shape[-len(tail) :] == tail:
        return value
    try:
        array = np.asarray(value)
        if array.dtype.kind not in NUMBERS:
            raise TypeError(f"got {array.dtype} values")
        array = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError) as reason:
        raise error(f"{name}: wanted numbers of shape {_shape(tail)}: {reason}") from reason
    if tail and array.shape[-len(tail) :] != tail:
        raise error(f"{name}: wanted shape {_shape(tail)}, got {array.shape}")
    return array


def as_finite(value: ArrayLike, tail: tuple[int, ...], name: str) -> FloatArray:
    """`value` as a float64 array of shape (…, *tail) without NaN or infinity.

    Raises:
        ArgumentError: naming the argument, what was wanted and what was given.
    """
    array = as_floats(value, tail, name, ArgumentError)
    refuse_non_finite(array, name)
    return array


def refuse_non_finite(array: FloatArray, name: str) -> None:
    """Raise an ArgumentError that names the first NaN or infinity, if there is one."""
    finite = np.isfinite(array)
    if not finite.all():
        where = first_index(~finite)
        raise ArgumentError(f"{name}: wanted finite numbers, got {array[where]}{at(where)}")


def first_index(mask: BoolArray) -> tuple[int, ...]:
    """The index of the first True."""
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(mask)), mask.shape))


def at(index: tuple[int, ...]) -> str:
    """' at [2, 0]', or nothing for the only entry: the end of a message."""
    return f" at {list(index)}" if index else ""


def frozen(array: FloatArray) -> FloatArray:
    """The same array, made read-only, for values that are handed out."""
    array.flags.writeable = False
    return array


def _shape(tail: tuple[int, ...]) -> str:
    return "(" + ", ".join(["…", *map(str, tail)]) + ")"
