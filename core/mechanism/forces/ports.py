"""Points and frames fixed to frames of the model: where the force elements hold on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...arrays import FloatArray
from ...frames import cross_matrix

if TYPE_CHECKING:
    from ...dynamics import Moment

IntArray = NDArray[np.intp]
# [v]x = v @ CROSS: one product for all vectors, where np.cross takes 33 us a call
CROSS = cross_matrix(np.eye(3)).reshape(3, 9)


@dataclass(frozen=True, eq=False)
class Ports:
    """k frames, each fixed to a frame of the model.

    frames (k,) are frames of the model, frame_from_port (k, 4, 4) the poses in them.
    """

    frames: IntArray
    frame_from_port: FloatArray

    @classmethod
    def of(cls, places: Sequence[tuple[int, FloatArray]]) -> Ports:
        """Of pairs of a model frame and the pose in it, as `Places.frame` answers."""
        return cls(
            np.array([frame for frame, _ in places], dtype=np.intp),
            np.array([pose for _, pose in places], dtype=np.float64).reshape(-1, 4, 4),
        )

    @classmethod
    def joined(cls, parts: Sequence[Ports]) -> Ports:
        """All ports of several, one after the other."""
        return cls(
            np.concatenate([part.frames for part in parts]),
            np.concatenate([part.frame_from_port for part in parts]),
        )

    def positions(self, at: Moment) -> FloatArray:
        """Of the origins (…, k, 3), m, in the world."""
        carriers = at.poses[..., self.frames, :3, :]
        out: FloatArray = (carriers @ self.frame_from_port[:, :, 3:])[..., 0]
        return out

    def rotations(self, at: Moment) -> FloatArray:
        """world_from_port_rot (…, k, 3, 3)."""
        carriers = at.poses[..., self.frames, :3, :3]
        out: FloatArray = carriers @ self.frame_from_port[:, :3, :3]
        return out

    def twists(self, at: Moment) -> FloatArray:
        """Of the frames that carry them (…, k, 6), at the world origin."""
        out: FloatArray = at.velocities[..., self.frames, :]
        return out


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """a x b of vectors (…, 3)."""
    out: FloatArray = ((a @ CROSS).reshape(*a.shape, 3) @ b[..., None])[..., 0]
    return out
