"""Independent combinations of rows at one state, in as few numpy calls as can be.

What never moves anything is left out once and for all (`row_sizes`). Rows of pairs of frames are
worked out together (`one_state_pairs`), combinations of them as one row where they are linear;
linear rows of coordinates are constants; all others go as they do for many states.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import FloatArray
from ..evaluation import OneMotion, one_motion
from ..one_state import OneState
from ..origin import movable_origin
from .block_solve import block_solve
from .one_state_pairs import Entry, OneStatePairs
from .pairs import Relation
from .row_sizes import Combinations, acting, combinations, whitened
from .solve import FewRows, solve_independent

if TYPE_CHECKING:
    from ..system import Moment
    from .rows import ConstraintRows

DEPENDENT = 1e-6  # a singular value at the reference pose: rows that depend on each other there


class OneStateRows:
    """Combinations of rows, all of which can be independent.

    Attributes:
        gather: (r, m), the combinations.
        spread: (m, r), the multipliers of all rows from theirs.
    """

    def __init__(self, rows: ConstraintRows, found: Combinations) -> None:
        gather, entries, constants = found.gather, rows.entries, rows.constant_rows
        folded = _folded(gather, entries)
        mixed = [index for index in range(len(gather)) if index not in folded]
        order = [*folded, *mixed]
        self.gather, self.spread = gather[order], found.spread[:, order]
        self._size = len(gather), rows.model.nv
        self._are_few = FewRows.are_few(*self._size[::-1])
        self._solve_many = solve_independent
        if not self._are_few and not rows.is_timed:
            blocks = block_solve(rows.model, acting(rows, self.gather))
            self._solve_many = solve_independent if blocks is None else blocks.solve
        self._rooms: list[FewRows] = []
        self._states: list[OneState] = []
        # the rows that the others are made of, by who works them out
        single = np.flatnonzero((gather[mixed] != 0.0).any(axis=0))
        pairs = [row for row in single if row in entries]
        pairs.sort(key=lambda row: entries[row].relation.denominator is not None)
        fixed = [row for row in single if row in constants]
        rest = [row for row in single if row not in entries and row not in constants]
        own_pairs = [*folded.values(), *(entries[row] for row in pairs)]
        self._pairs = OneStatePairs(rows.model, own_pairs) if own_pairs else None
        self._slopes = np.array([constants[row] for row in fixed]) if fixed else None
        self._fixed = rows.part(fixed) if fixed else None
        self._rest = rows.part(rest) if rest else None
        self._model, self._probes = rows.model, None
        if not mixed and self._pairs is not None:
            # where the tree is evaluated near the origin, what is between links is the same
            as_it_stands = movable_origin(rows.model) is None
            if as_it_stands or self._pairs.are_between_links:
                self._probes = self._pairs.probes
        self._mix: FloatArray | None = None
        if mixed:
            count = len(folded)
            sources = [*pairs, *fixed, *rest]
            self._mix = np.eye(len(gather), count + len(sources))
            self._mix[count:, count:] = gather[np.ix_(mixed, sources)]

    def motion(self, q: FloatArray, v: FloatArray) -> OneMotion:
        """What moves, q (nq,) and v (nv,), with the rows in the same pass where that can be."""
        if self._probes is None:
            return one_motion(self._model, q, v)
        try:
            state = self._states.pop()
        except IndexError:
            state = OneState(self._model, self._probes)
        poses, gains, speeds, mass, bias, slopes, bends = state.motion(q, v)
        self._states.append(state)
        return OneMotion(poses, gains, speeds, mass, bias, slopes, bends, self)

    def solve(
        self, at: Moment, one: OneMotion, force: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray] | None:
        """a (nv,), lambda (m,) and -J^T lambda (nv,) of M a + b + J^T lambda = f, J a = gamma.

        None where the combinations are not clearly independent.
        """
        if not self._are_few:
            jacobian, gamma = self.at(at, one)
            found = self._solve_many(one.mass, force - one.bias, jacobian, gamma)
            if found is None:
                return None
            a, multipliers = found
            return a, self.spread.dot(multipliers), -multipliers.dot(jacobian)
        few = self._room()
        few.mass[:] = one.mass
        np.subtract(force, one.bias, few.force)
        self._write(at, one, few.jacobian, few.gamma)
        found = few.solve()
        pull = None if found is None else -found[1].dot(few.jacobian)
        self._rooms.append(few)
        if found is None or pull is None:
            return None
        return found[0], self.spread.dot(found[1]), pull

    def step(self, mass: FloatArray, jacobian: FloatArray, wanted: FloatArray) -> FloatArray | None:
        """The step d (nv,) with J d = wanted (r,) that moves the masses least; None likewise."""
        still = np.zeros(len(mass))
        if not self._are_few:
            found = self._solve_many(mass, still, jacobian, wanted)
            return None if found is None else found[0]
        few = self._room()
        few.mass[:], few.force[:], few.jacobian[:], few.gamma[:] = mass, still, jacobian, wanted
        found = few.solve()
        self._rooms.append(few)
        return None if found is None else found[0]

    def _room(self) -> FewRows:
        """Buffers that nobody else uses."""
        try:
            return self._rooms.pop()
        except IndexError:
            r, nv = self._size
            return FewRows(nv, r)

    def at(self, at: Moment, one: OneMotion) -> tuple[FloatArray, FloatArray]:
        """Jacobian (r, nv) and gamma (r,) at a moment of one state."""
        jacobian, gamma = np.empty(self._size), np.empty(self._size[0])
        self._write(at, one, jacobian, gamma)
        return jacobian, gamma

    def positions(self, at: Moment, one: OneMotion) -> tuple[FloatArray, FloatArray]:
        """Jacobian (r, nv) and residual (r,) at a moment of one state."""
        jacobian = np.empty(self._size)
        gamma, residual = np.empty((2, self._size[0]))
        self._write(at, one, jacobian, gamma, residual)
        return jacobian, residual

    def _write(
        self,
        at: Moment,
        one: OneMotion,
        jacobian: FloatArray,
        gamma: FloatArray,
        residual: FloatArray | None = None,
    ) -> None:
        mix, pairs = self._mix, self._pairs
        slopes, bends = one.slopes, one.bends
        if one.owner is self and residual is None and slopes is not None and bends is not None:
            # told in the tree's own pass
            jacobian[:] = slopes
            np.negative(bends, gamma)
            return
        if mix is None:
            if pairs is not None:
                pairs.rows(one, at.v, jacobian, gamma, residual)
            return
        slopes = np.empty((mix.shape[1], at.v.size))
        rests, values = np.zeros((2, mix.shape[1]))
        row = 0
        if pairs is not None:
            row = len(pairs)
            pairs.rows(one, at.v, slopes[:row], rests[:row], values[:row])
        if self._slopes is not None and self._fixed is not None:
            fixed = slice(row, row := row + len(self._slopes))
            slopes[fixed] = self._slopes
            part, chosen = self._fixed
            if part.is_timed:
                rests[fixed] = part.pushes(at.t)[chosen]
            if residual is not None:
                values[fixed] = part.at(at).residual[chosen]
        if self._rest is not None:
            part, chosen = self._rest
            positions = part.at(at)
            slopes[row:] = positions.jacobian[chosen]
            values[row:] = positions.residual[chosen]
            if residual is None:
                rests[row:] = part.gamma(at, positions)[chosen]
        jacobian[:], gamma[:] = mix.dot(slopes), mix.dot(rests)
        if residual is not None:
            residual[:] = mix.dot(values)


def one_state_rows(rows: ConstraintRows, reference: FloatArray | None) -> OneStateRows | None:
    """None where rows depend on each other at the reference pose, or have no known sizes."""
    if rows.weights is None or not len(rows):
        return None
    found = combinations(rows)
    count, nv = len(found.gather), rows.model.nv
    if not 0 < count <= nv:
        return None
    if reference is not None:
        sigma = np.linalg.svd(whitened(rows, reference) @ found.gather.T, compute_uv=False)
        if not sigma[-1] > DEPENDENT:
            return None
    return OneStateRows(rows, found)


def _folded(gather: FloatArray, entries: Mapping[int, Entry]) -> dict[int, Entry]:
    """By their places in `gather` (r, m), the combinations that are one linear row themselves."""
    out: dict[int, Entry] = {}
    for index, combination in enumerate(gather):
        used = [int(row) for row in np.flatnonzero(combination)]
        own = [entries.get(row) for row in used]
        first = own[0]
        if first is None or not all(_adds(entry, first) for entry in own):
            continue
        weights = sum(combination[row] * entries[row].relation.numerator for row in used)
        relation = Relation("", np.asarray(weights, dtype=np.float64))
        out[index] = Entry(first.a, first.b, relation)
    return out


def _adds(entry: Entry | None, first: Entry) -> bool:
    """Whether a row is linear and between the same ports as another."""
    return (
        entry is not None
        and entry.relation.denominator is None
        and entry.a is first.a
        and entry.b is first.b
    )
