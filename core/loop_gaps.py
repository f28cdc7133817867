"""How far closed loops open where a motion is interpolated between keys.

At the keys every constraint holds; a curve of each joint between them knows nothing of it. A
constraint with the residuals g is open by

    distance  sqrt(sum of g^2 over its rows in m)          between the points that are to meet
    angle     sqrt(sum of g^2 over its rows in rad)        between the directions that are to agree
    opening   max(distance, angle * arm)                   m, what is held against a tolerance

with the model's typical length as the arm: what an angle does that far away. Equations between
coordinates count in the unit of the first that they name (a gear's driven one, the slide of a
screw). Rows at velocity level (rolling) have no gap.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from .arrays import BoolArray, FloatArray
from .dynamics import Model, System
from .dynamics.constraints.constraint import Constraint
from .dynamics.constraints.coordinate_rows import marker_columns
from .dynamics.constraints.coordinate_vector import CoordinateVector
from .dynamics.constraints.coordinates import CoordinateMarker, scalar_coordinate
from .dynamics.constraints.kinematics import Places
from .dynamics.constraints.relations import CoordinateRelation, PrescribedCoordinate
from .dynamics.constraints.rows import ConstraintRows
from .dynamics.coordinate_names import coordinate_units
from .dynamics.equations import evaluate
from .dynamics.model import IntArray
from .key_segments import BLOCK, Interpolation, Segments

LOOP_TOLERANCE = 1e-4  # m
WORTH = 1.5  # keys between mend a gap that is so many times as large as what they cannot mend
WORTH_TELLING = 1e-9  # rad
MOVES = 1e-9  # of what moves a row most: a joint that moves it less does not belong to the loop
MARGIN = 0.9  # of the tolerance, for what is between the places looked at
# why a loop stays open: keys cannot stand nearer, the motion itself is open, too few digits
Reason = Literal["", "keys", "motion", "digits"]
REASONS = {
    "keys": "keys cannot stand nearer there; slow the motion down or raise the frame rate",
    "motion": "the motion itself does not close it",
    "digits": "joint values are so large that curves keep too few digits of them",
}


@dataclass(frozen=True)
class LoopGap:
    """How far one constraint opens under the curves.

    Attributes:
        name: of the constraint.
        distance: m; angle: rad, where the opening is largest; None where it has no such rows.
        opening: m, the largest; frame: where.
        tolerance: m, what was asked for; None for nothing.
        reason: why the opening is larger than that; empty where it is not.
    """

    name: str
    distance: float | None
    angle: float | None
    opening: float
    frame: float
    tolerance: float | None = None
    reason: Reason = ""

    @property
    def is_met(self) -> bool:
        """Whether it is below the tolerance."""
        return not self.reason

    def scaled(self, scale: float) -> LoopGap:
        """The same with lengths `scale` times as long."""
        return replace(
            self,
            distance=None if self.distance is None else scale * self.distance,
            opening=scale * self.opening,
            tolerance=None if self.tolerance is None else scale * self.tolerance,
        )

    def told(self) -> str:
        """Such as "loop 'rod' opens at most 0.03 mm between frames"."""
        gaps = [] if self.distance is None else [f"{1e3 * self.distance:.2g} mm"]
        if self.angle is not None and (self.angle > WORTH_TELLING or not gaps):
            gaps.append(f"{self.angle:.2g} rad")
        text = f"loop '{self.name}' opens at most {' and '.join(gaps)} between frames"
        if not self.reason:
            return text
        assert self.tolerance is not None
        return (
            f"{text}, at frame {self.frame:.6g}, and {1e3 * self.tolerance:.3g} mm were wanted: "
            f"{REASONS[self.reason]}"
        )


class Loops:
    """Constraints that share joints.

    Attributes:
        names: of the constraints.
        joints: those that move them.
    """

    def __init__(
        self,
        model: Model,
        constraints: Sequence[Constraint],
        markers: Sequence[CoordinateMarker],
        joints: Sequence[str],
    ) -> None:
        self.names = tuple(own.name for own in constraints)
        self.joints = tuple(joints)
        self._rows = rows = ConstraintRows(model, constraints, markers)
        named = {marker.name: marker for marker in markers}
        angle = np.concatenate([_angles(rows, own, named) for own in constraints])
        order = np.concatenate([rows.where[own.name] for own in constraints])
        owner = np.repeat(
            np.arange(len(self.names)), [len(rows.where[name]) for name in self.names]
        )
        self._metres, self._radians = np.zeros((2, len(rows), len(self.names)))
        for row, who, is_angle in zip(order, owner, angle, strict=True):
            if not rows.velocity_level[row]:
                (self._radians if is_angle else self._metres)[row, who] = 1.0
        self.arm = rows.length
        self.has_metres: BoolArray = self._metres.any(axis=0)
        self.has_radians: BoolArray = self._radians.any(axis=0)

    def opened(self, t: FloatArray, q: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Distances (…, c), m, and angles (…, c), rad, at t (…), q (…, nq), v (…, nv)."""
        model = self._rows.model
        times, states, rates = t.ravel(), q.reshape(-1, model.nq), v.reshape(-1, model.nv)
        squares = np.empty((len(times), len(self._rows)))
        for first in range(0, len(times), BLOCK):
            own = slice(first, first + BLOCK)
            places = Places.of(evaluate(model, states[own]))
            squares[own] = (
                self._rows.positions(times[own], states[own], rates[own], places).residual ** 2
            )
        shape = (*t.shape, len(self.names))
        distance, angle = np.sqrt(squares @ self._metres), np.sqrt(squares @ self._radians)
        return distance.reshape(shape), angle.reshape(shape)


