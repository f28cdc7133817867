"""Twists (omega, v), angular part first: exponential, logarithm, adjoint, and screw motion."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_finite
from .checks import as_transforms
from .packing import common_lead
from .rigid import inverse_transform
from .rotations import cross_matrix, rotation_from_rotation_vector, rotation_vector_from_rotation

# Angle (rad) below which series take the place of quotients that cancel; their first term left
# out is below 1e-17 there.
SERIES = 0.5


def transform_from_twist(twist: ArrayLike) -> FloatArray:
    """The exponential: the motion of a twist that lasts for unit time.

        exp = [[R, V v], [0, 1]],   R = exp([w]x)
        V = 1 + (1 - cos t)/t^2 [w]x + (t - sin t)/t^3 [w]x [w]x,   t = |w|

    Args:
        twist: (…, 6): w in rad, v in m, of the origin, both in the frame's own axes.

    Returns:
        (…, 4, 4): a_from_b.

    Raises:
        ArgumentError: for a wrong shape or NaN.

    Source: K. Lynch, F. Park, Modern Robotics (2017), eq. 3.88.
    """
    value = as_finite(twist, (6,), "twist")
    w, v = value[..., :3], value[..., 3:]
    first, second = _exponential_factors(_length(w))
    skew = cross_matrix(w)
    along = (skew @ v[..., None])[..., 0]
    out = np.zeros((*value.shape[:-1], 4, 4))
    out[..., :3, :3] = rotation_from_rotation_vector(w)
    out[..., :3, 3] = v + first * along + second * (skew @ along[..., None])[..., 0]
    out[..., 3, 3] = 1.0
    return out


def twist_from_transform(a_from_b: ArrayLike) -> FloatArray:
    """The logarithm: the twist of least angle whose exponential is the transform.

        v = (1 - [w]x / 2 + (1 - (t/2) cot(t/2))/t^2 [w]x [w]x) p,   t = |w| <= pi

    Args:
        a_from_b: (…, 4, 4), rigid.

    Returns:
        (…, 6): w in rad, v in m. At t = pi either of two twists is right.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a block that is no rotation.

    Source: K. Lynch, F. Park, Modern Robotics (2017), eq. 3.92.
    """
    t = as_transforms(a_from_b, "a_from_b")
    w, p = rotation_vector_from_rotation(t[..., :3, :3]), t[..., :3, 3]
    skew = cross_matrix(w)
    along = (skew @ p[..., None])[..., 0]
    factor = _logarithm_factor(_length(w))
    v = p - 0.5 * along + factor * (skew @ along[..., None])[..., 0]
    return np.concatenate((w, v), axis=-1)


def adjoint(a_from_b: ArrayLike) -> FloatArray:
    """The matrix that takes twists in b to twists in a.

        Ad = [[R, 0], [[p]x R, R]]

    Args:
        a_from_b: (…, 4, 4), rigid.

    Returns:
        (…, 6, 6), for twists (omega, v), v being the velocity of the point at the origin. Its
        inverse transpose takes wrenches (moment, force).

    Raises:
        ArgumentError: for a wrong shape, NaN, or a block that is no rotation.
    """
    t = as_transforms(a_from_b, "a_from_b")
    r = t[..., :3, :3]
    out = np.zeros((*t.shape[:-2], 6, 6))
    out[..., :3, :3] = out[..., 3:, 3:] = r
    out[..., 3:, :3] = cross_matrix(t[..., :3, 3]) @ r
    return out


def interpolate_transforms(start: ArrayLike, end: ArrayLike, fraction: ArrayLike) -> FloatArray:
    """The pose a fraction of the way along the screw from one pose to the other.

        start exp(fraction log(start^-1 end))

    Args:
        start, end: (…, 4, 4), rigid, world_from_a and world_from_b.
        fraction: (…), 0 at the start and 1 at the end; values beyond go on.

    Returns:
        (…, 4, 4). The turn is the shorter one.

    Raises:
        ArgumentError: for a wrong shape, NaN, or a block that is no rotation.
    """
    first, last = as_transforms(start, "start"), as_transforms(end, "end")
    t = as_finite(fraction, (), "fraction")
    common_lead(start=first.shape[:-2], end=last.shape[:-2], fraction=t.shape)
    twist = twist_from_transform(inverse_transform(first) @ last)
    pose: FloatArray = first @ transform_from_twist(t[..., None] * twist)
    return pose


def _length(w: FloatArray) -> FloatArray:
    # (…, 1); hypot does not underflow
    return np.hypot(np.hypot(w[..., :1], w[..., 1:2]), w[..., 2:])


def _exponential_factors(t: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(1 - cos t)/t^2 and (t - sin t)/t^3."""
    small = t < SERIES
    x, safe = np.where(small, t * t, 0.0), np.where(small, 1.0, t)
    # 1/2! - x/4! + …, and 1/3! - x/5! + …
    first = 0.5 * (1 - x / 12 * (1 - x / 30 * (1 - x / 56 * (1 - x / 90 * (1 - x / 132)))))
    second = (1 - x / 20 * (1 - x / 42 * (1 - x / 72 * (1 - x / 110 * (1 - x / 156))))) / 6
    half = np.sin(0.5 * safe)
    return (
        np.where(small, first, 2.0 * half * half / safe**2),
        np.where(small, second, (safe - np.sin(safe)) / safe**3),
    )


def _logarithm_factor(t: FloatArray) -> FloatArray:
    """(1 - (t/2) cot(t/2))/t^2."""
    small = t < SERIES
    x, safe = np.where(small, t * t, 0.0), np.where(small, 1.0, t)
    # Bernoulli numbers: |B_2n| x^(n - 1) / (2n)!
    series = np.zeros_like(x)
    for coefficient in (691 / 1307674368000, 1 / 47900160, 1 / 1209600, 1 / 30240, 1 / 720, 1 / 12):
        series = coefficient + x * series
    # tan has no pole here: t <= pi, and at pi its value is large and finite
    factor: FloatArray = np.where(small, series, (1.0 - 0.5 * safe / np.tan(0.5 * safe)) / safe**2)
    return factor
