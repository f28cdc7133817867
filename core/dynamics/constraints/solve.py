"""The solve with multipliers, of any rank.

    [M  J^T] [a     ]   [f    ]
    [J  0  ] [lambda] = [gamma]      so     S lambda = J M^-1 f - gamma,   S = J M^-1 J^T

An eigenvalue of S is the square of how independent a combination of rows is of the others:
combinations below a threshold are left out, which leaves the motion as it is where they are
redundant, and of all multipliers that make it the ones of least norm are taken. Off the manifold
of the constraints by some slack, redundant rows differ by about as much, so the threshold grows
with it. Where an eigenvalue is neither clearly there nor clearly zero, as S knows it to half of its
digits only and as rows may be in different units, the singular values of L^-1 J^T with columns of
length one are taken, M = L L^T.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray

INDEPENDENT = 3e-7  # singular values below it are none; the largest is near 1
SLACK = 30.0  # by how much more than the slack redundant rows may differ,
LOOSEST = 1e-2  # but not by more than this
CLEAR = 1e-6  # eigenvalues above it are known from S to ten digits


class Solution(NamedTuple):
    """What the solve finds.

    a (…, nv); multipliers (…, m). gap (…, m) is by how much the rows contradict each other, in
    the units of gamma; None where all rows are independent.
    """

    a: FloatArray
    multipliers: FloatArray
    gap: FloatArray | None


def solve(
    mass: FloatArray,
    force: FloatArray,
    jacobian: FloatArray,
    gamma: FloatArray,
    slack: FloatArray | float = 0.0,
) -> Solution:
    """a and lambda of M a + J^T lambda = f, J a = gamma.

    Args:
        mass: (…, nv, nv), positive definite; force: (…, nv).
        jacobian: (…, m, nv), gamma: (…, m).
        slack: (…), how far the state is off the manifold, relative to its size.

    Raises:
        LinAlgError: for a singular mass matrix.
    """
    m = jacobian.shape[-2]
    right = np.concatenate((jacobian, force[..., None, :]), axis=-2).swapaxes(-1, -2)
    solved = np.linalg.solve(mass, right)
    products = jacobian @ solved
    r = products[..., m] - gamma
    values, vectors = np.linalg.eigh(products[..., :m])
    least = threshold(slack)
    gap = None
    if values.ndim == 1 and values[0] > CLEAR * values[-1] and least * least < CLEAR:
        # one state, all rows independent: the usual case, in few calls
        multipliers = vectors.dot(vectors.T.dot(r) / values)
        return Solution(solved[:, m] - solved[:, :m].dot(multipliers), multipliers, None)
    largest = values[..., -1:]
    kept = values > np.square(least)[..., None] * largest
    if (kept & (values < CLEAR * largest)).any():
        return _by_singular_values(mass, right, gamma, least[..., None])
    inner = (vectors.swapaxes(-1, -2) @ r[..., None])[..., 0]
    if not kept.all():
        gap = (vectors @ np.where(kept, 0.0, inner)[..., None])[..., 0]
    inner = np.where(kept, inner / np.where(kept, values, 1.0), 0.0)[..., None]
    multipliers = (vectors @ inner)[..., 0]
    a: FloatArray = solved[..., m] - (solved[..., :m] @ multipliers[..., None])[..., 0]
    return Solution(a, multipliers, gap)


def threshold(slack: FloatArray | float) -> FloatArray:
    """Below which singular values count as none (…), at a slack (…)."""
    out: FloatArray = np.minimum(np.maximum(SLACK * np.asarray(slack), INDEPENDENT), LOOSEST)
    return out


def _by_singular_values(
    mass: FloatArray, right: FloatArray, gamma: FloatArray, least: FloatArray
) -> Solution:
    """The same from B = L^-1 J^T = U sigma V^T, which keeps twice as many digits of S = B^T B.

    lambda = V (U^T y - V^T gamma / sigma) / sigma,   L^T a = y - U (U^T y - V^T gamma / sigma)
    """
    m = gamma.shape[-1]
    lower = np.linalg.cholesky(mass)
    halves = np.linalg.solve(lower, right)
    b, y = halves[..., :m], halves[..., m:]
    size = np.sqrt((b * b).sum(axis=-2))
    size = np.where(size > 0.0, size, 1.0)
    u, sigma, vt = np.linalg.svd(b / size[..., None, :], full_matrices=False)
    kept = sigma > least
    wanted = (gamma / size)[..., None]
    part = (u.swapaxes(-1, -2) @ y)[..., 0]
    safe = np.where(kept, sigma, 1.0)
    part = np.where(kept, part - (vt @ wanted)[..., 0] / safe, 0.0)[..., None]
    a = np.linalg.solve(lower.swapaxes(-1, -2), y - u @ part)[..., 0]
    v = vt.swapaxes(-1, -2)
    multipliers = (v @ (part / safe[..., None]))[..., 0] / size
    if m <= kept.shape[-1] and kept.all():
        return Solution(a, multipliers, None)
    multipliers = _least_norm(multipliers, size[..., None] * v, kept)
    scaled = b.swapaxes(-1, -2) @ y / size[..., None] - wanted
    own = v * kept[..., None, :]
    gap = size * (scaled - own @ (own.swapaxes(-1, -2) @ scaled))[..., 0]
    return Solution(a, multipliers, gap)


def _least_norm(multipliers: FloatArray, basis: FloatArray, kept: BoolArray) -> FloatArray:
    """The multipliers (…, m) without what does not act: their part in the range of S.

    Args:
        basis: (…, m, k), whose kept columns span the range.
    """
    w = basis * kept[..., None, :]
    transposed = w.swapaxes(-1, -2)
    # columns that are left out get a one on the diagonal
    spare = np.eye(kept.shape[-1]) * np.where(kept, 0.0, 1.0)[..., None, :]
    own: FloatArray = transposed @ multipliers[..., None]
    part: FloatArray = np.linalg.solve(transposed @ w + spare, own)
    return np.asarray((w @ part)[..., 0], dtype=np.float64)
