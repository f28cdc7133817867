"""The robot table's JSON, read value by value: a wrong one is named and never passed on."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, get_args

import numpy as np

from ...core.arrays import FloatArray, frozen
from .bone_plan import Kind

KINDS: tuple[Kind, ...] = get_args(Kind)
# A pose in the table is a rotation to float32 accuracy (Blender's rest matrices are off by 7e-5).
ORTHONORMAL = 1e-3


class Entry:
    """A JSON object of the table, with the path that leads to it.

    Every reader raises ValueError, saying which entry is wrong and what was wanted.
    """

    def __init__(self, value: Any, where: str = "") -> None:
        """Take a value that must be a JSON object."""
        if not isinstance(value, Mapping):
            raise ValueError(f"{where or 'the whole'}: wanted an object, got {_short(value)}")
        self._values = value
        self._where = where

    def __iter__(self) -> Any:
        return iter(self._values)

    def name_of(self, key: str) -> str:
        """The path of an entry."""
        return f"{self._where}.{key}" if self._where else key

    def get(self, key: str) -> Any:
        """Any value; it must be there."""
        if key not in self._values:
            raise ValueError(f"{self.name_of(key)}: is missing")
        return self._values[key]

    def wrong(self, key: str, wanted: str) -> ValueError:
        """The error for a value."""
        return ValueError(f"{self.name_of(key)}: wanted {wanted}, got {_short(self.get(key))}")

    def text(self, key: str) -> str:
        """A text."""
        value = self.get(key)
        if not isinstance(value, str):
            raise self.wrong(key, "a text")
        return value

    def optional_text(self, key: str) -> str | None:
        """A text or null."""
        return None if self.get(key) is None else self.text(key)

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self.get(key)
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false")
        return value

    def kind(self, key: str) -> Kind:
        """A type of joint."""
        value = self.get(key)
        for kind in KINDS:
            if value == kind:
                return kind
        raise self.wrong(key, f"one of {', '.join(KINDS)}")

    def sign(self, key: str) -> int:
        """1 or -1."""
        value = self.get(key)
        if type(value) is not int or value not in (1, -1):
            raise self.wrong(key, "1 or -1")
        return value

    def mapping(self, key: str) -> dict[str, Any]:
        """An object as it is."""
        value = self.get(key)
        if not isinstance(value, dict):
            raise self.wrong(key, "an object")
        return value

    def entries(self, key: str) -> list[Entry]:
        """A list of objects."""
        value = self.get(key)
        if not isinstance(value, list):
            raise self.wrong(key, "a list")
        return [Entry(item, f"{self.name_of(key)}[{i}]") for i, item in enumerate(value)]

    def entry(self, key: str) -> Entry:
        """An object."""
        return Entry(self.get(key), self.name_of(key))

    def limits(self, key: str) -> tuple[float | None, float | None]:
        """Two ends, each a finite number or null."""
        value = self.get(key)
        if not (isinstance(value, list) and len(value) == 2 and all(map(_is_end, value))):
            raise self.wrong(key, "two finite numbers or nulls")
        return value[0], value[1]

    def pose(self, key: str) -> FloatArray:
        """A (4, 4) pose: rotation and place."""
        value = self.get(key)
        try:
            matrix = np.array(value, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            matrix = np.zeros(0)
        if matrix.shape != (4, 4) or not np.isfinite(matrix).all():
            raise self.wrong(key, "4 rows of 4 finite numbers")
        rotation = matrix[:3, :3]
        off = np.abs(rotation @ rotation.T - np.eye(3)).max()
        if off > ORTHONORMAL or np.abs(matrix[3] - (0.0, 0.0, 0.0, 1.0)).max() > ORTHONORMAL:
            raise self.wrong(key, "a rotation and a place")
        return frozen(matrix)


def _is_end(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is None or (number and isfinite(value))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
