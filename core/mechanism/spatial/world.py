"""The world of a mechanism in space."""

from __future__ import annotations

from typing import ClassVar

from numpy.typing import ArrayLike

from ..component import Space
from ..world import STANDARD_GRAVITY
from ..world import World as SharedWorld


class World(SharedWorld):
    """The world: frame_b is its origin. A mechanism has exactly one.

    Args:
        name: of the component.
        n: direction of gravity (3,), of any length but 0.
        g: size of gravity, m/s^2.
    """

    space: ClassVar[Space] = "spatial"

    def __init__(
        self, name: str = "world", *, n: ArrayLike = (0.0, 0.0, -1.0), g: float = STANDARD_GRAVITY
    ) -> None:
        super().__init__(name, n, g, 3)
