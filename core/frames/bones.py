"""Blender's bone frame: head, tail and roll against a matrix, both ways.

A bone's +Y points from its head to its tail; roll turns X and Z about it. Blender's own formula
has a series near -Y and snaps to -Y itself; the exact one is orthonormal everywhere.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_finite, at, first_index
from ..errors import ArgumentError
from .checks import as_rotations, as_transforms, as_unit_vectors, within_range
from .packing import common_lead
from .quaternions import quaternion_from_rotation
from .rotations import rotation_from_axis_angle

NEAR_MINUS_Y = 6.1e-3  # 1 + y below which Blender takes a series for it
SNAP = 2.5e-4  # distance from the Y line below which Blender takes the axis for -Y itself
MINUS_Y = np.diag([-1.0, -1.0, 1.0])  # the frame of a bone along -Y


def matrix_from_axis_roll(
    axis: ArrayLike, roll: ArrayLike = 0.0, *, exact: bool = False
) -> FloatArray:
    """The rotation whose Y column is `axis` and whose X and Z are Blender's for that roll.

        B = [[1 - x^2/t, x, -x z/t], [-x, y, -z], [-x z/t, z, 1 - z^2/t]],   t = 1 + y
        R = Rot(axis, roll) B

    B is the smallest turn that takes Y to the axis. Near -Y, where that turn is undefined,
    Blender replaces t by the series a/2 + a^2/8 with a = x^2 + z^2, and very near it snaps to
    B = diag(-1, -1, 1).

    Args:
        axis: (…, 3), of any length but 0, in the armature.
        roll: (…), rad, about the axis.
        exact: orthonormal to rounding for every axis, with the Y column equal to it; only -Y
            itself takes diag(-1, -1, 1).

    Returns:
        (…, 3, 3): armature_from_bone_rot. Blender's own is float32: equal to 2e-6, to 5e-5
        within 35 degrees of -Y.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a zero axis.

    Source: measured on Blender 4.2 to 5.3 (Bone.MatrixFromAxisRoll).
    """
    unit = as_unit_vectors(axis, "axis")
    turn = as_finite(roll, (), "roll")
    common_lead(axis=unit.shape[:-1], roll=turn.shape)
    return rotation_from_axis_angle(unit, turn) @ _base(unit, exact)


def axis_roll_from_matrix(
    rotation: ArrayLike, axis: ArrayLike | None = None, *, exact: bool = False
) -> tuple[FloatArray, FloatArray]:
    """The axis and roll of a bone's rotation, the inverse of `matrix_from_axis_roll`.

        roll = 2 atan2(y, w) of the quaternion of B^T R: its twist about Y

    Args:
        rotation: (…, 3, 3), armature_from_bone_rot.
        axis: (…, 3), another axis than the Y column of the rotation to count the roll about.
        exact: against which of the two base frames B the roll is counted.

    Returns:
        The axis (…, 3), unit, in the armature, and the roll (…), rad, in [-pi, pi].

    Raises:
        ArgumentError: for a wrong shape, NaN, a zero axis, or a matrix that is no rotation.

    Source: measured on Blender 4.2 to 5.3 (Bone.AxisRollFromMatrix).
    """
    r = as_rotations(rotation)
    unit = as_unit_vectors(r[..., :, 1] if axis is None else axis, "axis")
    common_lead(rotation=r.shape[:-2], axis=unit.shape[:-1])
    q = quaternion_from_rotation(_base(unit, exact).swapaxes(-1, -2) @ r)
    roll: FloatArray = 2.0 * np.arctan2(q[..., 2], q[..., 0])
    return np.broadcast_to(unit, (*roll.shape, 3)).copy(), roll


def bone_matrix(
    head: ArrayLike, tail: ArrayLike, roll: ArrayLike = 0.0, *, exact: bool = False
) -> FloatArray:
    """The rest matrix of a bone: origin at the head, +Y towards the tail, X and Z by the roll.

    Args:
        head, tail: (…, 3), m, in the armature, not at one point.
        roll: (…), rad.
        exact: see `matrix_from_axis_roll`.

    Returns:
        (…, 4, 4): armature_from_bone, Blender's `edit_bone.matrix`. `bone.matrix_local` is the
        same for a bone without a parent; with one it is rounded by way of the parent's frame,
        and snaps near the parent's -Y.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a bone of no length.
    """
    start, end = as_finite(head, (3,), "head"), as_finite(tail, (3,), "tail")
    turn = as_finite(roll, (), "roll")
    lead = common_lead(head=start.shape[:-1], tail=end.shape[:-1], roll=turn.shape)
    with np.errstate(over="ignore"):
        along = within_range(np.broadcast_to(end - start, (*lead, 3)), "head, tail")
    empty = (along == 0.0).all(axis=-1)
    if empty.any():
        where = first_index(empty)
        point = np.broadcast_to(start, (*lead, 3))[where].tolist()
        raise ArgumentError(f"tail: wanted another point than the head, got {point}{at(where)}")
    out = np.zeros((*lead, 4, 4))
    out[..., :3, :3] = matrix_from_axis_roll(along, turn, exact=exact)
    out[..., :3, 3] = start
    out[..., 3, 3] = 1.0
    return out


def head_tail_roll(
    matrix: ArrayLike, length: ArrayLike, *, exact: bool = False
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The head, tail and roll of a bone's rest matrix, the inverse of `bone_matrix`.

    Args:
        matrix: (…, 4, 4), armature_from_bone.
        length: (…), m, above 0.
        exact: see `axis_roll_from_matrix`.

    Returns:
        The head (…, 3) and the tail (…, 3), m, in the armature, and the roll (…), rad.

    Raises:
        ArgumentError: for a wrong shape, NaN, a block that is no rotation, or a length of 0 or
            less.
    """
    t, long = as_transforms(matrix, "matrix"), as_finite(length, (), "length")
    if (long <= 0.0).any():
        raise ArgumentError(f"length: wanted numbers above 0, got {long.min():g}")
    lead = common_lead(matrix=t.shape[:-2], length=long.shape)
    t = np.broadcast_to(t, (*lead, 4, 4))
    axis, roll = axis_roll_from_matrix(t[..., :3, :3], exact=exact)
    head = t[..., :3, 3].copy()
    return head, head + long[..., None] * axis, roll


def _base(unit: FloatArray, exact: bool) -> FloatArray:
    """B (…, 3, 3) of unit axes (…, 3), for roll 0."""
    x, y, z = np.moveaxis(unit, -1, 0)
    a = x * x + z * z
    if exact:
        # 1 + y without cancellation, from a = (1 - y) (1 + y)
        t = np.where(y < 0.0, a / np.where(y < 0.0, 1.0 - y, 1.0), 1.0 + y)
        snapped = t == 0.0
    else:
        snapped = (1.0 + y <= NEAR_MINUS_Y) & (a <= SNAP * SNAP)
        t = np.where(1.0 + y > NEAR_MINUS_Y, 1.0 + y, a / 2.0 + a * a / 8.0)
    t = np.where(snapped, 1.0, t)
    base = np.empty((*y.shape, 3, 3))
    base[..., 0, 0], base[..., 0, 1], base[..., 0, 2] = 1.0 - x * x / t, x, -x * z / t
    base[..., 1, 0], base[..., 1, 1], base[..., 1, 2] = -x, y, -z
    base[..., 2, 0], base[..., 2, 1], base[..., 2, 2] = -x * z / t, z, 1.0 - z * z / t
    base[snapped] = MINUS_Y
    return base
