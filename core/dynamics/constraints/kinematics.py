"""What constraints take from the tree's evaluation; nothing else here knows how it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import FloatArray
from ..equations import Tableau
from ..kinematics import frame_poses
from ..model import Model
from ..spatial import motion_cross

if TYPE_CHECKING:
    from ..system import Moment


@dataclass(frozen=True)
class Places:
    """The tree at a pose: poses (…, nf, 4, 4) and unit twists (…, nd, 6) of all frames."""

    poses: FloatArray
    twists: FloatArray

    @classmethod
    def of(cls, tableau: Tableau) -> Places:
        """Those of an evaluation."""
        return cls(tableau.poses, tableau.twists)


def still_accelerations(model: Model, at: Moment) -> FloatArray:
    """The rates of the frames' twists (…, nf, 6) with a = 0 and without gravity.

    A_i = sum over k on the path to i of V_f(k) x s_k v_k
    """
    rates = at.v if model.dof_from_v is None else at.v @ model.dof_from_v.T
    moves = at.tableau.twists * rates[..., None]
    cross = motion_cross(at.velocities.take(model.dof_frame, axis=-2))
    turning = (cross @ moves[..., None])[..., 0]
    accelerations: FloatArray = model.path @ turning
    return accelerations


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
