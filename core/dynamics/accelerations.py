"""What follows from the accelerations a: those of the links, and the second derivatives of q."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats
from ..frames.kernels import rate_of
from .door import as_state, check_lead, lead_of
from .evaluation import evaluate
from .kinematics import q_derivative
from .model import Model
from .orientation_states import euler_rate_matrices, free_rotations, refuse_lock
from .spatial import CROSS, motion_cross


def link_accelerations(model: Model, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> FloatArray:
    """The acceleration of every link: of its frame's origin, in world axes.

        A_i = sum_k path_ik (s_k a_k + V_k x s_k v_k)            at the world origin
        alpha,  p'' = A_lin + alpha x p + omega x p'              at the link's origin p

    Gravity is no part of it: a link at rest has none.

    Args:
        q: (…, nq); v: (…, nv); a: (…, nv), as `forward_dynamics` gives it.

    Returns:
        (…, n_links, 6): angular (rad/s^2), then linear (m/s^2), in the order of
        `model.link_names`.

    Source: R. Featherstone, Rigid Body Dynamics Algorithms (2008), sections 2.10 and 2.11.
    """
    state, rate = as_state(model, q), as_floats(v, (model.nv,), "v")
    gain = as_floats(a, (model.nv,), "a")
    check_lead(q=state, v=rate, a=gain)
    if model.dof_from_v is not None:
        rate, gain = rate @ model.dof_from_v.T, gain @ model.dof_from_v.T
    at = evaluate(model, state)
    poses, twists = at.poses, at.twists
    moves = twists * rate[..., None]
    velocity = model.path @ moves
    turning = motion_cross(velocity)[..., model.dof_frame, :, :] @ moves[..., None]
    acceleration = model.path @ (twists * gain[..., None] + turning[..., 0])

    own = acceleration[..., model.link_frame, :]
    own_velocity = velocity[..., model.link_frame, :]
    omega, alpha = own_velocity[..., :3], own[..., :3]
    place = (poses[..., model.link_frame, :, :] @ model.frame_from_link)[..., :3, 3]
    moving = own_velocity[..., 3:] + _cross(omega, place)
    linear = own[..., 3:] + _cross(alpha, place) + _cross(omega, moving)
    return np.concatenate(np.broadcast_arrays(alpha, linear), axis=-1)


def q_second_derivative(model: Model, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> FloatArray:
    """q'' of coordinates that move with v and a.

        scalar joints  x'' = a                       position  p'' = R (u' + omega x u)
        quaternions    kappa'' = 1/2 kappa (0, omega') + 1/2 kappa' (0, omega)
        Euler angles   E phi'' = omega' - sum over i < j of phi_i' phi_j' e_i x e_j

    with e_i the columns of E.

    Args:
        q: (…, nq); v: (…, nv); a: (…, nv).

    Returns:
        (…, nq), per second squared.

    Raises:
        ModelError: for an Euler state at gimbal lock, naming the joint.
    """
    state, rate = as_floats(q, (model.nq,), "q"), as_floats(v, (model.nv,), "v")
    gain = as_floats(a, (model.nv,), "a")
    lead = lead_of(q=state, v=rate, a=gain)
    state = np.broadcast_to(state, (*lead, model.nq))
    rate, gain = (np.broadcast_to(part, (*lead, model.nv)) for part in (rate, gain))
    out = q_derivative(model, state, gain)
    if not len(model.free_frames):
        return out
    slope = q_derivative(model, state, rate)
    if len(model.quaternion_q):
        # 1/2 kappa (0, omega) is linear in kappa
        omega = rate[..., model.free_angular_v][..., model.quaternion_rows, :]
        out[..., model.quaternion_q] += rate_of(slope[..., model.quaternion_q], omega)
    if len(model.euler_q):
        out[..., model.euler_q] -= _euler_term(model, state, slope)
    if len(model.floating_rows):
        rotation = free_rotations(model, state)[..., model.floating_rows, :, :]
        omega = rate[..., model.free_angular_v][..., model.floating_rows, :]
        turning = _cross(omega, rate[..., model.floating_v])
        out[..., model.floating_q] += (rotation @ turning[..., None])[..., 0]
    return out


def _euler_term(model: Model, q: FloatArray, q_dot: FloatArray) -> FloatArray:
    """E^-1 (E' phi') of all Euler states (…, neuler, 3)."""
    matrix = euler_rate_matrices(model, q[..., model.euler_q])
    refuse_lock(model, matrix)
    rates = q_dot[..., model.euler_q]
    total = np.zeros_like(rates)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        product = (rates[..., i] * rates[..., j])[..., None]
        total = total + product * _cross(matrix[..., :, i], matrix[..., :, j])
    return np.asarray(np.linalg.solve(matrix, total[..., None])[..., 0], dtype=np.float64)


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    matrix = (a @ CROSS).reshape(*a.shape, 3)
    out: FloatArray = (matrix @ b[..., None])[..., 0]
    return out
