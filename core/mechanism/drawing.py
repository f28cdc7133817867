"""Where components draw themselves: shapes on their frames, collected as a picture."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, frozen
from ..frames import minimal_rotation
from .component import Component
from .frame import Frame
from .picture import Color, Line, LineKind, Solid, SolidKind
from .places import Places

ORIGIN = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Scene:
    """Collects solids and lines; sizes that nobody gave are shares of `size`.

    Attributes:
        places: where frames are.
        size: a typical length of the mechanism, m.
        solids, lines: what was drawn so far.
    """

    places: Places
    size: float
    solids: list[Solid] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    def solid(
        self,
        component: Component,
        kind: SolidKind,
        frame: Frame,
        frame_from_solid: FloatArray,
        size: tuple[float, ...],
        color: Color | None = None,
    ) -> None:
        """A shape that moves with a frame; see `picture.Solid` for kind and size."""
        link, link_from_frame = self.places.link(frame)
        pose = frozen(link_from_frame @ frame_from_solid)
        self.solids.append(Solid(component.name, kind, link, pose, size, color))

    def line(
        self,
        component: Component,
        kind: LineKind,
        start: tuple[Frame, ArrayLike],
        end: tuple[Frame, ArrayLike],
        radius: float,
        color: Color | None = None,
    ) -> None:
        """A line from a point in one frame to a point in another; see `picture.Line` for kind."""
        ends = [self._on_link(*point) for point in (start, end)]
        self.lines.append(Line(component.name, kind, ends[0], ends[1], radius, color))

    def _on_link(self, frame: Frame, point: ArrayLike) -> tuple[str, FloatArray]:
        link, link_from_frame = self.places.link(frame)
        moved = link_from_frame[:3, :3] @ np.asarray(point, dtype=np.float64)
        return link, frozen(moved + link_from_frame[:3, 3])


def along(axis: FloatArray, origin: ArrayLike = ORIGIN) -> FloatArray:
    """frame_from_solid (4, 4) of a shape whose z lies along a unit axis (3,)."""
    out = np.eye(4)
    out[:3, :3] = minimal_rotation((0.0, 0.0, 1.0), axis)
    out[:3, 3] = origin
    return out
