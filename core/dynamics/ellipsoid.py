"""The ellipsoid of uniform density that is as heavy and as hard to turn as a body.

With r from the centre of mass and axes a_1, a_2, a_3,

    S = int r r^T dm = tr(I)/2 1 - I = m/5 R diag(a_1^2, a_2^2, a_3^2) R^T,                  (1)

so the squares of the semi-axes are 5/m times the eigenvalues of S; in principal moments,

    a_i^2 = 5/(2 m) (I_j + I_k - I_i),      I_i = m/5 (a_j^2 + a_k^2).                       (2)

A real body has no negative square: that is the triangle inequality of its principal moments.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_finite, frozen
from ..errors import ArgumentError


@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """An ellipsoid about the centre of mass of a body.

    Attributes:
        squares: (3,), squares of the semi-axes, m^2, least first; negative where no real body
            has the inertia, not finite where the mass is next to nothing.
        body_from_axes_rot: (3, 3), the directions of the axes in its columns; right-handed.
    """

    squares: FloatArray
    body_from_axes_rot: FloatArray

    def semi_axes(self, least: float = 0.0) -> FloatArray:
        """(3,), m; those that are shorter or none are `least`, so that flat bodies are seen."""
        axes: FloatArray = np.sqrt(np.maximum(self.squares, least * least))
        return axes


def ellipsoid_of(mass: float, inertia: ArrayLike) -> Ellipsoid:
    """The ellipsoid of uniform density with this mass and inertia.

    Args:
        mass: kg, above 0.
        inertia: (3, 3) about the centre of mass, kg m^2; its lower triangle is taken.

    Raises:
        ArgumentError: for no mass, or an inertia that is not finite.
    """
    if not (np.isfinite(mass) and mass > 0.0):
        raise ArgumentError(f"mass: wanted a number above 0, got {mass}")
    matrix = as_finite(inertia, (3, 3), "inertia")
    # entries near the end of the float range must not overflow on the way
    largest = float(np.abs(matrix).max()) or 1.0
    scaled = matrix / largest
    second_moments = 0.5 * np.trace(scaled) * np.eye(3) - scaled
    values, vectors = np.linalg.eigh(second_moments)
    if np.linalg.det(vectors) < 0.0:
        vectors[:, 0] = -vectors[:, 0]
    with np.errstate(over="ignore", invalid="ignore"):
        squares = values * (5.0 * (largest / mass))  # (1)
    return Ellipsoid(frozen(squares), frozen(vectors))


def inertia_of(mass: float, ellipsoid: Ellipsoid) -> FloatArray:
    """The inertia (3, 3), kg m^2, of an ellipsoid of uniform density about its centre.

    Args:
        mass: kg.
    """
    rotation = ellipsoid.body_from_axes_rot
    moments = mass / 5.0 * (ellipsoid.squares.sum() - ellipsoid.squares)  # (2)
    inertia: FloatArray = (rotation * moments) @ rotation.T
    return inertia
