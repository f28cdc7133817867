"""Quaternion kernels without checks, for code that runs thousands of times a second.

Each is bilinear in the components, so it is an outer product times a constant table: three to
five numpy calls whatever the number of rows. The caller vouches for shapes and for |q| > 0.
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray, frozen
from .batches import ROWS

# Numbers in the input from which blocks of contiguous components are faster.
LARGE = 4000

# Hamilton's product, e_i e_j = sign e_k: row 4 i + j, column k
PRODUCT = np.zeros((4, 4, 4))
for _i, _j, _k, _sign in (
    *((0, n, n, 1.0) for n in range(4)),
    *((n, 0, n, 1.0) for n in range(1, 4)),
    *((n, n, 0, -1.0) for n in range(1, 4)),
    *((1, 2, 3, 1.0), (2, 3, 1, 1.0), (3, 1, 2, 1.0)),
    *((2, 1, 3, -1.0), (3, 2, 1, -1.0), (1, 3, 2, -1.0)),
):
    PRODUCT[_i, _j, _k] = _sign
CONJUGATE = frozen(np.array([1.0, -1.0, -1.0, -1.0]))

# q' = 1/2 q (0, omega): row 3 i + j of q_i omega_j
RATE = frozen(0.5 * PRODUCT[:, 1:].reshape(12, 4))
# 2 vec(conj(q) q'): row 4 i + j of q_i q'_j
VELOCITY = frozen((2.0 * CONJUGATE[:, None, None] * PRODUCT[..., 1:]).reshape(16, 3))
PRODUCT = frozen(PRODUCT.reshape(16, 4))

# the ten products q_i q_j with i <= j, and |q|^2 R (nine columns, by rows) and |q|^2 of them
FIRST = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 3])
SECOND = np.array([0, 1, 2, 3, 1, 2, 3, 2, 3, 3])
_WW, _WX, _WY, _WZ, _XX, _XY, _XZ, _YY, _YZ, _ZZ = np.eye(10)
ROTATION = frozen(
    np.stack(
        (
            *(_WW + _XX - _YY - _ZZ, 2.0 * (_XY - _WZ), 2.0 * (_XZ + _WY)),
            *(2.0 * (_XY + _WZ), _WW - _XX + _YY - _ZZ, 2.0 * (_YZ - _WX)),
            *(2.0 * (_XZ - _WY), 2.0 * (_YZ + _WX), _WW - _XX - _YY + _ZZ),
            _WW + _XX + _YY + _ZZ,
        ),
        axis=-1,
    )
)


def rotation_of(q: FloatArray) -> FloatArray:
    """The rotation matrix (…, 3, 3) of quaternions (…, 4) of any length."""
    products = q.take(FIRST, axis=-1) * q.take(SECOND, axis=-1)
    scaled = products @ ROTATION
    return (scaled[..., :9] / scaled[..., 9:]).reshape(*q.shape[:-1], 3, 3)


def product_of(p: FloatArray, q: FloatArray) -> FloatArray:
    """Hamilton's product (…, 4) of quaternions (…, 4)."""
    return _bilinear(p, q, PRODUCT)


def rate_of(q: FloatArray, omega: FloatArray) -> FloatArray:
    """q' (…, 4) of quaternions (…, 4) and body rates (…, 3)."""
    return _bilinear(q, omega, RATE)


def angular_velocity_of(q: FloatArray, q_dot: FloatArray) -> FloatArray:
    """2 vec(conj(q) q') / |q|^2 (…, 3) of quaternions and their rates (…, 4)."""
    velocity: FloatArray = _bilinear(q, q_dot, VELOCITY) / (q * q).sum(axis=-1, keepdims=True)
    return velocity


def _bilinear(p: FloatArray, q: FloatArray, table: FloatArray) -> FloatArray:
    """All products of a component of p and one of q, times a table."""
    if p.size + q.size > LARGE:
        return _bilinear_in_blocks(p, q, table)
    pairs = p[..., :, None] * q[..., None, :]
    result: FloatArray = pairs.reshape(*pairs.shape[:-2], len(table)) @ table
    return result


def _bilinear_in_blocks(p: FloatArray, q: FloatArray, table: FloatArray) -> FloatArray:
    lead = np.broadcast_shapes(p.shape[:-1], q.shape[:-1])
    left = np.broadcast_to(p, (*lead, p.shape[-1])).reshape(-1, p.shape[-1])
    right = np.broadcast_to(q, (*lead, q.shape[-1])).reshape(-1, q.shape[-1])
    out = np.empty((len(left), table.shape[1]))
    for start in range(0, len(left), ROWS):
        part = slice(start, start + ROWS)
        pairs = left[part].T.copy()[:, None] * right[part].T.copy()
        np.matmul(pairs.reshape(len(table), -1).T, table, out=out[part])
    return out.reshape(*lead, table.shape[1])
