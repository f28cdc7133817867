"""Checks at the door: turn what a caller hands in into float64 arrays of a stated shape."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import ModelError

FloatArray = NDArray[np.float64]


def as_floats(value: ArrayLike, tail: tuple[int, ...], name: str) -> FloatArray:
    """`value` as a float64 array of shape (…, *tail).

    Raises:
        ModelError: naming the argument, the shape wanted and the shape given.
    """
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ModelError(f"{name}: wanted numbers of shape {_shape(tail)}: {error}") from error
    if tail and array.shape[-len(tail) :] != tail:
        raise ModelError(f"{name}: wanted shape {_shape(tail)}, got {array.shape}")
    return array


def frozen(array: FloatArray) -> FloatArray:
    """The same array, made read-only, for values that are handed out."""
    array.flags.writeable = False
    return array


def _shape(tail: tuple[int, ...]) -> str:
    return "(" + ", ".join(["…", *map(str, tail)]) + ")"
