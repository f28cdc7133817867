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
from typing import NamedTuple

import numpy as np

from .arrays import BoolArray, FloatArray
from .dynamics import System
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
from .loop_gap import LoopGap, Reason
from .motion import Motion
from .phased_motion import PhasedMotion

Phase = tuple[float, System]  # from a time on, s
WORTH = 1.5  # keys between mend a gap that is so many times as large as what they cannot mend
MOVES = 1e-9  # of what moves a row most: a joint that moves it less does not belong to the loop
MARGIN = 0.9  # of the tolerance, for what is between the places looked at


class _Acting:
    """The constraints that act in one phase.

    Attributes:
        metres, radians: (m, c), 1 where a row of that unit is one of a constraint.
    """

    def __init__(self, system: System, names: Sequence[str]) -> None:
        own = [own for own in system.constraints if own.active and own.name in names]
        self.rows = rows = ConstraintRows(system.model, own, system.markers)
        self.metres, self.radians = np.zeros((2, len(rows), len(names)))
        markers = {marker.name: marker for marker in system.markers}
        for constraint in own:
            column = names.index(constraint.name)
            places = rows.where[constraint.name]
            for row, is_angle in zip(places, _angles(rows, constraint, markers), strict=True):
                if not rows.velocity_level[row]:
                    (self.radians if is_angle else self.metres)[row, column] = 1.0


class Loops:
    """Constraints that share joints, phase by phase.

    Attributes:
        names: of the constraints; joints: those that move them.
        has_metres, has_radians: (c,), whether they have rows in m and in rad.
        arm: the model's typical length, m.
    """

    def __init__(
        self, phases: Sequence[Phase], names: Sequence[str], joints: Sequence[str]
    ) -> None:
        self.names, self.joints = tuple(names), tuple(joints)
        self._starts = np.array([start for start, _ in phases])
        self._acting = [_Acting(system, self.names) for _, system in phases]
        self._model = phases[0][1].model
        self.arm = self._acting[0].rows.length
        self.has_metres: BoolArray = np.any(
            [own.metres.any(axis=0) for own in self._acting], axis=0
        )
        radians = [own.radians.any(axis=0) for own in self._acting]
        self.has_radians: BoolArray = np.any(radians, axis=0)

    def opened(self, t: FloatArray, q: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Distances, m, and angles, rad, each (k, s, c), 0 where a constraint does not act.

        Args:
            t (k, s), q (k, s, nq), v (k, s, nv): s instants on each of k ways in one phase.
        """
        distance, angle = np.zeros((2, *t.shape, len(self.names)))
        middle = t[:, t.shape[1] // 2]
        phase = np.maximum(np.searchsorted(self._starts, middle, "right") - 1, 0)
        ways = max(BLOCK // t.shape[1], 1)
        for index, acting in enumerate(self._acting):
            here = np.flatnonzero(phase == index) if len(acting.rows) else np.zeros(0, np.intp)
            for first in range(0, len(here), ways):
                own = here[first : first + ways]
                places = Places.of(evaluate(self._model, q[own]))
                squares = acting.rows.positions(t[own], q[own], v[own], places).residual ** 2
                distance[own] = np.sqrt(squares @ acting.metres)
                angle[own] = np.sqrt(squares @ acting.radians)
        return distance, angle


class Look(NamedTuple):
    """What curves make of loops along segments, each (k, c).

    opening, the largest, m; distance, angle and frame there; own: how far the motion itself is
    open, where the curves are by more than a tolerance; at_keys: the curves where they meet, m.
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
    loops: Loops,
    segments: Segments,
    columns: IntArray,
    interpolation: Interpolation,
    tolerance: float | None,
) -> Look:
    """How far loops open along segments.

    Args:
        columns: the coordinates of the loops' joints, which follow curves of single precision.
        tolerance: m, the opening up to which nobody asks why.
    """
    q = segments.q.copy()
    q[..., columns] = segments.interpolated(columns, interpolation, rounded=True)
    distance, angle = loops.opened(segments.times, q, segments.v)
    opening = np.maximum(distance, angle * loops.arm)
    # why it is open is asked only where it is
    wide = opening.max(axis=(1, 2), initial=0.0) > (tolerance or np.inf)
    own = np.zeros((len(segments), len(loops.names)))
    if wide.any():
        parts = loops.opened(segments.times[wide], segments.q[wide], segments.v[wide])
        own[wide] = np.maximum(parts[0], parts[1] * loops.arm).max(axis=1)
    place = opening.argmax(axis=1)[:, None]

    def there(values: FloatArray) -> FloatArray:
        return np.take_along_axis(values, place, axis=1)[:, 0]

    frames = np.broadcast_to(segments.frames[..., None], opening.shape)
    return Look(
        opening=there(opening),
        distance=there(distance),
        angle=there(angle),
        frame=there(frames),
        own=own,
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


def phases_of(motion: Motion) -> list[Phase]:
    """The phases of a motion."""
    if isinstance(motion, PhasedMotion):
        return [
            (float(start), own.system)
            for start, own in zip(motion.starts, motion.phases, strict=True)
        ]
    return [(-np.inf, motion.system)]


def loops_of(phases: Sequence[Phase], t: FloatArray, q: FloatArray, v: FloatArray) -> list[Loops]:
    """The constraints that have a gap, those that share joints together.

    Args:
        phases: with the same constraints, which act or not.
        t (n,), q (n, nq), v (n, nv): the motion, at some instants; joints that move a constraint
            at none of them do not belong to it.
    """
    moving: dict[str, set[str]] = {}
    for _, system in phases:
        for name, joints in _joints_of(system, t, q, v).items():
            moving[name] = moving.get(name, set()) | joints
    groups: list[tuple[list[str], set[str]]] = []
    for name, joints in moving.items():
        members = [name]
        for group in [group for group in groups if group[1] & joints]:
            groups.remove(group)
            members, joints = group[0] + members, joints | group[1]
        groups.append((members, joints))
    return [
        Loops(phases, members, [own for own in phases[0][1].model.joint_names if own in joints])
        for members, joints in groups
    ]


def _joints_of(system: System, t: FloatArray, q: FloatArray, v: FloatArray) -> dict[str, set[str]]:
    """The joints that move each constraint which acts and has a gap."""
    model = system.model
    acting = [own for own in system.constraints if own.active]
    rows = ConstraintRows(model, acting, system.markers)
    if not len(rows):
        return {}
    slopes = np.zeros((len(rows), model.nv))
    for first in range(0, len(t), BLOCK):
        own = slice(first, first + BLOCK)
        places = Places.of(evaluate(model, q[own]))
        jacobian = rows.positions(t[own], q[own], v[own], places).jacobian
        slopes = np.maximum(slopes, np.abs(jacobian).max(axis=0))
    moved = slopes > MOVES * slopes.max(axis=1, keepdims=True)
    found = {}
    for constraint in acting:
        where = rows.where[constraint.name]
        if not rows.velocity_level[where].all():
            columns = moved[where].any(axis=0)
            found[constraint.name] = {
                joint for joint, own in model.v_slices.items() if columns[own].any()
            }
    return found


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
