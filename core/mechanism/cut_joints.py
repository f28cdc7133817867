"""Coordinates, velocities and accelerations of cut joints, out of the motion of their frames.

With everything seen from the joint's frame in frame_a, in its axes:

    r = p_b - p_a,   v = v_b - v_a - omega_a x r,   w = omega_b - omega_a
    a = a_b - a_a - alpha_a x r - omega_a x (omega_a x r) - 2 omega_a x v
    g = alpha_b - alpha_a - omega_a x w

An angle about u with n1, n2 across it is atan2(n2 . R n1 - n1 . R n2, n1 . R n1 + n2 . R n2). How
many turns it has made is not in the poses of one instant; see `windings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..frames import minimal_rotation, quaternion_from_rotation
from ..tree import JointType, planar_axes
from .component import JointEdge, Space

if TYPE_CHECKING:
    from .snapshot import Snapshot

TURN = 2.0 * np.pi
# which of a joint's coordinates are angles
ANGLES: Mapping[JointType, tuple[int, ...]] = {
    "revolute": (0,),
    "continuous": (0,),
    "cylindrical": (0,),
    "universal": (0, 1),
    "planar": (2,),
}


class Relative(NamedTuple):
    """Of frame_b against the joint's frame in frame_a: R (…, 3, 3), the others (…, 3)."""

    rotation: FloatArray
    r: FloatArray
    v: FloatArray
    w: FloatArray


