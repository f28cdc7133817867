"""Motions given as tables of states: continuous angles, and polynomials between the rows.

Between two rows, h seconds apart, a joint whose velocities are given follows Hermite's cubic of q
and q'; where its accelerations are given too, the quintic of q, q' and q''. Its v is the polynomial
through v (and a) at both rows and the v of the motion half-way: for scalar joints the
derivative of q itself. All other joints follow straight lines in q and in v, which at the rows is
the v of q' by differences.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import BoolArray, FloatArray
from ..dynamics import Model, q_derivative, q_second_derivative, v_from_q_derivative
from ..errors import TrajectoryError
from ..integrate import DenseOutput
from .angles import continuous_states


@dataclass(frozen=True, eq=False)
class Table:
    """States at times (n,): q (n, nq), v (n, nv), and what is between them."""

    times: FloatArray
    q: FloatArray
    v: FloatArray
    dense: DenseOutput


def table_of(
    model: Model, times: FloatArray, q: FloatArray, v: FloatArray | None, a: FloatArray | None
) -> Table:
    """Of q (n, nq) and, where they are known, v and a (n, nv), at n >= 2 times.

    Columns of nan in v and a are those of joints that have none. All else is finite; times
    increase.

    Raises:
        TrajectoryError: naming the joint, for v or a in some of its columns only, a without v,
            and a quaternion of zero length.
        ModelError: for velocities of an Euler state at gimbal lock, naming the joint.
    """
    known = _Known(model, v, a)
    omega = np.zeros((len(times), model.nv)) if v is None else np.where(known.v, v, 0.0)
    q = continuous_states(model, times, q, omega)
    rates = v_from_q_derivative(model, q, np.gradient(q, times, axis=0))
    rates = np.where(known.v, omega, rates)
    gains = np.zeros_like(rates) if a is None else np.where(known.a, a, 0.0)
    return Table(times, q, rates, _dense(model, times, q, rates, gains, known))


class _Known:
    """Which entries of v and a are given, and which entries of q belong to them."""

    def __init__(self, model: Model, v: FloatArray | None, a: FloatArray | None) -> None:
        self.v, self.a = (_given(model, part, name) for part, name in ((v, "v"), (a, "a")))
        self.q_v, self.q_a = np.zeros((2, model.nq), dtype=bool)
        for joint in model.joint_names:
            where, own = model.v_slices[joint], model.q_slices[joint]
            if self.a[where].any() and not self.v[where].any():
                raise TrajectoryError(f"joint '{joint}': wanted v where a is given")
            self.q_v[own] = self.v[where].any()
            self.q_a[own] = self.a[where].any()


def _given(model: Model, values: FloatArray | None, name: str) -> BoolArray:
    """Which columns (nv,) of v or a hold numbers."""
    if values is None:
        return np.zeros(model.nv, dtype=bool)
    numbers = np.isfinite(values)
    for joint, where in model.v_slices.items():
        if numbers[:, where].any() and not numbers[:, where].all():
            raise TrajectoryError(
                f"{name} of joint '{joint}': wanted finite numbers, or nan in all of its columns"
            )
    given: BoolArray = numbers.any(axis=0)
    return given


def _dense(
    model: Model,
    times: FloatArray,
    q: FloatArray,
    v: FloatArray,
    a: FloatArray,
    known: _Known,
) -> DenseOutput:
    """The polynomials of y = (q, v)."""
    values = np.concatenate((q, v), axis=1)
    if not known.v.any():
        return DenseOutput.linear(times, values)
    h = np.diff(times)[:, None]
    # rates of joints without v are not used, and their angles may be at gimbal lock
    safe = q.copy()
    for where in model.euler_q[~known.q_v[model.euler_q[:, 0]]]:
        safe[:, where] = 1.0
    slopes = q_derivative(model, safe, v)
    of_q = np.where(known.q_v[:, None], cubic(q, slopes, h), line(q, h, 3))
    if known.a.any():
        bends = q_second_derivative(model, safe, v, a)
        of_q = np.where(known.q_a[:, None], quintic(q, slopes, bends, h), padded(of_q, 5))
    middle = _middle(model, q, of_q, h)
    of_v = np.where(known.v[:, None], quadratic(v, middle, h), line(v, h, 3))
    if known.a.any():
        of_v = np.where(known.a[:, None], quartic(v, a, middle, h), padded(of_v, 5))
    return DenseOutput(times, values, np.concatenate((of_q, of_v), axis=1))


def _middle(model: Model, q: FloatArray, powers: FloatArray, h: FloatArray) -> FloatArray:
    """v (m, nv) of the motion q half-way between the rows."""
    order = np.arange(powers.shape[2])
    place = q[:-1] + h * (powers @ 0.5 ** (order + 1.0))
    slope = powers @ ((order + 1.0) * 0.5**order)
    return v_from_q_derivative(model, place, slope)


def padded(powers: FloatArray, degree: int) -> FloatArray:
    """Powers (m, n, less) with zeros behind them: (m, n, degree)."""
    out = np.zeros((*powers.shape[:2], degree))
    out[..., : powers.shape[2]] = powers
    return out


def line(x: FloatArray, h: FloatArray, degree: int) -> FloatArray:
    """The straight line through x (n, k) at both ends, as powers (n - 1, k, degree)."""
    return padded((np.diff(x, axis=0) / h)[..., None], degree)


def cubic(x: FloatArray, slope: FloatArray, h: FloatArray) -> FloatArray:
    """Hermite's cubic of x and x' (n, k): powers (n - 1, k, 3)."""
    mean, first, last = np.diff(x, axis=0) / h, slope[:-1], slope[1:]
    return np.stack((first, 3 * mean - 2 * first - last, first + last - 2 * mean), axis=-1)


def quintic(x: FloatArray, slope: FloatArray, bend: FloatArray, h: FloatArray) -> FloatArray:
    """Hermite's quintic of x, x' and x'' (n, k): powers (n - 1, k, 5)."""
    first, start = slope[:-1], h * bend[:-1]
    # what is left for the powers 3 to 5 of value, slope and bend at the end
    value = np.diff(x, axis=0) / h - first - 0.5 * start
    rise, turn = slope[1:] - first - start, h * bend[1:] - start
    third = 10 * value - 4 * rise + 0.5 * turn
    fourth = -15 * value + 7 * rise - turn
    return np.stack((first, 0.5 * start, third, fourth, 6 * value - 3 * rise + 0.5 * turn), axis=-1)


def quadratic(x: FloatArray, middle: FloatArray, h: FloatArray) -> FloatArray:
    """The parabola through x (n, k) at the ends and middle (n - 1, k), padded to three powers."""
    whole, half = np.diff(x, axis=0) / h, (middle - x[:-1]) / h
    return padded(np.stack((4 * half - whole, 2 * whole - 4 * half), axis=-1), 3)


def quartic(x: FloatArray, slope: FloatArray, middle: FloatArray, h: FloatArray) -> FloatArray:
    """Of x and x' (n, k) at the ends and of x in the middle (n - 1, k), padded to five powers."""
    first = slope[:-1]
    # what is left for the powers 2 to 4 of value and slope at the end, and of 16 times the middle
    value, rise = np.diff(x, axis=0) / h - first, slope[1:] - first
    half = 16 * (middle - x[:-1]) / h - 8 * first
    fourth = half - 8 * value + 2 * rise
    third = rise - 2 * value - 2 * fourth
    return padded(np.stack((first, value - third - fourth, third, fourth), axis=-1), 5)
