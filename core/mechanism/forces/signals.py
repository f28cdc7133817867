"""Numbers that may be functions of time, or of time and state: forces, torques, set points.

Functions are called with plain floats, once for each instant, so that one instant alone and the
same instant in a batch give the same bits, and functions may use `math`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from ...arrays import NUMBERS, FloatArray
from ...errors import ArgumentError, SimulationError
from ..arguments import array

Given = float | Sequence[float] | FloatArray | Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Signal:
    """One quantity: a constant, or a function.

    Attributes:
        owner, name: of the component and its parameter, for messages.
        shape: of the value: () or (n,).
        constant: of that shape; 0 where there is a function.
        function: None for a constant.
        of_state: whether the function takes (t, x, x') and not t alone.
    """

    owner: str
    name: str
    shape: tuple[int, ...]
    constant: FloatArray
    function: Callable[..., Any] | None = None
    of_state: bool = False

    @classmethod
    def of(
        cls, owner: str, name: str, given: Given, shape: tuple[int, ...], state: str = ""
    ) -> Signal:
        """Of what a user gave.

        Args:
            owner, name, shape: see the attributes.
            given: numbers of that shape, or a function.
            state: what a function may take besides t, such as 'phi, w'; '' for nothing.

        Raises:
            ArgumentError: for anything else, naming owner and parameter.
        """
        if not callable(given):
            return cls(owner, name, shape, array(owner, name, given, shape))
        wanted = "a function of t" + (f" or of (t, {state})" if state else "")
        count = _arguments(given)
        if count != 1 and not (state and count == 3):
            raise ArgumentError(f"{owner}: {name}: wanted {wanted}, got one of {count} arguments")
        return cls(owner, name, shape, np.zeros(shape), given, count == 3)

    def __call__(self, t: float, *state: Any) -> FloatArray | float:
        """The value of the function at one instant.

        Raises:
            SimulationError: where it is not of the shape, or not finite.
        """
        assert self.function is not None
        value = self.function(t, *state) if self.of_state else self.function(t)
        if not self.shape and isinstance(value, float) and isfinite(value):
            return value  # the usual case, without arrays
        out = np.asarray(value)
        if (
            out.shape != self.shape
            or out.dtype.kind not in NUMBERS
            or not np.isfinite(out := out.astype(np.float64)).all()
        ):
            many = f"{self.shape[0]} finite numbers" if self.shape else "a finite number"
            raise SimulationError(
                f"{self.owner}: {self.name}: wanted {many} at t = {t:g} s, got {value!r}"
            )
        return out


@dataclass(frozen=True, eq=False)
class Signals:
    """n signals of one shape: constant (n, *shape), and those of them that are functions."""

    constant: FloatArray
    functions: tuple[tuple[int, Signal], ...]

    @classmethod
    def of(cls, signals: Sequence[Signal]) -> Signals:
        """Of single ones, one for each element."""
        return cls(
            np.array([signal.constant for signal in signals]),
            tuple((i, signal) for i, signal in enumerate(signals) if signal.function is not None),
        )

    @classmethod
    def joined(cls, parts: Sequence[Signals]) -> Signals:
        """All of several, one after the other."""
        functions: list[tuple[int, Signal]] = []
        start = 0
        for part in parts:
            functions += [(start + i, signal) for i, signal in part.functions]
            start += len(part.constant)
        return cls(np.concatenate([part.constant for part in parts]), tuple(functions))

    @property
    def of_state(self) -> bool:
        """Whether any function takes the state."""
        return any(signal.of_state for _, signal in self.functions)

    def at(self, t: FloatArray, lead: tuple[int, ...], *state: FloatArray) -> FloatArray:
        """The values at instants.

        Args:
            t: () or (…), s.
            lead: the leading axes (…) of the state.
            state: two arrays (…, n, *shape), for functions of the state.

        Returns:
            (…, n, *shape), or (n, *shape) where all are constant.
        """
        if not self.functions:
            return self.constant
        shape = self.constant.shape
        out = np.empty((*lead, *shape))
        out[...] = self.constant
        rows = out.reshape(-1, *shape)
        when = np.broadcast_to(t, lead).ravel()
        for index, signal in self.functions:
            if signal.of_state:
                first, second = (part.reshape(-1, *shape)[:, index] for part in state)
                for row, time in enumerate(when.tolist()):
                    rows[row, index] = signal(time, *_own(first[row]), *_own(second[row]))
            elif t.ndim == 0:  # one call for a batch of states at one time
                rows[:, index] = signal(float(t))
            else:
                for row, time in enumerate(when.tolist()):
                    rows[row, index] = signal(time)
        return out


def _own(value: FloatArray) -> tuple[float | FloatArray]:
    """A float, or an array of its own, so that a function cannot change the state."""
    return (float(value),) if value.ndim == 0 else (value.copy(),)


def _arguments(function: Callable[..., Any]) -> int:
    """How many positional arguments it must have; 1 where it does not tell, as ufuncs."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = sum(p.kind in kinds and p.default is p.empty for p in parameters)
    anything = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    optional = any(p.kind in kinds and p.default is not p.empty for p in parameters)
    return 1 if needed == 0 and (anything or optional) else needed
