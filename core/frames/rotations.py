"""Rotation matrices: from an axis and an angle, from URDF rpy, and between two directions."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats

OPPOSITE = 1e-12  # |a + b| of unit vectors below which no axis is told apart
GIMBAL_COSINE = 1e-9  # |cos(pitch)| below which roll and yaw are one angle


def cross_matrix(vector: ArrayLike) -> FloatArray:
    """The matrix [v]x with [v]x w = v x w.

    Args:
        vector: (…, 3).

    Returns:
        (…, 3, 3), skew-symmetric.
    """
    v = as_floats(vector, (3,), "vector")
    out = np.zeros((*v.shape, 3))
    out[..., 0, 1], out[..., 0, 2] = -v[..., 2], v[..., 1]
    out[..., 1, 0], out[..., 1, 2] = v[..., 2], -v[..., 0]
    out[..., 2, 0], out[..., 2, 1] = -v[..., 1], v[..., 0]
    return out


def rotation_from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> FloatArray:
    """The active rotation by `angle` about the unit vector `axis` (Rodrigues).

        R = 1 + sin(angle) [a]x + (1 - cos(angle)) [a]x [a]x

    Args:
        axis: (…, 3), unit length.
        angle: (…), rad.

    Returns:
        (…, 3, 3).
    """
    skew = cross_matrix(axis)
    turn = np.asarray(angle, dtype=np.float64)[..., None, None]
    rotation: FloatArray = np.eye(3) + np.sin(turn) * skew + (1.0 - np.cos(turn)) * (skew @ skew)
    return rotation


def rotation_from_rpy(rpy: ArrayLike) -> FloatArray:
    """URDF's roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll).

    Args:
        rpy: (…, 3), rad.

    Returns:
        (…, 3, 3), parent_from_child_rot.

    Source: URDF specification, element <origin>.
    """
    angles = as_floats(rpy, (3,), "rpy")
    sr, sp, sy = np.moveaxis(np.sin(angles), -1, 0)
    cr, cp, cy = np.moveaxis(np.cos(angles), -1, 0)
    rows = (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def rpy_from_rotation(rotation: ArrayLike) -> FloatArray:
    """The inverse of `rotation_from_rpy`; pitch in [-pi/2, pi/2], and roll 0 at gimbal lock.

    Args:
        rotation: (…, 3, 3).

    Returns:
        (…, 3), rad.
    """
    r = as_floats(rotation, (3, 3), "rotation")
    cos_pitch = np.hypot(r[..., 0, 0], r[..., 1, 0])
    locked = cos_pitch < GIMBAL_COSINE
    pitch = np.arctan2(-r[..., 2, 0], cos_pitch)
    roll = np.where(locked, 0.0, np.arctan2(r[..., 2, 1], r[..., 2, 2]))
    yaw = np.where(
        locked,
        np.arctan2(-r[..., 0, 1], r[..., 1, 1]),
        np.arctan2(r[..., 1, 0], r[..., 0, 0]),
    )
    return np.stack((roll, pitch, yaw), axis=-1)


def minimal_rotation(start: ArrayLike, end: ArrayLike) -> FloatArray:
    """The smallest rotation that takes the unit vector `start` to the unit vector `end`.

        R = (2 m m^T - 1) (2 a a^T - 1),   a = start, m halfway between start and end

    Opposite vectors are turned by pi about an axis perpendicular to both.

    Args:
        start, end: (3,), unit length.

    Returns:
        (3, 3).
    """
    a, b = as_floats(start, (3,), "start"), as_floats(end, (3,), "end")
    length = np.linalg.norm(a + b)
    if length < OPPOSITE:
        across = np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
        axis = across / np.linalg.norm(across)
        return 2.0 * np.outer(axis, axis) - np.eye(3)
    middle = (a + b) / length
    return (2.0 * np.outer(middle, middle) - np.eye(3)) @ (2.0 * np.outer(a, a) - np.eye(3))
