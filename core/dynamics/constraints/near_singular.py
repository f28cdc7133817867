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

Where coordinates are prescribed, J and M are those of the free velocities and gamma is what the
accelerations of the others leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...arrays import FloatArray
from ...errors import DynarigError, SimulationError
from ..equations import mass_of
from ..model import IntArray
from ..quantities import integrate_q
from .crossings import reach_of
from .solve import INDEPENDENT, threshold

if TYPE_CHECKING:
    from ..system import Moment, Prescribed
    from .projection import Projection

APART = 0.02  # rad, and of the model's length, between neighbouring states
NEAREST = 0.003  # singular values below it are looked at
PROBES, BESIDE = 6, 0.1  # states, rad and of the model's length apart, that tell the usual rank
HELD = 1e-5  # singular values above it are real ones there
QUICK, FOUND = 3, 1e-6  # steps, and how far off states may still be after all but the last
AROUND = 0.1  # singular values that schemes which hold rows themselves do not go below
END = 1e-4  # singular values below it are those of a motion that has come to its end
TELLING = 1e-6  # singular values above it tell the forces of drives
SMOOTH = 1e-6  # by which the interpolated projector may fail to be one
# values at i = 1 … 4 count so much for that at 0, those at -i likewise
WEIGHTS = np.array([0.8, -0.4, 4.0 / 35.0, -1.0 / 70.0])


class Limit(NamedTuple):
    """Rows with their limits: jacobian (r, nv), gamma (r,) with J a = gamma.

    multipliers (m, r) gives those of the constraints' own rows out of those of these rows.
    """

    jacobian: FloatArray
    gamma: FloatArray
    multipliers: FloatArray


class _Spectrum(NamedTuple):
    """L (…, nf, nf), B = L^-1 J_F^T = U sigma V^T of rows divided by their sizes.

    rows (…, m, nv) are these rows, gamma (…, m) what they ask of the free velocities F.
    """

    lower: FloatArray
    u: FloatArray
    sigma: FloatArray
    vt: FloatArray
    rows: FloatArray
    gamma: FloatArray


def limit_rows(projection: Projection, at: Moment, given: FloatArray | None = None) -> Limit | None:
    """The rows at a state on the manifold, near a singular configuration that it moves through.

    Args:
        at: one state, on the manifold.
        given: a (nv,) with the accelerations of the velocities that are not free.

    Returns:
        None where the state does not move, or the states around are no farther from it, or do
        not lie on one smooth motion.

    Raises:
        SimulationError: for a motion that ends here, as a drive goes on and the loop cannot.
    """
    speed = float((np.abs(at.v) / reach_of(projection.rows)).max(initial=0.0))
    if not speed > 0.0:
        return None
    gain = np.zeros_like(at.v) if given is None else _prescribed(projection, given)
    here = _spectrum(projection, at, gain)
    found = False
    # any smooth way through will do: that of the drives, or one with all speeds as they are
    for drives in (projection.prescribed, ()) if projection.prescribed else ((),):
        near = _along(projection, at, APART / speed, gain, drives)
        if near is not None:
            found = True
            limit = _limit(projection, at, here, _spectrum(projection, *near), gain)
            if limit is not None:
                return limit
    if not found:
        _refuse_end(projection, at, here)
    return None


def _limit(
    projection: Projection, at: Moment, here: _Spectrum, around: _Spectrum, gain: FloatArray
) -> Limit | None:
    """The limit from the spectra (8,) around; None where they do not tell one."""
    ranks = (around.sigma > INDEPENDENT).sum(axis=-1)
    rank = int(ranks[0])
    strong = min(rank, int((here.sigma > NEAREST).sum()))
    if (ranks != rank).any() or strong == rank:
        return None
    if (around.sigma[:, rank - 1] < here.sigma[rank - 1]).any():
        return None
    weak, free = slice(strong, rank), free_of(projection)
    weights = np.concatenate((WEIGHTS[::-1], WEIGHTS))
    combinations = around.vt[:, weak] / around.sigma[:, weak, None]  # (8, w, m)
    directions = (combinations @ around.rows).swapaxes(-1, -2)  # (8, nv, w): L n where free
    wanted = combinations @ around.gamma[..., None]
    own_directions = directions[:, free]
    every = np.tensordot(weights, directions @ own_directions.swapaxes(-1, -2), axes=1)
    right = np.tensordot(weights, own_directions @ wanted, axes=1)[:, 0]
    if not _is_projector(np.linalg.solve(here.lower, every[free]), here.lower):
        return None
    values, vectors = np.linalg.eigh(every[free])
    size, vectors = np.sqrt(values[strong - rank :]), vectors[:, strong - rank :]
    limit = (every @ vectors / size).T
    # what the limit rows pull, told by the rows they stand for
    part = here.u[:, weak].T @ np.linalg.solve(here.lower, limit.T[free])
    held = np.where(here.sigma[weak] > INDEPENDENT, here.sigma[weak], np.inf)[:, None]
    own, instead = here.vt[:strong], here.vt[weak].T @ (part / held)
    if projection.free is not None and here.sigma[rank - 1] > TELLING:
        # drives may feel what grows without bound
        driven = np.setdiff1d(np.arange(len(at.v)), projection.free)
        limit[:, driven] = instead.T @ here.rows[:, driven]
    jacobian = np.concatenate((own @ here.rows, limit))
    gamma = np.concatenate((own @ here.gamma, vectors.T @ right / size))
    back = np.concatenate((own.T, instead), axis=1)
    sizes = projection.rows.sizes_at(at)[:, None]
    return Limit(jacobian, gamma + jacobian @ gain, back / sizes)


