"""Components that have mass: what planar and spatial bodies share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np

from ..arrays import FloatArray, frozen
from .arguments import color as checked_color
from .arguments import positive
from .component import Component, Mass, RigidEdge, Root
from .drawing import ORIGIN, ROD, Scene, along
from .shapes import Color


class MassivePart(Component):
    """A body at frame_a, and where it has one a frame_b fixed to it.

    Attributes:
        m: kg.
        center_of_mass: (3,), m; inertia: (3, 3), kg m^2, about it; both in frame_a, in space.
        radius, color: of its picture, m, and red, green and blue in 0..1; None where the picture
            is to choose.
    """

    needs: ClassVar[Literal["all", "any", "none"]] = "none"

    def __init__(
        self,
        name: str,
        m: float,
        center_of_mass: FloatArray,
        inertia: FloatArray,
        a_from_b: FloatArray | None,
        radius: float | None = None,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, ("frame_a",) if a_from_b is None else ("frame_a", "frame_b"))
        self.m = m
        self.radius = None if radius is None else positive(self.label, "radius", radius)
        self.color = checked_color(self.label, color)
        self.center_of_mass: FloatArray = frozen(center_of_mass)
        self.inertia: FloatArray = frozen(inertia)
        self._masses = (Mass(name, self.frame_a, m, self.center_of_mass, self.inertia),)
        ends = () if a_from_b is None else ((self.frame_a, self.frame_b, a_from_b),)
        self._edges = tuple(RigidEdge(self, *end) for end in ends)

    def rigid_edges(self) -> Sequence[RigidEdge]:
        """From frame_a to frame_b."""
        return self._edges

    def masses(self) -> Sequence[Mass]:
        """The one at frame_a."""
        return self._masses

    def root(self) -> Root | None:
        """Its free motion, as frame_a moves."""
        return self._root

    @property
    def extent(self) -> float:
        """From frame_a to frame_b or to the centre of mass, or across its picture, m."""
        ends = [edge.a_from_b[:3, 3] for edge in self._edges]
        lengths = [np.linalg.norm(point) for point in (self.center_of_mass, *ends)]
        return max(*(float(length) for length in lengths), 2.0 * (self.radius or 0.0))

    def drawn(self, scene: Scene) -> None:
        """A cylinder from frame_a to frame_b, or a ball at the centre of mass on a rod."""
        end = self._edges[0].a_from_b[:3, 3] if self._edges else np.zeros(3)
        length = float(np.linalg.norm(end))
        if length > 0.0:
            radius = scene.thickness(length) if self.radius is None else self.radius
            pose = along(end / length, 0.5 * end)
            scene.solid(self, "cylinder", self.frame_a, pose, (radius, length), self.color)
            return
        scene.ball(self, self.frame_a, self.center_of_mass, self.radius, self.color)
        if self.center_of_mass.any():
            ends = (self.frame_a, ORIGIN), (self.frame_a, self.center_of_mass)
            scene.line(self, "rod", *ends, ROD * scene.size)

    def _carry(self, root: Root) -> None:
        self._root = root
