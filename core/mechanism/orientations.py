"""An orientation as a user gives it: Euler angles, a rotation matrix, or a quaternion."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray
from ..errors import ArgumentError
from ..frames import (
    euler_from_rotation,
    quaternion_from_euler,
    quaternion_from_rotation,
    rotation_from_euler,
    rotation_from_quaternion,
)
from .arguments import array, scaled

ROTATION_TOLERANCE = 1e-9
LENGTHS = 1e-12, 1e12  # of quaternions that are kept as they are: beyond, first steps are tiny


def as_state(
    owner: str,
    euler: bool,
    sequence: str,
    phi: tuple[str, ArrayLike | None],
    R: tuple[str, ArrayLike | None],  # noqa: N803
    Q: tuple[str, ArrayLike | None],  # noqa: N803
) -> FloatArray | None:
    """The orientation state of whichever was given; None where none was.

    Args:
        owner: for messages.
        euler: whether the state is three angles; else a quaternion, of the length it was given.
        sequence: of the angles.
        phi: name of the parameter, and three angles, rad; R: a_from_b_rot (3, 3); Q: quaternion
            (w, x, y, z) of any length but 0; beyond LENGTHS it is made unit.

    Raises:
        ArgumentError: for more than one of them, and for what is no orientation.
    """
    given = [name for name, value in (phi, R, Q) if value is not None]
    if len(given) > 1:
        raise ArgumentError(f"{owner}: wanted one of {', '.join(given)}, got all of them")
    if phi[1] is not None:
        angles = array(owner, phi[0], phi[1], (3,))
        return np.array(angles) if euler else quaternion_from_euler(angles, sequence)
    if R[1] is not None:
        rotation = array(owner, R[0], R[1], (3, 3))
        off = np.abs(rotation @ rotation.T - np.eye(3)).max()
        if off > ROTATION_TOLERANCE or np.linalg.det(rotation) < 0.0:
            raise ArgumentError(
                f"{owner}: {R[0]}: wanted a rotation matrix, local to world, got "
                f"{rotation.tolist()}"
            )
        own = euler_from_rotation(rotation, sequence) if euler else None
        return quaternion_from_rotation(rotation) if own is None else own
    if Q[1] is not None:
        quaternion = _quaternion(owner, Q[0], Q[1])
        if euler:
            return euler_from_rotation(rotation_from_quaternion(quaternion), sequence)
        return np.array(quaternion)
    return None


def _quaternion(owner: str, name: str, value: ArrayLike) -> FloatArray:
    """(4,), of the length it was given where that suits a state, else unit."""
    given = array(owner, name, value, (4,))
    if not given.any():
        raise ArgumentError(f"{owner}: {name}: wanted a quaternion of any length but 0")
    least, largest = LENGTHS
    if least <= np.abs(given).max() <= largest:
        return given
    short = scaled(given)
    out: FloatArray = short / np.linalg.norm(short)
    return out


def rotation_of_state(state: FloatArray, sequence: str | None) -> FloatArray:
    """a_from_b_rot (…, 3, 3) of a quaternion (…, 4), or of angles (…, 3) of a sequence."""
    if sequence is None:
        return rotation_from_quaternion(state)
    return rotation_from_euler(state, sequence)
