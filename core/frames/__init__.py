"""Frame conventions: rotations, quaternions, rigid transforms and Blender's bones.

`a_from_b` maps coordinates in b to coordinates in a; quaternions are (w, x, y, z) with
Hamilton's product; everything accepts leading axes. See docs/conventions.md.
"""

from .bones import matrix_from_axis_roll
from .quaternions import (
    continuous_quaternions,
    quaternion_conjugate,
    quaternion_derivative,
    quaternion_from_rotation,
    quaternion_multiply,
    rotation_from_quaternion,
)
from .rigid import (
    inverse_transform,
    transform,
    transform_from_xyz_rpy,
    transform_points,
)
from .rotations import (
    cross_matrix,
    minimal_rotation,
    rotation_from_axis_angle,
    rotation_from_rpy,
    rpy_from_rotation,
)

__all__ = [
    "continuous_quaternions",
    "cross_matrix",
    "inverse_transform",
    "matrix_from_axis_roll",
    "minimal_rotation",
    "quaternion_conjugate",
    "quaternion_derivative",
    "quaternion_from_rotation",
    "quaternion_multiply",
    "rotation_from_axis_angle",
    "rotation_from_quaternion",
    "rotation_from_rpy",
    "rpy_from_rotation",
    "transform",
    "transform_from_xyz_rpy",
    "transform_points",
]
