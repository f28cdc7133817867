"""The memory of `one_state`: constant tables, buffers, and views into them, made once.

What is multiplied in one call lies beside each other, so that no part is gathered before.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ..arrays import FloatArray
from ..frames.kernels import FIRST, SECOND
from .model import IntArray, Model
from .origin import movable_origin

ZERO = 1  # a cell of the store's first row, which is the identity


class Probes(NamedTuple):
    """Weights c of the poses of frames b in frames a, whose rates are told with `motion`.

    frames_a, frames_b (p,); weights (p, 4, 4), whose last row is zero. With P = c . (X_A^-1 X_B),
    W = X_A c X_B^T, path = path_B - path_A of the degrees of freedom, and a = 0:

        P' = sum (W . S_k) v_k path_k,  P'' = W . (sum K_k path_k - 2 V_A (V_B - V_A))
    """

    frames_a: IntArray
    frames_b: IntArray
    weights: FloatArray


class OneStateBuffers:
    """Buffers for evaluations of one state after the other; for one thread at a time."""

    def __init__(self, model: Model, probes: Probes | None = None) -> None:
        self.model, self.plan, self._dof_from_v = model, model.pose_plan, model.dof_from_v
        # they stand beside the degrees of freedom in all that is worked out for both
        none = np.zeros(0, np.intp)
        self._probes = Probes(none, none, np.zeros((0, 4, 4))) if probes is None else probes
        self._probed = len(self._probes.frames_b)
        # X_A c and -2 V_A (V_B - V_A) stand beside Y and K; of the world they are c and 0
        self._moving = self._probed if self._probes.frames_a.any() else 0
        self._make_store()
        self._make_free()
        self._make_twists()
        self._make_inertia()
        self._make_forces()

    def _make_store(self) -> None:
        model, plan = self.model, self.plan
        # below the poses: cells for the numbers that twists are made of besides them
        cells = np.zeros((plan.rows + len(model.dof_frame), 16))
        self._cells = cells.reshape(-1)
        self._store = store = cells[: plan.rows]
        store[:, [0, 5, 10, 15]] = 1.0
        poses = store.reshape(-1, 4, 4)
        scalars = len(model.scalar_frames)
        self._x = np.empty(scalars)
        features = np.ones((scalars, plan.features.shape[1]))
        self._sine, self._cosine, self._travel = features[:, 1], features[:, 2], features[:, -1]
        self._features = features[:, None, :]
        self._local = store[plan.scalar].reshape(scalars, 1, 16)
        self._link_rows = plan.frame_rows[model.link_frame]
        self._dof_rows = plan.frame_rows[model.dof_frame]
        rows_a = plan.frame_rows[self._probes.frames_a[: self._moving]]
        self._pose_rows = np.concatenate((self._dof_rows, rows_a))
        self._hops = []
        for hop in plan.hops:
            before = np.empty((hop.count, 16))
            own: IntArray | None = None
            if isinstance(hop.own, slice):
                after = store[hop.own]
            else:
                own, after = hop.own, np.empty((hop.count, 16))
            before4, after4 = before.reshape(-1, 4, 4), after.reshape(-1, 4, 4)
            self._hops.append((hop.ancestors, own, before, before4, after, after4, poses[hop.out]))

    def _make_free(self) -> None:
        model, count = self.model, len(self.model.free_frames)
        self._any_free, self._origin = count > 0, movable_origin(model)
        local = self._store[self.plan.free]
        self._free_local = local.reshape(-1, 4, 4)
        # written where it is needed, unless a constant pose stands before the joint
        self._free_at_once = bool((model.free_parent_from_joint == np.eye(4)).all())
        pose = local if self._free_at_once else local.copy()
        self._joint_pose, self._joint_pose4 = pose, pose.reshape(-1, 4, 4)
        self._joint_corner = pose[:, 15:]
        self._joint_rotation = self._joint_pose4[:, :3, :3]
        self._joint_position = self._joint_pose4[:, :3, 3]
        all_float = count == len(model.floating_rows)
        self._floating = slice(None) if all_float else model.floating_rows
        self._pairs = np.empty((2, len(model.quaternion_rows), 10))
        self._pair_firsts, self._pair_seconds = self._pairs
        both = np.stack((FIRST, SECOND))[:, None, :]
        self._quaternion_pairs = model.quaternion_q[:, :1] + both

    def _make_twists(self) -> None:
        model = self.model
        count = len(model.dof_frame)
        self._twist_cells = np.empty((2, count, 12), dtype=np.intp)
        for dof, twist in enumerate(model.dof_twist):
            # the axis is a column of the pose; its turn and its slide along it
            column = int(np.argmax(np.abs(twist))) % 3
            turn, slide = twist[column], twist[3 + column]
            start = 16 * int(self._dof_rows[dof])
            axis, origin = (start + 4 * np.arange(3) + at for at in (column, 3))
            own = 16 * (self.plan.rows + dof)
            self._cells[own : own + 2] = turn, slide
            crossed = [origin[i] if turn else ZERO for i in (1, 2, 2, 0, 0, 1)]
            self._twist_cells[0, dof] = *crossed, *(3 * [own + 1]), *(3 * [own])
            self._twist_cells[1, dof] = *(axis[[2, 1, 0, 2, 1, 0]]), *axis, *axis
        self._factors = np.empty((2, count, 12))
        self._first_factors, self._second_factors = self._factors
        self._products = np.empty((count, 12))
        transposed = np.arange(16).reshape(4, 4).T.reshape(16)
        rows = np.concatenate((self._dof_rows, self.plan.frame_rows[self._probes.frames_b]))
        self._transposed_cells = 16 * rows[:, None] + transposed

    def _make_inertia(self) -> None:
        model = self.model
        count = len(model.dof_frame)
        frames = model.dof_frame
        carries = np.append(frames[1:] != frames[:-1], True)[:count]  # last of its frame
        # J0, moves, speeds, poses: the first two are right factors, the last two left ones
        wide, probes = count + self._moving, self._probes
        slots = np.zeros((4, wide, 16))
        slots[0][:count][carries] = model.frame_pseudo_inertia[frames[carries]].reshape(-1, 16)
        slots[0][count:] = probes.weights[: self._moving].reshape(-1, 16)
        matrices = slots.reshape(4, wide, 4, 4)
        self._right, self._left = matrices[:2], matrices[3:1:-1]
        self._frame_inertia, self._poses, self._poses_flat = matrices[0], matrices[3], slots[3]
        same = (frames[:, None] == frames).astype(float)
        path, path_a = model.path[frames], model.path[probes.frames_a]
        probed = model.path[probes.frames_b] - path_a
        # V_B - V_A, doubled and turned round, beside moves; V_A beside speeds
        speeds = ((2.0 * path - same) * carries[:, None], path_a[: self._moving])
        apart = -2.0 * probed[: self._moving]
        if carries.all():
            self._own_moves, self._speeds = slots[1, :count], slots[1:3].reshape(-1, 16)[count:]
            self._speeds_from_moves = np.concatenate((apart, *speeds))
        else:
            self._own_moves, self._speeds = np.empty((count, 16)), slots[1:3].reshape(-1, 16)
            self._speeds_from_moves = np.concatenate((same * carries[:, None], apart, *speeds))
        self._below = np.ascontiguousarray(path.T)
        # of K, what stands beside it, and -g
        self._above = np.zeros((len(probed) + count, wide + 1))
        self._above[:, :count] = np.concatenate((probed, path * (1.0 - same)))
        self._above[: self._moving, count:wide] = np.eye(self._moving)
        self._above[len(probed) :, wide] = 1.0
        self._halves = np.concatenate((probed, np.where(same > 0.0, 0.5, path)))
        self._transposed = np.empty((count + len(probed), 16))
        self._transposed4 = self._transposed.reshape(-1, 4, 4)
        self._composite = np.empty((count, 16))
        self._composite4 = self._composite.reshape(-1, 4, 4)

    def _make_forces(self) -> None:
        count, p = len(self.model.dof_frame), self._probed
        wide = count + self._moving
        # Y, the weights of probes, S, K, what of probes is beside it, and in the last row -g as
        # an acceleration of the world
        rows = np.zeros((2 * count + p + wide + 1, 16))
        rows[count : count + p] = self._probes.weights.reshape(-1, 16)
        rows[-1, [3, 7, 11]] = -self.model.gravity
        self._y_and_weights = rows[: count + p].reshape(-1, 4, 4)
        self._y = self._y_and_weights[:wide]
        self._gains = rows[count + p : 3 * count + p]
        self._twists, self._k, self._k_and_weight = (
            self._gains[:count],
            self._gains[count:],
            rows[2 * count + p :],
        )
        self._twists_and_k = self._gains.reshape(2, count, 4, 4)
        self._twists4 = self._twists_and_k[0]
        # Y and K lie apart
        step = 8 * 16 * (2 * count + p)
        self._y_and_k = as_strided(rows, (2, wide, 4, 4), (step, 128, 32, 8))
        # J, W of probes, B, C
        products = np.empty((3 * count + p, 16))
        self._inertia, self._inertia4 = products[:count], products[: count + p].reshape(-1, 4, 4)
        self._w_and_b, self._b, self._c = (
            products[count : 2 * count + p],
            products[count + p : 2 * count + p],
            products[2 * count + p :],
        )
        self._b_and_c = products[count + p :].reshape(2, count, 4, 4)
        self._b4 = self._b_and_c[0]
        self._firsts, self._second = np.zeros((2, p + count, 16))
        self._first = self._firsts[p:]
        self._across = np.empty((p + count, count))
        self._square = self._across[p:]
        self._square_across, self._twists_across = self._square.T, self._twists.T
        self._ones = np.ones(16)
