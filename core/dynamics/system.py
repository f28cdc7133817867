"""A compiled tree with what acts on it: forces on joints and frames, and prescribed motions.

    M(q) a + b(q, v) = tau + sum of joint forces + sum over frames of J^T wrench

One evaluation is kinematics -> applied forces -> bias and inertia -> solve. Everything takes
leading axes, so that all instants of a motion are one call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats
from .equations import Tableau, bias_of, check_inertia, evaluate, mass_of, solve_mass
from .model import IntArray, Model


@dataclass(frozen=True)
class Moment:
    """The state and the kinematics at one instant, or at many: what force elements see.

    t (…), s; q (…, nq); v (…, nv); velocities (…, nf, 6), the twists of all frames at the world
    origin in world axes, angular first; tableau, the tree's evaluation at q.
    """

    t: FloatArray
    q: FloatArray
    v: FloatArray
    velocities: FloatArray
    tableau: Tableau

    @property
    def poses(self) -> FloatArray:
        """world_from_frame (…, nf, 4, 4)."""
        return self.tableau.poses


class JointForce(Protocol):
    """A force element that acts on the joints."""

    def joint_forces(self, at: Moment) -> FloatArray:
        """Its generalised forces (…, nv), N m and N."""
        ...


class FrameForce(Protocol):
    """A force element that acts on frames of the model; frame 0 is the world.

    `frames` (k,) are the frames that it acts on; one may stand there more than once.
    """

    @property
    def frames(self) -> IntArray:
        """(k,): of the model."""
        ...

    def wrenches(self, at: Moment) -> FloatArray:
        """What acts on each of `frames` (…, k, 6): torque, force, at the world origin."""
        ...


@dataclass(frozen=True)
class Prescribed:
    """A coordinate that is a function of time: x, x' and x'' of t, by `motion(t)`.

    q_index and v_index are its places in q and v; its joint is one of scalar coordinates.
    """

    q_index: int
    v_index: int
    motion: Callable[[float], tuple[float, float, float]]

    def at(self, t: FloatArray) -> FloatArray:
        """(3, …): x, x', x'' at times (…)."""
        values = np.array([self.motion(float(time)) for time in t.ravel()], dtype=np.float64)
        return values.reshape(*t.shape, 3).transpose(-1, *range(t.ndim))


@dataclass(frozen=True, eq=False, repr=False)
class System:
    """A model with force elements and prescribed coordinates."""

    model: Model
    joint_forces: tuple[JointForce, ...] = ()
    frame_forces: tuple[FrameForce, ...] = ()
    prescribed: tuple[Prescribed, ...] = ()

    @cached_property
    def _incidence(self) -> FloatArray:
        """(nf, all k): 1 where a wrench of the elements acts on the frame."""
        frames = np.concatenate([element.frames for element in self.frame_forces])
        out: FloatArray = (np.arange(len(self.model.path))[:, None] == frames).astype(np.float64)
        return out

    def __repr__(self) -> str:
        return (
            f"<System of {self.model!r}: {len(self.joint_forces) + len(self.frame_forces)} force "
            f"elements, {len(self.prescribed)} prescribed coordinates>"
        )

    def held(self, t: ArrayLike, q: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
        """q (…, nq) and v (…, nv) with the prescribed coordinates at their values of time t."""
        if not self.prescribed:
            return q, v
        when = np.asarray(t, dtype=np.float64)
        q, v = q.copy(), v.copy()
        for own in self.prescribed:
            q[..., own.q_index], v[..., own.v_index], _ = own.at(when)
        return q, v

    def moment(self, t: ArrayLike, q: FloatArray, v: FloatArray) -> Moment:
        """The kinematics at t (…), q (…, nq), v (…, nv), taken as they are."""
        model = self.model
        tableau = evaluate(model, q)
        rates = v if model.dof_from_v is None else v @ model.dof_from_v.T
        velocities = model.path @ (tableau.twists * rates[..., None])
        return Moment(np.asarray(t, dtype=np.float64), q, v, velocities, tableau)

    def wrenches(self, at: Moment) -> FloatArray:
        """The sum of all frame forces on each frame (…, nf, 6), at the world origin."""
        if not self.frame_forces:
            return np.zeros((*at.q.shape[:-1], len(self.model.path), 6))
        acting = [element.wrenches(at) for element in self.frame_forces]
        total: FloatArray = self._incidence @ np.concatenate(acting, axis=-2)
        return total

    def applied_forces(self, at: Moment) -> FloatArray:
        """The generalised forces (…, nv) of all elements."""
        model = self.model
        out = np.zeros((*at.q.shape[:-1], model.nv))
        for element in self.joint_forces:
            out = out + element.joint_forces(at)
        if self.frame_forces:
            moved = model.path.T @ self.wrenches(at)
            forces = (at.tableau.twists * moved).sum(axis=-1)
            out = out + (forces if model.dof_from_v is None else forces @ model.dof_from_v)
        return out

    def solve(self, at: Moment, force: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Accelerations (…, nv) under the joint forces `force` (…, nv), and the drives' own.

        With F the free and P the prescribed velocities,

            M_FF a_F = f_F - b_F - M_FP a_P,   drive_P = M_PF a_F + M_PP a_P + b_P - f_P

        Returns:
            a (…, nv), and the forces (…, nv) that hold prescribed coordinates to their motion,
            zero for the others.
        """
        mass = mass_of(self.model, at.tableau)
        net = force - bias_of(self.model, at.tableau, at.v)
        if not self.prescribed:
            return solve_mass(self.model, mass, net), np.zeros_like(net)
        driven = np.array([own.v_index for own in self.prescribed])
        free = np.setdiff1d(np.arange(self.model.nv), driven)
        a = np.zeros_like(net)
        for own in self.prescribed:
            a[..., own.v_index] = own.at(at.t)[2]
        rest = net - (mass @ a[..., None])[..., 0]
        if len(free):
            block = mass[..., free[:, None], free]
            a[..., free] = solve_mass(self.model, block, rest[..., free])
        drive = np.zeros_like(net)
        needed = (mass @ a[..., None])[..., 0] - net
        drive[..., driven] = needed[..., driven]
        return a, drive

    def accelerations(
        self, t: ArrayLike, q: ArrayLike, v: ArrayLike, tau: ArrayLike | None = None
    ) -> FloatArray:
        """a of the equation of motion, with all elements acting.

        Args:
            t: (…), s; q: (…, nq); v: (…, nv); tau: (…, nv), further joint forces, N m and N.
                Entries of prescribed coordinates in q and v do not matter.

        Returns:
            (…, nv), rad/s^2 and m/s^2.

        Raises:
            ModelError: where a joint moves no inertia, or the mass matrix is singular.
        """
        check_inertia(self.model)
        model = self.model
        state, rate = as_floats(q, (model.nq,), "q"), as_floats(v, (model.nv,), "v")
        at = self.moment(t, *self.held(t, state, rate))
        force = self.applied_forces(at)
        if tau is not None:
            force = force + as_floats(tau, (model.nv,), "tau")
        return self.solve(at, force)[0]
