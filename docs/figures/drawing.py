"""Lines in space as SVG text: parallel projection, arrows, frames, arcs and labels."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from dynarig.core.arrays import FloatArray
from dynarig.core.frames import rotation_from_axis_angle, rotation_from_euler
from numpy.typing import ArrayLike

RED, GREEN, BLUE = "#c0392b", "#2e8b3d", "#2b5fb0"  # x, y, z
INK, GREY, PALE = "#222222", "#777777", "#b5b5b5"
HEAD = 10.0  # px, length of an arrow's head
ARC_STEPS = 24


def view_from(azimuth: float, elevation: float) -> FloatArray:
    """The (2, 3) projection to the screen's right and up, seen from that direction (degrees).

    The eye stands at azimuth from the world's x axis towards y and looks at the origin.
    """
    # the eye's own frame: x to the right, y up, z towards the eye
    turn = rotation_from_euler(np.radians([90.0 + azimuth, 90.0 - elevation, 0.0]), "ZXZ")
    return np.asarray(turn.T[:2])


FLAT = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # a plane, seen from its normal


class Drawing:
    """An SVG picture of points in space."""

    def __init__(
        self, title: str, size: tuple[int, int], view: FloatArray, scale: float, origin: ArrayLike
    ) -> None:
        """Begin an empty picture.

        Args:
            title: what a person who cannot see it is told.
            size: px.
            view: (2, 3), see `view_from`.
            scale: px for 1 m.
            origin: (2,), px from the top left: where the world's origin is drawn.
        """
        self.title, self.size, self.view, self.scale = title, size, view, scale
        self.origin = np.asarray(origin, dtype=float)
        self.parts: list[str] = []

    def at(self, point: ArrayLike) -> FloatArray:
        """The pixel (…, 2) of a point (…, 3) in the world, m; of (…, 2) in its xy plane."""
        p = np.asarray(point, dtype=float)
        flat = p @ self.view[:, : p.shape[-1]].T * self.scale
        return np.asarray(self.origin + flat * (1.0, -1.0))

    def line(
        self,
        *points: ArrayLike,
        color: str = INK,
        width: float = 1.6,
        dash: str = "",
        fill: str = "none",
        opacity: float = 1.0,
    ) -> None:
        """A line through points; a filled one is closed."""
        pixels = [self.at(point) for point in points]
        self._path(pixels, color, width, dash, fill, opacity)

    def arrow(
        self, start: ArrayLike, end: ArrayLike, color: str, width: float = 2.2, dash: str = ""
    ) -> None:
        """A straight arrow between two points."""
        self._arrow([self.at(start), self.at(end)], color, width, dash)

    def arc(
        self, center: ArrayLike, start: ArrayLike, axis: ArrayLike, angle: float, color: str
    ) -> FloatArray:
        """A bent arrow: `start`, turned about an axis through `center`; returns its middle."""
        angles = np.linspace(0.0, angle, ARC_STEPS)
        turns = rotation_from_axis_angle(axis, angles)
        points = np.asarray(center, dtype=float) + turns @ np.asarray(start, dtype=float)
        self._arrow(list(self.at(points)), color, 1.8, "")
        return np.asarray(points[ARC_STEPS // 2])

    def frame(
        self,
        pose: FloatArray,
        length: float,
        names: Sequence[str] = ("x", "y", "z"),
        dash: str = "",
    ) -> None:
        """The axes of a pose (4, 4), red, green and blue, with their names at the tips."""
        center = pose[:3, 3]
        middle = self.at(center)
        for n, (name, color) in enumerate(zip(names, (RED, GREEN, BLUE), strict=True)):
            tip = center + length * pose[:3, n]
            along = self.at(tip) - middle
            reach = float(np.hypot(*along))
            if reach < HEAD:
                # towards the eye: a dot in a ring
                self.dot(center, color, ring=True)
                self.label(center, name, offset=(-13.0, 16.0), color=color, italic=True)
                continue
            self.arrow(center, tip, color, dash=dash)
            if name:
                offset = along / reach * 12.0 + (0.0, 5.0)
                self.label(tip, name, tuple(offset), color, "middle", italic=True)

    def dot(self, point: ArrayLike, color: str = INK, ring: bool = False) -> None:
        """A point; in a ring, an arrow that comes towards the eye."""
        x, y = self.at(point)
        place = f'cx="{number(x)}" cy="{number(y)}"'
        if ring:
            self.parts.append(
                f'<circle {place} r="7" fill="#fff" stroke="{color}" stroke-width="1.8"/>'
            )
        self.parts.append(f'<circle {place} r="3.2" fill="{color}"/>')

    def label(
        self,
        point: ArrayLike,
        text: str,
        offset: tuple[float, ...] = (0.0, 0.0),
        color: str = INK,
        anchor: str = "start",
        italic: bool = False,
        size: int = 15,
    ) -> None:
        """Text beside a point; offset in px, right and down."""
        x, y = self.at(point) + np.asarray(offset)
        style = ' font-style="italic" font-family="serif"' if italic else ""
        size = size + 2 if italic else size
        self.parts.append(
            f'<text x="{number(x)}" y="{number(y)}" font-size="{size}" fill="{color}" '
            f'text-anchor="{anchor}"{style}>{escape(text)}</text>'
        )

    def svg(self) -> str:
        """The whole file."""
        width, height = self.size
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="system-ui, sans-serif" role="img" '
            f'aria-label="{escape(self.title)}">'
        )
        white = '<rect width="100%" height="100%" fill="#ffffff"/>'
        return "\n".join([head, white, *self.parts, "</svg>", ""])

    def _arrow(self, pixels: list[FloatArray], color: str, width: float, dash: str) -> None:
        tip, along = pixels[-1], pixels[-1] - pixels[-2]
        along = along / np.hypot(*along)
        across = np.array([-along[1], along[0]])
        back = tip - HEAD * along
        shaft = [p for p in pixels[:-1] if (tip - p) @ along > 0.8 * HEAD or len(pixels) == 2]
        self._path([*shaft, tip - 0.7 * HEAD * along], color, width, dash)
        side = 0.4 * HEAD * across
        self._path([tip, back + side, back - side], color, 0.5, "", color)

    def _path(
        self,
        pixels: Sequence[FloatArray],
        color: str,
        width: float,
        dash: str = "",
        fill: str = "none",
        opacity: float = 1.0,
    ) -> None:
        places = "L".join(f"{number(x)} {number(y)}" for x, y in pixels)
        close = "" if fill == "none" else "Z"
        extra = f' stroke-dasharray="{dash}"' if dash else ""
        extra += f' opacity="{opacity:g}"' if opacity != 1.0 else ""
        self.parts.append(
            f'<path d="M{places}{close}" fill="{fill}" stroke="{color}" '
            f'stroke-width="{width:g}" stroke-linejoin="round"{extra}/>'
        )


def number(value: float) -> str:
    """A tenth of a pixel is enough, and zero has no sign."""
    return f"{round(float(value), 1) + 0.0:g}"
