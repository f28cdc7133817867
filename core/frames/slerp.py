"""Between and along quaternions: distance, interpolation, and signs that do not jump."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_finite
from ..errors import ArgumentError
from .checks import as_quaternions
from .kernels import CONJUGATE, product_of
from .packing import common_lead
from .representations import converted


def quaternion_distance(p: ArrayLike, q: ArrayLike) -> FloatArray:
    """The angle of the rotation that takes one attitude to the other, the same for q and -q.

        2 atan2(|u|, |w|),   (w, u) = conj(p) q

    Args:
        p, q: (…, 4), scalar first, of any length but 0.

    Returns:
        (…), rad, from 0 to pi.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a zero quaternion.
    """
    start, end = _unit(p, "p"), _unit(q, "q")
    common_lead(p=start.shape[:-1], q=end.shape[:-1])
    between = product_of(start * CONJUGATE, end)
    sine = np.sqrt((between[..., 1:] ** 2).sum(axis=-1))
    angle: FloatArray = 2.0 * np.arctan2(sine, np.abs(between[..., 0]))
    return angle


def quaternion_slerp(
    start: ArrayLike, end: ArrayLike, fraction: ArrayLike, *, shortest: bool = True
) -> FloatArray:
    """The attitude a fraction of the way, along the great arc, at constant angular velocity.

        q = (sin((1 - t) h) start + sin(t h) end) / sin(h),   cos(h) = start . end

    Args:
        start, end: (…, 4), scalar first, of any length but 0.
        fraction: (…), 0 at the start and 1 at the end; values beyond go on.
        shortest: take `end` or -`end`, whichever is nearer, so that the turn is at most pi;
            False keeps the signs, so that the turn may be up to 2 pi.

    Returns:
        (…, 4), unit.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a zero quaternion; and where the signs are
            kept and `end` is -`start`, which leaves the arc undetermined.
    """
    a, b = _unit(start, "start"), _unit(end, "end")
    t = as_finite(fraction, (), "fraction")
    common_lead(start=a.shape[:-1], end=b.shape[:-1], fraction=t.shape)
    if shortest:
        b = np.where((a * b).sum(axis=-1, keepdims=True) < 0.0, -b, b)
    # angle between a and b from chords, accurate near 0 and near pi
    apart = np.sqrt(((a - b) ** 2).sum(axis=-1))
    joint = np.sqrt(((a + b) ** 2).sum(axis=-1))
    if (joint < 1e-12).any():
        raise ArgumentError("end: wanted another attitude than that of -start, or shortest=True")
    half = 2.0 * np.arctan2(apart, joint)
    # sin(t h) / sin(h) tends to t where h tends to 0
    still = half < 1e-150
    sine = np.sin(np.where(still, 1.0, half))
    to_start = np.where(still, 1.0 - t, np.sin((1.0 - t) * half) / sine)
    to_end = np.where(still, t, np.sin(t * half) / sine)
    return _unit(to_start[..., None] * a + to_end[..., None] * b, "q")


def slerp_sequence(times: ArrayLike, quaternions: ArrayLike, at: ArrayLike) -> FloatArray:
    """Interpolate a sequence of attitudes, each piece along its shortest arc, without jumps.

    Args:
        times: (n,), s, increasing, n >= 2.
        quaternions: (…, n, 4), sequences at these times, scalar first, of any length but 0, with
            any signs.
        at: (m…), s, from the first of the times to the last, of any shape.

    Returns:
        (…, m…, 4): every sequence at every time, unit, continuous in `at`; the first attitude of
        a sequence keeps its sign.

    Raises:
        ArgumentError: for a wrong shape, NaN, a zero quaternion, times that do not increase,
            and for `at` outside of them.
    """
    nodes, when = as_finite(times, (), "times"), as_finite(at, (), "at")
    values = continuous_quaternions(_unit(quaternions, "quaternions"))
    if nodes.ndim != 1 or len(nodes) < 2 or values.shape[-2] != len(nodes):
        raise ArgumentError(
            "times, quaternions: wanted shapes (n,) and (…, n, 4) with n >= 2, got "
            f"{nodes.shape} and {values.shape}"
        )
    if (np.diff(nodes) <= 0.0).any():
        raise ArgumentError("times: wanted increasing numbers")
    if ((when < nodes[0]) | (when > nodes[-1])).any():
        raise ArgumentError(f"at: wanted times from {nodes[0]:g} to {nodes[-1]:g}")
    piece = np.clip(np.searchsorted(nodes, when, side="right") - 1, 0, len(nodes) - 2)
    fraction = (when - nodes[piece]) / (nodes[piece + 1] - nodes[piece])
    return quaternion_slerp(values[..., piece, :], values[..., piece + 1, :], fraction)


def continuous_quaternions(quaternions: ArrayLike) -> FloatArray:
    """The same rotations with signs such that no neighbours lie more than 90 degrees apart in R^4.

    Args:
        quaternions: (…, n, 4), sequences in time, of any length but 0.

    Returns:
        (…, n, 4); the first of a sequence keeps its sign.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a zero quaternion.
    """
    q = as_quaternions(quaternions, "quaternions")
    if q.ndim < 2:
        raise ArgumentError(f"quaternions: wanted shape (…, n, 4), got {q.shape}")
    signs = np.ones((*q.shape[:-1], 1))
    dots = (q[..., 1:, :] * q[..., :-1, :]).sum(axis=-1, keepdims=True)
    signs[..., 1:, :] = np.cumprod(np.where(dots < 0.0, -1.0, 1.0), axis=-2)
    return q * signs


def _unit(q: ArrayLike, name: str) -> FloatArray:
    return converted(q, "quaternion", "quaternion", name)
