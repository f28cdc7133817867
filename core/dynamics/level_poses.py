"""The poses of all frames for many states at once, one level of the tree after the other.

With thousands of numbers in each array it is the numbers that cost and not the calls, so here no
product is made twice, as pointer jumping does. A level is all frames of one depth; those of one
degree of freedom need a product with a constant matrix, and then a turn about their z that mixes
two columns, or a slide along it that moves the third into the last:

    [x y z p] = X_parent C,   [x cos + y sin, y cos - x sin, z, p + slide z]

Components come first and states last: store[4 i + j, row] holds entry (i, j) of the 3x4 pose of
the frame in that row, for all states. Row 0 is the world; the levels follow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from .model import IntArray, Model
from .orientation_states import free_rotations
from .pose_plan import contiguous, coordinate_sources, depths

LINE = 64  # bytes of a cache line: rows that start on one take half the time


def aligned(*shape: int) -> FloatArray:
    """An empty array that starts on a cache line."""
    size, spare = int(np.prod(shape)), LINE // 8
    buffer = np.empty(size + spare)
    start = -buffer.ctypes.data % LINE // 8
    return buffer[start : start + size].reshape(shape)


@dataclass(frozen=True, eq=False)
class Scalars:
    """The frames with one degree of freedom of a level: constants, buffers and views."""

    parents: IntArray | None  # rows to gather, or None where `before` is part of the store
    gathered: FloatArray  # (12, k, states)
    before: FloatArray  # (3, k, 4, states): the parents' poses
    constant: FloatArray  # (k, 4, 4): C^T
    after: FloatArray  # (3, k, 4, states)
    x: FloatArray  # (3, kt, states): columns of those that turn
    y: FloatArray
    sine: FloatArray  # (kt, states)
    cosine: FloatArray
    z: FloatArray  # (3, ks, states): columns of those that slide
    p: FloatArray
    travel: FloatArray  # (ks, states)


@dataclass(frozen=True, eq=False)
class Frees:
    """The free frames of a level."""

    local: FloatArray  # (3, 4, k, states): parent_from_frame
    parents: IntArray | None  # None where it is the world
    out: FloatArray  # (3, 4, k, states)


class LevelPoses:
    """Poses of `count` states.

    Attributes:
        store: (12, nf, count); cells: the same as (12 nf, count).
        rows: (nf,), the row of each frame; order: (nf,), the frame of each row.
    """

    def __init__(self, model: Model, count: int) -> None:
        self.model, self.count = model, count
        self._picks, self._from_q = coordinate_sources(model)
        self._lay_out()
        self._make_coordinates()
        self._levels = [self._level(level) for level in range(1, int(self._depth.max()) + 1)]

    def place(self, q: FloatArray) -> None:
        """Compute the store at q (count, nq)."""
        x = self._x
        if self._from_q is not None:
            np.matmul(self._from_q, q.T, x)
            np.add(x, self._offset, x)
        else:
            x[:] = q.T if self._picks is None else q.take(self._picks, 1).T
        np.sin(x, self._sine)
        np.cos(x, self._cosine)
        if self._slides:
            np.multiply(x, self._slide, self._travel)
        if len(self.model.free_frames):
            self._place_free(q)
        for scalars, frees in self._levels:
            if scalars is not None:
                self._compose(scalars)
            if frees is not None:
                self._compose_free(frees)

    def write(self, rows: IntArray, right: FloatArray, out: FloatArray) -> None:
        """out (count, m, 4, 4) = poses of the rows (m,) times `right` (m, 4, 4)."""
        poses = self.store.take(rows, 1).reshape(3, 4, len(rows), self.count)
        np.matmul(poses.transpose(0, 2, 3, 1), right, out[:, :, :3].transpose(2, 1, 0, 3))
        out[:, :, 3] = (0.0, 0.0, 0.0, 1.0)

    def _compose(self, level: Scalars) -> None:
        if level.parents is not None:
            self.store.take(level.parents, 1, level.gathered, "clip")
        np.matmul(level.constant, level.before, level.after)
        x, y, sine, cosine = level.x, level.y, level.sine, level.cosine
        spare, other = self._spares(x)
        np.multiply(x, sine, spare)
        np.multiply(x, cosine, x)
        np.multiply(y, sine, other)
        np.add(x, other, x)
        np.multiply(y, cosine, y)
        np.subtract(y, spare, y)
        if len(level.travel):
            spare, _ = self._spares(level.z)
            np.multiply(level.z, level.travel, spare)
            np.add(level.p, spare, level.p)

    def _compose_free(self, level: Frees) -> None:
        if level.parents is None:
            level.out[:] = level.local
            return
        before = self.store.take(level.parents, 1).reshape(level.out.shape)
        np.einsum("ijnb,jknb->iknb", before[:, :3], level.local, out=level.out)
        np.add(level.out[:, 3], before[:, 3], level.out[:, 3])

    def _place_free(self, q: FloatArray) -> None:
        """The local poses of spherical and floating joints."""
        model = self.model
        poses = np.zeros((self.count, len(model.free_frames), 4, 4))
        poses[..., :3, :3] = free_rotations(model, q)
        poses[..., 3, 3] = 1.0
        poses[..., :3, 3][:, model.floating_rows] = q[:, model.floating_q]
        if not self._at_world:
            poses = model.free_parent_from_joint @ poses
        self._free[:] = poses[:, self._free_order, :3].transpose(2, 3, 1, 0)

    def _spares(self, like: FloatArray) -> tuple[FloatArray, FloatArray]:
        first, second = self._spare
        shape = like.shape
        return first[: like.size].reshape(shape), second[: like.size].reshape(shape)

    def _lay_out(self) -> None:
        """Rows in the order of depth; in a level first what turns, then what slides, then free."""
        model, frames = self.model, len(self.model.parents)
        self._depth = depth = depths(model)
        self._index = np.full(frames, -1)  # among the scalar frames
        self._index[model.scalar_frames] = np.arange(len(model.scalar_frames))
        turns, slides = np.zeros((2, frames))
        turns[model.scalar_frames], slides[model.scalar_frames] = model.dof_twist[
            model.scalar_dof
        ].T[[2, 5]]
        self._turns, self._slide_of = turns != 0.0, slides
        kind = np.where(self._index < 0, 3, np.where(slides == 0.0, 0, np.where(turns, 1, 2)))
        self.order = np.lexsort((kind, depth))
        self.rows = np.empty(frames, dtype=np.intp)
        self.rows[self.order] = np.arange(frames)
        self.cells = aligned(12 * frames, self.count)
        self.store = self.cells.reshape(12, frames, self.count)
        self.store[:, 0] = np.eye(4)[:3].reshape(12, 1)

    def _make_coordinates(self) -> None:
        """x of the scalar frames in the order of their rows, and its sine, cosine and travel."""
        model = self.model
        frames = self.order[self._index[self.order] >= 0]
        own = self._index[frames]
        if self._from_q is not None:
            self._from_q = self._from_q[own]
        elif self._picks is not None or not np.array_equal(own, np.arange(len(own))):
            self._picks = own if self._picks is None else self._picks[own]
        self._offset = model.coordinate_offset[own][:, None]
        self._place_of = np.full(len(self.rows), -1)
        self._place_of[frames] = np.arange(len(frames))
        self._x, self._sine, self._cosine, self._travel = (
            aligned(len(own), self.count) for _ in range(4)
        )
        self._slide = self._slide_of[frames][:, None]
        self._slides = bool(self._slide.any())
        self._spare = aligned(2, 3 * len(self.rows) * self.count)
        # free frames in the order of their rows
        self._free_order = np.argsort(self.rows[model.free_frames])
        self._free = aligned(3, 4, len(model.free_frames), self.count)
        self._at_world = bool((model.free_parent_from_joint == np.eye(4)).all())

    def _level(self, level: int) -> tuple[Scalars | None, Frees | None]:
        frames = self.order[self._depth[self.order] == level]
        scalar = frames[self._index[frames] >= 0]
        free = frames[self._index[frames] < 0]
        return (
            self._scalars(scalar) if len(scalar) else None,
            self._frees(free) if len(free) else None,
        )

    def _scalars(self, frames: IntArray) -> Scalars:
        model, count = self.model, self.count
        poses = self.store.reshape(3, 4, -1, count)
        after = poses[:, :, self.rows[frames[0]] : self.rows[frames[-1]] + 1]
        parents = contiguous(self.rows[model.parents[frames]])
        gathered = aligned(0)
        if isinstance(parents, slice):
            before, gather = poses[:, :, parents], None
        else:
            gathered = aligned(12, len(frames), count)
            before, gather = gathered.reshape(3, 4, len(frames), count), parents
        # parent_from_frame at x = 0
        features = model.scalar_features[self._index[frames]]
        constant = (features[:, 0] + features[:, 2]).reshape(-1, 4, 4).swapaxes(1, 2).copy()
        start = int(self._place_of[frames[0]])
        turning = int(self._turns[frames].sum())
        still = int((self._slide_of[frames] == 0.0).sum())
        places = slice(start, start + turning)
        return Scalars(
            *(gather, gathered, before.transpose(0, 2, 1, 3), constant),
            *(after.transpose(0, 2, 1, 3), after[:, 0, :turning], after[:, 1, :turning]),
            *(self._sine[places], self._cosine[places], after[:, 2, still:], after[:, 3, still:]),
            self._travel[start + still : start + len(frames)],
        )

    def _frees(self, frames: IntArray) -> Frees:
        rows = self.rows[frames]
        start = int((self.rows[self.model.free_frames] < rows[0]).sum())
        own = slice(start, start + len(frames))
        out = self.store.reshape(3, 4, -1, self.count)[:, :, rows[0] : rows[-1] + 1]
        parents = self.rows[self.model.parents[frames]]
        return Frees(self._free[:, :, own], parents if parents.any() else None, out)
