"""Typical sizes of rows, and which combinations of them never move anything.

Both are found in the metric of the masses, from B = L^-1 J^T with M = L L^T at poses at random: a
combination u of rows with B u = 0 at any pose is redundant everywhere, such as three of the five
rows of a hinge that closes a loop in a plane.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ...arrays import BoolArray, FloatArray
from ...errors import ModelError
from ..equations import evaluate, mass_of
from ..model import Model
from .kinematics import Places, random_poses

if TYPE_CHECKING:
    from .rows import ConstraintRows

LEAST = 0.1  # of what random poses say: a reference pose may be near a singular one
NOTHING = 1e-20  # of the largest mean square of a row: a row that moves nothing
POSES = 3  # at random that tell which combinations never move anything
NONE = 1e-12  # of the largest: a row's part in a combination that is none
NEVER = 1e-12  # of the largest singular value: one that is zero but for rounding
SEEN = 1e-10  # the same of their squares, where no closer look is needed


class Random(NamedTuple):
    """A model at poses q (k, nq) at random: the places of its frames, and L^-1 (k, nv, nv)."""

    q: FloatArray
    places: Places
    inverse: FloatArray

    def first(self, count: int) -> Random:
        """The first of these."""
        places = Places(*(own[:count] for own in self.places))
        return Random(self.q[:count], places, self.inverse[:count])


# rows are compiled anew wherever others act
_KNOWN: WeakKeyDictionary[Model, dict[float, Random]] = WeakKeyDictionary()


class Combinations(NamedTuple):
    """Combinations of rows that depend on each other nowhere, or only at some poses.

    gather (r, m): the combinations, of size 1 or near. spread (m, r): their multipliers as those
    of the rows, of least norm.
    """

    gather: FloatArray
    spread: FloatArray


def typical_sizes(rows: ConstraintRows, q: FloatArray | None) -> FloatArray:
    """Sizes sqrt((J M^-1 J^T)_ii) (m,) of rows none of which is a function of the user's.

    They are those of a reference pose q (nq,), but at least LEAST of the medians over poses at
    random; the same for rows of one constraint and one unit, so that they depend on the axes
    as little as on the pose of the moment.
    """
    sizes = np.zeros(len(rows))
    everywhere = _whitened(rows, _at_random(rows))
    squares = np.median((everywhere**2).sum(axis=-2), axis=0)
    nothing = NOTHING * float(squares.max())
    here = None if q is None else (whitened(rows, q) ** 2).sum(axis=-2)
    for own in rows.constraints:
        places = rows.where[own.name]
        angle = np.array([rows.units[row] == "rad" for row in places])
        for alike in (angle, ~angle):
            if alike.any():
                size = float(squares[places[alike]].max())
                # rows that never move have no size but rounding
                if size > nothing and here is not None:
                    size = max(float(here[places[alike]].max()), LEAST * LEAST * size)
                sizes[places[alike]] = np.sqrt(size) if size > nothing else 1.0
    return sizes


def whitened(rows: ConstraintRows, q: FloatArray) -> FloatArray:
    """L^-1 J^T (…, nv, m) at poses (…, nq).

    Raises:
        ModelError: for a mass matrix that is no real body's.
    """
    return _whitened(rows, _evaluated(rows.model, q))


def _evaluated(model: Model, q: FloatArray) -> Random:
    """A model at poses (…, nq)."""
    tableau = evaluate(model, q)
    try:
        lower = np.linalg.cholesky(mass_of(model, tableau))
    except np.linalg.LinAlgError as error:
        raise ModelError(
            f"{model.name}: the mass matrix is singular in some poses, against which "
            "constraints cannot be measured; links beyond moving joints need mass and inertia"
        ) from error
    return Random(q, Places.of(tableau), np.linalg.inv(lower))


def _at_random(rows: ConstraintRows) -> Random:
    """The model of rows at poses at random."""
    known = _KNOWN.setdefault(rows.model, {})
    if rows.length not in known:
        known[rows.length] = _evaluated(rows.model, random_poses(rows.model, rows.length))
    return known[rows.length]


def _jacobian(rows: ConstraintRows, at: Random) -> FloatArray:
    """J (…, m, nv)."""
    return rows.positions(np.asarray(0.0), at.q, at.q[..., :0], at.places).jacobian


def _whitened(rows: ConstraintRows, at: Random) -> FloatArray:
    """L^-1 J^T (…, nv, m)."""
    out: FloatArray = at.inverse @ _jacobian(rows, at).swapaxes(-1, -2)
    return out


def combinations(rows: ConstraintRows) -> Combinations:
    """What is left of rows without those that move nothing, by `typical` sizes.

    Rows that depend on time are all kept: those that never move anything might contradict.
    """
    sizes, m = rows.typical, len(rows)
    kept = np.eye(m)
    if not rows.is_timed:
        b = _whitened(rows, _at_random(rows).first(POSES)) / sizes
        b = b.reshape(-1, m)
        # first within each constraint, so that they stay apart
        parts = [np.eye(m)[:, where] @ _moving(b[:, where]) for where in rows.where.values()]
        kept = np.concatenate(parts, axis=1)
        kept = kept @ _moving(b @ kept)
    kept[np.abs(kept) <= NONE * np.abs(kept).max(axis=0)] = 0.0
    scaled = kept / sizes[:, None]
    if kept.shape[1] == m:
        return Combinations(scaled.T, scaled)
    # without what acts on nothing
    left, _, _ = np.linalg.svd(kept)
    idle, _ = np.linalg.qr(left[:, kept.shape[1] :] / sizes[:, None])
    return Combinations(scaled.T, scaled - idle @ (idle.T @ scaled))


def acting(rows: ConstraintRows, gather: FloatArray) -> BoolArray:
    """(r, nv): whether combinations (r, m) of rows depend on a velocity anywhere."""
    jacobian = _jacobian(rows, _at_random(rows).first(POSES))
    out: BoolArray = (gather @ jacobian != 0.0).any(axis=0)
    return out


def _moving(b: FloatArray) -> FloatArray:
    """(k, r): combinations at right angles to those with B u = 0, for B (n, k)."""
    k = b.shape[1]
    values = np.linalg.eigvalsh(b.T @ b)
    if not k or values[0] > SEEN * values[-1]:
        return np.eye(k)
    _, sigma, vt = np.linalg.svd(b, full_matrices=False)
    rank = int((sigma > NEVER * max(float(sigma[0]), NEVER)).sum())
    out: FloatArray = vt[:rank].T
    return out
