"""How the poses of all frames are composed: pointer jumping, with what each round works on.

Local poses parent_from_frame and all that is composed of them stand in one store, a row each:

    row 0   the world (identity)
    then    the free frames, then the scalar frames in the order of depth, each against its parent
    then    for each round the frames that are not yet seen from the world, nearest ones first

In a round each of these is composed with the frame it is seen from, X <- X[ancestor] X, which
doubles the reach; a frame that has arrived at the world stays in the row where it did. So no
round works on finished frames, and what it reads and writes is contiguous.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray, frozen
from .model import IntArray, Model

Rows = slice | IntArray


@dataclass(frozen=True, eq=False)
class Hop:
    """One round: store[out] = store[ancestors] @ store[own]."""

    ancestors: IntArray
    own: Rows
    out: slice

    @property
    def count(self) -> int:
        """How many frames it composes."""
        return len(self.ancestors)


@dataclass(frozen=True, eq=False)
class PosePlan:
    """Where things stand in the store, and what the local poses of scalar frames are made of.

    The coordinates are x = q where picks and from_q are None, else q[picks] or
    from_q q + offset. Each has k features: 1, sin x, cos x, and x where anything slides.
    """

    rows: int
    free: slice
    scalar: slice
    hops: tuple[Hop, ...]
    frame_rows: IntArray  # (nf,): where world_from_frame ends up
    features: FloatArray  # (ns, k, 16), in the order of their rows, as all below
    picks: IntArray | None  # (ns,)
    from_q: FloatArray | None  # (ns, nq)
    offset: FloatArray  # (ns,)

    @property
    def slides(self) -> bool:
        """Whether x itself is among the features."""
        return self.features.shape[1] == 4


def plan_poses(model: Model) -> PosePlan:
    """The plan of a model."""
    parents, depth = model.parents, depths(model)
    free = slice(1, 1 + len(model.free_frames))
    scalar = slice(free.stop, free.stop + len(model.scalar_frames))
    row = np.zeros(len(parents), dtype=np.intp)
    row[model.free_frames] = np.arange(free.start, free.stop)
    by_depth = np.argsort(depth[model.scalar_frames], kind="stable")
    row[model.scalar_frames[by_depth]] = np.arange(scalar.start, scalar.stop)

    # in the order of depth, those that a round works on are the last of those before
    order = np.argsort(depth, kind="stable")
    rows, reach, ancestor, hops = scalar.stop, 1, parents, []
    while (left := order[depth[order] > reach]).size:
        out = slice(rows, rows + len(left))
        hops.append(Hop(row[ancestor[left]], contiguous(row[left]), out))
        row[left] = np.arange(out.start, out.stop)
        rows, reach, ancestor = out.stop, 2 * reach, ancestor[ancestor]

    features = model.scalar_features[by_depth]
    if not features[:, 3].any():
        features = frozen(np.ascontiguousarray(features[:, :3]))
    picks, from_q = coordinate_sources(model, by_depth)
    offset = model.coordinate_offset[by_depth]
    return PosePlan(rows, free, scalar, tuple(hops), row, features, picks, from_q, offset)


def depths(model: Model) -> IntArray:
    """(nf,): how many frames there are from the world to each."""
    depth = np.zeros(len(model.parents), dtype=np.intp)
    for frame in range(1, len(depth)):
        depth[frame] = depth[model.parents[frame]] + 1
    return depth


def coordinate_sources(model: Model, order: IntArray) -> tuple[IntArray | None, FloatArray | None]:
    """picks and from_q of `PosePlan`, for the scalar frames in an order (ns,)."""
    from_q = model.coordinate_from_q
    if model.followers and from_q is not None:
        return None, from_q[order]
    picks = order if from_q is None else np.argmax(from_q, axis=1)[order]
    return None if np.array_equal(picks, np.arange(model.nq)) else picks, None


def contiguous(rows: IntArray) -> Rows:
    """The rows as a slice, where they are one."""
    if np.array_equal(rows, np.arange(rows[0], rows[0] + len(rows))):
        return slice(int(rows[0]), int(rows[0]) + len(rows))
    return rows
