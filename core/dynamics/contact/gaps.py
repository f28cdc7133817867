"""Signed gaps phi(q) of all contacts of a model, positive apart, in one batch.

Between a part of body A and a part of body B (see `features`), the rate is

    phi' = w . (V_A - V_B)

with the wrench w of a unit force along n where they would touch, at the world origin, so that in
v-space

    J_k = w . s_k (path_Ak - path_Bk)

and J^T lambda, lambda >= 0, pushes apart. phi'' = J a + bend. A joint at its limit has
phi = x - lower or upper - x, and no curvature term.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import BoolArray, FloatArray
from ...errors import ModelError
from ..constraints.constraint import Constraint
from ..constraints.frame_terms import Terms, hats_of
from ..constraints.kinematics import SecondDerivatives, extent
from ..evaluation import evaluate, frame_poses
from ..model import Model
from .contact import Contact, JointLimit
from .depth import Depths
from .features import Feature
from .gap_terms import CrossingGaps, Touch, batches
from .limits import LimitGaps
from .margins import Margins
from .pairing import features_of
from .rest import held_row

if TYPE_CHECKING:
    from ..system import Moment


@dataclass(frozen=True, eq=False)
class GapState:
    """Gaps at positions (…).

    Attributes:
        gap: (…, n), m and rad.
    """

    gap: FloatArray
    _gaps: Gaps = field(repr=False)
    _poses: FloatArray = field(repr=False)
    _terms: Sequence[Terms] = field(repr=False)

    @cached_property
    def margin(self) -> FloatArray:
        """(…, n), m: by how far inside its face or edge each is, and met from outside.

        inf where it has no end.
        """
        return self._margin(self._gaps.margins.all)

    @cached_property
    def ends(self) -> FloatArray:
        """(…, n), m: the same, whether met from outside or not."""
        return self._margin(self._gaps.margins.ends)

    @cached_property
    def cones(self) -> FloatArray:
        """(…, n), m: by how far it is met from outside."""
        return self._margin(self._gaps.margins.cones)

    @cached_property
    def _touch(self) -> Touch:
        return self._gaps.touch(self._terms)

    def _margin(self, of: Callable[[FloatArray, Touch], FloatArray]) -> FloatArray:
        out = np.full(self.gap.shape, np.inf)
        if self._terms:
            count = len(self._gaps.features)
            out[..., :count] = of(self._poses, self._touch)
        return out


class Gaps:
    """The gaps of contacts and joint limits.

    Attributes:
        given: the contacts and joint limits.
        features: those of pairs of shapes, of which each has the gap of the same index.
        names: (n), those of features: a box has one for each of its corners.
        contacts: (n), whose gap each is.
        restitution: (n,).
        length: m, a typical length of the model.
        rows: (n), what holds each gap at 0 while the bodies rest on each other, as a constraint.
        pushes: (n,), the sign that makes a multiplier of such a row a push.
        limits: those of joint limits, which come after the features.
        margins: the conditions under which features touch.

    Raises:
        ModelError: for an unknown link or joint, a joint without limits, names that are not
            unique, and contacts of a link with itself.
    """

    def __init__(self, model: Model, contacts: Sequence[Contact | JointLimit]) -> None:
        self.model, self.given = model, tuple(contacts)
        features = [
            feature
            for own in contacts
            if isinstance(own, Contact)
            for feature in _checked(model, features_of(own))
        ]
        ordered, self._batches = batches(model, features)
        self.features = tuple(ordered)
        limits = LimitGaps(model, [own for own in contacts if isinstance(own, JointLimit)])
        self.limits = limits
        self.names = [*(own.name for own in ordered), *limits.names]
        self.contacts: list[Contact | JointLimit] = [own.contact for own in ordered]
        self.contacts += limits.given
        self.rows: list[Constraint] = [held_row(own) for own in ordered]
        self.rows += limits.rows
        self.pushes = np.array([-1.0] * len(ordered) + limits.pushes)
        self.restitution = np.array([float(own.restitution) for own in self.contacts])
        for names in ([own.name for own in contacts], self.names):
            _check_names(model, names)
        self.length = extent(model)
        self.margins = Margins(model, ordered)
        self._depths = Depths(ordered)
        starts = [kind.frame_b for kind, _ in self._batches]
        ends = [kind.frame_a for kind, _ in self._batches]
        none = np.zeros(0, dtype=np.intp)
        self._paths = np.asarray(
            model.path[np.concatenate((none, *starts))] - model.path[np.concatenate((none, *ends))]
        )
        self._seconds = SecondDerivatives(model)

    def __len__(self) -> int:
        return len(self.names)

    def at(self, q: FloatArray) -> GapState:
        """Gaps and margins at q (…, nq)."""
        # limits of joints need no poses
        poses = frame_poses(self.model, q) if self._batches else np.empty(0)
        terms = self._terms(poses)
        gap = np.empty((*q.shape[:-1], len(self)))
        for own, (_, where) in zip(terms, self._batches, strict=True):
            gap[..., where] = own.residual
        gap[..., len(self.features) :] = self.limits.gap(q)
        return GapState(gap, self, poses, terms)

    def reach(self, q: FloatArray) -> float:
        """How far from the origin anything is at q (nq,), at least a typical length, m."""
        if not self._batches:
            return self.length
        poses = frame_poses(self.model, q)
        far = [np.abs(own).max() for kind, _ in self._batches for own in kind.origins(poses)]
        return max(self.length, *map(float, far), 0.0)

    def jacobian(self, q: FloatArray) -> FloatArray:
        """J (…, n, nv) with phi' = J v."""
        model, count = self.model, len(self.features)
        out = np.empty((*q.shape[:-1], len(self), model.nv))
        out[..., count:, :] = self.limits.jacobian
        if not self._batches:
            return out
        at = evaluate(model, q)
        for terms, (_, where) in zip(self._terms(at.poses), self._batches, strict=True):
            own = (terms.wrench @ at.twists.swapaxes(-1, -2)) * self._paths[where]
            out[..., where, :] = own if model.dof_from_v is None else own @ model.dof_from_v
        return out

    def bend(self, at: Moment) -> FloatArray:
        """phi'' with a = 0 (…, n), at the positions and velocities of a moment."""
        out = np.zeros((*at.q.shape[:-1], len(self)))
        if not self._batches:
            return out
        hats = hats_of(at.velocities)
        seconds = self._seconds(hats)
        for terms, (kind, where) in zip(self._terms(at.poses), self._batches, strict=True):
            out[..., where] = kind.bend(terms, hats, seconds)
        return out

    def depth(self, state: GapState) -> FloatArray:
        """How deep in the other body each is (n,), m and rad, of one state; 0 where it is not."""
        out: FloatArray = np.maximum(-state.gap, 0.0)
        count = len(self.features)
        if count:
            out[:count] = self._depths(state.gap[:count], state.ends[:count], state.cones[:count])
        return out

    def apart(self, gap: FloatArray, slack: float) -> BoolArray:
        """Which gaps (n,) faces alone tell to be at most so deep, m and rad; see `depth`."""
        count = len(self.features)
        none = np.zeros(len(gap) - count, dtype=bool)
        return np.concatenate((self._depths.apart(gap[:count], slack), none))

    def beyond(self, q: FloatArray) -> tuple[slice, FloatArray] | None:
        """Which gaps have smooth bounds (…, 3, n), and these: where one is above 0 none closes.

        None where there are no such gaps. See `CrossingGaps.beyond`.
        """
        for kind, where in self._batches:
            if isinstance(kind, CrossingGaps):
                return where, kind.beyond(frame_poses(self.model, q))
        return None

    def touch(self, terms: Sequence[Terms]) -> Touch:
        """Where all features would touch, (…, n, 3) each."""
        own = [kind.touch(part) for part, (kind, _) in zip(terms, self._batches, strict=True)]
        return Touch(*(np.concatenate(parts, axis=-2) for parts in zip(*own, strict=True)))

    def _terms(self, poses: FloatArray) -> list[Terms]:
        return [kind.terms(poses) for kind, _ in self._batches]


def _checked(model: Model, features: Sequence[Feature]) -> Sequence[Feature]:
    """The features, if their shapes can move against each other."""
    for own in features:
        if own.a.place(model)[0] == own.b.place(model)[0]:
            raise ModelError(
                f"{model.name}: {own.contact.label}: wanted shapes that can move against each "
                "other, got two that are fixed to each other"
            )
    return features


def _check_names(model: Model, names: Sequence[str]) -> None:
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise ModelError(
            f"{model.name}: contacts: wanted names of their own, got '{twice[0]}' more than once"
        )
