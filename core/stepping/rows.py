"""All rows of a step: those of contacts, three each, and then those of joints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import BoolArray, FloatArray
from ..dynamics.model import IntArray
from .contacts import Contacts
from .joint_rows import JointRows


@dataclass(frozen=True, eq=False)
class Rows:
    """m = 3 k + r rows: normal, tangent, tangent of k contacts, then r of joints.

    A *place* is a contact or a row of joints: there are k + r.

    Attributes:
        contacts, joints: None where there are none.
        free: v+ (nv,) without impulses; answer: B (nv, nv), how it answers them.
        h: s, how long bodies move with v+.
    """

    contacts: Contacts | None
    joints: JointRows | None
    free: FloatArray
    answer: FloatArray
    h: float

    @cached_property
    def count(self) -> int:
        """k."""
        return 0 if self.contacts is None else len(self.contacts)

    @cached_property
    def scalars(self) -> int:
        """r."""
        return 0 if self.joints is None else len(self.joints)

    @cached_property
    def jacobian(self) -> FloatArray:
        """J (m, nv)."""
        parts = [own.jacobian for own in (self.contacts, self.joints) if own is not None]
        if len(parts) == 1:
            return parts[0]
        return np.concatenate(parts) if parts else np.zeros((0, len(self.free)))

    @cached_property
    def normal(self) -> IntArray:
        """The rows (k + r,) of the places: a contact's normal."""
        k = self.count
        return np.concatenate((3 * np.arange(k), 3 * k + np.arange(self.scalars)))

    @cached_property
    def gap(self) -> FloatArray:
        """(k + r,), m or rad; nan where a place has none."""
        return self._joined("gap")

    @cached_property
    def is_gap(self) -> BoolArray:
        """(k + r,), whether a place is a contact or a limit."""
        return ~np.isnan(self.gap)

    @cached_property
    def restitution(self) -> FloatArray:
        """(k + r,)."""
        return self._joined("restitution")

    @cached_property
    def keys(self) -> IntArray:
        """(k + r,), by which places are known again."""
        out: IntArray = self._joined("keys").astype(np.intp)
        return out

    @cached_property
    def bounds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Friction (k,), lower and upper bounds (r,) of the impulses."""
        none = np.zeros(0)
        mu = none if self.contacts is None else self.contacts.friction
        if self.joints is None:
            return mu, none, none
        return mu, self.joints.lower, self.joints.upper

    def matrices(self) -> tuple[FloatArray, FloatArray]:
        """B J^T (nv, m), and W = J B J^T (m, m) with the compliances."""
        moves = self.answer @ self.jacobian.T
        w = self.jacobian @ moves
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

    def _joined(self, name: str) -> FloatArray:
        first = None
        if self.contacts is not None:
            own = self.contacts
            first = own.touching.gap if name == "gap" else getattr(own, name)
        second = None if self.joints is None else getattr(self.joints, name)
        parts = [part for part in (first, second) if part is not None]
        return np.concatenate(parts) if len(parts) != 1 else parts[0]
