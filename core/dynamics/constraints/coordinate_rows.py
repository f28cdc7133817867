"""All rows that are polynomials of degree two in the coordinates, as one batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..coordinate_names import coordinate_names, coordinate_units
from ..model import Model
from .coordinate_vector import CoordinateVector
from .coordinates import CoordinateMarker, Coordinates, find_marker, scalar_coordinate
from .offsets import Offset, motion_of, offset_of
from .relations import CoordinateRelation, PrescribedCoordinate

Member = CoordinateVector | CoordinateRelation | PrescribedCoordinate


class CoordinateTerms(NamedTuple):
    """Rows at a state.

    residual (…, n), zero at velocity level; slopes (…, n, u) with respect to the coordinates;
    jacobian (…, n, nv) to v.
    """

    residual: FloatArray
    slopes: FloatArray
    jacobian: FloatArray


class CoordinateRows:
    """Rows X x + Y x^2 - offset(t) over some coordinates x of q.

        J = (X + 2 Y diag(x)) N,   c'' = J a + (X + 2 Y diag(x)) N' v + 2 Y x'^2 - offset''

    At velocity level the same with one derivative less of the offset, which is one of velocities.
    """

    def __init__(
        self, model: Model, members: Sequence[Member], markers: Mapping[str, CoordinateMarker]
    ) -> None:
        self.members = tuple(members)
        linear, quadratic, constant, at_velocity = [], [], [], []
        self.functions: list[tuple[slice, Offset]] = []
        self.counts: list[int] = []
        row = 0
        for own in members:
            x, y, offset, function = _rows(model, own, markers)
            count, level = len(x), isinstance(own, CoordinateVector) and own.velocity_level
            zero = np.zeros(count)
            # offset, its rate and the rate of that
            constant.append((zero, offset, zero) if level else (offset, zero, zero))
            if function is not None:
                self.functions.append((slice(row, row + count), function))
            linear.append(x)
            quadratic.append(y)
            at_velocity += [level] * count
            self.counts.append(count)
            row += count
        every_x, every_y = np.concatenate(linear), np.concatenate(quadratic)
        used = np.flatnonzero((every_x != 0.0).any(axis=0) | (every_y != 0.0).any(axis=0))
        self.coordinates = Coordinates(model, [int(column) for column in used])
        self.linear, self.quadratic = every_x[:, used], every_y[:, used]
        self.constant = np.concatenate([np.stack(own) for own in constant], axis=1)
        self.velocity_level: BoolArray = np.array(at_velocity, dtype=bool)
        self._projected = np.where(self.velocity_level, 0.0, 1.0)
        self._is_linear = not self.quadratic.any()
        units = coordinate_units(model)
        self._travels = np.array([units[column] == "m" for column in used], dtype=bool)

    @property
    def constants(self) -> dict[int, FloatArray]:
        """By row, the Jacobians (nv,) of those where they never change."""
        if not (self._is_linear and self.coordinates.is_plain):
            return {}
        jacobian = self.linear @ self.coordinates.matrix(np.zeros(self.coordinates.model.nq))
        return dict(enumerate(jacobian))

    def offsets(self, t: FloatArray) -> FloatArray:
        """(3, …, n) at times t (…): the offset, its rate and the rate of that."""
        if not self.functions:
            return self.constant if not t.ndim else self.constant[(slice(None), *(None,) * t.ndim)]
        out = np.empty((3, *t.shape, self.constant.shape[1]))
        out[:] = self.constant[(slice(None), *(None,) * t.ndim)]
        for where, function in self.functions:
            for index in np.ndindex(t.shape):
                out[(slice(None), *index, where)] = function(float(t[index]))
        return out

    def check(self, t: float) -> None:
        """Hold rates that were given against what they are the rates of, then and on the way.

        Raises:
            ArgumentError: where they disagree, naming the constraint and the entry.
        """
        for _, function in self.functions:
            function.watch(t)

    def terms(self, t: FloatArray, q: FloatArray) -> CoordinateTerms:
        """At times t (…) and q (…, nq)."""
        x = self.coordinates.values(q)
        offset = self.offsets(t)[0]
        value = x @ self.linear.T - offset
        slopes = self.linear
        if not self._is_linear:
            value = value + (x * x) @ self.quadratic.T
            slopes = slopes + 2.0 * self.quadratic * x[..., None, :]
        jacobian = slopes @ self.coordinates.matrix(q)
        jacobian = np.broadcast_to(jacobian, (*value.shape, jacobian.shape[-1]))
        return CoordinateTerms(value * self._projected, slopes, jacobian)

    def bend(
        self, terms: CoordinateTerms, t: FloatArray, q: FloatArray, v: FloatArray
    ) -> FloatArray:
        """The second derivative of the residual with a = 0 (…, n)."""
        bend = np.zeros(terms.residual.shape)
        if not self._is_linear:
            x_dot = self.coordinates.rates(q, v)
            bend += (x_dot * x_dot) @ (2.0 * self.quadratic.T)
        if self.functions:
            bend -= self.offsets(t)[2]
        bends = self.coordinates.bends(q, v)
        if bends is not None:
            bend += (terms.slopes @ bends[..., None])[..., 0]
        return bend

    def size(self, t: FloatArray, q: FloatArray, length: float) -> FloatArray:
        """What a residual is measured against (…, n): the terms' own sizes.

        Each coordinate counts at least as 1 rad, or as `length` where it is a travel.
        """
        least = np.where(self._travels, length, 1.0)
        x = np.maximum(np.abs(self.coordinates.values(q)), least)
        size: FloatArray = x @ np.abs(self.linear).T + (x * x) @ np.abs(self.quadratic).T
        size += np.abs(self.offsets(t)[0])
        return size


def _rows(
    model: Model, own: Member, markers: Mapping[str, CoordinateMarker]
) -> tuple[FloatArray, FloatArray, FloatArray, Offset | None]:
    """Linear and quadratic weights (n, nq), constant offset (n,) and the function of time."""
    if isinstance(own, CoordinateVector):
        return _vector(model, own, markers)
    x, y = np.zeros((1, model.nq)), np.zeros((1, model.nq))
    if isinstance(own, PrescribedCoordinate):
        coefficients, constant, function = {own.coordinate: 1.0}, 0.0, motion_of(own)
    else:
        terms, constant = own.terms()
        coefficients, function = dict(terms), None
    shift = 0.0
    for name, coefficient in coefficients.items():
        place, multiplier, offset = scalar_coordinate(model, name, own.label)
        shift += coefficient * offset
        if place is not None:
            x[0, place] += coefficient * multiplier
    if function is not None and shift:
        function.shift = shift
    return x, y, np.array([constant - shift]), function


def _vector(
    model: Model, own: CoordinateVector, markers: Mapping[str, CoordinateMarker]
) -> tuple[FloatArray, FloatArray, FloatArray, Offset | None]:
    columns = marker_columns(model, own, markers)
    x, y = np.zeros((own.rows, model.nq)), np.zeros((own.rows, model.nq))
    for sign, side in ((-1.0, 0), (1.0, 1)):
        for out, name in ((x, f"X{side}"), (y, f"Y{side}")):
            matrix = own.matrix(name)
            # one coordinate may stand in a marker more than once
            for index, place in enumerate(columns[side]):
                if len(matrix):
                    out[:, place] += sign * matrix[:, index]
    return x, y, np.asarray(own.offset, dtype=np.float64), offset_of(own)


def marker_columns(
    model: Model, own: CoordinateVector, markers: Mapping[str, CoordinateMarker]
) -> tuple[list[int], list[int]]:
    """The places in q of both markers' coordinates; the matrices are held against them."""
    first, second = (
        find_marker(given, markers, own.label).columns(model)
        for given in (own.marker0, own.marker1)
    )
    own.check_columns(len(first), len(second))
    return first, second


def names_of(model: Model, columns: Sequence[int]) -> list[str]:
    """The names of some coordinates."""
    names = coordinate_names(model)
    return [names[column] for column in columns]
