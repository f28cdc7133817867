"""The poses of all frames for many states at once, one level of the tree after the other.

With thousands of numbers in each array it is the numbers that cost and not the calls, so here no
product is made twice, as pointer jumping does. A level is all frames of one depth; those of one
degree of freedom need a product with a constant matrix, and then a turn about their z that mixes
two columns, or a slide along it that moves the third into the last:

    [x y z p] = X_parent C,   [x cos + y sin, y cos - x sin, z, p + slide z]

Components come first and states last: store[4 i + j, row] holds entry (i, j) of the 3x4 pose of
the frame in that row, for all states. Row 0 is the world; the levels follow.

A tree deeper than `LONGEST` levels is cut into segments of so many, which go level by level all
at the same time and are put together by pointer jumping (`pose_jumps`). So the calls are bounded
but for its rounds, whatever the depth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from ..frames.kernels import FIRST, ROTATION, SECOND
from .aligned import aligned
from .model import IntArray, Model
from .orientation_states import free_rotations
from .origin import movable_origin
from .pose_jumps import LONGEST, PoseJumps
from .pose_plan import contiguous, coordinate_sources, depths

DEEPEST = 16  # levels of a tree that goes by levels


@dataclass(frozen=True, eq=False)
class Scalars:
    """The frames with one degree of freedom of a level: constants, buffers and views."""

    parents: IntArray | None  # rows to gather, or None where `before` is part of the store
    gathered: FloatArray  # (12, k, states)
    before: FloatArray | None  # (3, k, 4, states): the parents' poses; None in the first level
    constant: FloatArray  # (k, 4, 4): C^T
    after: FloatArray  # (3, k, 4, states)
    columns: FloatArray  # (2, 3, kt, states): x and y of those that turn
    others: FloatArray  # the same, y and x
    sines: FloatArray  # (2, 1, kt, states): sine and its opposite
    cosine: FloatArray  # (kt, states)
    z: FloatArray  # (3, ks, states): columns of those that slide
    p: FloatArray
    travel: FloatArray  # (ks, states)
    spare: FloatArray  # (2, 3, kt, states)
    slide: FloatArray  # (3, ks, states)


@dataclass(frozen=True, eq=False)
class Frees:
    """The free frames of a level."""

    local: FloatArray  # (3, 4, k, states): parent_from_frame
    parents: IntArray | None  # None in the first level
    out: FloatArray  # (3, 4, k, states)


class LevelPoses:
    """Poses of `count` states.

    Attributes:
        store: (12, nf, count); cells: the same as (12 nf, count).
        rows: (nf,), the row of each frame; order: (nf,), the frame of each row.
    """

    def __init__(self, model: Model, count: int) -> None:
        self.model, self.count = model, count
        self._lay_out()
        self._make_coordinates()
        self._levels = [self._level(level) for level in range(1, int(self._in_segment.max()) + 1)]

    def place(self, q: FloatArray, near: bool = False) -> None:
        """Compute the store at q (count, nq); near the origin where that may be (`origin`)."""
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
            self._place_free(q, near)
        for scalars, frees in self._levels:
            if scalars is not None:
                self._compose(scalars)
            if frees is not None:
                self._compose_free(frees)
        if self._jumps is not None:
            self._jumps.compose()

    def _turn(self, x: FloatArray) -> None:
        """Sine and cosine of x, from t = tan(x / 2): w t and w - 1 with w = 2 / (1 + t^2).

        numpy's tangent takes a fifth of the time of its sine where the processor has wide
        vectors, and no longer than sine and cosine elsewhere. Both results are as accurate.
        """
        (t, opposite), w = self._sines, self._cosine
        np.multiply(x, 0.5, t)
        np.tan(t, t)
        np.multiply(t, t, w)
        np.add(w, 1.0, w)
        np.divide(2.0, w, w)
        np.multiply(t, w, t)
        np.subtract(w, 1.0, w)
        np.negative(t, opposite)

    def frame_poses(self, q: FloatArray, out: FloatArray) -> None:
        """world_from_frame (count, nf, 4, 4) at q (count, nq)."""
        self.place(q)
        self._write(self.rows, self._frame_table, out)

    def link_poses(self, q: FloatArray, out: FloatArray) -> None:
        """world_from_link (count, n_links, 4, 4) at q (count, nq)."""
        self.place(q)
        self._write(self._link_rows, self._link_table, out)

    def _write(self, rows: IntArray, table: FloatArray, out: FloatArray) -> None:
        """out (count, m, 4, 4): sums of the entries of the poses in the rows (m,), and of one."""
        entries = self._gathered[: 13 * len(rows) * self.count].reshape(13, len(rows), self.count)
        self._entries.take(rows, 1, entries, "clip")
        np.matmul(
            entries.transpose(1, 2, 0), table, out.reshape(*out.shape[:2], 16).transpose(1, 0, 2)
        )

    def _compose(self, level: Scalars) -> None:
        if level.parents is not None:
            self.store.take(level.parents, 1, level.gathered, "clip")
        if level.before is None:
            level.after[:] = level.constant.transpose(2, 0, 1)[:3, :, :, None]
        else:
            np.matmul(level.constant, level.before, level.after)
        np.multiply(level.others, level.sines, level.spare)
        np.multiply(level.columns, level.cosine, level.columns)
        np.add(level.columns, level.spare, level.columns)
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

    def _place_free(self, q: FloatArray, near: bool) -> None:
        """The local poses of spherical and floating joints."""
        model, joint = self.model, self._joint
        if len(model.euler_rows):
            joint[:3, :3] = free_rotations(model, q).transpose(2, 3, 1, 0)
        else:
            # |q|^2 R and |q|^2 are sums of products of the quaternion's components
            components = q.take(model.quaternion_q, 1).transpose(2, 1, 0)
            products = components.take(FIRST, 0) * components.take(SECOND, 0)
            scaled = (ROTATION.T @ products.reshape(10, -1)).reshape(10, -1, self.count)
            np.divide(scaled[:9].reshape(joint[:3, :3].shape), scaled[9], joint[:3, :3])
        origin = self._origin if near else None
        places = q.take(model.floating_q, 1) if origin is None else origin.places(q)
        joint[:3, 3, model.floating_rows] = places.transpose(2, 1, 0)
        if not self._at_world:
            joint = np.einsum("fij,jkfb->ikfb", model.free_parent_from_joint, joint)
        self._free[:] = joint[:3, :, self._free_order]

    def _lay_out(self) -> None:
        """Rows in the order of depth; in a level first what turns, then what slides, then free."""
        model, frames = self.model, len(self.model.parents)
        depth = depths(model)
        self._index = np.full(frames, -1)  # among the scalar frames
        self._index[model.scalar_frames] = np.arange(len(model.scalar_frames))
        turns, slides = np.zeros((2, frames))
        turns[model.scalar_frames], slides[model.scalar_frames] = model.dof_twist[
            model.scalar_dof
        ].T[[2, 5]]
        self._turns, self._slide_of = turns != 0.0, slides
        kind = np.where(self._index < 0, 3, np.where(slides == 0.0, 0, np.where(turns, 1, 2)))
        # levels of all segments at the same time; the world alone is at 0
        self._in_segment = np.where(depth > 0, (depth - 1) % LONGEST + 1, 0)
        self.order = np.lexsort((kind, self._in_segment))
        self.rows = np.empty(frames, dtype=np.intp)
        self.rows[self.order] = np.arange(frames)
        # the entries of the poses, and a row of ones
        self._entries = aligned(13, frames, self.count)
        self._entries[12] = 1.0
        self.store = self._entries[:12]
        self.cells = self.store.reshape(12 * frames, self.count)
        self.store[:, 0] = np.eye(4)[:3].reshape(12, 1)
        self._jumps: PoseJumps | None = None
        if depth.max() > LONGEST:
            self._jumps = PoseJumps(self.rows, model.parents, depth, self.store)
        self._gathered = aligned(13 * max(frames, len(model.link_frame)) * self.count)
        self._link_rows = self.rows[model.link_frame]
        self._link_table = _table(model.frame_from_link)
        self._frame_table = _table(np.broadcast_to(np.eye(4), (frames, 4, 4)))

    def _make_coordinates(self) -> None:
        """x of the scalar frames in the order of their rows, and its sine, cosine and travel."""
        model = self.model
        frames = self.order[self._index[self.order] >= 0]
        own = self._index[frames]
        self._picks, self._from_q = coordinate_sources(model, own)
        self._offset = model.coordinate_offset[own][:, None]
        self._place_of = np.full(len(self.rows), -1)
        self._place_of[frames] = np.arange(len(frames))
        self._x, self._cosine, self._travel = (aligned(len(own), self.count) for _ in range(3))
        self._sines = aligned(2, len(own), self.count)
        self._slide = self._slide_of[frames][:, None]
        self._slides = bool(self._slide.any())
        self._spare = aligned(6 * len(self.rows) * self.count)
        # free frames in the order of their rows
        self._free_order = np.argsort(self.rows[model.free_frames])
        self._free = aligned(3, 4, len(model.free_frames), self.count)
        self._joint = np.zeros((4, 4, len(model.free_frames), self.count))
        self._joint[3, 3], self._origin = 1.0, movable_origin(model)
        self._at_world = bool((model.free_parent_from_joint == np.eye(4)).all())

    def _level(self, level: int) -> tuple[Scalars | None, Frees | None]:
        frames = self.order[self._in_segment[self.order] == level]
        scalar = frames[self._index[frames] >= 0]
        free = frames[self._index[frames] < 0]
        return (
            self._scalars(scalar, level == 1) if len(scalar) else None,
            self._frees(free, level == 1) if len(free) else None,
        )

    def _scalars(self, frames: IntArray, first: bool) -> Scalars:
        model, count = self.model, self.count
        poses = self.store.reshape(3, 4, -1, count)
        after = poses[:, :, self.rows[frames[0]] : self.rows[frames[-1]] + 1]
        parents = contiguous(self.rows[model.parents[frames]])
        gathered, gather, before = aligned(0), None, None
        if first:
            pass  # against the world or an anchor
        elif isinstance(parents, slice):
            before = poses[:, :, parents].transpose(0, 2, 1, 3)
        else:
            gathered, gather = aligned(12, len(frames), count), parents
            before = gathered.reshape(3, 4, len(frames), count).transpose(0, 2, 1, 3)
        # parent_from_frame at x = 0
        features = model.scalar_features[self._index[frames]]
        constant = (features[:, 0] + features[:, 2]).reshape(-1, 4, 4).swapaxes(1, 2).copy()
        start = int(self._place_of[frames[0]])
        turning = int(self._turns[frames].sum())
        still = int((self._slide_of[frames] == 0.0).sum())
        sliding = len(frames) - still
        places = slice(start, start + turning)
        columns = after[:, :2, :turning].swapaxes(0, 1)
        return Scalars(
            *(gather, gathered, before, constant),
            *(after.transpose(0, 2, 1, 3), columns, columns[::-1]),
            *(self._sines[:, None, places], self._cosine[places]),
            *(after[:, 2, still:], after[:, 3, still:]),
            self._travel[start + still : start + len(frames)],
            self._spare[: 6 * turning * count].reshape(2, 3, turning, count),
            self._spare[: 3 * sliding * count].reshape(3, sliding, count),
        )

    def _frees(self, frames: IntArray, first: bool) -> Frees:
        rows = self.rows[frames]
        start = int((self.rows[self.model.free_frames] < rows[0]).sum())
        own = slice(start, start + len(frames))
        out = self.store.reshape(3, 4, -1, self.count)[:, :, rows[0] : rows[-1] + 1]
        parents = self.rows[self.model.parents[frames]]
        return Frees(self._free[:, :, own], None if first else parents, out)


def _table(right: FloatArray) -> FloatArray:
    """(m, 13, 16): what the entries of X @ right (m, 4, 4) are of the entries of X (3x4) and 1."""
    table = np.zeros((len(right), 13, 16))
    for start in (0, 4, 8):
        table[:, start : start + 4, start : start + 4] = right
    table[:, 12, 15] = 1.0
    return table
