"""Constraints on frames that move in the world's xy plane, with only the rows that it needs.

Welds and slides are those that close loops, see `closing`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import as_floats
from ...dynamics.constraints import Hold, PrescribedFrame
from ...dynamics.constraints.pairs import AxisConstraint, Relation

IN_PLANE = ("x", "y", "turn z")


def in_plane(relations: Sequence[Relation]) -> list[Relation]:
    """Those rows of a weld that a motion in the plane can change: x, y and the turn about z."""
    return [row for row in relations if row.name in IN_PLANE]


@dataclass(frozen=True, eq=False, kw_only=True)
class PlanarPointOnLine(AxisConstraint):
    """The origin of port b is on the axis of port a, a line in the plane: 1 row."""

    def relations(self) -> Sequence[Relation]:
        """The distance to the left of the line, z x axis."""
        x, y, _ = as_floats(self.axis, (3,), "axis")
        weights = np.zeros((3, 4))
        weights[:2, 3] = -y, x
        return [Relation("across", weights)]


@dataclass(frozen=True, eq=False, kw_only=True)
class PlanarPrescribedFrame(PrescribedFrame):
    """A frame that follows a pose in the plane which is a function of time: 3, 2 or 1 rows."""

    def relations(self) -> Sequence[Relation]:
        """x and y in the target's axes, then the turn, as far as `rows` wants them."""
        return in_plane(super().relations())


@dataclass(frozen=True, eq=False, kw_only=True)
class PlanarHold(Hold):
    """A weld of a port to the world where it is switched on: 3 rows in a plane."""

    def relations(self) -> Sequence[Relation]:
        """x and y in the axes of the pose that is held, then the turn."""
        return in_plane(super().relations())
