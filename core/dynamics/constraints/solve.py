"""The solve with multipliers, of any rank.

    [M  J^T] [a     ]   [f    ]
    [J  0  ] [lambda] = [gamma]      so     S lambda = J M^-1 f - gamma,   S = J M^-1 J^T

Rows are scaled to S_ii = 1. An eigenvalue of S is the square of how independent a combination of
rows is of the others: combinations below a threshold are left out, which leaves the motion as it
is where they are redundant, and of all multipliers that make it the ones of least norm are taken.
Off the manifold of the constraints by some slack, redundant rows differ by about as much, so the
threshold grows with it. Where an eigenvalue is neither clearly there nor clearly zero, and S so
knows it to half of its digits only, the singular values of L^-1 J^T are taken, with M = L L^T.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import BoolArray, FloatArray

INDEPENDENT = 3e-7  # singular values below it are none; the largest is near 1
SLACK = 30.0  # by how much more than the slack redundant rows may differ,
LOOSEST = 1e-2  # but not by more than this
CLEAR = 1e-6  # eigenvalues above it are known from S to ten digits


@dataclass(frozen=True)
class Solution:
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
    moves, free = solved[..., :m], solved[..., m]
    products = jacobian @ solved
    s, r = products[..., :m], products[..., m] - gamma
    size = np.sqrt(np.maximum(s.diagonal(axis1=-2, axis2=-1), 0.0))
    size = np.where(size > 0.0, size, 1.0)
    values, vectors = np.linalg.eigh(s / (size[..., :, None] * size[..., None, :]))
    least = threshold(slack)[..., None]
    kept = values > least * least
    if (kept & (values < CLEAR)).any():
        return _by_singular_values(mass, right, gamma, least)
    scaled = (r / size)[..., None]
    inner = vectors.swapaxes(-1, -2) @ scaled
    inner = np.where(kept, inner[..., 0] / np.where(kept, values, 1.0), 0.0)[..., None]
    multipliers = (vectors @ inner)[..., 0] / size
    gap = None
    if not kept.all():
        multipliers = _least_norm(multipliers, size[..., None] * vectors, kept)
        gap = _gap(scaled, vectors, kept, size)
    a: FloatArray = free - (moves @ multipliers[..., None])[..., 0]
    return Solution(a, multipliers, gap)


def threshold(slack: FloatArray | float) -> FloatArray:
    """Below which singular values count as none (…), at a slack (…)."""
    return np.clip(SLACK * np.asarray(slack, dtype=np.float64), INDEPENDENT, LOOSEST)


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


def _gap(scaled: FloatArray, vectors: FloatArray, kept: BoolArray, size: FloatArray) -> FloatArray:
    """The part of the right-hand side that no multipliers reach, in the rows' own units."""
    lost = vectors * ~kept[..., None, :]
    gap: FloatArray = size * (lost @ (lost.swapaxes(-1, -2) @ scaled))[..., 0]
    return gap
