"""What is integrated, as the schemes see it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

import numpy as np

from ..arrays import FloatArray
from .differences import jacobian

Linear = Callable[[FloatArray], FloatArray]
Time = float | FloatArray  # (), or one for each state of a batch


class Equations(ABC):
    """y' = f(t, y), with leading axes: t () or (…), y (…, n).

    Attributes:
        quadratures: how many entries at the end of y are pure integrals, on which f does not
            depend; implicit schemes leave them out of their equations.
    """

    quadratures: ClassVar[int] = 0

    @abstractmethod
    def derivative(self, t: Time, y: FloatArray) -> FloatArray:
        """f(t, y), shape (…, n)."""

    def settle(self, t: Time, y: FloatArray) -> FloatArray:
        """States y (…, n) that steps have reached, with the entries that are known made exact.

        The derivative takes its states as settled.
        """
        return y

    def uncertainty(self, t: float, y: FloatArray) -> FloatArray | None:
        """By how much rounding alone may change y' (n,) at a state (n,); None for hardly.

        Asked where a step would be refused: errors that rounding makes do not count.
        """
        del t, y
        return None

    def refuse_jump(
        self, t: float, h: float, reached: FloatArray, settled: FloatArray, give: FloatArray
    ) -> None:
        """Raise where settling has moved a state (n,) by more than a step of size h explains.

        Asked after each step with error control, where that moves it at all; give (n,) is what
        the step's own error may be.
        """
        del t, h, reached, settled, give  # settling is right, unless a class knows more

    def linearised(self, t: float, y: FloatArray, hg: float) -> tuple[Linear, Linear]:
        """Two functions of a vector (n,): x -> A x, and x -> (1 - hg A)^-1 x.

        A approximates df/dy at (t, y), here by differences; what is not stiff may be left out.
        """
        matrix = self.slopes(t, y)
        inverse = np.linalg.inv(np.eye(y.size) - hg * matrix)
        return (lambda x: matrix @ x), (lambda x: inverse @ x)

    def slopes(self, t: float, y: FloatArray) -> FloatArray:
        """df/dy (n, n) by differences, zero for the quadratures' own rows and columns."""
        size = y.size - self.quadratures
        tail = y[size:]

        def f(states: FloatArray) -> FloatArray:
            rest = np.broadcast_to(tail, (len(states), tail.size))
            return self.derivative(t, np.concatenate((states, rest), axis=1))[:, :size]

        matrix = np.zeros((y.size, y.size))
        matrix[:size, :size] = jacobian(f, y[:size])[1]
        return matrix


class MechanicalEquations(Equations):
    """Equations whose state is y = (q, v, quadratures), with q' linear in v.

    Attributes:
        nq, nv: numbers of coordinates and of velocities.
    """

    nq: int
    nv: int

    def drift(
        self, q: FloatArray, v: FloatArray, a: FloatArray, h: float
    ) -> tuple[FloatArray, FloatArray]:
        """(q_1, v_1) after h seconds: v_1 = v + h a first, then q moved with v_1.

        Where velocities are taken in axes that turn, v' = a holds only at the instant: there a
        class does better.
        """
        after = v + h * a
        return self.move(q, h * after), after

    @abstractmethod
    def move(self, q: FloatArray, step: FloatArray) -> FloatArray:
        """The coordinates (…, nq) after the step (…, nv), which is a velocity times a time."""
