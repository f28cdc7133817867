"""How velocities answer impulses in a step, while constraints and prescribed motions hold.

    A = M + h D + h^2 K                         masses, with what implicit forces add
    dv = B f + N c,   G (v + dv) = G v + c      for impulses f and changes c of the rows' rates
    N = A^-1 G^T (G A^-1 G^T)^+,   B = A^-1 - N G A^-1

in the velocities that are not prescribed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..dynamics import Model
from ..dynamics.contact.impact_law import DEPENDENT
from ..dynamics.model import IntArray
from ..errors import ModelError
from .definite import TreesInverse


class Mobility(NamedTuple):
    """B (nv, nv), and N (nv, m), None without constraints."""

    answer: FloatArray
    turn: FloatArray | None


def mobility(
    model: Model,
    invert: TreesInverse,
    mass: FloatArray,
    rows: FloatArray | None,
    free: IntArray | None,
) -> Mobility:
    """B and N of A = `mass` (nv, nv), G = `rows` (m, nv) and the velocities that are `free`.

    Raises:
        ModelError: for a singular mass matrix.
    """
    nv = len(mass)
    own = mass if free is None else mass[np.ix_(free, free)]
    try:
        inverse = invert(own)
    except np.linalg.LinAlgError as error:
        raise ModelError(
            f"{model.name}: the mass matrix is singular in this pose; links beyond moving joints "
            "need mass and inertia"
        ) from error
    turn = None
    if rows is not None:
        g = rows if free is None else rows[:, free]
        moves = inverse @ g.T
        s = g @ moves
        # rows of different units are made comparable, and redundant ones found
        size = np.sqrt(np.maximum(s.diagonal(), 0.0))
        size = np.where(size > 0.0, size, 1.0)
        turn = (moves / size) @ np.linalg.pinv(s / np.outer(size, size), DEPENDENT, True)
        inverse = inverse - turn @ (moves / size).T
        inverse = 0.5 * (inverse + inverse.T)
        turn = turn / size
    if free is None:
        return Mobility(inverse, turn)
    answer = np.zeros((nv, nv))
    answer[np.ix_(free, free)] = inverse
    if turn is not None:
        spread = np.zeros((nv, turn.shape[1]))
        spread[free] = turn
        turn = spread
    return Mobility(answer, turn)
