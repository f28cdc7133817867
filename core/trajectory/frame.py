"""The frame of one link along a motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from ..errors import TrajectoryError

LEVEL = 1e-9  # rad by which a link may tilt and still count as moving in the world's xy plane


@dataclass(frozen=True, eq=False)
class LinkFrame:
    """The frame of a link along a motion, as `get_rot`, `ori` and `ori_2d` take it.

    link is its name; world_from_frame (…, 4, 4) its pose, with the leading axes of the times.
    """

    link: str
    world_from_frame: FloatArray

    @property
    def phi(self) -> FloatArray:
        """The angle (…), rad, in [-pi, pi], of a link that moves in the world's xy plane.

        Raises:
            TrajectoryError: for a link that does not, whose orientation is no single angle.
        """
        pose = self.world_from_frame
        tilt = np.hypot(pose[..., 0, 2], pose[..., 1, 2])
        if (tilt > LEVEL).any() or (pose[..., 2, 2] < 0.0).any():
            raise TrajectoryError(
                f"link '{self.link}': wanted a motion in the world's xy plane, where phi is; its "
                f"z axis leaves the world's by up to {np.arctan2(tilt, pose[..., 2, 2]).max():.3g} "
                "rad"
            )
        angle: FloatArray = np.arctan2(pose[..., 1, 0], pose[..., 0, 0])
        return angle
