"""What a mechanism looks like, as plain values: solids fixed to links, lines between links.

Poses over time come from the trajectory (`sol.trajectory.link_poses(t)`); nothing here knows a
renderer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..arrays import FloatArray

SolidKind = Literal["box", "cylinder", "sphere"]
LineKind = Literal["rod", "spring", "damper", "spring-damper", "rope"]
Color = tuple[float, float, float]  # red, green, blue in 0..1


@dataclass(frozen=True, eq=False)
class Solid:
    """A shape that moves with a link.

    Attributes:
        component: the name of the component that it shows.
        kind: what `size` means: of a box its edges along x, y, z; of a cylinder its radius and
            its length along z; of a sphere its radius. All are centred at their frame; m.
        link: a name of `model.link_names`.
        link_from_solid: (4, 4).
        size: see kind.
        color: None leaves it to the renderer.
        like: the component whose colour it has where it has none of its own, such as the body of
            a shape that may touch; itself if None.
        endless: places in `size` of edges that show a part of what has no end.
    """

    component: str
    kind: SolidKind
    link: str
    link_from_solid: FloatArray
    size: tuple[float, ...]
    color: Color | None = None
    like: str | None = None
    endless: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Line:
    """A straight element between a point of one link and a point of another, or of the same.

    Attributes:
        component: the name of the component that it shows.
        kind: how it is drawn.
        start, end: a name of `model.link_names`, and the point (3,) in that link's frame, m.
        radius: of the rod, of the rope, or of the coil, m.
        color: None leaves it to the renderer.
    """

    component: str
    kind: LineKind
    start: tuple[str, FloatArray]
    end: tuple[str, FloatArray]
    radius: float
    color: Color | None = None


@dataclass(frozen=True, eq=False)
class Picture:
    """All that is drawn of a mechanism.

    size is a typical length of it, m; planar tells that it moves in the world's xy plane.
    """

    solids: tuple[Solid, ...]
    lines: tuple[Line, ...]
    size: float
    planar: bool
