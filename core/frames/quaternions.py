"""Quaternions (w, x, y, z) with Hamilton's product; state quaternions need not be unit.

The rotation of a non-unit quaternion divides by its squared norm and the rate needs no
renormalisation (Rucker 2018), so that integration schemes may treat q as a plain vector.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_finite
from .checks import as_quaternions, within_range
from .kernels import CONJUGATE, product_of
from .packing import common_lead, packed_axis_angle
from .representations import converted


def quaternion_multiply(p: ArrayLike, q: ArrayLike) -> FloatArray:
    """Hamilton's product p q: turn by q first, then by p.

    Args:
        p, q: (…, 4), scalar first, of any length.

    Returns:
        (…, 4).

    Raises:
        ArgumentError: for a wrong shape, NaN, or a product out of range.

    Source: J. Diebel, Representing Attitude (2006), eq. 102, with the operands exchanged: p q
    here is q · p there.
    """
    left, right = as_finite(p, (4,), "p"), as_finite(q, (4,), "q")
    common_lead(p=left.shape[:-1], q=right.shape[:-1])
    with np.errstate(over="ignore", invalid="ignore"):
        return within_range(product_of(left, right), "p, q")


def quaternion_conjugate(q: ArrayLike) -> FloatArray:
    """(w, -x, -y, -z): the inverse rotation. Shape (…, 4).

    Raises:
        ArgumentError: for a wrong shape or NaN.
    """
    return as_finite(q, (4,), "q") * CONJUGATE


def quaternion_inverse(q: ArrayLike) -> FloatArray:
    """The inverse conj(q) / |q|^2, whose product with q is 1.

    Args:
        q: (…, 4), scalar first, of any length but 0.

    Returns:
        (…, 4).

    Raises:
        ArgumentError: for a wrong shape, NaN, a zero quaternion, or one so short that its inverse
            is out of range.
    """
    value = as_quaternions(q)
    size = np.abs(value).max(axis=-1, keepdims=True)
    # divided twice by the size, so that no square under- or overflows
    scaled = value / size
    inverse = scaled * CONJUGATE / (scaled * scaled).sum(axis=-1, keepdims=True)
    with np.errstate(over="ignore"):
        return within_range(inverse / size, "q")


def unit_quaternion(q: ArrayLike) -> FloatArray:
    """q / |q|: the unit quaternion (…, 4) of the same rotation and sign.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a zero quaternion.
    """
    return converted(q, "quaternion", "quaternion", "q")


def quaternion_rotate(q: ArrayLike, vector_in_b: ArrayLike) -> FloatArray:
    """The vector turned by the rotation of q: q (0, v) q^-1.

    Args:
        q: (…, 4), a_from_b_quat, scalar first, of any length but 0.
        vector_in_b: (…, 3).

    Returns:
        (…, 3), vector_in_a.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a zero quaternion.
    """
    rotation = rotation_from_quaternion(q)
    vector = as_finite(vector_in_b, (3,), "vector_in_b")
    common_lead(q=rotation.shape[:-2], vector_in_b=vector.shape[:-1])
    turned: FloatArray = (rotation @ vector[..., None])[..., 0]
    return turned


def quaternion_from_scalar_last(q: ArrayLike) -> FloatArray:
    """(x, y, z, w) as (w, x, y, z), in its own length. Shape (…, 4).

    Raises:
        ArgumentError: for a wrong shape or NaN.
    """
    return as_finite(q, (4,), "q").take((3, 0, 1, 2), axis=-1)


def quaternion_to_scalar_last(q: ArrayLike) -> FloatArray:
    """(w, x, y, z) as (x, y, z, w), in its own length. Shape (…, 4).

    Raises:
        ArgumentError: for a wrong shape or NaN.
    """
    return as_finite(q, (4,), "q").take((1, 2, 3, 0), axis=-1)


def rotation_from_quaternion(q: ArrayLike) -> FloatArray:
    """The rotation matrix of a quaternion of any length.

        R = 1 + 2 (w [u]x + [u]x [u]x) / |q|^2,   q = (w, u)

    Args:
        q: (…, 4), scalar first, not zero.

    Returns:
        (…, 3, 3): a_from_b_rot of a_from_b_quat.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a zero quaternion.

    Source: C. Rucker, Integrating Rotations using Non-Unit Quaternions (2018), eq. 6. For unit
    quaternions the transpose of J. Diebel, Representing Attitude (2006), eq. 125.
    """
    return converted(q, "quaternion", "matrix", "q")


def quaternion_from_rotation(rotation: ArrayLike) -> FloatArray:
    """The unit quaternion of a rotation matrix, with w >= 0.

    The row of 4 q q^T with the largest diagonal entry is taken, so no small number is divided by.

    Args:
        rotation: (…, 3, 3).

    Returns:
        (…, 4), scalar first.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a matrix that is no rotation.

    Source: S. W. Shepperd, Quaternion from rotation matrix (1978).
    """
    return converted(rotation, "matrix", "quaternion", "rotation")


def quaternion_from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> FloatArray:
    """(cos(angle / 2), sin(angle / 2) axis / |axis|).

    Args:
        axis: (…, 3), of any length but 0.
        angle: (…), rad.

    Returns:
        (…, 4), scalar first, unit, continuous in the angle.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a zero axis.
    """
    return converted(packed_axis_angle(axis, angle), "axis_angle", "quaternion", "axis and angle")


def axis_angle_from_quaternion(q: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """The unit axis (…, 3) and the angle (…), rad, 0 to pi; of the identity (1, 0, 0) and 0.

    Args:
        q: (…, 4), scalar first, of any length but 0.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a zero quaternion.
    """
    both = converted(q, "quaternion", "axis_angle", "q")
    return both[..., :3].copy(), both[..., 3].copy()


def quaternion_from_rotation_vector(vector: ArrayLike) -> FloatArray:
    """The unit quaternion (…, 4) of a rotation vector (…, 3), rad; of 0 the identity.

    Raises:
        ArgumentError: for a wrong shape or NaN.
    """
    return converted(vector, "rotation_vector", "quaternion", "vector")


def rotation_vector_from_quaternion(q: ArrayLike) -> FloatArray:
    """Axis times angle (…, 3), rad, length 0 to pi, of a quaternion (…, 4) of any length but 0.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a zero quaternion.
    """
    return converted(q, "quaternion", "rotation_vector", "q")
