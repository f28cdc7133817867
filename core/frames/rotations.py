"""Rotation matrices: from axes, angles and rotation vectors and back, and between directions."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_finite
from .checks import as_unit_vectors
from .packing import common_lead, packed_axis_angle
from .representations import converted

# |a + b| of unit vectors, without its part along a - b, below which it is their rounding alone
OPPOSITE = 4.0 * float(np.finfo(np.float64).eps)


def cross_matrix(vector: ArrayLike) -> FloatArray:
    """The matrix [v]x with [v]x w = v x w.

    Args:
        vector: (…, 3).

    Returns:
        (…, 3, 3), skew-symmetric.

    Raises:
        ArgumentError: for a wrong shape or NaN.
    """
    v = as_finite(vector, (3,), "vector")
    out = np.zeros((*v.shape, 3))
    out[..., 0, 1], out[..., 0, 2] = -v[..., 2], v[..., 1]
    out[..., 1, 0], out[..., 1, 2] = v[..., 2], -v[..., 0]
    out[..., 2, 0], out[..., 2, 1] = -v[..., 1], v[..., 0]
    return out


def rotation_from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> FloatArray:
    """The active rotation by `angle` about `axis` (Rodrigues).

        R = 1 + sin(angle) [a]x + (1 - cos(angle)) [a]x [a]x,   a = axis / |axis|

    Args:
        axis: (…, 3), of any length but 0, the same in a and b.
        angle: (…), rad.

    Returns:
        (…, 3, 3): a_from_b_rot.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a zero axis.
    """
    return converted(packed_axis_angle(axis, angle), "axis_angle", "matrix", "axis and angle")


def axis_angle_from_rotation(rotation: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """The axis and the angle of a rotation; of the identity (1, 0, 0) and 0.

    Args:
        rotation: (…, 3, 3).

    Returns:
        The axis (…, 3), unit length, and the angle (…), rad, from 0 to pi. At pi either of the
        two axes is right.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a matrix that is no rotation.
    """
    both = converted(rotation, "matrix", "axis_angle", "rotation")
    return both[..., :3].copy(), both[..., 3].copy()


def rotation_axis(rotation: ArrayLike) -> FloatArray:
    """The unit axis (…, 3) of a rotation (…, 3, 3); of the identity (1, 0, 0).

    Raises:
        ArgumentError: for a wrong shape, NaN, or a matrix that is no rotation.
    """
    return axis_angle_from_rotation(rotation)[0]


def rotation_angle(rotation: ArrayLike) -> FloatArray:
    """The angle (…), rad, from 0 to pi, of a rotation (…, 3, 3).

    Raises:
        ArgumentError: for a wrong shape, NaN, or a matrix that is no rotation.
    """
    return axis_angle_from_rotation(rotation)[1]


def rotation_from_rotation_vector(vector: ArrayLike) -> FloatArray:
    """The exponential: the rotation by |v| about v.

        R = exp([v]x)

    Args:
        vector: (…, 3), rad: axis times angle, of any length; 0 gives the identity.

    Returns:
        (…, 3, 3): a_from_b_rot, with v the same in a and b.

    Raises:
        ArgumentError: for a wrong shape or NaN.
    """
    return converted(vector, "rotation_vector", "matrix", "vector")


def rotation_vector_from_rotation(rotation: ArrayLike) -> FloatArray:
    """The logarithm: axis times angle of a rotation, accurate near 0 and near pi.

        [v]x = log R,   |v| <= pi

    Args:
        rotation: (…, 3, 3).

    Returns:
        (…, 3), rad. At |v| = pi either of v and -v is right.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a matrix that is no rotation.
    """
    return converted(rotation, "matrix", "rotation_vector", "rotation")


def minimal_rotation(start: ArrayLike, end: ArrayLike) -> FloatArray:
    """The smallest rotation that takes the direction `start` to the direction `end`.

        R = (2 m m^T - 1) (2 a a^T - 1),   a = start, m halfway between start and end

    R a = b to rounding, however near to opposite the two are; opposite directions are turned by
    pi about an axis perpendicular to both.

    Args:
        start, end: (…, 3), of any length but 0.

    Returns:
        (…, 3, 3).

    Raises:
        ArgumentError: for a wrong shape, NaN, or a zero vector.
    """
    a, b = as_unit_vectors(start, "start"), as_unit_vectors(end, "end")
    lead = common_lead(start=a.shape[:-1], end=b.shape[:-1])
    a, b = np.broadcast_to(a, (*lead, 3)), np.broadcast_to(b, (*lead, 3))
    result: FloatArray = _half_turn(_middle(a, b)) @ _half_turn(a)
    return result


def _middle(a: FloatArray, b: FloatArray) -> FloatArray:
    """The unit vectors halfway between unit vectors a and b (…, 3)."""
    middle, apart = a + b, a - b
    # a + b of all but opposite vectors is small, and the rounding of a and b has turned it: only
    # its part perpendicular to a - b counts
    obtuse = (a * b).sum(axis=-1, keepdims=True) < 0.0
    along = np.where(obtuse, apart / np.where(obtuse, _length(apart), 1.0), 0.0)
    middle = _without(middle, along)
    opposite = _length(middle) < OPPOSITE
    if opposite.any():
        # by convention towards the coordinate axis with which a has least in common
        least = np.eye(3)[np.argmin(np.abs(a), axis=-1)]
        middle = np.where(opposite, _without(least, along), middle)
    middle = _without(middle / _length(middle), along)
    unit: FloatArray = middle / _length(middle)
    return unit


def _without(vector: FloatArray, axis: FloatArray) -> FloatArray:
    """A vector without its part along a unit axis."""
    across: FloatArray = vector - (vector * axis).sum(axis=-1, keepdims=True) * axis
    return across


def _length(vector: FloatArray) -> FloatArray:
    length: FloatArray = np.sqrt((vector * vector).sum(axis=-1, keepdims=True))
    return length


def _half_turn(axis: FloatArray) -> FloatArray:
    turn: FloatArray = 2.0 * (axis[..., :, None] * axis[..., None, :]) - np.eye(3)
    return turn
