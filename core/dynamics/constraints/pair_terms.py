"""All constraints between pairs of frames as one batch of rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays import FloatArray
from ..model import IntArray
from .frame_terms import WRENCH, Terms
from .pairs import Relation

# the wrench of K, and the trace of its first three columns
WRENCH_AND_TRACE = np.concatenate((WRENCH, np.eye(3, 4).reshape(12, 1)), axis=1)
# frame, and frame_from_port
Place = tuple[int, FloatArray]


class PairTerms:
    """Rows N / D with N = n . (R, p) and D = 1 + d . (R, p); see `pairs`.

    With weights c (3, 4) of the pose of port b in port a, moved into the axes of the frames,
    c' = R_a c X_b^T for the ports' poses in their frames, a weighted entry is

        K          = R_A c' X_B^T                                           (3, 4)
        c . (R, p) = tr K - K_3 . p_A - c_3 . R_a^T p_a
        its rate   = K . ([V_B]^ - [V_A]^)
        its second = K . (H_B - H_A - 2 [V_A]^ ([V_B]^ - [V_A]^))

    with X the poses of the frames in the world, [V]^ the matrices of their twists, H = X'' X^-1,
    and index 3 for the last column.
    """

    def __init__(self, places: Sequence[tuple[Place, Place]], relations: Sequence[Relation]):
        """One pair of places for each relation; those with denominators come last."""
        self.count = len(relations)
        below = [own.denominator for own in relations if own.denominator is not None]
        self._first = self.count - len(below)  # of the rows with denominators
        self._is_rational = len(below) > 0
        rows = [*range(self.count), *range(self._first, self.count)]
        weights = [*(own.numerator for own in relations), *below]
        moved, constants = [], []
        for row, weight in zip(rows, weights, strict=True):
            (_, from_a), (_, from_b) = places[row]
            moved.append(from_a[:3, :3] @ weight @ from_b.T)
            constants.append(weight[:, 3] @ from_a[:3, :3].T @ from_a[:3, 3])
        self._weights = np.array(moved).reshape(-1, 3, 4)
        self._constants = -np.array(constants)
        self._constants[self.count :] += 1.0
        self._all_a: IntArray = np.array([places[row][0][0] for row in rows], dtype=np.intp)
        self._all_b: IntArray = np.array([places[row][1][0] for row in rows], dtype=np.intp)
        self._on_world = not self._all_a.any()
        self.frame_a, self.frame_b = self._all_a[: self.count], self._all_b[: self.count]

    def terms(self, poses: FloatArray) -> Terms:
        """See `FrameTerms.terms`."""
        pose_a, pose_b = poses.take(self._all_a, axis=-3), poses.take(self._all_b, axis=-3)
        k = pose_a[..., :3, :3] @ self._weights @ pose_b.swapaxes(-1, -2)
        k = k.reshape(*k.shape[:-2], 12)
        parts = k @ WRENCH_AND_TRACE
        value = parts[..., 6] + self._constants
        if not self._on_world:
            value -= (parts[..., 3:6] * pose_a[..., :3, 3]).sum(axis=-1)
        if not self._is_rational:
            return Terms(value, parts[..., :6], (k,))
        n, first = self.count, self._first
        over = 1.0 / value[..., n:]
        residual, above = value[..., :n], k[..., :n, :]
        residual[..., first:] *= over
        # the weights of g' = (N' - g D') / D, and of D' / D
        slope = k[..., n:, :] * over[..., None]
        above[..., first:, :] *= over[..., None]
        above[..., first:, :] -= residual[..., first:, None] * slope
        return Terms(residual, above @ WRENCH, (above, slope))

    def bend(self, terms: Terms, hats: FloatArray, seconds: FloatArray) -> FloatArray:
        """See `FrameTerms.bend`."""
        weights = terms.kept[0]
        second = seconds.take(self.frame_b, axis=-3)
        if not self._on_world:
            hat_a = hats.take(self.frame_a, axis=-3)
            apart = hats.take(self.frame_b, axis=-3) - hat_a
            second = second - seconds.take(self.frame_a, axis=-3) - 2.0 * hat_a @ apart
        flat = second.reshape(*second.shape[:-2], 16)[..., :12]
        bend: FloatArray = (weights * flat).sum(axis=-1)
        if self._is_rational:
            # g'' = (N'' - g D'' - 2 g' D') / D
            rational = slice(self._first, None)
            moving = hats.take(self.frame_b[rational], axis=-3) if self._on_world else apart
            moving = moving.reshape(*moving.shape[:-2], 16)
            moving = moving[..., -len(self.frame_b[rational]) :, :12]
            rate = (weights[..., rational, :] * moving).sum(axis=-1)
            bend[..., rational] -= 2.0 * rate * (terms.kept[1] * moving).sum(axis=-1)
        return bend
