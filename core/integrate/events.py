"""Where functions of time and state cross zero on the way of a step.

Each function g(t, y) is followed from step to step: it is known on which side of zero it is, and a
crossing is where it gets to the other one. A step is looked at through its dense output, y(t):

1. g is sampled at Chebyshev nodes of the step, and taken for the polynomial through them. Where
   that does not yet tell it, the step is halved, DEEPEST times at the most.
2. Where that polynomial may have a zero, g is sampled at its extremes too, so that it cannot cross
   to and fro between two samples unseen.
3. Between two samples on different sides the zero is found to PRECISION.

Behind its own crossing a function is near zero and may stay there, as that of a point that is held
where it was caught. So it counts as back only when it has got further than NOISE, of the largest
value that it has had; and as far from zero it has to be before a start on zero becomes a side.

Sources: J. Boyd, Computing zeros on a real interval through Chebyshev expansion and polynomial
rootfinding, SIAM J. Numer. Anal. 40 (2002); T. Chandrupatla, A new hybrid quadratic/bisection
algorithm for finding the zero of a nonlinear function without using derivatives, Advances in
Engineering Software 28 (1997).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..errors import SimulationError

DEGREE = 12
ORDERS = np.arange(DEGREE + 1)
NODES = np.cos(np.pi * ORDERS[::-1] / DEGREE)  # -1 … 1: Chebyshev's extreme points
# of the series sum_k c_k T_k through values at the nodes
COEFFICIENTS = np.linalg.inv(np.cos(np.arccos(NODES)[:, None] * ORDERS))
# of the derivative of such a series: twice the sum of k c_k over k = j + 1, j + 3, …
DERIVATIVE = 2.0 * ORDERS * np.triu((ORDERS - ORDERS[:-1, None]) % 2, 1)
DERIVATIVE[0] *= 0.5
TAIL = 3  # the last coefficients, which tell whether
RESOLVED = 1e-8  # of the largest value, the polynomial is the function
DEEPEST = 5  # halvings of a step
ROUNDING = 1e-14  # of the largest coefficient
NEARLY_REAL = 0.05  # the imaginary part of a zero of the slope that is looked at too
NOISE = 1e-10  # of the largest value: so near zero is on it
PRECISION = 1e-13  # s; of late times their rounding
SAME = 1e-12  # s; of times after 1 s, of the time: nearer instants are one

Direction = Literal[-1, 0, 1]
Path = Callable[[FloatArray], FloatArray]  # t (k,) -> y (k, n), along one step


@dataclass(frozen=True, eq=False)
class EventFunction:
    """A function to be watched.

    Attributes:
        value: g(t, y) of a time (s) and the state (n,) then.
        label: what it is called in messages.
        direction: of the crossings that count: +1 rising, -1 falling, 0 any.
    """

    value: Callable[[float, FloatArray], float]
    label: str
    direction: Direction = 0

    def __call__(self, t: float, y: FloatArray) -> float:
        """g at one state.

        Raises:
            SimulationError: where it is no finite number.
        """
        given = self.value(t, y)
        try:
            value = float(given)
        except (TypeError, ValueError):
            value = np.nan
        if not np.isfinite(value):
            raise SimulationError(
                f"{self.label}: at t = {t:.6g} s: wanted a finite number, got {given!r}"
            )
        return value

    def counts(self, side: int) -> bool:
        """Whether a crossing to that side counts."""
        return self.direction in (0, side)


class Crossing(NamedTuple):
    """An instant (s) at which functions cross zero, by their places among all."""

    t: float
    events: tuple[int, ...]


def same_instant(t: float) -> float:
    """How near to a time another is the same instant, s."""
    return SAME * max(1.0, abs(t))


class Watch:
    """Follows functions along a motion.

    Args:
        events: the functions.
        t, y: the start, y (n,).
    """

    def __init__(self, events: Sequence[EventFunction], t: float, y: FloatArray) -> None:
        self.events = tuple(events)
        self._sides = [_Side() for _ in self.events]
        self._samples: list[_Samples] = []
        for event in self.events:
            event(t, y)  # refused at once; its side shows once its size is known

    def first(
        self, path: Path, start: float, end: float, live: Sequence[bool] | None = None
    ) -> Crossing | None:
        """The first crossing that counts, on the way of a step; None where there is none.

        `follow` or another step comes next.

        Args:
            path: the step's dense output.
            start, end: s, of the step.
            live: which functions are asked for; all if none are said.
        """
        look = _Look(path)
        self._samples = [_Samples(event, look, start, end) for event in self.events]
        found: list[tuple[float, int]] = []
        nearest = np.inf
        for index, event in enumerate(self.events):
            if live is not None and not live[index]:
                continue
            for change in self._changes(index):
                if event.counts(change.side):
                    if change.before <= nearest + same_instant(end):
                        t = self._samples[index].root(change)
                        nearest = min(nearest, t)
                        found.append((t, index))
                    break
        if not found:
            return None
        together = nearest + same_instant(nearest)
        return Crossing(nearest, tuple(index for t, index in found if t <= together))

    def follow(self, t: float) -> None:
        """Go along the step that was looked at, to a time within it (s) or to its end."""
        for index, samples in enumerate(self._samples):
            side = self._sides[index]
            passed = [
                change.side
                for change in self._changes(index)
                if change.before <= t + same_instant(t)
                and samples.root(change) <= t + same_instant(t)
            ]
            self._sides[index] = side.followed(samples.until(t), passed)
        self._samples = []

    def jump(self, t: float, y: FloatArray) -> tuple[int, ...]:
        """Go on from another state (n,) of the same time; which functions that makes cross."""
        crossed = []
        for index, event in enumerate(self.events):
            before = self._sides[index]
            after = self._sides[index] = before.thrown(event(t, y))
            if before.side and after.side != before.side and event.counts(after.side):
                crossed.append(index)
        return tuple(crossed)

    def _changes(self, index: int) -> list[_Change]:
        samples = self._samples[index]
        return self._sides[index].changes(samples.times, samples.values)


class _Change(NamedTuple):
    """A function gets to another side (+1, -1), between two times of samples (s).

    values: g there; the first is not on the side that is left where the step begins at zero.
    """

    before: float
    after: float
    values: tuple[float, float]
    side: int


@dataclass(frozen=True)
class _Side:
    """Where a function is: side +1, -1, or 0 where it has not left zero yet.

    sure: whether it has been further from zero than noise since it came to that side; largest:
    of all |g| so far.
    """

    side: int = 0
    sure: bool = False
    largest: float = 0.0

    def _seen(self, values: Sequence[float] | FloatArray) -> float:
        return max(self.largest, float(np.abs(values).max()))

    def _walk(self, values: FloatArray) -> tuple[list[tuple[int, int, int]], _Side]:
        """Changes as (place before, place after, new side), and where it ends."""
        largest = self._seen(values)
        side, sure, before = self.side, self.sure, 0
        if sure and (values * side > 0.0).all():
            return [], replace(self, largest=largest)
        found = []
        for place, value in enumerate(values.tolist()):
            clear = abs(value) > NOISE * largest
            if value * side > 0.0:
                before, sure = place, sure or clear
            elif side == 0 and clear:
                side, sure, before = _sign(value), True, place
            elif value * side < 0.0 and (sure or clear):
                found.append((before, place, -side))
                side, sure, before = -side, clear, place
        return found, _Side(side, sure, largest)

    def changes(self, times: FloatArray, values: FloatArray) -> list[_Change]:
        """All changes of side on the way of a step."""
        return [
            _Change(
                float(times[before]),
                float(times[after]),
                (float(values[before]), float(values[after])),
                side,
            )
            for before, after, side in self._walk(values)[0]
        ]

    def followed(self, values: FloatArray, passed: Sequence[int]) -> _Side:
        """After samples, and changes to the sides that were passed."""
        after = self._walk(values)[1]
        if passed and after.side != passed[-1]:
            return replace(after, side=passed[-1], sure=False)
        return after

    def thrown(self, value: float) -> _Side:
        """After a jump to a value."""
        largest = self._seen([value])
        if abs(value) > NOISE * largest:
            return _Side(_sign(value), True, largest)
        return _Side(self.side, False, largest)


def _sign(value: float) -> int:
    return 1 if value > 0.0 else -1


class _Look:
    """The states of a step, worked out once for all functions."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: dict[tuple[float, float], tuple[FloatArray, FloatArray]] = {}

    def nodes(self, start: float, end: float) -> tuple[FloatArray, FloatArray]:
        """Times (k,) of the nodes between two times, and the states (k, n)."""
        if (start, end) not in self._known:
            times = start + 0.5 * (end - start) * (1.0 + NODES)
            times[-1] = end
            self._known[start, end] = times, self.path(times)
        return self._known[start, end]


