"""How q holds the orientation of spherical and floating joints: quaternions or Euler angles.

The velocity is omega in the child frame in both cases; only q and q' differ.
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from ..errors import ModelError
from ..frames import (
    cross_matrix,
    euler_from_rotation,
    quaternion_from_rotation_vector,
    rotation_from_rotation_vector,
)
from ..frames.kernels import angular_velocity_of, product_of, rate_of, rotation_of
from ..frames.sequences import GIMBAL_LOCK
from .model import Model

# 1, [e]x and [e]x^2 of the three axes: (3, 3, 9)
TURNS = np.array(
    [[np.eye(3), cross_matrix(e), cross_matrix(e) @ cross_matrix(e)] for e in np.eye(3)]
).reshape(3, 3, 9)


def free_rotations(model: Model, q: FloatArray) -> FloatArray:
    """joint_from_frame rotations (…, nfree, 3, 3) of spherical and floating joints."""
    if not len(model.euler_rows):
        return rotation_of(q[..., model.quaternion_q])
    out = np.empty((*q.shape[:-1], len(model.free_frames), 3, 3))
    out[..., model.quaternion_rows, :, :] = rotation_of(q[..., model.quaternion_q])
    first, second, third = _turns(model, q[..., model.euler_q])
    out[..., model.euler_rows, :, :] = first @ second @ third
    return out


def orientation_rates(model: Model, q: FloatArray, omega: FloatArray, out: FloatArray) -> None:
    """Write q' of all orientation states into out (…, nq); omega is (…, nfree, 3).

    Quaternions: kappa' = 1/2 kappa (0, omega); Euler angles: phi' = E(phi)^-1 omega.

    Raises:
        ModelError: for Euler angles at gimbal lock, naming the joint.
    """
    if len(model.quaternion_rows):
        turning = omega[..., model.quaternion_rows, :]
        out[..., model.quaternion_q] = rate_of(q[..., model.quaternion_q], turning)
    if len(model.euler_rows):
        matrix = euler_rate_matrices(model, q[..., model.euler_q])
        refuse_lock(model, matrix)
        turning = omega[..., model.euler_rows, :, None]
        # as many leading axes as the matrices: numpy 1 takes fewer for vectors
        lead = np.broadcast_shapes(matrix.shape[:-2], turning.shape[:-2])
        solved = np.linalg.solve(matrix, np.broadcast_to(turning, (*lead, 3, 1)))
        out[..., model.euler_q] = solved[..., 0]


def orientation_velocities(model: Model, q: FloatArray, q_dot: FloatArray) -> FloatArray:
    """omega (…, nfree, 3) from q' (…, nq): the inverse of `orientation_rates`."""
    out = np.empty((*q.shape[:-1], len(model.free_frames), 3))
    if len(model.quaternion_rows):
        where = model.quaternion_q
        out[..., model.quaternion_rows, :] = angular_velocity_of(q[..., where], q_dot[..., where])
    if len(model.euler_rows):
        matrix = euler_rate_matrices(model, q[..., model.euler_q])
        rates = q_dot[..., model.euler_q, None]
        out[..., model.euler_rows, :] = (matrix @ rates)[..., 0]
    return out


def turn_orientations(model: Model, q: FloatArray, turn: FloatArray, out: FloatArray) -> None:
    """Write the orientations after a turn (…, nfree, 3) (rotation vectors, child frame) into out.

    A quaternion keeps its length; Euler angles keep to the branch nearest to those before.
    """
    if len(model.quaternion_rows):
        step = quaternion_from_rotation_vector(turn[..., model.quaternion_rows, :])
        out[..., model.quaternion_q] = product_of(q[..., model.quaternion_q], step)
    for row, where in zip(model.euler_rows, model.euler_q, strict=True):
        sequence = model.free_sequences[row]
        before = q[..., where]
        first, second, third = _turns(model, q[..., model.euler_q])
        here = list(model.euler_rows).index(row)
        rotation = (first @ second @ third)[..., here, :, :]
        after = rotation @ rotation_from_rotation_vector(turn[..., row, :])
        out[..., where] = _nearest(euler_from_rotation(after, sequence), before, sequence)


def euler_rate_matrices(model: Model, angles: FloatArray) -> FloatArray:
    """E (…, neuler, 3, 3) with omega = E phi' in the child frame: columns C'B' a, C' b, c.

    Args:
        angles: (…, neuler, 3).

    Source: J. Diebel, Representing Attitude (2006), section 5.2, as products of the turns.
    """
    _, second, third = _turns(model, angles)
    axes = model.euler_axes  # (neuler, 3 turns, 3)
    back = third.swapaxes(-1, -2)
    columns = np.empty((*angles.shape, 3))
    columns[..., :, 0] = (back @ (second.swapaxes(-1, -2) @ axes[:, 0, :, None]))[..., 0]
    columns[..., :, 1] = (back @ axes[:, 1, :, None])[..., 0]
    columns[..., :, 2] = axes[:, 2]
    return columns


def refuse_lock(model: Model, matrix: FloatArray) -> None:
    """Raise a ModelError where E (…, neuler, 3, 3) is that of a gimbal lock."""
    small = np.abs(np.linalg.det(matrix)) < GIMBAL_LOCK
    if small.any():
        row = int(np.argmax(small.reshape(-1, small.shape[-1]).any(axis=0)))
        frame = model.free_frames[model.euler_rows[row]]
        joint = model.dof_joint[int(np.argmax(model.dof_frame == frame))]
        raise ModelError(
            f"{model.name}: joint '{joint}' is at the gimbal lock of its Euler sequence "
            f"{model.free_sequences[model.euler_rows[row]]}; choose another sequence, or a "
            "quaternion as its state"
        )


def _turns(model: Model, angles: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The three elementary rotations, each (…, neuler, 3, 3)."""
    features = np.empty((*angles.shape, 1, 3))
    features[..., 0, 0] = 1.0
    features[..., 0, 1] = np.sin(angles)
    features[..., 0, 2] = 1.0 - np.cos(angles)
    turns = (features @ model.euler_features).reshape(*angles.shape, 3, 3)
    return turns[..., 0, :, :], turns[..., 1, :, :], turns[..., 2, :, :]


def _nearest(angles: FloatArray, before: FloatArray, sequence: str) -> FloatArray:
    """The angles of the same orientation that are nearest to `before`."""
    flipped = angles + np.array([np.pi, 0.0, np.pi])
    flipped[..., 1] = -angles[..., 1] if sequence[0] == sequence[2] else np.pi - angles[..., 1]
    choices = np.stack((angles, flipped))
    choices -= 2.0 * np.pi * np.round((choices - before) / (2.0 * np.pi))
    far = np.abs(choices - before).sum(axis=-1)
    return np.where((far[0] <= far[1])[..., None], choices[0], choices[1])
