"""Orientations in a table of states, made continuous from row to row.

A quaternion q is the same orientation as -q, and Euler angles (a, b, c) are the same as
(a + pi, pi - b, c + pi), or (a + pi, -b, c + pi) where the first and the third axis are one; so
are whole turns of each. The one is taken that is nearest to where the row before leads, turned on
by the mean of both rows' velocities.
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from ..dynamics import Model
from ..dynamics.orientation_states import euler_rate_matrices
from ..errors import TrajectoryError
from ..frames import quaternion_from_rotation_vector
from ..frames.kernels import product_of

TURN = 2.0 * np.pi
BRANCH = np.array([1.0, -1.0, 1.0])  # of the rates of Euler angles on the other branch


def continuous_states(model: Model, times: FloatArray, q: FloatArray, v: FloatArray) -> FloatArray:
    """q (n, nq) with unit quaternions of continuous sign and Euler angles without jumps.

    Args:
        model: whose coordinates; times: (n,); q: (n, nq).
        v: (n, nv), 0 where it is not known.

    Returns:
        (n, nq): the same orientations. What is continuous already stays as it is, bit for bit.

    Raises:
        TrajectoryError: for a quaternion of zero length, naming the joint.
    """
    out = q.copy()
    h = np.diff(times)[:, None, None]
    omega = v[:, model.free_angular_v]
    if len(model.quaternion_q):
        turning = omega[:, model.quaternion_rows]
        out[:, model.quaternion_q] = _signed(_unit(model, q), h, turning)
    if len(model.euler_q):
        angles = q[:, model.euler_q]
        # at gimbal lock the least rates that serve
        matrix = np.linalg.pinv(euler_rate_matrices(model, angles))
        rates = (matrix @ omega[:, model.euler_rows, :, None])[..., 0]
        sequences = [model.free_sequences[row] or "" for row in model.euler_rows]
        proper = np.array([letters[0] == letters[2] for letters in sequences])
        out[:, model.euler_q] = _unwrapped(angles, rates, h, np.where(proper, 0.0, np.pi))
    return out


def _unit(model: Model, q: FloatArray) -> FloatArray:
    """All quaternions of q made unit, (n, nquaternions, 4)."""
    quaternions = q[:, model.quaternion_q]
    lengths = np.linalg.norm(quaternions, axis=-1, keepdims=True)
    zero = (lengths == 0.0).any(axis=(0, 2))
    if zero.any():
        first = model.quaternion_q[int(np.argmax(zero)), 0]
        joint = next(name for name, own in model.q_slices.items() if own.start <= first < own.stop)
        raise TrajectoryError(f"joint '{joint}': a quaternion (qw, qx, qy, qz) must not be zero")
    unit: FloatArray = quaternions / lengths
    return unit


def _signed(quaternions: FloatArray, h: FloatArray, omega: FloatArray) -> FloatArray:
    """Quaternions (n, k, 4) with the sign that goes on from the row before."""
    turn = quaternion_from_rotation_vector(0.5 * h * (omega[:-1] + omega[1:]))
    ahead = product_of(quaternions[:-1], turn)
    signs = np.ones((*quaternions.shape[:2], 1))
    far = (ahead * quaternions[1:]).sum(axis=-1, keepdims=True) < 0.0
    signs[1:] = np.cumprod(np.where(far, -1.0, 1.0), axis=0)
    return quaternions * signs


def _unwrapped(
    angles: FloatArray, rates: FloatArray, h: FloatArray, middle: FloatArray
) -> FloatArray:
    """Euler angles (n, k, 3) with rates as given, on the branch that goes on from the row before.

    middle (k,) minus the second angle is that of the other branch.
    """
    other = angles + np.array([np.pi, 0.0, np.pi])
    other[..., 1] = middle - angles[..., 1]
    # both rows on one branch, or the second on the other: which lies nearer, whole turns apart
    ahead = 0.5 * h * (rates[:-1] + rates[1:])
    far = _from_turns(np.diff(angles, axis=0) - ahead)
    ahead = 0.5 * h * (rates[:-1] + BRANCH * rates[1:])
    far_other = _from_turns(other[1:] - angles[:-1] - ahead)
    odd = np.zeros((*angles.shape[:2], 1), dtype=bool)
    odd[1:] = np.cumsum(far_other < far, axis=0)[..., None] % 2 == 1
    out = np.where(odd, other, angles)
    rates = np.where(odd, BRANCH * rates, rates)
    # whole turns
    ahead = 0.5 * h * (rates[:-1] + rates[1:])
    turns = np.round((np.diff(out, axis=0) - ahead) / TURN)
    out[1:] -= TURN * np.cumsum(turns, axis=0)
    return out


def _from_turns(angles: FloatArray) -> FloatArray:
    """How far three angles (…, 3) are from whole turns, added up: (…)."""
    distance: FloatArray = np.abs(angles - TURN * np.round(angles / TURN)).sum(axis=-1)
    return distance
