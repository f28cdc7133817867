"""A compiled tree with what acts on it: forces, prescribed motions and constraints.

    M(q) a + b(q, v) + G^T lambda = tau + sum of joint forces + sum over frames of J^T wrench
    G a = gamma

One evaluation is kinematics -> applied forces -> bias and inertia -> constraint rows -> solve.
Everything takes leading axes, so that all instants of a motion are one call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats
from .constraints.constraint import Constraint
from .constraints.coordinates import CoordinateMarker
from .constraints.projection import Projection
from .constraints.reaction import reaction
from .constraints.rows import ConstraintRows
from .evaluation import (
    OneMotion,
    Tableau,
    evaluate,
    forces_at,
    mass_and_bias_at,
    one_motion,
)
from .model import IntArray, Model
from .servo import Servo, ServoBank
from .solve import check_inertia, solve_mass


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
    one: OneMotion | None = None

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


@dataclass(frozen=True)
class Response:
    """How a system answers forces.

    a (…, nv); drive (…, nv), the forces that hold prescribed coordinates to their motion, zero for
    the others; multipliers (…, m), lambda of the rows of constraints that act; pull (…, nv), the
    forces of the constraints, -G^T lambda.
    """

    a: FloatArray
    drive: FloatArray
    multipliers: FloatArray
    pull: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class System:
    """A model with force elements, prescribed coordinates and constraints.

    markers: those that constraints name; reference: q (nq,) of a pose that is usual for the motion,
    against which the sizes of constraint rows are told.
    """

    model: Model
    joint_forces: tuple[JointForce, ...] = ()
    frame_forces: tuple[FrameForce, ...] = ()
    prescribed: tuple[Prescribed, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    markers: tuple[CoordinateMarker, ...] = ()
    reference: FloatArray | None = None

    @cached_property
    def _incidence(self) -> FloatArray:
        """(nf, all k): 1 where a wrench of the elements acts on the frame."""
        frames = np.concatenate([element.frames for element in self.frame_forces])
        out: FloatArray = (np.arange(len(self.model.path))[:, None] == frames).astype(np.float64)
        return out

    @cached_property
    def joint_elements(self) -> tuple[JointForce, ...]:
        """`joint_forces` with all servos as one element."""
        servos = [own for own in self.joint_forces if isinstance(own, Servo)]
        if not servos:
            return self.joint_forces
        others = [own for own in self.joint_forces if not isinstance(own, Servo)]
        return (*others, ServoBank(self.model, servos))

    @cached_property
    def rows(self) -> ConstraintRows | None:
        """The rows of the constraints that act; None where none does."""
        acting = [own for own in self.constraints if own.active]
        if not acting:
            return None
        return ConstraintRows(self.model, acting, self.markers, self.reference)

    @cached_property
    def projection(self) -> Projection | None:
        """What puts states onto the manifold of the constraints; None where there are none."""
        if self.rows is None:
            return None
        free = self._free if self.prescribed else None
        return Projection(self.rows, self.moment, free, self.prescribed)

    @cached_property
    def _driven(self) -> IntArray:
        """The velocities of prescribed coordinates."""
        return np.array([own.v_index for own in self.prescribed], dtype=np.intp)

    @cached_property
    def _free(self) -> IntArray:
        """All other velocities."""
        return np.setdiff1d(np.arange(self.model.nv), self._driven)

    def __repr__(self) -> str:
        return (
            f"<System of {self.model!r}: {len(self.joint_forces) + len(self.frame_forces)} force "
            f"elements, {len(self.prescribed)} prescribed coordinates, {len(self.constraints)} "
            "constraints>"
        )

    @cached_property
    def timed(self) -> bool:
        """Whether functions of time act; an element that does not tell by `timed` may have some."""
        elements = (*self.joint_forces, *self.frame_forces)
        # constraints that do not act may be switched on later
        return bool(self.prescribed) or any(
            (
                *(getattr(own, "timed", True) for own in elements),
                *(c.timed for c in self.constraints),
            )
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
        model, when = self.model, np.asarray(t, dtype=np.float64)
        if q.ndim == 1 and v.ndim == 1:
            # the rows go in the same pass, once they have been asked for
            rows: ConstraintRows | None = self.__dict__.get("rows")
            fewer = None if rows is None else rows.one_state
            one = one_motion(model, q, v) if fewer is None else fewer.motion(q, v)
            tableau = Tableau(model, q, one.poses, one.twists)
            return Moment(when, q, v, one.velocities, tableau, one)
        tableau = evaluate(model, q)
        rates = v if model.dof_from_v is None else v @ model.dof_from_v.T
        velocities = model.path @ (tableau.twists * rates[..., None])
        return Moment(when, q, v, velocities, tableau)

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
        for element in self.joint_elements:
            out = out + element.joint_forces(at)
        if self.frame_forces:
            moved = model.path.T @ self.wrenches(at)
            forces = (at.tableau.twists * moved).sum(axis=-1)
            out = out + (forces if model.dof_from_v is None else forces @ model.dof_from_v)
        return out

    def solve(self, at: Moment, force: FloatArray) -> tuple[FloatArray, FloatArray]:
        """`respond` in short: a (…, nv), and the forces (…, nv) of drives and constraints."""
        response = self.respond(at, force)
        return response.a, response.drive + response.pull

    def respond(self, at: Moment, force: FloatArray, strict: bool = False) -> Response:
        """The answer to the joint forces `force` (…, nv).

        Where `strict`, constraints that contradict each other are refused.

        With F the free and P the prescribed velocities, and without constraints,

            M_FF a_F = f_F - b_F - M_FP a_P,   drive_P = M_PF a_F + M_PP a_P + b_P - f_P

        Raises:
            ModelError: for a singular mass matrix.
            SimulationError: for constraints that contradict each other, naming them.
        """
        projection = self.projection
        if projection is not None and force.ndim > at.q.ndim:
            # many forces on fewer states
            lead = force.shape[:-1]
            states = (np.broadcast_to(own, (*lead, own.shape[-1])) for own in (at.q, at.v))
            at = self.moment(at.t, *states)
        one = at.one
        if one is None:
            mass, bias = mass_and_bias_at(self.model, at.q, at.v)
        else:
            mass, bias = one.mass, one.bias
            # one state whose rows are clearly independent
            if projection is not None and not self.prescribed:
                fewer = projection.rows.one_state
                found = None if fewer is None else fewer.solve(at, one, force)
                if found is not None:
                    return Response(found[0], np.zeros(force.size), found[1], found[2])
        net = force - bias
        none = np.zeros(net.shape)
        if not self.prescribed:
            if projection is None:
                return Response(solve_mass(self.model, mass, net), none, none[..., :0], none)
            a, multipliers, pull = reaction(projection, at, mass, net, strict=strict)
            return Response(a, none, multipliers, pull)
        free, driven = self._free, self._driven
        a, multipliers, pull = np.zeros_like(net), none[..., :0], none
        for own in self.prescribed:
            a[..., own.v_index] = own.at(at.t)[2]
        if projection is not None:
            a, multipliers, pull = reaction(projection, at, mass, net, a, strict)
        elif len(free):
            rest = net - (mass @ a[..., None])[..., 0]
            block = mass[..., free[:, None], free]
            a[..., free] = solve_mass(self.model, block, rest[..., free])
        drive = np.zeros_like(net)
        needed = (mass @ a[..., None])[..., 0] - net - pull
        drive[..., driven] = needed[..., driven]
        return Response(a, drive, multipliers, pull)

    def imbalance(self, at: Moment, a: FloatArray, force: FloatArray) -> FloatArray:
        """M a + b - f (…, nv), of accelerations (…, nv) and joint forces `force` (…, nv)."""
        return forces_at(self.model, at.q, at.v, a) - force

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
            SimulationError: for constraints that contradict each other, naming them.
        """
        check_inertia(self.model)
        model = self.model
        state, rate = as_floats(q, (model.nq,), "q"), as_floats(v, (model.nv,), "v")
        at = self.moment(t, *self.held(t, state, rate))
        force = self.applied_forces(at)
        if tau is not None:
            force = force + as_floats(tau, (model.nv,), "tau")
        return self.respond(at, force, strict=True).a