@dataclass(frozen=True, eq=False)
class CutJoint:
    """A joint that closes a loop and has no coordinates in the tree."""

    edge: JointEdge
    space: Space

    @property
    def angles(self) -> tuple[int, ...]:
        """Which of its coordinates are angles that count turns."""
        return ANGLES.get(self.edge.joint.type, ())

    @property
    def quaternion(self) -> slice | None:
        """Where its coordinates have a quaternion, which may change its sign."""
        return {"spherical": slice(0, 4), "floating": slice(3, 7)}.get(self.edge.joint.type)

    def coordinates(self, at: Snapshot) -> FloatArray:
        """q (…, nq), angles up to whole turns and quaternions up to their sign."""
        joint, seen = self.edge.joint, self._relative(at)
        kind = joint.type
        if self.space == "planar" and kind != "prismatic":
            assert self.edge.frame_a is not None
            phi = (at.angle(self.edge.frame_b) - at.angle(self.edge.frame_a))[..., None]
            return phi if joint.nq == 1 else np.concatenate((seen.r[..., :2], phi), axis=-1)
        if kind == "prismatic":
            return _along(seen.r, joint.axis)
        if kind == "universal":
            return self._universal(seen.rotation)
        if kind in ("spherical", "floating"):
            turn = quaternion_from_rotation(seen.rotation)
            return turn if kind == "spherical" else np.concatenate((seen.r, turn), axis=-1)
        phi = _angle(seen.rotation, joint.axis)[..., None]
        if kind == "screw":  # the slide tells the turns
            slid = _along(seen.r, joint.axis) / joint.pitch
            turned: FloatArray = phi + TURN * np.round((slid - phi) / TURN)
            return turned
        if kind == "cylindrical":
            return np.concatenate((phi, _along(seen.r, joint.axis)), axis=-1)
        if kind == "planar":
            return np.concatenate((seen.r @ planar_axes(joint.axis).T, phi), axis=-1)
        return phi

    def velocities(self, at: Snapshot) -> FloatArray:
        """v (…, nv)."""
        seen = self._relative(at)
        return self._rates(seen, seen.w, seen.v)

    def accelerations(self, at: Snapshot) -> FloatArray:
        """The rates of v (…, nv)."""
        seen, kind = self._relative(at), self.edge.joint.type
        turning, moving = self._gains(at, seen)
        if kind == "universal":
            first, second = self._axes(seen.rotation)
            rates = self._rates(seen, seen.w, seen.v)
            swing = np.cross(first, second) * (rates[..., :1] * rates[..., 1:])
            return _parts(first, second, turning - swing)
        out = self._rates(seen, turning, moving)
        if kind == "floating":  # the rates of components in axes that turn
            rates = self._rates(seen, seen.w, seen.v)
            out[..., 3:] -= np.cross(rates[..., :3], rates[..., 3:])
        return out

    def _rates(self, seen: Relative, turning: FloatArray, moving: FloatArray) -> FloatArray:
        """What velocities (or their rates) are of w and v (or their rates)."""
        joint, kind = self.edge.joint, self.edge.joint.type
        axis = joint.axis
        if kind == "prismatic":
            return _along(moving, axis)
        if kind == "cylindrical":
            return np.concatenate((_along(turning, axis), _along(moving, axis)), axis=-1)
        if kind == "planar":
            slides = moving @ planar_axes(axis).T
            return np.concatenate((slides, _along(turning, axis)), axis=-1)
        if kind == "universal":
            return _parts(*self._axes(seen.rotation), turning)
        if kind in ("spherical", "floating"):
            back = seen.rotation.swapaxes(-1, -2)
            turn = (back @ turning[..., None])[..., 0]
            if kind == "spherical":
                return turn
            return np.concatenate((turn, (back @ moving[..., None])[..., 0]), axis=-1)
        return _along(turning, axis)

    def _relative(self, at: Snapshot) -> Relative:
        """Positions and velocities."""
        edge, pose = self.edge, self.edge.joint.parent_from_joint
        assert edge.frame_a is not None
        point = pose[:3, 3]
        turn = at.rotation(edge.frame_a) @ pose[:3, :3]
        back = turn.swapaxes(-1, -2)
        apart = at.position(edge.frame_b) - at.position(edge.frame_a, point)
        omega = at.angular_velocity(edge.frame_a)
        moving = at.velocity(edge.frame_b) - at.velocity(edge.frame_a, point)
        moving = moving - np.cross(omega, apart)
        turning = at.angular_velocity(edge.frame_b) - omega
        vectors = np.stack((apart, moving, turning), axis=-1)
        seen = back @ vectors
        rotation = back @ at.rotation(edge.frame_b)
        return Relative(rotation, seen[..., 0], seen[..., 1], seen[..., 2])

    def _gains(self, at: Snapshot, seen: Relative) -> tuple[FloatArray, FloatArray]:
        """The rates of w and v (…, 3)."""
        edge, pose = self.edge, self.edge.joint.parent_from_joint
        assert edge.frame_a is not None
        turn = at.rotation(edge.frame_a) @ pose[:3, :3]
        omega, alpha, apart = (
            (turn.swapaxes(-1, -2) @ vector[..., None])[..., 0]
            for vector in (
                at.angular_velocity(edge.frame_a),
                at.angular_acceleration(edge.frame_a),
                at.acceleration(edge.frame_b) - at.acceleration(edge.frame_a, pose[:3, 3]),
            )
        )
        gain = at.angular_acceleration(edge.frame_b) - at.angular_acceleration(edge.frame_a)
        turning = (turn.swapaxes(-1, -2) @ gain[..., None])[..., 0] - np.cross(omega, seen.w)
        moving = apart - np.cross(alpha, seen.r) - np.cross(omega, np.cross(omega, seen.r))
        return turning, moving - 2.0 * np.cross(omega, seen.v)

    def _axes(self, rotation: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Both axes of a universal joint (…, 3), in the joint's frame in frame_a."""
        joint = self.edge.joint
        assert joint.second_axis is not None
        return joint.axis, rotation @ joint.second_axis

    def _universal(self, rotation: FloatArray) -> FloatArray:
        """Both angles (…, 2) of R = R(n_a, phi_a) R(n_b, phi_b), n_a and n_b at right angles."""
        first, second = self.edge.joint.axis, self.edge.joint.second_axis
        assert second is not None
        across = np.cross(first, second)
        turned = rotation @ second
        back = rotation.swapaxes(-1, -2) @ first
        return np.stack(
            (
                np.arctan2(turned @ across, turned @ second),
                np.arctan2(back @ across, back @ first),
            ),
            axis=-1,
        )


def _along(vectors: FloatArray, axis: FloatArray) -> FloatArray:
    """(…, 1): axis . vector."""
    return (vectors @ axis)[..., None]


def _angle(rotation: FloatArray, axis: FloatArray) -> FloatArray:
    """The angle (…) about a unit axis, rad."""
    first, second = minimal_rotation((0.0, 0.0, 1.0), axis)[:, :2].T
    one, two = rotation @ first, rotation @ second
    out: FloatArray = np.arctan2(one @ second - two @ first, one @ first + two @ second)
    return out


def _parts(first: FloatArray, second: FloatArray, vector: FloatArray) -> FloatArray:
    """The parts (…, 2) of a vector along two unit directions at right angles to each other."""
    return np.stack(((vector * first).sum(axis=-1), (vector * second).sum(axis=-1)), axis=-1)
