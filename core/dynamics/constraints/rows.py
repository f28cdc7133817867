"""All constraints of a system, compiled, with what their rows are measured against.

`row_batches` works the rows out, `row_sizes` tells how large they typically are, and
`one_state_rows` has the fewer that single states need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import FloatArray
from ..equations import mass_of
from ..model import IntArray, Model
from .constraint import Constraint
from .coordinates import CoordinateMarker
from .kinematics import Places
from .one_state_pairs import Entry
from .one_state_rows import OneStateRows, one_state_rows
from .row_batches import Positions, RowBatches, is_function
from .row_sizes import typical_sizes
from .solve import INDEPENDENT

if TYPE_CHECKING:
    from ..system import Moment

__all__ = ["ConstraintRows", "Positions"]


class ConstraintRows(RowBatches):
    """The rows of constraints that all act; see `RowBatches` for attributes and errors.

    Args:
        reference: q (nq,) of a pose that is usual for the motion; None where none is known.
    """

    def __init__(
        self,
        model: Model,
        constraints: Sequence[Constraint],
        markers: Iterable[CoordinateMarker] = (),
        reference: FloatArray | None = None,
    ) -> None:
        super().__init__(model, constraints, markers)
        self._reference = reference

    def slack(self, positions: Positions) -> FloatArray:
        """How far the state is off the manifold (…): the largest residual against `sizes`."""
        off: FloatArray = (np.abs(positions.residual) * self._weights).max(axis=-1)
        return off

    def sizes(
        self, t: FloatArray, q: FloatArray, places: Places, slopes: FloatArray | None = None
    ) -> FloatArray:
        """What residuals are measured against (…, m): lengths, 1 rad, or the terms' own sizes.

        Args:
            slopes: (…, m, nv), the Jacobian, where there are functions of the user's.
        """
        out = np.ones((*q.shape[:-1], len(self)))
        row = 0
        if self._frames is not None:
            row = self._frames.count
            far = np.abs(places.poses[..., :3, 3]).max(axis=(-2, -1))
            length = np.maximum(far, self.length)[..., None]
            out[..., :row] = np.where(self._frames.is_angle, 1.0, length)
        if self._coordinates is not None:
            size = self._coordinates.size(t, q, self.length)
            out[..., row : row + size.shape[-1]] = size
            row += size.shape[-1]
        if slopes is not None and self._functions:
            x = np.abs(q).max(axis=-1, initial=1.0)[..., None]
            out[..., row:] = x * np.abs(slopes[..., row:, :]).sum(axis=-1)
        return np.where(out > 0.0, out, 1.0)

    @cached_property
    def typical(self) -> FloatArray:
        """Typical sizes of the rows (m,), see `typical_sizes`; 0 for functions of the user's."""
        if not self._functions:
            return typical_sizes(self, self._reference)
        sizes = np.zeros(len(self))
        known = [own for own in self.constraints if not is_function(own)]
        if known:
            bare = ConstraintRows(self.model, known, self._markers, self._reference)
            for own in known:
                sizes[self.where[own.name]] = bare.typical[bare.where[own.name]]
        return sizes

    @cached_property
    def one_state(self) -> OneStateRows | None:
        """The rows for one state, fewer and faster; None where these might not do."""
        return one_state_rows(self, self._reference)

    @property
    def entries(self) -> Mapping[int, Entry]:
        """By row, those between pairs of frames."""
        return {} if self._frames is None else self._frames.entries

    @property
    def constant_rows(self) -> Mapping[int, FloatArray]:
        """By row, the Jacobians (nv,) of those whose Jacobian is constant; see `pushes`."""
        if self._coordinates is None:
            return {}
        first = 0 if self._frames is None else self._frames.count
        return {first + row: slope for row, slope in self._coordinates.constants.items()}

    def linear_terms(self) -> tuple[FloatArray, FloatArray, FloatArray] | None:
        """X (m, nq), c (m,) and sizes (m,) of rows that are X q = c with constant Jacobians.

        None where not all are.
        """
        own = self._coordinates
        if own is None or len(self.constant_rows) < len(self) or self.is_timed:
            return None
        if own.velocity_level.any():
            return None
        nowhere = np.zeros(self.model.nq)
        x = np.zeros((len(self), self.model.nq))
        x[:, own.coordinates.columns] = own.linear
        return x, own.constant[0], own.size(np.asarray(0.0), nowhere, self.length)

    def pushes(self, t: FloatArray) -> FloatArray:
        """gamma (m,) at a time t () of rows whose Jacobian is constant: their offsets' x''."""
        out = np.zeros(len(self))
        if self._coordinates is not None:
            first = 0 if self._frames is None else self._frames.count
            gains = self._coordinates.offsets(t)[2]
            out[first : first + len(gains)] = gains
        return out

    def part(self, chosen: Sequence[int]) -> tuple[ConstraintRows, IntArray]:
        """Fewer constraints, with the places of some rows among theirs."""
        owners = [own for own in self.constraints if np.isin(self.where[own.name], chosen).any()]
        if len(owners) == len(self.constraints):
            return self, np.array(chosen, dtype=np.intp)
        fewer = ConstraintRows(self.model, owners, self._markers, self._reference)
        places = {name: index for index, name in enumerate(fewer.names)}
        return fewer, np.array([places[self.names[row]] for row in chosen], dtype=np.intp)

    @cached_property
    def weights(self) -> tuple[FloatArray, FloatArray] | None:
        """One over `typical` (m,), and the products of these (m, m); None with functions."""
        if self._functions:
            return None
        inverse = 1.0 / self.typical
        return inverse, np.outer(inverse, inverse)

    def sizes_at(self, at: Moment) -> FloatArray:
        """`typical` (m,), with those of functions as they are at a moment, then (…, m)."""
        sizes = self.typical
        if not self._functions:
            return sizes
        jacobian = self.at(at).jacobian
        mass = mass_of(self.model, at.tableau)
        moves = np.linalg.solve(mass, jacobian.swapaxes(-1, -2)).swapaxes(-1, -2)
        own = np.sqrt((jacobian * moves).sum(axis=-1))
        return np.where(sizes > 0.0, sizes, np.where(own > 0.0, own, 1.0))

    def independent(self, at: Moment) -> FloatArray:
        """(m, r): combinations of rows, by their sizes, that are independent at a moment."""
        jacobian, sizes = self.at(at).jacobian, self.sizes_at(at)
        lower = np.linalg.cholesky(mass_of(self.model, at.tableau))
        b = np.linalg.solve(lower, (jacobian / sizes[:, None]).T)
        _, sigma, vt = np.linalg.svd(b, full_matrices=False)
        out: FloatArray = vt[sigma > INDEPENDENT].T / sizes[:, None]
        return out

    @cached_property
    def _weights(self) -> FloatArray:
        """One over a rough size of each row (m,), which does not depend on the state."""
        weights = np.ones(len(self))
        if self._frames is not None:
            angle = self._frames.is_angle
            weights[: self._frames.count] = np.where(angle, 1.0, 1.0 / self.length)
        weights[self.velocity_level] = 0.0
        return weights
