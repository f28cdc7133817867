"""Constraints between frame_a and frame_b that have an axis, in frame_a and in frame_b."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from numpy.typing import ArrayLike

from ...dynamics import constraints as kinds
from ...dynamics.constraints import Constraint, Switch
from ..closing import PlanarSlide
from ..drawing import Scene
from ..places import Places
from ..shapes import Color
from . import sketches
from .pairs import PairPart
from .plane import PlanarPointOnLine

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
ALONG = (1.0, 0.0)  # in a plane


class AxisPart(PairPart):
    """A constraint with an axis of frame_a that is one of frame_b too.

    Args:
        name: of the component.
        n: the axis (3,) in frame_a, of any length but 0.
        n_b: the same axis as it is in frame_b; the same numbers if none.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    kind: ClassVar[type[kinds.pairs.AxisConstraint]]
    usual: ClassVar[tuple[float, float, float]] = Z

    def __init__(
        self,
        name: str,
        *,
        n: ArrayLike | None = None,
        n_b: ArrayLike | None = None,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, active, switches, show, color)
        self.n = self.axis("n", n, self.usual)
        self.n_b = self.n if n_b is None else self.axis("n_b", n_b, Z)

    def constraint(self, places: Places) -> Constraint:
        """The one of its kind."""
        return self.kind(**self.common(), **self.ends(places), axis=self.n, axis_b=self.n_b)


class HingePart(AxisPart):
    """frame_b turns about the axis only: 5 rows."""

    kind = kinds.Hinge

    def sketch(self, scene: Scene) -> None:
        """A pin."""
        sketches.pin(self, scene, self.frame_b, self.n_b, self.shown)


class CylindricalPart(AxisPart):
    """frame_b turns about the axis and slides along it: 4 rows."""

    kind = kinds.Cylindrical
    usual = X

    def sketch(self, scene: Scene) -> None:
        """A pin on a rail."""
        sketches.pin(self, scene, self.frame_b, self.n_b, self.shown)
        sketches.rail(self, scene, self.frame_a, self.n, self.shown)


class LinePart(PairPart):
    """A constraint of the origin of frame_b with a direction of frame_a.

    Args:
        name: of the component.
        n: the direction (3,) in frame_a, in a plane (2,), of any length but 0.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    usual: ClassVar[tuple[float, ...]] = X

    def __init__(
        self,
        name: str,
        *,
        n: ArrayLike | None = None,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, active, switches, show, color)
        self.n = self.axis("n", n, self.usual[: 2 if self.space == "planar" else 3])

    def built(self, places: Places, kind: Any) -> Constraint:
        """Of a kind with this axis."""
        out: Constraint = kind(**self.common(), **self.ends(places), axis=self.n)
        return out


class PlanarHingePart(LinePart):
    """The origins coincide as seen along n: the 2 rows that close a loop in a plane."""

    usual = Z

    def constraint(self, places: Places) -> Constraint:
        """Two rows."""
        return self.built(places, kinds.PlanarHinge)

    def sketch(self, scene: Scene) -> None:
        """A pin."""
        sketches.pin(self, scene, self.frame_a, self.n, self.shown)


class PointOnLinePart(LinePart):
    """The origin of frame_b is on the line through that of frame_a along n: 2 rows, in a plane 1.

    n is x if none is given.
    """

    def constraint(self, places: Places) -> Constraint:
        """Of the line."""
        planar = self.space == "planar"
        return self.built(places, PlanarPointOnLine if planar else kinds.PointOnLine)

    def sketch(self, scene: Scene) -> None:
        """The line, and the point."""
        sketches.rail(self, scene, self.frame_a, self.n, self.shown)
        sketches.ball(self, scene, self.frame_b, self.shown)


class PointOnPlanePart(LinePart):
    """The origin of frame_b is in the plane through that of frame_a across n: 1 row.

    n is z if none is given.
    """

    usual = Z

    def constraint(self, places: Places) -> Constraint:
        """Of the plane."""
        return self.built(places, kinds.PointOnPlane)

    def sketch(self, scene: Scene) -> None:
        """The plane, and the point."""
        sketches.plate(self, scene, self.frame_a, self.n, self.shown)
        sketches.ball(self, scene, self.frame_b, self.shown)


class PrismaticPart(LinePart):
    """frame_b slides along n of frame_a, its axes along those of frame_a: 5 rows, in a plane 2.

    n is x if none is given.
    """

    def constraint(self, places: Places) -> Constraint:
        """Of the slide."""
        planar = self.space == "planar"
        return self.built(places, PlanarSlide if planar else kinds.Prismatic)

    def sketch(self, scene: Scene) -> None:
        """A slider on a rail."""
        sketches.slider(self, scene, self.frame_b, self.n, self.shown)
        sketches.rail(self, scene, self.frame_a, self.n, self.shown)


class UniversalPart(PairPart):
    """The origins coincide, and n_a of frame_a is across n_b of frame_b: 4 rows.

    Args:
        name: of the component.
        n_a, n_b: axes (3,), of any length but 0; x and y if none.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        n_a: ArrayLike | None = None,
        n_b: ArrayLike | None = None,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, active, switches, show, color)
        self.n_a, self.n_b = self.axis("n_a", n_a, X), self.axis("n_b", n_b, Y)

    def constraint(self, places: Places) -> Constraint:
        """A universal joint."""
        ends = self.ends(places)
        return kinds.Universal(**self.common(), **ends, axis_a=self.n_a, axis_b=self.n_b)

    def sketch(self, scene: Scene) -> None:
        """A pin for each axis."""
        sketches.pin(self, scene, self.frame_a, self.n_a, self.shown)
        sketches.pin(self, scene, self.frame_b, self.n_b, self.shown)
