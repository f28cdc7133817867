"""The rows of points where colliders touch: normal and two tangents of each.

The velocity of the first body's point against that of the second, along a direction d at a point
x, is w . (V_first - V_second) with the wrench w = (x x d, d) of a unit force along d at x, at the
world origin. In v-space, with the unit twists s_k of the joints, its row is

    J_k = w . s_k (path_first,k - path_second,k)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import fields as fields_of
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..dynamics import Model, Moment
from ..dynamics.collision import Touching, combined_friction, combined_restitution
from ..dynamics.collision.collisions import Collisions
from ..dynamics.model import IntArray
from .settings import CORRECTION, CORRECTION_SPEED, SLOP

LEAST_MARGIN = 1e-3  # m: points that are nearer are always looked at
TWICE = 2.0  # times the fastest motion: two bodies may meet, and one may be struck on the way
DEEP = 1e-4  # m: what would be so much deeper at the end of a step is looked at again
NEXT, AFTER = (
    (1, 2, 0),
    (2, 0, 1),
)  # of three components: a x b = a[NEXT] b[AFTER] - a[AFTER] b[NEXT]
FEATURES = 1 << 28  # numbers of points that one pair of colliders can tell apart


@dataclass(frozen=True, eq=False)
class Contacts:
    """k points with the rows of the velocities there.

    touching: the points; basis (k, 3, 3), the normal and two tangents of each by rows; jacobian
    (3 k, nv); friction, restitution (k,); keys (k,), by which they are known again. gap (k,), m, at
    the start of the step; wanted (k,), m/s, what u_n + wanted >= 0 asks for, of the gap if None.
    among: whether some are between two bodies that are not planes.
    """

    touching: Touching
    basis: FloatArray
    jacobian: FloatArray
    friction: FloatArray
    restitution: FloatArray
    keys: IntArray
    gap: FloatArray
    among: bool
    wanted: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.keys)

    def with_others(self, others: Contacts, chosen: IntArray, h: float) -> Contacts:
        """These points, and some of others, whose gaps may close in a step of h seconds."""
        rows = (3 * chosen[:, None] + np.arange(3)).ravel()
        touching = others.touching
        fields = {own.name: getattr(touching, own.name)[chosen] for own in fields_of(touching)}
        gap = others.gap[chosen]
        wanted = self.gap / h if self.wanted is None else self.wanted
        return Contacts(
            Touching.joined((self.touching, Touching(**fields))),
            np.concatenate((self.basis, others.basis[chosen])),
            np.concatenate((self.jacobian, others.jacobian[rows])),
            np.concatenate((self.friction, others.friction[chosen])),
            np.concatenate((self.restitution, others.restitution[chosen])),
            np.concatenate((self.keys, others.keys[chosen])),
            np.concatenate((self.gap, gap)),
            self.among or others.among,
            np.concatenate((wanted, np.maximum(gap, 0.0) / h)),
        )


class Motions(NamedTuple):
    """m/s, of the fastest point, and m/s^2, what turning bends the way of a point by."""

    fastest: float
    bend: float


class ContactFinder:
    """Finds contacts and works out their rows."""

    def __init__(self, model: Model, collisions: Collisions) -> None:
        self._model, self._collisions = model, collisions
        colliders = collisions.colliders
        self._frame = np.array([own.shape.port.place(model)[0] for own in colliders], dtype=int)
        self._mu = np.array([own.friction for own in colliders])
        self._e = np.array([own.restitution for own in colliders])
        self._path = model.path
        self._flat = np.array([own.is_plane for own in collisions.solids], dtype=bool)
        self._reach = self._reaches()
        self._pairs, self._normals = (b"", b""), b""

    def __call__(self, moment: Moment, fastest: float, h: float) -> Contacts | None:
        """The contacts that a step of h seconds may meet; None where there are none.

        Args:
            fastest: m/s, of all points of the bodies.
        """
        margin = LEAST_MARGIN + TWICE * h * fastest
        found = self._collisions.find(moment.poses, margin)
        return self._rows(found, moment) if len(found) else None

    def again(
        self, first: Contacts, moment: Moment, moving: FloatArray, poses: FloatArray, h: float
    ) -> Contacts | None:
        """The contacts as they look from the end of a step, None where nothing is too deep there.

        With g the gap there and u the rates of the rows that are found there, the gap of the start
        is taken as g - h u: what turning bodies and other features of them make of it is in that.

        Args:
            first: those that have led to it; moving: (nv,), the velocity of the displacement.
            poses: (nf, 4, 4), of the frames at the end; h: s.
        """
        found = self._collisions.find(poses, LEAST_MARGIN)
        start = np.minimum(self._starts(first, found), 0.0)
        # what is left of it: 0, and less where bodies start deeper in each other
        taken = np.minimum((-SLOP - start) * CORRECTION, h * CORRECTION_SPEED)
        least = start + np.maximum(taken, 0.0)
        if not (found.gap < least - DEEP).any():
            return None
        # the same points of the bodies at the start of the step, and midway between these
        one, other = (
            _carried(found.point, poses[frames], moment.poses[frames])
            for frames in (self._frame[found.first], self._frame[found.second])
        )
        point = 0.5 * (one + other)
        own = self._rows(replace(found, point=point), moment)
        gap = found.gap - h * (own.jacobian[::3] @ moving)
        wanted = np.maximum((gap - least) / h, -CORRECTION_SPEED)
        told = replace(own.touching, gap=np.maximum(gap, start))
        own = replace(own, touching=told, gap=gap, wanted=wanted)
        # what is not near at this end of the step may be at another one
        away = np.flatnonzero(~np.isin(first.keys, own.keys))
        return own.with_others(first, away, h) if len(away) else own

    def doubtful(self, contacts: Contacts, motion: Motions, h: float) -> bool:
        """Whether the planes of contacts may be far from what bodies do in a step of h seconds."""
        among = contacts.among and h * motion.fastest > DEEP
        return among or 0.5 * h * h * motion.bend > DEEP

    def _starts(self, first: Contacts, found: Touching) -> FloatArray:
        """The least gaps (n,), at the start of the step, of the pairs of found points."""
        count, touching = len(self._frame), first.touching
        least = np.full(count * count, np.inf)
        np.minimum.at(least, touching.first * count + touching.second, touching.gap)
        out: FloatArray = least[found.first * count + found.second]
        return out

    def _rows(self, found: Touching, moment: Moment) -> Contacts:
        """Points with their rows at a moment."""
        count = len(found)
        self._know(found)
        basis = self._basis
        points = found.point[:, None]
        wrench = np.empty((count, 3, 6))
        wrench[..., 3:] = basis
        # x x d
        wrench[..., :3] = points[..., NEXT] * basis[..., AFTER]
        wrench[..., :3] -= points[..., AFTER] * basis[..., NEXT]
        along = (wrench.reshape(-1, 6) @ moment.tableau.twists.T).reshape(count, 3, -1)
        jacobian = (along * self._moves).reshape(3 * count, -1)
        if self._model.dof_from_v is not None:
            jacobian = jacobian @ self._model.dof_from_v
        keys = self._pair_keys + found.feature
        own = self._friction, self._restitution
        return Contacts(found, basis, jacobian, *own, keys, found.gap, self._among)

    def _know(self, found: Touching) -> None:
        """Work out what depends on the pairs, and on the normals, where they are not as before."""
        first, second = found.first, found.second
        pairs = first.tobytes(), second.tobytes()
        if pairs != self._pairs:
            self._pairs = pairs
            moves = self._path[self._frame[first]] - self._path[self._frame[second]]
            self._moves = moves[:, None]
            self._among = not (self._flat[first] | self._flat[second]).all()
            self._friction = combined_friction(self._mu[first], self._mu[second])
            self._restitution = combined_restitution(self._e[first], self._e[second])
            self._pair_keys = (first * len(self._frame) + second) * FEATURES
        normals = found.normal.tobytes()
        if normals != self._normals:
            self._normals = normals
            self._basis = bases(found.normal)

    def motions(self, moment: Moment, v: FloatArray) -> Motions:
        """What no point of a collider exceeds at velocities v (n, nv)."""
        model = self._model
        frames, reach, path = self._reach
        if not len(frames):
            return Motions(0.0, 0.0)
        rates = v if model.dof_from_v is None else v @ model.dof_from_v.T
        twists = path @ (moment.tableau.twists * rates[:, :, None])
        origin = moment.poses[frames, :3, 3]
        omega = twists[..., :3]
        # V at the world origin, moved to the frame's own
        linear = twists[..., 3:].copy()
        linear += omega[..., NEXT] * origin[:, AFTER]
        linear -= omega[..., AFTER] * origin[:, NEXT]
        square = (omega * omega).sum(axis=-1)
        speed = np.sqrt((linear * linear).sum(axis=-1)) + reach * np.sqrt(square)
        return Motions(float(speed.max()), float((reach * square).max()))

    def _reaches(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """Moving frames with colliders, how far these reach from their origins, and their paths."""
        far: dict[int, float] = {}
        for solid in self._collisions.solids:
            if solid.frame and len(solid.points):
                turn, place = solid.frame_from_port[:3, :3], solid.frame_from_port[:3, 3]
                ends = np.sqrt(((solid.points @ turn.T + place) ** 2).sum(axis=1))
                reach = float(ends.max()) + solid.radius
                far[solid.frame] = max(far.get(solid.frame, 0.0), reach)
        frames = np.array(list(far), dtype=np.intp)
        return frames, np.array(list(far.values())), self._model.path[frames]


def _carried(points: FloatArray, away: FloatArray, to: FloatArray) -> FloatArray:
    """Points (n, 3) of bodies at poses `away` (n, 4, 4), where they are at the poses `to`."""
    own = (points - away[:, :3, 3])[:, None] @ away[:, :3, :3]
    out: FloatArray = (to[:, :3, :3] @ own.swapaxes(1, 2))[..., 0] + to[:, :3, 3]
    return out


def bases(normals: FloatArray) -> FloatArray:
    """Right-handed frames (k, 3, 3) by rows: the normal (k, 3), and two tangents.

    The first tangent lies across the axis that the normal is furthest from.
    """
    out = np.empty((len(normals), 3, 3))
    out[:, 0] = normals
    axis = np.abs(normals).argmin(axis=1)
    rows = np.arange(len(normals))
    tangent = -normals[rows, axis, None] * normals
    tangent[rows, axis] += 1.0
    tangent /= np.sqrt((tangent * tangent).sum(axis=1))[:, None]
    out[:, 1] = tangent
    out[:, 2] = normals[:, NEXT] * tangent[:, AFTER] - normals[:, AFTER] * tangent[:, NEXT]
    return out
