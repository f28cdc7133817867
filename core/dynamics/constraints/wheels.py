"""Wheels that roll on a plane without slipping: one contact, two nonholonomic rows.

A wheel is a thin disc of radius r with centre c and axis a, on a plane with normal n through p0:

    k = sqrt(1 - (n . a)^2),   u = (n - (n . a) a) / k,   contact p = c - r u
    contact     g  = n . (c - p0) - r k                                     m
    rolling     g' = t1 . (velocity of the wheel against the plane at p)    m/s, t1 = a x n / k
    side        g' = t2 . (the same),  t2 = n x t1

The last two are rows at velocity level: where the wheel goes depends on the way it took.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray, as_floats
from ...errors import ModelError
from ..model import IntArray, Model
from ..spatial import CROSS, TWIST_ENTRIES
from .constraint import Constraint
from .frame_terms import Terms
from .port import Port

FLAT = 1e-8  # k of a wheel that lies on its side


@dataclass(frozen=True, eq=False, kw_only=True)
class RollingWheel(Constraint):
    """A thin disc that rolls on a plane without slipping: 3 rows.

    Attributes:
        wheel: its centre; axis: (3,) in that port, made a unit vector.
        radius: m.
        plane: a port whose origin lies in the plane, on the world if none is given; normal: (3,)
            in that port, made a unit vector, to the side where the wheel is.
        touches: whether the row that keeps it on the plane is there; without it the tree's joints
            must.
        grips_sideways: whether it does not slip sideways either.
    """

    wheel: Port
    radius: float
    axis: ArrayLike = (0.0, 0.0, 1.0)
    plane: Port = field(default_factory=lambda: Port(None))
    normal: ArrayLike = (0.0, 0.0, 1.0)
    touches: bool = True
    grips_sideways: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.number(self.radius, "radius", positive=True)
        object.__setattr__(self, "axis", self.unit(self.axis, "axis"))
        object.__setattr__(self, "normal", self.unit(self.normal, "normal"))


class WheelTerms:
    """Contact, rolling and side of all wheels, in that order for each.

    With d = n, t1, t2 and the twist V and its rate A of the wheel against the plane,

        w = (p x d, d),   g'' = w . A + (p' x d + p x d', d') . V
    """

    def __init__(self, model: Model, constraints: Sequence[RollingWheel]) -> None:
        wheels = [own.wheel.place(model) for own in constraints]
        planes = [own.plane.place(model) for own in constraints]
        self._frame_a: IntArray = np.array([frame for frame, _ in planes], dtype=np.intp)
        self._frame_b: IntArray = np.array([frame for frame, _ in wheels], dtype=np.intp)
        self.frame_a, self.frame_b = np.repeat(self._frame_a, 3), np.repeat(self._frame_b, 3)
        self._center = np.array([pose[:, 3:] for _, pose in wheels])
        self._point = np.array([pose[:, 3:] for _, pose in planes])
        axes = [as_floats(own.axis, (3,), "axis") for own in constraints]
        normals = [as_floats(own.normal, (3,), "normal") for own in constraints]
        pairs = zip(wheels, axes, strict=True)
        self._axis = np.array([pose[:3, :3] @ axis for (_, pose), axis in pairs])[..., None]
        pairs = zip(planes, normals, strict=True)
        self._normal = np.array([pose[:3, :3] @ n for (_, pose), n in pairs])[..., None]
        self._radius = np.array([own.radius for own in constraints])
        self._labels = [own.label for own in constraints]

    def terms(self, poses: FloatArray) -> Terms:
        """See `FrameTerms.terms`.

        Raises:
            ModelError: for a wheel that lies on its side.
        """
        pose_p, pose_w = poses.take(self._frame_a, axis=-3), poses.take(self._frame_b, axis=-3)
        center = (pose_w @ self._center)[..., :3, 0]
        axis = (pose_w[..., :3, :3] @ self._axis)[..., 0]
        normal = (pose_p[..., :3, :3] @ self._normal)[..., 0]
        above = center - (pose_p @ self._point)[..., :3, 0]
        lean = (normal * axis).sum(axis=-1)
        upright = np.sqrt(np.maximum(1.0 - lean * lean, 0.0))
        if (upright < FLAT).any():
            wheel = int(np.argmin(upright.reshape(-1, len(self._labels)).min(axis=0)))
            raise ModelError(f"{self._labels[wheel]}: the wheel lies on its side and cannot roll")
        up = (normal - lean[..., None] * axis) / upright[..., None]
        contact = center - self._radius[:, None] * up
        heading = _cross(axis, normal) / upright[..., None]
        directions = np.stack((normal, heading, _cross(normal, heading)), axis=-2)
        wrench = np.empty((*directions.shape[:-1], 6))
        wrench[..., :3] = _cross(contact[..., None, :], directions)
        wrench[..., 3:] = directions
        residual = np.zeros(directions.shape[:-1])
        residual[..., 0] = (normal * above).sum(axis=-1) - self._radius * upright
        shape = poses.shape[:-3]
        kept = (center, axis, lean, upright, up, contact, directions)
        return Terms(residual.reshape(*shape, -1), wrench.reshape(*shape, -1, 6), kept)

    def bend(self, terms: Terms, hats: FloatArray, seconds: FloatArray) -> FloatArray:
        """See `FrameTerms.bend`."""
        center, axis, lean, upright, up, contact, directions = terms.kept
        v_p, a_p = _twists(hats, seconds, self._frame_a)
        v_w, a_w = _twists(hats, seconds, self._frame_b)
        normal, heading = directions[..., 0, :], directions[..., 1, :]
        # rates of n, a, n . a, k, u, and of the contact point
        normal_rate, axis_rate = _cross(v_p[..., :3], normal), _cross(v_w[..., :3], axis)
        lean_rate = (normal_rate * axis + normal * axis_rate).sum(axis=-1)
        upright_rate = -lean * lean_rate / upright
        k, k_rate = upright[..., None], upright_rate[..., None]
        up_rate = normal_rate - lean_rate[..., None] * axis - lean[..., None] * axis_rate
        up_rate = (up_rate - k_rate * up) / k
        center_rate = v_w[..., 3:] + _cross(v_w[..., :3], center)
        contact_rate = center_rate - self._radius[:, None] * up_rate
        # rates of the directions
        heading_rate = _cross(axis_rate, normal) + _cross(axis, normal_rate) - k_rate * heading
        heading_rate = heading_rate / k
        side_rate = _cross(normal_rate, heading) + _cross(normal, heading_rate)
        rates = np.stack((normal_rate, heading_rate, side_rate), axis=-2)
        torque = _cross(contact_rate[..., None, :], directions)
        torque = torque + _cross(contact[..., None, :], rates)
        apart, gain = (v_w - v_p)[..., None, :], (a_w - a_p)[..., None, :]
        bend = (torque * apart[..., :3] + rates * apart[..., 3:]).sum(axis=-1)
        wrench = terms.wrench.reshape(*bend.shape, 6)
        bend = bend + (wrench * gain).sum(axis=-1)
        return np.asarray(bend.reshape(*hats.shape[:-3], -1), dtype=np.float64)


def _twists(
    hats: FloatArray, seconds: FloatArray, frames: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Twists and their rates (…, n, 6) of some frames: [A]^ = X'' X^-1 - [V]^ [V]^."""
    hat = hats.take(frames, axis=-3)
    gain = seconds.take(frames, axis=-3) - hat @ hat
    flat = np.stack((hat, gain)).reshape(2, *hat.shape[:-2], 16)
    both = flat.take(TWIST_ENTRIES, axis=-1)
    return both[0], both[1]


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    matrix = (a @ CROSS).reshape(*a.shape, 3)
    out: FloatArray = (matrix @ b[..., None])[..., 0]
    return out
