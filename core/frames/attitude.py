"""Attitude kinematics: quaternion rates and Euler rates against angular velocity.

omega is the angular velocity of b relative to a, expressed in b, in rad/s, where the attitude is
a_from_b. Equation numbers are those of J. Diebel, Representing Attitude: Euler Angles, Unit
Quaternions, and Rotation Vectors (2006). Two things are exchanged against him: the order of
quaternion products (p q here is his q · p), and the order of labels and angles (our sequence
'ABC' with phi, theta, psi is his R_CBA with psi, theta, phi, since his R_ijk applies k first).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_finite
from .checks import as_quaternions, within_range
from .kernels import angular_velocity_of, rate_of
from .packing import common_lead
from .quaternions import quaternion_from_scalar_last, quaternion_to_scalar_last
from .sequences import EulerSequence, euler_sequence


def quaternion_derivative(q: ArrayLike, omega: ArrayLike, scalar_first: bool = True) -> FloatArray:
    """The rate of a quaternion: q' = 1/2 q (0, omega).

    Args:
        q: (…, 4), a_from_b_quat, always (w, x, y, z), of any length but 0.
        omega: (…, 3), rad/s, of b relative to a, in b.
        scalar_first: the layout of the answer: (w, x, y, z), or (x, y, z, w) where False.

    Returns:
        (…, 4), 1/s. The length of q stays.

    Raises:
        ArgumentError: for a wrong shape, NaN, a zero quaternion, or a rate out of range.

    Source: Diebel (2006), eq. 157, q' = 1/2 (0, omega) · q, with the product exchanged (the
    sequence label plays no part). For any length: C. Rucker (2018), eq. 8.
    """
    value, rate = as_quaternions(q), as_finite(omega, (3,), "omega")
    common_lead(q=value.shape[:-1], omega=rate.shape[:-1])
    with np.errstate(over="ignore", invalid="ignore"):
        derivative = within_range(rate_of(value, rate), "q, omega")
    return derivative if scalar_first else quaternion_to_scalar_last(derivative)


def angular_velocity_from_quaternion_derivative(
    q: ArrayLike, q_dot: ArrayLike, scalar_first: bool = True
) -> FloatArray:
    """The angular velocity of a quaternion's rate: omega = 2 vec(conj(q) q') / |q|^2.

    The part of q' along q, which changes only the length, is ignored.

    Args:
        q: (…, 4), a_from_b_quat, always (w, x, y, z), of any length but 0.
        q_dot: (…, 4), 1/s.
        scalar_first: the layout of q_dot: (w, x, y, z), or (x, y, z, w) where False.

    Returns:
        (…, 3), rad/s, of b relative to a, in b.

    Raises:
        ArgumentError: for a wrong shape, NaN, a zero quaternion, or an angular velocity out of
            range.

    Source: Diebel (2006), eq. 147, (0, omega) = 2 q' · conj(q), with the product exchanged (the
    sequence label plays no part), and divided by |q|^2.
    """
    value, rate = as_quaternions(q), as_finite(q_dot, (4,), "q_dot")
    common_lead(q=value.shape[:-1], q_dot=rate.shape[:-1])
    # both over the size of q, so that no square under- or overflows
    size = np.abs(value).max(axis=-1, keepdims=True)
    rate = rate if scalar_first else quaternion_from_scalar_last(rate)
    with np.errstate(over="ignore", invalid="ignore"):
        return within_range(angular_velocity_of(value / size, rate / size), "q, q_dot")


def euler_rates_to_angular_velocity(
    angles: ArrayLike, rates: ArrayLike, sequence: str
) -> FloatArray:
    """The angular velocity of Euler rates: omega = E' (phi', theta', psi').

        E' = [R_C^T R_B^T e_A, R_C^T e_B, e_C]

    Args:
        angles: (…, 3), rad: phi, theta, psi.
        rates: (…, 3), rad/s, theirs.
        sequence: one of the twelve labels.

    Returns:
        (…, 3), rad/s, of b relative to a, in b; also at gimbal lock.

    Raises:
        ArgumentError: for a wrong shape, NaN, or an unknown sequence.

    Source: Diebel (2006), eqs. 38 and 40, with the label and the angles exchanged: our E' of
    'ABC' has the columns of his E'_CBA in reverse. No quaternion product takes part.
    """
    axes, at, rate = _checked(angles, rates, "rates", sequence)
    (phi, theta, psi), s = np.moveaxis(rate, -1, 0), axes.sign
    s2, c2, s3, c3 = _sines(at)
    omega = np.empty((*phi.shape, 3))
    if axes.symmetric:
        omega[..., axes.i] = c2 * phi + psi
        omega[..., axes.j] = s2 * s3 * phi + c3 * theta
        omega[..., axes.k] = s * (s2 * c3 * phi - s3 * theta)
    else:
        omega[..., axes.i] = c2 * c3 * phi + s * s3 * theta
        omega[..., axes.j] = c3 * theta - s * c2 * s3 * phi
        omega[..., axes.k] = s * s2 * phi + psi
    return omega


def angular_velocity_to_euler_rates(
    angles: ArrayLike, omega: ArrayLike, sequence: str
) -> FloatArray:
    """The Euler rates of an angular velocity, the inverse of `euler_rates_to_angular_velocity`.

    Args:
        angles: (…, 3), rad: phi, theta, psi.
        omega: (…, 3), rad/s, of b relative to a, in b.
        sequence: one of the twelve labels.

    Returns:
        (…, 3), rad/s: phi', theta', psi'.

    Raises:
        GimbalLockError: where |det E'| < 1e-6; det E' is +-cos(theta) for three different axes,
            -sin(theta) for a repeated one.
        ArgumentError: for a wrong shape, NaN, or an unknown sequence.

    Source: the inverse of Diebel (2006), eq. 40, in closed form, with the label and the angles
    exchanged. No quaternion product takes part.
    """
    axes, at, rate = _checked(angles, omega, "omega", sequence)
    axes.refuse_lock(at[..., 1])
    s = axes.sign
    along, across, beside = rate[..., axes.i], rate[..., axes.j], s * rate[..., axes.k]
    s2, c2, s3, c3 = _sines(at)
    out = np.empty((*along.shape, 3))
    if axes.symmetric:
        phi = (s3 * across + c3 * beside) / s2
        out[..., 1] = c3 * across - s3 * beside
        out[..., 2] = along - c2 * phi
    else:
        phi = (c3 * along - s * (s3 * across)) / c2
        out[..., 1] = s * (s3 * along) + c3 * across
        out[..., 2] = s * (beside - s2 * phi)
    out[..., 0] = phi
    return out


def _checked(
    angles: ArrayLike, rates: ArrayLike, name: str, sequence: str
) -> tuple[EulerSequence, FloatArray, FloatArray]:
    axes = euler_sequence(sequence)
    at, rate = as_finite(angles, (3,), "angles"), as_finite(rates, (3,), name)
    lead = common_lead(angles=at.shape[:-1], **{name: rate.shape[:-1]})
    return axes, np.broadcast_to(at, (*lead, 3)), np.broadcast_to(rate, (*lead, 3))


def _sines(angles: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    theta, psi = angles[..., 1], angles[..., 2]
    return np.sin(theta), np.cos(theta), np.sin(psi), np.cos(psi)
