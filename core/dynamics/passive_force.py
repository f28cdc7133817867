"""The force of `passive` alone, without its derivatives, for the inner loop of a simulation.

What does not act is found out once, and stops are only worked out where a limit is passed.
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from .kinematics import coordinate_rates, coordinates
from .model import Model
from .passive import stop_forces, to_velocities


class PassiveForce:
    """f(q, v) = -(d + extra) x' - c tanh(x' / s) - k (x - rest) + stop, as `passive_forces`.

    Attributes:
        acts: whether there is any.
    """

    def __init__(self, model: Model, described: bool, extra_damping: float, stops: bool) -> None:
        self.model = model
        self._damping = np.full(len(model.damping), extra_damping)
        self._friction = self._stiffness = False
        ball = np.ones(len(model.free_frames))
        ball[model.floating_rows] = 0.0
        self._free_damping = np.broadcast_to(
            extra_damping * ball[:, None], model.free_damping.shape
        ).copy()
        if described:
            self._damping += model.damping
            self._free_damping += model.free_damping
            self._friction = bool(model.friction.any())
            self._stiffness = bool(model.stiffness.any())
        limited = np.isfinite(model.lower) | np.isfinite(model.upper)
        self._stops = stops and bool(limited.any())
        self._turns = bool(self._free_damping.any())
        self._scalar = bool(self._damping.any() or self._friction or self._stiffness or self._stops)
        self.acts = self._scalar or self._turns

    def __call__(self, q: FloatArray, v: FloatArray) -> FloatArray:
        """The force (…, nv) of q (…, nq) and v (…, nv), N m and N."""
        force = self._of_scalars(q, v) if self._scalar else np.zeros_like(v)
        if self._turns:
            where = self.model.free_angular_v
            force[..., where] -= self._free_damping * v[..., where]
        return force

    def _of_scalars(self, q: FloatArray, v: FloatArray) -> FloatArray:
        model = self.model
        rate = coordinate_rates(model, v)
        force = self._damping * rate
        np.negative(force, out=force)
        if self._friction:
            force -= model.friction * np.tanh(rate / model.friction_speed)
        if self._stiffness or self._stops:
            x = coordinates(model, q)
            if self._stiffness:
                force -= model.stiffness * (x - model.rest)
            if self._stops and ((x < model.lower) | (x > model.upper)).any():
                force += stop_forces(model, x, rate)[0]
        return to_velocities(model, force)
