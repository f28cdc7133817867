"""The inverse of a small positive definite matrix, in few calls that wake no other thread.

    A = L L^T,   A^-1 = L^-T L^-1

L^-1 is built up from blocks of 1, 2, 4, … rows: [[P, 0], [R, Q]]^-1 = [[P', 0], [-Q' R P', Q']],
all blocks of one size in one call. LAPACK's solver of general systems takes a second thread where
there is one, and waits for it longer than it works while that is busy elsewhere.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..arrays import FloatArray


class DefiniteInverse:
    """Inverts matrices (n, n), one after the other."""

    def __init__(self, n: int) -> None:
        self._n = n
        size = 1
        while size < n:
            size *= 2
        self._work = np.eye(size)
        self._diagonal = np.arange(n) * (size + 1)
        self._levels: list[tuple[FloatArray, FloatArray, FloatArray, FloatArray]] = []
        half = 1
        while half < size:
            first = self._blocks(half, 0, 0)
            lower, last = self._blocks(half, half, 0), self._blocks(half, half, half)
            self._levels.append((first, lower, last, np.empty(lower.shape)))
            half *= 2

    def __call__(self, matrix: FloatArray) -> FloatArray:
        """The inverse (n, n), exactly symmetric.

        Raises:
            LinAlgError: where the matrix is not positive definite.
        """
        n, work = self._n, self._work
        work[:n, :n] = np.linalg.cholesky(matrix)
        flat = work.reshape(-1)
        flat[self._diagonal] = 1.0 / flat[self._diagonal]
        for first, lower, last, product in self._levels:
            np.matmul(last, lower, product)
            np.matmul(product, first, lower)
            np.negative(lower, lower)
        inner = work[:n, :n]
        out: FloatArray = inner.T @ inner
        return out

    def _blocks(self, half: int, row: int, column: int) -> FloatArray:
        """(k, half, half): at an offset in each block of twice that size on the diagonal."""
        work = self._work
        size, item = len(work), work.itemsize
        step = 2 * half * (size + 1) * item
        shape = (size // (2 * half), half, half)
        return as_strided(work[row:, column:], shape, (step, size * item, item))
