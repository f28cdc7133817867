"""Linear complementarity with a symmetric, positive semidefinite matrix.

    w = W x + c,   x >= 0,   w >= 0,   x . w = 0

which is the least of x . W x / 2 + c . x over x >= 0. W x is unique, x only where W is regular.

Mostly a few guesses of which x are positive find it; else these enter one by one.

Source: J. Nocedal, S. Wright, Numerical Optimization, 2nd ed., section 16.5 (active sets);
M. Hintermueller, K. Ito, K. Kunisch, The primal-dual active set strategy as a semismooth Newton
method, SIAM J. Optim. 13 (2003), for the guesses.
"""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray
from ...errors import SimulationError

ROUNDING = 1e-13  # of the largest entry of c
DEPENDENT = 1e-11  # of a diagonal entry: below it a row adds nothing to those before
AGREED = 1e-9  # of what a row is summed up from: by so much those before may contradict it
GUESSES = 6  # of the x that are positive, all at once
ROUNDS = 100  # of each unknown


def complementary(matrix: FloatArray, vector: FloatArray) -> FloatArray:
    """x (n,) of W (n, n) and c (n,); where there are several, that of least norm if it will do.

    Raises:
        SimulationError: where there is none.
    """
    scale = np.sqrt(np.maximum(matrix.diagonal(), 0.0))
    scale = np.where(scale > 0.0, scale, 1.0)
    least = ROUNDING * float(np.abs(vector / scale).max(initial=0.0)) * scale
    x = _guessed(matrix, vector, least)
    if x is None:
        x = _one_by_one(matrix, vector, scale, least)
    return _spread(matrix, vector, x, least)


def _guessed(matrix: FloatArray, vector: FloatArray, least: FloatArray) -> FloatArray | None:
    """x (n,), where one of a few guesses finds it."""
    inside = vector < -least
    for _ in range(GUESSES):
        x = np.zeros(len(vector))
        try:
            x[inside] = np.linalg.solve(matrix[np.ix_(inside, inside)], -vector[inside])
        except np.linalg.LinAlgError:
            return None
        w = matrix @ x + vector
        if not (np.abs(w) <= least)[inside].all():
            return None
        wrong = np.where(inside, x < 0.0, w < -least)
        if not wrong.any():
            return x
        inside = inside ^ wrong
    return None


def _one_by_one(
    matrix: FloatArray, vector: FloatArray, scale: FloatArray, least: FloatArray
) -> FloatArray:
    """x (n,), of which one after the other enters, the most violated w first."""
    n = len(vector)
    x, inside, settled = np.zeros(n), list[int](), list[int]()
    for _ in range(ROUNDS * (n + 1)):
        w = matrix @ x + vector
        w[inside + settled] = 0.0
        most = int(np.argmin(w / scale)) if n else 0
        if not n or w[most] >= -least[most]:
            break
        if not _enter(matrix, vector, x, inside, most):
            settled.append(most)
    else:
        raise SimulationError("the contacts do not come to an agreement")
    if inside:
        x[inside] = np.maximum(np.linalg.solve(matrix[np.ix_(inside, inside)], -vector[inside]), 0)
    return x


def _enter(
    matrix: FloatArray, vector: FloatArray, x: FloatArray, inside: list[int], new: int
) -> bool:
    """Let x grow at `new` until its w vanishes; those that get to 0 on the way leave.

    False where w depends on those before and would vanish but for rounding.

    Raises:
        SimulationError: where it depends on them and is negative.
    """
    while True:
        step = np.zeros(len(x))
        step[new] = 1.0
        if inside:
            block = matrix[np.ix_(inside, inside)]
            step[inside] = -np.linalg.solve(block, matrix[inside, new])
        bend = float(matrix[new] @ step)
        slope = float(matrix[new] @ x + vector[new])
        far = -slope / bend if bend > DEPENDENT * matrix[new, new] else np.inf
        blocking = -1
        for index in inside:
            if step[index] < 0.0 and x[index] / -step[index] < far:
                far, blocking = x[index] / -step[index], index
        if not np.isfinite(far):
            amounts = np.abs(matrix[new]) @ np.abs(x) + np.abs(vector[new])
            if slope >= -AGREED * float(amounts):
                return False
            raise SimulationError("the contacts contradict each other")
        x += max(far, 0.0) * step
        if blocking < 0:
            inside.append(new)
            return True
        x[blocking] = 0.0
        inside.remove(blocking)


def _spread(matrix: FloatArray, vector: FloatArray, x: FloatArray, least: FloatArray) -> FloatArray:
    """Of the solutions with the same w that of least norm, where it is one."""
    w = matrix @ x + vector
    tied = np.flatnonzero(np.abs(w) <= 10.0 * least + 1e-14 * np.abs(vector).max(initial=0.0))
    if not len(tied):
        return x
    even = np.zeros_like(x)
    even[tied] = np.linalg.pinv(matrix[np.ix_(tied, tied)], 1e-10, True) @ -vector[tied]
    off = np.abs(matrix @ (even - x)).max()
    if (even[tied] >= 0.0).all() and off <= 1e-12 * np.abs(vector).max(initial=0.0):
        return even
    return x