def may_be_singular(projection: Projection, at: Moment, h: float) -> bool:
    """Whether a step of h seconds from a state may lead through a singular configuration."""
    rank = usual_rank(projection, at)
    sigma = _spectrum(projection, at, np.zeros_like(at.v)).sigma
    far = h * float((np.abs(at.v) / reach_of(projection.rows)).max(initial=0.0))
    return 0 < rank <= len(sigma) and bool(sigma[rank - 1] < AROUND + far)


def _refuse_end(projection: Projection, at: Moment, here: _Spectrum) -> None:
    """Raise in a singular configuration with no states beyond it."""
    held = here.sigma[here.sigma > INDEPENDENT]
    if not len(held) or not held[-1] < END:
        return
    rows = projection.rows
    raise SimulationError(
        f"{rows.model.name}: at t = {float(at.t):.6g} s the motion cannot be continued: "
        f"{rows.blame(np.abs(here.vt[len(held) - 1]))} has come to a singular configuration, such "
        "as bars in a line, where what drives it goes on beyond or hardly moves"
    )


def _is_projector(half: FloatArray, lower: FloatArray) -> bool:
    """Whether L^-1 (sum L n (L n)^T) L^-T is one, whose first half is given."""
    whole = np.linalg.solve(lower, half.T)
    return bool(np.abs(whole @ whole - whole).max() < SMOOTH)


def usual_rank(projection: Projection, at: Moment) -> int:
    """How many combinations of rows hold in general, found once around the first of the states.

    States beside it are put onto the manifold: singular configurations are rare among them.
    """
    if not projection.ranks:
        rows, rank = projection.rows, 0
        q = at.q.reshape(-1, at.q.shape[-1])[0]
        t = np.broadcast_to(at.t, at.q.shape[:-1]).ravel()[0]
        beside = np.random.default_rng(2).normal(size=(PROBES, at.v.shape[-1]))
        for shift in BESIDE * beside * reach_of(projection.rows):
            start = integrate_q(rows.model, q, shift, 1.0)
            try:
                near = projection.moment(t, *projection.state(t, start, np.zeros_like(shift)))
            except DynarigError:
                continue
            sigma = _spectrum(projection, near, np.zeros_like(shift)).sigma
            rank = max(rank, int((sigma > HELD).sum()))
        projection.ranks.append(rank)
    return projection.ranks[0]


def _along(
    projection: Projection,
    at: Moment,
    h: float,
    gain: FloatArray,
    drives: Sequence[Prescribed],
) -> tuple[Moment, FloatArray] | None:
    """The states (8,) around one, at times i h, put onto the manifold; None where they are not.

    Also their accelerations (8, nv) of velocities that are not free, which are those of the drives
    or else as they are.
    """
    steps = np.arange(-4.0, 5.0)
    times = (steps[steps != 0.0] * h)[:, None]
    model, rows = projection.rows.model, projection.rows
    q = integrate_q(model, np.tile(at.q, (len(times), 1)), at.v * times, 1.0)
    when, v, gains = at.t + times[:, 0], np.tile(at.v, (8, 1)), np.tile(gain, (8, 1))
    for own in drives:
        q[:, own.q_index], v[:, own.v_index], gains[:, own.v_index] = own.at(when)
    # states of a motion are found at once, and nothing is worth a long search
    for _ in range(QUICK):
        near = projection.moment(when, q, v)
        positions = projection.fitted(near)
        slack = rows.slack(positions)
        step = projection.least_step(near, positions, -positions.residual, threshold(slack)).a
        q = integrate_q(model, q, step, 1.0)
    if not (slack < FOUND).all():
        return None
    try:
        return projection.moment(when, *projection.state(when, q, v)), gains
    except SimulationError:
        return None


def free_of(projection: Projection) -> IntArray | slice:
    """The velocities that may change."""
    return slice(None) if projection.free is None else projection.free


def _prescribed(projection: Projection, given: FloatArray) -> FloatArray:
    """The accelerations (nv,) of the velocities that are not free, zero for the others."""
    out = given.copy()
    out[free_of(projection)] = 0.0
    return out


def _spectrum(projection: Projection, at: Moment, gain: FloatArray) -> _Spectrum:
    rows, free = projection.rows, free_of(projection)
    positions = rows.at(at)
    sizes = rows.sizes_at(at)[..., None]
    mass = mass_of(rows.model, at.tableau)
    lower = np.linalg.cholesky(mass[..., free, :][..., free])
    scaled = positions.jacobian / sizes
    b = np.linalg.solve(lower, scaled[..., free].swapaxes(-1, -2))
    u, sigma, vt = np.linalg.svd(b, full_matrices=False)
    gamma = rows.gamma(at, positions) / sizes[..., 0]
    gamma = gamma - (scaled @ gain[..., None])[..., 0]
    return _Spectrum(lower, u, sigma, vt, scaled, gamma)
