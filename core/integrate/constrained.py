"""Generalized-alpha and Newmark's scheme with constraints at velocity or position level.

The multipliers are unknowns of each step, beside the velocities:

    M v_1' + b - f + J^T lambda_1 = 0
    index 2   J v_1 + g_t = 0           index 3   g(q_1, t_1) = 0

with q_1, v_1 and v_1' by the formulas of `GeneralizedAlpha`. Rows at velocity level stay there.
Nothing is projected: with index 2 positions may drift, with index 3 velocities follow positions.
With index 1 the accelerations v_1' are those of the equations of motion, constraints included, and
what is reached is projected. So are steps with index 2 that may lead through a singular
configuration, where positions that have drifted would end on another branch.

Newmark's scheme is the trapezoidal rule, v_1' = a_1, gamma = 1/2, beta = 1/4. It keeps all
oscillations, and with index 3 those of the multipliers too, which then are useless; so does
generalized-alpha with a spectral radius of 1. Below 1 they decay.

Sources: M. Arnold, O. Bruels, Convergence of the generalized-alpha scheme for constrained
mechanical systems, Multibody System Dynamics 18 (2007); M. Geradin, A. Cardona, Flexible Multibody
Dynamics (2001), chapter 11, for the instability without damping.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal

import numpy as np

from ..arrays import FloatArray
from .equations import MechanicalEquations, Time
from .fixed import FixedStep
from .newton import solve

Index = Literal[1, 2, 3]
AHEAD = 1e-3  # of a step: how far the first change of the acceleration is looked for


class ConstrainedEquations(MechanicalEquations):
    """Equations with constraints, of which a scheme may take the rows themselves."""

    @abstractmethod
    def independent(self, t: float, y: FloatArray) -> FloatArray:
        """(m, r): combinations of the rows that do not depend on each other at a state (n,)."""

    @abstractmethod
    def may_be_singular(self, t: float, y: FloatArray, h: float) -> bool:
        """Whether a step of size h from a state (n,) may lead through a singular configuration."""

    @abstractmethod
    def put_back(self, t: float, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The state (n,) put onto the manifold of the rows, and the multipliers (m,) there."""

    @abstractmethod
    def balance(
        self, t: Time, q: FloatArray, v: FloatArray, v_dot: FloatArray, multipliers: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """M v' + b - f + J^T lambda (…, nv); residuals and their rates (…, m).

        Residuals of rows at velocity level are their rates. Entries of prescribed coordinates in
        the first are by how much v misses their motion.
        """

    @abstractmethod
    def tell(self, t: float, multipliers: FloatArray) -> None:
        """Take down the multipliers (m,) of the time that a step has reached."""


class ConstrainedAlpha(FixedStep):
    """A step with constraints; see the module for the equations.

    Args:
        spectral_radius: of generalized-alpha; None for Newmark's trapezoidal rule.
        index: of the constraints.
    """

    order: ClassVar[int] = 2

    def __init__(
        self,
        equations: ConstrainedEquations,
        t: float,
        y: FloatArray,
        h: float,
        spectral_radius: float | None,
        index: Index,
    ) -> None:
        super().__init__(equations, t, y, h)
        self._mechanism, self._index = equations, index
        self.first_unknown = equations.nq
        r = spectral_radius
        self._alpha_m = 0.0 if r is None else (2.0 * r - 1.0) / (r + 1.0)
        self._alpha_f = 0.0 if r is None else r / (r + 1.0)
        self._gamma = 0.5 + self._alpha_f - self._alpha_m
        self._beta = 0.25 * (self._gamma + 0.5) ** 2
        self._slope = self.first_slope()
        self._a = self._first_acceleration()
        self._multipliers: FloatArray | None = None  # unknown before the first step

    def _first_acceleration(self) -> FloatArray:
        """a_0 = v' at t_0 + (alpha_m - alpha_f) h, of which it is an approximation everywhere."""
        nq, nv = self._mechanism.nq, self._mechanism.nv
        ahead = AHEAD * self.h
        there = self._mechanism.settle(self.t + ahead, self.y + ahead * self._slope)
        then = self.rate(self.t + ahead, there)
        change = (then - self._slope)[nq : nq + nv] / ahead
        a: FloatArray = (
            self._slope[nq : nq + nv] + (self._alpha_m - self._alpha_f) * self.h * change
        )
        return a

    def make(self, h: float, t: float) -> tuple[FloatArray, FloatArray]:
        """One step of size h; the unknowns of Newton's iteration are v_1 and h lambda_1."""
        mechanism, first, a, y = self._mechanism, self._slope, self._a, self.y
        nq, nv = mechanism.nq, mechanism.nv
        gamma, beta, alpha_m, alpha_f = self._gamma, self._beta, self._alpha_m, self._alpha_f
        q, v, tail = y[:nq], y[nq : nq + nv], y[nq + nv :]
        v_dot = first[nq : nq + nv]
        index = self._index
        if index == 2 and mechanism.may_be_singular(self.t, y, h):
            index = 1
        basis = mechanism.independent(self.t, y) if index > 1 else np.zeros((0, 0))

        def a_of(v1: FloatArray) -> FloatArray:
            out: FloatArray = (v1 - v - h * (1.0 - gamma) * a) / (h * gamma)
            return out

        def v_dot_of(v1: FloatArray) -> FloatArray:
            mean: FloatArray = (1.0 - alpha_m) * a_of(v1) + alpha_m * a
            return (mean - alpha_f * v_dot) / (1.0 - alpha_f)

        def q_of(v1: FloatArray) -> FloatArray:
            return mechanism.move(q, h * v + h * h * ((0.5 - beta) * a + beta * a_of(v1)))

        def residual(x: FloatArray) -> FloatArray:
            v1, multipliers = x[..., :nv], x[..., nv:] @ basis.T / h
            if index == 1:
                rest = np.broadcast_to(tail, (*v1.shape[:-1], tail.size))
                slopes = self.rate(t, np.concatenate((q_of(v1), v1, rest), axis=-1))
                return np.asarray(h * (v_dot_of(v1) - slopes[..., nq : nq + nv]))
            self.evaluations += 1
            force, place, rate = mechanism.balance(t, q_of(v1), v1, v_dot_of(v1), multipliers)
            # positions answer to v_1 by beta h / gamma
            held = rate if index == 2 else place * (gamma / (beta * h))
            return np.concatenate((h * force, held @ basis), axis=-1)

        start = np.zeros(basis.shape[1])
        if index > 1 and self._multipliers is not None:
            start = h * np.linalg.lstsq(basis, self._multipliers, rcond=None)[0]
        x = solve(residual, np.concatenate((v + h * v_dot, start)))
        v1, end = x[:nv], np.concatenate((q_of(x[:nv]), x[:nv], tail))
        if index > 1:
            self._multipliers, end = basis @ x[nv:] / h, mechanism.settle(t, end)
        elif self._index > 1:
            end, self._multipliers = mechanism.put_back(t, end)
        else:
            end = mechanism.settle(t, end)
        if self._index > 1 and self._multipliers is not None:
            mechanism.tell(t, self._multipliers)
        self._slope = self.rate(t, end)
        self._slope[nq : nq + nv] = v_dot_of(v1)
        self._a = a_of(v1)
        end[nq + nv :] += 0.5 * h * (first[nq + nv :] + self._slope[nq + nv :])
        return end, np.stack((first, self._slope))
