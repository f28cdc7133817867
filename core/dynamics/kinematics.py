"""Where links are, and how coordinates change with velocities."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats
from .door import as_state, check_lead, lead_of
from .evaluation import frame_poses, link_poses_at
from .model import Model
from .orientation_states import free_rotations, orientation_rates, orientation_velocities

__all__ = [
    "coordinate_rates",
    "coordinates",
    "frame_poses",
    "link_poses",
    "q_derivative",
    "v_from_q_derivative",
]


def coordinates(model: Model, q: FloatArray) -> FloatArray:
    """The values x (…, ns) of the scalar frames, coupled followers included."""
    if model.coordinate_from_q is None:
        return q
    return q @ model.coordinate_from_q.T + model.coordinate_offset


def coordinate_rates(model: Model, v: FloatArray) -> FloatArray:
    """The rates (…, ns) of the scalar frames, coupled followers included."""
    if model.dof_from_v is None:
        return v[..., model.scalar_velocity]
    return (v @ model.dof_from_v.T)[..., model.scalar_dof]


def link_poses(model: Model, q: ArrayLike) -> FloatArray:
    """The pose of every link of the description, fixed ones included.

    Args:
        model: the compiled tree.
        q: (…, nq), rad and m.

    Returns:
        (…, n_links, 4, 4): world_from_link in the order of `model.link_names`.
    """
    return link_poses_at(model, as_state(model, q))


def q_derivative(model: Model, q: ArrayLike, v: ArrayLike) -> FloatArray:
    """q' from v: equal for scalar joints; p' = R v and q' = 1/2 q (0, omega) for floating ones.

    Args:
        q: (…, nq); v: (…, nv), of spherical and floating joints omega, then the velocity of the
            origin, both in the child frame.

    Returns:
        (…, nq), per second.

    Raises:
        ModelError: for an Euler state at gimbal lock, naming the joint.
    """
    state, rate = as_floats(q, (model.nq,), "q"), as_floats(v, (model.nv,), "v")
    if not len(model.free_frames):
        check_lead(q=state, v=rate)
        return rate.copy()
    lead = lead_of(q=state, v=rate)
    out = np.empty((*lead, model.nq))
    out[..., model.plain_q] = rate[..., model.plain_v]
    orientation_rates(model, state, rate[..., model.free_angular_v], out)
    if len(model.floating_rows):
        rotation = free_rotations(model, state)[..., model.floating_rows, :, :]
        linear = rate[..., model.floating_v, None]
        out[..., model.floating_q] = (rotation @ linear)[..., 0]
    return out


def v_from_q_derivative(model: Model, q: ArrayLike, q_dot: ArrayLike) -> FloatArray:
    """The inverse of `q_derivative`: omega = 2 vec(conj(q) q') / |q|^2, velocity = R^T p'.

    Args:
        q: (…, nq); q_dot: (…, nq), per second.

    Returns:
        (…, nv).
    """
    state, rate = as_floats(q, (model.nq,), "q"), as_floats(q_dot, (model.nq,), "q_dot")
    if not len(model.free_frames):
        check_lead(q=state, q_dot=rate)
        return rate.copy()
    out = np.empty((*lead_of(q=state, q_dot=rate), model.nv))
    out[..., model.plain_v] = rate[..., model.plain_q]
    out[..., model.free_angular_v] = orientation_velocities(model, state, rate)
    if len(model.floating_rows):
        back = free_rotations(model, state)[..., model.floating_rows, :, :].swapaxes(-1, -2)
        out[..., model.floating_v] = (back @ rate[..., model.floating_q, None])[..., 0]
    return out
