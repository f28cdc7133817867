"""What quaternions, axes and rotation matrices must be, checked at the door."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_finite, at, first_index, refuse_non_finite
from ..errors import ArgumentError
from .batches import BLOCK

# Largest entry by which R R^T may differ from 1. Blender's float32 rest matrices of bones are
# off by up to 1.4e-4; a scale of 1.001 is off by 2e-3.
ROTATION_TOLERANCE = 1e-3
# Squared lengths between these bounds neither underflow nor overflow in what follows.
SMALL, LARGE = 1e-200, 1e200


def scaled_directions(value: FloatArray, name: str, what: str) -> FloatArray:
    """The same directions (…, n) with a largest component of 1.

    Raises:
        ArgumentError: for NaN, infinity, and zero vectors; `what` says what was wanted.
    """
    refuse_non_finite(value, name)
    size = np.abs(value).max(axis=-1, keepdims=True)
    zero = size[..., 0] == 0.0
    if zero.any():
        where = first_index(zero)
        raise ArgumentError(f"{name}: wanted {what}, got {value[where].tolist()}{at(where)}")
    scaled: FloatArray = value / size
    return scaled


def scaled_quaternions(value: FloatArray, name: str = "q") -> FloatArray:
    """The same rotations as quaternions (…, 4) with a largest component of 1."""
    return scaled_directions(value, name, "quaternions of any length but 0")


def as_quaternions(value: ArrayLike, name: str = "q") -> FloatArray:
    """`value` as quaternions (…, 4), none of them zero, in their own lengths.

    Raises:
        ArgumentError: for a wrong shape, NaN, infinity, and zero quaternions.
    """
    quaternions = as_finite(value, (4,), name)
    scaled_quaternions(quaternions, name)
    return quaternions


def as_choice(value: object, allowed: tuple[str, ...], name: str) -> str:
    """`value`, one of the allowed names.

    Raises:
        ArgumentError: for anything else, arrays of names among it.
    """
    if not isinstance(value, str) or value not in allowed:
        raise ArgumentError(f"{name}: wanted one of {', '.join(allowed)}, got {value!r}")
    return value


def within_range(result: FloatArray, names: str) -> FloatArray:
    """A result, all of it finite: products of finite numbers may overflow.

    Raises:
        ArgumentError: where it is not; `names` says of which arguments.
    """
    if not np.isfinite(result).all():
        where = first_index(~np.isfinite(result))
        raise ArgumentError(
            f"{names}: wanted numbers whose result is a float64, got {result[where]}{at(where)}"
        )
    return result


def as_unit_vectors(value: ArrayLike, name: str) -> FloatArray:
    """`value` as vectors (…, 3) divided by their length.

    Raises:
        ArgumentError: for a wrong shape, NaN, infinity, and zero vectors.
    """
    vectors = as_finite(value, (3,), name)
    scaled = scaled_directions(vectors, name, "a direction: any length but 0")
    square = (vectors * vectors).sum(axis=-1, keepdims=True)
    sane = (square > SMALL) & (square < LARGE)
    vectors = np.where(sane, vectors, scaled)
    unit: FloatArray = vectors / np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    return unit


def as_points(value: ArrayLike, width: int, name: str) -> FloatArray:
    """`value` as rows (…, n, width), one for each point or vector.

    Raises:
        ArgumentError: for a wrong shape, a single row among it, and for NaN.
    """
    rows = as_finite(value, (width,), name)
    if rows.ndim < 2:
        raise ArgumentError(f"{name}: wanted shape (…, n, {width}), got {rows.shape}")
    return rows


def as_rotations(value: ArrayLike, name: str = "rotation") -> FloatArray:
    """`value` as rotation matrices (…, 3, 3).

    Raises:
        ArgumentError: for a wrong shape, NaN, infinity, and matrices that are no rotations.
    """
    return proper_rotations(as_finite(value, (3, 3), name), name)


def as_transforms(value: ArrayLike, name: str) -> FloatArray:
    """`value` as rigid transforms (…, 4, 4).

    Raises:
        ArgumentError: for a wrong shape, NaN, a block that is no rotation, another last row.
    """
    transforms = as_finite(value, (4, 4), name)
    proper_rotations(transforms[..., :3, :3], f"rotation of {name}")
    wrong = (transforms[..., 3, :] != (0.0, 0.0, 0.0, 1.0)).any(axis=-1)
    if wrong.any():
        where = first_index(wrong)
        row = transforms[where][3].tolist()
        raise ArgumentError(f"{name}: wanted last row [0, 0, 0, 1], got {row}{at(where)}")
    return transforms


def proper_rotations(value: FloatArray, name: str = "rotation") -> FloatArray:
    """The same matrices (…, 3, 3), all of them rotations.

    Raises:
        ArgumentError: for NaN, and where R R^T is not 1 or det R is not 1.
    """
    items = value.reshape(-1, 9)
    with np.errstate(all="ignore"):
        parts = (items[start : start + BLOCK] for start in range(0, len(items), BLOCK))
        if all(rotations_are_proper(part.T.copy(order="C")) for part in parts):
            return value
        refuse_non_finite(value, name)
        gram = np.abs(value @ value.swapaxes(-1, -2) - np.eye(3)).max(axis=(-1, -2), initial=0.0)
        first, second, third = np.moveaxis(value, -2, 0)
        hand = np.abs(third - cross(first, second)).max(axis=-1, initial=0.0)
        wrong = ~((gram <= ROTATION_TOLERANCE) & (hand <= ROTATION_TOLERANCE))
    if wrong.any():
        where = first_index(wrong)
        mirrored = gram[where] <= ROTATION_TOLERANCE
        fault = "det R is -1" if mirrored else f"R R^T differs from 1 by {gram[where]:.2g}"
        raise ArgumentError(
            f"{name}: wanted rotation matrices (R R^T = 1 within {ROTATION_TOLERANCE:g}, "
            f"det R = 1), got {value[where].tolist()}{at(where)}: {fault}"
        )
    return value


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """a x b of vectors (…, 3), many times faster than np.cross on small arrays."""
    ahead: FloatArray = a[..., [1, 2, 0]] * b[..., [2, 0, 1]]
    return ahead - a[..., [2, 0, 1]] * b[..., [1, 2, 0]]


def rotations_are_proper(r: FloatArray) -> bool:
    """Whether all matrices of a block are rotations; False also for NaN.

        r0 . r0 = r1 . r1 = 1,   r0 . r1 = 0,   r2 = r0 x r1

    Args:
        r: (9, m), the entries by rows.
    """
    rows = r.reshape(3, 3, -1)
    first, second, third = rows
    off = np.empty((6, r.shape[1]))
    np.subtract((first * first).sum(axis=0), 1.0, out=off[0])
    np.subtract((second * second).sum(axis=0), 1.0, out=off[1])
    np.sum(first * second, axis=0, out=off[2])
    for n, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        np.multiply(first[i], second[j], out=off[3 + n])
        off[3 + n] -= first[j] * second[i]
    off[3:] -= third
    return bool(off.max() <= ROTATION_TOLERANCE and off.min() >= -ROTATION_TOLERANCE)


def lengths_are_sane(square: FloatArray) -> bool:
    """Whether squared lengths (m,) are far from under- and overflow; False also for NaN."""
    return bool(square.min() > SMALL and square.max() < LARGE)


def all_finite(components: FloatArray) -> bool:
    """Whether a block holds no NaN or infinity; huge numbers may be refused too."""
    return bool(np.isfinite(components.sum()))
