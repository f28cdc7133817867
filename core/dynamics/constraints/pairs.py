"""Constraints between two frames that a joint would keep: balls, hinges, slides, welds.

With the pose of port b in port a, (R, p), each row is one of

    position    c . p                                        m
    direction   u . R w                                      two directions at right angles
    alignment   2 (n . R w) / (1 + u . R w)                  two directions that are to agree
    rotation    2 (R_kj - R_jk) / (1 + tr R)                 two frames that are to agree

The last two are 2 tan(theta / 2) about an axis, theta being the angle between what is to agree:
they have no second zero at half a turn, grow all the way to it, and count in rad near the
solution. Multipliers are in N for positions and in N m for angles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray, as_floats
from ...frames import minimal_rotation
from .constraint import Constraint
from .port import Port

AXES = "xyz"
Rows = Literal["pose", "position", "orientation"]
# world_from_target (4, 4) at a time, s
PoseOfTime = Callable[[float], ArrayLike]


@dataclass(frozen=True, eq=False)
class Relation:
    """One row: numerator . (R, p) / (1 + denominator . (R, p)).

    numerator, denominator: (3, 4), weights of the entries of the pose of port b in port a.
    """

    name: str
    numerator: FloatArray
    denominator: FloatArray | None = None
    is_angle: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class PairConstraint(Constraint):
    """A constraint between port a and port b, each on a link or on the world."""

    a: Port
    b: Port

    def relations(self) -> Sequence[Relation]:
        """Its rows."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False, kw_only=True)
class Ball(PairConstraint):
    """The origins of both ports coincide: 3 rows."""

    def relations(self) -> Sequence[Relation]:
        """x, y, z in the axes of port a."""
        return _positions(np.eye(3), AXES)


@dataclass(frozen=True, eq=False, kw_only=True)
class Weld(PairConstraint):
    """Both ports coincide: 6 rows."""

    def relations(self) -> Sequence[Relation]:
        """Positions, then turns about x, y, z."""
        return [*_positions(np.eye(3), AXES), *_rotations()]


@dataclass(frozen=True, eq=False, kw_only=True)
class AxisConstraint(PairConstraint):
    """A constraint with an axis.

    Attributes:
        axis: (3,), in port a, made a unit vector.
        axis_b: (3,), the axis as it is in port b; the same numbers if none.
    """

    axis: ArrayLike = (0.0, 0.0, 1.0)
    axis_b: ArrayLike | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "axis", self.unit(self.axis, "axis"))
        other = self.axis if self.axis_b is None else self.unit(self.axis_b, "axis_b")
        object.__setattr__(self, "axis_b", other)

    def across(self) -> FloatArray:
        """(2, 3): two directions of port a at right angles to the axis and to each other."""
        return minimal_rotation((0.0, 0.0, 1.0), self._axis)[:, :2].T.copy()

    def alignments(self) -> list[Relation]:
        """The two rows that keep the axis of port b along that of port a."""
        other = as_floats(self.axis_b, (3,), "axis_b")  # type: ignore[arg-type]
        along = _of_directions(self._axis, other)
        return [
            Relation(f"turn {index}", 2.0 * _of_directions(n, other), along, is_angle=True)
            for index, n in enumerate(self.across())
        ]

    def offsets(self) -> list[Relation]:
        """The two rows that keep the origin of port b on the axis."""
        return _positions(self.across(), "01")

    @property
    def _axis(self) -> FloatArray:
        return as_floats(self.axis, (3,), "axis")


@dataclass(frozen=True, eq=False, kw_only=True)
class Hinge(AxisConstraint):
    """Port b turns about the axis only: 5 rows."""

    def relations(self) -> Sequence[Relation]:
        """Positions, then turns across the axis."""
        return [*_positions(np.eye(3), AXES), *self.alignments()]


@dataclass(frozen=True, eq=False, kw_only=True)
class PlanarHinge(AxisConstraint):
    """The origins coincide as seen along the axis: the 2 rows that close a loop in a plane."""

    def relations(self) -> Sequence[Relation]:
        """Positions across the axis."""
        return self.offsets()


