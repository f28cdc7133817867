"""Frame conventions: rotations, quaternions, Euler angles, rigid transforms, Blender's bones.

`a_from_b` maps coordinates in b to coordinates in a; quaternions are (w, x, y, z) with
Hamilton's product; everything accepts leading axes, checks its input, and returns new arrays.
See docs/conventions.md. For code that runs thousands of times a second, `kernels` has the
quaternion functions without checks.
"""

from .attitude import (
    angular_velocity_from_quaternion_derivative,
    angular_velocity_to_euler_rates,
    euler_rates_to_angular_velocity,
    quaternion_derivative,
)
from .bones import axis_roll_from_matrix, bone_matrix, head_tail_roll, matrix_from_axis_roll
from .convert import convert_rotation
from .euler import (
    euler_from_quaternion,
    euler_from_rotation,
    quaternion_from_euler,
    quaternion_from_rpy,
    rotation_from_euler,
    rotation_from_rpy,
    rpy_from_quaternion,
    rpy_from_rotation,
)
from .joint_bones import bone_basis, bone_from_link, child_bone_pose, joint_value_from_pose
from .orientation import Orientation, SpatialFrame, get_rot, ori
from .planar import (
    PlanarFrame,
    inverse_transform_2d,
    lift_planar,
    ori_2d,
    phi_and_translation,
    plane_from_normal,
    transform_2d,
    transform_points_2d,
    transform_vectors_2d,
)
from .quaternions import (
    axis_angle_from_quaternion,
    quaternion_conjugate,
    quaternion_from_axis_angle,
    quaternion_from_rotation,
    quaternion_from_rotation_vector,
    quaternion_from_scalar_last,
    quaternion_inverse,
    quaternion_multiply,
    quaternion_rotate,
    quaternion_to_scalar_last,
    rotation_from_quaternion,
    rotation_vector_from_quaternion,
    unit_quaternion,
)
from .rigid import (
    compose_transforms,
    inverse_transform,
    transform,
    transform_from_xyz_rpy,
    transform_points,
    transform_vectors,
)
from .rotations import (
    axis_angle_from_rotation,
    cross_matrix,
    minimal_rotation,
    rotation_angle,
    rotation_axis,
    rotation_from_axis_angle,
    rotation_from_rotation_vector,
    rotation_vector_from_rotation,
)
from .sequences import SEQUENCES, SYMMETRIC, TAIT_BRYAN
from .slerp import continuous_quaternions, quaternion_distance, quaternion_slerp, slerp_sequence
from .twists import adjoint, interpolate_transforms, transform_from_twist, twist_from_transform

__all__ = [
    "SEQUENCES",
    "SYMMETRIC",
    "TAIT_BRYAN",
    "Orientation",
    "PlanarFrame",
    "SpatialFrame",
    "adjoint",
    "angular_velocity_from_quaternion_derivative",
    "angular_velocity_to_euler_rates",
    "axis_angle_from_quaternion",
    "axis_angle_from_rotation",
    "axis_roll_from_matrix",
    "bone_basis",
    "bone_from_link",
    "bone_matrix",
    "child_bone_pose",
    "compose_transforms",
    "continuous_quaternions",
    "convert_rotation",
    "cross_matrix",
    "euler_from_quaternion",
    "euler_from_rotation",
    "euler_rates_to_angular_velocity",
    "get_rot",
    "head_tail_roll",
    "interpolate_transforms",
    "inverse_transform",
    "inverse_transform_2d",
    "joint_value_from_pose",
    "lift_planar",
    "matrix_from_axis_roll",
    "minimal_rotation",
    "ori",
    "ori_2d",
    "phi_and_translation",
    "plane_from_normal",
    "quaternion_conjugate",
    "quaternion_derivative",
    "quaternion_distance",
    "quaternion_from_axis_angle",
    "quaternion_from_euler",
    "quaternion_from_rotation",
    "quaternion_from_rotation_vector",
    "quaternion_from_rpy",
    "quaternion_from_scalar_last",
    "quaternion_inverse",
    "quaternion_multiply",
    "quaternion_rotate",
    "quaternion_slerp",
    "quaternion_to_scalar_last",
    "rotation_angle",
    "rotation_axis",
    "rotation_from_axis_angle",
    "rotation_from_euler",
    "rotation_from_quaternion",
    "rotation_from_rotation_vector",
    "rotation_from_rpy",
    "rotation_vector_from_quaternion",
    "rotation_vector_from_rotation",
    "rpy_from_quaternion",
    "rpy_from_rotation",
    "slerp_sequence",
    "transform",
    "transform_2d",
    "transform_from_twist",
    "transform_from_xyz_rpy",
    "transform_points",
    "transform_points_2d",
    "transform_vectors",
    "transform_vectors_2d",
    "twist_from_transform",
    "unit_quaternion",
]
