"""Newton's method on Coulomb's law: exact to rounding from a guess of who sticks and who slides.

    F(p) = p - P(p - W p - b) = 0,    F' = I - D + D W,   D = dP/dz

D tells open, sticking and sliding contacts apart, so that one linear solve settles a right guess.
Where contacts are redundant W is singular; F' has W + epsilon I in its place, which leaves F alone
and takes the least step among those that do.

Source: P. Alart, A. Curnier, Comp. Meth. Appl. Mech. Eng. 92 (1991); V. Acary, M. Bremond,
O. Huber, On solving contact problems with Coulomb friction: formulations and numerical
comparisons (2018), section 5.
"""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray
from .scaled import Found, Scaled

EPSILON = 1e-9  # of the diagonal: redundant contacts share to 1e-7, others lose 1e-9 a step
ROUNDING = 2.3e-16  # of z: where impulses grow beyond all bounds, no residual is seen any more
LOST = 1e6  # a residual this much above the best one so far comes to nothing


def newton(problem: Scaled, start: FloatArray, enough: float, most: int) -> Found:
    """The best point met within `most` steps from p (m,), residual <= `enough` ending them."""
    law, count = problem.law, 3 * len(problem.law.friction)
    m = len(start)
    bent = problem.matrix.copy()
    bent.flat[:: m + 1] += EPSILON - 1.0
    rows = bent[:count].reshape(-1, 3, m)
    point, best = start, Found(law.project(start).onto, np.inf, 0)
    for step in range(most + 1):
        z = point - (problem.matrix @ point + problem.vector)
        at = law.project(z)
        gap = point - at.onto
        error = (np.abs(gap) + ROUNDING * np.abs(z)) * problem.unit
        residual = float(error.max(initial=0.0))
        best = best.better(Found(at.onto, residual, step))
        if residual <= enough or step == most or not residual < LOST * best.residual:
            break
        blocks, scalars = law.slopes(z, at)
        slope = np.empty((m, m))
        np.matmul(blocks, rows, out=slope[:count].reshape(-1, 3, m))
        np.multiply(scalars[:, None], bent[count:], out=slope[count:])
        slope.flat[:: m + 1] += 1.0
        try:
            point = point - np.linalg.solve(slope, gap)
        except np.linalg.LinAlgError:
            break
    return Found(best.point, best.residual, step)
