"""The equations of motion as a first-order system for the schemes of `integrate`.

The state is y = (q, v, w): coordinates, velocities, and the work w that the forces on the
joints have taken out of the mechanism so far, so that energy + w is conserved.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .arrays import FloatArray, as_floats
from .dynamics import Model, kinetic_energy, potential_energy, q_derivative
from .dynamics.equations import bias_of, evaluate, mass_of, solve_mass
from .dynamics.passive import Passive, passive_forces
from .dynamics.singular import joint_of_velocity, weakest_direction
from .integrate.rosenbrock import Linear

NEARLY_SINGULAR = 1e-4  # of the scaled mass matrix: named as the cause of a collapse
Torque = Callable[[float, FloatArray, FloatArray], FloatArray]


class Motion:
    """y' = (N(q) v, M^-1 (tau - b + passive), -v . (tau + passive))."""

    def __init__(
        self, model: Model, tau: Torque | None, damping: float, limits: bool, passive: bool
    ) -> None:
        self.model = model
        self.tau = tau
        self.damping = damping
        self.limits = limits
        self.passive = passive

    def pack(self, q: FloatArray, v: FloatArray) -> FloatArray:
        """y (nq + nv + 1,) at the start."""
        return np.concatenate((q, v, [0.0]))

    def unpack(self, y: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(q, v, w) of y (…, nq + nv + 1)."""
        nq, nv = self.model.nq, self.model.nv
        return y[..., :nq], y[..., nq : nq + nv], y[..., -1]

    def derivative(self, t: float, y: FloatArray) -> FloatArray:
        """y' at time t, shape (nq + nv + 1,)."""
        q, v, _ = self.unpack(y)
        at = evaluate(self.model, q)
        force = self._joint_forces(t, q, v)
        acceleration = solve_mass(
            self.model, mass_of(self.model, at), force - bias_of(self.model, at, v)
        )
        return np.concatenate((q_derivative(self.model, q, v), acceleration, [-(v @ force)]))

    def energy(self, q: FloatArray, v: FloatArray) -> FloatArray:
        """Kinetic plus potential energy, J; shape (…)."""
        return kinetic_energy(self.model, q, v) + potential_energy(self.model, q)

    def passive_rate(self, y: FloatArray) -> float:
        """The fastest rate (1/s) at which damping and friction would stop a joint from here."""
        q, v, _ = self.unpack(y)
        if not self.model.nv:
            return 0.0
        mass = mass_of(self.model, evaluate(self.model, q))
        slopes = self._passive(q, np.zeros_like(v)).damping
        if not (np.isfinite(mass).all() and slopes.any()):
            return 0.0
        return float(np.abs(np.linalg.eigvals(np.linalg.solve(mass, np.diag(slopes)))).max())

    def explain(self, y: FloatArray, component: int) -> str:
        """Why the motion cannot go on from y, where y[component] has the largest error."""
        model = self.model
        q, v, _ = self.unpack(y)
        mass = mass_of(model, evaluate(model, q))
        if np.isfinite(mass).all():
            smallest, joints = weakest_direction(model, mass)
            if smallest < NEARLY_SINGULAR:
                return (
                    f"joints {', '.join(map(repr, joints))} move hardly any inertia against each "
                    "other there (the mass matrix is nearly singular); give the links between "
                    "them inertia, or damp the joints"
                )
        joint = self._joint_of(component)
        speed = float(np.abs(v).max(initial=0.0))
        return (
            f"the forces on joint '{joint}' change too fast (largest joint velocity "
            f"{speed:.3g} rad/s or m/s); check the inertia of the links that it moves, or damp it"
        )

    def _joint_of(self, component: int) -> str:
        """The joint that y[component] belongs to; for the work, the fastest one is not known."""
        model = self.model
        for joint, where in model.q_slices.items():
            if where.start <= component < where.stop:
                return joint
        index = min(component - model.nq, model.nv - 1)
        return joint_of_velocity(model, index)

    def linearised(self, t: float, y: FloatArray, hg: float) -> tuple[Linear, Linear]:
        """The stiff part of the Jacobian: how passive forces depend on q and v.

            A = [[0, 1, 0], [-M^-1 K, -M^-1 D, 0], [0, 0, 0]]

        with 1 for scalar joints only. (1 - hg A) x = r needs one matrix of the size of M:
        (M + hg D + hg^2 K) x_v = M r_v - hg K r_q.
        """
        model, (q, v, _) = self.model, self.unpack(y)
        nq, nv = model.nq, model.nv
        mass = mass_of(model, evaluate(model, q))
        forces = self._passive(q, v)
        stiffness, damping = forces.stiffness, forces.damping
        inverse = np.linalg.inv(mass + np.diag(hg * damping + hg * hg * stiffness))
        mass_inverse = np.linalg.inv(mass)
        scalar_q, scalar_v = self.model.plain_q, self.model.plain_v

        def from_q(x: FloatArray) -> FloatArray:
            out = np.zeros(nv)
            out[scalar_v] = x[scalar_q]
            return out

        def multiply(x: FloatArray) -> FloatArray:
            out = np.zeros_like(x)
            rate = x[nq : nq + nv]
            out[scalar_q] = rate[scalar_v]
            out[nq : nq + nv] = -mass_inverse @ (stiffness * from_q(x) + damping * rate)
            return out

        def solve(right: FloatArray) -> FloatArray:
            out = right.copy()
            rate = inverse @ (mass @ right[nq : nq + nv] - hg * stiffness * from_q(right))
            out[nq : nq + nv] = rate
            out[scalar_q] += hg * rate[scalar_v]
            return out

        return multiply, solve

    def _joint_forces(self, t: float, q: FloatArray, v: FloatArray) -> FloatArray:
        """tau + passive, (nv,)."""
        force = self._passive(q, v).force
        if self.tau is None:
            return force
        return force + as_floats(self.tau(t, q, v), (self.model.nv,), "tau")

    def _passive(self, q: FloatArray, v: FloatArray) -> Passive:
        return passive_forces(
            self.model,
            q,
            v,
            described=self.passive,
            extra_damping=self.damping,
            stops=self.limits,
        )
