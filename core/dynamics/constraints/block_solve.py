"""The solve of one state where a mechanism falls into parts that do not touch each other.

Many loops side by side, each with bodies of its own, make one system of many blocks. Blocks of one
size are solved in one call, so that the time grows with their number and not with its cube.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray, Model
from .solve import STRONG, FewRows


class Group(NamedTuple):
    """Blocks of one size: their velocities (c, n), and their rows (c, r)."""

    velocities: IntArray
    rows: IntArray


class BlockSolve:
    """Blocks by their sizes."""

    def __init__(self, groups: tuple[Group, ...]) -> None:
        self._groups = groups

    def solve(
        self, mass: FloatArray, force: FloatArray, jacobian: FloatArray, gamma: FloatArray
    ) -> tuple[FloatArray, FloatArray] | None:
        """See `solve_independent`."""
        a, multipliers = np.empty(len(force)), np.empty(len(gamma))
        for velocities, rows in self._groups:
            (count, n), r = velocities.shape, rows.shape[1]
            across = jacobian[rows[:, :, None], velocities[:, None, :]]
            matrix = np.zeros((count, 1, n + r, n + r))
            matrix[:, 0, :n, :n] = mass[velocities[:, :, None], velocities[:, None, :]]
            matrix[:, 0, n:, :n], matrix[:, 0, :n, n:] = across, across.swapaxes(1, 2)
            right = np.zeros((count, r + 1, n + r, 1))
            right[:] = np.eye(r + 1, n + r, n)[..., None]
            right[:, r, :n, 0], right[:, r, n:, 0] = force[velocities], gamma[rows]
            try:
                solved = np.linalg.solve(matrix, right)[..., 0]
            except np.linalg.LinAlgError:
                return None
            if not np.square(solved[:, :r, n:]).sum(axis=(1, 2)).max(initial=0.0) < STRONG:
                return None
            a[velocities], multipliers[rows] = solved[:, r, :n], solved[:, r, n:]
        return a, multipliers


def block_solve(model: Model, acts: BoolArray) -> BlockSolve | None:
    """Blocks of a model with rows; None where it does not fall into several that are small.

    Args:
        acts: (r, nv), whether a row depends on a velocity anywhere.
    """
    moved = model.path if model.dof_from_v is None else model.path @ np.abs(model.dof_from_v)
    # velocities that move one frame, or stand in one row
    together = (moved.T @ moved != 0.0) | (acts.T.astype(np.float64) @ acts != 0.0)
    part = _components(together)
    owner = part[acts.argmax(axis=1)]
    sizes: dict[tuple[int, int], tuple[list[IntArray], list[IntArray]]] = {}
    for index in range(int(part.max()) + 1):
        velocities, rows = np.flatnonzero(part == index), np.flatnonzero(owner == index)
        if not FewRows.are_few(len(velocities), len(rows)):
            return None
        lists = sizes.setdefault((len(velocities), len(rows)), ([], []))
        lists[0].append(velocities)
        lists[1].append(rows)
    if part.max() == 0:
        return None
    groups = [Group(np.array(own), np.array(rows, np.intp)) for own, rows in sizes.values()]
    return BlockSolve(tuple(groups))


def _components(together: BoolArray) -> IntArray:
    """(n,): the number of the component that each belongs to, of a symmetric relation (n, n)."""
    part = np.full(len(together), -1, dtype=np.intp)
    for start in range(len(together)):
        if part[start] >= 0:
            continue
        reached = np.zeros(len(together), dtype=bool)
        front = np.zeros(len(together), dtype=bool)
        front[start] = True
        while front.any():
            reached |= front
            front = together[front].any(axis=0) & ~reached
        part[reached] = part.max() + 1
    return part
