"""Signed gaps phi(q) of all contacts of a model, positive apart, in one batch.

A point p of frame A against a plane of frame B, or another point of it:

    phi = n . (p - o) - offset            n fixed in B, o on the plane
    phi = |p - o| - offset                n = (p - o) / |p - o|

Either way the rate is phi' = w . (V_A - V_B) with the wrench w = (p x n, n) of a unit force along
n at p, at the world origin, so that in v-space

    J_k = w . s_k (path_Ak - path_Bk)

and J^T lambda, lambda >= 0, pushes apart. With X'' X^-1 = H of the frames and a = 0 the curvature
term of phi'' = J a + bend is

    n . (p'' - o'') + 2 n' . (p' - o') + n'' . (p - o)
    n . (p'' - o'') + (|p' - o'|^2 - (n . (p' - o'))^2) / |p - o|

A joint at its limit has phi = x - lower or upper - x, and no curvature term.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...arrays import FloatArray
from ...errors import ModelError
from ..constraints.constraint import Constraint
from ..constraints.frame_terms import hats_of
from ..constraints.kinematics import SecondDerivatives, extent
from ..constraints.port import Port
from ..evaluation import evaluate, frame_poses
from ..kinematics import coordinates
from ..model import IntArray, Model
from ..spatial import CROSS
from .contact import Contact, JointLimit
from .features import features_of
from .rest import RestAtLimit, held_row

if TYPE_CHECKING:
    from ..system import Moment

APART = 1e-12  # m: two points that are closer have no direction between them


class GapState(NamedTuple):
    """gap (…, n), m and rad; margin (…, n), m, by how far inside a face, inf without end."""

    gap: FloatArray
    margin: FloatArray


class Gaps:
    """The gaps of contacts and joint limits.

    Attributes:
        given: the contacts and joint limits.
        names: (n), those of features: a box has one for each of its corners.
        contacts: (n), whose gap each is.
        restitution: (n,).
        length: m, a typical length of the model.
        rows: (n), what holds each gap at 0 while the bodies rest on each other, as a constraint.
        pushes: (n,), the sign that makes a multiplier of such a row a push.

    Raises:
        ModelError: for an unknown link or joint, a joint without limits, names that are not
            unique, and contacts of a link with itself.
    """

    def __init__(self, model: Model, contacts: Sequence[Contact | JointLimit]) -> None:
        self.model, self.given = model, tuple(contacts)
        pairs = [own for own in contacts if isinstance(own, Contact)]
        limits = [own for own in contacts if isinstance(own, JointLimit)]
        features = [feature for own in pairs for feature in features_of(own)]
        # planes first, then points
        self.features = tuple(sorted(features, key=lambda own: own.normal is None))
        self._planes = sum(own.normal is not None for own in self.features)
        self._place()
        self.contacts: list[Contact | JointLimit] = [own.contact for own in self.features]
        self.names = [own.name for own in self.features]
        self.rows: list[Constraint] = [held_row(own) for own in self.features]
        self._pushes = [-1.0] * len(self.features)
        self._signs: list[float] = []
        self._bounds: list[float] = []
        self._scalars: list[int] = []
        for own in limits:
            self._add_limit(own)
        self._check_names([own.name for own in contacts])
        self.restitution = np.array([float(own.restitution) for own in self.contacts])
        self.pushes = np.array(self._pushes)
        self.length = extent(model)
        self._limit_jacobian = self._jacobian_of_limits()
        self._seconds = SecondDerivatives(model)

    def __len__(self) -> int:
        return len(self.names)

    def at(self, q: FloatArray) -> GapState:
        """Gaps and margins at q (…, nq)."""
        poses = frame_poses(self.model, q)
        p, o = self._ends(poses)
        _, along = self._normals(poses, p, o)
        count = len(self.features)
        gap = np.empty((*q.shape[:-1], len(self)))
        gap[..., :count] = along - self._offsets
        if self._scalars:
            x = coordinates(self.model, q)[..., self._scalars]
            gap[..., count:] = np.array(self._signs) * (x - np.array(self._bounds))
        margin = np.full(gap.shape, np.inf)
        if len(self._extent_of):
            frames = self._frame_b[self._extent_of]
            axes = (poses[..., frames, :3, :3] @ self._axes[..., None])[..., 0]
            along = (axes * (p - o)[..., self._extent_of, :]).sum(axis=-1)
            inside = np.where(np.isnan(self._halves), along, self._halves - np.abs(along))
            for row, feature in enumerate(self._extent_of):
                margin[..., feature] = np.minimum(margin[..., feature], inside[..., row])
        return GapState(gap, margin)

    def reach(self, q: FloatArray) -> float:
        """How far from the origin anything is at q (nq,), at least a typical length, m."""
        p, o = self._ends(frame_poses(self.model, q))
        far = np.abs(np.concatenate((p, o))).max(initial=0.0)
        return max(self.length, float(far))

    def jacobian(self, q: FloatArray) -> FloatArray:
        """J (…, n, nv) with phi' = J v."""
        model, count = self.model, len(self.features)
        at = evaluate(model, q)
        p, o = self._ends(at.poses)
        n, _ = self._normals(at.poses, p, o)
        wrench = np.concatenate((_cross(p, n), n), axis=-1)
        along = wrench @ at.twists.swapaxes(-1, -2)
        own: FloatArray = along * self._paths
        if model.dof_from_v is not None:
            own = own @ model.dof_from_v
        out = np.empty((*q.shape[:-1], len(self), model.nv))
        out[..., :count, :] = own
        out[..., count:, :] = self._limit_jacobian
        return out

    def bend(self, at: Moment) -> FloatArray:
        """phi'' with a = 0 (…, n), at the positions and velocities of a moment."""
        hats = hats_of(at.velocities)
        seconds = self._seconds(hats)
        p, o = self._ends(at.poses)
        p1, o1 = self._moved(hats, p, o)
        p2, o2 = self._moved(seconds, p, o)
        n, along = self._normals(at.poses, p, o)
        r, r1 = p - o, p1 - o1
        out = np.zeros((*at.q.shape[:-1], len(self)))
        own = (n * (p2 - o2)).sum(axis=-1)
        planes = self._planes
        face = self._frame_b[:planes]
        turned = (hats[..., face, :3, :3] @ n[..., :planes, :, None])[..., 0]
        twice = (seconds[..., face, :3, :3] @ n[..., :planes, :, None])[..., 0]
        own[..., :planes] += 2.0 * (turned * r1[..., :planes, :]).sum(axis=-1)
        own[..., :planes] += (twice * r[..., :planes, :]).sum(axis=-1)
        across = (r1 * r1).sum(axis=-1) - (n * r1).sum(axis=-1) ** 2
        own[..., planes:] += across[..., planes:] / np.maximum(along[..., planes:], APART)
        out[..., : len(self.features)] = own
        return out

    def depth(self, state: GapState) -> FloatArray:
        """How deep in the other body each is (n,), m and rad, of one state; 0 where it is not."""
        deep: FloatArray = np.maximum(-state.gap, 0.0)
        behind = np.full(len(self), np.inf)
        behind[: len(self.features)] = [own.behind for own in self.features]
        deep[(deep >= behind) | (state.margin < 0.0)] = 0.0
        # of the faces of a box that a point is behind, it is behind the nearest
        faces: dict[tuple[str, Port], list[int]] = {}
        for index, own in enumerate(self.features):
            if own.normal is not None and np.isfinite(own.behind):
                faces.setdefault((own.contact.name, own.a), []).append(index)
        for group in faces.values():
            nearest = max(group, key=lambda index: float(state.gap[index]))
            for index in group:
                if index != nearest:
                    deep[index] = 0.0
        return deep

    def _place(self) -> None:
        """The frames and points of all features, and the extents of faces."""
        model, features = self.model, self.features
        ends = [(own.a.place(model), own.b.place(model)) for own in features]
        for own, (a, b) in zip(features, ends, strict=True):
            if a[0] == b[0]:
                raise ModelError(
                    f"{model.name}: {own.contact.label}: wanted shapes that can move against each "
                    "other, got two that are fixed to each other"
                )
        self._frame_a: IntArray = np.array([a[0] for a, _ in ends], dtype=np.intp)
        self._frame_b: IntArray = np.array([b[0] for _, b in ends], dtype=np.intp)
        self._point_a = np.array([a[1][:, 3] for a, _ in ends]).reshape(-1, 4)
        self._point_b = np.array([b[1][:, 3] for _, b in ends]).reshape(-1, 4)
        self._offsets = np.array([own.offset for own in features])
        turns = [b[1][:3, :3] for _, b in ends]
        planes = zip(turns[: self._planes], features, strict=False)
        normals = [turn @ np.asarray(own.normal) for turn, own in planes]
        self._normal_b = np.array(normals).reshape(-1, 3)
        self._paths = np.asarray(model.path[self._frame_a] - model.path[self._frame_b])
        # |axis . (p - o)| <= half length, and outward . (p - o) >= 0
        rows = [
            (index, turns[index] @ axis, half)
            for index, own in enumerate(features)
            for axis, half in own.extents
        ]
        rows += [
            (index, turns[index] @ axis, np.nan)
            for index, own in enumerate(features)
            for axis in own.outward
        ]
        self._extent_of: IntArray = np.array([row[0] for row in rows], dtype=np.intp)
        self._axes = np.array([row[1] for row in rows]).reshape(-1, 3)
        self._halves = np.array([row[2] for row in rows])

    def _ends(self, poses: FloatArray) -> tuple[FloatArray, FloatArray]:
        """p and o (…, n, 3) in the world."""
        p = (poses[..., self._frame_a, :, :] @ self._point_a[..., None])[..., :3, 0]
        o = (poses[..., self._frame_b, :, :] @ self._point_b[..., None])[..., :3, 0]
        return p, o

    def _moved(
        self, maps: FloatArray, p: FloatArray, o: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """What 4x4 matrices of the frames make of p and o."""
        a, b = maps[..., self._frame_a, :3, :], maps[..., self._frame_b, :3, :]
        first = (a[..., :3] @ p[..., None])[..., 0] + a[..., 3]
        second = (b[..., :3] @ o[..., None])[..., 0] + b[..., 3]
        return first, second

    def _normals(
        self, poses: FloatArray, p: FloatArray, o: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """n (…, n, 3) in the world and n . (p - o) (…, n)."""
        planes, r = self._planes, p - o
        n = np.empty_like(r)
        turns = poses[..., self._frame_b[:planes], :3, :3]
        n[..., :planes, :] = (turns @ self._normal_b[..., None])[..., 0]
        away = r[..., planes:, :]
        distance = np.maximum(np.sqrt((away * away).sum(axis=-1)), APART)
        n[..., planes:, :] = away / distance[..., None]
        return n, (n * r).sum(axis=-1)

    def _add_limit(self, own: JointLimit) -> None:
        model = self.model
        frames = [
            index
            for index, dof in enumerate(model.scalar_dof)
            if model.dof_joint[int(dof)] == own.joint
        ]
        bounds = []
        if len(frames) == 1:
            bounds = [(1.0, model.lower[frames[0]]), (-1.0, model.upper[frames[0]])]
        bounds = [pair for pair in bounds if np.isfinite(pair[1])]
        if not bounds:
            raise ModelError(
                f"{model.name}: {own.label}: wanted a joint of one coordinate that has limits"
            )
        for sign, bound in bounds:
            name = f"{own.name}, {'lower' if sign > 0.0 else 'upper'}"
            self.names.append(name)
            self.contacts.append(own)
            self.rows.append(
                RestAtLimit(
                    name=name, active=False, coefficients={own.joint: 1.0}, offset=float(bound)
                )
            )
            self._pushes.append(-sign)
            self._signs.append(sign)
            self._bounds.append(float(bound))
            self._scalars.append(frames[0])

    def _jacobian_of_limits(self) -> FloatArray:
        """(n, nv) of the limits, which is constant."""
        model = self.model
        out = np.zeros((len(self._scalars), model.nv))
        for row, (sign, scalar) in enumerate(zip(self._signs, self._scalars, strict=True)):
            if model.dof_from_v is None:
                out[row, model.scalar_velocity[scalar]] = sign
            else:
                out[row] = sign * model.dof_from_v[model.scalar_dof[scalar]]
        return out

    def _check_names(self, given: Sequence[str]) -> None:
        for names in (given, self.names):
            twice = sorted({name for name in names if list(names).count(name) > 1})
            if twice:
                raise ModelError(
                    f"{self.model.name}: contacts: wanted names of their own, got "
                    f"'{twice[0]}' more than once"
                )


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    matrix = (a @ CROSS).reshape(*a.shape, 3)
    out: FloatArray = (matrix @ b[..., None])[..., 0]
    return out
