"""Curves over time as an SVG file, without any other package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

WIDTH, HEIGHT, MARGIN = 800, 240, 60  # of a panel, pixels
COLORS = ("#3465a4", "#cc6d00", "#4e9a06", "#75507b", "#a40000", "#555753")
Curves = Mapping[str, Any]


def write_plot(path: str | Path, t: Any, panels: Sequence[Curves]) -> None:
    """Write panels, one below the other, of curves by name over the same times.

    Args:
        path: of the .svg file.
        t: (n,), s.
        panels: for each, arrays (n,) by the names of the curves.
    """
    times = np.asarray(t, dtype=np.float64)
    high = len(panels) * HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{high}" fill="white"/>',
    ]
    for index, curves in enumerate(panels):
        parts += _panel(times, curves, index * HEIGHT)
    Path(path).write_text("\n".join([*parts, "</svg>\n"]), encoding="utf-8")


def _panel(t: Any, curves: Curves, top: int) -> list[str]:
    """Frame, curves, names and the ends of both axes."""
    values = [np.asarray(curve, dtype=np.float64) for curve in curves.values()]
    low, high = min(v.min() for v in values), max(v.max() for v in values)
    high = high if high > low else low + 1.0
    left, right = MARGIN, WIDTH - MARGIN
    upper, lower = top + 30, top + HEIGHT - 30
    x = left + (right - left) * (t - t[0]) / (t[-1] - t[0])
    out = [
        f'<rect x="{left}" y="{upper}" width="{right - left}" height="{lower - upper}" '
        'fill="none" stroke="#999"/>',
        f'<text x="{left - 6}" y="{upper + 4}" text-anchor="end">{high:.3g}</text>',
        f'<text x="{left - 6}" y="{lower + 4}" text-anchor="end">{low:.3g}</text>',
        f'<text x="{left}" y="{lower + 18}">{t[0]:g} s</text>',
        f'<text x="{right}" y="{lower + 18}" text-anchor="end">{t[-1]:g} s</text>',
    ]
    for index, (name, own) in enumerate(zip(curves, values, strict=True)):
        color = COLORS[index % len(COLORS)]
        y = lower - (lower - upper) * (own - low) / (high - low)
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        out.append(f'<polyline points="{points}" fill="none" stroke="{color}"/>')
        place = left + 160 * index
        out.append(f'<text x="{place}" y="{upper - 8}" fill="{color}">{escape(name)}</text>')
    return out
