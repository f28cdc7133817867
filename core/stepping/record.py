"""What is kept of a motion by time stepping: states at the ends of steps, and contacts."""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray, frozen
from ..dynamics import Model, q_derivative
from ..dynamics.model import IntArray
from ..integrate import DenseOutput
from ..integrate.dense import Settle
from ..trajectory.touches import Touches
from .kick import Kick
from .settings import SLOP

NAMES = ("first", "second", "point", "normal", "gap")  # of points that touch, as kept


class StepRecord:
    """Takes down kicks in order."""

    def __init__(self, model: Model, colliders: tuple[str, ...]) -> None:
        self._model, self._colliders = model, colliders
        self._t: list[float] = []
        self._y: list[FloatArray] = []
        self._acted: list[bool] = []
        self._edges: list[float] = []
        self._push: list[FloatArray] = []
        # of kicks with contacts: their number, and what `NAMES` says of each contact
        self._touches: list[tuple[int, tuple[FloatArray, ...]]] = []
        self._work = 0.0
        self.residual, self.unconverged, self.lifted = 0.0, 0, 0.0

    def add(self, t: float, q: FloatArray, kick: Kick, before: float, after: float) -> None:
        """Take down a kick at t, s, between steps of these lengths, s."""
        self._edges.append(t - 0.5 * before)
        self._t.append(t)
        self._y.append(np.concatenate((q, kick.v, [self._work + kick.part])))
        self._work += kick.work
        self._acted.append(kick.acted)
        self.lifted += kick.lifted
        answer = kick.answer
        self._push.append(answer.push)
        self.residual = max(self.residual, answer.residual)
        self.unconverged += not answer.converged
        if kick.contacts is not None:
            found = kick.contacts.touching
            near = (found.gap <= SLOP) | kick.impulses.any(axis=1)
            if near.any():
                own = (*(getattr(found, name) for name in NAMES), kick.impulses)
                part = own if near.all() else tuple(values[near] for values in own)
                self._touches.append((len(self._t) - 1, part))

    def add_still(self, t: float, q: FloatArray, v: FloatArray) -> None:
        """Take down a state from which no step is made."""
        self._t.append(t)
        self._y.append(np.concatenate((q, v, [0.0])))
        self._acted.append(False)

    def step(self, n: int, settle: Settle | None) -> DenseOutput:
        """The states of the step that leads to instant n."""
        return self._dense(max(n - 1, 0), n + 1, settle)

    def dense(self, settle: Settle | None) -> DenseOutput:
        """The states of all steps."""
        return self._dense(0, len(self._t), settle)

    def touches(self) -> Touches:
        """All contacts."""
        own = self._touches
        counts = [len(part[0]) for _, part in own]
        index: IntArray = np.repeat([number for number, _ in own], counts).astype(np.intp)
        none, vectors = np.zeros(0), np.zeros((0, 3))
        empty = none, none, vectors, vectors, none, vectors
        columns = zip(*(part for _, part in own), strict=True) if own else ((e,) for e in empty)
        first, second, point, normal, gap, impulse = (np.concatenate(part) for part in columns)
        return Touches(
            self._colliders,
            frozen(np.array([*self._edges, *self._t[-1:]])) if self._edges else none,
            index,
            frozen(np.array(self._t)[index]),
            first.astype(np.intp),
            second.astype(np.intp),
            frozen(point),
            frozen(normal),
            frozen(gap),
            frozen(impulse),
            frozen(np.array(self._push).reshape(len(self._push), self._model.nv)),
            self.residual,
            self.unconverged,
            self.lifted,
        )

    def _dense(self, first: int, last: int, settle: Settle | None) -> DenseOutput:
        """The states from one instant to that before another.

        Velocities lie on straight lines. Positions lie on cubics with the velocities as slopes
        where nothing touches at either end of a step, and else on straight lines, which lead into
        nothing that their ends are not in.
        """
        nq, nv = self._model.nq, self._model.nv
        knots, y = np.array(self._t[first:last]), np.array(self._y[first:last])
        h = np.diff(knots)[:, None]
        mean = np.diff(y, axis=0) / h
        powers = np.zeros((*mean.shape, 3))
        powers[:, :, 0] = mean
        acted = np.array(self._acted[first:last])
        free = np.flatnonzero(~(acted[:-1] | acted[1:]))
        if len(free):
            slopes = q_derivative(self._model, y[:, :nq], y[:, nq : nq + nv])
            start, end, own = slopes[free], slopes[free + 1], mean[free, :nq]
            cubic = np.stack((start, 3.0 * own - 2.0 * start - end, start + end - 2.0 * own), -1)
            powers[free, :nq] = cubic
        return DenseOutput(knots, y, powers, settle)
