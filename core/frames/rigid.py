"""Rigid transforms (4, 4): composed with @, inverted by transposing, applied to points."""

from __future__ import annotations

from functools import reduce

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_finite
from ..errors import ArgumentError
from .checks import as_points, as_transforms
from .euler import rotation_from_rpy
from .packing import common_lead


def transform(rotation: ArrayLike, translation: ArrayLike) -> FloatArray:
    """[[R, p], [0, 1]]: a_from_b of a_from_b_rot and the origin of b in a.

    Args:
        rotation: (…, 3, 3); written as it is given.
        translation: (…, 3), m.

    Returns:
        (…, 4, 4).

    Raises:
        ArgumentError: for a wrong shape or NaN.
    """
    r = as_finite(rotation, (3, 3), "rotation")
    p = as_finite(translation, (3,), "translation")
    out = np.zeros((*common_lead(rotation=r.shape[:-2], translation=p.shape[:-1]), 4, 4))
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

    Raises:
        ArgumentError: for a wrong shape or NaN.
    """
    rotation, translation = rotation_from_rpy(rpy), as_finite(xyz, (3,), "xyz")
    common_lead(xyz=translation.shape[:-1], rpy=rotation.shape[:-2])
    return transform(rotation, translation)


def compose_transforms(*transforms: ArrayLike) -> FloatArray:
    """a_from_d = a_from_b b_from_c c_from_d.

    Args:
        transforms: (…, 4, 4) each, at least one.

    Returns:
        (…, 4, 4).

    Raises:
        ArgumentError: for none, or for anything but rigid transforms. They are counted from 0:
            transforms[0] is a_from_b.
    """
    if not transforms:
        raise ArgumentError("transforms: wanted at least one, got none")
    parts = {
        f"transforms[{n}]": as_transforms(part, f"transforms[{n}]")
        for n, part in enumerate(transforms)
    }
    common_lead(**{name: part.shape[:-2] for name, part in parts.items()})
    return reduce(np.matmul, parts.values()).copy()


def inverse_transform(a_from_b: ArrayLike) -> FloatArray:
    """b_from_a = [[R^T, -R^T p], [0, 1]].

    Args:
        a_from_b: (…, 4, 4), rigid.

    Returns:
        (…, 4, 4).

    Raises:
        ArgumentError: for a wrong shape, NaN, or a block that is no rotation.
    """
    t = as_transforms(a_from_b, "a_from_b")
    back = t[..., :3, :3].swapaxes(-1, -2)
    out = np.zeros_like(t)
    out[..., :3, :3] = back
    out[..., :3, 3] = -(back @ t[..., :3, 3, None])[..., 0]
    out[..., 3, 3] = 1.0
    return out


def transform_points(a_from_b: ArrayLike, points_in_b: ArrayLike) -> FloatArray:
    """points_in_a = R points_in_b + p.

    Args:
        a_from_b: (…, 4, 4), rigid.
        points_in_b: (…, n, 3), m: n points for each transform. One point is [point].

    Returns:
        (…, n, 3), m.

    Raises:
        ArgumentError: for anything but rigid transforms and points.
    """
    t = as_transforms(a_from_b, "a_from_b")
    points = as_points(points_in_b, 3, "points_in_b")
    common_lead(a_from_b=t.shape[:-2], points_in_b=points.shape[:-2])
    turned: FloatArray = points @ t[..., :3, :3].swapaxes(-1, -2)
    return turned + t[..., None, :3, 3]


def transform_vectors(a_from_b: ArrayLike, vectors_in_b: ArrayLike) -> FloatArray:
    """vectors_in_a = R vectors_in_b: free vectors feel no translation.

    Args:
        a_from_b: (…, 4, 4), rigid.
        vectors_in_b: (…, n, 3): n vectors for each transform. One vector is [vector].

    Returns:
        (…, n, 3).

    Raises:
        ArgumentError: for anything but rigid transforms and vectors.
    """
    t = as_transforms(a_from_b, "a_from_b")
    vectors = as_points(vectors_in_b, 3, "vectors_in_b")
    common_lead(a_from_b=t.shape[:-2], vectors_in_b=vectors.shape[:-2])
    turned: FloatArray = vectors @ t[..., :3, :3].swapaxes(-1, -2)
    return turned
