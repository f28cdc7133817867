"""Where on the way of a step contacts change: gaps close, resting ones are pulled or slide off.

Gaps are known at Chebyshev nodes of the step's dense output, all in one batch. With K a bound on
|phi''| from the series through them, a gap that is open at two neighbouring samples stays open
between them where

    min(phi_i, phi_(i+1)) > K (t_(i+1) - t_i)^2 / 8

Gaps that this does not clear are sampled at the extremes of their series too, so that between
samples they are monotone: a touch that begins and ends within one step is not missed. Where the
series does not yet tell the gap, the step is halved. A zero of the series is where Newton's
iteration on the motion itself begins.

Steps on whose way nothing changes are mostly told without any of this (`contact_quiet`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

import numpy as np

from .arrays import BoolArray, FloatArray
from .contact_quiet import RestingForces, stay_apart
from .contact_solids import Solids
from .dynamics.contact import Gaps
from .dynamics.model import IntArray
from .integrate import DenseOutput, same_instant
from .integrate.event_samples import COEFFICIENTS, DERIVATIVE, NODES, ORDERS, TAIL, Path, extremes
from .limit_errors import driven_outside
from .motion import Motion
from .series_roots import root_near

RESOLVED = 1e-9  # of the largest value: the series is the function
DEEPEST = 14  # halvings of a step
TOUCH = 1e-11  # of the scene's size: gaps that are closed
NOISE = 1e-15  # of the scene's size: rounding of gaps
SIDE = 1e-8  # of the scene's size: what has just been left and is deeper is on the other side
SUNK = 1e-10  # of the scene's size: how deep what has just been left may be
JUMP = 1e-6  # of the scene's size: a gap that is larger where its sign changes has jumped
SETTLED = 1e-13  # of the scene's size: what putting states onto constraints may leave
OUTSIDE = 1e-6  # rad or m: limits that prescribed motions pass by less are only touched
BENDS = ORDERS**2 * (ORDERS**2 - 1.0) / 3.0  # |T_k''| at its largest
SECOND = DERIVATIVE[:-1, :-1] @ DERIVATIVE  # the series of the second derivative


class State(IntEnum):
    """Of a gap: behind the plane, just left or hardly touching, open, resting."""

    BEHIND = -1
    LEAVING = 0
    OPEN = 1
    RESTING = 2


@dataclass(frozen=True)
class Change:
    """At a time, s: gaps that close, resting ones that would be pulled, or have slid off."""

    t: float
    closing: tuple[int, ...] = ()
    pulled: tuple[int, ...] = ()
    slid: tuple[int, ...] = ()


class ContactWatch:
    """Follows gaps along a motion.

    Attributes:
        states: (n), of the gaps.
        size: m, of the scene.
        forces: of resting gaps.
        fixed: (n,), limits of joints whose motion is prescribed, which nothing can stop.
    """

    def __init__(self, gaps: Gaps, nq: int, fixed: BoolArray) -> None:
        self.gaps, self._nq, self.fixed = gaps, nq, fixed
        self.states = np.full(len(gaps), int(State.OPEN), dtype=np.intp)
        self.size = gaps.length
        self.forces = RestingForces(gaps)
        self.solids = Solids(gaps)

    def first(
        self, motion: Motion, path: Path, rough: DenseOutput, start: float, end: float
    ) -> Change | None:
        """The first change on the way of a step, from start to end, s; None where there is none.

        Args:
            path: the states of the step; rough: the same but for settling.
        """
        if self._is_quiet(motion, rough, start, end):
            return None
        states = self.states.copy()
        pieces = [(start, end, 0)]
        while pieces:
            a, b, depth = pieces.pop()
            piece = _Piece(self, motion, path, a, b, states)
            if piece.is_clear(rough):
                continue
            if not piece.is_resolved() and depth < DEEPEST:
                middle = 0.5 * (a + b)
                pieces += [(middle, b, depth + 1), (a, middle, depth + 1)]
                continue
            change = piece.change()
            if change is not None:
                return change
        return None

    def _is_quiet(self, motion: Motion, rough: DenseOutput, start: float, end: float) -> bool:
        """Whether nothing changes, where all gaps are those of limits."""
        if self.gaps.features:
            return False
        resting = self.states == State.RESTING
        plain = (self.states == State.OPEN) | (self.states == State.BEHIND)
        if not (plain | resting).all():
            return False
        side = np.where(self.states == State.OPEN, 1.0, -1.0)
        if not (stay_apart(self.gaps, rough, side) | resting).all():
            return False
        if not resting.any():
            return True
        times = np.array([start, 0.5 * (start + end), end])
        return bool(self.forces.keep(motion, times, rough(times))[resting].all())

    def follow(self, t: float, q: FloatArray) -> None:
        """Go on to a time (s) and a state q (nq,) up to which nothing has changed.

        Raises:
            SimulationError: for bodies that are in each other.
        """
        state = self.gaps.at(q)
        # of gaps without another side only those are behind that have started there
        begun = self.solids.endless & (self.states == State.BEHIND)
        self.solids.refuse_deep(t, state, self.size, self.fixed | begun)
        gap, touch = state.gap, TOUCH * self.size
        free = self.states != State.RESTING
        self.states[free & (gap > touch)] = State.OPEN
        # neighbours press in a little what has just been left: it is met again, not passed
        near = (self.states == State.LEAVING) & (gap > -SIDE * self.size)
        self.states[free & (gap < -touch) & ~near & ~self.solids.endless] = State.BEHIND


class _Piece:
    """A part of a step, with the states of the gaps, which `change` carries on to its end."""

    def __init__(
        self,
        watch: ContactWatch,
        motion: Motion,
        path: Path,
        start: float,
        end: float,
        states: IntArray,
    ) -> None:
        self._watch, self._motion, self._path = watch, motion, path
        self._start, self._end, self._states = start, end, states
        self._times = start + 0.5 * (end - start) * (1.0 + NODES)
        self._times[-1] = end
        self._todo: BoolArray = np.ones(len(states), dtype=bool)

    def is_clear(self, rough: Path) -> bool:
        """Whether nothing can change, as seen at states that are not settled."""
        states = self._states
        y = rough(self._times)
        far = self._stay_positive(self._gaps(y) * np.where(states == State.OPEN, 1.0, -1.0))
        far &= (states == State.OPEN) | (states == State.BEHIND)
        bounds = self._watch.gaps.beyond(y[..., : self._watch._nq])
        if bounds is not None:
            # edges out of each other's reach, by bounds that are smooth where their gaps are not
            where, values = bounds
            far[where] |= self._stay_positive(values).any(axis=0) & (states[where] != State.RESTING)
        self._todo = ~far
        return not self._todo.any()

    def _stay_positive(self, values: FloatArray) -> BoolArray:
        """Which functions (…), known at all nodes (13, …), are above 0 between these too."""
        parts = np.tensordot(COEFFICIENTS, values, 1)
        size = np.abs(values).max(axis=0)
        told = np.abs(parts[-TAIL:]).max(axis=0) <= RESOLVED * size
        bend = np.tensordot(BENDS, np.abs(parts), 1) * (2.0 / (self._end - self._start)) ** 2
        spans = np.diff(self._times).reshape(-1, *[1] * (values.ndim - 1))
        least = np.minimum(values[1:], values[:-1]) - bend * spans**2 / 8.0
        out: BoolArray = (least > 0.01 * size).all(axis=0) & told
        return out

    def is_resolved(self) -> bool:
        """Whether the series of all gaps that may change are these gaps."""
        self._y = self._path(self._times)
        self._gap = self._gaps(self._y)
        self._parts = COEFFICIENTS @ self._gap
        off = np.abs(self._parts[-TAIL:]).max(axis=0)
        size = np.abs(self._gap).max(axis=0)
        free = self._free
        allowed = RESOLVED * size + SETTLED * self._watch.size
        return bool((off <= allowed)[free].all())

    def change(self) -> Change | None:
        """The first change; without one the states of the gaps are those at the end."""
        self._refuse_driven()
        free = np.flatnonzero(self._free)
        resting = np.flatnonzero(self._states == State.RESTING)
        closing = self._closing(free) if len(free) else {}
        pulled = self._pulled(resting) if len(resting) else {}
        slid = self._slid(resting) if len(resting) else {}
        times = [*closing.values(), *pulled.values(), *slid.values()]
        if not times:
            return None
        first = min(times)

        def now(found: dict[int, float]) -> tuple[int, ...]:
            return tuple(index for index, t in found.items() if t <= first + same_instant(first))

        return Change(first, now(closing), now(pulled), now(slid))

    @property
    def _free(self) -> BoolArray:
        """Which gaps may close (n,)."""
        out: BoolArray = self._todo & (self._states != State.RESTING) & ~self._watch.fixed
        return out

    def _refuse_driven(self) -> None:
        """Raise where prescribed motions lead beyond limits."""
        fixed = np.flatnonzero(self._watch.fixed & self._todo)
        beyond = np.argwhere(self._gap[:, fixed] < -OUTSIDE)
        if len(beyond):
            node, index = int(beyond[0, 0]), int(fixed[beyond[0, 1]])
            t, gap = float(self._times[node]), float(self._gap[node, index])
            raise driven_outside(self._watch.gaps, index, t, gap)

    def _gaps(self, y: FloatArray) -> FloatArray:
        return self._watch.gaps.at(y[..., : self._watch._nq]).gap

    def _gap_at(self, index: int, t: float) -> float:
        return float(self._gaps(self._path(np.asarray(t)))[index])

    def _margin_at(self, index: int, t: float) -> float:
        q = self._path(np.asarray(t))[: self._watch._nq]
        return float(self._watch.gaps.at(q).margin[index])

    def _place(self, x: FloatArray) -> FloatArray:
        """The times of places (k,) from -1 to 1."""
        out: FloatArray = self._start + 0.5 * (self._end - self._start) * (1.0 + x)
        return out

    def _closing(self, free: IntArray) -> dict[int, float]:
        """When which gaps close, of those that are told; later ones than the first may be left."""
        parts, touch = self._parts[:, free], TOUCH * self._watch.size
        bend, slope = SECOND @ parts, DERIVATIVE @ parts
        # what goes one way, or bends down all the way, has its least values at the nodes; that it
        # has opened between the first two, and has closed, would not be seen there
        seen = (self._states[free] == State.OPEN) | (self._gap[1, free] > touch)
        plain = seen & (-bend[0] > np.abs(bend[1:]).sum(axis=0))
        plain |= np.abs(slope[0]) > np.abs(slope[1:]).sum(axis=0)
        own = [np.zeros(0) if plain[k] else extremes(parts[:, k]) for k in range(len(free))]
        more = self._place(np.concatenate(own))
        values = self._gaps(self._path(more)) if len(more) else np.zeros((0, len(self._states)))
        out: dict[int, float] = {}
        first, row = np.inf, 0
        for index, places in zip(free.tolist(), own, strict=True):
            mine = slice(row, row := row + len(places))
            samples = self._samples(self._gap[:, index], more[mine], values[mine, index])
            t = self._closes(index, samples, first)
            if t is not None:
                out[index], first = t, min(first, t)
        return out

    def _samples(
        self, values: FloatArray, more: FloatArray, theirs: FloatArray
    ) -> list[tuple[float, float]]:
        """Times and values: (13,) at nodes, and more ones (k,) and theirs, in order of time."""
        if not len(more):
            return list(zip(self._times.tolist(), values.tolist(), strict=True))
        times, all_values = np.append(self._times, more), np.append(values, theirs)
        order = np.argsort(times, kind="stable")
        return list(zip(times[order].tolist(), all_values[order].tolist(), strict=True))

    def _closes(
        self, index: int, samples: list[tuple[float, float]], before: float
    ) -> float | None:
        """When the gap closes; None where it does not, or not before a time or at it, s."""
        watch, state = self._watch, self._states[index]
        noise, touch = NOISE * watch.size, TOUCH * watch.size
        near = watch.solids.endless[index] or samples[0][1] > -SIDE * watch.size
        if state == State.OPEN and samples[0][1] < 0.0 and near:
            state = State.LEAVING  # pressed in by what others do
        # one that has just been left may be a little too deep, but gets no deeper
        sunk = min(touch + max(0.0, -samples[0][1]), SUNK * watch.size)
        for (t0, g0), (t1, g1) in pairwise(samples):
            falls = state == State.LEAVING and g0 > noise and g1 < g0
            if falls or (state != State.OPEN and g0 > touch):
                state = State.OPEN
            open_before = state == State.OPEN and g0 >= 0.0
            if t0 > before + same_instant(t0):
                return None
            deep = sunk if state == State.LEAVING else 0.0
            if (open_before or state == State.LEAVING) and g1 < -deep:
                t = self._root(index, deep, (t0, t1), (g0, g1))
                if watch.solids.endless[index] or self._touches_at(index, t):
                    return t
                state = State.BEHIND
        self._states[index] = State.OPEN if samples[-1][1] > touch else state
        return None

    def _root(
        self, index: int, deep: float, times: tuple[float, float], values: tuple[float, float]
    ) -> float:
        """When the gap is -deep between two samples."""
        if values[0] + deep <= 0.0:
            return times[0]
        ends = values[0] + deep, values[1] + deep
        parts = self._parts[:, index].copy()
        parts[0] += deep
        span = self._start, self._end
        return root_near(lambda t: self._gap_at(index, t) + deep, parts, span, times, ends)

    def _touches_at(self, index: int, t: float) -> bool:
        """Whether a gap that changes its sign closes there, within its ends, and does not jump.

        Gaps of edges jump where these pass a parallel.
        """
        size = self._watch.size
        state = self._watch.gaps.at(self._path(np.array([t]))[:, : self._watch._nq])
        within = state.margin[0, index] >= -TOUCH * size
        return bool(within and abs(state.gap[0, index]) <= JUMP * size)

    def _slid(self, resting: IntArray) -> dict[int, float]:
        """When resting points leave their faces."""
        out: dict[int, float] = {}
        margins = self._watch.gaps.at(self._y[:, : self._watch._nq]).margin
        ended = [index for index in resting.tolist() if np.isfinite(margins[:, index]).all()]
        # beyond what may touch, so that what has slid off does not come to rest again
        slack = 2.0 * TOUCH * self._watch.size
        for index in ended:

            def margin(t: float, index: int = index) -> float:
                return self._margin_at(index, t) + slack

            t = self._falls(margins[:, index] + slack, margin, 0.0)
            if t is not None:
                out[index] = t
        return out

    def _pulled(self, resting: IntArray) -> dict[int, float]:
        """When the forces that hold resting gaps would be pulls."""
        ends = [0, len(NODES) // 2, -1]
        kept = self._watch.forces.keep(self._motion, self._times[ends], self._y[ends])
        resting = resting[~kept[resting]]
        if not len(resting):
            return {}
        forces = self._watch.forces.pushes(self._motion, self._times, self._y)
        bounds = self._watch.forces.bounds(float(np.abs(forces[:, resting]).max()))
        out: dict[int, float] = {}
        for index in resting.tolist():

            def force(t: float, index: int = index) -> float:
                when = np.asarray(t)
                return float(self._watch.forces.pushes(self._motion, when, self._path(when))[index])

            t = self._falls(forces[:, index], force, float(bounds[index]))
            if t is not None:
                out[index] = t
        return out

    def _falls(
        self, values: FloatArray, more: Callable[[float], float], bound: float
    ) -> float | None:
        """When a function falls below -bound; told is when it passes 0 before."""
        if float(values.min()) > 0.25 * float(np.abs(values).max()):
            return None
        parts = COEFFICIENTS @ values
        places = self._place(extremes(parts))
        theirs = np.array([more(t) for t in places.tolist()])
        samples = self._samples(values, places, theirs)
        if samples[0][1] < -bound:
            return samples[0][0]
        for (t0, g0), (t1, g1) in pairwise(samples):
            if g1 < -bound:
                span = self._start, self._end
                return root_near(more, parts, span, (t0, t1), (g0, g1)) if g0 > 0.0 else t0
        return None
