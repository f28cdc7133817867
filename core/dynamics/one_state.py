"""One state of a tree, in as few numpy calls as can be: 4x4 matrices of all frames at once.

Every call costs about a microsecond whatever it does, so all that can be prepared is: constant
tables, buffers, and views into them. Matrices stand in rows of 16, one row for each degree of
freedom; of a joint with several in one frame, the last row carries the frame's inertia, moves
and speeds, and the others hold zeros there.

With X = world_from_frame, J0 the pseudo-inertia in the frame, S_k the 4x4 matrix of the unit
twist of k at the world origin, [[w]x, u; 0, 0], and sums over what k moves ("below", its own
frame included) and over the frames between the world and k ("above"):

    J = X J0 X^T,  J^c_k = sum below J                   inertia, and the composite one
    m = sum over own S v,  V = sum above m + m           moves and speed of a frame
    K = (2 V - m) m + sum over own S a                   what X'' X^-1 gains in a frame
    B_k = S_k J^c_k,  M_jk = <S_j, B_k>                  where j moves the frame of k
    C = K J^c
    tau_k = <S_k, sum below C> + <B_k, sum above K - g>  inverse dynamics; with a = 0 the bias

<,> sums the products of entries. It follows from X'' X^-1 = sum above (K) for each frame and
tau_k = <S_k, sum below (X'' X^-1 - g) J>: a term K_d J_i reaches k where d and k both move i, so
the inner sum is the composite inertia of the deeper of d and k. None of it depends on where the
world's origin is, so the equations of motion of robots that float are taken at them (`origin`).

Source: the pseudo-inertia and tr(dX J dX^T) as the metric of a body: P. M. Wensing, S. Kim and
J.-J. E. Slotine, Linear Matrix Inequalities for Physically Consistent Inertial Parameter
Identification (2018); composite inertia: R. Featherstone (2008), section 6.2.
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from ..frames.kernels import ROTATION
from .one_state_buffers import OneStateBuffers
from .orientation_states import free_rotations
from .solve import solve_mass
from .spatial import HAT, TWIST_ENTRIES

# a unit twist's matrix of twelve products: six of p x c, three of slide c, three of turn c
TWIST_OF_PRODUCTS = np.concatenate(
    (np.stack((HAT[3:], -HAT[3:]), axis=1).reshape(6, 16), HAT[3:], HAT[:3])
)
# |q|^2 R as a 4x4 with |q|^2 in the corner, of the ten products of a quaternion's components
POSE_OF_QUATERNION = np.zeros((10, 4, 4))
POSE_OF_QUATERNION[:, :3, :3] = ROTATION[:, :9].reshape(10, 3, 3)
POSE_OF_QUATERNION[:, 3, 3] = ROTATION[:, 9]
POSE_OF_QUATERNION = POSE_OF_QUATERNION.reshape(10, 16)


class OneState(OneStateBuffers):
    """Evaluations of one state after the other; for one thread at a time.

    The methods take q (nq,), v, a and force (nv,); their results are tuples of new arrays.
    """

    def frame_poses(self, q: FloatArray) -> tuple[FloatArray]:
        """world_from_frame (nf, 4, 4)."""
        self._place(q)
        return (self._store.take(self.plan.frame_rows, 0).reshape(-1, 4, 4),)

    def link_poses(self, q: FloatArray) -> tuple[FloatArray]:
        """world_from_link (n_links, 4, 4)."""
        self._place(q)
        carriers = self._store.take(self._link_rows, 0).reshape(-1, 4, 4)
        return (np.matmul(carriers, self.model.frame_from_link),)

    def tableau(self, q: FloatArray) -> tuple[FloatArray, FloatArray]:
        """world_from_frame (nf, 4, 4) and the unit twists (nd, 6)."""
        (poses,) = self.frame_poses(q)
        self._make_unit_twists()
        return poses, self._twists.take(TWIST_ENTRIES, 1)

    def mass(self, q: FloatArray) -> tuple[FloatArray]:
        """The mass matrix (nv, nv)."""
        self._place(q, near=True)
        self._make_unit_twists()
        np.matmul(self._poses, self._frame_inertia, self._y)
        self._compose_inertia()
        np.matmul(self._twists4, self._composite4, self._b4)
        return (self._mass_matrix(),)

    def forces(self, q: FloatArray, v: FloatArray, a: FloatArray) -> tuple[FloatArray]:
        """tau = M a + b (nv,)."""
        self._move(q, v, a)
        return (self._joint_forces(a),)

    def bias(self, q: FloatArray, v: FloatArray) -> tuple[FloatArray]:
        """b (nv,)."""
        self._move(q, v, None)
        return (self._joint_forces(),)

    def mass_and_bias(self, q: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """M (nv, nv) and b (nv,)."""
        self._move(q, v, None)
        return self._mass_matrix(), self._joint_forces()

    def motion(self, q: FloatArray, v: FloatArray) -> tuple[FloatArray, ...]:
        """What `evaluation.OneMotion` holds, in its order."""
        near = self._origin is None
        self._move(q, v, None, near)
        poses = self._store.take(self.plan.frame_rows, 0).reshape(-1, 4, 4)
        gains, speeds = self._gains.copy(), np.dot(self.model.path, self._own_moves)
        if not near:
            # the equations of motion are taken at the robot, all else where it stands
            self._move(q, v, None)
        mass, bias, probed = self._mass_matrix(), self._joint_forces(), self._probed
        if not probed:
            return poses, gains, speeds, mass, bias
        slopes, bends = self._across[:probed].copy(), self._bends[:probed]
        return poses, gains, speeds, mass, bias, slopes, bends

    def accelerations(self, q: FloatArray, v: FloatArray, force: FloatArray) -> tuple[FloatArray]:
        """a (nv,) of M a + b = force."""
        self._move(q, v, None)
        net = self._joint_forces()
        np.subtract(force, net, net)
        return (solve_mass(self.model, self._mass_matrix(), net),)

    def _place(self, q: FloatArray, near: bool = False) -> None:
        """Compose the poses of all frames in the store; near the origin where that may be."""
        plan = self.plan
        if self._any_free:
            self._place_free(q, near)
        x = q
        if plan.picks is not None:
            x = q.take(plan.picks, None, self._x, "clip")
        elif plan.from_q is not None:
            x = np.dot(plan.from_q, q, self._x)
            np.add(x, plan.offset, x)
        np.sin(x, self._sine)
        np.cos(x, self._cosine)
        if plan.slides:
            self._travel[:] = x
        np.matmul(self._features, plan.features, self._local)
        store = self._store
        for ancestors, own, before, before4, after, after4, out in self._hops:
            store.take(ancestors, 0, before, "clip")
            if own is not None:
                store.take(own, 0, after, "clip")
            np.matmul(before4, after4, out)

    def _place_free(self, q: FloatArray, near: bool) -> None:
        """The local poses of spherical and floating joints."""
        model, pose = self.model, self._joint_pose
        if len(model.euler_rows):
            self._joint_rotation[:] = free_rotations(model, q)
        else:
            q.take(self._quaternion_pairs, None, self._pairs, "clip")
            np.multiply(self._pair_firsts, self._pair_seconds, self._pair_firsts)
            np.dot(self._pair_firsts, POSE_OF_QUATERNION, pose)
            np.divide(pose, self._joint_corner, pose)
        if len(model.floating_rows):
            origin = self._origin if near else None
            places = q.take(model.floating_q) if origin is None else origin.places(q)
            self._joint_position[self._floating] = places
        if not self._free_at_once:
            np.matmul(model.free_parent_from_joint, self._joint_pose4, self._free_local)

    def _make_unit_twists(self) -> None:
        """S of all degrees of freedom, from products of cells of the store."""
        self._cells.take(self._twist_cells, None, self._factors, "clip")
        np.multiply(self._first_factors, self._second_factors, self._products)
        np.dot(self._products, TWIST_OF_PRODUCTS, self._twists)
        self._store.take(self._pose_rows, 0, self._poses_flat, "clip")
        self._cells.take(self._transposed_cells, None, self._transposed, "clip")

    def _move(self, q: FloatArray, v: FloatArray, a: FloatArray | None, near: bool = True) -> None:
        """All of the evaluation that mass matrix and joint forces have in common."""
        self._place(q, near)
        self._make_unit_twists()
        if self._dof_from_v is not None:
            v = np.dot(self._dof_from_v, v)
        # moves m, and 2 V - m
        np.multiply(self._twists, v.reshape(-1, 1), self._own_moves)
        np.dot(self._speeds_from_moves, self._own_moves, self._speeds)
        # Y = X J0 and K = (2 V - m) m
        np.matmul(self._left, self._right, self._y_and_k)
        if a is not None:
            if self._dof_from_v is not None:
                a = np.dot(self._dof_from_v, a)
            np.multiply(self._twists, a.reshape(-1, 1), self._first)
            np.add(self._k, self._first, self._k)
        self._compose_inertia()
        # B = S J^c and C = K J^c
        np.matmul(self._twists_and_k, self._composite4, self._b_and_c)

    def _compose_inertia(self) -> None:
        """J = Y X^T, and its sum over all that each degree of freedom moves."""
        np.matmul(self._y_and_weights, self._transposed4, self._inertia4)
        np.dot(self._below, self._inertia, self._composite)

    def _mass_matrix(self) -> FloatArray:
        """M: each pair is computed where the first moves the frame of the second, and mirrored."""
        np.dot(self._w_and_b, self._twists_across, self._across)
        np.multiply(self._across, self._halves, self._across)
        mass = np.add(self._square, self._square_across)
        if self.model.armature is not None:
            mass.reshape(-1)[:: len(mass) + 1] += self.model.armature
        if self._dof_from_v is not None:
            mass = self._dof_from_v.T @ mass @ self._dof_from_v
        return mass

    def _joint_forces(self, a: FloatArray | None = None) -> FloatArray:
        """tau_k = <S_k, sum below C> + <B_k, sum above K - g>, and what rotors need."""
        np.dot(self._below, self._c, self._first)
        np.dot(self._above, self._k_and_weight, self._second)
        np.multiply(self._twists, self._first, self._first)
        np.multiply(self._w_and_b, self._second, self._second)
        np.add(self._firsts, self._second, self._second)
        sums: FloatArray = np.dot(self._second, self._ones)
        self._bends, force = (sums, sums) if self._probed == 0 else (sums, sums[self._probed :])
        if a is not None and self.model.armature is not None:
            gain = a if self._dof_from_v is None else np.dot(self._dof_from_v, a)
            force += self.model.armature * gain
        return force if self._dof_from_v is None else np.dot(force, self._dof_from_v)
