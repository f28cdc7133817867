"""The generalized-alpha scheme: order 2, and as much damping of what is fast as is asked for."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from .differences import jacobian
from .equations import MechanicalEquations
from .fixed import FixedStep
from .newton import solve


class GeneralizedAlpha(FixedStep):
    """Newmark's formulas with an acceleration that lags behind the true one.

        q_1 = q_0 moved by h v_0 + h^2 ((1/2 - beta) a_0 + beta a_1)
        v_1 = v_0 + h ((1 - gamma) a_0 + gamma a_1)
        (1 - alpha_m) a_1 + alpha_m a_0 = (1 - alpha_f) v_1' + alpha_f v_0'

    v' is the acceleration by the equations of motion, a that of the scheme; they start equal.
    With the spectral radius r of the fastest oscillations (1 keeps them, 0 ends them in a
    step): alpha_m = (2 r - 1) / (r + 1), alpha_f = r / (r + 1), gamma = 1/2 + alpha_f - alpha_m,
    beta = (gamma + 1/2)^2 / 4. A rotation is moved by its rotation vector.

    Sources: J. Chung, G. M. Hulbert, Journal of Applied Mechanics 60 (1993); O. Bruels,
    A. Cardona, Journal of Computational and Nonlinear Dynamics 5 (2010), for rotations.
    """

    order: ClassVar[int] = 2

    def __init__(
        self,
        equations: MechanicalEquations,
        t: float,
        y: FloatArray,
        h: float,
        spectral_radius: float,
    ) -> None:
        super().__init__(equations, t, y, h)
        r = spectral_radius
        self._mechanism = equations
        self.first_unknown = equations.nq
        self._alpha_m, self._alpha_f = (2.0 * r - 1.0) / (r + 1.0), r / (r + 1.0)
        self._gamma = 0.5 + self._alpha_f - self._alpha_m
        self._beta = 0.25 * (self._gamma + 0.5) ** 2
        self._slope = self.first_slope()  # y' at the state reached
        self._a = self._first_acceleration()
        self._slope[equations.nq : equations.nq + equations.nv] = self._a

    def _first_acceleration(self) -> FloatArray:
        """a_0, equal to v_0' but for the part that decays within a step.

        (2 S - S^2) v_0' with S = (1 - h da/dv - h^2 da/dq)^-1, which is v_0' + O(h^2) where the
        motion is slow: a start away from equilibrium would else be thrown by h^2 v_0'.
        """
        mechanism = self._mechanism
        nq, end_v = mechanism.nq, mechanism.nq + mechanism.nv
        q, v, tail = self.y[:nq], self.y[nq:end_v], self.y[end_v:]

        def gain(w: FloatArray) -> FloatArray:
            rest = np.broadcast_to(tail, (len(w), tail.size))
            states = np.concatenate((mechanism.move(q, self.h * w), v + w, rest), axis=1)
            return self.h * self.rate(self.t, states)[:, nq:end_v]

        first, slopes = jacobian(gain, np.zeros(mechanism.nv))
        smooth = np.linalg.inv(np.eye(mechanism.nv) - slopes)
        once: FloatArray = smooth @ first / self.h
        return 2.0 * once - smooth @ once

    def make(self, h: float, t: float) -> tuple[FloatArray, FloatArray]:
        """One step of size h; the unknowns of Newton's iteration are v_1."""
        mechanism, first, a = self._mechanism, self._slope, self._a
        nq, end_v = mechanism.nq, mechanism.nq + mechanism.nv
        gamma, beta, alpha_m, alpha_f = self._gamma, self._beta, self._alpha_m, self._alpha_f
        q, v, tail = self.y[:nq], self.y[nq:end_v], self.y[end_v:]
        v_dot = first[nq:end_v]

        def a_of(v1: FloatArray) -> FloatArray:
            out: FloatArray = (v1 - v - h * (1.0 - gamma) * a) / (h * gamma)
            return out

        def v_dot_of(v1: FloatArray) -> FloatArray:
            mean: FloatArray = (1.0 - alpha_m) * a_of(v1) + alpha_m * a
            return (mean - alpha_f * v_dot) / (1.0 - alpha_f)

        def state_of(v1: FloatArray) -> FloatArray:
            step = h * v + h * h * ((0.5 - beta) * a + beta * a_of(v1))
            rest = np.broadcast_to(tail, (*v1.shape[:-1], tail.size))
            return np.concatenate((mechanism.move(q, step), v1, rest), axis=-1)

        def residual(v1: FloatArray) -> FloatArray:
            slopes = self.rate(t, state_of(v1))
            self._slope = slopes[0].copy()
            out: FloatArray = h * (v_dot_of(v1) - slopes[:, nq:end_v])
            return out

        v1 = solve(residual, v + h * a)
        end = state_of(v1)
        # the slope of Newton's last evaluation, with the acceleration that it has led to
        self._slope[nq:end_v] = v_dot_of(v1)
        self._a = a_of(v1)
        end[end_v:] += 0.5 * h * (first[end_v:] + self._slope[end_v:])
        return mechanism.settle(t, end), np.stack((first, self._slope))
