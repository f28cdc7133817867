"""Blender's float32 as a person would write it: what was typed as 0.1 is 0.1 again."""

from __future__ import annotations

from collections.abc import Iterable

DIGITS = 7  # that float32 holds
PLACES = 7  # after the point, of positions (m) and angles (rad) that come out of sums


def rounded(value: float) -> float:
    """The float64 of the shortest text that float32 reads as the value."""
    return float(f"{value:.{DIGITS}g}")


def rounded_sums(values: Iterable[float]) -> tuple[float, ...]:
    """Values to places after the point, without negative zeros."""
    return tuple(round(float(value), PLACES) + 0.0 for value in values)
