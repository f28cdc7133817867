"""Compiled constraints: residuals, Jacobian and gamma of all rows, in one batch of each kind.

    g(q, t) = 0,   g' = J v + g_t = 0,   g'' = J a - gamma = 0

Constraints of one kind are one batch, so the number of numpy calls depends on the kinds only.
Rows stand in the order of the kinds; `where` finds those of a constraint.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray
from ...errors import ModelError
from ..model import Model
from .constraint import Constraint
from .coordinate_rows import CoordinateRows, CoordinateTerms
from .coordinate_vector import CoordinateVector
from .coordinates import CoordinateMarker
from .frame_rows import FrameRows, FrameState
from .function_rows import FunctionRows
from .kinematics import Places, extent
from .relations import CoordinateRelation, PrescribedCoordinate
from .row_names import RowNames

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


class RowBatches:
    """The rows of constraints that all act.

    Attributes:
        model, constraints: what they are of.
        names: (m,), such as 'loop.x'; units: (m,), of the residuals.
        velocity_level: (m,), whether a row acts on velocities only.
        where: the places of each constraint's rows, by its name.
        length: a typical length of the model, m.

    Raises:
        ModelError: for two constraints of one name, and for unknown links, joints and markers.
    """

    def __init__(
        self,
        model: Model,
        constraints: Sequence[Constraint],
        markers: Iterable[CoordinateMarker] = (),
    ) -> None:
        self.model, self.constraints = model, tuple(constraints)
        _refuse_twins(model, self.constraints)
        self._markers = tuple(markers)
        named = {marker.name: marker for marker in self._markers}
        functions = [
            own
            for own in self.constraints
            if isinstance(own, CoordinateVector) and is_function(own)
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

    def check(self, t: float, q: FloatArray, v: FloatArray) -> None:
        """Hold Jacobians and rates that were given against their functions; q (nq,), v (nv,)."""
        if self._coordinates is not None:
            self._coordinates.check(t)
        for function in self._functions:
            function.check(t, q, v)

    def blame(self, off: FloatArray) -> str:
        """See `RowNames.blame`."""
        return self._names.blame(off)

    def shortfall(self, residual: FloatArray, off: FloatArray) -> str:
        """See `RowNames.shortfall`."""
        return self._names.shortfall(residual, off)

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


def is_function(constraint: Constraint) -> bool:
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
