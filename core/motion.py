"""The equations of motion as a first-order system for the schemes of `integrate`.

The state is y = (q, v, w): coordinates, velocities, and the work w that the forces on the
mechanism (all but gravity) have taken out of it so far, so that energy + w is conserved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

import numpy as np

from .arrays import FloatArray, as_floats
from .dynamics import (
    Moment,
    System,
    integrate_q,
    kinetic_energy,
    potential_energy,
    q_derivative,
)
from .dynamics.constraints.assembly import assemble
from .dynamics.constraints.crossings import unsure_accelerations
from .dynamics.constraints.near_singular import may_be_singular
from .dynamics.constraints.undetermined import refuse_undetermined, singular_cause
from .dynamics.contact.impact_law import mobility
from .dynamics.evaluation import accelerations_at, mass_at
from .dynamics.orientation_states import free_rotations
from .dynamics.passive import Passive, passive_forces
from .dynamics.passive_force import PassiveForce
from .dynamics.singular import joint_of_velocity, weakest_direction
from .dynamics.system import Response
from .errors import SimulationError
from .integrate import ConstrainedEquations, Index, Linear, Time

SMOOTH = 0.02  # 1/s, relative and absolute: how fast a prescribed motion and its rates may part
NEARLY_SINGULAR = 1e-4  # of the scaled mass matrix: named as the cause of a collapse
Torque = Callable[[float, FloatArray, FloatArray], FloatArray]


class Motion(ConstrainedEquations):
    """y' = (N(q) v, a, -v . f),  M(q) a + b(q, v) = f.

    f is the sum of tau, the passive forces of the joints, the force elements of the system, the
    drives that hold prescribed coordinates to their motion, and the forces of constraints.
    """

    quadratures: ClassVar[int] = 1

    def __init__(
        self,
        system: System,
        tau: Torque | None,
        damping: float,
        limits: bool,
        passive: bool,
        index: Index = 1,
    ) -> None:
        self.system = system
        self.model = system.model
        self.nq, self.nv = self.model.nq, self.model.nv
        self.tau = tau
        self.damping = damping
        self.limits = limits
        self.passive = passive
        self.index = index  # of the constraints: what the scheme holds, and settling does not
        self.told: list[tuple[float, FloatArray]] = []  # times and multipliers of such a scheme
        forced = system.joint_forces or system.frame_forces or system.prescribed
        self._plain = not forced and system.rows is None
        self.notice: str | None = None  # by how much the constraints have moved the start
        self._passive_force = PassiveForce(self.model, passive, damping, limits)
        self._turns_freely = len(self.model.free_frames) > 0

    def pack(self, t: float, q: FloatArray, v: FloatArray) -> FloatArray:
        """y (nq + nv + 1,) at the start, at time t: put together where there are constraints.

        Raises:
            SimulationError: for constraints that cannot be met, naming them.
        """
        q, v = self.system.held(t, q, v)
        if self.system.projection is not None:
            start = assemble(self.system.projection, t, q, v)
            q, v, self.notice = start.q, start.v, start.notice
            self.system = replace(self.system, reference=q)
            moment = self.system.moment(t, q, v)
            given = self.respond(moment, strict=True).a
            if self.system.projection is not None:
                refuse_undetermined(self.system.projection, moment, given)
        return np.concatenate((q, v, [0.0]))

    def unpack(self, y: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(q, v, w) of y (…, nq + nv + 1)."""
        return y[..., : self.nq], y[..., self.nq : -1], y[..., -1]

    def derivative(self, t: Time, y: FloatArray) -> FloatArray:
        """y' (…, nq + nv + 1) at times t () or (…)."""
        q, v = self.system.held(t, y[..., : self.nq], y[..., self.nq : -1])
        a, force = self._solved(t, q, v)
        out = np.empty_like(y)
        out[..., : self.nq] = q_derivative(self.model, q, v) if self._turns_freely else v
        out[..., self.nq : -1] = a
        out[..., -1] = 0.0 if force is None else -(v * force).sum(axis=-1)
        return out

    def settle(self, t: Time, y: FloatArray) -> FloatArray:
        """y (…, nq + nv + 1) at times t () or (…) as it must be then.

        Prescribed coordinates have their values, and the rest is put onto the manifold of the
        constraints where the scheme does not hold them itself.
        """
        projection = self.system.projection if self.index == 1 else None
        if not self.system.prescribed and projection is None:
            return y
        q, v, w = self.unpack(y)
        q, v = self.system.held(t, q, v)
        if projection is not None:
            q, v = projection.state(np.asarray(t, dtype=np.float64), q, v)
        return np.concatenate((q, v, w[..., None]), axis=-1)

    def move(self, q: FloatArray, step: FloatArray) -> FloatArray:
        """q (…, nq) after the step (…, nv)."""
        return integrate_q(self.model, q, step, 1.0)

    def drift(
        self, q: FloatArray, v: FloatArray, a: FloatArray, h: float
    ) -> tuple[FloatArray, FloatArray]:
        """See `MechanicalEquations`: what floats freely does so along a straight line."""
        model = self.model
        after = v + h * a
        rows = model.floating_rows
        if not len(rows):
            return self.move(q, h * after), after
        # u' + omega x u is the acceleration itself, in the joint's own axes
        linear = after[model.floating_v] + h * np.cross(
            v[model.free_angular_v[rows]], v[model.floating_v]
        )
        start = free_rotations(model, q)[rows]
        moved = self.move(q, h * after)
        velocity = (start @ linear[..., None])[..., 0]
        moved[model.floating_q] = q[model.floating_q] + h * velocity
        back = free_rotations(model, moved)[rows].swapaxes(-1, -2)
        after[model.floating_v] = (back @ velocity[..., None])[..., 0]
        return moved, after

    def refuse_jump(
        self, t: float, h: float, reached: FloatArray, settled: FloatArray, give: FloatArray
    ) -> None:
        """Raise a SimulationError for a prescribed motion that its own rates do not lead to."""
        allowed = SMOOTH * h * (1.0 + np.abs(settled)) + give
        for own in self.system.prescribed:
            joint = joint_of_velocity(self.model, own.v_index)
            for what, index in (("value", own.q_index), ("rate", self.nq + own.v_index)):
                if not abs(reached[index] - settled[index]) <= allowed[index]:
                    raise SimulationError(
                        f"{self.model.name}: at t = {t:.6g} s the prescribed motion of joint "
                        f"'{joint}' is not smooth: its {what} is {settled[index]:.6g} there, and "
                        f"{reached[index]:.6g} by its rates up to then; wanted a function without "
                        "corners and jumps, and rates that fit it"
                    )

    def energy(self, q: FloatArray, v: FloatArray) -> FloatArray:
        """Kinetic plus potential energy, J; shape (…)."""
        return kinetic_energy(self.model, q, v) + potential_energy(self.model, q)

    def torques(self, t: Time, q: FloatArray, v: FloatArray) -> FloatArray:
        """tau (…, nv), which is a function of one state; zero where there is none."""
        if self.tau is None:
            return np.zeros_like(v)
        if q.ndim == 1:
            return self._torque(self.tau, float(t), q, v)
        times = np.broadcast_to(t, q.shape[:-1])
        out = np.empty_like(v)
        for index in np.ndindex(times.shape):
            out[index] = self._torque(self.tau, float(times[index]), q[index], v[index])
        return out

    def _torque(self, tau: Torque, t: float, q: FloatArray, v: FloatArray) -> FloatArray:
        """tau (nv,) at one state, checked."""
        own = as_floats(tau(t, q, v), (self.nv,), "tau")
        # a state that overflowed is the integration's business
        if not np.isfinite(own).all() and np.isfinite(q).all() and np.isfinite(v).all():
            joint = joint_of_velocity(self.model, int(np.argmin(np.isfinite(own))))
            raise SimulationError(
                f"{self.model.name}: tau at t = {t:.6g} s: wanted finite joint forces, got "
                f"{own[~np.isfinite(own)][0]} for joint '{joint}'"
            )
        return own

    def fastest_decay(self, t: float, y: FloatArray) -> float:
        """The fastest rate (1/s) at which forces would bring neighbouring motions together.

        Of passive forces, which act on one joint each, from M^-1 D; where other forces act, from
        the Jacobian of all of them.
        """
        if not self.nv:
            return 0.0
        if not self._only_passive:
            slopes = self.slopes(t, y)[:-1, :-1]
            return float(-np.linalg.eigvals(slopes).real.min()) if _finite(slopes) else 0.0
        q, v, _ = self.unpack(y)
        mass = mass_at(self.model, q)
        slopes = self._passive(q, np.zeros_like(v)).damping
        if not (_finite(mass) and slopes.any()):
            return 0.0
        return float(np.abs(np.linalg.eigvals(np.linalg.solve(mass, np.diag(slopes)))).max())

    def explain(self, t: float, y: FloatArray, component: int) -> str:
        """Why the motion cannot go on from y at t, where y[component] has the largest error."""
        model = self.model
        q, v, _ = self.unpack(y)
        mass = mass_at(model, q)
        if _finite(mass) and self.nv:
            smallest, joints = weakest_direction(model, mass)
            if smallest < NEARLY_SINGULAR:
                return (
                    f"joints {', '.join(map(repr, joints))} move hardly any inertia against each "
                    "other there (the mass matrix is nearly singular); give the links between "
                    "them inertia, or damp the joints"
                )
        if self.system.projection is not None and _finite(y):
            cause = singular_cause(self.system.projection, self.system.moment(t, q, v))
            if cause is not None:
                return cause
        timed = [own.label for own in self.system.constraints if own.active and own.timed]
        if timed:
            return (
                f"the forces of {', '.join(timed)} may change too fast: functions that are given "
                "to constraints must be twice differentiable, without corners and jumps; put a "
                "spline through the values of a table"
            )
        joint = self._joint_of(component)
        speed = float(np.abs(v).max(initial=0.0))
        return (
            f"the forces on joint '{joint}' change too fast (largest joint velocity "
            f"{speed:.3g} rad/s or m/s); check the inertia of the links that it moves, or damp it"
        )

    def linearised(self, t: float, y: FloatArray, hg: float) -> tuple[Linear, Linear]:
        """The stiff part of the Jacobian: how passive forces depend on q and v.

            A = [[0, 1, 0], [-M^-1 K, -M^-1 D, 0], [0, 0, 0]]

        with 1 for coordinates whose rate is a velocity only. (1 - hg A) x = r needs one matrix of
        the size of M: (1 + M^-1 (hg D + hg^2 K)) x_v = r_v - hg M^-1 K r_q. Where joints rest at
        their limits, M^-1 is the mobility that these leave. Where other forces than passive ones
        act, the whole Jacobian is taken, by differences.
        """
        if not (self._only_passive or self._only_straight):
            return super().linearised(t, y, hg)
        model, (q, v, _) = self.model, self.unpack(y)
        nq, nv = model.nq, model.nv
        straight = None if self.system.projection is None else self.system.projection.straight
        moves = mobility(mass_at(model, q), None if straight is None else straight.jacobian)
        forces = self._passive(q, v)
        stiffness, damping = forces.stiffness, forces.damping
        inverse = np.linalg.inv(np.eye(nv) + moves * (hg * damping + hg * hg * stiffness))
        plain_q, plain_v = model.plain_q, model.plain_v

        def from_q(x: FloatArray) -> FloatArray:
            out = np.zeros(nv)
            out[plain_v] = x[plain_q]
            return out

        def multiply(x: FloatArray) -> FloatArray:
            out = np.zeros_like(x)
            rate = x[nq : nq + nv]
            out[plain_q] = rate[plain_v]
            out[nq : nq + nv] = -moves @ (stiffness * from_q(x) + damping * rate)
            return out

        def solve(right: FloatArray) -> FloatArray:
            out = right.copy()
            rate = inverse @ (right[nq : nq + nv] - hg * moves @ (stiffness * from_q(right)))
            out[nq : nq + nv] = rate
            out[plain_q] += hg * rate[plain_v]
            return out

        return multiply, solve

    @property
    def _only_passive(self) -> bool:
        """Whether no forces but passive ones and gravity act."""
        return self._plain and self.tau is None

    @property
    def _only_straight(self) -> bool:
        """Whether beside these only constraints act that are linear in plain coordinates."""
        system = self.system
        forced = system.joint_forces or system.frame_forces or system.prescribed
        if forced or self.tau is not None or system.projection is None:
            return False
        return system.projection.straight is not None

    def _solved(
        self, t: Time, q: FloatArray, v: FloatArray
    ) -> tuple[FloatArray, FloatArray | None]:
        """Accelerations and the sum of all forces f, each (…, nv); None where there are none."""
        force = self._joint_forces(t, q, v)
        if self._plain:
            acting = np.zeros_like(v) if force is None else force
            return accelerations_at(self.model, q, v, acting), force
        moment = self.system.moment(t, q, v)
        applied = self.system.applied_forces(moment)
        force = applied if force is None else force + applied
        a, drive = self.system.solve(moment, force)
        return a, force + drive

    def respond(
        self, moment: Moment, strict: bool = False, more: FloatArray | None = None
    ) -> Response:
        """How the system answers all that acts at a moment, with drives and multipliers.

        Where `strict`, constraints that contradict each other are refused. more (…, nv) are
        further forces, such as those of contacts.
        """
        force = self.system.applied_forces(moment)
        if more is not None:
            force = force + more
        own = self._joint_forces(moment.t, moment.q, moment.v)
        return self.system.respond(moment, force if own is None else force + own, strict)

    def independent(self, t: float, y: FloatArray) -> FloatArray:
        """See `ConstrainedEquations`."""
        q, v, _ = self.unpack(y)
        rows = self.system.rows
        if rows is None:
            return np.zeros((0, 0))
        return rows.independent(self.system.moment(t, q, v))

    def uncertainty(self, t: float, y: FloatArray) -> FloatArray | None:
        """See `Equations`: rounding bends the way of loops that nearly come into line."""
        projection, (q, v, _) = self.system.projection, self.unpack(y)
        if projection is None or not projection.crossings:
            return None
        bent = unsure_accelerations(projection, self.system.moment(t, *self.system.held(t, q, v)))
        if bent is None:
            return None
        out = np.zeros_like(y)
        out[self.nq : -1] = bent
        out[-1] = np.abs(v) @ np.abs(mass_at(self.model, q)) @ bent
        return out

    def may_be_singular(self, t: float, y: FloatArray, h: float) -> bool:
        """See `ConstrainedEquations`."""
        projection, (q, v, _) = self.system.projection, self.unpack(y)
        if projection is None:
            return False
        return may_be_singular(projection, self.system.moment(t, *self.system.held(t, q, v)), h)

    def put_back(self, t: float, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """See `ConstrainedEquations`."""
        q, v, w = self.unpack(y)
        projection = self.system.projection
        assert projection is not None
        q, v = projection.state(np.asarray(t, dtype=np.float64), *self.system.held(t, q, v))
        multipliers = self.respond(self.system.moment(t, q, v)).multipliers
        return np.concatenate((q, v, w[..., None])), multipliers

    def balance(
        self, t: Time, q: FloatArray, v: FloatArray, v_dot: FloatArray, multipliers: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """See `ConstrainedEquations`."""
        held_q, held_v = self.system.held(t, q, v)
        moment = self.system.moment(t, held_q, held_v)
        own = self._joint_forces(t, held_q, held_v)
        force = self.system.applied_forces(moment)
        net = self.system.imbalance(moment, v_dot, force if own is None else force + own)
        rows = self.system.rows
        if rows is None:
            residual = rate = np.zeros((*q.shape[:-1], 0))
        else:
            positions = rows.at(moment)
            rate = rows.rates(moment, positions)
            residual = np.where(rows.velocity_level, rate, positions.residual)
            net = net + (positions.jacobian.swapaxes(-1, -2) @ multipliers[..., None])[..., 0]
        for own_motion in self.system.prescribed:
            index = own_motion.v_index
            net[..., index] = v[..., index] - held_v[..., index]
        return net, residual, rate

    def tell(self, t: float, multipliers: FloatArray) -> None:
        """See `ConstrainedEquations`."""
        self.told.append((t, multipliers))

    def _joint_forces(self, t: Time, q: FloatArray, v: FloatArray) -> FloatArray | None:
        """tau + passive, (…, nv); None where neither acts."""
        force = self._passive_force(q, v) if self._passive_force.acts else None
        if self.tau is None:
            return force
        torques = self.torques(t, q, v)
        return torques if force is None else force + torques

    def _passive(self, q: FloatArray, v: FloatArray) -> Passive:
        """Passive forces with their derivatives."""
        return passive_forces(
            self.model,
            q,
            v,
            described=self.passive,
            extra_damping=self.damping,
            stops=self.limits,
        )

    def _joint_of(self, component: int) -> str:
        """The joint that y[component] belongs to; for the work, the fastest one is not known."""
        model = self.model
        for joint, where in model.q_slices.items():
            if where.start <= component < where.stop:
                return joint
        index = min(component - model.nq, model.nv - 1)
        return joint_of_velocity(model, index)


def _finite(values: FloatArray) -> bool:
    return bool(np.isfinite(values).all())
