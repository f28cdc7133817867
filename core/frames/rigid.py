"""Rigid transforms (4, 4): composed with @, inverted by transposing, applied to points."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats
from .rotations import rotation_from_rpy


def transform(rotation: ArrayLike, translation: ArrayLike) -> FloatArray:
    """[[R, p], [0, 1]]: a_from_b of a_from_b_rot and the origin of b in a.

    Args:
        rotation: (…, 3, 3).
        translation: (…, 3), m.

    Returns:
        (…, 4, 4).
    """
    r = as_floats(rotation, (3, 3), "rotation")
    p = as_floats(translation, (3,), "translation")
    out = np.zeros((*np.broadcast_shapes(r.shape[:-2], p.shape[:-1]), 4, 4))
    out[..., :3, :3] = r
    out[..., :3, 3] = p
    out[..., 3, 3] = 1.0
    return out


def transform_from_xyz_rpy(xyz: ArrayLike, rpy: ArrayLike) -> FloatArray:
    """The transform of a URDF <origin>: parent_from_child.

    Args:
        xyz: (…, 3), m.
        rpy: (…, 3), rad: R = Rz(yaw) Ry(pitch) Rx(roll).

    Returns:
        (…, 4, 4).
    """
    return transform(rotation_from_rpy(rpy), xyz)


def inverse_transform(a_from_b: ArrayLike) -> FloatArray:
    """b_from_a = [[R^T, -R^T p], [0, 1]].

    Args:
        a_from_b: (…, 4, 4), with a proper rotation block.

    Returns:
        (…, 4, 4).
    """
    t = as_floats(a_from_b, (4, 4), "a_from_b")
    back = t[..., :3, :3].swapaxes(-1, -2)
    return transform(back, -(back @ t[..., :3, 3, None])[..., 0])


def transform_points(a_from_b: ArrayLike, points_in_b: ArrayLike) -> FloatArray:
    """points_in_a = R points_in_b + p.

    Args:
        a_from_b: (…, 4, 4).
        points_in_b: (…, n, 3), m.

    Returns:
        (…, n, 3), m.
    """
    t = as_floats(a_from_b, (4, 4), "a_from_b")
    points = as_floats(points_in_b, (3,), "points_in_b")
    turned: FloatArray = points @ t[..., :3, :3].swapaxes(-1, -2)
    return turned + t[..., None, :3, 3]
