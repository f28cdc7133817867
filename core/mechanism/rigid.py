"""Components whose two frames stand still against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np

from ..arrays import FloatArray, frozen
from ..frames import ori_2d
from .component import Component, RigidEdge
from .drawing import Scene


class RigidPart(Component):
    """frame_a and frame_b, and the constant pose a_from_b (4, 4) between them."""

    needs: ClassVar[Literal["all", "any", "none"]] = "any"

    def __init__(self, name: str, a_from_b: FloatArray, angle: float = 0.0) -> None:
        super().__init__(name, ("frame_a", "frame_b"))
        self.a_from_b: FloatArray = frozen(a_from_b)
        self._edges = (RigidEdge(self, self.frame_a, self.frame_b, self.a_from_b, angle),)

    def rigid_edges(self) -> Sequence[RigidEdge]:
        """The one between its frames."""
        return self._edges

    def drawn(self, scene: Scene) -> None:
        """A rod, where it has a length."""
        if self.a_from_b[:3, 3].any():
            scene.rod(self, self.frame_a, self.frame_b)


class FixedPart(Component):
    """frame_b at a constant pose world_from_b (4, 4) in the world."""

    def __init__(self, name: str, world_from_b: FloatArray, angle: float = 0.0) -> None:
        super().__init__(name, ("frame_b",))
        self.world_from_b: FloatArray = frozen(world_from_b)
        self._edges = (RigidEdge(self, None, self.frame_b, self.world_from_b, angle),)

    def rigid_edges(self) -> Sequence[RigidEdge]:
        """Fixed to the world."""
        return self._edges

    def drawn(self, scene: Scene) -> None:
        """A small box."""
        scene.anchor(self, self.frame_b)


def in_space(vector: FloatArray) -> FloatArray:
    """A planar vector (2,) or one in space (3,) as (3,)."""
    return np.append(vector, np.zeros(3 - len(vector)))


def planar_pose(r: FloatArray, angle: float) -> FloatArray:
    """(4, 4): a turn by angle about z after a shift by r (2,)."""
    out = np.eye(4)
    out[:2, :2] = ori_2d(angle).T
    out[:2, 3] = r
    return out
