"""Forces that joints exert by themselves: damping, dry friction, and stops at their limits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from .kinematics import coordinate_rates, coordinates
from .model import Model

FRICTION_SPEED = 0.01  # rad/s or m/s over which dry friction changes sign
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
    """Damping, dry friction and stops of all joints but floating ones.

        f = -(d + extra) x' - c tanh(x' / s) + stop,   s = FRICTION_SPEED
        stop = k depth - 2 z sqrt(k m) ramp(depth) depth', pushing inwards, never pulling

    Args:
        q: (…, nq); v: (…, nv).
        described: whether the damping d and friction c of the description act.
        extra_damping: N m s/rad or N s/m, added to every such joint.
        stops: whether the limits act.

    Returns:
        Forces and derivatives, each (…, nv).
    """
    rate = coordinate_rates(model, v)
    damping = np.full_like(model.damping, extra_damping)
    friction = np.zeros_like(model.friction)
    if described:
        damping, friction = damping + model.damping, model.friction
    bend = np.tanh(rate / FRICTION_SPEED)
    force = -damping * rate - friction * bend
    slope = damping + friction * (1.0 - bend * bend) / FRICTION_SPEED
    stiffness = np.zeros_like(rate)
    if stops:
        push, push_slope, stiffness = _stops(model, coordinates(model, q), rate)
        force, slope = force + push, slope + push_slope
    return Passive(
        _to_velocities(model, force),
        _to_velocities(model, slope, squared=True),
        _to_velocities(model, stiffness, squared=True),
    )


def _stops(
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


def _to_velocities(model: Model, values: FloatArray, squared: bool = False) -> FloatArray:
    """Sum what acts on scalar frames (…, ns) into the velocities (…, nv) that move them."""
    if model.dof_from_v is None:
        out = np.zeros((*values.shape[:-1], model.nv))
        out[..., model.scalar_velocity] = values
        return out
    rows = model.dof_from_v[model.scalar_dof]
    return values @ (rows * rows if squared else rows)
