"""What constraints take from the tree's evaluation; nothing else here knows how it is kept."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...arrays import FloatArray
from ..coordinate_names import coordinate_units
from ..equations import Tableau
from ..kinematics import frame_poses
from ..model import Model


class Places(NamedTuple):
    """The tree at a pose: poses (…, nf, 4, 4) and unit twists (…, nd, 6) of all frames."""

    poses: FloatArray
    twists: FloatArray

    @classmethod
    def of(cls, tableau: Tableau) -> Places:
        """Those of an evaluation."""
        return cls(tableau.poses, tableau.twists)


class SecondDerivatives:
    """H = X'' X^-1 of all frames X = world_from_frame, with a = 0.

    Frame i moves against its parent p with m = [V_i]^ - [V_p]^, which gives

        H_i - H_p = ([V_i]^ + [V_p]^) m

    so that H is a sum over the frames between the world and i.
    """

    def __init__(self, model: Model) -> None:
        self._parents = np.array(model.parents, dtype=np.intp)
        above = np.eye(len(self._parents))
        for frame in range(1, len(above)):
            above[frame] += above[self._parents[frame]]
        self._above = above

    def __call__(self, hats: FloatArray) -> FloatArray:
        """H (…, nf, 4, 4), at [V]^ (…, nf, 4, 4)."""
        below = hats.take(self._parents, axis=-3)
        gains = (hats + below) @ (hats - below)
        seconds: FloatArray = self._above @ gains.reshape(*gains.shape[:-2], 16)
        return seconds.reshape(gains.shape)


def extent(model: Model) -> float:
    """A typical length of the model, m: how far its frames are apart in the neutral pose.

    1 where they are all in one place.
    """
    poses = frame_poses(model, model.neutral())
    points = poses[:, :3, 3]
    masses = model.frame_pseudo_inertia[:, 3, 3]
    heavy = masses > 0.0
    centers = (poses[heavy] @ model.frame_pseudo_inertia[heavy][..., 3:])[:, :3, 0]
    points = np.concatenate((points, centers / masses[heavy, None]))
    size = float(np.linalg.norm(points.max(axis=0) - points.min(axis=0)))
    return size if size > 0.0 else 1.0


def random_poses(model: Model, length: float, count: int = 16) -> FloatArray:
    """q (count, nq) at random, always the same: any angle, and travels of up to the length."""
    rng = np.random.default_rng(1)
    reach = np.where([unit == "m" for unit in coordinate_units(model)], length, np.pi)
    q: FloatArray = rng.uniform(-1.0, 1.0, (count, model.nq)) * reach
    # far from gimbal lock, whatever the sequence
    q[:, model.euler_q] = 0.5 + rng.uniform(-0.2, 0.2, (count, *model.euler_q.shape))
    return q
