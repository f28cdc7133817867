"""Euler angles to and from matrices and quaternions, on blocks of contiguous components.

R = R_i(phi) R_j(theta) R_k(psi), in a symmetric sequence R_i(phi) R_j(theta) R_i(psi). With
s = +-1 the sign of e_i x e_j = s e_k, one set of formulas serves six sequences.
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray
from .checks import all_finite, rotations_are_proper
from .sequences import EulerSequence

# |det E'| up to which the first angle is chosen as 0. Any larger value would spoil the round
# trip by as much; rounding alone leaves 1e-15.
LOCKED = 1e-14
TURN = 2.0 * np.pi


def matrix_of_euler(sequence: EulerSequence, angles: FloatArray, out: FloatArray) -> bool:
    """Write the rotation matrices (m, 9) of angles (3, m)."""
    i, j, k, s = sequence.i, sequence.j, sequence.k, sequence.sign
    (s1, s2, s3), (c1, c2, c3) = np.sin(angles), np.cos(angles)
    r = out.T.reshape(3, 3, -1)
    if sequence.symmetric:
        r[i, i] = c2
        r[i, j], r[i, k] = s2 * s3, s * (s2 * c3)
        r[j, i], r[k, i] = s1 * s2, -s * (c1 * s2)
        c12, s12 = c1 * c2, s1 * c2
        r[j, j], r[j, k] = c1 * c3 - s12 * s3, -s * (c1 * s3 + s12 * c3)
        r[k, j], r[k, k] = s * (s1 * c3 + c12 * s3), c12 * c3 - s1 * s3
    else:
        r[i, i], r[i, j], r[i, k] = c2 * c3, -s * (c2 * s3), s * s2
        r[j, k], r[k, k] = -s * (s1 * c2), c1 * c2
        s12, c12 = s1 * s2, c1 * s2
        r[j, i], r[j, j] = s * (c1 * s3) + s12 * c3, c1 * c3 - s * (s12 * s3)
        r[k, i], r[k, j] = s1 * s3 - s * (c12 * c3), s * (s1 * c3) + c12 * s3
    return all_finite(angles)


def euler_of_matrix(sequence: EulerSequence, r: FloatArray, out: FloatArray) -> bool:
    """Write the angles (m, 3) of rotation matrices (9, m).

    The third angle is read from R_i(-phi) R, so that the three together give R back to rounding
    wherever phi itself is ill determined.
    """
    i, j, k, s = sequence.i, sequence.j, sequence.k, sequence.sign
    m = r.reshape(3, 3, -1)
    if sequence.symmetric:
        sine, cosine = m[j, i], -s * m[k, i]
    else:
        sine, cosine = -s * m[j, k], m[k, k]
    length = np.sqrt(sine * sine + cosine * cosine)
    locked = length <= LOCKED
    if locked.any():
        sine, cosine = np.where(locked, 0.0, sine), np.where(locked, 1.0, cosine)
        scale = 1.0 / np.where(locked, 1.0, length)
    else:
        scale = 1.0 / length
    out[:, 0] = np.arctan2(sine, cosine)
    # rows of R_i(-phi) R
    c, ss = cosine * scale, (s * sine) * scale
    if sequence.symmetric:
        out[:, 1] = np.arctan2(length, m[i, i])
        across = -s * (c * m[j, k] + ss * m[k, k])
    else:
        out[:, 1] = np.arctan2(s * m[i, k], length)
        across = s * (c * m[j, i] + ss * m[k, i])
    out[:, 2] = np.arctan2(across, c * m[j, j] + ss * m[k, j])
    return rotations_are_proper(r)


def quaternion_of_euler(sequence: EulerSequence, angles: FloatArray) -> tuple[FloatArray, bool]:
    """Unit quaternions (4, m) of angles (3, m): the product of three half turns."""
    half = 0.5 * angles
    (s1, s2, s3), (c1, c2, c3) = np.sin(half), np.cos(half)
    s = sequence.sign
    q = np.empty((4, angles.shape[1]))
    cc, sc, cs, ss = c1 * c2, s1 * c2, c1 * s2, s * (s1 * s2)
    w, x, y, z = q[0], q[1 + sequence.i], q[1 + sequence.j], q[1 + sequence.k]
    if sequence.symmetric:
        np.subtract(cc * c3, sc * s3, out=w)
        np.add(sc * c3, cc * s3, out=x)
        np.add(cs * c3, s * (ss * s3), out=y)
        np.subtract(ss * c3, s * (cs * s3), out=z)
    else:
        np.subtract(cc * c3, ss * s3, out=w)
        np.add(sc * c3, s * (cs * s3), out=x)
        np.subtract(cs * c3, s * (sc * s3), out=y)
        np.add(ss * c3, cc * s3, out=z)
    return q, all_finite(angles)


def write_euler(sequence: EulerSequence, q: FloatArray, out: FloatArray) -> None:
    """Write the angles (m, 3) of quaternions (4, m) of any length.

    Half the sum and half the difference of phi and psi are the arguments of two complex
    numbers whose absolute values give theta.

    Source: E. Bernardes, S. Viollet, Quaternion to Euler angles conversion (2022).
    """
    s = sequence.sign
    w, x, y, z = q[0], q[1 + sequence.i], q[1 + sequence.j], q[1 + sequence.k]
    # (re, im) of the sum and of the difference
    if sequence.symmetric:
        total, part = (w, x), (y, s * z)
    else:
        z = s * z
        total, part = (w + y, x + z), (w - y, x - z)
    length = np.sqrt(total[0] * total[0] + total[1] * total[1])
    other = np.sqrt(part[0] * part[0] + part[1] * part[1])
    if sequence.symmetric:
        out[:, 1] = 2.0 * np.arctan2(other, length)
    else:
        out[:, 1] = 2.0 * np.arctan2(length, other) - 0.5 * np.pi
    half_sum, half_part = np.arctan2(total[1], total[0]), np.arctan2(part[1], part[0])
    phi, psi = half_sum + half_part, half_sum - half_part

    # at lock only the sum or only the difference is determined
    low, high = np.minimum(length, other), np.maximum(length, other)
    locked = low <= (0.5 * LOCKED) * high
    if locked.any():
        phi = np.where(locked, 0.0, phi)
        psi = np.where(locked, np.where(length >= other, 2.0 * half_sum, -2.0 * half_part), psi)
    if not sequence.symmetric and s < 0.0:
        np.negative(psi, out=psi)
    out[:, 0] = phi - TURN * np.rint(phi / TURN)
    out[:, 2] = psi - TURN * np.rint(psi / TURN)
