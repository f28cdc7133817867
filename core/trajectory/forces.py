"""What acts along a motion, and what it stores: joint forces by their cause, and energies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from ..arrays import FloatArray, frozen
from ..dynamics import Moment, inverse_dynamics, kinetic_energy, passive_forces, potential_energy
from ..dynamics.passive import spring_energy
from ..motion import Motion
from .touches import Touches


@dataclass(frozen=True, eq=False)
class JointForces:
    """The generalised forces on each joint, each (…, nv), N m and N.

    Attributes:
        passive: of the joints themselves: damping, friction, springs, stops at the limits.
        applied: of the system's force elements.
        tau: of the caller's function.
        contact: of contacts with friction and limits of joints, as time stepping has them.
        drive: what holds prescribed coordinates to their motion. In a motion that was given, all
            coordinates are: what the motors must exert.
    """

    passive: FloatArray
    applied: FloatArray
    tau: FloatArray
    contact: FloatArray
    drive: FloatArray

    @property
    def total(self) -> FloatArray:
        """The sum f of M(q) a + b(q, v) = f."""
        return _held(self.passive + self.applied + self.tau + self.contact + self.drive)


@dataclass(frozen=True, eq=False)
class Energies:
    """Energies (…), J: kinetic; potential, of gravity, zero at the world's origin; springs."""

    kinetic: FloatArray
    potential: FloatArray
    springs: FloatArray

    @property
    def total(self) -> FloatArray:
        """Their sum."""
        return _held(self.kinetic + self.potential + self.springs)


@runtime_checkable
class StoresEnergy(Protocol):
    """A force element that stores energy, such as a spring."""

    def stored_energy(self, at: Moment) -> FloatArray:
        """What it stores (…), J."""
        ...


def simulated_forces(
    motion: Motion, t: FloatArray, q: FloatArray, v: FloatArray, touches: Touches | None
) -> JointForces:
    """What acts by the equations of motion at t (…), q (…, nq), v (…, nv), with `touches`."""
    q, v = motion.system.held(t, q, v)
    moment = motion.system.moment(t, q, v)
    passive = _passive(motion, q, v)
    applied = motion.system.applied_forces(moment)
    tau = motion.torques(t, q, v)
    contact = np.zeros_like(v) if touches is None else touches.joint_forces(t)
    drive = motion.respond(moment, more=None if touches is None else contact).drive
    return JointForces(*map(_held, (passive, applied, tau, contact, drive)))


def needed_forces(
    motion: Motion, t: FloatArray, q: FloatArray, v: FloatArray, a: FloatArray
) -> JointForces:
    """What acts where q (…, nq), v and a (…, nv) are given: drive = M a + b - other forces."""
    passive = _passive(motion, q, v)
    applied = motion.system.applied_forces(motion.system.moment(t, q, v))
    drive = inverse_dynamics(motion.model, q, v, a) - passive - applied
    none = np.zeros_like(drive)
    return JointForces(*map(_held, (passive, applied, none, none, drive)))


def energies(motion: Motion, t: FloatArray, q: FloatArray, v: FloatArray) -> Energies:
    """Energies at t (…), q (…, nq), v (…, nv); springs of joints and of force elements."""
    model, system = motion.model, motion.system
    springs = spring_energy(model, q) if motion.passive else np.zeros(q.shape[:-1])
    storing = [
        element
        for element in (*system.joint_forces, *system.frame_forces)
        if isinstance(element, StoresEnergy)
    ]
    if storing:
        moment = system.moment(t, q, v)
        springs = springs + sum(element.stored_energy(moment) for element in storing)
    kinetic, potential = kinetic_energy(model, q, v), potential_energy(model, q)
    return Energies(_held(kinetic), _held(potential), _held(springs))


def _passive(motion: Motion, q: FloatArray, v: FloatArray) -> FloatArray:
    return passive_forces(
        motion.model,
        q,
        v,
        described=motion.passive,
        extra_damping=motion.damping,
        stops=motion.limits,
    ).force


def _held(values: FloatArray) -> FloatArray:
    """The values as a read-only array, also where numpy makes a single number of them."""
    return frozen(np.asarray(values))
