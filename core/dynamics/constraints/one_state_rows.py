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
from .one_state_pairs import Entry, OneStatePairs
from .pairs import Relation
from .row_sizes import Combinations, combinations, whitened

if TYPE_CHECKING:
    from ..evaluation import OneMotion
    from ..system import Moment
    from .rows import ConstraintRows

DEPENDENT = 1e-6  # a singular value at the reference pose: rows that depend on each other there


class OneStateRows:
    """Combinations of rows, all of which can be independent.

    Attributes:
        spread: (m, r), the multipliers of all rows from those of the combinations.
    """

    def __init__(self, rows: ConstraintRows, found: Combinations) -> None:
        gather, entries, constants = found.gather, rows.entries, rows.constant_rows
        folded = _folded(gather, entries)
        mixed = [index for index in range(len(gather)) if index not in folded]
        self.spread = found.spread[:, [*folded, *mixed]]
        # the rows that the others are made of, by who works them out
        single = np.flatnonzero((gather[mixed] != 0.0).any(axis=0))
        pairs = [row for row in single if row in entries]
        pairs.sort(key=lambda row: entries[row].relation.denominator is not None)
        fixed = [row for row in single if row in constants]
        rest = [row for row in single if row not in entries and row not in constants]
        own_pairs = [*folded.values(), *(entries[row] for row in pairs)]
        self._pairs = OneStatePairs(rows.model, own_pairs) if own_pairs else None
        self._slopes = np.array([constants[row] for row in fixed]) if fixed else None
        self._still = np.zeros(len(fixed))
        self._rest = rows.part(rest) if rest else None
        self._mix: FloatArray | None = None
        if mixed:
            count = len(folded)
            sources = [*pairs, *fixed, *rest]
            self._mix = np.eye(len(gather), count + len(sources))
            self._mix[count:, count:] = gather[np.ix_(mixed, sources)]

    def at(self, at: Moment, one: OneMotion) -> tuple[FloatArray, FloatArray]:
        """Jacobian (r, nv) and gamma (r,) at a moment of one state."""
        parts = []
        if self._pairs is not None:
            parts.append(self._pairs.rows(one, at.v))
            if self._mix is None:
                return parts[0]
        if self._slopes is not None:
            parts.append((self._slopes, self._still))
        if self._rest is not None:
            rest, chosen = self._rest
            positions = rest.at(at)
            parts.append((positions.jacobian[chosen], rest.gamma(at, positions)[chosen]))
        jacobian, gamma = parts[0]
        if len(parts) > 1:
            jacobian = np.concatenate([own for own, _ in parts])
            gamma = np.concatenate([own for _, own in parts])
        assert self._mix is not None
        return self._mix.dot(jacobian), self._mix.dot(gamma)


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
