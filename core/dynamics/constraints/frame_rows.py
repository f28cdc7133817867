"""The rows between frames of all kinds, with one product for the Jacobian of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray
from ...errors import ModelError
from ..model import Model
from ..spatial import TWIST_ENTRIES
from .constraint import Constraint
from .distances import Cable, Distance, DistanceTerms
from .driven import DrivenFrames
from .edges import CrossingTerms, EdgeConstraint, LinesCross, OffLineTerms, PointOffLine
from .frame_terms import FrameTerms, Terms, hats_of
from .kinematics import Places, SecondDerivatives
from .one_state_pairs import Entry
from .pair_terms import PairTerms, Place
from .pairs import PairConstraint, PrescribedFrame, Relation
from .same_body import refuse_same_body
from .screws import ScrewJoint, ScrewTerms
from .wheels import RollingWheel, WheelTerms

if TYPE_CHECKING:
    from ..system import Moment

WHEEL_ROWS = ("contact", "rolling", "side")


class FrameState(NamedTuple):
    """Rows at a pose: residual (…, m), wrench of their terms (…, n, 6), jacobian (…, m, nv)."""

    residual: FloatArray
    wrench: FloatArray
    jacobian: FloatArray
    terms: tuple[Terms, ...]


class FrameRows:
    """The rows of constraints between frames.

    Attributes:
        count: of rows.
        owners: the constraint of each row, and the row's name in it.
        is_angle: (m,), whether the residual is in rad.
        velocity_level: (m,).
        entries: by row, those between pairs of frames of the model.
    """

    def __init__(self, model: Model, constraints: Sequence[Constraint]) -> None:
        self.model = model
        pairs = [own for own in constraints if isinstance(own, PairConstraint | PrescribedFrame)]
        lengths = [own for own in constraints if isinstance(own, Distance | Cable)]
        wheels = [own for own in constraints if isinstance(own, RollingWheel)]
        edges = [own for own in pairs if isinstance(own, EdgeConstraint)]
        for own in constraints:
            if own not in (*pairs, *lengths, *wheels):
                raise ModelError(f"{model.name}: {own.label} is no constraint that can be compiled")
        refuse_same_body(model, constraints)
        pairs = [own for own in pairs if not isinstance(own, EdgeConstraint)]
        driven = [own for own in pairs if isinstance(own, PrescribedFrame)]
        self._driven = DrivenFrames(driven) if driven else None
        self.owners: list[tuple[Constraint, str]] = []
        self.entries: dict[int, Entry] = {}
        angles: list[bool] = []
        levels: list[bool] = []
        kinds: list[FrameTerms] = []
        sums: list[FloatArray] = []
        if pairs:
            kinds.append(self._pairs(model, pairs, driven))
            angles += self._pair_angles
            levels += [False] * len(self.owners)
            sums.append(np.eye(len(self.owners)))
        screws = [own for own in pairs if isinstance(own, ScrewJoint)]
        if screws:
            kinds.append(ScrewTerms(model, screws))
            self.owners += [(own, "thread") for own in screws]
            angles += [False] * len(screws)
            levels += [False] * len(screws)
            sums.append(np.eye(len(screws)))
        if lengths:
            stretches = DistanceTerms(model, lengths)
            kinds.append(stretches)
            self.owners += [(own, "") for own in lengths]
            angles += [False] * len(lengths)
            levels += [False] * len(lengths)
            sums.append((np.arange(len(lengths))[:, None] == stretches.owner).astype(np.float64))
        off = [own for own in edges if isinstance(own, PointOffLine)]
        crossing = [own for own in edges if isinstance(own, LinesCross)]
        kinds += [OffLineTerms(model, off)] if off else []
        kinds += [CrossingTerms(model, crossing)] if crossing else []
        self.owners += [(own, "") for own in (*off, *crossing)]
        angles += [False] * len(edges)
        levels += [False] * len(edges)
        sums.append(np.eye(len(edges)))
        if wheels:
            kinds.append(WheelTerms(model, wheels))
            wanted = [(own.touches, True, own.grips_sideways) for own in wheels]
            chosen = np.flatnonzero(np.array(wanted).ravel())
            self.owners += [(wheels[k // 3], WHEEL_ROWS[k % 3]) for k in chosen]
            angles += [False] * len(chosen)
            levels += [bool(k % 3) for k in chosen]
            sums.append(np.eye(3 * len(wheels))[chosen])
        self.count = len(self.owners)
        self.is_angle: BoolArray = np.array(angles, dtype=bool)
        self.velocity_level: BoolArray = np.array(levels, dtype=bool)
        self._kinds = tuple(kinds)
        self._sum = _block_diagonal(sums)
        # which term moves with which degree of freedom; driven frames move with none
        path = np.concatenate((model.path, np.zeros((len(driven), model.path.shape[1]))))
        starts = np.concatenate([kind.frame_a for kind in kinds])
        ends = np.concatenate([kind.frame_b for kind in kinds])
        self._paths = path[ends] - path[starts]
        # what is between two frames, of which only driven ones move
        frames = np.eye(len(path))
        self._apart_from_driven = (frames[ends] - frames[starts])[:, len(model.path) :]
        self._seconds = SecondDerivatives(model)

    @property
    def is_driven(self) -> bool:
        """Whether any frame is a function of time."""
        return self._driven is not None

    def positions(self, t: FloatArray, places: Places) -> FrameState:
        """At times t () or (…)."""
        model, poses = self.model, places.poses
        if self._driven is not None:
            poses = _extended(poses, self._driven.poses(t), 3)
        terms = tuple(kind.terms(poses) for kind in self._kinds)
        residual, wrench = terms[0].residual, terms[0].wrench
        if len(terms) > 1:
            residual = np.concatenate([own.residual for own in terms], axis=-1)
            wrench = np.concatenate([own.wrench for own in terms], axis=-2)
        jacobian = (wrench @ places.twists.swapaxes(-1, -2)) * self._paths
        if model.dof_from_v is not None:
            jacobian = jacobian @ model.dof_from_v
        if self._sum is not None:
            residual, jacobian = self._summed(residual), self._sum @ jacobian
        return FrameState(residual, wrench, jacobian, terms)

    def exerted(self, state: FrameState, multipliers: FloatArray) -> FloatArray:
        """What each term exerts on its frame_b (…, n, 6), of lambda (…, m) of the rows.

        Its frame_a gets the opposite; torque and force are at the world origin.
        """
        own = multipliers if self._sum is None else multipliers @ self._sum
        out: FloatArray = -own[..., None] * state.wrench
        return out

    def rate_of_time(self, t: FloatArray, state: FrameState) -> FloatArray | None:
        """g_t (…, m), by the motion of driven frames; None where there are none."""
        if self._driven is None:
            return None
        twists = self._driven.at(t)[1].reshape(*t.shape, -1, 16).take(TWIST_ENTRIES, axis=-1)
        apart: FloatArray = self._apart_from_driven @ twists
        return self._summed((state.wrench * apart).sum(axis=-1))

    def bend(self, at: Moment, state: FrameState) -> FloatArray:
        """Second derivatives of the residuals with a = 0 (…, m)."""
        hats = hats_of(at.velocities)
        seconds = self._seconds(hats)
        if self._driven is not None:
            _, rates, gains = self._driven.at(at.t)
            hats, seconds = _extended(hats, rates, 3), _extended(seconds, gains, 3)
        bends = [
            kind.bend(terms, hats, seconds)
            for kind, terms in zip(self._kinds, state.terms, strict=True)
        ]
        return self._summed(bends[0] if len(bends) == 1 else np.concatenate(bends, axis=-1))

    def _summed(self, terms: FloatArray) -> FloatArray:
        return terms if self._sum is None else terms @ self._sum.T

    def _pairs(
        self,
        model: Model,
        pairs: Sequence[PairConstraint | PrescribedFrame],
        driven: Sequence[PrescribedFrame],
    ) -> PairTerms:
        """The batch of all pairs; the target of a prescribed frame is its port a."""
        entries: list[tuple[tuple[Place, Place], Relation, Constraint]] = []
        for own in pairs:
            if isinstance(own, PrescribedFrame):
                target = len(model.path) + driven.index(own)
                place = (target, np.eye(4)), own.port.place(model)
            else:
                place = own.a.place(model), own.b.place(model)
            entries += [(place, relation, own) for relation in own.relations()]
        # those with a denominator last, so that they are a slice
        entries.sort(key=lambda entry: entry[1].denominator is not None)
        self.owners += [(own, relation.name) for _, relation, own in entries]
        self.entries = {
            row: Entry(*place, relation)
            for row, (place, relation, own) in enumerate(entries)
            if own not in driven
        }
        self._pair_angles = [relation.is_angle for _, relation, _ in entries]
        return PairTerms([place for place, _, _ in entries], [row for _, row, _ in entries])


def _extended(values: FloatArray, more: FloatArray, axes: int) -> FloatArray:
    """Values of frames (…, nf, …) with those of driven frames behind, `axes` counted from behind.

    Leading axes are broadcast.
    """
    lead = np.broadcast_shapes(values.shape[:-axes], more.shape[:-axes])
    parts = [np.broadcast_to(own, (*lead, *own.shape[-axes:])) for own in (values, more)]
    return np.concatenate(parts, axis=-axes)


def _block_diagonal(blocks: Sequence[FloatArray]) -> FloatArray | None:
    """The blocks along the diagonal; None where that is the identity."""
    rows, columns = (sum(own.shape[axis] for own in blocks) for axis in (0, 1))
    out = np.zeros((rows, columns))
    row = column = 0
    for own in blocks:
        out[row : row + own.shape[0], column : column + own.shape[1]] = own
        row, column = row + own.shape[0], column + own.shape[1]
    return None if rows == columns and (out == np.eye(rows)).all() else out
