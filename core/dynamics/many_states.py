"""Many states of a tree at once, the states along the last axis of every array.

A numpy call on thousands of numbers costs what the numbers cost, so here products of small
matrices are written out in components, of which each is a contiguous array (frames, states), and
what every component does not need is left out: poses are 3x4, twists six numbers, the composite
inertia ten. Sums over the tree are matrix products with the constant path matrix, over all
components and states. The formulas are those of `one_state` in vectors:

    K = (2 V - m) m = [b a^T - (a . b) 1, a x u],  a the turn of 2 V - m, (b, u) the twist m
    Z = sum above K (its own frame included) + sum S a - g,  W = Z J  (3x4 times 4x4)
    tau_k = s_k . sum below (n, f),  n_i = -eps_ijk W_jk,  f = W's last column
    F_k = (tr(S) w - S w + h x u, w x h + mass u),  M_jk = s_j . F_k

with S, h and mass the blocks of the composite pseudo-inertia J^c_k and s_k = (w, u).
Vectors that enter a cross product are stored as (x, y, z, x, y): both cyclic permutations of
their components are then slices.
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from .aligned import aligned
from .level_poses import LevelPoses
from .model import Model
from .solve import solve_mass

CYCLIC = np.array([0, 1, 2, 0, 1])


class ManyStates:
    """Buffers for evaluations of `count` states after the other; for one thread at a time.

    The methods are those of `OneState`, with the states first, q (count, nq) and v (count, nv),
    and write their results into the last arguments.
    """

    def __init__(self, model: Model, count: int) -> None:
        self.model, self.count = model, count
        self._dof_from_v = model.dof_from_v
        self._poses = LevelPoses(model, count)
        self._make_twists()
        self._make_rooms()

    def tableau(self, q: FloatArray, poses: FloatArray, twists: FloatArray) -> None:
        """world_from_frame (count, nf, 4, 4) and the unit twists (count, nd, 6)."""
        self._poses.frame_poses(q, poses)
        self._make_unit_twists()
        twists[..., :3] = self._s[:3].transpose(2, 1, 0)
        twists[..., 3:] = self._s[5:8].transpose(2, 1, 0)

    def mass(self, q: FloatArray, out: FloatArray) -> None:
        """The mass matrix (count, nv, nv)."""
        self._poses.place(q, near=True)
        self._make_unit_twists()
        self._make_inertia()
        np.matmul(self._below, self._inertia, self._composite[6:])
        out[:] = self._mass_matrix()

    def forces(self, q: FloatArray, v: FloatArray, a: FloatArray, out: FloatArray) -> None:
        """tau = M a + b (count, nv)."""
        self._move(q, v, a)
        out[:] = self._joint_forces(a)

    def bias(self, q: FloatArray, v: FloatArray, out: FloatArray) -> None:
        """b (count, nv)."""
        self._move(q, v, None)
        out[:] = self._joint_forces()

    def mass_and_bias(
        self, q: FloatArray, v: FloatArray, mass: FloatArray, bias: FloatArray
    ) -> None:
        """M (count, nv, nv) and b (count, nv)."""
        self._move(q, v, None)
        bias[:] = self._joint_forces()
        mass[:] = self._mass_matrix()

    def accelerations(
        self, q: FloatArray, v: FloatArray, force: FloatArray, out: FloatArray
    ) -> None:
        """a (count, nv) of M a + b = force."""
        self._move(q, v, None)
        net = force - self._joint_forces()
        out[:] = solve_mass(self.model, self._mass_matrix(), net)

    def _make_unit_twists(self) -> None:
        """s_k as (w, u) of five rows each: u = p x w, and what slides goes along its axis."""
        s = self._s
        self._poses.cells.take(self._twist_cells, 0, self._axes_and_origins, "clip")
        axes, origins = self._axes_and_origins[:5], self._axes_and_origins[5:]
        s[:5] = axes
        _cross(origins, axes, s[5:8], self._spare)
        if len(self._sliding):
            along = self._poses.cells.take(self._slide_cells, 0) * self._slide[:, None]
            s[5:8, self._sliding] += along
        s[8:] = s[5:7]

    def _make_inertia(self) -> None:
        """S and h of J = X J0 X^T, for all frames."""
        np.matmul(self._frame_inertia, self._x_by_rows, self._y_by_rows)
        np.einsum("ijnb,kjnb->iknb", self._y, self._x, out=self._inertia_s)
        self._inertia_h[:] = self._y[CYCLIC, 3]

    def _move(self, q: FloatArray, v: FloatArray, a: FloatArray | None) -> None:
        """Up to the composite inertia and the sums of n and f below each degree of freedom."""
        self._poses.place(q, near=True)
        self._make_unit_twists()
        self._make_accelerations(v, a)
        self._make_inertia()
        # W = Z J: n = -eps W in three entries, f in the last column
        w, z = self._w, self._z
        np.einsum("ijnb,jknb->iknb", z, self._inertia_sh, out=w)
        for index, (i, j) in enumerate(((2, 1), (0, 2), (1, 0))):
            np.subtract(w[i, j], w[j, i], self._wrench[index])
        np.einsum("ijnb,jnb->inb", z[:, :3], self._inertia_h[:3], out=self._wrench[3:])
        np.multiply(z[:, 3], self._masses, self._frame_spare)
        np.add(self._wrench[3:], self._frame_spare, self._wrench[3:])
        np.matmul(self._below, self._sums, self._composite)

    def _make_accelerations(self, v: FloatArray, a: FloatArray | None) -> None:
        """Z of all frames."""
        rate, gain = self._of_dofs(v), a if a is None else self._of_dofs(a)
        moves, k, z, spare = self._moves, self._k, self._z, self._frame_spare
        np.multiply(self._s, rate, self._own_moves)
        if self._owns is not None:
            np.matmul(self._owns, self._own_moves, moves)
        np.matmul(self._speeds_from_moves, self._own_moves, self._speeds)
        speeds = self._speeds
        np.multiply(moves[:3, None], speeds[:3], k[:, :3])
        trace = np.add(np.add(k[0, 0], k[1, 1], spare[0]), k[2, 2], spare[0])
        for index in range(3):
            np.subtract(k[index, index], trace, k[index, index])
        _cross(speeds[:5], moves[5:], k[:, 3], spare)
        np.matmul(self._frame_paths, self._k_rows, self._z_rows)
        np.subtract(z[:, 3], self.model.gravity[:, None, None], z[:, 3])
        if gain is not None:
            np.multiply(self._s, gain, self._own_moves)
            np.matmul(self._paths, self._own_moves, self._speeds)
            for index, (i, j) in enumerate(((2, 1), (0, 2), (1, 0))):
                np.add(z[i, j], speeds[index], z[i, j])
                np.subtract(z[j, i], speeds[index], z[j, i])
            np.add(z[:, 3], speeds[5:8], z[:, 3])

    def _of_dofs(self, v: FloatArray) -> FloatArray:
        """Velocities or accelerations (nd, count) of all degrees of freedom."""
        return np.ascontiguousarray(v.T) if self._dof_from_v is None else self._dof_from_v @ v.T

    def _joint_forces(self, a: FloatArray | None = None) -> FloatArray:
        """tau (count, nv), with what rotors need."""
        products = self._products
        np.multiply(self._s[:3], self._composite[:3], products[:3])
        np.multiply(self._s[5:8], self._composite[3:6], products[3:])
        forces: FloatArray = np.add.reduce(products, 0)
        if a is not None and self.model.armature is not None:
            forces += self.model.armature[:, None] * self._of_dofs(a)
        return forces.T if self._dof_from_v is None else forces.T @ self._dof_from_v

    def _mass_matrix(self) -> FloatArray:
        """F_k, and M of it: pairs where the first moves the frame of the second, mirrored."""
        w, u = self._s[:5], self._s[5:]
        s = self._composite[6:15].reshape(3, 3, *w.shape[1:])
        h, spare = self._composite[15:], self._spare
        torque, force = self._products[:3], self._products[3:]
        trace = np.add(np.add(s[0, 0], s[1, 1], spare[0]), s[2, 2], spare[0])
        np.multiply(w[:3], trace, torque)
        np.einsum("ijnb,jnb->inb", s, w[:3], out=spare)
        np.subtract(torque, spare, torque)
        _cross(h, u, spare, force)
        np.add(torque, spare, torque)
        _cross(w, h, force, spare)
        np.multiply(u[:3], self._composite_masses, spare)
        np.add(force, spare, force)
        self._f6[:] = self._products.transpose(2, 1, 0)
        self._s6[..., :3] = w[:3].transpose(2, 1, 0)
        self._s6[..., 3:] = u[:3].transpose(2, 1, 0)
        np.matmul(self._f6, self._s6.transpose(0, 2, 1), self._square)
        np.multiply(self._square, self._halves, self._square)
        mass = self._square + self._square.transpose(0, 2, 1)
        if self.model.armature is not None:
            dofs = mass.shape[-1]
            mass.reshape(self.count, -1)[:, :: dofs + 1] += self.model.armature
        if self._dof_from_v is not None:
            mass = self._dof_from_v.T @ mass @ self._dof_from_v
        return mass

    def _make_twists(self) -> None:
        model, rows = self.model, len(self.model.parents)
        zero = rows  # the world's x does not point along y
        cells = np.full((10, len(model.dof_frame)), zero, dtype=np.intp)
        sliding, slides, slide_cells = [], [], []
        for dof, (frame, twist) in enumerate(zip(model.dof_frame, model.dof_twist, strict=True)):
            # the axis is a column of the pose; its turn and its slide along it
            column = int(np.argmax(np.abs(twist))) % 3
            row = int(self._poses.rows[frame])
            axis, origin = (row + rows * (4 * CYCLIC + at) for at in (column, 3))
            cells[5:, dof] = origin
            if twist[column]:
                cells[:5, dof] = axis
            if twist[3 + column]:
                sliding.append(dof)
                slides.append(twist[3 + column])
                slide_cells.append(axis[:3])
        self._twist_cells = cells
        self._sliding = np.array(sliding, dtype=np.intp)
        self._slide = np.array(slides)
        self._slide_cells = np.array(slide_cells, dtype=np.intp).reshape(-1, 3).T

    def _make_rooms(self) -> None:
        """Buffers; those that are not needed at the same time share memory."""
        model, count = self.model, self.count
        frames, dofs = len(model.parents) - 1, len(model.dof_frame)
        most = max(frames, dofs)
        rooms = [aligned(rows * most * count) for rows in (12, 12, 12, 20, 3, 3)]

        def room(index: int, *shape: int) -> FloatArray:
            return rooms[index][: int(np.prod(shape)) * count].reshape(*shape, count)

        # frames in the order of their rows, without the world
        order = self._poses.order[1:]
        own = (order[:, None] == model.dof_frame).astype(np.float64)
        paths = model.path[order]
        self._paths = paths
        self._below = np.ascontiguousarray(paths.T)
        self._speeds_from_moves = 2.0 * paths - own
        # moves of frames: those of their own degrees of freedom, in the order of the rows
        plain = np.array_equal(order, model.dof_frame)
        self._owns = None if plain else own
        # a frame stands above another where its first degree of freedom moves the other
        _, first = np.unique(model.dof_frame, return_index=True)
        self._frame_paths = np.ascontiguousarray(paths[:, first[order - 1]])
        same = model.dof_frame[:, None] == model.dof_frame
        self._halves = np.where(same, 0.5, model.path[model.dof_frame])
        inertia = model.frame_pseudo_inertia[order]
        self._frame_inertia = inertia
        self._masses = inertia[:, 3, 3, None].copy()
        self._composite_masses = self._below @ self._masses

        self._s, self._composite = aligned(10, dofs, count), aligned(20, dofs, count)
        self._axes_and_origins, self._spare = room(0, 10, dofs), room(4, 3, dofs)
        self._own_moves, self._speeds = room(0, 10, dofs), room(1, 10, frames)
        self._moves = self._own_moves if self._owns is None else room(2, 10, frames)
        self._k_rows, self._z_rows = room(3, 12, frames), room(2, 12, frames)
        self._k, self._z = (
            rows.reshape(3, 4, frames, count) for rows in (self._k_rows, self._z_rows)
        )
        self._frame_spare = room(5, 3, frames)
        # the wrench n, f and the inertia S, h, which are summed together
        self._sums = room(3, 20, frames)
        self._wrench, self._inertia = self._sums[:6], self._sums[6:]
        self._inertia_s = self._inertia[:9].reshape(3, 3, frames, count)
        self._inertia_h = self._inertia[9:]
        self._inertia_sh = self._inertia[:12].reshape(4, 3, frames, count)
        self._x = self._poses.store[:, 1:].reshape(3, 4, frames, count)
        self._y = room(1, 3, 4, frames)
        self._x_by_rows = self._x.transpose(0, 2, 1, 3)
        self._y_by_rows = self._y.transpose(0, 2, 1, 3)
        self._w = room(0, 3, 3, frames)
        self._products = room(0, 6, dofs)
        self._f6, self._s6 = np.empty((2, count, dofs, 6))
        self._square = np.empty((count, dofs, dofs))


def _cross(a: FloatArray, b: FloatArray, out: FloatArray, spare: FloatArray) -> None:
    """out (3, …) = a x b of vectors (5, …), in cyclic rows."""
    np.multiply(a[1:4], b[2:5], out)
    np.multiply(a[2:5], b[1:4], spare)
    np.subtract(out, spare, out)
