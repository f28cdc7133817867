"""What constraints take from the tree's evaluation; nothing else here knows how it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...arrays import FloatArray
from ..coordinate_names import coordinate_units
from ..equations import Tableau
from ..kinematics import frame_poses
from ..model import Model
from ..spatial import motion_cross

if TYPE_CHECKING:
    from ..system import Moment


class Places(NamedTuple):
    """The tree at a pose: poses (…, nf, 4, 4) and unit twists (…, nd, 6) of all frames."""

    poses: FloatArray
    twists: FloatArray

    @classmethod
    def of(cls, tableau: Tableau) -> Places:
        """Those of an evaluation."""
        return cls(tableau.poses, tableau.twists)


def turning(model: Model, at: Moment) -> FloatArray:
    """V_f(k) x s_k v_k (…, nd, 6): what each degree of freedom adds to accelerations with a = 0.

    f(k) is the frame that k belongs to.
    """
    rates = at.v if model.dof_from_v is None else at.v @ model.dof_from_v.T
    moves = at.tableau.twists * rates[..., None]
    cross = motion_cross(at.velocities.take(model.dof_frame, axis=-2))
    out: FloatArray = (cross @ moves[..., None])[..., 0]
    return out


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