class _Samples:
    """One function on the way of a step: times (k,), increasing, and values (k,)."""

    def __init__(self, event: EventFunction, look: _Look, start: float, end: float) -> None:
        self._event, self._look = event, look
        self._roots: dict[_Change, float] = {}
        times, values = self._piece(start, end, 0.0, 0)
        self.times, places = np.unique(times, return_index=True)
        self.values: FloatArray = values[places]

    def until(self, t: float) -> FloatArray:
        """The values up to a time, that of the time itself last."""
        if t >= self.times[-1]:
            return self.values
        before = self.values[self.times < t]
        return np.append(before, self._at(np.array([t])))

    def root(self, change: _Change) -> float:
        """The time (s) of a change, to PRECISION."""
        if change not in self._roots:
            g_before, g_after = change.values
            if g_before * g_after >= 0.0:  # it begins at zero
                return change.before
            self._roots[change] = bracketed_root(
                lambda t: float(self._at(np.array([t]))[0]),
                (change.before, change.after),
                (g_before, g_after),
            )
        return self._roots[change]

    def _at(self, times: FloatArray) -> FloatArray:
        return self._values(times, self._look.path(times))

    def _values(self, times: FloatArray, states: FloatArray) -> FloatArray:
        pairs = zip(times.tolist(), states, strict=True)
        return np.array([self._event(t, y) for t, y in pairs])

    def _piece(
        self, start: float, end: float, largest: float, depth: int
    ) -> tuple[FloatArray, FloatArray]:
        """Samples from start to end: nodes, and extremes where a zero may be."""
        times, states = self._look.nodes(start, end)
        values = self._values(times, states)
        parts = COEFFICIENTS @ values
        largest = max(largest, float(np.abs(values).max()))
        middle = 0.5 * (start + end)
        if np.abs(parts[-TAIL:]).max() > RESOLVED * largest and depth < DEEPEST:
            first = self._piece(start, middle, largest, depth + 1)
            second = self._piece(middle, end, largest, depth + 1)
            return np.concatenate((first[0], second[0])), np.concatenate((first[1], second[1]))
        if abs(parts[0]) > np.abs(parts[1:]).sum():
            return times, values
        extra = middle + 0.5 * (end - start) * _extremes(parts)
        if not len(extra):
            return times, values
        return np.append(times, extra), np.append(values, self._at(extra))


