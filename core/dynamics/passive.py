"""Forces that joints exert by themselves: damping, dry friction, and stops at their limits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from .door import check_lead
from .kinematics import coordinate_rates, coordinates
from .model import Model

STOP_FREQUENCY = 300.0  # rad/s: a stop is as stiff as k = inertia * frequency^2
STOP_DAMPING = 1.0  # of critical


@dataclass(frozen=True)
class Passive:
    """Forces and their derivatives, for each velocity (…, nv).

    force is the sum; damping = -d force/d v and stiffness = -d force/d q are diagonal, because
    each joint's passive force depends on its own state alone.
    """

    force: FloatArray
    damping: FloatArray
    stiffness: FloatArray


def passive_forces(
    model: Model,
    q: FloatArray,
    v: FloatArray,
    *,
    described: bool = True,
    extra_damping: float = 0.0,
    stops: bool = False,
) -> Passive:
    """Damping, dry friction, springs and stops of all joints but floating ones.

        f = -(d + extra) x' - c tanh(x' / s) - k (x - rest) + stop
        stop = k depth - 2 z sqrt(k m) ramp(depth) depth', pushing inwards, never pulling

    Args:
        q: (…, nq); v: (…, nv).
        described: whether the damping d, friction c (smoothed by its speed s) and springs of
            the description act.
        extra_damping: N m s/rad or N s/m, added to every such joint.
        stops: whether the limits act.

    Returns:
        Forces and derivatives, each (…, nv).
    """
    check_lead(q=q, v=v)
    rate = coordinate_rates(model, v)
    slope = np.full_like(rate, extra_damping)
    force = -slope * rate
    stiffness = np.zeros_like(rate)
    if described:
        bend = np.tanh(rate / model.friction_speed)
        force = force - model.damping * rate - model.friction * bend
        slope = slope + model.damping
        slope = slope + model.friction * (1.0 - bend * bend) / model.friction_speed
    if stops or (described and model.stiffness.any()):
        x = coordinates(model, q)
        if described:
            force, stiffness = force - model.stiffness * (x - model.rest), model.stiffness
        if stops:
            push, push_slope, push_stiffness = stop_forces(model, x, rate)
            force, slope = force + push, slope + push_slope
            stiffness = stiffness + push_stiffness
    out = Passive(
        to_velocities(model, force),
        to_velocities(model, slope, squared=True),
        to_velocities(model, np.broadcast_to(stiffness, rate.shape), squared=True),
    )
    return _with_free_damping(model, v, out, described, extra_damping)


def spring_energy(model: Model, q: FloatArray) -> FloatArray:
    """sum 1/2 k (x - rest)^2 over the joints' springs, J; q is (…, nq), the answer (…)."""
    stretch = coordinates(model, q) - model.rest
    energy: FloatArray = 0.5 * (model.stiffness * stretch * stretch).sum(axis=-1)
    return energy


def _with_free_damping(
    model: Model, v: FloatArray, passive: Passive, described: bool, extra_damping: float
) -> Passive:
    """Add the damping of spherical joints, tau = -d omega."""
    ball = np.ones(len(model.free_frames))
    ball[model.floating_rows] = 0.0
    slope = extra_damping * ball[:, None] + (model.free_damping if described else 0.0)
    if not slope.any():
        return passive
    force, damping = passive.force.copy(), passive.damping.copy()
    force[..., model.free_angular_v] -= slope * v[..., model.free_angular_v]
    damping[..., model.free_angular_v] += slope
    return Passive(force, damping, passive.stiffness)


def stop_forces(
    model: Model, x: FloatArray, rate: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Force, -d force/d rate and -d force/d x of the stops, each (…, ns)."""
    below, above = model.lower - x, x - model.upper
    depth = np.maximum(np.maximum(below, above), 0.0)
    inward = np.where(below > above, 1.0, -1.0)
    stiffness = model.stop_inertia * STOP_FREQUENCY**2
    # the damper comes in over stop_depth, smooth at both ends
    part = np.minimum(depth / model.stop_depth, 1.0)
    damper = 2.0 * STOP_DAMPING * STOP_FREQUENCY * model.stop_inertia * part**2 * (3.0 - 2.0 * part)
    push = stiffness * depth - damper * inward * rate
    acts = (push > 0.0) & (depth > 0.0)
    return (
        np.where(acts, inward * push, 0.0),
        np.where(acts, damper, 0.0),
        np.where(acts, stiffness, 0.0),
    )


def to_velocities(model: Model, values: FloatArray, squared: bool = False) -> FloatArray:
    """Sum what acts on scalar frames (…, ns) into the velocities (…, nv) that move them."""
    if model.dof_from_v is None:
        out = np.zeros((*values.shape[:-1], model.nv))
        out[..., model.scalar_velocity] = values
        return out
    rows = model.dof_from_v[model.scalar_dof]
    return values @ (rows * rows if squared else rows)
