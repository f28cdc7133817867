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
from ..frames.kernels import FIRST, ROTATION, SECOND
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
    spare: FloatArray  # (2, 3, kt, states)
    slide: FloatArray  # (3, ks, states)


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
        if self._slides:
            np.multiply(x, self._slide, self._travel)
        self._turn(x)
        if len(self.model.free_frames):
            self._place_free(q)
        for scalars, frees in self._levels:
            if scalars is not None:
                self._compose(scalars)
            if frees is not None:
                self._compose_free(frees)

    def _turn(self, x: FloatArray) -> None:
        """Sine and cosine of x, of t = tan(x / 2): w = 2 / (1 + t^2), w t and w - 1.

        numpy's tangent takes a fifth of the time of its sine where the processor has wide
        vectors, and no longer than sine and cosine elsewhere. Both results are as accurate.
        """
        t, w = self._sine, self._cosine
        np.multiply(x, 0.5, t)
        np.tan(t, t)
        np.multiply(t, t, w)
        np.add(w, 1.0, w)
        np.divide(2.0, w, w)
        np.multiply(t, w, t)
        np.subtract(w, 1.0, w)

    def frame_poses(self, q: FloatArray, out: FloatArray) -> None:
        """world_from_frame (count, nf, 4, 4) at q (count, nq), into zeros."""
        self.place(q)
        self._write(self.rows, np.broadcast_to(np.eye(4), out.shape[1:]), out)

    def link_poses(self, q: FloatArray, out: FloatArray) -> None:
        """world_from_link (count, n_links, 4, 4) at q (count, nq), into zeros."""
        self.place(q)
        self._write(self.rows[self.model.link_frame], self.model.frame_from_link, out)

    def _write(self, rows: IntArray, right: FloatArray, out: FloatArray) -> None:
        """out (count, m, 4, 4) = poses of the rows (m,) times `right` (m, 4, 4)."""
        poses = self.store.take(rows, 1).reshape(3, 4, len(rows), self.count)
        np.matmul(poses.transpose(0, 2, 3, 1), right, out[:, :, :3].transpose(2, 1, 0, 3))
        out[:, :, 3, 3] = 1.0

    def _compose(self, level: Scalars) -> None:
        if level.parents is not None:
            self.store.take(level.parents, 1, level.gathered, "clip")
        np.matmul(level.constant, level.before, level.after)
        x, y, sine, cosine = level.x, level.y, level.sine, level.cosine
        spare, other = level.spare
        np.multiply(x, sine, spare)
        np.multiply(x, cosine, x)
        np.multiply(y, sine, other)
        np.add(x, other, x)
        np.multiply(y, cosine, y)
        np.subtract(y, spare, y)
        if len(level.travel):
            np.multiply(level.z, level.travel, level.slide)
            np.add(level.p, level.slide, level.p)

    def _compose_free(self, level: Frees) -> None:
        if level.parents is None:
            level.out[:] = level.local
            return
        before = self.store.take(level.parents, 1).reshape(level.out.shape)
        np.einsum("ijnb,jknb->iknb", before[:, :3], level.local, out=level.out)
        np.add(level.out[:, 3], before[:, 3], level.out[:, 3])

    def _place_free(self, q: FloatArray) -> None:
        """The local poses of spherical and floating joints."""
        model, joint = self.model, self._joint
        if len(model.euler_rows):
            joint[:3, :3] = free_rotations(model, q).transpose(2, 3, 1, 0)
        else:
            # |q|^2 R and |q|^2 are sums of products of the quaternion's components
            components = q.T.take(model.quaternion_q.T, 0)
            products = components.take(FIRST, 0) * components.take(SECOND, 0)
            scaled = (ROTATION.T @ products.reshape(10, -1)).reshape(10, -1, self.count)
            np.divide(scaled[:9].reshape(joint[:3, :3].shape), scaled[9], joint[:3, :3])
        joint[:3, 3, model.floating_rows] = q.T.take(model.floating_q.T, 0)
        if not self._at_world:
            joint = np.einsum("fij,jkfb->ikfb", model.free_parent_from_joint, joint)
        self._free[:] = joint[:3, :, self._free_order]

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
        self._spare = aligned(6 * len(self.rows) * self.count)
        # free frames in the order of their rows
        self._free_order = np.argsort(self.rows[model.free_frames])
        self._free = aligned(3, 4, len(model.free_frames), self.count)
        self._joint = np.zeros((4, 4, len(model.free_frames), self.count))
        self._joint[3, 3] = 1.0
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
        sliding = len(frames) - still
        places = slice(start, start + turning)
        return Scalars(
            *(gather, gathered, before.transpose(0, 2, 1, 3), constant),
            *(after.transpose(0, 2, 1, 3), after[:, 0, :turning], after[:, 1, :turning]),
            *(self._sine[places], self._cosine[places], after[:, 2, still:], after[:, 3, still:]),
            self._travel[start + still : start + len(frames)],
            self._spare[: 6 * turning * count].reshape(2, 3, turning, count),
            self._spare[: 3 * sliding * count].reshape(3, sliding, count),
        )

    def _frees(self, frames: IntArray) -> Frees:
        rows = self.rows[frames]
        start = int((self.rows[self.model.free_frames] < rows[0]).sum())
        own = slice(start, start + len(frames))
        out = self.store.reshape(3, 4, -1, self.count)[:, :, rows[0] : rows[-1] + 1]
        parents = self.rows[self.model.parents[frames]]
        return Frees(self._free[:, :, own], parents if parents.any() else None, out)
