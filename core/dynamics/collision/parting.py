"""Planes that part pairs of polytopes, kept from one search to the next.

A direction n parts A from B by

    s = min n . x_a - max n . x_b

over their corners. What moves a little between two searches is mostly still parted by the same
plane of B, and need not be looked at more closely. A new one is looked for along the shortest
vector x from a point of B to one of A that is known, with the farthest corners along it added by
the method of Frank and Wolfe:

    x <- the point of the segment from x to a - b that is nearest to 0
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays import BoolArray, FloatArray
from ..model import IntArray
from .solids import Solid

STEPS = 12  # in the search for a plane; where it needs more the pair is looked at closely again
MOST_PAUSED = 6  # then a pair is passed over 64 times
TINY = 1e-12  # m: shorter vectors have no direction


class Parting:
    """Planes between the polytopes of pairs, none at first."""

    def __init__(self, solids: Sequence[Solid], pairs: IntArray) -> None:
        """Compile pairs (p, 2); of those that are asked for later both solids are polytopes."""
        self._pairs = pairs
        cores = [own.coarse for own in solids]
        corners = [np.zeros((1, 3)) if core is None else core.vertices for core in cores]
        most = max(map(len, corners), default=1)
        # the first corner again and again to the end
        filled = [np.concatenate((x, np.repeat(x[:1], most - len(x), axis=0))) for x in corners]
        self._corners = np.array(filled).reshape(-1, most, 3)
        self._centres = np.array([x.mean(axis=0) for x in corners]).reshape(-1, 3)
        self._normals = np.zeros((len(pairs), 3))  # in the port of the second solid
        # searches without success, and how often a pair is passed over before the next
        self._failed, self._pause = np.zeros((2, len(pairs)), dtype=np.intp)

    def apart(self, world_from_port: FloatArray, rows: IntArray, margin: float) -> BoolArray:
        """Of some of the pairs (n,), which a plane that is known parts by more than the margin."""
        turn = world_from_port[self._pairs[rows, 1], :3, :3]
        normals = (turn @ self._normals[rows][:, :, None])[..., 0]
        return self._ends(world_from_port, rows, normals)[0] > margin

    def learn(self, world_from_port: FloatArray, rows: IntArray, margin: float) -> None:
        """Look for planes that part pairs (n,) by more than the margin.

        Pairs of which none was found are passed over once, twice, four times, …
        """
        waits = self._pause[rows] > 0
        self._pause[rows[waits]] -= 1
        rows = rows[~waits]
        a, b = self._pairs[rows].T
        x = _moved(world_from_port[a], self._centres[a])
        x -= _moved(world_from_port[b], self._centres[b])
        for _ in range(STEPS):
            n = x / np.maximum(np.linalg.norm(x, axis=1), TINY)[:, None]
            parted, nearest = self._ends(world_from_port, rows, n)
            found = parted > margin
            if found.any():
                back = world_from_port[b[found], :3, :3].swapaxes(1, 2)
                self._failed[rows[found]] = 0
                self._normals[rows[found]] = (back @ n[found][:, :, None])[..., 0]
                rows, b, x, nearest = rows[~found], b[~found], x[~found], nearest[~found]
                if not len(rows):
                    return
            way = nearest - x
            length = (way * way).sum(axis=1)
            part = -(x * way).sum(axis=1) / np.maximum(length, TINY**2)
            x = x + part.clip(0.0, 1.0)[:, None] * way
        self._pause[rows] = 1 << self._failed[rows]
        self._failed[rows] = np.minimum(self._failed[rows] + 1, MOST_PAUSED)

    def _ends(
        self, world_from_port: FloatArray, rows: IntArray, normals: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """By how much directions (n, 3) part pairs; from the last corner of B to the first of A."""
        ends, heights = [], []
        for side, sign in ((0, 1.0), (1, -1.0)):
            own = self._pairs[rows, side]
            pose, corners = world_from_port[own], self._corners[own]
            local = sign * (normals[:, None] @ pose[:, :3, :3])[:, 0]
            along = (corners @ local[:, :, None])[..., 0]
            end = _moved(pose, corners[np.arange(len(own)), along.argmin(axis=1)])
            ends.append(end)
            heights.append((end * normals).sum(axis=1))
        return heights[0] - heights[1], ends[0] - ends[1]


def _moved(poses: FloatArray, points: FloatArray) -> FloatArray:
    """Points (n, 3) of ports in the world."""
    moved: FloatArray = (poses[:, :3, :3] @ points[:, :, None])[..., 0] + poses[:, :3, 3]
    return moved
