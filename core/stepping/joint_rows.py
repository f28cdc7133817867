"""Rows of joints in the solve for impulses: limits, dry friction, and servos at their limits.

A joint at its limit is a contact without friction: its gap is x - lower or upper - x. Dry friction
is an impulse |p| <= h c that holds the joint still where it can. A servo that may reach its largest
force f_max is an impulse |s| <= h f_max with a compliance: with the slopes D and K of its force

    s = h (f - D (v+ - v) - K h v+)   <=>   v+ + s / c - h (f + D v) / c = 0,   c = h (D + h K)

within its bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from ..dynamics import Model
from ..dynamics.contact.contact import JointLimit, joint_limits
from ..dynamics.kinematics import coordinates
from ..dynamics.model import IntArray
from ..errors import ModelError
from .forces import Limited
from .settings import TOLD_DEPTH

NEAR = 2.0  # steps: limits that no joint of the speeds of now could reach in them do not count,
SLACK = 1e-3  # rad or m: but for those that are so near


@dataclass(frozen=True, eq=False)
class JointRows:
    """r scalar rows.

    jacobian (r, nv); gap (r,), nan of rows that are no limits; restitution (r,); lower and upper
    (r,), bounds of the impulses, N s or N m s; compliance (r,); shift (r,), which is added to the
    rows' speeds; keys (r,), by which they are known again.
    """

    jacobian: FloatArray
    gap: FloatArray
    restitution: FloatArray
    lower: FloatArray
    upper: FloatArray
    compliance: FloatArray
    shift: FloatArray
    keys: IntArray

    def __len__(self) -> int:
        return len(self.keys)

    @classmethod
    def joined(cls, parts: Sequence[JointRows]) -> JointRows | None:
        """All rows of the parts, in order; None where there are none."""
        parts = [part for part in parts if len(part)]
        if len(parts) < 2:
            return parts[0] if parts else None
        names = (
            *("jacobian", "gap", "restitution", "lower", "upper", "compliance", "shift", "keys"),
        )
        return cls(*(np.concatenate([getattr(own, name) for own in parts]) for name in names))


class Limits:
    """The limits of joints as contacts.

    Args:
        stops: those that act; all of the model if None.
        driven: entries of v that are prescribed: limits of what only these move do not act.

    Raises:
        ModelError: for a joint without limits.
    """

    def __init__(
        self, model: Model, stops: Sequence[JointLimit] | None, driven: Sequence[int] = ()
    ) -> None:
        self._model = model
        own = joint_limits(model) if stops is None else tuple(stops)
        rows: list[tuple[int, float, float, float]] = []
        for stop in own:
            rows += _bounds(model, stop)
        if len(driven):
            moved = np.delete(scalar_rows(model), driven, axis=1).any(axis=1)
            rows = [row for row in rows if moved[row[0]]]
        self._joints = [model.dof_joint[int(model.scalar_dof[row[0]])] for row in rows]
        scalars = np.array([row[0] for row in rows], dtype=np.intp)
        self._scalars, self._sign = scalars, np.array([row[1] for row in rows])
        self._bound, self._e = (
            np.array([row[2] for row in rows]),
            np.array([row[3] for row in rows]),
        )
        self._jacobian = np.zeros((len(rows), model.nv))
        if rows:
            self._jacobian[:] = self._sign[:, None] * scalar_rows(model)[scalars]

        self._gain = float(np.abs(self._jacobian).sum(axis=1).max(initial=0.0))

    def __len__(self) -> int:
        return len(self._scalars)

    def beyond(self, q: FloatArray) -> list[str]:
        """Tell which joints start beyond their limits at q (nq,), and are moved back."""
        told, model = [], self._model
        x = coordinates(model, q)[self._scalars]
        for row in np.flatnonzero(self._sign * (x - self._bound) < -TOLD_DEPTH):
            joint, frame = self._joints[row], self._scalars[row]
            unit = "m" if model.joint_type(joint) == "prismatic" else "rad"
            told.append(
                f"joint '{joint}' starts at {x[row]:.6g} {unit}, beyond its limits "
                f"{model.lower[frame]:.6g} to {model.upper[frame]:.6g} {unit}, and is moved back"
            )
        return told

    def at(self, q: FloatArray, v: FloatArray, free: FloatArray, h: float) -> JointRows | None:
        """The limits that a step of h seconds from q (nq,) at about v or free (nv,) may reach."""
        gap = self._sign * (coordinates(self._model, q)[self._scalars] - self._bound)
        # the fastest speed may be handed on by an impact
        fastest = self._gain * max(float(np.abs(v).max()), float(np.abs(free).max()))
        reach = SLACK + NEAR * h * fastest
        if gap.min() > reach:
            return None
        near = np.flatnonzero(gap <= reach)
        none = np.zeros(len(near))
        return JointRows(
            self._jacobian[near],
            gap[near],
            self._e[near],
            none,
            np.full(len(near), np.inf),
            none,
            none,
            -1 - near,
        )


class DryFriction:
    """The dry friction of joints, c (ns,) of the scalar frames."""

    def __init__(self, model: Model, friction: FloatArray) -> None:
        own = np.flatnonzero(friction)
        self._most, self._jacobian = friction[own], scalar_rows(model)[own]
        self._keys = -1 - 4 * len(friction) - own

    def over(self, h: float) -> JointRows:
        """The rows of a step of h seconds."""
        most = h * self._most
        none = np.zeros(len(most))
        return JointRows(self._jacobian, none + np.nan, none, -most, most, none, none, self._keys)


def servo_rows(own: Limited, joints: IntArray, v: FloatArray, h: float, drift: float) -> JointRows:
    """The rows of servos that may reach their limits.

    Args:
        own: what they exert; joints: (r,), the velocities that they act on.
        v: (nv,) at the start of the step; h: s, its length; drift: s, how long q moves with v+.
    """
    slope = h * (own.damping[joints] + drift * own.stiffness[joints])
    push = h * (own.force[joints] + own.damping[joints] * v[joints])
    none, most = np.zeros(len(joints)), h * own.effort[joints]
    jacobian = np.zeros((len(joints), len(v)))
    jacobian[np.arange(len(joints)), joints] = 1.0
    return JointRows(
        jacobian,
        none + np.nan,
        none,
        -most,
        most,
        1.0 / slope,
        -push / slope,
        -1 - 8 * len(v) - joints,
    )


def scalar_rows(model: Model) -> FloatArray:
    """(ns, nv): the rates of the scalar frames from v."""
    if model.dof_from_v is not None:
        out: FloatArray = model.dof_from_v[model.scalar_dof]
        return out
    out = np.zeros((len(model.scalar_velocity), model.nv))
    out[np.arange(len(out)), model.scalar_velocity] = 1.0
    return out


def _bounds(model: Model, stop: JointLimit) -> list[tuple[int, float, float, float]]:
    """Scalar frame, sign, bound and restitution of the limits of a joint."""
    frames = [
        index
        for index, dof in enumerate(model.scalar_dof)
        if model.dof_joint[int(dof)] == stop.joint
    ]
    out: list[tuple[int, float, float, float]] = []
    if len(frames) == 1:
        for sign, bound in ((1.0, model.lower[frames[0]]), (-1.0, model.upper[frames[0]])):
            if np.isfinite(bound):
                out.append((frames[0], sign, float(bound), float(stop.restitution)))
    if not out:
        raise ModelError(
            f"{model.name}: {stop.label}: wanted a joint of one coordinate that has limits"
        )
    return out
