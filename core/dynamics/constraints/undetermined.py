"""Starts from which a mechanism would not know where to go.

In a singular configuration J allows more velocities than there are motions. A start that moves says
by its velocities which motion goes on (see `near_singular`); one at rest does not, and a loop that
is pulled straight does not move at all. Both are found by small steps along all that J allows, put
back onto the manifold: there the rank of J is higher, or the steps have been taken back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...arrays import FloatArray
from ...errors import SimulationError
from ..evaluation import mass_at
from ..quantities import difference_q, integrate_q
from .near_singular import free_of, limit_rows, usual_rank

if TYPE_CHECKING:
    from ..system import Moment
    from .projection import Projection

STEP = 1e-3  # rad, and of the model's length
TAKEN_BACK = 0.1  # of a step: what is left of it where there is no motion
CLOSE = 0.1  # a singular value below it is that of a singular configuration close by
HELD = 1e-5  # singular values above it are real ones, those a STEP away from a singularity too


def refuse_undetermined(
    projection: Projection, at: Moment, given: FloatArray | None = None
) -> None:
    """Raise where the motion from a start on the manifold, one state, is not determined.

    Args:
        given: a (nv,) with the accelerations of the velocities that are not free.

    Raises:
        SimulationError: naming the constraints.
    """
    rows, free = projection.rows, free_of(projection)
    sigma, moves, idle = _spectrum(projection, at)
    rank = int((sigma > HELD).sum())
    if rank == min(len(rows), len(moves)) or limit_rows(projection, at, given) is not None:
        return
    allowed = np.zeros((rows.model.nv, len(moves) - rank))
    allowed[free] = moves[:, rank:] / np.abs(moves[:, rank:]).max(axis=0)
    steps = STEP * np.concatenate((allowed, -allowed), axis=1).T
    q = integrate_q(rows.model, np.tile(at.q, (len(steps), 1)), steps, 1.0)
    ends = _put_back(projection, at, q)
    there = projection.moment(at.t, ends, np.zeros((len(ends), rows.model.nv)))
    reached = (_spectrum(projection, there)[0] > HELD).sum(axis=-1).max(initial=0)
    # what has become of the steps, told in steps
    kept = difference_q(rows.model, at.q, ends) @ np.linalg.pinv(allowed.T) / STEP
    mobility = int((np.linalg.svd(kept, compute_uv=False) > TAKEN_BACK).sum())
    if reached <= rank and mobility >= allowed.shape[1]:
        return
    blamed = rows.blame(np.abs(idle[:, rank:]).max(axis=1))
    raise SimulationError(
        f"{rows.model.name}: at t = {float(at.t):.6g} s the start is a singular configuration of "
        f"{blamed}, where the motion is not determined: start a little beside it, or with the "
        "velocities of the motion that is meant"
    )


def singular_cause(projection: Projection, at: Moment) -> str | None:
    """What a singular configuration close to a state has to do with a motion that has ended there.

    None where there is none.
    """
    rows = projection.rows
    rank = usual_rank(projection, at)
    sigma, _, idle = _spectrum(projection, at)
    if not 0 < rank <= len(sigma) or not sigma[rank - 1] < CLOSE:
        return None
    return (
        f"{rows.blame(np.abs(idle[:, rank - 1]))} is close to a singular configuration there, such "
        "as bars in a line, which drives cannot pass unless their speed vanishes with it, and from "
        "which motion at rest may go on in more than one way"
    )


def _put_back(projection: Projection, at: Moment, q: FloatArray) -> FloatArray:
    """The states q (n, nq) put onto the manifold, without those from where none is found."""
    still = np.zeros((len(q), projection.rows.model.nv))
    try:
        return projection.state(at.t, q, still)[0]
    except SimulationError:
        ends = []
        for start in q:
            try:
                ends.append(projection.state(at.t, start, still[0])[0])
            except SimulationError:
                continue
        return np.array(ends).reshape(-1, q.shape[1])


def _spectrum(projection: Projection, at: Moment) -> tuple[FloatArray, FloatArray, FloatArray]:
    """J by its sizes in the metric of M^-1: singular values, velocities and rows as columns.

    The velocities (…, nf, nf), of those that are free, are those of M^-1 J^T, then those that J
    allows; the rows are (…, m, m).
    """
    rows, free = projection.rows, free_of(projection)
    mass = mass_at(rows.model, at.q)
    lower = np.linalg.cholesky(mass[..., free, :][..., free])
    scaled = (rows.at(at).jacobian / rows.sizes_at(at)[..., None])[..., free]
    u, sigma, vt = np.linalg.svd(np.linalg.solve(lower, scaled.swapaxes(-1, -2)))
    return sigma, np.linalg.solve(lower.swapaxes(-1, -2), u), vt.swapaxes(-1, -2)
