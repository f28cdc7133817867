"""The world of a mechanism: its frame, and gravity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, frozen
from .arguments import direction, number
from .component import Component, RigidEdge
from .contacts.part import ContactPart
from .drawing import ANCHOR

if TYPE_CHECKING:
    from .drawing import Scene

STANDARD_GRAVITY = 9.80665  # m/s^2
MARK = 0.03  # edge of the box at its origin among contacts, of the mechanism's size


class World(Component):
    """The world: frame_b is its origin. A mechanism has exactly one.

    Attributes:
        n: unit vector, the direction of gravity; g: its size, m/s^2.
        gravity: (3,), m/s^2, in space.
    """

    needs: ClassVar[Literal["all", "any", "none"]] = "none"

    def __init__(self, name: str, n: ArrayLike, g: float, size: int) -> None:
        super().__init__(name, ("frame_b",))
        self.n = direction(self.label, "n", n, size)
        self.g = number(self.label, "g", g)
        gravity = np.zeros(3)
        gravity[:size] = self.g * self.n
        self.gravity: FloatArray = frozen(gravity)
        self._edges = (RigidEdge(self, None, self.frame_b, np.eye(4)),)

    def rigid_edges(self) -> Sequence[RigidEdge]:
        """Its frame is the world."""
        return self._edges

    def drawn(self, scene: Scene) -> None:
        """A small box, where a joint or a line of force ends and no body stands.

        A smaller one among contacts: what touches moves about it.
        """
        assembly = scene.places.assembly
        node = assembly.graph.node
        touching = {part for part in assembly.components if isinstance(part, ContactPart)}
        here = {f.component for f, n in node.items() if n == node[self.frame_b]} - {self}
        if here - touching and not any(component.masses() for component in here):
            scene.anchor(self, self.frame_b, MARK if touching else ANCHOR)
