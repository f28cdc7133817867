"""The way of a motion from phase to phase: steps, and the switches at which some of them end."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from .arrays import FloatArray
from .contact_board import ContactBoard, Touched
from .contact_watch import Change
from .driver import Driver
from .dynamics import System
from .dynamics.contact import ContactSystem
from .integrate import DenseOutput, Record, Step, Watch, same_instant
from .motion import Motion
from .phased_motion import PhasedMotion
from .schemes import Options
from .switchboard import Switchboard, Toggle
from .trajectory import Trajectory
from .trajectory.impact import Impact
from .trajectory.jump import Jump, merged

State = Callable[[float], tuple[FloatArray, FloatArray]]  # of a time (s): q (nq,), v (nv,)


class ConstraintWarning(UserWarning):
    """A state did not meet the constraints, and was moved; the text says how far."""


@dataclass(frozen=True)
class Stretch:
    """What a step has led to: the time reached, s, and the states on the way to there."""

    t: float
    state: State


class Course:
    """Steps through a motion whose constraints may be switched.

    Args:
        system: what moves.
        make: the equations of motion of a system.
        options: of the scheme.
        t, q, v: the start, s, (nq,), (nv,).

    Raises:
        SimulationError: for a start that cannot be, and one from where there is no motion.
    """

    def __init__(
        self,
        system: System,
        make: Callable[[System], Motion],
        options: Options,
        t: float,
        q: FloatArray,
        v: FloatArray,
    ) -> None:
        self._board = Switchboard(system, make, t)
        motion, y, notices = self._board.begin(t, q, v)
        for notice in notices:
            self._warn(motion, notice)
        self._contacts: ContactBoard | None = None
        begun: Touched | None = None
        if isinstance(system, ContactSystem) and system.contacts:
            self._contacts = ContactBoard(system, self._board)
            begun = self._contacts.begin(motion, t, y)
            motion, y = begun.motion, begun.y
        self._t, self._y, self._motion = t, y, motion
        self._driver = Driver(motion, t, y, options)
        self._driver.remarks.extend(self._board.told)
        self._phases = [(t, motion)]
        self._jumps: list[Jump] = []
        self._impacts: list[Impact] = []
        if begun is not None:
            self._take_down(begun)
        self._record = Record()
        events = self._board.events()
        self._watch = Watch(events, t, y) if events else None

    @property
    def t(self) -> float:
        """The time reached, s."""
        return self._t

    def here(self) -> Stretch:
        """The state that has been reached."""
        motion, t, y = self._motion, self._t, self._y

        def state(when: float) -> tuple[FloatArray, FloatArray]:
            del when
            with np.errstate(all="ignore"):
                q, v, _ = motion.unpack(motion.settle(t, y))
            return q, v

        return Stretch(t, state)

    def stride(self, end: float) -> Stretch:
        """One step to `end` at the latest, and what is switched where it ends.

        Raises:
            SimulationError: for a motion that cannot be continued.
        """
        motion, driver = self._motion, self._driver
        step = driver.advance(self._board.due(self._t, end))
        path = cache(lambda: _path(motion, step))
        t, self._y, chosen, change = self._ended(step, path)
        self._t = t
        self._switch(chosen)
        touched = self._touch(change, bool(chosen))
        if (touched or self._motion is not motion) and t < end:
            # impacts change velocities, and rest holds what forces have moved
            driver.restart(self._motion, t, self._y, look=bool(chosen) or not touched)
        after = self.here().state

        def state(when: float) -> tuple[FloatArray, FloatArray]:
            if when >= t:
                return after(when)
            with np.errstate(all="ignore"):
                q, v, _ = motion.unpack(path()(when))
            return q, v

        return Stretch(t, state)

    def trajectory(self, times: FloatArray) -> Trajectory:
        """All of the motion, sampled at times (n,)."""
        driver = self._driver
        starts, motions = zip(*self._phases, strict=True)
        motion = motions[0] if len(motions) == 1 else PhasedMotion(starts, motions)
        return Trajectory.from_simulation(
            motion,
            times,
            self._record.dense(self._t, self._y, motion.settle),
            ", then ".join(driver.schemes),
            driver.evaluations,
            tuple(driver.remarks),
            merged(self._jumps),
            tuple(self._impacts),
        )

    def _ended(
        self, step: Step, path: Callable[[], DenseOutput]
    ) -> tuple[float, FloatArray, list[Toggle], Change | None]:
        """Where a step ends, at a crossing on its way or at its end; and what changes there."""
        reached, y = self._driver.t, self._driver.y
        crossed: tuple[int, ...] = ()
        t = reached
        if self._watch is not None:
            exact = path()
            rough = replace(exact, settle=None)
            found = self._watch.first(exact, step.t, reached, self._board.live(), rough)
            if found is not None:
                t, crossed = found
        change = None
        if self._contacts is not None:
            exact = path()
            rough = replace(exact, settle=None)
            change = self._contacts.first(self._motion, exact, rough, step.t, t)
            if change is not None and change.t < t:
                crossed = crossed if t - change.t <= same_instant(t) else ()
                t = change.t
        if crossed or change is not None:
            if t - step.t <= same_instant(t):
                t, y = step.t, step.start
            elif reached - t <= same_instant(t):
                t = reached
            else:
                y = path()(t)
        if self._watch is not None:
            self._watch.follow(t)
        known = path().powers if self._contacts is not None else None
        if t > step.t:
            self._record.add(step, None if t == reached else t, known)
        chosen = [self._board.conditions[index] for index in crossed]
        return t, y, [*chosen, *self._board.timed(t, step.t)], change

    def _switch(self, chosen: list[Toggle]) -> None:
        """Make switches where the motion is now, and those that they cause by themselves."""
        t, before = self._t, self._motion
        while chosen:
            change = self._board.change(self._motion, t, self._y, chosen)
            if change is None:
                break
            self._motion, self._y = change.motion, change.y
            self._jumps.append(change.jump)
            self._driver.remarks.extend(change.jump.causes)
            if change.notice is not None:
                self._warn(self._motion, change.notice)
            chosen = self._thrown()
        if self._motion is not before:
            if self._phases[-1][0] == t:
                self._phases.pop()
            self._phases.append((t, self._motion))

    def _touch(self, change: Change | None, switched: bool) -> bool:
        """Impacts and the like where the motion is now; whether there are any."""
        if self._contacts is None:
            return False
        if change is None and not switched:
            self._contacts.follow(self._motion, self._t, self._y)
            return False
        change = Change(self._t) if change is None else replace(change, t=self._t)
        touched = self._contacts.act(self._motion, self._t, self._y, change)
        self._motion, self._y = touched.motion, touched.y
        self._take_down(touched)
        if self._phases[-1][0] == self._t:
            self._phases.pop()
        self._phases.append((self._t, self._motion))
        self._switch(self._thrown())
        return True

    def _take_down(self, touched: Touched) -> None:
        """What there is to tell of contacts."""
        self._driver.remarks.extend(touched.remarks)
        if touched.jump is not None:
            self._jumps.append(touched.jump)
        if touched.impact is not None:
            self._impacts.append(touched.impact)

    def _thrown(self) -> list[Toggle]:
        """The conditions that a jump has made cross."""
        if self._watch is None:
            return []
        live = self._board.live()
        return [self._board.conditions[k] for k in self._watch.jump(self._t, self._y) if live[k]]

    def _warn(self, motion: Motion, notice: str) -> None:
        warnings.warn(f"{motion.model.name}: {notice}", ConstraintWarning, stacklevel=5)


def _path(motion: Motion, step: Step) -> DenseOutput:
    """The states on the way of a step, as they are settled."""
    record = Record()
    record.add(step)
    return record.dense(step.t + step.h, step.end, motion.settle)
