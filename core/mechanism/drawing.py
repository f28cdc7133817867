"""Where components draw themselves: shapes on their frames, collected as a picture."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, frozen
from ..frames import minimal_rotation
from .component import Component
from .frame import Frame
from .places import Places
from .shapes import Color, Line, LineKind, Solid, SolidKind

ORIGIN = (0.0, 0.0, 0.0)
JOINT_COLOR: Color = (0.20, 0.23, 0.28)
ANCHOR_COLOR: Color = (0.46, 0.49, 0.54)
# shares of the mechanism's size
ROD, BALL = 0.018, 0.055  # radii of rods without mass, and of bodies without a shape
BAR, STOUT = 0.025, 0.2  # radius of bodies from frame to frame, and the largest, of their length
RAIL = 0.01  # radius of what a slide runs along, less than that of a rope beside it
HINGE, HINGE_LENGTH = 0.028, 0.15  # radius and length of a hinge's pin, which passes a ball
ANCHOR = 0.08  # edge of the box where something is fixed in the world
SLIDER = (0.09, 0.06, 0.06)  # edges of a slider, the first along its way


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
        endless: tuple[int, ...] = (),
    ) -> None:
        """A shape that moves with a frame; see `shapes.Solid` for kind, size and endless."""
        link, link_from_frame = self.places.link(frame)
        pose = frozen(link_from_frame @ frame_from_solid)
        self.solids.append(Solid(component.name, kind, link, pose, size, color, None, endless))

    def line(
        self,
        component: Component,
        kind: LineKind,
        start: tuple[Frame, ArrayLike],
        end: tuple[Frame, ArrayLike],
        radius: float,
        color: Color | None = None,
    ) -> None:
        """A line from a point in one frame to a point in another; see `shapes.Line` for kind."""
        ends = [self._on_link(*point) for point in (start, end)]
        self.lines.append(Line(component.name, kind, ends[0], ends[1], radius, color))

    def _on_link(self, frame: Frame, point: ArrayLike) -> tuple[str, FloatArray]:
        link, link_from_frame = self.places.link(frame)
        moved = link_from_frame[:3, :3] @ np.asarray(point, dtype=np.float64)
        return link, frozen(moved + link_from_frame[:3, 3])

    def pin(self, component: Component, frame: Frame, axis: FloatArray) -> None:
        """The pin of a hinge along an axis (3,) of a frame."""
        size = (HINGE * self.size, HINGE_LENGTH * self.size)
        self.solid(component, "cylinder", frame, along(axis), size, JOINT_COLOR)

    def slider(self, component: Component, frame: Frame, axis: FloatArray) -> None:
        """The slider of a slide along an axis (3,) of a frame."""
        turned = along(axis)
        turned[:3, :3] = turned[:3, [2, 0, 1]]  # its x along the axis
        edges = tuple(share * self.size for share in SLIDER)
        self.solid(component, "box", frame, turned, edges, JOINT_COLOR)

    def ball(
        self,
        component: Component,
        frame: Frame,
        point: ArrayLike = ORIGIN,
        radius: float | None = None,
        color: Color | None = None,
    ) -> None:
        """A ball around a point (3,) of a frame; without a radius, of a size that fits."""
        pose = np.eye(4)
        pose[:3, 3] = point
        size = (BALL * self.size if radius is None else radius,)
        self.solid(component, "sphere", frame, pose, size, color)

    def anchor(self, component: Component, frame: Frame, share: float = ANCHOR) -> None:
        """A box where something is fixed in the world; its edge is a share."""
        edge = share * self.size
        self.solid(component, "box", frame, np.eye(4), (edge, edge, edge), ANCHOR_COLOR)

    def rod(self, component: Component, start: Frame, end: Frame, share: float = ROD) -> None:
        """A rod without mass, from one frame's origin to another's; its radius is a share."""
        self.line(component, "rod", (start, ORIGIN), (end, ORIGIN), share * self.size)

    def rail(self, component: Component, start: Frame, end: Frame) -> None:
        """What a slide runs along, thin enough to see a cable that goes the same way."""
        self.rod(component, start, end, RAIL)

    def thickness(self, length: float) -> float:
        """The radius of a bar of this length, m: all bars of a mechanism but short ones have one.

        No bar is longer than the size, so that none is thinner than its share of its own length.
        """
        return min(BAR * self.size, STOUT * length)


def along(axis: FloatArray, origin: ArrayLike = ORIGIN) -> FloatArray:
    """frame_from_solid (4, 4) of a shape whose z lies along a unit axis (3,)."""
    out = np.eye(4)
    out[:3, :3] = minimal_rotation((0.0, 0.0, 1.0), axis)
    out[:3, 3] = origin
    return out
