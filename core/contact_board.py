"""What happens to a motion where contacts change: impacts, coming to rest, and letting go.

At one instant, with the gaps that are closed then:

1. The impact law gives the velocities behind (`dynamics.contact.impact`).
2. Gaps that do not open then, or would open and close again within REST_TIME or no higher than
   REST_HEIGHT, are candidates for rest. Their accelerations phi'' = W lambda + J a_free + bend
   obey phi'' >= 0, lambda >= 0, phi'' . lambda = 0, and those that push stay closed from there on,
   as constraints, until a force would be a pull.

Bounces that follow each other ever faster come to an end by the second: a gap that would close
again so soon stays closed, and that is told.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from .arrays import BoolArray, FloatArray, frozen
from .contact_watch import NOISE, TOUCH, Change, ContactWatch, State
from .dynamics import Moment
from .dynamics.contact import ContactSystem, JointLimit, complementary, impact
from .dynamics.contact.impact_law import Answer
from .dynamics.evaluation import mass_and_bias_at, mass_at
from .dynamics.model import IntArray
from .errors import SimulationError
from .integrate import DenseOutput, same_instant
from .integrate.event_samples import Path
from .limit_errors import cannot_yield, held_outside, is_limit, starts_outside
from .motion import Motion
from .switchboard import Switchboard
from .trajectory.impact import Impact
from .trajectory.jump import Jump

STILL = 1e-11  # of the largest speed: gaps that open slower do not open
REST_TIME = 1e-7  # s: bounces that are shorter end
SHAKEN_TIME = 1e-5  # s: the same for what has rested, and has no restitution
REST_HEIGHT = 10.0 * NOISE  # of the scene's size: and those that are lower, which cannot be seen
DEEP = 1e-9  # of the scene's size: a start that is deeper in is refused
OUTSIDE = 1e-6  # rad or m: a joint that starts outside its limits by less is put onto them
NOTHING = 1e-10  # of what forces amount to one by one: accelerations that are none
YIELDS = 1e-10  # of what masses alone give way: a gap that gives way less is held fast
GIVE_IN = 5  # changes at one instant: from then on what has been pulled is let go
MOST_AT_ONCE = 50  # changes at one instant
SOON, OFTEN = 1e-3, 100  # s: for every so many impacts within so short a time
SLOWER = 10.0  # REST_TIME grows by this factor,
LONGEST_REST = 1e-4  # but not beyond, s


@dataclass(frozen=True, eq=False)
class Touched:
    """How a motion goes on: equations, state (n,), and what there is to tell."""

    motion: Motion
    y: FloatArray
    jump: Jump | None
    impact: Impact | None
    remarks: tuple[str, ...]


class ContactBoard:
    """The contacts of a system along one simulation.

    Args:
        system: with contacts.
        board: what switches constraints.
    """

    def __init__(self, system: ContactSystem, board: Switchboard) -> None:
        self._system, self._board, self._gaps = system, board, system.gaps
        self._limits = np.array([is_limit(self._gaps, k) for k in range(len(self._gaps))], bool)
        names = [own.joint if isinstance(own, JointLimit) else "" for own in self._gaps.contacts]
        self._follows = np.array([name in system.model.followers for name in names], bool)
        # limits of joints that only prescribed motions move
        q = system.model.neutral()
        moved = np.delete(self._gaps.jacobian(q), [x.v_index for x in system.prescribed], axis=1)
        fixed = self._limits & ~moved.any(axis=1)
        self._watch = ContactWatch(system.gaps, system.model.nq, fixed)
        self._bounces: Counter[int] = Counter()
        self._recent: list[float] = []  # the times of impacts
        self._last, self._repeats = -np.inf, 0
        self._pulled: set[int] = set()  # of the gaps, at this instant

    def begin(self, motion: Motion, t: float, y: FloatArray) -> Touched:
        """Take in the start.

        Raises:
            SimulationError: for bodies that are in each other, naming them and the depth.
        """
        q = motion.unpack(y)[0]
        size = self._watch.size = self._gaps.reach(q)
        y, behind = self._put_inside(motion, t, y)
        q = motion.unpack(y)[0]
        state = self._gaps.at(q)
        depth = self._gaps.depth(state)
        depth[self._limits] = 0.0
        worst = int(np.argmax(depth)) if len(depth) else 0
        if len(depth) and depth[worst] > DEEP * size:
            own = self._gaps.contacts[worst]
            raise SimulationError(
                f"{self._system.model.name}: at t = {t:.6g} s {own.label} starts in penetration: "
                f"'{self._gaps.names[worst]}' is {depth[worst]:.6g} m deep; wanted a start in "
                "which bodies are apart or touch"
            )
        closed = (np.abs(state.gap) <= TOUCH * size) | (depth > 0.0)
        states = np.where(state.gap > 0.0, State.OPEN, State.BEHIND)
        self._watch.states = np.where(closed, int(State.LEAVING), states).astype(np.intp)
        for index, name in enumerate(self._gaps.names):
            # of a thin wall that is touched it is the front
            if closed[index] and name.endswith(" back"):
                self._watch.states[index] = State.BEHIND
        begun = self.act(motion, t, y, Change(t))
        return replace(begun, remarks=(*behind, *begun.remarks))

    def _put_inside(
        self, motion: Motion, t: float, y: FloatArray
    ) -> tuple[FloatArray, tuple[str, ...]]:
        """The state with joints that are outside their limits by rounding put onto these.

        Followers that their leaders hold further outside stay there; remarks tell of them.

        Raises:
            SimulationError: for joints that are further outside, naming the first.
        """
        q, v, work = motion.unpack(y)
        gap = np.where(self._limits, self._gaps.at(q).gap, 0.0)
        far = gap < -OUTSIDE
        led = far & self._follows & ~self._watch.fixed
        refused = np.flatnonzero(far & ~led)
        if len(refused):
            raise starts_outside(self._gaps, int(refused[0]), t, float(gap[refused[0]]))
        behind = tuple(held_outside(self._gaps, int(k), float(gap[k])) for k in np.flatnonzero(led))
        off = np.flatnonzero((gap < 0.0) & ~far & ~self._watch.fixed)
        if not len(off):
            return y, behind
        on = self._board.rest([self._gaps.names[k] for k in off], self._gaps.names)
        assert on.system.projection is not None
        q = on.system.projection.positions(np.asarray(t), q, v)
        self._board.rest([], self._gaps.names)
        return np.concatenate((q, v, [work])), behind

    def first(
        self, motion: Motion, path: Path, rough: DenseOutput, start: float, end: float
    ) -> Change | None:
        """The first change on the way of a step; None where there is none."""
        return self._watch.first(motion, path, rough, start, end)

    def follow(self, motion: Motion, t: float, y: FloatArray) -> None:
        """Go on to a time (s) and a state (n,) up to which nothing has changed.

        Raises:
            SimulationError: for bodies that are in each other.
        """
        self._watch.follow(t, motion.unpack(y)[0])

    def act(self, motion: Motion, t: float, y: FloatArray, change: Change) -> Touched:
        """Impacts, rest and letting go at a time (s) and state (n,).

        Raises:
            SimulationError: for impacts without end.
        """
        self._refuse_endless(t)
        self._pulled = (self._pulled if self._repeats else set()) | set(change.pulled)
        q, v, work = motion.unpack(y)
        self._watch.size = self._gaps.reach(q)
        self._watch.follow(t, q)
        base = self._board.without(self._gaps.names)
        system = base.system
        assert isinstance(system, ContactSystem)
        jacobian = self._gaps.jacobian(q)
        touching = self._touching(t, q, jacobian @ v, change)
        moment = system.moment(t, q, v)
        moves = system.mobility(moment)
        done = self._hit(t, (q, v), jacobian, moves, touching)
        if done.passes:
            moment = system.moment(t, q, done.v)
            for index in touching[done.impulses > 0.0].tolist():
                self._bounces[index] += 1
                self._recent.append(t)
        resting = self._resting(base, t, moment, (jacobian, moves), touching, change)
        after_v = done.v
        remarks = self._tell(t, resting, change)
        self._watch.states[touching] = State.LEAVING
        for index in change.slid:
            self._watch.states[index] = State.LEAVING
        self._watch.states[resting] = State.RESTING
        after_q = self._raised(t, q, done.v, touching, resting)
        following = self._board.rest([self._gaps.names[k] for k in resting], self._gaps.names)
        if len(resting):
            projection = following.system.projection
            assert projection is not None
            after_q, after_v = projection.state(np.asarray(t), after_q, done.v)
        lost = float(motion.energy(q, v) - motion.energy(after_q, after_v))
        ends = np.concatenate((after_q, after_v, [work + lost]))
        hit = self._impact(t, (q, v, done.v), jacobian, touching, done, lost)
        jump = None
        if hit is not None or remarks:
            causes = () if hit is None else (f"impact of {', '.join(map(repr, hit.contacts))}",)
            left, left_v, right, right_v = (frozen(x.copy()) for x in (q, v, after_q, after_v))
            jump = Jump(t, (*causes, *remarks), left, left_v, right, right_v, lost)
        return Touched(following, ends, jump, hit, remarks)

    def _raised(
        self, t: float, q: FloatArray, v: FloatArray, touching: IntArray, resting: IntArray
    ) -> FloatArray:
        """q (nq,) without what is too deep: gaps that touch, or rest, are put onto 0."""
        gap, rest = self._gaps.at(q).gap, set(resting.tolist())
        low = [k for k in touching.tolist() if k not in rest and gap[k] < -TOUCH * self._watch.size]
        if not low:
            return q
        names = self._gaps.names
        on = self._board.rest([names[k] for k in (*low, *resting.tolist())], names)
        assert on.system.projection is not None
        return on.system.projection.positions(np.asarray(t), q, v)

    def _touching(self, t: float, q: FloatArray, u: FloatArray, change: Change) -> IntArray:
        """The gaps (k,) that are closed."""
        state, size = self._gaps.at(q), self._watch.size
        reach = 2.0 * TOUCH * size + 2.0 * same_instant(t) * np.abs(u)
        met = self._watch.states != State.BEHIND
        for index in change.slid:
            # a round body that leaves a face or a corner may be on the next one
            met |= [own is self._gaps.contacts[index] for own in self._gaps.contacts]
        low = (self._watch.states == State.LEAVING) & (state.gap < 0.0)
        closed = ((np.abs(state.gap) <= reach) | low) & met
        closed &= state.margin >= -TOUCH * size
        closed |= self._watch.states == State.RESTING
        closed[list(change.closing)] = True
        closed[list(change.slid)] = False
        closed &= ~self._watch.fixed
        order = self._system.places
        out: IntArray = order[closed[order]]
        return out

    def _hit(
        self,
        t: float,
        state: tuple[FloatArray, FloatArray],
        jacobian: FloatArray,
        moves: FloatArray,
        touching: IntArray,
    ) -> Answer:
        """The impact of the gaps that are closed, if any of them closes."""
        e, own, (q, v) = self._gaps.restitution[touching], jacobian[touching], state
        closing = np.flatnonzero(own @ v < -STILL * (np.abs(own) @ np.abs(v)))
        if len(closing):
            way = own[closing]
            given = (way @ moves * way).sum(axis=1)
            alone = (np.linalg.solve(mass_at(self._system.model, q), way.T).T * way).sum(axis=1)
            held = closing[given <= YIELDS * alone]
            if len(held):
                name = self._gaps.names[touching[held[0]]]
                raise cannot_yield(self._system.model, name, t)
        try:
            return impact(v, own, moves, e, self._system.impacts)
        except SimulationError as error:
            names = ", ".join(repr(self._gaps.names[k]) for k in touching)
            raise self._refused(t, f"at {names}: {error}") from error

    def _resting(
        self,
        base: Motion,
        t: float,
        moment: Moment,
        terms: tuple[FloatArray, FloatArray],
        touching: IntArray,
        change: Change,
    ) -> IntArray:
        """Which of the gaps that are closed stay so."""
        if not len(touching):
            return touching
        jacobian, moves = terms
        own = jacobian[touching]
        u = own @ moment.v
        speed = float((np.abs(own) @ np.abs(moment.v)).max(initial=0.0))
        free = base.respond(moment).a
        bend = self._gaps.bend(moment)[touching]
        wanted = own @ free + bend
        w = own @ moves @ own.T
        soon = self._rest_times(t, touching)
        slow = self._slow(soon, wanted)
        still = u <= np.maximum(STILL * speed, slow)
        if not still.any() and (u >= slow).all():
            return touching[:0]
        force = np.zeros(len(touching))
        for _ in touching:
            force[still] = self._pushes(t, w[np.ix_(still, still)], wanted[still])
            more = ~still & (u < self._slow(soon, w @ force + wanted))
            if not more.any():
                break
            still |= more
        # where neither force nor gap would grow, a gap stays closed unless it has been pulled at
        # this instant: two that hold for each other would take turns without end
        amounts = self._amounts(moment, own @ moves, free) + np.abs(bend)
        scale = NOTHING * (amounts + np.abs(w) @ np.abs(force))
        self._watch.forces.small[touching] = scale / NOTHING / np.maximum(w.diagonal(), 1e-300)
        pulled = np.isin(touching, change.pulled)
        force = self._let_go(t, w, wanted, still, force, pulled, scale)
        gained = w @ force + wanted
        pushed = force * np.maximum(w.diagonal(), 0.0) > scale
        let_go = np.isin(touching, list(self._pulled))
        tied = still & (np.abs(gained) <= scale) & ~let_go
        if not pushed[tied].all() and self._is_redundant(w, pushed | tied):
            tied = pushed
        out: IntArray = touching[pushed | tied]
        return out

    def _amounts(self, moment: Moment, answers: FloatArray, a: FloatArray) -> FloatArray:
        """What forces amount to, one by one, as accelerations of gaps (k,): J A (|M| |a| + |b|)."""
        mass, bias = mass_and_bias_at(self._system.model, moment.q, moment.v)
        out: FloatArray = np.abs(answers) @ (np.abs(mass) @ np.abs(a) + np.abs(bias))
        return out

    def _pushes(self, t: float, w: FloatArray, wanted: FloatArray) -> FloatArray:
        """Forces (k,) of gaps that obey phi'' = W lambda + wanted >= 0."""
        try:
            return complementary(w, wanted)
        except SimulationError as error:
            raise self._refused(t, f"{error}") from error

    def _let_go(
        self,
        t: float,
        w: FloatArray,
        wanted: FloatArray,
        still: BoolArray,
        force: FloatArray,
        pulled: BoolArray,
        scale: FloatArray,
    ) -> FloatArray:
        """The forces (k,) without those that have been pulled, where the others do as well.

        Of gaps that depend on each other, which are pushed and by how much is not determined.
        """
        if not (pulled & (force > 0.0)).any():
            return force
        others = still & ~pulled
        less = np.zeros(len(force))
        less[others] = self._pushes(t, w[np.ix_(others, others)], wanted[others])
        does = (w @ less + wanted >= -scale)[pulled].all()
        return less if does or self._repeats >= GIVE_IN else force

    def _rest_times(self, t: float, touching: IntArray) -> FloatArray:
        """s (k,): how soon gaps must close again to stay closed; more after very many impacts."""
        count = len(self._recent) - bisect_left(self._recent, t - SOON)
        least = min(REST_TIME * SLOWER ** (count // OFTEN), LONGEST_REST)
        shaken = self._watch.states[touching] == State.RESTING
        shaken &= self._gaps.restitution[touching] == 0.0
        return np.where(shaken, max(least, SHAKEN_TIME), least)

    def _slow(self, soon: FloatArray, gains: FloatArray) -> FloatArray:
        """Speeds (k,) of gaps that close again too soon, s, or hardly open, by their phi''."""
        low = np.sqrt(2.0 * REST_HEIGHT * self._watch.size * np.maximum(-gains, 0.0))
        out: FloatArray = np.maximum(-0.5 * soon * gains, low)
        return out

    @staticmethod
    def _is_redundant(w: FloatArray, chosen: BoolArray) -> bool:
        """Whether the gaps that would stay closed depend on each other."""
        block = w[np.ix_(chosen, chosen)]
        return bool(
            np.linalg.matrix_rank(block, hermitian=True, tol=1e-10 * block.max()) < len(block)
        )

    def _impact(
        self,
        t: float,
        states: tuple[FloatArray, FloatArray, FloatArray],
        jacobian: FloatArray,
        touching: IntArray,
        done: Answer,
        lost: float,
    ) -> Impact | None:
        """The impact as it is told; None where there was none."""
        if not done.passes:
            return None
        pushed = done.impulses > 0.0
        own = touching[pushed]
        q, before, after = (frozen(x.copy()) for x in states)
        return Impact(
            t,
            tuple(self._gaps.names[k] for k in own),
            frozen(done.impulses[pushed]),
            frozen(jacobian[own] @ before),
            frozen(jacobian[own] @ after),
            q,
            before,
            after,
            lost,
        )

    def _tell(self, t: float, resting: IntArray, change: Change) -> tuple[str, ...]:
        """What comes to rest and what leaves it."""
        out = []
        before = np.flatnonzero(self._watch.states == State.RESTING)
        for index in resting.tolist():
            if index not in before:
                name, count = self._gaps.names[index], self._bounces.pop(index, 0)
                after = f" after {count} impact{'s' * (count != 1)}" if count else ""
                out.append(f"'{name}' comes to rest at t = {t:.6g} s{after}")
        for index in before.tolist():
            if index not in resting:
                why = " (it slid off)" if index in change.slid else ""
                out.append(f"'{self._gaps.names[index]}' leaves rest at t = {t:.6g} s{why}")
        return tuple(out)

    def _refuse_endless(self, t: float) -> None:
        same = t - self._last <= same_instant(t)
        self._repeats = self._repeats + 1 if same else 0
        self._last = t
        if self._repeats > MOST_AT_ONCE:
            states = self._watch.states
            names = [
                repr(name)
                for name, state in zip(self._gaps.names, states, strict=True)
                if state in (State.LEAVING, State.RESTING)
            ]
            raise self._refused(t, f"contacts change without end: {', '.join(names)}")

    def _refused(self, t: float, reason: str) -> SimulationError:
        return SimulationError(f"{self._system.model.name}: at t = {t:.6g} s {reason}")
