"""Constant linear maps of spatial algebra, so that one product serves all links at once.

6-vectors hold the angular part first and are taken at the world origin in world axes
(R. Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 2).
"""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray


def _levi_civita() -> FloatArray:
    """eps with [v]x = sum_k v_k eps[k]: shape (3, 3, 3)."""
    eps = np.zeros((3, 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        eps[k, i, j], eps[k, j, i] = -1.0, 1.0
    return eps


def _motion_cross() -> FloatArray:
    """c with [V]x = sum_k V_k c[k] = [[w]x 0; [v]x [w]x]: shape (6, 6, 6)."""
    eps = _levi_civita()
    c = np.zeros((6, 6, 6))
    c[:3, :3, :3] = c[:3, 3:, 3:] = c[3:, 3:, :3] = eps
    return c


def _inertia_from_pseudo() -> FloatArray:
    """The linear map from the 4x4 pseudo-inertia [[S, h], [h^T, m]] to the 6x6 inertia.

    I = [[tr(S) 1 - S, [h]x], [[h]x^T, m 1]]: shape (16, 36), both flattened by rows.
    """
    eps = _levi_civita()
    out = np.zeros((4, 4, 6, 6))
    for i in range(3):
        for j in range(3):
            out[i, j, i, j] -= 1.0
        out[i, i, :3, :3] += np.eye(3)
        # h is read from the last column only
        out[i, 3, :3, 3:] = eps[i]
        out[i, 3, 3:, :3] = eps[i].T
    out[3, 3, 3:, 3:] = np.eye(3)
    return out.reshape(16, 36)


def _hat() -> FloatArray:
    """The linear map from a twist to its 4x4 matrix [[w]x, u; 0, 0], flat by rows: (6, 16)."""
    out = np.zeros((6, 4, 4))
    out[:3, :3, :3] = _levi_civita()
    out[3:, :3, 3] = np.eye(3)
    return out.reshape(6, 16)


CROSS = _levi_civita().reshape(3, 9)
MOTION_CROSS = _motion_cross().reshape(6, 36)
INERTIA_FROM_PSEUDO = _inertia_from_pseudo()
HAT = _hat()
# the entries of a flat 4x4 twist matrix that are its (w, u)
TWIST_ENTRIES = np.array([9, 2, 4, 3, 7, 11])


def motion_cross(twist: FloatArray) -> FloatArray:
    """[V]x for motion vectors; for forces it is -[V]x^T. Shape (…, 6) -> (…, 6, 6)."""
    return (twist @ MOTION_CROSS).reshape(*twist.shape, 6)


def pseudo_inertia(mass: float, center_of_mass: FloatArray, inertia: FloatArray) -> FloatArray:
    """J = [[S, m c], [m c^T, m]],  S = tr(I)/2 1 - I + m c c^T.

    Args:
        mass: kg.
        center_of_mass: (3,), m.
        inertia: (3, 3) about the centre of mass, kg m^2.

    Returns:
        (4, 4): moves rigidly as J_a = X J_b X^T with X = a_from_b.
    """
    out = np.empty((4, 4))
    out[:3, :3] = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    out[:3, :3] += mass * np.outer(center_of_mass, center_of_mass)
    out[:3, 3] = out[3, :3] = mass * center_of_mass
    out[3, 3] = mass
    return out
