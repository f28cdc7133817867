"""Quaternions (w, x, y, z) with Hamilton's product; state quaternions need not be unit.

The rotation of a non-unit quaternion divides by its squared norm and the rate needs no
renormalisation (Rucker 2018), so that integration schemes may treat q as a plain vector.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats


def quaternion_multiply(p: ArrayLike, q: ArrayLike) -> FloatArray:
    """Hamilton's product p q: turn by q first, then by p.

    Args:
        p, q: (…, 4), scalar first.

    Returns:
        (…, 4).
    """
    pw, px, py, pz = np.moveaxis(as_floats(p, (4,), "p"), -1, 0)
    qw, qx, qy, qz = np.moveaxis(as_floats(q, (4,), "q"), -1, 0)
    return np.stack(
        (
            pw * qw - px * qx - py * qy - pz * qz,
            pw * qx + px * qw + py * qz - pz * qy,
            pw * qy - px * qz + py * qw + pz * qx,
            pw * qz + px * qy - py * qx + pz * qw,
        ),
        axis=-1,
    )


def quaternion_conjugate(q: ArrayLike) -> FloatArray:
    """(w, -x, -y, -z): the inverse rotation. Shape (…, 4)."""
    out: FloatArray = as_floats(q, (4,), "q") * np.array([1.0, -1.0, -1.0, -1.0])
    return out


def rotation_from_quaternion(q: ArrayLike) -> FloatArray:
    """The rotation matrix of a quaternion of any length.

        R = 1 + 2 (w [u]x + [u]x [u]x) / |q|^2,   q = (w, u)

    Args:
        q: (…, 4), scalar first, not zero.

    Returns:
        (…, 3, 3): a_from_b_rot of a_from_b_quat.

    Source: C. Rucker, Integrating Rotations using Non-Unit Quaternions (2018), eq. 6.
    """
    w, x, y, z = np.moveaxis(as_floats(q, (4,), "q"), -1, 0)
    s = 2.0 / (w * w + x * x + y * y + z * z)
    out = np.empty((*w.shape, 3, 3))
    out[..., 0, 0] = 1.0 - s * (y * y + z * z)
    out[..., 1, 1] = 1.0 - s * (x * x + z * z)
    out[..., 2, 2] = 1.0 - s * (x * x + y * y)
    out[..., 0, 1], out[..., 1, 0] = s * (x * y - w * z), s * (x * y + w * z)
    out[..., 0, 2], out[..., 2, 0] = s * (x * z + w * y), s * (x * z - w * y)
    out[..., 1, 2], out[..., 2, 1] = s * (y * z - w * x), s * (y * z + w * x)
    return out


def quaternion_from_rotation(rotation: ArrayLike) -> FloatArray:
    """The unit quaternion of a rotation matrix, with w >= 0.

    The row of 4 q q^T with the largest diagonal entry is taken, so no small number is divided by.

    Args:
        rotation: (…, 3, 3).

    Returns:
        (…, 4), scalar first.

    Source: S. W. Shepperd, Quaternion from rotation matrix (1978).
    """
    r = as_floats(rotation, (3, 3), "rotation")
    xx, yy, zz = r[..., 0, 0], r[..., 1, 1], r[..., 2, 2]
    yz_w, zx_w, xy_w = (
        r[..., 2, 1] - r[..., 1, 2],
        r[..., 0, 2] - r[..., 2, 0],
        r[..., 1, 0] - r[..., 0, 1],
    )
    xy, xz, yz = (
        r[..., 1, 0] + r[..., 0, 1],
        r[..., 0, 2] + r[..., 2, 0],
        r[..., 2, 1] + r[..., 1, 2],
    )
    # rows of 4 q q^T
    rows = np.stack(
        (
            np.stack((1.0 + xx + yy + zz, yz_w, zx_w, xy_w), axis=-1),
            np.stack((yz_w, 1.0 + xx - yy - zz, xy, xz), axis=-1),
            np.stack((zx_w, xy, 1.0 - xx + yy - zz, yz), axis=-1),
            np.stack((xy_w, xz, yz, 1.0 - xx - yy + zz), axis=-1),
        ),
        axis=-2,
    )
    best = np.argmax(np.diagonal(rows, axis1=-2, axis2=-1), axis=-1)
    q = np.take_along_axis(rows, best[..., None, None], axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    out: FloatArray = np.where(q[..., :1] < 0.0, -q, q)
    return out


def quaternion_derivative(q: ArrayLike, angular_velocity: ArrayLike) -> FloatArray:
    """q' = 1/2 q (0, omega), with omega of the body in body axes.

    Args:
        q: (…, 4), scalar first, of any length.
        angular_velocity: (…, 3), rad/s, in the frame that q maps from.

    Returns:
        (…, 4), 1/s.

    Source: C. Rucker (2018), eq. 8 with no stabilising term.
    """
    omega = as_floats(angular_velocity, (3,), "angular_velocity")
    pure = np.concatenate((np.zeros((*omega.shape[:-1], 1)), omega), axis=-1)
    return 0.5 * quaternion_multiply(q, pure)


def continuous_quaternions(quaternions: ArrayLike) -> FloatArray:
    """The same rotations with signs such that no neighbours lie more than 90 degrees apart in R^4.

    Args:
        quaternions: (n, 4), a sequence in time.

    Returns:
        (n, 4); the first keeps its sign.
    """
    q = as_floats(quaternions, (4,), "quaternions")
    flips = np.where(np.einsum("ij,ij->i", q[1:], q[:-1]) < 0.0, -1.0, 1.0)
    signs: FloatArray = np.concatenate(([1.0], np.cumprod(flips)))
    return q * signs[:, None]