def _extremes(parts: FloatArray) -> FloatArray:
    """Where within (-1, 1) the slope of a Chebyshev series (k,) vanishes, or nearly does.

    The zeros of the slope sum_j d_j T_j, j = 0 … n, are the eigenvalues of x in the basis
    T_0 … T_(n-1), with x T_j = (T_(j-1) + T_(j+1)) / 2 and T_n = -sum_(j < n) d_j T_j / d_n.
    """
    slope = DERIVATIVE @ parts
    large = np.flatnonzero(np.abs(slope) > ROUNDING * np.abs(slope).max())
    n = int(large[-1]) if len(large) else 0
    if n == 0:
        return np.zeros(0)
    shift = 0.5 * (np.eye(n, k=1) + np.eye(n, k=-1))
    shift[0] *= 2.0
    shift[-1] -= (0.5 if n > 1 else 1.0) * slope[:n] / slope[n]
    zeros = np.linalg.eigvals(shift)
    near = zeros.real[np.abs(zeros.imag) < NEARLY_REAL]
    out: FloatArray = near[np.abs(near) < 1.0]
    return out


def bracketed_root(
    g: Callable[[float], float], times: tuple[float, float], values: tuple[float, float]
) -> float:
    """The time t with g(t) = 0 between two times, to PRECISION or to their rounding.

    Inverse quadratic interpolation where the last three values are nearly a parabola's, else
    halves (Chandrupatla).

    Args:
        g: of a time, s.
        times: s, increasing; values: g there, on different sides of zero.
    """
    (b, a), (gb, ga) = times, values
    c, gc, part = b, gb, 0.5
    least = max(PRECISION, 4.0 * float(np.spacing(max(abs(a), abs(b)))))
    while ga != 0.0 and gb != 0.0 and abs(b - a) > least:
        # no nearer to an end than the precision, so that the bracket closes there
        edge = 0.5 * least / abs(b - a)
        t = a + min(max(part, edge), 1.0 - edge) * (b - a)
        gt = g(t)
        if (gt > 0.0) == (ga > 0.0):
            c, gc = a, ga
        else:
            c, gc, b, gb = b, gb, a, ga
        a, ga = t, gt
        xi, phi = (a - b) / (c - b), (ga - gb) / (gc - gb)
        if phi * phi < xi and (1.0 - phi) ** 2 < 1.0 - xi:
            part = ga / (gb - ga) * gc / (gb - gc)
            part += (c - a) / (b - a) * ga / (gc - ga) * gb / (gc - gb)
        else:
            part = 0.5
    return a if abs(ga) <= abs(gb) else b
