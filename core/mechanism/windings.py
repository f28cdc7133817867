"""Whole turns and signs of cut joints, followed along a motion.

Poses tell angles up to whole turns, and quaternions up to their sign. Both are followed from the
start on, in strides in which the joint turns by STRIDE at most as its velocities at both ends of
the scheme's steps tell, so that the nearest of the values that the pose allows is the next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ..arrays import FloatArray
from .component import JointEdge
from .cut_joints import CutJoint

STRIDE = 0.5  # rad
TURN = 2.0 * np.pi
# q (n, nq) and v (n, nv) of a cut joint at times (n,), as its poses tell them
Raw = Callable[[CutJoint, FloatArray], tuple[FloatArray, FloatArray]]


@dataclass(frozen=True, eq=False)
class Windings:
    """Of all cut joints of a motion.

    Attributes:
        knots: (n,), s, where the steps of the scheme end.
        raw: what poses tell.
    """

    knots: FloatArray
    raw: Raw
    _known: dict[JointEdge, tuple[FloatArray, FloatArray]] = field(default_factory=dict)

    def follow(self, joint: CutJoint, t: FloatArray, q: FloatArray) -> FloatArray:
        """q (…, nq) at times t (…) with the turns and signs of the motion.

        The start has angles from -pi to pi, and quaternions with w >= 0.
        """
        angles, turn = list(joint.angles), joint.quaternion
        if not angles and turn is None:
            return q
        if joint.edge not in self._known:
            self._known[joint.edge] = self._followed(joint)
        times, values = self._known[joint.edge]
        out = q.copy()
        for index in angles:
            near = np.interp(t, times, values[:, index])
            out[..., index] += TURN * np.round((near - q[..., index]) / TURN)
        if turn is not None:
            place = np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 1)
            same = (values[place][..., turn] * q[..., turn]).sum(axis=-1) >= 0.0
            out[..., turn] *= np.where(same, 1.0, -1.0)[..., None]
        return out

    def _followed(self, joint: CutJoint) -> tuple[FloatArray, FloatArray]:
        """Times (n,) and q (n, nq) there."""
        times = self._times(joint)
        q, v = self.raw(joint, times)
        values = q.copy()
        for index in joint.angles:
            rate = v[:, index]
            foretold = np.concatenate(([0.0], np.diff(times) * 0.5 * (rate[1:] + rate[:-1])))
            jumps = np.diff(q[:, index], prepend=q[:1, index]) - foretold
            first = TURN * np.round(q[0, index] / TURN)
            values[:, index] -= first + TURN * np.cumsum(np.round(jumps / TURN))
        turn = joint.quaternion
        if turn is not None:
            along = (q[1:, turn] * q[:-1, turn]).sum(axis=-1)
            signs = np.cumprod(np.where(along >= 0.0, 1.0, -1.0))
            values[1:, turn] *= signs[:, None]
        return times, values

    def _times(self, joint: CutJoint) -> FloatArray:
        """(n,): the knots, and more between them where the joint turns far."""
        knots = np.unique(self.knots)
        _, v = self.raw(joint, knots)
        # slides count as turns, which does no harm
        speed = np.abs(v).max(axis=-1, initial=0.0)
        turns = np.diff(knots) * np.maximum(speed[1:], speed[:-1]) / STRIDE
        counts = np.maximum(np.ceil(turns), 1.0).astype(np.intp)
        parts = [
            np.linspace(start, end, count, endpoint=False)
            for start, end, count in zip(knots[:-1], knots[1:], counts, strict=True)
        ]
        return np.concatenate([*parts, knots[-1:]])
