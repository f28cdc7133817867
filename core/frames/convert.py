"""One function for every pair of representations of a rotation."""

from __future__ import annotations

from numpy.typing import ArrayLike

from ..arrays import FloatArray
from ..errors import ArgumentError
from .packing import packed_axis_angle
from .representations import AtLock, converted, representation

AxisAngle = tuple[FloatArray, FloatArray]


def convert_rotation(
    value: ArrayLike | tuple[ArrayLike, ArrayLike],
    source: str,
    target: str,
    *,
    gimbal_lock: AtLock = "choose",
) -> FloatArray | AxisAngle:
    """The same rotation in another representation.

    | name | value |
    |---|---|
    | 'matrix' | (…, 3, 3) |
    | 'quaternion', 'quaternion_xyzw' | (…, 4), scalar first or last, read in any length but 0 |
    | 'rotation_vector' | (…, 3), rad |
    | 'axis_angle' | the pair (axis (…, 3), angle (…) in rad) |
    | 'rpy' | (…, 3), rad: roll, pitch, yaw of a URDF |
    | 'XYZ' and the eleven other sequences | (…, 3), rad |

    From a name to itself it gives the canonical form: a unit quaternion, an angle up to pi, an
    orthonormal matrix, Euler angles in their ranges (see `euler_from_rotation`).

    Args:
        value: the rotation.
        source, target: names.
        gimbal_lock: where the target is Euler angles, 'choose' or 'raise': see
            `euler_from_rotation`. Nothing else has a gimbal lock.

    Returns:
        A new array, or the pair for 'axis_angle'.

    Raises:
        ArgumentError: for an unknown name, a wrong shape, NaN, a zero axis or quaternion, or a
            matrix that is no rotation.
        GimbalLockError: on request.
    """
    representation(source, "source")
    representation(target, "target")
    if source == "axis_angle":
        # an array of two rows unpacks too, but holds no pair of axis and angle
        if not isinstance(value, tuple | list) or len(value) != 2:
            raise ArgumentError(f"axis_angle: wanted a pair (axis, angle), got {value!r}")
        value = packed_axis_angle(*value)
    result = converted(value, source, target, "value", gimbal_lock)  # type: ignore[arg-type]
    if target == "axis_angle":
        return result[..., :3].copy(), result[..., 3].copy()
    return result
