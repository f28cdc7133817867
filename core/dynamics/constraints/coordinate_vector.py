"""The coordinate-vector constraint: an equation between coordinates of two markers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray, as_finite, frozen
from ...errors import ArgumentError
from ...plain_values import Color, as_color, as_flag
from .constraint import Constraint
from .coordinates import CoordinateMarker

OffsetFunction = Callable[[float, FloatArray], ArrayLike]  # of t (s) and the offset
RowFunction = Callable[[float, FloatArray, FloatArray, bool], ArrayLike]
MATRICES = ("X0", "X1", "Y0", "Y1")
NONE: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class CoordinateVector(Constraint):
    """A relation between the coordinates q0 and q1 of two markers.

        c = X1 q1 + Y1 q1^2 - X0 q0 - Y0 q0^2 - offset(t) = 0        squares element by element
        at velocity level
        c = X1 q1' + 2 Y1 diag(q1) q1' - X0 q0' - 2 Y0 diag(q0) q0' - offset(t) = 0

    Coordinates are full ones, quaternions included. lambda (n,) acts as M a + J^T lambda = f.

    Attributes:
        marker0, marker1: markers or their names; 'ground' has no coordinates.
        X0, X1, Y0, Y1: (n, number of the marker's coordinates), empty for none.
        offset: (n,), zero if none.
        offset_function: (t, offset) -> (n,), which replaces the offset.
        offset_function_t: (t, offset) -> (n,), the rate of offset_function; without it the rate is
            found by differences. It is held against these where the constraint begins to act and
            at some times after.
        velocity_level: whether the rows act on velocities. Then the offset is one of velocities,
            offset_function_t replaces it, offset_function is ignored, and positions are not
            projected.
        constraint_function: (t, q, v, velocity_level) -> (n,), c itself instead of the formula,
            over the coordinates of marker 0 and then those of marker 1; v are their rates.
        jacobian_function: (t, q, v, velocity_level) -> (n, len(q)), the derivative of
            constraint_function with respect to q, at velocity level to v. Without it it is found
            by complex steps or by differences, and the log says which.
        show: whether it is drawn; color: (r, g, b) in 0..1.

    The number n of equations is that of the rows of the largest matrix. With a constraint_function
    it comes from X0 = zeros((n, 1)).

    Raises:
        ArgumentError: for matrices and offsets that do not fit each other, and arguments of
            another kind.
    """

    marker0: CoordinateMarker | str
    marker1: CoordinateMarker | str
    X0: ArrayLike = NONE
    X1: ArrayLike = NONE
    Y0: ArrayLike = NONE
    Y1: ArrayLike = NONE
    offset: ArrayLike = ()
    offset_function: OffsetFunction | None = None
    offset_function_t: OffsetFunction | None = None
    velocity_level: bool = False
    constraint_function: RowFunction | None = None
    jacobian_function: RowFunction | None = None
    show: bool = True
    color: Color | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("velocity_level", "show"):
            object.__setattr__(self, name, as_flag(getattr(self, name), f"{self.label}: {name}"))
        object.__setattr__(self, "color", as_color(self.color, f"{self.label}: color"))
        for name in MATRICES:
            object.__setattr__(self, name, self._matrix(name))
        rows = {name: len(self.matrix(name)) for name in MATRICES}
        n = max(rows.values())
        if n == 0:
            raise ArgumentError(
                f"{self.label}: all of X0, X1, Y0, Y1 are empty; wanted one matrix at least, such "
                "as X1 = [[1]]; with a constraint_function, X0 = zeros((n, 1))"
            )
        for name, count in rows.items():
            if count not in (0, n):
                raise self.refused(
                    name, f"{n} rows as the largest of the matrices, or none", self.matrix(name)
                )
        offset = as_finite(self.offset, (), f"{self.label}: offset")
        if offset.shape not in ((0,), (n,)):
            raise self.refused("offset", f"{n} numbers, one for each row, or none", self.offset)
        object.__setattr__(self, "offset", frozen(offset.copy() if offset.size else np.zeros(n)))
        for name in (
            "offset_function",
            "offset_function_t",
            "constraint_function",
            "jacobian_function",
        ):
            value = getattr(self, name)
            if value is not None and not callable(value):
                raise self.refused(name, "a function, or None", value)
        if (
            self.offset_function_t is not None
            and self.offset_function is None
            and self.constraint_function is None
            and not self.velocity_level
        ):
            raise self.refused(
                "offset_function_t",
                "offset_function beside it, whose rate it is (without it the offset is constant "
                "and its rate 0), or velocity_level=True, where it gives the offset between "
                "velocities",
                None,
            )
        if self.jacobian_function is not None and self.constraint_function is None:
            raise self.refused("jacobian_function", "a constraint_function beside it", None)

    @property
    def timed(self) -> bool:
        """Whether there is any function, each of which is one of time too."""
        functions = (self.offset_function, self.offset_function_t, self.constraint_function)
        return any(own is not None for own in functions)

    @property
    def rows(self) -> int:
        """The number n of equations."""
        return max(len(self.matrix(name)) for name in MATRICES)

    def matrix(self, name: str) -> FloatArray:
        """One of X0, X1, Y0, Y1, as an array (n, columns) or (0, 0)."""
        matrix: FloatArray = getattr(self, name)
        return matrix

    def check_columns(self, size0: int, size1: int) -> None:
        """Raise an ArgumentError unless the matrices fit markers with so many coordinates."""
        for name, size in zip(MATRICES, (size0, size1) * 2, strict=True):
            matrix = self.matrix(name)
            exempt = name == "X0" and self.constraint_function is not None
            if len(matrix) and matrix.shape[1] != size and not exempt:
                marker = self.marker1 if name.endswith("1") else self.marker0
                label = marker.name if isinstance(marker, CoordinateMarker) else marker
                raise ArgumentError(
                    f"{self.label}: {name}: wanted {size} columns, one for each coordinate of "
                    f"marker '{label}', got shape {matrix.shape}"
                )

    def _matrix(self, name: str) -> FloatArray:
        matrix = as_finite(getattr(self, name), (), f"{self.label}: {name}")
        if not matrix.size:
            return frozen(np.zeros((0, 0)))
        if matrix.ndim != 2:
            row = f", such as [{matrix.tolist()}] of one row" if matrix.ndim == 1 else ""
            raise self.refused(name, f"a matrix (n, columns){row}", getattr(self, name))
        return frozen(matrix.copy())
