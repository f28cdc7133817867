"""Every way to write a rotation, and the conversion between any two of them.

Each representation turns into a quaternion and out of one; the few pairs that are better off
without (matrices and Euler angles) have kernels of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats, refuse_non_finite
from ..errors import ArgumentError
from . import components, euler_components
from .batches import Kernel, in_blocks
from .checks import as_choice, proper_rotations, scaled_directions, scaled_quaternions
from .sequences import SEQUENCES, EulerSequence, euler_sequence

ANGLES = ("rpy", *SEQUENCES)
NAMES = (
    *("matrix", "quaternion", "quaternion_xyzw", "rotation_vector", "axis_angle"),
    *ANGLES,
)


# pairs of plain quaternions and matrices, which nothing stands between
_DIRECT: dict[tuple[str, str], Kernel] = {
    ("quaternion", "matrix"): components.matrix_of_quaternion,
    ("quaternion_xyzw", "matrix"): components.matrix_of_scalar_last,
    ("quaternion", "quaternion"): components.unit_in_order,
    ("quaternion_xyzw", "quaternion_xyzw"): components.unit_in_order,
    ("quaternion", "quaternion_xyzw"): components.unit_scalar_moved_last,
    ("quaternion_xyzw", "quaternion"): components.unit_scalar_moved_first,
}

AtLock = Literal["choose", "raise"]
AT_LOCK = ("choose", "raise")


@dataclass(frozen=True)
class Representation:
    """How one way to write a rotation becomes a quaternion and back.

    Attributes:
        name: one of NAMES; tail: the shape of one item.
        quaternion_of: (k, m) -> (4, m), and whether the input was well.
        write: (4, m) quaternions of any length -> (m, k).
        rescue: raises for bad input, or returns it scaled; takes the name of the argument too.
    """

    name: str
    tail: tuple[int, ...]
    quaternion_of: Callable[[FloatArray], tuple[FloatArray, bool]]
    write: Callable[[FloatArray, FloatArray], None]
    rescue: Callable[[FloatArray, str], FloatArray]


def converted(
    value: ArrayLike, source: str, target: str, name: str, gimbal_lock: AtLock = "choose"
) -> FloatArray:
    """`value` in another representation; axis and angle are one array (…, 4).

    Args:
        value: (…, *tail of the source).
        source, target: names.
        name: of the argument, for messages.
        gimbal_lock: 'raise' refuses Euler angles where |det E'| < 1e-6.

    Returns:
        (…, *tail of the target), a new array.

    Raises:
        ArgumentError: for bad input.
        GimbalLockError: on request.
    """
    as_choice(gimbal_lock, AT_LOCK, "gimbal_lock")
    start, end = representation(source, "source"), representation(target, "target")
    array = as_floats(value, start.tail, name, ArgumentError)

    def rescue(items: FloatArray) -> FloatArray:
        return start.rescue(items, name)

    result = in_blocks(array, start.tail, end.tail, kernel(start.name, end.name), rescue)
    if gimbal_lock == "raise" and target in ANGLES:
        _sequence(target).refuse_lock(result[..., 1])
    return result


@cache
def kernel(source: str, target: str) -> Kernel:
    """The kernel of a pair of names."""
    if source == "matrix" and target in ANGLES:
        return _angles_of_matrix(_sequence(target), target == "rpy")
    if target == "matrix" and source in ANGLES:
        return _matrix_of_angles(_sequence(source), source == "rpy")
    if (source, target) in _DIRECT:
        return _DIRECT[source, target]
    start, end = representation(source), representation(target)

    def through_quaternion(items: FloatArray, out: FloatArray) -> bool:
        q, well = start.quaternion_of(items)
        end.write(q, out)
        return well

    return through_quaternion


def representation(name: str, argument: str = "name") -> Representation:
    """The representation of a name.

    Raises:
        ArgumentError: for any other name than NAMES.
    """
    return _representation(as_choice(name, NAMES, argument))


@cache
def _representation(name: str) -> Representation:
    part = components
    if name == "matrix":
        return Representation(
            name, (3, 3), part.quaternion_of_matrix, part.write_matrix, proper_rotations
        )
    if name == "quaternion":
        return Representation(
            name, (4,), part.quaternion_of_quaternion, part.write_quaternion, scaled_quaternions
        )
    if name == "quaternion_xyzw":
        return Representation(
            name, (4,), part.quaternion_of_scalar_last, part.write_scalar_last, scaled_quaternions
        )
    if name == "rotation_vector":
        return Representation(
            name, (3,), part.quaternion_of_rotation_vector, part.write_rotation_vector, _no_vectors
        )
    if name == "axis_angle":
        return Representation(
            name, (4,), part.quaternion_of_axis_angle, part.write_axis_angle, _scaled_axis
        )
    return _euler(name)


def _euler(name: str) -> Representation:
    sequence, back = _sequence(name), name == "rpy"

    def quaternion_of(angles: FloatArray) -> tuple[FloatArray, bool]:
        return euler_components.quaternion_of_euler(sequence, angles[::-1] if back else angles)

    def write(q: FloatArray, out: FloatArray) -> None:
        euler_components.write_euler(sequence, q, out[:, ::-1] if back else out)

    return Representation(name, (3,), quaternion_of, write, _finite)


def _sequence(name: str) -> EulerSequence:
    # rpy are the angles of ZYX, the last one first
    return euler_sequence("ZYX" if name == "rpy" else name)


def _angles_of_matrix(sequence: EulerSequence, back: bool) -> Kernel:
    def angles_of_matrix(r: FloatArray, out: FloatArray) -> bool:
        return euler_components.euler_of_matrix(sequence, r, out[:, ::-1] if back else out)

    return angles_of_matrix


def _matrix_of_angles(sequence: EulerSequence, back: bool) -> Kernel:
    def matrix_of_angles(angles: FloatArray, out: FloatArray) -> bool:
        return euler_components.matrix_of_euler(sequence, angles[::-1] if back else angles, out)

    return matrix_of_angles


def _finite(value: FloatArray, name: str) -> FloatArray:
    refuse_non_finite(value, name)
    return value


def _no_vectors(value: FloatArray, name: str) -> FloatArray:
    refuse_non_finite(value, name)
    raise ArgumentError(f"{name}: wanted rotation vectors shorter than 1e150 rad")


def _scaled_axis(value: FloatArray, name: str) -> FloatArray:
    refuse_non_finite(value[..., 3], "angle")
    axis = scaled_directions(value[..., :3], "axis", "a direction: any length but 0")
    return np.concatenate((axis, value[..., 3:]), axis=-1)
