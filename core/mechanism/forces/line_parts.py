"""Springs and dampers between the origins of two frames, in a plane and in space."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np

from ...arrays import FloatArray
from ..arguments import color as checked_color
from ..arguments import number, positive
from ..component import Component, Forces, Output
from ..drawing import ORIGIN, Scene
from ..picture import Color, LineKind
from ..places import Places
from .lines import LineForces, LineState
from .ports import Ports

RADIUS = 0.02  # of a picture's coil, as a share of the mechanism's size


class LinePart(Component):
    """A massless element that pulls its frames together with f = c (s - s_unstretched) + d s'.

    Variables: s, the distance, m; v, its rate, m/s; f, N, positive where it pulls; energy, stored,
    J; lossPower, that it takes out of the motion, W.
    """

    kind: ClassVar[LineKind]

    def __init__(
        self,
        name: str,
        c: float,
        s_unstretched: float,
        d: float,
        radius: float | None,
        color: Color | None,
    ) -> None:
        super().__init__(name, ("frame_a", "frame_b"))
        self.c = number(self.label, "c", c, 0.0)
        self.s_unstretched = number(self.label, "s_unstretched", s_unstretched, 0.0)
        self.d = number(self.label, "d", d, 0.0)
        self.radius = None if radius is None else positive(self.label, "radius", radius)
        self.color = checked_color(self.label, color)

    def forces(self, places: Places) -> Forces:
        """Of its two frames."""
        return Forces(frame_forces=((self._law(places), (self.frame_a, self.frame_b)),))

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Length, rate, force, energy and loss."""
        law = self._law(places)

        def of(value: Callable[[LineState], FloatArray]) -> Output:
            return lambda at: value(law.state(at.moment))[..., 0]

        return {
            "s": of(lambda line: line.s),
            "v": of(lambda line: line.v),
            "f": of(lambda line: line.f),
            "energy": of(lambda line: 0.5 * self.c * (line.s - self.s_unstretched) ** 2),
            "lossPower": of(lambda line: self.d * line.v**2),
        }

    def drawn(self, scene: Scene) -> None:
        """A line between its frames."""
        radius = RADIUS * scene.size if self.radius is None else self.radius
        start, end = (self.frame_a, ORIGIN), (self.frame_b, ORIGIN)
        scene.line(self, self.kind, start, end, radius, self.color)

    def _law(self, places: Places) -> LineForces:
        ports = Ports.of([places.frame(self.frame_a), places.frame(self.frame_b)])
        values = (np.array([value]) for value in (self.c, self.s_unstretched, self.d))
        return LineForces(ports, *values)


class SpringPart(LinePart):
    """A linear spring: f = c (s - s_unstretched).

    Without rest length it pulls with -c times the vector between its frames, at length 0 too.
    With one, it has no direction while its frames coincide at rest, and exerts nothing.

    Args:
        name: of the component.
        c: stiffness, N/m.
        s_unstretched: length at which it exerts nothing, m.
        radius: of its picture, m; a share of the mechanism's size if none.
        color: of its picture, red, green and blue in 0..1.
    """

    kind: ClassVar[LineKind] = "spring"

    def __init__(
        self,
        name: str,
        *,
        c: float = 1.0,
        s_unstretched: float = 0.0,
        radius: float | None = None,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, c, s_unstretched, 0.0, radius, color)


class DamperPart(LinePart):
    """A linear damper: f = d s'.

    Args:
        name: of the component.
        d: N s/m.
        radius, color: as for `Spring`.
    """

    kind: ClassVar[LineKind] = "damper"

    def __init__(
        self,
        name: str,
        *,
        d: float = 1.0,
        radius: float | None = None,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, 0.0, 0.0, d, radius, color)


class SpringDamperPart(LinePart):
    """A spring and a damper in parallel: f = c (s - s_unstretched) + d s'.

    Args:
        name: of the component.
        c, s_unstretched: as for `Spring`.
        d: N s/m.
        radius, color: as for `Spring`.
    """

    kind: ClassVar[LineKind] = "spring-damper"

    def __init__(
        self,
        name: str,
        *,
        c: float = 1.0,
        d: float = 1.0,
        s_unstretched: float = 0.0,
        radius: float | None = None,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, c, s_unstretched, d, radius, color)
