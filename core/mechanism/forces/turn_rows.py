"""Where two frames only turn about one axis, their angle is a sum of joint coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import FloatArray
from ...dynamics.equations import evaluate
from .turns import twist_angle

if TYPE_CHECKING:
    from ...dynamics import Model

PARALLEL = 1e-9  # of the sine between a joint's axis and the axis asked for


@dataclass(frozen=True, eq=False)
class TurnRow:
    """row (nq,) and offset, rad; axis_in_b (3,), the axis in frame b."""

    row: FloatArray
    offset: float
    axis_in_b: FloatArray


Place = tuple[int, FloatArray]  # a model frame and the pose in it, as `Places.frame` answers


def turn_row(model: Model, place_a: Place, place_b: Place, axis: FloatArray) -> TurnRow | None:
    """phi = row @ q + offset of frame b against frame a about an axis of a.

    Turns about parallel axes and slides leave the axes parallel, so it is enough to look at one
    pose.

    Args:
        model: the compiled tree.
        place_a, place_b: the frames.
        axis: (3,), unit, in frame a.

    Returns:
        None where anything between the frames turns about another axis, or freely.
    """
    q = model.neutral()
    at = evaluate(model, q)
    world_from_a, world_from_b = (at.poses[frame] @ pose for frame, pose in (place_a, place_b))
    n = world_from_a[:3, :3] @ axis
    sides = model.path[place_b[0]] - model.path[place_a[0]]
    scalar = np.full(len(model.dof_frame), -1)
    scalar[model.scalar_dof] = np.arange(len(model.scalar_dof))
    turns = np.zeros(len(model.scalar_dof))
    for dof in np.flatnonzero(sides):
        omega = at.twists[dof, :3]
        if scalar[dof] < 0 or np.linalg.norm(np.cross(omega, n)) > PARALLEL:
            return None
        turns[scalar[dof]] = sides[dof] * np.round(omega @ n)
    row = turns if model.coordinate_from_q is None else turns @ model.coordinate_from_q
    a_from_b_rot = world_from_a[:3, :3].T @ world_from_b[:3, :3]
    offset = float(twist_angle(a_from_b_rot, axis) - row @ q)
    return TurnRow(row, offset, a_from_b_rot.T @ axis)
