"""Rows whose equation is a function of the user's."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ...arrays import FloatArray
from ...errors import ArgumentError
from ..model import Model
from .coordinate_rows import marker_columns
from .coordinate_vector import CoordinateVector, RowFunction
from .coordinates import CoordinateMarker, Coordinates
from .derivatives import Curve, derivatives, first_derivative, takes_complex
from .given_functions import called, numbers, refuse_unknown

log = logging.getLogger(__name__)
STEP = 1e-2  # of 1 + |x|: of central differences of order 6, whose error is then near 1e-14
ORDER_6 = ((1, 45.0 / 60.0), (2, -9.0 / 60.0), (3, 1.0 / 60.0))
SLOPE = 1e-5  # a given Jacobian may differ so much, of its size, from what differences say

# whether functions take complex numbers, by constraint: rows are compiled several times
_COMPLEX: WeakKeyDictionary[CoordinateVector, bool] = WeakKeyDictionary()


class FunctionRows:
    """c(t, x, x') = 0 over the coordinates x of two markers.

    Everything but c and its Jacobian follows from c on the way that the state takes with a = 0,
    x(s) = x + s x' + s^2/2 N' v at t + s, which is differentiated in s.
    """

    def __init__(
        self, model: Model, own: CoordinateVector, markers: Mapping[str, CoordinateMarker]
    ) -> None:
        assert own.constraint_function is not None
        first, second = marker_columns(model, own, markers)
        self.own, self.rows = own, own.rows
        self.velocity_level = own.velocity_level
        self.coordinates = Coordinates(model, [*first, *second])
        self._function: RowFunction = own.constraint_function

    def terms(
        self, t: FloatArray, q: FloatArray, v: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Residual (…, n), zero at velocity level, slopes (…, n, u) and Jacobian (…, n, nv)."""
        x, x_dot = self.coordinates.values(q), self.coordinates.rates(q, v)
        lead = np.broadcast_shapes(t.shape, x.shape[:-1])
        times = np.broadcast_to(t, lead)
        residual = np.zeros((*lead, self.rows))
        slopes = np.empty((*lead, self.rows, x.shape[-1]))
        for at in np.ndindex(lead):
            if not self.velocity_level:
                residual[at] = self._value(float(times[at]), x[at], x_dot[at])
                self._refuse_unknown(float(times[at]), x[at], "values", residual[at])
            slopes[at] = self._slopes(float(times[at]), x[at], x_dot[at])
            self._refuse_unknown(float(times[at]), x[at], "derivatives", slopes[at])
        return residual, slopes, slopes @ self.coordinates.matrix(q)

    def drift(self, t: FloatArray, q: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The rate of the residual and its second derivative with a = 0, each (…, n)."""
        x, x_dot = self.coordinates.values(q), self.coordinates.rates(q, v)
        bends = self.coordinates.bends(q, v)
        bends = np.zeros_like(x_dot) if bends is None else bends
        lead = np.broadcast_shapes(t.shape, x.shape[:-1])
        times = np.broadcast_to(t, lead)
        rate, bend = np.empty((*lead, self.rows)), np.empty((*lead, self.rows))
        for at in np.ndindex(lead):
            rate[at], bend[at] = self._along(float(times[at]), x[at], x_dot[at], bends[at])
            for own in (rate[at], bend[at]):
                self._refuse_unknown(float(times[at]), x_dot[at], "rates", own)
        return rate, bend

    def check(self, t: float, q: FloatArray, v: FloatArray) -> None:
        """Hold the given Jacobian against the function at a state; q is (nq,).

        Raises:
            ArgumentError: where they disagree, naming the entry.
        """
        if self.own.jacobian_function is None:
            return
        x, x_dot = self.coordinates.values(q), self.coordinates.rates(q, v)
        given, found = self._slopes(t, x, x_dot), self._differences(t, x, x_dot)
        off = np.abs(given - found)
        if (off > SLOPE * (1.0 + np.abs(found))).any():
            row, column = np.unravel_index(int(np.argmax(off)), off.shape)
            raise ArgumentError(
                f"{self.own.label}: jacobian_function: wanted the derivative of "
                f"constraint_function, which is {found[row, column]:.6g} at [{row}, {column}] at t "
                f"= {t:g}; got {given[row, column]:.6g}"
            )

    def _value(self, t: Any, x: Any, x_dot: Any) -> Any:
        owner = f"{self.own.label}: constraint_function"
        given = called(owner, self._function, t, x, x_dot, self.velocity_level)
        return numbers(owner, t, given, (self.rows,))

    def _refuse_unknown(self, t: float, x: FloatArray, what: str, values: FloatArray) -> None:
        # a state that overflowed is the integration's business
        if not np.isfinite(values).all() and np.isfinite(x).all():
            refuse_unknown(f"{self.own.label}: constraint_function", t, what, values)

    def _slopes(self, t: float, x: FloatArray, x_dot: FloatArray) -> FloatArray:
        """The Jacobian (n, u) with respect to x, at velocity level to x'."""
        if self.own.jacobian_function is not None:
            owner, function = f"{self.own.label}: jacobian_function", self.own.jacobian_function
            given = called(owner, function, t, x, x_dot, self.velocity_level)
            matrix = np.asarray(numbers(owner, t, given, (self.rows, x.size)), dtype=np.float64)
            if np.isfinite(x).all():
                refuse_unknown(owner, t, "values", matrix)
            return matrix
        if not self._complex(t, x, x_dot):
            return self._differences(t, x, x_dot)
        columns = [
            first_derivative(self._nudges(t, x, x_dot, unit), 0.0, True) for unit in np.eye(x.size)
        ]
        return np.array(columns).reshape(x.size, self.rows).T

    def _nudges(self, t: float, x: FloatArray, x_dot: FloatArray, unit: FloatArray) -> Curve:
        """The function along one coordinate."""
        return lambda s: self._nudged(t, x, x_dot, s * unit)

    def _nudged(self, t: float, x: FloatArray, x_dot: FloatArray, by: Any) -> Any:
        if self.velocity_level:
            return self._value(t, x, x_dot + by)
        return self._value(t, x + by, x_dot)

    def _differences(self, t: float, x: FloatArray, x_dot: FloatArray) -> FloatArray:
        matrix = np.zeros((self.rows, x.size))
        varied = x_dot if self.velocity_level else x
        for column, unit in enumerate(np.eye(x.size)):
            step = STEP * (1.0 + abs(float(varied[column])))
            for count, weight in ORDER_6:
                ahead = self._nudged(t, x, x_dot, count * step * unit)
                behind = self._nudged(t, x, x_dot, -count * step * unit)
                matrix[:, column] += weight / step * (ahead - behind)
        return matrix

    def _along(
        self, t: float, x: FloatArray, x_dot: FloatArray, bend: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """c' and c'' with a = 0; at velocity level c and c'."""

        def curve(s: Any) -> Any:
            return self._value(t + s, x + s * (x_dot + 0.5 * s * bend), x_dot + s * bend)

        is_complex = self._complex(t, x, x_dot)
        span = 1.0 / (1.0 + float(np.abs(x_dot).max(initial=0.0)))
        if not self.velocity_level:
            return derivatives(curve, 0.0, is_complex, span)
        here = np.asarray(curve(0.0), dtype=np.float64)
        return here, derivatives(curve, 0.0, is_complex, span)[0]

    def _complex(self, t: float, x: FloatArray, x_dot: FloatArray) -> bool:
        """Whether the function takes complex numbers: once found and logged by constraint."""
        if self.own not in _COMPLEX:
            directions = np.sqrt(2.0 + np.arange(x.size))
            _COMPLEX[self.own] = takes_complex(
                lambda s: self._value(t + s, x + s * directions, x_dot + s * directions), 0.0
            )
            if self.own.jacobian_function is None:
                way = "complex steps" if _COMPLEX[self.own] else "central differences"
                log.info("%s: no jacobian_function, its Jacobian is by %s", self.own.label, way)
        return _COMPLEX[self.own]
