"""Where the frames are and how they move: pointer jumping over the tree, all links at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats
from ..frames.kernels import angular_velocity_of, rate_of, rotation_of
from .model import Model
from .spatial import adjoint


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


def frame_poses(model: Model, q: FloatArray) -> FloatArray:
    """world_from_frame (…, nf, 4, 4); frame 0 is the world itself."""
    x = coordinates(model, q)
    lead = q.shape[:-1]
    poses = np.empty((*lead, len(model.path), 4, 4))
    poses[..., 0, :, :] = np.eye(4)

    # parent_from_frame of every frame
    features = np.empty((*x.shape, 1, 4))
    features[..., 0, 0] = 1.0
    features[..., 0, 1] = np.sin(x)
    features[..., 0, 2] = 1.0 - np.cos(x)
    features[..., 0, 3] = x
    poses[..., model.scalar_frames, :, :] = (features @ model.scalar_features).reshape(
        *x.shape, 4, 4
    )
    if len(model.free_frames):
        state = q[..., model.free_q]
        joint_from_frame = np.zeros((*state.shape[:-1], 4, 4))
        joint_from_frame[..., :3, :3] = rotation_of(state[..., 3:])
        joint_from_frame[..., :3, 3] = state[..., :3]
        joint_from_frame[..., 3, 3] = 1.0
        poses[..., model.free_frames, :, :] = model.free_parent_from_joint @ joint_from_frame

    # compose with the ancestor, doubling the reach at each hop
    for hop in model.hops:
        poses = poses[..., hop, :, :] @ poses
    return poses


def link_poses(model: Model, q: ArrayLike) -> FloatArray:
    """The pose of every link of the description, fixed ones included.

    Args:
        model: the compiled tree.
        q: (…, nq), rad and m.

    Returns:
        (…, n_links, 4, 4): world_from_link in the order of `model.link_names`.
    """
    poses = frame_poses(model, as_floats(q, (model.nq,), "q"))
    return poses[..., model.link_frame, :, :] @ model.frame_from_link


def joint_twists(model: Model, world_from_frame: FloatArray) -> FloatArray:
    """The unit twists s_k (…, nd, 6) at the world origin in world axes: Ad(X) s_local."""
    moving = world_from_frame[..., model.dof_frame, :, :]
    return (adjoint(moving) @ model.dof_twist[..., None])[..., 0]


def q_derivative(model: Model, q: ArrayLike, v: ArrayLike) -> FloatArray:
    """q' from v: equal for scalar joints; p' = R v and q' = 1/2 q (0, omega) for floating ones.

    Args:
        q: (…, nq); v: (…, nv) with (omega, velocity of the origin) in the child frame.

    Returns:
        (…, nq), per second.
    """
    state, rate = as_floats(q, (model.nq,), "q"), as_floats(v, (model.nv,), "v")
    if not len(model.free_frames):
        return rate.copy()
    out = np.empty_like(state)
    for joint, where in model.q_slices.items():
        if model.joint_types[joint] != "floating":
            out[..., where] = rate[..., model.v_slices[joint]]
    free, free_rate = state[..., model.free_q], rate[..., model.free_v]
    rotation = rotation_of(free[..., 3:])
    out[..., model.free_q[:, :3]] = (rotation @ free_rate[..., 3:, None])[..., 0]
    out[..., model.free_q[:, 3:]] = rate_of(free[..., 3:], free_rate[..., :3])
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
        return rate.copy()
    out = np.empty((*state.shape[:-1], model.nv))
    for joint, where in model.v_slices.items():
        if model.joint_types[joint] != "floating":
            out[..., where] = rate[..., model.q_slices[joint]]
    free, free_rate = state[..., model.free_q], rate[..., model.free_q]
    quaternion = free[..., 3:]
    out[..., model.free_v[:, :3]] = angular_velocity_of(quaternion, free_rate[..., 3:])
    back = rotation_of(quaternion).swapaxes(-1, -2)
    out[..., model.free_v[:, 3:]] = (back @ free_rate[..., :3, None])[..., 0]
    return out
