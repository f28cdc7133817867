"""The solve with multipliers, of any rank.

    [M  J^T] [a     ]   [f    ]
    [J  0  ] [lambda] = [gamma]      so     S lambda = J M^-1 f - gamma,   S = J M^-1 J^T

Rows are divided by their typical sizes, so that S is near 1 where the rows are far from any
singularity. An eigenvalue of S is the square of how independent a combination of rows is of the
others: combinations below a threshold are left out, which leaves the motion as it is where they
are redundant, and of all multipliers that make it the ones of least norm are taken. Off the
manifold of the constraints by some slack, redundant rows differ by about as much, so the threshold
grows with it. Where an eigenvalue is neither clearly there nor clearly zero, S knows it to half of
its digits only, and the singular values of L^-1 J^T are taken, M = L L^T.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray

INDEPENDENT = 3e-7  # singular values below it are none; those of rows by themselves are near 1
SLACK = 30.0  # by how much more than the slack redundant rows may differ,
LOOSEST = 1e-2  # but not by more than this
WEAK = 0.05  # singular values below it are those of a nearly singular configuration
STRONG = WEAK**-4  # sums of squares of S^-1 below it: no eigenvalue of S is below WEAK^2
FEW = 3e4  # multiplications, thrice
NOTHING = 1e-13  # an eigenvalue that is zero but for rounding
AGREED = 1e-9  # of accelerations: by so much redundant rows may differ without a closer look
ROUNDING = 1e-12  # of multipliers
CLEAR = 1e-6  # eigenvalues above it are known from S to ten digits


class Solution(NamedTuple):
    """What the solve finds.

    a (…, nv); multipliers (…, m). gap (…, m) is by how much the rows contradict each other, in
    the units of gamma; None where all rows are independent. weakest (…) is the least singular
    value of the rows that count, rank (…) how many combinations of them do.
    """

    a: FloatArray
    multipliers: FloatArray
    gap: FloatArray | None
    weakest: FloatArray
    rank: IntArray


def solve(
    mass: FloatArray,
    force: FloatArray,
    jacobian: FloatArray,
    gamma: FloatArray,
    sizes: FloatArray,
    least: FloatArray | float = INDEPENDENT,
) -> Solution:
    """a and lambda of M a + J^T lambda = f, J a = gamma.

    Args:
        mass: (…, nv, nv), positive definite; force: (…, nv).
        jacobian: (…, m, nv), gamma: (…, m).
        sizes: (m,), typical for the rows, in the metric of M^-1; 0 where a row's own is taken.
        least: (…), singular values below it count as none; see `threshold`.

    Raises:
        LinAlgError: for a singular mass matrix.
    """
    m = jacobian.shape[-2]
    right = np.concatenate((jacobian, force[..., None, :]), axis=-2).swapaxes(-1, -2)
    solved = np.linalg.solve(mass, right)
    products = jacobian @ solved
    r = products[..., m] - gamma
    s = products[..., :m]
    if not sizes.all():
        own = np.sqrt(np.maximum(s.diagonal(axis1=-2, axis2=-1), 0.0))
        sizes = np.where(sizes > 0.0, sizes, np.where(own > 0.0, own, 1.0))
    values, vectors = np.linalg.eigh(s / (sizes[..., :, None] * sizes[..., None, :]))
    bound = np.asarray(least)[..., None]
    kept = values > bound * bound
    if (kept & (values < CLEAR)).any():
        return _by_singular_values(mass, right, gamma, sizes, bound)
    inner = (vectors.swapaxes(-1, -2) @ (r / sizes)[..., None])[..., 0]
    gap = None
    if not kept.all():
        gap = sizes * (vectors @ np.where(kept, 0.0, inner)[..., None])[..., 0]
    inner = np.where(kept, inner / np.where(kept, values, 1.0), 0.0)[..., None]
    multipliers = (vectors @ inner)[..., 0] / sizes
    if gap is not None:
        multipliers = _least_norm(multipliers, vectors, kept, sizes)
    a = solved[..., m] - (solved[..., :m] @ multipliers[..., None])[..., 0]
    return Solution(a, multipliers, gap, np.sqrt(_weakest(values, kept)), kept.sum(axis=-1))


def solve_regular(
    mass: FloatArray,
    force: FloatArray,
    jacobian: FloatArray,
    gamma: FloatArray,
    inverse_sizes: FloatArray,
    weights: FloatArray,
    rank: int,
) -> tuple[FloatArray, FloatArray] | None:
    """a and lambda of one state, in as few calls as can be.

    Args:
        inverse_sizes: (m,), one over the sizes of `solve`; weights: (m, m), their products.
        rank: how many combinations of rows are independent in usual states.

    Returns:
        None where rows are neither clearly independent nor clearly redundant, or contradict, and
        where fewer are independent than usually.
    """
    m, nv = jacobian.shape
    right = np.empty((m + 1, nv))
    right[:m], right[m] = jacobian, force
    solved = np.linalg.solve(mass, right.T)
    products = jacobian.dot(solved)
    values, vectors = np.linalg.eigh(products[:, :m] * weights)
    r = (products[:, m] - gamma) * inverse_sizes
    lost: FloatArray | None = None
    if not values[0] > WEAK * WEAK:
        # eigenvalues are in order: those of redundant combinations come first
        first = int(np.searchsorted(values, NOTHING))
        if m - first < rank or (first < m and not values[first] > WEAK * WEAK):
            return None
        lost, vectors, values = vectors[:, :first], vectors[:, first:], values[first:]
        if not np.abs(lost.T.dot(r)).max() <= AGREED * (1.0 + np.abs(r).max()):
            return None
    multipliers = vectors.dot(vectors.T.dot(r) / values) * inverse_sizes
    a = solved[:, m] - solved[:, :m].dot(multipliers)
    if lost is not None:
        # least norm, where redundant rows have different sizes
        idle = lost * inverse_sizes[:, None]
        acting = idle.T.dot(multipliers)
        if np.abs(acting).max() > ROUNDING * np.abs(multipliers).max():
            multipliers = multipliers - idle.dot(np.linalg.lstsq(idle, multipliers, rcond=None)[0])
    return a, multipliers


def solve_independent(
    mass: FloatArray, force: FloatArray, jacobian: FloatArray, gamma: FloatArray
) -> tuple[FloatArray, FloatArray] | None:
    """a and lambda of one state, where rows of size 1 are clearly independent.

    That shows in S^-1, whose sum of squares bounds one over the least eigenvalue of S, squared.

    Returns:
        None where they are not, or the mass matrix is singular.
    """
    r = len(gamma)
    try:
        solved = np.linalg.solve(mass, np.concatenate((jacobian, force[None])).T)
        products = jacobian.dot(solved)
        inverse = np.linalg.inv(products[:, :r])
    except np.linalg.LinAlgError:
        return None
    if not np.square(inverse).sum() < STRONG:
        return None
    multipliers = inverse.dot(products[:, r] - gamma)
    return solved[:, r] - solved[:, :r].dot(multipliers), multipliers


class FewRows:
    """The same where rows are so few that one larger system is solved faster than two.

        [M  J^T] [a     ]   [f    ]
        [J  0  ] [lambda] = [gamma]

    The buffers mass (n, n), force (n,), jacobian (r, n) and gamma (r,) are filled before; one
    thread at a time. Right-hand sides go one by one: for several at once LAPACK may wake another
    thread, which takes longer than all the rest.
    """

    def __init__(self, n: int, r: int) -> None:
        self._matrix = np.zeros((n + r, n + r))
        self._right = np.eye(r + 1, n + r, n)[..., None]
        self._n, self._r = n, r
        self._corner = np.arange(self._right.size).reshape(r + 1, n + r)[:r, n:].ravel()
        self.mass, self.jacobian = self._matrix[:n, :n], self._matrix[n:, :n]
        self._across, self._transposed = self._matrix[:n, n:], self.jacobian.T
        self.force, self.gamma = self._right[r, :n, 0], self._right[r, n:, 0]

    @staticmethod
    def are_few(n: int, r: int) -> bool:
        """Whether n velocities and r rows make a system that is small enough."""
        return (r + 1) * (n + r) ** 3 < FEW

    def solve(self) -> tuple[FloatArray, FloatArray] | None:
        """See `solve_independent`; the last r rows of the first r solutions are -S^-1."""
        self._across[:] = self._transposed
        try:
            solved = np.linalg.solve(self._matrix, self._right)
        except np.linalg.LinAlgError:
            return None
        n, r = self._n, self._r
        corner = solved.take(self._corner)
        if not corner.dot(corner) < STRONG:
            return None
        found = solved[r, :, 0]
        return found[:n], found[n:]


def threshold(slack: FloatArray | float) -> FloatArray:
    """Below which singular values count as none (…), at a slack (…)."""
    out: FloatArray = np.minimum(np.maximum(SLACK * np.asarray(slack), INDEPENDENT), LOOSEST)
    return out


def _by_singular_values(
    mass: FloatArray, right: FloatArray, gamma: FloatArray, sizes: FloatArray, bound: FloatArray
) -> Solution:
    """The same from B = L^-1 J^T = U sigma V^T, which keeps twice as many digits of S = B^T B.

    lambda = V (U^T y - V^T gamma / sigma) / sigma,   L^T a = y - U (U^T y - V^T gamma / sigma)
    """
    m = gamma.shape[-1]
    lower = np.linalg.cholesky(mass)
    halves = np.linalg.solve(lower, right)
    b, y = halves[..., :m] / sizes[..., None, :], halves[..., m:]
    u, sigma, vt = np.linalg.svd(b, full_matrices=False)
    kept = sigma > bound
    wanted = (gamma / sizes)[..., None]
    part = (u.swapaxes(-1, -2) @ y)[..., 0]
    safe = np.where(kept, sigma, 1.0)
    part = np.where(kept, part - (vt @ wanted)[..., 0] / safe, 0.0)[..., None]
    a = np.linalg.solve(lower.swapaxes(-1, -2), y - u @ part)[..., 0]
    v = vt.swapaxes(-1, -2)
    multipliers = (v @ (part / safe[..., None]))[..., 0] / sizes
    weakest = _weakest(sigma, kept)
    if m <= kept.shape[-1] and kept.all():
        return Solution(a, multipliers, None, weakest, kept.sum(axis=-1))
    multipliers = _least_norm(multipliers, v, kept, sizes)
    scaled = b.swapaxes(-1, -2) @ y - wanted
    own = v * kept[..., None, :]
    gap = sizes * (scaled - own @ (own.swapaxes(-1, -2) @ scaled))[..., 0]
    return Solution(a, multipliers, gap, weakest, kept.sum(axis=-1))


def _weakest(values: FloatArray, kept: BoolArray) -> FloatArray:
    """The least of the values that are kept (…), infinite where none is."""
    least: FloatArray = np.where(kept, values, np.inf).min(axis=-1, initial=np.inf)
    return least


def _least_norm(
    multipliers: FloatArray, vectors: FloatArray, kept: BoolArray, sizes: FloatArray
) -> FloatArray:
    """The multipliers (…, m) without what does not act: their part in the range of S.

    Args:
        vectors: (…, m, k), those of the scaled S, whose kept columns count.
    """
    w = sizes[..., None] * vectors * kept[..., None, :]
    transposed = w.swapaxes(-1, -2)
    # columns that are left out get a one on the diagonal
    spare = np.eye(kept.shape[-1]) * np.where(kept, 0.0, 1.0)[..., None, :]
    own: FloatArray = transposed @ multipliers[..., None]
    part: FloatArray = np.linalg.solve(transposed @ w + spare, own)
    return np.asarray((w @ part)[..., 0], dtype=np.float64)
