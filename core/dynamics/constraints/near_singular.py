"""Rows through a singular configuration, where a combination of them loses its hold for a moment.

Linkages whose bars come to lie in a line (a parallelogram, a kite, a toggle) have two motions that
cross there. On the way of a smooth motion the combination u with J^T u -> 0 still asks for one
acceleration in the limit: with the singular value sigma of J in the metric of M^-1 (M = L L^T),

    L^-1 J^T u = sigma n,    n . L^T a = u . gamma / sigma

where n and the right-hand side stay smooth, though both sides vanish once sigma multiplies them.
So they are interpolated from states a little behind and ahead on the manifold, at times

    t + i h,  i = -4 … -1, 1 … 4,  h = APART / speed

which leaves an error of order 8. Several such combinations are taken together by the projector
sum n n^T, which does not depend on how their directions are chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...arrays import FloatArray
from ...errors import SimulationError
from ..coordinate_names import velocity_units
from ..equations import mass_of
from ..quantities import integrate_q
from .solve import INDEPENDENT

if TYPE_CHECKING:
    from ..system import Moment
    from .projection import Projection

APART = 0.02  # rad, and of the model's length, between neighbouring states
NEAREST = 0.03  # singular values below it are looked at
# values at i = 1 … 4 count so much for that at 0, those at -i likewise
WEIGHTS = np.array([0.8, -0.4, 4.0 / 35.0, -1.0 / 70.0])


class Limit(NamedTuple):
    """Rows with their limits: jacobian (r, nv), gamma (r,).

    multipliers (m, r) gives those of the constraints' own rows out of those of these rows.
    """

    jacobian: FloatArray
    gamma: FloatArray
    multipliers: FloatArray


class _Spectrum(NamedTuple):
    """L (…, nv, nv), B = L^-1 J^T = U sigma V^T of rows divided by their sizes, gamma likewise."""

    lower: FloatArray
    u: FloatArray
    sigma: FloatArray
    vt: FloatArray
    gamma: FloatArray


def limit_rows(projection: Projection, at: Moment) -> Limit | None:
    """The rows at a state on the manifold, near a singular configuration that it moves through.

    Args:
        at: one state, on the manifold.

    Returns:
        None where the state does not move, or the states around are no farther from it.
    """
    speed = float((np.abs(at.v) / _reach(projection)).max(initial=0.0))
    if not speed > 0.0:
        return None
    steps = np.arange(-4.0, 5.0)
    times = (steps[steps != 0.0] * APART / speed)[:, None]
    count = len(times)
    q = integrate_q(projection.rows.model, np.tile(at.q, (count, 1)), at.v * times, 1.0)
    try:
        near = projection.state(at.t + times[:, 0], q, np.tile(at.v, (count, 1)))
    except SimulationError:
        return None
    around = _spectrum(projection, projection.moment(at.t + times[:, 0], *near))
    here = _spectrum(projection, at)
    ranks = (around.sigma > INDEPENDENT).sum(axis=-1)
    rank = int(ranks[0])
    strong = min(rank, int((here.sigma > NEAREST).sum()))
    if (ranks != rank).any() or strong == rank:
        return None
    if (around.sigma[:, rank - 1] < here.sigma[rank - 1]).any():
        return None
    weak = slice(strong, rank)
    weights = np.concatenate((WEIGHTS[::-1], WEIGHTS))
    directions = around.lower @ around.u[..., weak]  # (8, nv, w): L n
    wanted = (around.vt[:, weak] @ around.gamma[..., None]) / around.sigma[:, weak, None]
    projector = np.tensordot(weights, directions @ directions.swapaxes(-1, -2), axes=1)
    right = np.tensordot(weights, directions @ wanted, axes=1)[:, 0]
    values, vectors = np.linalg.eigh(projector)
    size, vectors = np.sqrt(values[strong - rank :]), vectors[:, strong - rank :]
    limit = (vectors * size).T
    own = here.vt[:strong]
    jacobian = here.sigma[:strong, None] * (here.lower @ here.u[:, :strong]).T
    # what the limit rows pull, told by the rows they stand for
    part = here.u[:, weak].T @ np.linalg.solve(here.lower, limit.T)
    held = np.where(here.sigma[weak] > INDEPENDENT, here.sigma[weak], np.inf)[:, None]
    back = np.concatenate((own.T, here.vt[weak].T @ (part / held)), axis=1)
    return Limit(
        np.concatenate((jacobian, limit)),
        np.concatenate((own @ here.gamma, vectors.T @ right / size)),
        back / projection.rows.sizes_at(at)[:, None],
    )


def _spectrum(projection: Projection, at: Moment) -> _Spectrum:
    rows = projection.rows
    positions = rows.at(at)
    sizes = rows.sizes_at(at)[..., None]
    lower = np.linalg.cholesky(mass_of(rows.model, at.tableau))
    b = np.linalg.solve(lower, (positions.jacobian / sizes).swapaxes(-1, -2))
    u, sigma, vt = np.linalg.svd(b, full_matrices=False)
    return _Spectrum(lower, u, sigma, vt, rows.gamma(at, positions) / sizes[..., 0])


def _reach(projection: Projection) -> FloatArray:
    """(nv,): what counts as far for each velocity, 1 rad or the model's length."""
    rows = projection.rows
    slides = [unit == "m/s" for unit in velocity_units(rows.model)]
    return np.where(slides, rows.length, 1.0)
