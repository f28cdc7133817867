"""Matrices between numpy (float64) and Blender (float32)."""

from __future__ import annotations

import numpy as np
from mathutils import Matrix

from ...core.arrays import FloatArray


def from_blender(matrix: Matrix) -> FloatArray:
    """(4, 4) float64 of a Blender matrix."""
    return np.array(matrix, dtype=np.float64)


def to_blender(matrix: FloatArray) -> Matrix:
    """A Blender matrix of a (4, 4) array."""
    return Matrix(matrix.tolist())
