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
from ..equations import evaluate, mass_of
from ..model import IntArray, Model
from .constraint import Constraint
from .coordinate_rows import CoordinateRows, CoordinateTerms
from .coordinate_vector import CoordinateVector
from .coordinates import CoordinateMarker
from .frame_rows import FrameRows, FrameState
from .function_rows import FunctionRows
from .kinematics import Places, extent, random_poses
from .relations import CoordinateRelation, PrescribedCoordinate
from .solve import INDEPENDENT

if TYPE_CHECKING:
    from ..system import Moment


LEAST = 0.1  # of what random poses say: a reference pose may be near a singular one
NOTHING = 1e-20  # of the largest mean square of a row: a row that moves nothing
SHARE = 0.1  # of the worst row: constraints that are less off are not named


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

    def sizes(self, t: FloatArray, q: FloatArray, places: Places, slopes: FloatArray) -> FloatArray:
        """What residuals are measured against (…, m): lengths, 1 rad, or the terms' own sizes.

        Args:
            slopes: (…, m, nv), the Jacobian.
        """
        out = np.empty(slopes.shape[:-1])
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
        x = np.abs(q).max(axis=-1, initial=1.0)[..., None]
        out[..., row:] = x * np.abs(slopes[..., row:, :]).sum(axis=-1)
        return np.where(out > 0.0, out, 1.0)

    @cached_property
    def typical(self) -> FloatArray:
        """Typical sizes sqrt((J M^-1 J^T)_ii) of the rows (m,); 0 for functions of the user's.

        They are those of the reference pose, but at least LEAST of the medians over poses at
        random; the same for rows of one constraint and one unit, so that they depend on the axes
        as little as on the pose of the moment.
        """
        sizes = np.zeros(len(self))
        known = [own for own in self.constraints if not _is_function(own)]
        if not known:
            return sizes
        bare = self if not self._functions else ConstraintRows(self.model, known, self._markers)
        squares = np.median(bare._squares(random_poses(self.model, self.length)), axis=0)
        nothing = NOTHING * float(squares.max())
        here = None if self._reference is None else bare._squares(self._reference)
        for own in known:
            rows, places = self.where[own.name], bare.where[own.name]
            angle = np.array([self.units[row] == "rad" for row in rows])
            for alike in (angle, ~angle):
                if alike.any():
                    size = float(squares[places[alike]].max())
                    # rows that never move have no size but rounding
                    if size > nothing and here is not None:
                        size = max(float(here[places[alike]].max()), LEAST * LEAST * size)
                    sizes[rows[alike]] = np.sqrt(size) if size > nothing else 1.0
        return sizes

    def _squares(self, q: FloatArray) -> FloatArray:
        """(J M^-1 J^T)_ii (…, m) at poses (…, nq)."""
        tableau = evaluate(self.model, q)
        jacobian = self.positions(np.asarray(0.0), q, q[..., :0], Places.of(tableau)).jacobian
        moves = np.linalg.solve(mass_of(self.model, tableau), jacobian.swapaxes(-1, -2))
        squares: FloatArray = (jacobian * moves.swapaxes(-1, -2)).sum(axis=-1)
        return squares

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
        return "by least error there stay open: " + ", ".join(told)

    def _by_constraint(self, off: FloatArray) -> list[tuple[Constraint, IntArray]]:
        """Constraints with rows that are off by a tenth of the worst at least, the worst first."""
        worst = float(off.max())
        found = [
            (own, rows)
            for own in self.constraints
            if len(rows := self.where[own.name]) and not off[rows].max() < SHARE * worst
        ]
        return sorted(found, key=lambda pair: -float(off[pair[1]].max()))

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
        names: list[str] = []
        levels: list[BoolArray] = []
        where: dict[str, list[int]] = {own.name: [] for own in self.constraints}

        def add(owner: Constraint, suffix: str) -> None:
            where[owner.name].append(len(names))
            names.append(f"{owner.name}.{suffix}" if suffix else owner.name)

        if self._frames is not None:
            for owner, suffix in self._frames.owners:
                add(owner, suffix)
            levels.append(self._frames.velocity_level)
        if self._coordinates is not None:
            for owner, count in zip(
                self._coordinates.members, self._coordinates.counts, strict=True
            ):
                for row in range(count):
                    add(owner, str(row) if count > 1 else "")
            levels.append(self._coordinates.velocity_level)
        for function in self._functions:
            for row in range(function.rows):
                add(function.own, str(row) if function.rows > 1 else "")
            levels.append(np.full(function.rows, function.velocity_level))
        self.names = tuple(names)
        angles = [] if self._frames is None else list(self._frames.is_angle)
        units = ["rad" if angle else "m" for angle in angles]
        self.units = tuple(units + ["rad or m"] * (len(names) - len(units)))
        self.velocity_level: BoolArray = np.concatenate(levels) if levels else np.zeros(0, bool)
        self.where: Mapping[str, IntArray] = {
            name: np.array(rows, dtype=np.intp) for name, rows in where.items()
        }


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
