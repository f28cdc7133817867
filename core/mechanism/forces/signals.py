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

LONGEST = 200  # characters of a value in a message
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
        of_state = not _takes(given, 1)
        if of_state and not (state and _takes(given, 3)):
            wanted = "a function of t" + (f" or of (t, {state})" if state else "")
            raise ArgumentError(f"{owner}: {name}: wanted {wanted}, got {_described(given)}")
        return cls(owner, name, shape, np.zeros(shape), given, of_state)

    def __call__(self, t: float, *state: Any) -> FloatArray | float:
        """The value of the function at one instant.

        Raises:
            SimulationError: where it fails, which is the cause then, and where its value is not of
                the shape or not finite.
        """
        assert self.function is not None
        try:
            value = self.function(t, *state) if self.of_state else self.function(t)
        except Exception as reason:  # whatever a user's function may do
            where = f"{self.owner}: {self.name}: "
            if isinstance(reason, SimulationError) and str(reason).startswith(where):
                raise  # of the function that this one wraps
            raise SimulationError(
                f"{where}the function failed at t = {t:g} s: {type(reason).__name__}: {reason}"
            ) from reason
        if not self.shape and isinstance(value, float) and isfinite(value):
            return value  # the usual case, without arrays
        out = _finite(value, self.shape)
        if out is None:
            many = f"{self.shape[0]} finite numbers" if self.shape else "a finite number"
            raise SimulationError(
                f"{self.owner}: {self.name}: wanted {many} at t = {t:g} s, got {_shown(value)}"
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

    def chosen(self, rows: Sequence[int]) -> Signals:
        """Those of some rows (k,), in their order."""
        known = dict(self.functions)
        own = tuple((i, known[row]) for i, row in enumerate(rows) if row in known)
        return Signals(self.constant[list(rows)], own)

    @property
    def timed(self) -> bool:
        """Whether any is a function, of time or of time and state."""
        return bool(self.functions)

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


def _takes(function: Callable[..., Any], count: int) -> bool:
    """Whether it can be called with `count` positional arguments; one where it does not tell."""
    try:
        inspect.signature(function).bind(*[None] * count)
    except TypeError:
        return False
    except ValueError:  # ufuncs and some built-in functions
        return count == 1
    return True


def _described(function: Callable[..., Any]) -> str:
    """What it takes, for messages."""
    parameters = list(inspect.signature(function).parameters.values())
    named = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    if named:
        return f"one that must be given {', '.join(named)} by name"
    needed = [p for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD]
    return f"one of {len(needed)} arguments"


def _finite(value: object, shape: tuple[int, ...]) -> FloatArray | None:
    """Finite numbers of the shape; None for anything else."""
    try:
        given = np.asarray(value)
        if given.shape != shape or given.dtype.kind not in NUMBERS:
            return None
        out: FloatArray = given.astype(np.float64)
    except Exception:  # objects may raise what they like when they are made numbers
        return None
    return out if np.isfinite(out).all() else None


def _shown(value: object) -> str:
    """As text of a reasonable length."""
    try:
        text = repr(value)
    except Exception:  # integers of thousands of digits, and objects that cannot be shown
        return f"a {type(value).__name__}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
