"""All rows of a step: those of contacts, three each, and then those of joints."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..arrays import BoolArray, FloatArray
from ..dynamics.friction.quiet import times
from ..dynamics.model import IntArray
from .contacts import Contacts
from .joint_rows import JointRows


@lru_cache(maxsize=64)
def _normals(k: int, r: int) -> IntArray:
    """The rows (k + r,) of the normals of k contacts, and of r joints."""
    return np.concatenate((3 * np.arange(k), 3 * k + np.arange(r)))


class Rows:
    """m = 3 k + r rows: normal, tangent, tangent of k contacts, then r of joints.

    A *place* is a contact or a row of joints: there are k + r.

    Attributes:
        contacts, joints: None where there are none.
        free: v+ (nv,) without impulses; answer: B (nv, nv), how it answers them.
        h: s, how long bodies move with v+.
        count: k; scalars: r.
        jacobian: J (m, nv); normal: (k + r,), the rows of the places, a contact's being its normal.
        gap: (k + r,), m or rad; nan where a place has none; is_gap (k + r,), whether it has one.
        restitution: (k + r,); keys: (k + r,), by which places are known again.
    """

    def __init__(
        self,
        contacts: Contacts | None,
        joints: JointRows | None,
        free: FloatArray,
        answer: FloatArray,
        h: float,
    ) -> None:
        self.contacts, self.joints, self.free, self.answer, self.h = (
            contacts,
            joints,
            free,
            answer,
            h,
        )
        self.count = 0 if contacts is None else len(contacts)
        self.scalars = 0 if joints is None else len(joints)
        self.normal = _normals(self.count, self.scalars)
        if joints is None and contacts is not None:
            self.jacobian, self.gap = contacts.jacobian, contacts.gap
            self.restitution, self.keys = contacts.restitution, contacts.keys
            self.is_gap: BoolArray = np.ones(self.count, dtype=bool)
            return
        if joints is None:
            self.jacobian = np.zeros((0, len(free)))
            self.gap = self.restitution = np.zeros(0)
            self.keys, self.is_gap = np.zeros(0, dtype=np.intp), np.zeros(0, dtype=bool)
            return
        self.jacobian, self.gap = joints.jacobian, joints.gap
        self.restitution, self.keys = joints.restitution, joints.keys
        if contacts is not None:
            self.jacobian = np.concatenate((contacts.jacobian, joints.jacobian))
            self.gap = np.concatenate((contacts.gap, joints.gap))
            self.restitution = np.concatenate((contacts.restitution, joints.restitution))
            self.keys = np.concatenate((contacts.keys, joints.keys))
        self.is_gap = ~np.isnan(self.gap)

    @property
    def bounds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Friction (k,), lower and upper bounds (r,) of the impulses."""
        none = np.zeros(0)
        mu = none if self.contacts is None else self.contacts.friction
        if self.joints is None:
            return mu, none, none
        return mu, self.joints.lower, self.joints.upper

    def matrices(self) -> tuple[FloatArray, FloatArray]:
        """B J^T (nv, m), and W = J B J^T (m, m) with the compliances."""
        moves = times(self.answer, self.jacobian.T)
        w = times(self.jacobian, moves)
        w = 0.5 * (w + w.T)
        if self.joints is not None:
            first = 3 * self.count
            w.reshape(-1)[first * (len(w) + 1) :: len(w) + 1] += self.joints.compliance
        return moves, w

    def speeds(self) -> FloatArray:
        """(m,), of the rows without impulses."""
        out: FloatArray = self.jacobian @ self.free
        if self.joints is not None:
            out[3 * self.count :] += self.joints.shift
        return out

    def spread(self, places: BoolArray) -> BoolArray:
        """What places (k + r,) are, for all rows (m,)."""
        k = self.count
        out: BoolArray = np.concatenate((np.repeat(places[:k], 3), places[k:]))
        return out
