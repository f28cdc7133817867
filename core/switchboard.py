"""Which constraints act, and what happens to the state where that changes.

Where rows begin to act, the state is put onto the manifold of all that act from there on, by the
least correction in the metric of the masses:

    v_right = v_left - M^-1 J^T S^+ (J v_left + g_t),  S = J M^-1 J^T

which is the perfectly plastic impact: the rows exert an impulse, and momentum that they do not act
on is kept. The energy that is lost, E(left) - E(right), counts as work that the forces have taken
out, so that energy and work together stay. Where rows cease to act the state stays as it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from .arrays import FloatArray, frozen
from .dynamics import System
from .dynamics.constraints.assembly import WORTH_TELLING, Assembly, assemble
from .dynamics.constraints.constraint import Constraint
from .dynamics.constraints.given_functions import called
from .dynamics.constraints.hold import Hold
from .dynamics.constraints.switch import Switch
from .dynamics.constraints.undetermined import refuse_undetermined
from .errors import SimulationError
from .integrate import EventFunction, same_instant
from .motion import Motion
from .trajectory.jump import Jump

MOST_AT_ONCE = 20  # switches of one constraint at one instant
SOON, MOST_SOON = 1e-4, 200  # s: and within so short a time


class Toggle(NamedTuple):
    """A switch and the name of its constraint."""

    name: str
    switch: Switch


@dataclass(frozen=True, eq=False)
class Change:
    """What switching has made of a state.

    Attributes:
        motion, y: the equations and the state (n,) from there on.
        jump: between which states.
        notice: by how much positions were moved; None where they were not.
    """

    motion: Motion
    y: FloatArray
    jump: Jump
    notice: str | None


class Switchboard:
    """The switches of a system along one simulation.

    Args:
        system: with constraints as they are given.
        make: the equations of motion of a system.
        start: s; switches up to then have been made.

    Attributes:
        told: what was switched at the start itself, for the trajectory.
    """

    def __init__(self, system: System, make: Callable[[System], Motion], start: float) -> None:
        self._system, self._make = system, make
        self._given = {own.name: own for own in system.constraints}
        toggles = [
            Toggle(own.name, switch) for own in system.constraints for switch in own.switches
        ]
        self.conditions = tuple(own for own in toggles if own.switch.time is None)
        timed = [(own.switch.time, own) for own in toggles if own.switch.time is not None]
        self._timed = sorted(timed, key=lambda pair: pair[0])
        self._acts = {own.name: own.active for own in system.constraints}
        self._poses: dict[str, FloatArray] = {}
        self._systems: dict[tuple[object, ...], System] = {}
        self._history: dict[str, deque[float]] = {}  # the last switches of each constraint
        self.told: list[str] = []
        span = same_instant(start)
        for time, own in self._timed:
            if time <= start + span and self._acts[own.name] != own.switch.active:
                self._acts[own.name] = own.switch.active
                if time >= start - span:
                    self.told.append(self._tell(own, start))

    @property
    def acts(self) -> bool:
        """Whether there is anything to switch, or to hold where it is."""
        switched = any(own.switches for own in self._given.values())
        return switched or bool(self._loose(self._acts))

    def begin(self, t: float, q: FloatArray, v: FloatArray) -> tuple[Motion, FloatArray, list[str]]:
        """The equations and the state (n,) at the start, and by how much that was moved.

        Raises:
            SimulationError: for constraints that cannot be met, naming them.
        """
        notices = []
        loose = self._loose(self._acts)
        if loose:
            # what is held is held where the other constraints have put it
            motion = self._make(self._with(self._without(loose)))
            q, v, _ = motion.unpack(motion.pack(t, q, v))
            notices.append(motion.notice)
            self._take_poses(loose, q)
        system = self._with(self._acts) if self.acts else self._system
        _check_functions(system, t, q, v)
        motion = self._make(system)
        y = motion.pack(t, q, v)
        if motion.system is not system:  # its rows are watched on the way, as those were
            _check_functions(motion.system, t, q, v)
        notices.append(motion.notice)
        self._system = replace(self._system, reference=motion.system.reference)
        self._systems = {self._key(self._acts): motion.system}
        return motion, y, [own for own in notices if own is not None]

    def due(self, t: float, end: float) -> float:
        """The time of the next switch after t, or the end."""
        times = [time for time, _ in self._timed if t + same_instant(t) < time <= end]
        first = min(times, default=end)
        return end if end - first <= same_instant(end) else first

    def timed(self, t: float, since: float) -> list[Toggle]:
        """The switches of a time (s), which was reached from the instant `since`."""
        span = same_instant(t)
        return [own for time, own in self._timed if since + span < time <= t + span]

    def events(self) -> list[EventFunction]:
        """The conditions as functions of the motion's state."""
        nq, nv = self._system.model.nq, self._system.model.nv

        def event(own: Toggle) -> EventFunction:
            function = own.switch.function
            assert function is not None

            label = f"{self._given[own.name].label}: the condition of a switch"

            def value(t: float, y: FloatArray) -> float:
                state = frozen(y[: nq + nv].copy())
                given: float = called(label, function, t, state[:nq], state[nq:])
                return given

            return EventFunction(value, label, own.switch.direction)

        return [event(own) for own in self.conditions]

    def live(self) -> list[bool]:
        """Which conditions would change something."""
        return [self._acts[own.name] != own.switch.active for own in self.conditions]

    def change(
        self, motion: Motion, t: float, y: FloatArray, chosen: Sequence[Toggle]
    ) -> Change | None:
        """Make switches at a time (s) and state y (n,); None where none has an effect.

        Raises:
            SimulationError: for switches that contradict each other or never end, and for
                constraints that cannot be met, naming them.
        """
        toggled = self._effective(t, chosen)
        if not toggled:
            return None
        causes = tuple(self._tell(own, t) for own in toggled)
        acts = {**self._acts, **{own.name: own.switch.active for own in toggled}}
        begin = [self._given[own.name].label for own in toggled if own.switch.active]
        q, v, work = motion.unpack(y)
        after, after_v, notice = q, v, None
        try:
            loose = [own for own in self._loose(acts) if not self._acts[own.name]]
            if loose:
                self._forget(loose)
                others = self._with(self._without(loose, acts))
                place = q if len(loose) == len(begin) else _assembled(others, t, q, v)[0].q
                self._take_poses(loose, place)
            self._acts = acts
            system = self._with(acts)
            following = self._make(system)
            if begin:
                _check_functions(system, t, q, v)
                after, after_v, notice = self._caught(following, t, q, v, begin)
        except SimulationError as error:
            raise self._failed(t, begin, error) from error
        lost = float(motion.energy(q, v) - motion.energy(after, after_v))
        left, left_v, right, right_v = (frozen(x.copy()) for x in (q, v, after, after_v))
        jump = Jump(t, causes, left, left_v, right, right_v, lost)
        return Change(following, np.concatenate((after, after_v, [work + lost])), jump, notice)

    def without(self, names: Sequence[str]) -> Motion:
        """The equations of what acts now but for constraints of these names."""
        return self._make(self._with({**self._acts, **dict.fromkeys(names, False)}))

    def rest(self, chosen: Sequence[str], names: Sequence[str]) -> Motion:
        """Let the chosen constraints act, and no others of these names; the equations then."""
        self._acts = {**self._acts, **{name: name in chosen for name in names}}
        return self._make(self._with(self._acts))

    def _caught(
        self, motion: Motion, t: float, q: FloatArray, v: FloatArray, begin: Sequence[str]
    ) -> tuple[FloatArray, FloatArray, str | None]:
        """q and v on the manifold of all that act now, and what there is to say of it."""
        system = motion.system
        start, moved = _assembled(system, t, q, v)
        moment = system.moment(t, start.q, start.v)
        given = motion.respond(moment, strict=True).a
        assert system.projection is not None
        refuse_undetermined(system.projection, moment, given)
        if not moved:
            return start.q, start.v, None
        notice = f"at t = {t:.6g} s switching on {', '.join(begin)} has moved positions by {moved}"
        return start.q, start.v, notice

    def _effective(self, t: float, chosen: Sequence[Toggle]) -> list[Toggle]:
        """The switches that change something, one for each constraint."""
        wanted: dict[str, Toggle] = {}
        for own in chosen:
            other = wanted.setdefault(own.name, own)
            if other.switch.active != own.switch.active:
                raise self._refused(
                    t,
                    f"{self._given[own.name].label} is switched on and off at one instant, "
                    f"{other.switch.cause} and {own.switch.cause}",
                )
        toggled = [own for own in wanted.values() if own.switch.active != self._acts[own.name]]
        for own in toggled:
            past = self._history.setdefault(own.name, deque(maxlen=MOST_SOON + 1))
            past.append(t)
            at_once = len(past) > MOST_AT_ONCE and t - past[-1 - MOST_AT_ONCE] <= same_instant(t)
            if at_once or (len(past) > MOST_SOON and t - past[0] <= SOON):
                raise self._refused(
                    t,
                    f"{self._given[own.name].label} is switched on and off without end; give the "
                    "conditions of its switches some distance from each other",
                )
        return toggled

    def _loose(self, acts: dict[str, bool]) -> list[Hold]:
        """The holds that act where they are when they are switched on."""
        return [
            own
            for own in self._given.values()
            if isinstance(own, Hold) and own.world_from_port is None and acts[own.name]
        ]

    def _without(
        self, loose: Sequence[Hold], acts: dict[str, bool] | None = None
    ) -> dict[str, bool]:
        acts = self._acts if acts is None else acts
        return {**acts, **{own.name: False for own in loose}}

    def _forget(self, loose: Sequence[Hold]) -> None:
        for own in loose:
            self._poses.pop(own.name, None)

    def _take_poses(self, loose: Sequence[Hold], q: FloatArray) -> None:
        for own in loose:
            pose = own.at(self._system.model, q).world_from_port
            assert pose is not None
            self._poses[own.name] = pose

    def _with(self, acts: dict[str, bool]) -> System:
        """The system in which these act; the same again for the same."""
        key = self._key(acts)
        if key not in self._systems:
            constraints = tuple(self._set(own, acts[name]) for name, own in self._given.items())
            self._systems[key] = replace(self._system, constraints=constraints)
        return self._systems[key]

    def _set(self, own: Constraint, acts: bool) -> Constraint:
        pose = self._poses.get(own.name)
        if pose is not None:
            return replace(own, active=acts, world_from_port=pose)  # type: ignore[call-arg]
        return own if own.active == acts else replace(own, active=acts)

    def _key(self, acts: dict[str, bool]) -> tuple[object, ...]:
        poses = tuple((name, pose.tobytes()) for name, pose in sorted(self._poses.items()))
        return tuple(acts.values()), poses

    def _tell(self, own: Toggle, t: float) -> str:
        """Such as "Ball 'catch' switched on at t = 2 s by its condition"."""
        way = "on" if own.switch.active else "off"
        why = "" if own.switch.time is not None else f" {own.switch.cause}"
        return f"{self._given[own.name].label} switched {way} at t = {t:.6g} s{why}"

    def _failed(self, t: float, begin: Sequence[str], error: SimulationError) -> SimulationError:
        reason = str(error).removeprefix(f"{self._system.model.name}: ")
        reason = reason.removeprefix(f"at t = {t:.6g} s ")
        what = f"where {', '.join(begin)} is to be switched on: " if begin else ""
        return self._refused(t, f"{what}{reason}")

    def _refused(self, t: float, reason: str) -> SimulationError:
        return SimulationError(f"{self._system.model.name}: at t = {t:.6g} s {reason}")


def _check_functions(system: System, t: float, q: FloatArray, v: FloatArray) -> None:
    """Hold Jacobians that were given against their functions."""
    if system.rows is not None:
        system.rows.check(t, *system.held(t, q, v))


def _assembled(system: System, t: float, q: FloatArray, v: FloatArray) -> tuple[Assembly, str]:
    """The state on the manifold, and by how much positions were moved; nothing where not."""
    still = tuple[str, ...]()
    if system.projection is None:
        none = np.zeros_like(v)
        return Assembly(q, v, none, none, still, still), ""
    start = assemble(system.projection, t, q, v)
    if np.abs(start.moved).max(initial=0.0) <= WORTH_TELLING:
        return start, ""
    most = int(np.argmax(np.abs(start.moved)))
    unit = start.units[most].removesuffix("/s")
    return start, f"up to {abs(start.moved[most]):.6g} {unit} ('{start.names[most]}')"