class Look(NamedTuple):
    """What curves make of loops along segments, each (k, c).

    opening, the largest, m; distance, angle and frame there; own: how far the motion itself is
    open, at_keys: the curves where they meet, m.
    """

    opening: FloatArray
    distance: FloatArray
    angle: FloatArray
    frame: FloatArray
    own: FloatArray
    at_keys: FloatArray

    def kept(self, which: BoolArray) -> Look:
        """That of some of the segments."""
        return Look(*(values[which] for values in self))

    def worth_keys(self, tolerance: float) -> BoolArray:
        """The segments (k,) that keys would mend: where loops are open by more than at keys."""
        floor = WORTH * np.maximum(self.own, self.at_keys)
        wanted: BoolArray = (self.opening > np.maximum(floor, MARGIN * tolerance)).any(axis=1)
        return wanted


def look_along(
    loops: Loops, segments: Segments, columns: IntArray, interpolation: Interpolation
) -> Look:
    """How far loops open along segments.

    Args:
        columns: the coordinates of the loops' joints, which follow curves of single precision.
    """
    q = segments.q.copy()
    q[..., columns] = segments.interpolated(columns, interpolation, rounded=True)
    distance, angle = loops.opened(segments.times, q, segments.v)
    own_distance, own_angle = loops.opened(segments.times, segments.q, segments.v)
    opening = np.maximum(distance, angle * loops.arm)
    own = np.maximum(own_distance, own_angle * loops.arm)
    place = opening.argmax(axis=1)[:, None]

    def there(values: FloatArray) -> FloatArray:
        return np.take_along_axis(values, place, axis=1)[:, 0]

    frames = np.broadcast_to(segments.frames[..., None], opening.shape)
    return Look(
        opening=there(opening),
        distance=there(distance),
        angle=there(angle),
        frame=there(frames),
        own=own.max(axis=1),
        at_keys=opening[:, (0, -1)].max(axis=1),
    )


def gaps_of(loops: Loops, looks: Sequence[Look], tolerance: float | None) -> list[LoopGap]:
    """The largest gap of each loop in looks along all segments."""
    all_of = Look(*map(np.concatenate, zip(*looks, strict=True)))
    gaps = []
    for index, name in enumerate(loops.names):
        worst = int(all_of.opening[:, index].argmax())
        opening, distance, angle, frame, own, at_keys = (
            float(values[worst, index]) for values in all_of
        )
        reason: Reason = ""
        if tolerance is not None and opening > tolerance:
            reason = "motion" if own * WORTH >= opening else "keys"
            reason = "digits" if at_keys * WORTH >= opening > own * WORTH else reason
        gaps.append(
            LoopGap(
                name,
                distance if loops.has_metres[index] else None,
                angle if loops.has_radians[index] else None,
                opening,
                frame,
                tolerance,
                reason,
            )
        )
    return gaps


def loops_of(system: System, t: FloatArray, q: FloatArray, v: FloatArray) -> list[Loops]:
    """The constraints of a system that have a gap, those that share joints together.

    Args:
        t (n,), q (n, nq), v (n, nv): the motion, at some instants; joints that move a constraint
            at none of them do not belong to it.
    """
    model = system.model
    acting = [own for own in system.constraints if own.active]
    if not acting:
        return []
    rows = ConstraintRows(model, acting, system.markers)
    slopes = np.zeros((len(rows), model.nv))
    for first in range(0, len(t), BLOCK):
        own = slice(first, first + BLOCK)
        places = Places.of(evaluate(model, q[own]))
        jacobian = rows.positions(t[own], q[own], v[own], places).jacobian
        slopes = np.maximum(slopes, np.abs(jacobian).max(axis=0))
    moved = slopes > MOVES * slopes.max(axis=1, keepdims=True)
    groups: list[tuple[list[Constraint], set[str]]] = []
    for constraint in acting:
        places_ = rows.where[constraint.name]
        if rows.velocity_level[places_].all():
            continue
        columns = moved[places_].any(axis=0)
        joints = {joint for joint, where in model.v_slices.items() if columns[where].any()}
        members = [constraint]
        for group in [group for group in groups if group[1] & joints]:
            groups.remove(group)
            members, joints = group[0] + members, joints | group[1]
        groups.append((members, joints))
    return [
        Loops(model, members, system.markers, [j for j in model.joint_names if j in joints])
        for members, joints in groups
    ]


def _angles(
    rows: ConstraintRows, own: Constraint, markers: Mapping[str, CoordinateMarker]
) -> list[bool]:
    """Whether each row of a constraint is in rad."""
    places = rows.where[own.name]
    model = rows.model
    units = coordinate_units(model)
    if isinstance(own, CoordinateVector):
        columns = itertools.chain(*marker_columns(model, own, markers))
        return [any(units[column] != "m" for column in columns)] * len(places)
    if isinstance(own, PrescribedCoordinate):
        first = own.coordinate
    elif isinstance(own, CoordinateRelation):
        first = next(iter(own.terms()[0]))
    else:
        return [rows.units[row] == "rad" for row in places]
    place, _, _ = scalar_coordinate(model, first, own.label)
    return [place is None or units[place] != "m"] * len(places)