@dataclass(frozen=True, eq=False, kw_only=True)
class PointOnLine(AxisConstraint):
    """The origin of port b is on the axis of port a, a line through its origin: 2 rows."""

    def relations(self) -> Sequence[Relation]:
        """Positions across the axis."""
        return self.offsets()


@dataclass(frozen=True, eq=False, kw_only=True)
class PointOnPlane(AxisConstraint):
    """The origin of port b is in the plane through port a's origin across the axis: 1 row."""

    def relations(self) -> Sequence[Relation]:
        """The height above the plane."""
        return _positions(self._axis[None], ("height",))


@dataclass(frozen=True, eq=False, kw_only=True)
class Cylindrical(AxisConstraint):
    """Port b turns about and slides along the axis: 4 rows."""

    def relations(self) -> Sequence[Relation]:
        """Positions, then turns across the axis."""
        return [*self.offsets(), *self.alignments()]


@dataclass(frozen=True, eq=False, kw_only=True)
class Prismatic(AxisConstraint):
    """Port b slides along the axis, its axes along those of port a: 5 rows."""

    def relations(self) -> Sequence[Relation]:
        """Positions across the axis, then turns about x, y, z."""
        return [*self.offsets(), *_rotations()]


@dataclass(frozen=True, eq=False, kw_only=True)
class Universal(PairConstraint):
    """The origins coincide, and an axis of a stays at right angles to one of b: 4 rows.

    Attributes:
        axis_a, axis_b: (3,), in port a and in port b, made unit vectors.
    """

    axis_a: ArrayLike = (1.0, 0.0, 0.0)
    axis_b: ArrayLike = (0.0, 1.0, 0.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "axis_a", self.unit(self.axis_a, "axis_a"))
        object.__setattr__(self, "axis_b", self.unit(self.axis_b, "axis_b"))

    def relations(self) -> Sequence[Relation]:
        """Positions, then the right angle."""
        first = as_floats(self.axis_a, (3,), "axis_a")
        second = as_floats(self.axis_b, (3,), "axis_b")
        across = Relation("right angle", _of_directions(first, second), is_angle=True)
        return [*_positions(np.eye(3), AXES), across]


@dataclass(frozen=True, eq=False, kw_only=True)
class PrescribedFrame(Constraint):
    """A frame that follows a pose which is a function of time.

    Attributes:
        port: the frame.
        motion: t (s) -> world_from_target (4, 4). Where it takes complex numbers its derivatives
            are exact, else they are found from its values.
        rows: 'pose' (6 rows), 'position' (3) or 'orientation' (3).
    """

    port: Port
    motion: PoseOfTime
    rows: Rows = "pose"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rows not in ("pose", "position", "orientation"):
            raise self.refused("rows", "'pose', 'position' or 'orientation'", self.rows)
        if not callable(self.motion):
            raise self.refused("motion", "a function of time", self.motion)

    @property
    def timed(self) -> bool:
        """It has its motion."""
        return True

    def relations(self) -> Sequence[Relation]:
        """Positions in the target's axes, turns about them."""
        position, turns = _positions(np.eye(3), AXES), _rotations()
        return {"pose": [*position, *turns], "position": position, "orientation": turns}[self.rows]


def _of_directions(u: FloatArray, w: FloatArray) -> FloatArray:
    """The weights (3, 4) of u . R w."""
    return np.concatenate((np.outer(u, w), np.zeros((3, 1))), axis=1)


def _positions(directions: FloatArray, names: Sequence[str]) -> list[Relation]:
    """Rows d . p for directions d (n, 3) of port a."""
    return [
        Relation(name, np.concatenate((np.zeros((3, 3)), d[:, None]), axis=1))
        for name, d in zip(names, directions, strict=True)
    ]


def _rotations() -> list[Relation]:
    """The three rows that keep the axes of port b along those of port a."""
    trace = np.eye(3, 4)
    rows = []
    for axis, (j, k) in zip(AXES, ((1, 2), (2, 0), (0, 1)), strict=True):
        weights = np.zeros((3, 4))
        weights[k, j], weights[j, k] = 2.0, -2.0
        rows.append(Relation(f"turn {axis}", weights, trace, is_angle=True))
    return rows
