"""Constraints between frame_a and frame_b that a joint would keep.

Axes are those of frame_a, and n_b the same axis as it is in frame_b. Rows, their order and units
are those of `dynamics.constraints.pairs`; in a plane only those are there that it needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...arrays import FloatArray
from ...dynamics import constraints as kinds
from ...dynamics.constraints import Constraint, Switch
from ..closing import PlanarWeld
from ..component import Output
from ..drawing import Scene
from ..forces.ports import cross
from ..places import Places
from ..shapes import Color
from ..vectors import local
from . import sketches
from .part import ConstraintPart

if TYPE_CHECKING:
    from ..snapshot import Snapshot

Z = (0.0, 0.0, 1.0)


class PairPart(ConstraintPart):
    """A constraint between frame_a and frame_b.

    Variables: displacement (…, 3), of the origin of frame_b in frame_a, m, in a plane (…, 2);
    velocity, its rate in the axes of frame_a; equation, force.
    """

    def __init__(
        self,
        name: str,
        active: bool,
        switches: Sequence[Switch],
        show: bool,
        color: Color | None,
    ) -> None:
        super().__init__(name, ("frame_a", "frame_b"), active, switches, show, color)

    def ends(self, places: Places) -> dict[str, Any]:
        """The ports a and b where it takes hold."""
        return {"a": places.port(self.frame_a), "b": places.port(self.frame_b)}

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also where frame_b is in frame_a."""
        size = 2 if self.space == "planar" else 3
        return {
            **super().outputs(places),
            "displacement": lambda at: self._apart(at)[0][..., :size],
            "velocity": lambda at: self._apart(at)[1][..., :size],
        }

    def _apart(self, at: Snapshot) -> tuple[FloatArray, FloatArray]:
        """Of frame_b in frame_a and its axes (…, 3), and its rate."""
        a, b = self.frame_a, self.frame_b
        apart = at.position(b) - at.position(a)
        rate = at.velocity(b) - at.velocity(a) - cross(at.angular_velocity(a), apart)
        turn = at.rotation(a)
        return local(turn, apart), local(turn, rate)


class BallPart(PairPart):
    """The origins of both frames coincide: 3 rows, in a plane 2.

    Args:
        name: of the component.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, active, switches, show, color)

    def constraint(self, places: Places) -> Constraint:
        """A ball; in a plane a hinge."""
        kind = kinds.PlanarHinge if self.space == "planar" else kinds.Ball
        return kind(**self.common(), **self.ends(places))

    def sketch(self, scene: Scene) -> None:
        """A ball; in a plane a pin."""
        if self.space == "planar":
            sketches.pin(self, scene, self.frame_b, np.array(Z), self.shown)
        else:
            sketches.ball(self, scene, self.frame_b, self.shown)


class WeldPart(PairPart):
    """Both frames coincide, in position and orientation: 6 rows, in a plane 3.

    Args:
        name: of the component.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, active, switches, show, color)

    def constraint(self, places: Places) -> Constraint:
        """A weld."""
        kind = PlanarWeld if self.space == "planar" else kinds.Weld
        return kind(**self.common(), **self.ends(places))

    def sketch(self, scene: Scene) -> None:
        """A small box."""
        sketches.box(self, scene, self.frame_b, self.shown)
