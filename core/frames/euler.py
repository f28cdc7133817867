"""Euler angles, all twelve sequences by one definition, and URDF's roll, pitch, yaw.

    a_from_b_rot = R_A(phi) R_B(theta) R_C(psi)   for the sequence 'ABC'

with active elementary rotations: b is reached from a by turning about A, then about the new B,
then about the new C. URDF's rpy are the angles of 'ZYX' in reverse; Blender's Euler order
'XYZ' is 'ZYX' with reversed angles; the passive matrix of aerospace texts for the same label
is the transpose.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from ..arrays import FloatArray
from .representations import AtLock, converted
from .sequences import euler_sequence


def rotation_from_euler(angles: ArrayLike, sequence: str) -> FloatArray:
    """The rotation matrix R_A(phi) R_B(theta) R_C(psi).

    Args:
        angles: (…, 3), rad: phi, theta, psi.
        sequence: one of the twelve labels, such as 'XYZ' or 'ZXZ'.

    Returns:
        (…, 3, 3): a_from_b_rot.

    Raises:
        ArgumentError: for a wrong shape, NaN, or an unknown sequence.

    Source: J. Diebel, Representing Attitude (2006), eq. 34. His R_ijk is passive and applies k
    first: our matrix of 'ABC' is the transpose of his R_CBA of the angles (psi, theta, phi).
    """
    return converted(angles, euler_sequence(sequence).label, "matrix", "angles")


def euler_from_rotation(
    rotation: ArrayLike, sequence: str, *, gimbal_lock: AtLock = "choose"
) -> FloatArray:
    """The angles phi, theta, psi of a rotation matrix, the inverse of `rotation_from_euler`.

    The second angle lies in [-pi/2, pi/2] for three different axes, in [0, pi] for a repeated
    one; the others lie in [-pi, pi]. At gimbal lock, where only the sum or the difference of
    the others is determined, the first is chosen as 0.

    Args:
        rotation: (…, 3, 3).
        sequence: one of the twelve labels.
        gimbal_lock: 'choose' always answers; 'raise' refuses where |det E'| < 1e-6, the bound
            of `angular_velocity_to_euler_rates`.

    Returns:
        (…, 3), rad.

    Raises:
        ArgumentError: for a wrong shape, NaN, a matrix that is no rotation, or an unknown
            sequence.
        GimbalLockError: on request.
    """
    label = euler_sequence(sequence).label
    return converted(rotation, "matrix", label, "rotation", gimbal_lock)


def quaternion_from_euler(angles: ArrayLike, sequence: str) -> FloatArray:
    """The unit quaternion of Euler angles: the product of three half turns.

    Args:
        angles: (…, 3), rad: phi, theta, psi.
        sequence: one of the twelve labels.

    Returns:
        (…, 4), scalar first, continuous in the angles (so w may be negative).

    Raises:
        ArgumentError: for a wrong shape, NaN, or an unknown sequence.
    """
    return converted(angles, euler_sequence(sequence).label, "quaternion", "angles")


def euler_from_quaternion(
    q: ArrayLike, sequence: str, *, gimbal_lock: AtLock = "choose"
) -> FloatArray:
    """The angles phi, theta, psi of a quaternion; see `euler_from_rotation`.

    Args:
        q: (…, 4), scalar first, of any length but 0.
        sequence: one of the twelve labels.
        gimbal_lock: 'choose' or 'raise'.

    Returns:
        (…, 3), rad.

    Raises:
        ArgumentError: for a wrong shape, NaN, a zero quaternion, or an unknown sequence.
        GimbalLockError: on request.
    """
    return converted(q, "quaternion", euler_sequence(sequence).label, "q", gimbal_lock)


def rotation_from_rpy(rpy: ArrayLike) -> FloatArray:
    """URDF's roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll).

    Args:
        rpy: (…, 3), rad.

    Returns:
        (…, 3, 3), parent_from_child_rot.

    Raises:
        ArgumentError: for a wrong shape or NaN.

    Source: URDF specification, element <origin>.
    """
    return converted(rpy, "rpy", "matrix", "rpy")


def rpy_from_rotation(rotation: ArrayLike, *, gimbal_lock: AtLock = "choose") -> FloatArray:
    """The inverse of `rotation_from_rpy`; pitch in [-pi/2, pi/2], and yaw 0 at gimbal lock.

    Args:
        rotation: (…, 3, 3).
        gimbal_lock: 'choose' or 'raise', see `euler_from_rotation`.

    Returns:
        (…, 3), rad.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a matrix that is no rotation.
        GimbalLockError: on request.
    """
    return converted(rotation, "matrix", "rpy", "rotation", gimbal_lock)


def quaternion_from_rpy(rpy: ArrayLike) -> FloatArray:
    """The unit quaternion (…, 4), scalar first, of roll, pitch, yaw (…, 3), rad.

    Raises:
        ArgumentError: for a wrong shape or NaN.
    """
    return converted(rpy, "rpy", "quaternion", "rpy")


def rpy_from_quaternion(q: ArrayLike, *, gimbal_lock: AtLock = "choose") -> FloatArray:
    """Roll, pitch, yaw (…, 3), rad, of a quaternion; see `rpy_from_rotation`.

    Args:
        q: (…, 4), scalar first, of any length but 0.
        gimbal_lock: 'choose' or 'raise', see `euler_from_rotation`.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a zero quaternion.
        GimbalLockError: on request.
    """
    return converted(q, "quaternion", "rpy", "q", gimbal_lock)
