"""The rows of points where colliders touch: normal and two tangents of each.

The velocity of the first body's point against that of the second, along a direction d at a point
x, is w . (V_first - V_second) with the wrench w = (x x d, d) of a unit force along d at x, at the
world origin. In v-space, with the unit twists s_k of the joints, its row is

    J_k = w . s_k (path_first,k - path_second,k)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from ..dynamics import Model, Moment
from ..dynamics.collision import Touching, combined_friction, combined_restitution
from ..dynamics.collision.collisions import Collisions
from ..dynamics.model import IntArray

LEAST_MARGIN = 1e-3  # m: points that are nearer are always looked at
TWICE = 2.0  # times the fastest motion: two bodies may meet, and one may be struck on the way
NEXT, AFTER = (
    (1, 2, 0),
    (2, 0, 1),
)  # of three components: a x b = a[NEXT] b[AFTER] - a[AFTER] b[NEXT]
FEATURES = 1 << 28  # numbers of points that one pair of colliders can tell apart


@dataclass(frozen=True, eq=False)
class Contacts:
    """k points with the rows of the velocities there.

    touching: the points; basis (k, 3, 3), the normal and two tangents of each by rows; jacobian
    (3 k, nv); friction, restitution (k,); keys (k,), by which they are known again.
    """

    touching: Touching
    basis: FloatArray
    jacobian: FloatArray
    friction: FloatArray
    restitution: FloatArray
    keys: IntArray

    def __len__(self) -> int:
        return len(self.keys)


class ContactFinder:
    """Finds contacts and works out their rows."""

    def __init__(self, model: Model, collisions: Collisions) -> None:
        self._model, self._collisions = model, collisions
        colliders = collisions.colliders
        self._frame = np.array([own.shape.port.place(model)[0] for own in colliders], dtype=int)
        self._mu = np.array([own.friction for own in colliders])
        self._e = np.array([own.restitution for own in colliders])
        self._path = model.path
        self._reach = self._reaches()
        self._pairs, self._normals = (b"", b""), b""

    def __call__(self, moment: Moment, fastest: float, h: float) -> Contacts | None:
        """The contacts that a step of h seconds may meet; None where there are none.

        Args:
            fastest: m/s, of all points of the bodies.
        """
        margin = LEAST_MARGIN + TWICE * h * fastest
        found = self._collisions.find(moment.poses, margin)
        count = len(found)
        if not count:
            return None
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
        return Contacts(found, basis, jacobian, self._friction, self._restitution, keys)

    def _know(self, found: Touching) -> None:
        """Work out what depends on the pairs, and on the normals, where they are not as before."""
        first, second = found.first, found.second
        pairs = first.tobytes(), second.tobytes()
        if pairs != self._pairs:
            self._pairs = pairs
            moves = self._path[self._frame[first]] - self._path[self._frame[second]]
            self._moves = moves[:, None]
            self._friction = combined_friction(self._mu[first], self._mu[second])
            self._restitution = combined_restitution(self._e[first], self._e[second])
            self._pair_keys = (first * len(self._frame) + second) * FEATURES
        normals = found.normal.tobytes()
        if normals != self._normals:
            self._normals = normals
            self._basis = bases(found.normal)

    def fastest(self, moment: Moment, v: FloatArray) -> float:
        """m/s: no point of a collider is faster at velocities v (n, nv)."""
        model = self._model
        frames, reach, path = self._reach
        if not len(frames):
            return 0.0
        rates = v if model.dof_from_v is None else v @ model.dof_from_v.T
        twists = path @ (moment.tableau.twists * rates[:, :, None])
        origin = moment.poses[frames, :3, 3]
        omega = twists[..., :3]
        # V at the world origin, moved to the frame's own
        linear = twists[..., 3:].copy()
        linear += omega[..., NEXT] * origin[:, AFTER]
        linear -= omega[..., AFTER] * origin[:, NEXT]
        speed = np.sqrt((linear**2).sum(axis=-1)) + reach * np.sqrt((omega**2).sum(axis=-1))
        return float(speed.max())

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
