"""The twelve Euler sequences: six Tait-Bryan (three axes) and six symmetric (two axes)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..arrays import FloatArray, at, first_index
from ..errors import GimbalLockError
from .checks import as_choice

TAIT_BRYAN = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
SYMMETRIC = ("XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ")
SEQUENCES = TAIT_BRYAN + SYMMETRIC

# |det E'| below which rates, and angles on request, are refused: there an error of the input
# is a million times as large in the answer.
GIMBAL_LOCK = 1e-6


@dataclass(frozen=True)
class EulerSequence:
    """The axes of a sequence.

    Attributes:
        label: such as 'ZYX'.
        i, j, k: 0 to 2: first axis, second axis, and the one besides these two. The third turn
            is about k, in a symmetric sequence about i again.
        sign: 1 where (i, j, k) is an even permutation, so that e_i x e_j = sign e_k; else -1.
        symmetric: whether the first axis is also the third.
    """

    label: str
    i: int
    j: int
    k: int
    sign: float
    symmetric: bool

    def determinant(self, theta: FloatArray) -> FloatArray:
        """det E' of the second angle (…): sign cos(theta), or -sin(theta) where symmetric."""
        value: FloatArray = -np.sin(theta) if self.symmetric else self.sign * np.cos(theta)
        return value

    def refuse_lock(self, theta: FloatArray) -> None:
        """Raise a GimbalLockError where the second angle (…) is at lock."""
        determinant = self.determinant(theta)
        locked = np.abs(determinant) < GIMBAL_LOCK
        if locked.any():
            where = first_index(locked)
            raise GimbalLockError(
                f"sequence {self.label} is at gimbal lock with second angle {theta[where]:.10g} rad"
                f"{at(where)}: wanted |det E'| >= {GIMBAL_LOCK:g}, got det E' = "
                f"{determinant[where]:.3e}"
            )


def euler_sequence(label: str) -> EulerSequence:
    """The sequence of a label.

    Raises:
        ArgumentError: for any other label than the twelve.
    """
    # lower case, which elsewhere means axes that stay fixed, is no label either
    return _sequence(as_choice(label, SEQUENCES, "sequence"))


@lru_cache(maxsize=len(SEQUENCES))
def _sequence(label: str) -> EulerSequence:
    i, j = "XYZ".index(label[0]), "XYZ".index(label[1])
    return EulerSequence(
        label, i, j, 3 - i - j, 1.0 if (j - i) % 3 == 1 else -1.0, label[0] == label[2]
    )
