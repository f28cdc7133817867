"""Newton's method on Coulomb's law: exact to rounding from a guess of who sticks and who slides.

    F(p) = p - P(p - W p - b) = 0,    F' = I - D + D W,   D = dP/dz

D tells open, sticking and sliding contacts apart, so that one linear solve settles a right guess.
Where contacts are redundant W is singular; F' has W + epsilon I in its place, which leaves F alone
and takes the least step among those that do.

Source: P. Alart, A. Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991) 353-375; V. Acary,
M. Bremond, O. Huber, On solving contact problems with Coulomb friction: formulations and numerical
comparisons, in: Advanced Topics in Nonsmooth Dynamics (2018).
"""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray
from .quiet import solved
from .scaled import Found, Scaled

EPSILON = 1e-7  # of the mean mobility: redundant contacts share to 1e-8, others lose 1e-7 a step
STALLED = 4  # steps without the residual falling below its least
LOST = 1e6  # times the least residual: a step that comes to nothing
MANY = 24  # rows of which those of open contacts are left out of the solve


def newton(problem: Scaled, start: FloatArray, enough: float, most: int) -> Found:
    """The best point met within `most` steps from p' (m,), residual <= `enough` ending them."""
    m, count = len(start), 3 * len(problem.law.friction)
    point, best, least, since = start, start, np.inf, 0
    bent = rows = problem.matrix
    for step in range(most + 1):
        stay = problem.stay(point)
        if stay.residual < least:
            best, least, since = stay.at.onto, stay.residual, step
        if least <= enough or step == most or step - since == STALLED:
            break
        if not stay.residual < LOST * least:
            break
        if step == 0:
            bent = problem.matrix.copy()
            bent.flat[:: m + 1] += EPSILON - 1.0
            rows = bent[:count].reshape(-1, 3, m)
        blocks, scalars = problem.law.slopes(stay.z, stay.at)
        slope = np.empty((m, m))
        np.matmul(blocks, rows, out=slope[:count].reshape(-1, 3, m))
        np.multiply(scalars[:, None], bent[count:], out=slope[count:])
        slope.flat[:: m + 1] += 1.0
        try:
            point = point - _step(slope, stay.gap, blocks, scalars)
        except np.linalg.LinAlgError:
            break
    return Found(best, least, step)


def _step(
    slope: FloatArray, gap: FloatArray, blocks: FloatArray, scalars: FloatArray
) -> FloatArray:
    """F'^-1 gap (m,), of which the rows where D = 0 say that it is the gap itself."""
    m = len(gap)
    if m <= MANY:
        return solved(slope, gap)
    closed = np.concatenate((np.repeat(blocks[:, 0, 0], 3), scalars)) > 0.0
    if closed.all():
        return solved(slope, gap)
    out = gap.copy()
    if closed.any():
        rows = slope[closed]
        out[closed] = solved(rows[:, closed], gap[closed] - rows[:, ~closed] @ gap[~closed])
    return out
