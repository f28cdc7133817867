"""Components that have mass: what planar and spatial bodies share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from ..arrays import FloatArray, frozen
from .component import Component, Mass, RigidEdge, Root


class MassivePart(Component):
    """A body at frame_a, and where it has one a frame_b fixed to it.

    Attributes:
        m: kg.
        center_of_mass: (3,), m; inertia: (3, 3), kg m^2, about it; both in frame_a, in space.
    """

    needs: ClassVar[Literal["all", "any", "none"]] = "none"

    def __init__(
        self,
        name: str,
        m: float,
        center_of_mass: FloatArray,
        inertia: FloatArray,
        a_from_b: FloatArray | None,
    ) -> None:
        super().__init__(name, ("frame_a",) if a_from_b is None else ("frame_a", "frame_b"))
        self.m = m
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

    def _carry(self, root: Root) -> None:
        self._root = root
