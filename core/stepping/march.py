"""The way of a motion by time stepping: steps of one size from the first time to the last.

A step ends at start + n h whatever the output times are, so that results do not depend on these;
the last one is shorter where the last time asks for it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache

import numpy as np

from ..arrays import FloatArray
from ..course import ConstraintWarning, Stretch
from ..dynamics import System
from ..dynamics.contact import ContactSystem
from ..dynamics.friction import CollisionSystem
from ..dynamics.singular import check_mass, joint_of_velocity
from ..errors import ModelError, SimulationError
from ..integrate import DenseOutput
from ..integrate.dense import Settle
from ..motion import Motion
from ..trajectory import Trajectory
from .contacts import ContactFinder
from .joint_rows import Limits
from .kick import Kick, Kicker
from .record import StepRecord
from .settings import FASTEST, STEP, TOLERANCE
from .start import starting_collisions

ROUNDING = 1e-6  # of a step: by so much the last one may be longer
MOST_STEPS = 1e8  # of one motion: some days
LEAST_STEP = 1e-12  # of the time itself, whose rounding would bend shorter ones


class March:
    """Steps through a motion.

    Args:
        system: what moves.
        make: the equations of motion of a system.
        step: s, STEP if 0; tolerance: of impulses, m/s, TOLERANCE if None.
        start, end: s; q, v: the start, (nq,), (nv,).
        limits: whether joints stop at their limits, or at those of a system's `joint_stops`.

    Raises:
        SimulationError: for a start that cannot be, and for systems with switches and contacts
            that are not for this scheme.
    """

    def __init__(
        self,
        system: System,
        make: Callable[[System], Motion],
        step: float,
        tolerance: float | None,
        start: float,
        end: float,
        q: FloatArray,
        v: FloatArray,
        limits: bool,
    ) -> None:
        _refuse(system)
        self._motion = motion = make(system)
        y = motion.pack(start, q, v)
        if motion.notice is not None:
            notice = f"{motion.model.name}: {motion.notice}"
            warnings.warn(notice, ConstraintWarning, stacklevel=4)
        self._q, self._v, _ = motion.unpack(y)
        check_mass(motion.model, self._q)
        self._start, self._end, self._n = start, end, 0
        self._h = step or STEP
        self._refuse_tiny_steps()
        self._count = int(np.ceil((end - start) / self._h - ROUNDING)) if end > start else 0
        self._remarks: list[str] = []
        self._find: ContactFinder | None = None
        colliders: tuple[str, ...] = ()
        stops = None
        if isinstance(system, CollisionSystem):
            stops = system.joint_stops or None
            colliders = tuple(own.name for own in system.colliders)
            if colliders:
                poses = system.moment(start, self._q, self._v).poses
                collisions, told = starting_collisions(system, poses)
                self._find = ContactFinder(motion.model, collisions)
                self._remarks += told
        driven = [own.v_index for own in system.prescribed]
        joints = Limits(motion.model, stops, driven) if limits else None
        if joints is not None:
            self._remarks += joints.beyond(self._q)
            joints = joints if len(joints) else None
        self._kicker = Kicker(motion, self._find, joints, tolerance or TOLERANCE)
        self._record = StepRecord(motion.model, colliders)
        if self._count:
            self._kick(0.0)
        else:
            self._record.add_still(start, self._q, self._v)

    def _refuse_tiny_steps(self) -> None:
        """Raise a SimulationError for steps that are too short to come to an end."""
        length, h = self._end - self._start, self._h
        least = max(length / MOST_STEPS, LEAST_STEP * max(abs(self._start), abs(self._end)))
        if length > 0.0 and h < least:
            raise SimulationError(
                f"step: {h:g} s is too short for a motion from {self._start:g} s to {self._end:g} "
                f"s; wanted at least {least:.3g} s"
            )

    @property
    def t(self) -> float:
        """The time reached, s."""
        return self._time(self._n)

    def here(self) -> Stretch:
        """The state that has been reached."""
        return self._stretch()

    def stride(self, end: float) -> Stretch:
        """One step; all of them lead to the `end`.

        Raises:
            SimulationError: for a motion that cannot be continued.
        """
        del end
        before, t = self._length(self._n), self.t
        kick = self._last
        q, self._v = self._kicker.drift(self._q, kick.after, kick.moving, before)
        self._n += 1
        self._q = self._settled(q)
        self._refuse_runaway(t)
        self._kick(before)
        return self._stretch()

    def trajectory(self, times: FloatArray) -> Trajectory:
        """All of the motion, sampled at times (n,)."""
        motion, record = self._motion, self._record
        touches = record.touches()
        remarks = list(self._remarks)
        if touches.unconverged:
            remarks.append(
                f"{touches.unconverged} of {self._count + 1} solves: the impulses of contacts are "
                f"off by up to {touches.residual:.3g} m/s"
            )
        return Trajectory.from_simulation(
            motion,
            times,
            record.dense(self._settle),
            "time-stepping",
            self._count + 1,
            tuple(remarks),
            touches=touches,
        )

    @property
    def _settle(self) -> Settle | None:
        """What makes states exact that are known functions of time, or on a manifold."""
        system = self._motion.system
        held = bool(system.prescribed) or system.projection is not None
        return self._motion.settle if held else None

    def _time(self, n: int) -> float:
        return self._end if n == self._count else self._start + n * self._h

    def _length(self, n: int) -> float:
        """Of the step from n on, s; 0 behind the last."""
        return 0.0 if n == self._count else self._time(n + 1) - self._time(n)

    def _kick(self, before: float) -> None:
        """Work out the velocities at the time reached, and take them down."""
        after, name = self._length(self._n), self._motion.model.name
        try:
            self._last: Kick = self._kicker(self.t, self._q, self._v, before, after)
        except ModelError as error:
            cause = str(error).removeprefix(f"{name}: ")
            raise self._cannot(self.t, cause) from error
        self._record.add(self.t, self._q, self._last, before, after)

    def _settled(self, q: FloatArray) -> FloatArray:
        """q (nq,) with prescribed coordinates and constraints met at the time reached."""
        system = self._motion.system
        q, v = system.held(self.t, q, self._v)
        if system.projection is not None:
            q = system.projection.positions(np.asarray(self.t), q, v)
        return q

    def _stretch(self) -> Stretch:
        n, record, settle = self._n, self._record, self._settle

        @cache
        def path() -> DenseOutput:
            return record.step(n, settle)

        def state(when: float) -> tuple[FloatArray, FloatArray]:
            with np.errstate(all="ignore"):
                q, v, _ = self._motion.unpack(path()(when))
            return q, v

        return Stretch(self.t, state)

    def _refuse_runaway(self, t: float) -> None:
        """Raise where something moves faster than anything does."""
        v, model = self._v, self._motion.model
        if not np.abs(v).max(initial=0.0) < FASTEST:
            fastest = int(np.argmax(np.where(np.isfinite(v), np.abs(v), np.inf)))
            raise self._cannot(
                t,
                f"joint '{joint_of_velocity(model, fastest)}' moves at {v[fastest]:.3g} rad/s or "
                "m/s; check the forces that drive it, or take a shorter step",
            )

    def _cannot(self, t: float, cause: str) -> SimulationError:
        name = self._motion.model.name
        return SimulationError(f"{name}: at t = {t:.6g} s the motion cannot be continued: {cause}")


def _refuse(system: System) -> None:
    """Raise a SimulationError for what is not for time stepping."""
    name = system.model.name
    if isinstance(system, ContactSystem) and system.contacts:
        raise SimulationError(
            f"{name}: method 'time-stepping' takes the colliders of a CollisionSystem, got the "
            "contacts of a ContactSystem: give their shapes as Colliders, or leave the method to "
            "'auto' for exact impacts"
        )
    switched = [own.label for own in system.constraints if own.switches]
    if switched:
        raise SimulationError(
            f"{name}: {switched[0]}: method 'time-stepping' does not switch constraints; wanted "
            "constraints without switches, or another method"
        )
