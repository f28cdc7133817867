"""All constraints of a system, compiled: residuals, Jacobian and gamma of all rows in batches.

    g(q, t) = 0,   g' = J v + g_t = 0,   g'' = J a - gamma = 0

Constraints of one kind are one batch, so the number of numpy calls depends on the kinds only.
Rows stand in the order of the kinds; `where` finds those of a constraint.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray
from ...errors import ModelError
from ..equations import mass_of
from ..model import IntArray, Model
from .constraint import Constraint
from .coordinate_rows import CoordinateRows, CoordinateTerms
from .coordinate_vector import CoordinateVector
from .coordinates import CoordinateMarker
from .frame_rows import FrameRows, FrameState
from .function_rows import FunctionRows
from .kinematics import Places, extent
from .one_state_pairs import Entry
from .one_state_rows import OneStateRows, one_state_rows
from .relations import CoordinateRelation, PrescribedCoordinate
from .row_names import RowNames
from .row_sizes import typical_sizes
from .solve import INDEPENDENT

if TYPE_CHECKING:
    from ..system import Moment


class Positions(NamedTuple):
    """The rows at a pose.

    residual (…, m), zero for rows at velocity level; jacobian (…, m, nv). The rest is for
    `ConstraintRows.gamma` and `rates`.
    """

    residual: FloatArray
    jacobian: FloatArray
    frames: FrameState | None
    coordinates: CoordinateTerms | None


class ConstraintRows:
    """The rows of constraints that all act.

    Attributes:
        model, constraints: what they are of, inactive ones included.
        names: (m,), such as 'loop.x'; units: (m,), of the residuals.
        velocity_level: (m,), whether a row acts on velocities only.
        where: the places of each constraint's rows, by its name.
        length: a typical length of the model, m.

    Args:
        reference: q (nq,) of a pose that is usual for the motion; None where none is known.

    Raises:
        ModelError: for two constraints of one name, and for unknown links, joints and markers.
    """

    def __init__(
        self,
        model: Model,
        constraints: Sequence[Constraint],
        markers: Iterable[CoordinateMarker] = (),
        reference: FloatArray | None = None,
    ) -> None:
        self.model, self.constraints = model, tuple(constraints)
        _refuse_twins(model, self.constraints)
        self._markers, self._reference = tuple(markers), reference
        named = {marker.name: marker for marker in self._markers}
        functions = [
            own
            for own in self.constraints
            if isinstance(own, CoordinateVector) and _is_function(own)
        ]
        members = [
            own
            for own in self.constraints
            if isinstance(own, CoordinateRelation | PrescribedCoordinate | CoordinateVector)
            and own not in functions
        ]
        rest = [own for own in self.constraints if own not in (*members, *functions)]
        self.length = extent(model)
        self._frames = FrameRows(model, rest) if rest else None
        self._coordinates = CoordinateRows(model, members, named) if members else None
        self._functions = [FunctionRows(model, own, named) for own in functions]
        self._number()

    def __len__(self) -> int:
        return len(self.names)

    @property
    def is_timed(self) -> bool:
        """Whether any row depends on time by itself."""
        timed = self._coordinates is not None and bool(self._coordinates.functions)
        driven = self._frames is not None and self._frames.is_driven
        return timed or driven or bool(self._functions)

    def positions(self, t: FloatArray, q: FloatArray, v: FloatArray, places: Places) -> Positions:
        """Residuals and Jacobian at times t () or (…), q (…, nq), v (…, nv).

        v counts only for rows that are functions of the user's.
        """
        residuals, jacobians = [], []
        frames = coordinates = None
        if self._frames is not None:
            frames = self._frames.positions(t, places)
            residuals.append(frames.residual)
            jacobians.append(frames.jacobian)
        if self._coordinates is not None:
            coordinates = self._coordinates.terms(t, q)
            residuals.append(coordinates.residual)
            jacobians.append(coordinates.jacobian)
        for function in self._functions:
            residual, _, jacobian = function.terms(t, q, v)
            residuals.append(residual)
            jacobians.append(jacobian)
        return Positions(
            _joined(residuals, axis=-1), _joined(jacobians, axis=-2), frames, coordinates
        )

    def rates(self, at: Moment, positions: Positions) -> FloatArray:
        """g' = J v + g_t (…, m), of rows at velocity level their residual."""
        rates = (positions.jacobian @ at.v[..., None])[..., 0]
        row = 0
        if self._frames is not None:
            row = self._frames.count
            assert positions.frames is not None
            own = self._frames.rate_of_time(at.t, positions.frames)
            if own is not None:
                rates[..., :row] += own
        if self._coordinates is not None:
            count = len(self._coordinates.velocity_level)
            rates[..., row : row + count] -= self._coordinates.offsets(at.t)[1]
            row += count
        for function in self._functions:
            rates[..., row : row + function.rows] = function.drift(at.t, at.q, at.v)[0]
            row += function.rows
        return rates

    def gamma(self, at: Moment, positions: Positions) -> FloatArray:
        """gamma (…, m) with g'' = J a - gamma, at a state whose positions are known."""
        bends = []
        if self._frames is not None:
            assert positions.frames is not None
            bends.append(self._frames.bend(at, positions.frames))
        if self._coordinates is not None:
            assert positions.coordinates is not None
            bend = self._coordinates.bend(positions.coordinates, at.t, at.q, at.v)
            bends.append(bend)
        for function in self._functions:
            bends.append(function.drift(at.t, at.q, at.v)[1])
        return -_joined(bends, axis=-1)

    def at(self, moment: Moment) -> Positions:
        """The rows at a moment."""
        return self.positions(moment.t, moment.q, moment.v, Places.of(moment.tableau))

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
        known = [own for own in self.constraints if not _is_function(own)]
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
        """By row, the Jacobians (nv,) of those whose Jacobian is constant, with gamma = 0."""
        if self._coordinates is None:
            return {}
        first = 0 if self._frames is None else self._frames.count
        return {first + row: slope for row, slope in self._coordinates.constants.items()}

    def part(self, chosen: Sequence[int]) -> tuple[ConstraintRows, IntArray]:
        """Fewer constraints, with the places of some rows among theirs."""
        owners = [own for own in self.constraints if np.isin(self.where[own.name], chosen).any()]
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

    def check(self, t: float, q: FloatArray, v: FloatArray) -> None:
        """Hold the Jacobians that were given against their functions; q is (nq,), v (nv,)."""
        for function in self._functions:
            function.check(t, q, v)

    def blame(self, off: FloatArray) -> str:
        """See `RowNames.blame`."""
        return self._names.blame(off)

    def shortfall(self, residual: FloatArray, off: FloatArray) -> str:
        """See `RowNames.shortfall`."""
        return self._names.shortfall(residual, off)

    @cached_property
    def _weights(self) -> FloatArray:
        """One over a rough size of each row (m,), which does not depend on the state."""
        weights = np.ones(len(self))
        if self._frames is not None:
            angle = self._frames.is_angle
            weights[: self._frames.count] = np.where(angle, 1.0, 1.0 / self.length)
        weights[self.velocity_level] = 0.0
        return weights

    def _number(self) -> None:
        """Give each row its name and each constraint the places of its rows."""
        owners: list[tuple[Constraint, str]] = []
        levels: list[BoolArray] = []

        def add(owner: Constraint, count: int) -> None:
            owners.extend((owner, str(row) if count > 1 else "") for row in range(count))

        if self._frames is not None:
            owners += self._frames.owners
            levels.append(self._frames.velocity_level)
        if self._coordinates is not None:
            for owner, count in zip(
                self._coordinates.members, self._coordinates.counts, strict=True
            ):
                add(owner, count)
            levels.append(self._coordinates.velocity_level)
        for function in self._functions:
            add(function.own, function.rows)
            levels.append(np.full(function.rows, function.velocity_level))
        angles = [] if self._frames is None else list(self._frames.is_angle)
        self._names = RowNames(self.constraints, owners, angles)
        self.names, self.units = self._names.names, self._names.units
        self.where = self._names.where
        self.velocity_level: BoolArray = np.concatenate(levels) if levels else np.zeros(0, bool)


def _is_function(constraint: Constraint) -> bool:
    """Whether its equation is a function of the user's."""
    return isinstance(constraint, CoordinateVector) and constraint.constraint_function is not None


def _joined(parts: list[FloatArray], axis: int) -> FloatArray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=axis)


def _refuse_twins(model: Model, constraints: Sequence[Constraint]) -> None:
    seen: dict[str, Constraint] = {}
    for own in constraints:
        if not isinstance(own, Constraint):
            raise ModelError(f"{model.name}: wanted constraints such as Hinge(…), got {own!r}")
        if own.name in seen:
            raise ModelError(
                f"{model.name}: two constraints are called '{own.name}': {seen[own.name].label} "
                f"and {own.label}; give each a name of its own"
            )
        seen[own.name] = own
