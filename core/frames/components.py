"""Conversions to and from quaternions, on blocks of contiguous components.

A block is an array (k, m): k components of m items. What turns into quaternions returns (4, m)
and whether the input was well (see checks.py); what comes from them writes (m, n).
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray, frozen
from .batches import ROWS
from .checks import LARGE, SMALL, all_finite, lengths_are_sane, rotations_are_proper
from .kernels import FIRST, ROTATION, SECOND

# The nine entries of |q|^2 R from products of components: four squares, then the mixed ones in
# the order of `_products`; for (w, x, y, z), and for (x, y, z, w).
_PAIRS = ((0, 0), (1, 1), (2, 2), (3, 3), (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
_ROW = {
    frozenset((int(i), int(j))): n for n, (i, j) in enumerate(np.stack((FIRST, SECOND), axis=1))
}
TABLE = frozen(np.array([ROTATION[_ROW[frozenset(pair)], :9] for pair in _PAIRS]))
_SCALAR_LAST = (1, 2, 3, 0)
TABLE_SCALAR_LAST = frozen(
    np.array([ROTATION[_ROW[frozenset(_SCALAR_LAST[n] for n in pair)], :9] for pair in _PAIRS])
)
# Squared lengths that differ from 1 by less are those of unit quaternions, rounded.
UNIT = 4.0 * float(np.finfo(np.float64).eps)
_ONES = frozen(np.ones(4))

# Added to squared lengths, so that a vanishing one divides by 1e-150 and not by 0.
TINY = 1e-300


def quaternion_of_quaternion(q: FloatArray) -> tuple[FloatArray, bool]:
    """The same quaternions, of any length."""
    return q, lengths_are_sane((q * q).sum(axis=0))


def quaternion_of_scalar_last(q: FloatArray) -> tuple[FloatArray, bool]:
    """Quaternions (x, y, z, w) as (w, x, y, z)."""
    return quaternion_of_quaternion(q[[3, 0, 1, 2]])


def quaternion_of_axis_angle(x: FloatArray) -> tuple[FloatArray, bool]:
    """Unit quaternions of (axis, angle): cos(angle / 2), sin(angle / 2) axis / |axis|."""
    axis, angle = x[:3], x[3]
    square = (axis * axis).sum(axis=0)
    return _half_turn(axis, angle, np.sqrt(square)), lengths_are_sane(square) and all_finite(angle)


def quaternion_of_rotation_vector(v: FloatArray) -> tuple[FloatArray, bool]:
    """Unit quaternions of rotation vectors (3, m); of 0 the identity."""
    square = (v * v).sum(axis=0)
    square += TINY
    length = np.sqrt(square)
    return _half_turn(v, length, length), bool(np.isfinite(square.max()))


def _half_turn(axis: FloatArray, angle: FloatArray, length: FloatArray) -> FloatArray:
    # sine and cosine of angle / 2 from one tangent, which costs a fifth of the two
    q = np.empty((4, len(angle)))
    t = np.tan(0.25 * angle)
    square = t * t
    scale = 1.0 / (1.0 + square)
    np.subtract(1.0, square, out=q[0])
    q[0] *= scale
    scale *= t
    scale *= 2.0
    scale /= length
    np.multiply(axis, scale, out=q[1:])
    return q


def quaternion_of_matrix(r: FloatArray) -> tuple[FloatArray, bool]:
    """Unit quaternions of rotation matrices (9, m), with w >= 0.

    Of the four rows of 4 q q^T the one with the largest diagonal entry is taken, so that no
    small number is divided by (S. W. Shepperd, Quaternion from rotation matrix, 1978).
    """
    rows = np.empty((4, 4, r.shape[1]))
    # 4 w w, 4 x x, 4 y y, 4 z z
    up, down = 1.0 + r[0], 1.0 - r[0]
    plus, minus = r[4] + r[8], r[4] - r[8]
    np.add(up, plus, out=rows[0, 0])
    np.subtract(up, plus, out=rows[1, 1])
    np.add(down, minus, out=rows[2, 2])
    np.subtract(down, minus, out=rows[3, 3])
    for n, (i, j, above, below) in enumerate(((2, 3, 5, 7), (3, 1, 6, 2), (1, 2, 1, 3)), start=1):
        # 4 w x, 4 y z and so on
        np.subtract(r[below], r[above], out=rows[0, n])
        rows[n, 0] = rows[0, n]
        np.add(r[below], r[above], out=rows[i, j])
        rows[j, i] = rows[i, j]
    low = np.where(rows[0, 0] >= rows[1, 1], rows[0], rows[1])
    high = np.where(rows[2, 2] >= rows[3, 3], rows[2], rows[3])
    largest = np.maximum(rows[0, 0], rows[1, 1]) >= np.maximum(rows[2, 2], rows[3, 3])
    q = np.where(largest, low, high)
    scale = 1.0 / np.sqrt((q * q).sum(axis=0))
    np.negative(scale, out=scale, where=q[0] < 0.0)
    q *= scale
    return q, rotations_are_proper(r)


def write_quaternion(q: FloatArray, out: FloatArray) -> None:
    """Unit quaternions, in the order of q."""
    unit_in_order(q, out)


def write_scalar_last(q: FloatArray, out: FloatArray) -> None:
    """Unit quaternions (x, y, z, w) of q = (w, x, y, z)."""
    unit_scalar_moved_last(q, out)


def unit_in_order(q: FloatArray, out: FloatArray) -> bool:
    """Write unit quaternions (m, 4) of quaternions (4, m) of any length, in their own order."""
    square = _ONES @ (q * q)
    np.multiply(q, 1.0 / np.sqrt(square), out=out.T)
    return lengths_are_sane(square)


def unit_scalar_moved_last(q: FloatArray, out: FloatArray) -> bool:
    """The same of (w, x, y, z) as (x, y, z, w)."""
    square = _ONES @ (q * q)
    scale = 1.0 / np.sqrt(square)
    np.multiply(q[1:], scale, out=out.T[:3])
    np.multiply(q[0], scale, out=out.T[3])
    return lengths_are_sane(square)


def unit_scalar_moved_first(q: FloatArray, out: FloatArray) -> bool:
    """The same of (x, y, z, w) as (w, x, y, z)."""
    square = _ONES @ (q * q)
    scale = 1.0 / np.sqrt(square)
    np.multiply(q[:3], scale, out=out.T[1:])
    np.multiply(q[3], scale, out=out.T[0])
    return lengths_are_sane(square)


def write_matrix(q: FloatArray, out: FloatArray) -> None:
    """Rotation matrices (m, 9) of unit quaternions: products times a constant table."""
    _write_products(_products(q), TABLE, out)


def matrix_of_quaternion(q: FloatArray, out: FloatArray, table: FloatArray = TABLE) -> bool:
    """Write the rotation matrices (m, 9) of quaternions (4, m) of any length.

    Source: C. Rucker, Integrating Rotations using Non-Unit Quaternions (2018), eq. 6.
    """
    products = np.empty((10, q.shape[1]))
    squares, others = products[:4], q[1:]
    np.multiply(q, q, out=squares)
    square = _ONES @ squares
    low, high = float(square.min()), float(square.max())
    if not (1.0 - low <= UNIT and high - 1.0 <= UNIT):
        # every product divided by |q|^2: seven rows to scale instead of ten
        scale = 1.0 / square
        squares *= scale
        others = others * scale
    _fill_mixed(q, others, products)
    _write_products(products, table, out)
    return low > SMALL and high < LARGE


def matrix_of_scalar_last(q: FloatArray, out: FloatArray) -> bool:
    """The same of quaternions (x, y, z, w)."""
    return matrix_of_quaternion(q, out, TABLE_SCALAR_LAST)


def _products(q: FloatArray) -> FloatArray:
    products = np.empty((10, q.shape[1]))
    np.multiply(q, q, out=products[:4])
    _fill_mixed(q, q[1:], products)
    return products


def _fill_mixed(q: FloatArray, others: FloatArray, products: FloatArray) -> None:
    """The six mixed products, `others` being the last three components, scaled or not."""
    np.multiply(q[0], others, out=products[4:7])
    np.multiply(q[1], others[1:], out=products[7:9])
    np.multiply(q[2], others[2], out=products[9])


def _write_products(products: FloatArray, table: FloatArray, out: FloatArray) -> None:
    # above 2912 rows OpenBLAS starts threads, which do not pay
    whole = len(out) // ROWS
    if whole:
        cut = whole * ROWS
        parts = products[:, :cut].reshape(10, whole, ROWS).transpose(1, 2, 0)
        np.matmul(parts, table, out=out[:cut].reshape(whole, ROWS, 9))
        products, out = products[:, cut:], out[cut:]
    if len(out):
        np.matmul(products.T, table, out=out)


def write_rotation_vector(q: FloatArray, out: FloatArray) -> None:
    """Rotation vectors (m, 3) of length 0 to pi."""
    length, angle = _vector_length_and_angle(q)
    angle /= length
    np.negative(angle, out=angle, where=q[0] < 0.0)
    np.multiply(q[1:], angle, out=out.T)


def write_axis_angle(q: FloatArray, out: FloatArray) -> None:
    """Unit axes and angles from 0 to pi (m, 4); of the identity (1, 0, 0) and 0."""
    length, angle = _vector_length_and_angle(q)
    scale = 1.0 / length
    np.negative(scale, out=scale, where=q[0] < 0.0)
    np.multiply(q[1:], scale, out=out.T[:3])
    out[:, 3] = angle
    still = ~q[1:].any(axis=0) | (length <= 2.0 * np.sqrt(TINY))
    if still.any():
        out[still] = (1.0, 0.0, 0.0, 0.0)


def _vector_length_and_angle(q: FloatArray) -> tuple[FloatArray, FloatArray]:
    # |(x, y, z)| and the angle of rotation in [0, pi], both accurate near 0 and near pi
    length = np.sqrt((q[1:] * q[1:]).sum(axis=0) + TINY)
    angle = np.arctan2(length, np.abs(q[0]))
    angle *= 2.0
    return length, angle
