"""Wheels that roll without slipping, on a plane and in a plane on a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray
from ...dynamics import constraints as kinds
from ...dynamics.constraints import Constraint, Switch
from ...errors import ArgumentError
from ..arguments import positive
from ..component import Output
from ..drawing import Scene
from ..places import Places
from ..shapes import Color
from . import sketches
from .pairs import PairPart
from .part import unit_axis

X, Y, Z = (1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


class WheelPart(PairPart):
    """What wheels in a plane and in space share.

    Variables: normal (…), with which the plane pushes the wheel away, N; traction (…), with which
    it pushes the wheel along axis x normal, in a plane along n, N; in space side (…), along
    normal x (axis x normal), N; displacement, velocity, equation and force as of all pairs of
    frames.
    """

    def __init__(
        self,
        name: str,
        radius: float,
        axis: FloatArray,
        normal: FloatArray,
        touches: bool,
        grips_sideways: bool,
        active: bool,
        switches: Sequence[Switch],
        show: bool,
        color: Color | None,
    ) -> None:
        super().__init__(name, active, switches, show, color)
        self.radius = positive(self.label, "radius", radius)
        for key, value in (("touches", touches), ("grips_sideways", grips_sideways)):
            if not isinstance(value, bool | np.bool_):
                raise ArgumentError(f"{self.label}: {key}: wanted True or False, got {value!r}")
        self.touches, self.grips_sideways = bool(touches), bool(grips_sideways)
        self._axis, self._normal = axis, normal

    @property
    def extent(self) -> float:
        """Across the wheel, m."""
        return 2.0 * self.radius

    def constraint(self, places: Places) -> Constraint:
        """A wheel."""
        ends = self.ends(places)
        return kinds.RollingWheel(
            **self.common(),
            wheel=ends["b"],
            radius=self.radius,
            axis=self._axis,
            plane=ends["a"],
            normal=self._normal,
            touches=self.touches,
            grips_sideways=self.grips_sideways,
        )

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also what acts at the contact."""
        rows = (("normal", self.touches), ("traction", True), ("side", self.grips_sideways))
        names = [name for name, there in rows if there]
        forces = {name: self.lagrange(row, -1.0) for row, name in enumerate(names)}
        return {**super().outputs(places), **forces}

    def sketch(self, scene: Scene) -> None:
        """The wheel."""
        wheel = self.frame_b, self._axis, self.radius
        sketches.disc(self, scene, *wheel, self.shown)


class RollingWheelPart(WheelPart):
    """A thin disc that rolls on a plane without slipping: 3 rows, two of velocities.

    frame_b is its centre; the plane goes through the origin of frame_a.

    Args:
        name: of the component.
        radius: m, above 0.
        n: the wheel's axis (3,) in frame_b, of any length but 0, y if none.
        normal: of the plane (3,) in frame_a, to the side of the wheel, z if none.
        touches: whether it is kept on the plane; without that, joints must do so.
        grips_sideways: whether it does not slip sideways either.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        radius: float,
        n: ArrayLike | None = None,
        normal: ArrayLike | None = None,
        touches: bool = True,
        grips_sideways: bool = True,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        self.n = unit_axis(owner, "n", Y if n is None else n, 3)
        self.normal = unit_axis(owner, "normal", Z if normal is None else normal, 3)
        super().__init__(
            name,
            radius,
            self.n,
            self.normal,
            touches,
            grips_sideways,
            active,
            switches,
            show,
            color,
        )


class RollingDiscPart(WheelPart):
    """A disc that rolls on a line in the plane without slipping: 2 rows, one of velocities.

    frame_b is its centre; the line goes through the origin of frame_a, and the disc is to its left:
    above a line along x.

    Args:
        name: of the component.
        radius: m, above 0.
        n: direction of the line (2,) in frame_a, of any length but 0, x if none.
        touches: whether it is kept on the line; without that, joints must do so.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        radius: float,
        n: ArrayLike | None = None,
        touches: bool = True,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        self.n = unit_axis(owner, "n", X if n is None else n, 2)
        left = np.array([-self.n[1], self.n[0], 0.0])
        # about -z it rolls along n, and traction counts along n
        axis = np.array([0.0, 0.0, -1.0])
        super().__init__(name, radius, axis, left, touches, False, active, switches, show, color)

    def sketch(self, scene: Scene) -> None:
        """The disc, and the line."""
        super().sketch(scene)
        sketches.rail(self, scene, self.frame_a, self.n, self.shown)
