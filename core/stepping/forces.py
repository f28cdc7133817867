"""What acts on the joints during a step: forces as they are, and stiff ones as they will be.

A force f(q, v) with the slopes -D and -K is taken at the end of the step:

    f(q + h v+, v+) = f - D (v+ - v) - K h v+

so that it stays stable however stiff it is. Damping and springs of joints are such, and elements
that tell their slopes by `implicit` (servos). All other forces, gravity among them, are taken as
they are at the start.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from ..arrays import FloatArray
from ..dynamics import Moment, System
from ..dynamics.kinematics import coordinates
from ..dynamics.passive import to_velocities
from ..motion import Motion


@runtime_checkable
class ImplicitForce(Protocol):
    """A force element that tells its slopes, and the largest force of each velocity.

    `effort` (nv,) is infinite where there is no limit.
    """

    @property
    def effort(self) -> FloatArray:
        """(nv,), N m and N."""
        ...

    def implicit(self, at: Moment) -> tuple[FloatArray, FloatArray, FloatArray]:
        """force (nv,) without limit, damping -df/dv (nv,) and stiffness -df/dq (nv,)."""
        ...


class Limited(NamedTuple):
    """An element whose force may reach its limit: force, damping, stiffness, effort, each (nv,)."""

    force: FloatArray
    damping: FloatArray
    stiffness: FloatArray
    effort: FloatArray


class StepForces(NamedTuple):
    """What acts in a step, each (nv,): explicit forces, implicit ones, and those with limits."""

    explicit: FloatArray
    force: FloatArray
    damping: FloatArray
    stiffness: FloatArray
    limited: tuple[Limited, ...]


class Forces:
    """The forces of a motion, split into those that are taken implicitly and the others.

    Attributes:
        needs_velocities: whether elements or tau see velocities.
        friction: (ns,), dry friction of the scalar frames, zero where it does not act.
    """

    def __init__(self, motion: Motion) -> None:
        system, model = motion.system, motion.model
        self._motion, self._model = motion, model
        elements = system.joint_elements
        self._implicit = [own for own in elements if isinstance(own, ImplicitForce)]
        others = tuple(own for own in elements if not isinstance(own, ImplicitForce))
        self._others: System | None = None
        if others or system.frame_forces:
            self._others = System(model, others, system.frame_forces)
        self.needs_velocities = self._others is not None
        damping = np.full(len(model.damping), float(motion.damping))
        ball = np.ones(len(model.free_frames))
        ball[model.floating_rows] = 0.0
        turning = motion.damping * ball[:, None] * np.ones((1, 3))
        self.friction = np.zeros(len(model.friction))
        self._stiffness = np.zeros(len(model.stiffness))
        if motion.passive:
            damping = damping + model.damping
            turning = turning + model.free_damping
            self.friction = model.friction
            self._stiffness = model.stiffness
        self._damping = to_velocities(model, damping, squared=True)
        self._damping[model.free_angular_v] += turning
        self._slope = to_velocities(model, self._stiffness, squared=True)
        self._has_springs = bool(self._stiffness.any())
        self._has_damping = bool(self._damping.any())
        self._none = np.zeros(model.nv)

    def __call__(self, moment: Moment, v: FloatArray, h: float) -> StepForces:
        """What acts at a moment.

        Args:
            moment: the state at the start of the step, with the best guess of its velocities.
            v: (nv,), the velocities that the step changes; h: s, its length.
        """
        motion, model, t = self._motion, self._model, float(moment.t)
        explicit = self._none
        if motion.tau is not None:
            explicit = explicit + motion.torques(t, moment.q, moment.v)
        if self._others is not None:
            explicit = explicit + self._others.applied_forces(moment)
        force, damping, stiffness = self._none, self._damping, self._slope
        if self._has_damping:
            force = force - self._damping * v
        if self._has_springs:
            stretch = coordinates(model, moment.q) - model.rest
            force = force - to_velocities(model, self._stiffness * stretch)
        limited = []
        # what depends on time is aimed at the end of the step
        aimed = replace(moment, t=np.asarray(t + h), v=v) if self._implicit else moment
        for element in self._implicit:
            own = Limited(*element.implicit(aimed), element.effort)
            limited.append(own)
        return StepForces(explicit, force, damping, stiffness, tuple(limited))
