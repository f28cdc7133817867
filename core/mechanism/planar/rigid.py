"""Planar components whose frames stand still: in the world, or against each other."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import array, number
from ..component import Space
from ..rigid import FixedPart, RigidPart, planar_pose


class Fixed(FixedPart):
    """A frame fixed in the world.

    Args:
        name: of the component.
        r: origin of frame_b (2,), m, in the world.
        phi: its angle, rad.
    """

    space: ClassVar[Space] = "planar"

    def __init__(self, name: str, *, r: ArrayLike = (0.0, 0.0), phi: float = 0.0) -> None:
        owner = f"Fixed '{name}'"
        self.r = array(owner, "r", r, (2,))
        self.phi = number(owner, "phi", phi)
        super().__init__(name, planar_pose(self.r, self.phi), self.phi)


class FixedTranslation(RigidPart):
    """A rod without mass: frame_b at r in frame_a, turned as frame_a is.

    Args:
        name: of the component.
        r: (2,), m, in frame_a.
    """

    space: ClassVar[Space] = "planar"

    def __init__(self, name: str, *, r: ArrayLike = (1.0, 0.0)) -> None:
        self.r = array(f"FixedTranslation '{name}'", "r", r, (2,))
        super().__init__(name, planar_pose(self.r, 0.0))


class FixedRotation(RigidPart):
    """A fixed turn: frame_b is frame_a turned by alpha.

    Args:
        name: of the component.
        alpha: rad.
    """

    space: ClassVar[Space] = "planar"

    def __init__(self, name: str, *, alpha: float) -> None:
        self.alpha = number(f"FixedRotation '{name}'", "alpha", alpha)
        super().__init__(name, planar_pose(np.zeros(2), self.alpha), self.alpha)
