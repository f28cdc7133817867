"""Random and special inputs that the tests of the frames share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...close import assert_close

Array = NDArray[np.float64]

AXES = dict(zip("XYZ", np.eye(3), strict=True))
# distances from a pole, from none to far
DISTANCES = (0.0, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2, 0.5)


def unit(vectors: Array) -> Array:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def elementary(axis: str, angle: float) -> Array:
    """The active rotation about X, Y or Z, written out."""
    c, s = np.cos(angle), np.sin(angle)
    return {
        "X": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]),
        "Y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        "Z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    }[axis]


def random_rotations(rng: np.random.Generator, count: int) -> Array:
    """Uniformly distributed, by Gram and Schmidt: without any function under test."""
    q, r = np.linalg.qr(rng.normal(size=(count, 3, 3)))
    q = q * np.sign(np.diagonal(r, axis1=-2, axis2=-1))[:, None, :]
    q[:, :, 2] *= np.linalg.det(q)[:, None]
    return q


def half_turns(rng: np.random.Generator, count: int) -> Array:
    """2 a a^T - 1 about random axes and about the coordinate axes."""
    a = np.concatenate((unit(rng.normal(size=(count, 3))), np.eye(3), -np.eye(3)))
    return 2.0 * a[:, :, None] * a[:, None, :] - np.eye(3)


def exponential(skew: Array) -> Array:
    """exp of a square matrix by its series, which converges fast for the sizes used here."""
    term = total = np.eye(skew.shape[-1]) + np.zeros_like(skew)
    for n in range(1, 45):
        term = term @ skew / n
        total = total + term
    return total


def assert_rotations(rotations: Array, atol: float = 1e-14) -> None:
    gram = rotations @ rotations.swapaxes(-1, -2)
    assert_close(gram, np.broadcast_to(np.eye(3), gram.shape), atol=atol)
    assert_close(np.linalg.det(rotations), 1.0, atol=atol)
