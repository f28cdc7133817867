"""Functions of the user's: they are called here, so that what fails in them says whose it is.

Functions may be called with complex numbers too, to see whether they take them (`derivatives`);
what fails then is no error, and derivatives are found by differences.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...arrays import FloatArray
from ...errors import ArgumentError, SimulationError


def called(owner: str, function: Callable[..., Any], t: Any, *arguments: Any) -> Any:
    """function(t, *arguments).

    Args:
        owner: whose it is and which, such as "PrescribedCoordinate 'p': motion".
        t: s.

    Raises:
        SimulationError: where it fails with real numbers, which is the cause then.
        TypeError: where it fails with complex ones.
    """
    try:
        return function(t, *arguments)
    except Exception as reason:  # whatever a user's function may do
        if any(np.iscomplexobj(own) for own in (t, *arguments)):
            raise TypeError(str(reason)) from reason
        own = f"{owner.partition(' ')[2]}: "  # such as "'p': motion: "
        if isinstance(reason, SimulationError | ArgumentError) and own in str(reason):
            raise  # told by a function that wraps it
        raise SimulationError(
            f"{owner}: the function failed at t = {t:.6g} s: {type(reason).__name__}: {reason}"
        ) from reason


def numbers(owner: str, t: Any, given: Any, shape: tuple[int, ...]) -> Any:
    """What a function has returned as an array (*shape), real or complex; one number is (1,).

    Raises:
        ArgumentError: for anything else.
    """
    values = np.atleast_1d(as_array(given))
    if values.shape != shape or values.dtype.kind not in "biufc":
        if len(shape) > 1:
            wanted, got = f"numbers of shape {shape}", f"shape {values.shape}: {_shown(given)}"
        else:
            wanted, got = f"{shape[0]} number{'s'[: shape[0] != 1]}", _shown(given)
        raise ArgumentError(f"{owner}: wanted {wanted}, got {got} at t = {np.real(t):.6g} s")
    return values


def as_array(given: Any) -> Any:
    """What a function has returned as an array, of any kind."""
    try:
        return np.asarray(given)
    except ValueError:  # lists of several lengths
        return np.asarray(given, dtype=object)


def refuse_unknown(owner: str, t: float, what: str, values: FloatArray) -> None:
    """Raise a SimulationError unless values are finite.

    Args:
        what: they are, such as "values" or "derivatives".
    """
    known = np.isfinite(values)
    if not known.all():
        raise SimulationError(
            f"{owner}: wanted finite {what} at t = {t:.6g} s, got {values[~known][0]}"
        )


def _shown(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= 100 else f"{text[:100]}…"
