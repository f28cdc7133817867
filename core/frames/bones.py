"""Blender's bone frame: where a bone's X and Z go when only its axis and roll are given."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats
from .rotations import rotation_from_axis_angle

NEAR_MINUS_Y = 6.1e-3  # 1 + y below which Blender takes a series for it
SNAP = 2.5e-4  # distance from the Y line below which Blender takes the axis for -Y itself


def matrix_from_axis_roll(axis: ArrayLike, roll: ArrayLike = 0.0) -> FloatArray:
    """The rotation whose Y column is `axis` and whose X and Z are Blender's for that roll.

        B = [[1 - x^2/t, x, -x z/t], [-x, y, -z], [-x z/t, z, 1 - z^2/t]],   t = 1 + y
        R = Rot(axis, roll) B

    This is the smallest turn that takes Y to the axis. Near -Y, where that turn is undefined,
    Blender replaces t by the series a/2 + a^2/8 with a = x^2 + z^2, and very near it snaps to
    B = diag(-1, -1, 1).

    Args:
        axis: (…, 3), unit length, in the armature.
        roll: (…), rad, about the axis.

    Returns:
        (…, 3, 3): armature_from_bone_rot. Blender's own is float32: equal to 2e-6, to 5e-5
        within 35 degrees of -Y.

    Source: measured on Blender 4.2 to 5.3 (Bone.MatrixFromAxisRoll).
    """
    unit = as_floats(axis, (3,), "axis")
    x, y, z = np.moveaxis(unit, -1, 0)
    a = x * x + z * z
    snapped = (1.0 + y <= NEAR_MINUS_Y) & (a <= SNAP * SNAP)
    t = np.where(1.0 + y > NEAR_MINUS_Y, 1.0 + y, a / 2.0 + a * a / 8.0)
    t = np.where(snapped, 1.0, t)
    base = np.empty((*y.shape, 3, 3))
    base[..., 0, 0], base[..., 0, 1], base[..., 0, 2] = 1.0 - x * x / t, x, -x * z / t
    base[..., 1, 0], base[..., 1, 1], base[..., 1, 2] = -x, y, -z
    base[..., 2, 0], base[..., 2, 1], base[..., 2, 2] = -x * z / t, z, 1.0 - z * z / t
    base[snapped] = np.diag([-1.0, -1.0, 1.0])
    return rotation_from_axis_angle(unit, roll) @ base
