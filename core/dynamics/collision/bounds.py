"""Which pairs of solids are near each other, by boxes along the world's axes.

Of a solid with points in the box c +- h of its port and a radius r, at world_from_port = (R, t),
the box in the world is

    R c + t +- (|R| h + r)

Pairs can only touch where their boxes come as near as the margin along all three axes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays import FloatArray
from ..model import IntArray
from .solids import Solid


class Bounds:
    """Boxes about solids that have an end.

    Attributes:
        centre, half: (n, 3), of the points in the ports, m; 0 for planes.
        radius: (n,), m.
    """

    def __init__(self, solids: Sequence[Solid]) -> None:
        ends = [
            (own.points.min(axis=0), own.points.max(axis=0))
            if len(own.points)
            else (np.zeros(3),) * 2
            for own in solids
        ]
        lower = np.array([own[0] for own in ends]).reshape(-1, 3)
        upper = np.array([own[1] for own in ends]).reshape(-1, 3)
        self.centre, self.half = 0.5 * (lower + upper), 0.5 * (upper - lower)
        self.radius = np.array([own.radius for own in solids])

    def boxes(self, world_from_port: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Lower and upper corners (n, 3) of the boxes in the world."""
        turn = world_from_port[:, :3, :3]
        centre = (turn @ self.centre[:, :, None])[..., 0] + world_from_port[:, :3, 3]
        half = (np.abs(turn) @ self.half[:, :, None])[..., 0] + self.radius[:, None]
        return centre - half, centre + half

    def near(
        self, world_from_port: FloatArray, first: IntArray, second: IntArray, margin: float
    ) -> IntArray:
        """The rows of pairs (p,) whose boxes are at most a margin apart, m."""
        lower, upper = self.boxes(world_from_port)
        lower = lower - margin
        apart = (lower[first] > upper[second]) | (lower[second] > upper[first])
        return np.flatnonzero(~apart.any(axis=1))
