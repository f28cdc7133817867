"""Where bodies have touched along a motion, and how hard: what time stepping leaves behind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import BoolArray, FloatArray
from ..dynamics.model import IntArray
from ..errors import TrajectoryError


@dataclass(frozen=True, eq=False, repr=False)
class Touches:
    """All contacts of a motion by time stepping: n of them, in order of time.

    An impulse acts at the end of one step and the start of the next; as a force it is spread from
    the middle of the one to the middle of the other.

    Attributes:
        colliders: (c,), their names.
        edges: (m + 1,), s: kick j acts from edges[j] to edges[j + 1].
        kick: (n,), that of each contact.
        times: (n,), s, of the kicks.
        first, second: (n,), indices of the two colliders of each.
        point: (n, 3), world, m; normal: (n, 3), world, from the second to the first.
        gap: (n,), m, at that time, negative inside; what is positive there is touched in the step
            that follows.
        impulse: (n, 3), world, N s, on the first; the second is given the opposite.
        push: (m, nv), N s and N m s, what contacts and limits of joints give to the velocities in
            each kick.
        residual: m/s, the worst of all steps; unconverged: how many steps have missed the
            tolerance of the solve for impulses.
        lifted: J, the energy given by taking back penetration, beyond what contacts have taken at
            the same instants.
    """

    colliders: tuple[str, ...]
    edges: FloatArray
    kick: IntArray
    times: FloatArray
    first: IntArray
    second: IntArray
    point: FloatArray
    normal: FloatArray
    gap: FloatArray
    impulse: FloatArray
    push: FloatArray
    residual: float = 0.0
    unconverged: int = 0
    lifted: float = 0.0

    def __len__(self) -> int:
        return len(self.kick)

    def __repr__(self) -> str:
        return (
            f"<Touches: {len(self)} in {self.steps} steps, deepest {self.deepest:.3g} m, worst "
            f"residual {self.residual:.3g} m/s, {self.unconverged} steps not converged>"
        )

    @property
    def steps(self) -> int:
        """How many steps there were."""
        return max(len(self.edges) - 2, 0)

    @property
    def deepest(self) -> float:
        """m: how deep colliders were in each other at most, 0 if never."""
        return float(0.0 - self.gap.min(initial=0.0))

    def depth(self, since: float) -> float:
        """m: the same from a time on, s."""
        return float(0.0 - self.gap[self.times >= since].min(initial=0.0))

    def of(self, first: str, second: str | None = None) -> BoolArray:
        """Which contacts (n,) are those of a collider, or of two with each other.

        Raises:
            TrajectoryError: for an unknown collider, listing those that exist.
        """
        one = self._index(first)
        out: BoolArray = (self.first == one) | (self.second == one)
        if second is not None:
            other = self._index(second)
            out &= (self.first == other) | (self.second == other)
        return out

    def force(self, collider: str, t: ArrayLike, other: str | None = None) -> FloatArray:
        """The sum of the contact forces (…, 3) on a collider at times t (…), s; world, N.

        Args:
            other: of which collider, all if none.

        Raises:
            TrajectoryError: for an unknown collider, listing those that exist.
        """
        when = np.asarray(t, dtype=np.float64)
        if len(self.edges) < 2:
            return np.zeros((*when.shape, 3))
        own = self.of(collider, other)
        sign = np.where(self.first[own] == self._index(collider), 1.0, -1.0)
        sums = np.zeros((len(self.edges) - 1, 3))
        np.add.at(sums, self.kick[own], sign[:, None] * self.impulse[own])
        return self._over_time(sums, when)

    def joint_forces(self, t: ArrayLike) -> FloatArray:
        """The generalised forces (…, nv) of contacts and limits at times t (…), N m and N."""
        when = np.asarray(t, dtype=np.float64)
        if not len(self.push):
            return np.zeros((*when.shape, self.push.shape[1]))
        return self._over_time(self.push, when)

    def _over_time(self, impulses: FloatArray, when: FloatArray) -> FloatArray:
        """Impulses (m, n) of the kicks as forces (…, n) at times (…)."""
        kick = np.clip(np.searchsorted(self.edges, when, side="right") - 1, 0, len(impulses) - 1)
        out: FloatArray = impulses[kick] / np.diff(self.edges)[kick][..., None]
        return out

    def _index(self, name: str) -> int:
        if name not in self.colliders:
            raise TrajectoryError(
                f"no collider '{name}'; there are: {', '.join(self.colliders) or 'none'}"
            )
        return self.colliders.index(name)
