"""Pointer jumping for many states at once: what puts the segments of a deep tree together.

A tree deeper than `LONGEST` levels is cut into segments of so many, and the store (12, nf,
states) of `level_poses` starts with the poses anchor_from_frame, where the anchor of a frame is
the last frame of the segment before, at a depth that is a multiple of `LONGEST`. Then

    rounds   each anchor is composed with the one it is seen from, X <- X[anchor] X, until all
             are seen from the world: the reach doubles from one round to the next
    the end  all other frames are composed with their anchors, once

So each frame costs two products, and the calls grow with the logarithm of the depth.

Source: the scan in blocks: G. E. Blelloch, Prefix Sums and Their Applications (1990), section 1.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from .aligned import aligned
from .model import IntArray

LONGEST = 16  # levels of a segment; no deeper tree is one of a usual robot


@dataclass(frozen=True, eq=False)
class Round:
    """One product: store[:, own] = store[:, anchors] @ store[:, own], with its buffers."""

    anchors: IntArray  # (k,), rows
    own: IntArray  # (k,), rows
    before: FloatArray  # (12, k, states)
    after: FloatArray
    out: FloatArray


class PoseJumps:
    """The rounds for a tree that is deeper than one segment."""

    def __init__(
        self, rows: IntArray, parents: IntArray, depth: IntArray, store: FloatArray
    ) -> None:
        """Plan the rounds.

        Args:
            rows: (nf,), where frames stand in the store; parents, depth: (nf,), of frames.
            store: (12, nf, count).
        """
        self._store = store
        anchor = np.zeros(len(parents), dtype=np.intp)
        for frame in np.argsort(depth, kind="stable")[1:]:
            parent = parents[frame]
            anchor[frame] = parent if depth[parent] % LONGEST == 0 else anchor[parent]
        segment, ends = depth // LONGEST, np.unique(anchor)
        others = np.setdiff1d(np.flatnonzero(depth > LONGEST), ends)
        rooms = aligned(3, 12 * max(len(others), len(ends)) * store.shape[2])
        self._rounds = []
        reach, ancestor = 1, anchor
        while (left := ends[segment[ends] > reach]).size:
            self._rounds.append(self._round(rows[ancestor[left]], rows[left], rooms))
            reach, ancestor = 2 * reach, ancestor[ancestor]
        self._rounds.append(self._round(rows[anchor[others]], rows[others], rooms))

    def compose(self) -> None:
        """From anchor_from_frame to world_from_frame, for all frames of the store."""
        for part in self._rounds:
            self._compose(part)

    def _round(self, anchors: IntArray, own: IntArray, rooms: FloatArray) -> Round:
        count = self._store.shape[2]
        room = rooms[:, : 12 * len(own) * count].reshape(3, 12, len(own), count)
        return Round(anchors, own, *room)

    def _compose(self, part: Round) -> None:
        self._store.take(part.anchors, 1, part.before, "clip")
        self._store.take(part.own, 1, part.after, "clip")
        shape = (3, 4, *part.out.shape[1:])
        before, after, out = (array.reshape(shape) for array in (part.before, part.after, part.out))
        np.einsum("ijnb,jknb->iknb", before[:, :3], after, out=out)
        np.add(out[:, 3], before[:, 3], out[:, 3])
        self._store[:, part.own] = part.out
