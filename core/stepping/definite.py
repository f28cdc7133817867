"""The inverse of a small positive definite matrix, in few calls that wake no other thread.

    A = L L^T,   A^-1 = L^-T L^-1

L^-1 is built up from blocks of 1, 2, 4, … rows: [[P, 0], [R, Q]]^-1 = [[P', 0], [-Q' R P', Q']],
all blocks of one size in one call. LAPACK's solver of general systems takes a second thread where
there is one, and waits for it longer than it works while that is busy elsewhere.

Velocities of trees that only the world connects do not share entries of A; many trees of one size
are inverted at once.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..arrays import FloatArray
from ..dynamics import Model
from ..dynamics.model import IntArray


class DefiniteInverse:
    """Inverts stacks of matrices (count, n, n), one after the other."""

    def __init__(self, n: int, count: int = 1) -> None:
        self._n = n
        size = 1
        while size < n:
            size *= 2
        self._work = np.broadcast_to(np.eye(size), (count, size, size)).copy()
        item = self._work.itemsize
        steps = (size * size * item, (size + 1) * item)
        self._diagonal = as_strided(self._work, (count, n), steps)
        self._levels: list[tuple[FloatArray, FloatArray, FloatArray, FloatArray]] = []
        half = 1
        while half < size:
            first = self._blocks(half, 0, 0)
            lower, last = self._blocks(half, half, 0), self._blocks(half, half, half)
            self._levels.append((first, lower, last, np.empty(lower.shape)))
            half *= 2

    def __call__(self, matrix: FloatArray) -> FloatArray:
        """The inverses (count, n, n), exactly symmetric.

        Raises:
            LinAlgError: where a matrix is not positive definite.
        """
        n, work = self._n, self._work
        work[:, :n, :n] = np.linalg.cholesky(matrix)
        np.reciprocal(self._diagonal, self._diagonal)
        for first, lower, last, product in self._levels:
            np.matmul(last, lower, product)
            np.matmul(product, first, lower)
            np.negative(lower, lower)
        inner = work[:, :n, :n]
        out: FloatArray = inner.swapaxes(1, 2) @ inner
        return out

    def _blocks(self, half: int, row: int, column: int) -> FloatArray:
        """(count, k, half, half): at an offset in each block of twice that size on the diagonal."""
        work = self._work
        count, size, _ = work.shape
        item = work.itemsize
        shape = (count, size // (2 * half), half, half)
        steps = (size * size * item, 2 * half * (size + 1) * item, size * item, item)
        return as_strided(work[:, row:, column:], shape, steps)


class TreesInverse:
    """Inverts A (n, n) of the velocities `free` of a model, tree by tree."""

    def __init__(self, model: Model, free: IntArray) -> None:
        trees: dict[int, list[IntArray]] = {}
        for own in _trees(model, free):
            trees.setdefault(len(own), []).append(own)
        self._groups: list[tuple[IntArray, IntArray, DefiniteInverse]] = []
        for size, members in trees.items():
            places = np.array(members)
            rows, columns = places[:, :, None], places[:, None, :]
            self._groups.append((rows, columns, DefiniteInverse(size, len(members))))
        self._one = len(self._groups) == 1 and len(self._groups[0][0]) == 1

    def __call__(self, matrix: FloatArray) -> FloatArray:
        """The inverse (n, n).

        Raises:
            LinAlgError: where the matrix is not positive definite.
        """
        if self._one:
            out: FloatArray = self._groups[0][2](matrix[None])[0]
            return out
        out = np.zeros_like(matrix)
        for rows, columns, invert in self._groups:
            out[rows, columns] = invert(matrix[rows, columns])
        return out


def _trees(model: Model, free: IntArray) -> list[IntArray]:
    """The places among `free` of the velocities of each tree of the world."""
    root = np.zeros(len(model.parents), dtype=np.intp)
    for frame, parent in enumerate(model.parents):
        root[frame] = frame if parent == 0 else root[parent]
    of_dof = root[model.dof_frame]
    if model.dof_from_v is not None:
        # a coupled joint may be of another tree than its leader
        uses = model.dof_from_v != 0.0
        tied = [np.unique(of_dof[uses[:, v]]) for v in range(model.nv)]
        for roots in tied:
            if len(roots) > 1:
                of_dof = np.where(np.isin(of_dof, roots), roots[0], of_dof)
        of_v = np.array([of_dof[np.argmax(uses[:, v])] for v in range(model.nv)], dtype=np.intp)
    else:
        of_v = of_dof
    own = of_v[free]
    return [np.flatnonzero(own == tree) for tree in np.unique(own)]
