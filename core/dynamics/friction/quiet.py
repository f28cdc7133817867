"""Linear algebra on small matrices that wakes no other thread.

LAPACK's solver of general systems takes other threads where there are some, in some builds from 6
rows on, and waits longer for them than it works while they are busy elsewhere. Its orthogonal
triangles of small matrices do not, nor do products of less than so many operations:

    A x = b:   Q [R, c] = [A, b],   x = R^-1 c

with R^-1 built up from blocks of 1, 2, 4, … rows: [[P, U], [0, Q]]^-1 = [[P', -P' U Q'], [0, Q']].
Large systems are eliminated block by block, each block by its own triangle.
"""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray

PRODUCT = 1 << 17  # multiplications: OpenBLAS takes other threads from twice as many on,
VECTOR = 1 << 12  # and for a matrix times a vector
FEW = 3  # rows with which LAPACK's solver leaves other threads alone
BLOCK = 48  # rows that are eliminated at once
WRONG = 1e-6  # of b: a residual beyond it, which tells of a block that is singular on its own


def times(a: FloatArray, b: FloatArray) -> FloatArray:
    """a @ b, of a (m, k) and b (k, n) or (k,), in as many parts as it needs."""
    width = a.shape[1] * (b.shape[1] if b.ndim > 1 else 1)
    most = (PRODUCT if b.ndim > 1 else VECTOR) // max(width, 1)
    if len(a) <= most or a.shape[1] == 0:
        out: FloatArray = a @ b
        return out
    most = max(most, 1)
    out = np.empty((len(a), *b.shape[1:]))
    for first in range(0, len(a), most):
        np.matmul(a[first : first + most], b, out=out[first : first + most])
    return out


def solved(a: FloatArray, b: FloatArray) -> FloatArray:
    """x (m,) of a x = b; a (m, m), b (m,).

    Raises:
        LinAlgError: where a is singular.
    """
    m = len(b)
    if m <= FEW:
        return np.linalg.solve(a, b)
    if m <= BLOCK:
        table = np.concatenate((a, b[:, None]), axis=1)
        triangle = np.asarray(np.linalg.qr(table, mode="r"), dtype=np.float64)
        out: FloatArray = upper_inverse(triangle[:, :m]) @ triangle[:, m]
        return out
    try:
        out = _by_blocks(a, b)
    except np.linalg.LinAlgError:
        return np.linalg.solve(a, b)
    right = np.abs(times(a, out) - b).max() <= WRONG * np.abs(b).max()
    return out if right else np.linalg.solve(a, b)


def upper_inverse(upper: FloatArray) -> FloatArray:
    """The inverse (n, n) of an upper triangle, of which what is below the diagonal is 0.

    Raises:
        LinAlgError: for 0 on the diagonal.
    """
    n = len(upper)
    size = 1 << (n - 1).bit_length()
    work = np.eye(size)
    work[:n, :n] = upper
    diagonal = work.reshape(-1)[:: size + 1]
    if not diagonal.all():
        raise np.linalg.LinAlgError("0 on the diagonal of a triangle")
    np.reciprocal(diagonal, diagonal)
    item, half = work.itemsize, 1
    while half < size:
        # all pairs of blocks of this size along the diagonal
        shape = (size // (2 * half), half, half)
        steps = (2 * half * (size + 1) * item, size * item, item)
        offsets = 0, half * item, half * (size + 1) * item
        first, beside, last = (_view(work, shape, offset, steps) for offset in offsets)
        np.negative(first @ beside @ last, beside)
        half *= 2
    return work[:n, :n]


def _view(
    work: FloatArray, shape: tuple[int, int, int], offset: int, steps: tuple[int, int, int]
) -> FloatArray:
    """Blocks (count, half, half) of an array, in place."""
    return np.ndarray(shape, work.dtype, work, offset, steps)


def _by_blocks(a: FloatArray, b: FloatArray) -> FloatArray:
    """x (m,) of a x = b, by elimination of blocks of rows without exchange of rows."""
    m = len(b)
    table = np.concatenate((a, b[:, None]), axis=1)
    ends = [(first, min(first + BLOCK, m)) for first in range(0, m, BLOCK)]
    for first, last in ends:
        own = slice(first, last)
        q, r = np.linalg.qr(table[own, own])
        table[own, last:] = times(upper_inverse(r) @ q.T, table[own, last:])
        if last < m:
            table[last:, last:] -= times(table[last:, own], table[own, last:])
    x: FloatArray = table[:, m].copy()
    for first, last in reversed(ends[:-1]):
        x[first:last] -= times(table[first:last, last:m], x[last:])
    return x
