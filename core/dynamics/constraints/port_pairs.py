"""Pairs of ports in one batch: where they are, and how one moves as seen from the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays import FloatArray
from ..model import IntArray, Model
from ..spatial import CROSS
from .port import Port


class PortPairs:
    """n pairs of ports.

    Attributes:
        frame_a, frame_b: (n,), the frames that carry them.
    """

    def __init__(self, model: Model, pairs: Sequence[tuple[Port, Port]]) -> None:
        ends = [(a.place(model), b.place(model)) for a, b in pairs]
        self.frame_a: IntArray = np.array([a[0] for a, _ in ends], dtype=np.intp)
        self.frame_b: IntArray = np.array([b[0] for _, b in ends], dtype=np.intp)
        self._point_a = np.array([a[1][:, 3] for a, _ in ends]).reshape(-1, 4, 1)
        self._point_b = np.array([b[1][:, 3] for _, b in ends]).reshape(-1, 4, 1)
        self._turn_a = np.array([a[1][:3, :3] for a, _ in ends]).reshape(-1, 3, 3)
        self._turn_b = np.array([b[1][:3, :3] for _, b in ends]).reshape(-1, 3, 3)

    def in_frame_a(self, directions: Sequence[FloatArray]) -> FloatArray:
        """Directions (n, 3) of ports a in their frames (n, 3, 1)."""
        turned: FloatArray = self._turn_a @ np.array(directions).reshape(-1, 3, 1)
        return turned

    def in_frame_b(self, directions: Sequence[FloatArray]) -> FloatArray:
        """Directions (n, 3) of ports b in their frames (n, 3, 1)."""
        turned: FloatArray = self._turn_b @ np.array(directions).reshape(-1, 3, 1)
        return turned

    def origins(self, poses: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The origins of ports a and b (…, n, 3) in the world."""
        a, b = poses.take(self.frame_a, axis=-3), poses.take(self.frame_b, axis=-3)
        return (a @ self._point_a)[..., :3, 0], (b @ self._point_b)[..., :3, 0]

    def turned_a(self, poses: FloatArray, directions: FloatArray) -> FloatArray:
        """Directions (n, 3, 1) of frames a in the world (…, n, 3)."""
        turns = poses.take(self.frame_a, axis=-3)[..., :3, :3]
        out: FloatArray = (turns @ directions)[..., 0]
        return out

    def turned_b(self, poses: FloatArray, directions: FloatArray) -> FloatArray:
        """Directions (n, 3, 1) of frames b in the world (…, n, 3)."""
        turns = poses.take(self.frame_b, axis=-3)[..., :3, :3]
        out: FloatArray = (turns @ directions)[..., 0]
        return out

    def relative(self, hats: FloatArray, seconds: FloatArray) -> tuple[FloatArray, FloatArray]:
        """How b moves as seen from a: maps (…, n, 4, 4) of points of b, in world axes.

        With [V]^ and H = X'' X^-1 of the frames, both (…, nf, 4, 4), velocities are those of
        [V_b]^ - [V_a]^, and accelerations those of H_b - H_a - 2 [V_a]^ ([V_b]^ - [V_a]^).
        """
        hat_a = hats.take(self.frame_a, axis=-3)
        apart = hats.take(self.frame_b, axis=-3) - hat_a
        gains = seconds.take(self.frame_b, axis=-3) - seconds.take(self.frame_a, axis=-3)
        return apart, gains - 2.0 * hat_a @ apart


def moved(maps: FloatArray, points: FloatArray) -> FloatArray:
    """What maps (…, n, 4, 4) make of points (…, n, 3)."""
    out: FloatArray = (maps[..., :3, :3] @ points[..., None])[..., 0] + maps[..., :3, 3]
    return out


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """a x b of vectors (…, 3)."""
    matrix = (a @ CROSS).reshape(*a.shape, 3)
    out: FloatArray = (matrix @ b[..., None])[..., 0]
    return out


def force_at(place: FloatArray, n: FloatArray) -> FloatArray:
    """The wrench (…, 6) of a unit force along n (…, 3) at a place (…, 3)."""
    return np.concatenate((cross(place, n), n), axis=-1)
