"""What a roboticist asks of a tree: velocities, Jacobians, momentum, torques, steps of q."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats
from ..errors import ModelError
from ..frames import (
    quaternion_from_rotation_vector,
    transform,
    transform_from_twist,
    twist_from_transform,
)
from ..frames.kernels import product_of, rotation_of
from .equations import Tableau, bias_of, evaluate, mass_of
from .kinematics import frame_poses, joint_twists
from .model import Model
from .spatial import CROSS


def link_velocities(model: Model, q: ArrayLike, v: ArrayLike) -> FloatArray:
    """The velocity of every link: of its frame's origin, in world axes.

        omega = sum_k path_ik omega_k v_k,  velocity = velocity at the world origin + omega x p

    Args:
        q: (…, nq); v: (…, nv).

    Returns:
        (…, n_links, 6): angular (rad/s), then linear (m/s), in the order of `model.link_names`.
    """
    state, rates = as_floats(q, (model.nq,), "q"), _dof_rates(model, v)
    poses = frame_poses(model, state)
    of_frames = model.path @ (joint_twists(model, poses) * rates[..., None])
    twists = of_frames[..., model.link_frame, :]
    origins = (poses[..., model.link_frame, :, :] @ model.frame_from_link)[..., :3, 3]
    return _at_points(twists, origins)


def jacobian(model: Model, q: ArrayLike, link: str) -> FloatArray:
    """J with J v the velocity of a link's origin in world axes.

    Args:
        q: (…, nq).
        link: a name of `model.link_names`.

    Returns:
        (…, 6, nv): angular rows first.

    Raises:
        ModelError: for an unknown link, listing those that exist.
    """
    if link not in model.link_names:
        names = ", ".join(model.link_names)
        raise ModelError(f"{model.name}: no link '{link}'; there are: {names}")
    index = model.link_names.index(link)
    poses = frame_poses(model, as_floats(q, (model.nq,), "q"))
    frame = model.link_frame[index]
    origin = (poses[..., frame, :, :] @ model.frame_from_link[index])[..., None, :3, 3]
    # the unit twists of the joints on the path, taken at the link's origin
    columns = _at_points(joint_twists(model, poses) * model.path[frame][:, None], origin)
    full = columns.swapaxes(-1, -2)
    return full if model.dof_from_v is None else full @ model.dof_from_v


def gravity_forces(model: Model, q: ArrayLike) -> FloatArray:
    """g(q) (…, nv): the joint forces that hold the tree at rest, N m and N."""
    state = as_floats(q, (model.nq,), "q")
    return bias_of(model, evaluate(model, state), np.zeros((*state.shape[:-1], model.nv)))


def inverse_dynamics(model: Model, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> FloatArray:
    """tau = M(q) a + b(q, v): the joint forces of a motion.

    Args:
        q: (…, nq); v: (…, nv); a: (…, nv), as `forward_dynamics` gives it.

    Returns:
        (…, nv), N m and N.
    """
    at = evaluate(model, as_floats(q, (model.nq,), "q"))
    rate, acceleration = as_floats(v, (model.nv,), "v"), as_floats(a, (model.nv,), "a")
    inertial = (mass_of(model, at) @ acceleration[..., None])[..., 0]
    out: FloatArray = inertial + bias_of(model, at, rate)
    return out


def center_of_mass(model: Model, q: ArrayLike) -> FloatArray:
    """c (…, 3), m, of all that joints move; links welded to the world are left out.

    Raises:
        ModelError: where nothing that moves has mass.
    """
    mass, moment = _moments(model, evaluate(model, as_floats(q, (model.nq,), "q")))
    return moment / mass


def momentum(model: Model, q: ArrayLike, v: ArrayLike) -> FloatArray:
    """Angular momentum about the centre of mass (N m s), then linear (N s), in world axes.

        [L; P] = sum_i I_i V_i at the world origin,  L_c = L - c x P

    Args:
        q: (…, nq); v: (…, nv).

    Returns:
        (…, 6).
    """
    state, rates = as_floats(q, (model.nq,), "q"), _dof_rates(model, v)
    at = evaluate(model, state)
    velocities = model.path @ (at.twists * rates[..., None])
    total: FloatArray = (at.inertias @ velocities[..., None])[..., 0].sum(axis=-2)
    mass, moment = _moments(model, at)
    out = total.copy()
    out[..., :3] -= _cross(moment / mass, total[..., 3:])
    return out


def integrate_q(model: Model, q: ArrayLike, v: ArrayLike, dt: float) -> FloatArray:
    """The coordinates after moving with constant v for dt seconds.

    Scalar joints add v dt; a floating joint follows the screw of its twist exactly, and its
    quaternion keeps its length.

    Args:
        q: (…, nq); v: (…, nv); dt: s.

    Returns:
        (…, nq).
    """
    state, step = as_floats(q, (model.nq,), "q"), as_floats(v, (model.nv,), "v") * dt
    out = np.array(np.broadcast_to(state, (*_lead(state, step), model.nq)))
    _add_scalars(model, out, step)
    if len(model.free_frames):
        twist = step[..., model.free_v]
        before_from_after = transform_from_twist(twist)
        free = state[..., model.free_q]
        shift = rotation_of(free[..., 3:]) @ before_from_after[..., :3, 3, None]
        out[..., model.free_q[:, :3]] = free[..., :3] + shift[..., 0]
        out[..., model.free_q[:, 3:]] = product_of(
            free[..., 3:], quaternion_from_rotation_vector(twist[..., :3])
        )
    return out


def difference_q(model: Model, start: ArrayLike, end: ArrayLike) -> FloatArray:
    """v (…, nv) with integrate_q(model, start, v, 1) the same pose as end."""
    first, last = as_floats(start, (model.nq,), "start"), as_floats(end, (model.nq,), "end")
    out = np.empty((*_lead(first, last), model.nv))
    for joint, where in model.v_slices.items():
        if model.joint_types[joint] != "floating":
            at = model.q_slices[joint]
            out[..., where] = last[..., at] - first[..., at]
    if len(model.free_frames):
        a, b = first[..., model.free_q], last[..., model.free_q]
        back = rotation_of(a[..., 3:]).swapaxes(-1, -2)
        turn = back @ rotation_of(b[..., 3:])
        shift = (back @ (b[..., :3] - a[..., :3])[..., None])[..., 0]
        out[..., model.free_v] = twist_from_transform(transform(turn, shift))
    return out


def _dof_rates(model: Model, v: ArrayLike) -> FloatArray:
    rate = as_floats(v, (model.nv,), "v")
    return rate if model.dof_from_v is None else rate @ model.dof_from_v.T


def _at_points(twists: FloatArray, points: FloatArray) -> FloatArray:
    """Twists (…, n, 6) at the world origin, moved to points (…, n or 1, 3)."""
    out = twists.copy()
    out[..., 3:] += _cross(twists[..., :3], points)
    return out


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    matrix = (a @ CROSS).reshape(*a.shape, 3)
    out: FloatArray = (matrix @ b[..., None])[..., 0]
    return out


def _moments(model: Model, at: Tableau) -> tuple[float, FloatArray]:
    """Mass (kg) and first moment of mass (…, 3) (kg m) of all moving frames."""
    mass = float(model.frame_pseudo_inertia[1:, 3, 3].sum())
    if mass <= 0.0:
        raise ModelError(f"{model.name}: nothing that moves has mass, so it has no centre of mass")
    moving = at.poses[..., 1:, :3, :] @ model.frame_pseudo_inertia[1:, :, 3:]
    moment: FloatArray = moving[..., 0].sum(axis=-2)
    return mass, moment


def _lead(a: FloatArray, b: FloatArray) -> tuple[int, ...]:
    return np.broadcast_shapes(a.shape[:-1], b.shape[:-1])


def _add_scalars(model: Model, q: FloatArray, step: FloatArray) -> None:
    """Add the steps (…, nv) of all joints but floating ones to q, in place."""
    for joint, where in model.v_slices.items():
        if model.joint_types[joint] != "floating":
            q[..., model.q_slices[joint]] += step[..., where]
