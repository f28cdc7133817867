"""What rows are called, whose they are, and messages that name them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...arrays import FloatArray
from ..model import IntArray
from .constraint import Constraint

SHARE = 0.1  # of the worst row: constraints that are less off are not named
NEARLY = 1e-4  # against their sizes: rows that are nearly met
UNLIKE_AXES = (
    "as little as where axes of joints are parallel but for their last digits, such as after a "
    "turn of 1.5708; if that is so, write pi/2 as 1.5707963267948966, or close the planar loop by "
    "PlanarHinge, which leaves the directions across it alone; or as where a loop is stretched to "
    "the very end of its reach, or beyond it"
)


class RowNames:
    """The names of rows.

    Attributes:
        names: (m,), such as 'loop.x'; units: (m,), of the residuals.
        where: the places of each constraint's rows, by its name.
    """

    def __init__(
        self,
        constraints: Sequence[Constraint],
        owners: Sequence[tuple[Constraint, str]],
        is_angle: Sequence[bool],
    ) -> None:
        """Owners (m,): each row's constraint and its name in it, '' for an only row.

        is_angle counts the rows whose unit is known, which come first.
        """
        self._constraints = constraints
        where: dict[str, list[int]] = {own.name: [] for own in constraints}
        for row, (own, _) in enumerate(owners):
            where[own.name].append(row)
        self.names = tuple(f"{own.name}.{suffix}" if suffix else own.name for own, suffix in owners)
        units = ["rad" if angle else "m" for angle in is_angle]
        self.units = tuple(units + ["rad or m"] * (len(owners) - len(units)))
        self.where: Mapping[str, IntArray] = {
            name: np.array(rows, dtype=np.intp) for name, rows in where.items()
        }

    def blame(self, off: FloatArray) -> str:
        """The labels of the constraints whose rows are off (m,), the worst first."""
        return ", ".join(own.label for own, _ in self._by_constraint(off))

    def shortfall(self, residual: FloatArray, off: FloatArray) -> str:
        """Which constraints stay open and by how much, the worst first.

        Args:
            residual, off: (m,), not negative: in the rows' units, and against their sizes.
        """
        told = []
        for own, rows in self._by_constraint(off):
            row = int(rows[np.argmax(off[rows])])
            told.append(f"{own.label} by {residual[row]:.6g} {self.units[row]} ({self.names[row]})")
        hint = "" if float(off.max()) > NEARLY else f"; {UNLIKE_AXES}"
        return "by least error there stay open: " + ", ".join(told) + hint

    def _by_constraint(self, off: FloatArray) -> list[tuple[Constraint, IntArray]]:
        """Constraints with rows that are off by a tenth of the worst at least, the worst first."""
        worst = float(off.max())
        found = [
            (own, rows)
            for own in self._constraints
            if len(rows := self.where[own.name]) and not off[rows].max() < SHARE * worst
        ]
        # those that are off alike keep their order, however they are rounded
        alike = max(worst, 1e-300)
        return sorted(found, key=lambda pair: -round(float(off[pair[1]].max()) / alike, 6))
