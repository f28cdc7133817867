"""How high a robot starts: by its lowest point that touches, and not by its root."""

from __future__ import annotations

import numpy as np
from dynarig.addon.blender.bake.plan import BakePlan
from dynarig.core.arrays import FloatArray
from dynarig.core.dynamics import FLOATING_BASE, Model
from dynarig.core.dynamics.collision import Collider
from dynarig.core.dynamics.collision.solids import solid_of
from dynarig.core.dynamics.contact import ContactSystem
from dynarig.core.dynamics.contact.shapes import Cylinder
from dynarig.core.dynamics.evaluation import frame_poses

from .motion import PoseError


def dropped(plan: BakePlan, height: float) -> FloatArray:
    """The start q (nq,) of a plan, moved up or down until its lowest point is at a height.

    Args:
        plan: of a robot with a floating base, whose armature is not moved.
        height: of the lowest point that touches above z = 0, m.

    Raises:
        PoseError: for a robot of which nothing touches.
    """
    heights = _heights(plan)
    if not heights:
        raise PoseError("--drop: the robot has no shape that could touch anything")
    q = plan.q.copy()
    q[plan.model.q_index(FLOATING_BASE).start + 2] += height - min(heights)
    return q


def _heights(plan: BakePlan) -> list[float]:
    """The height of the lowest point of each shape that touches, m."""
    contact = plan.contact
    if contact.contacts:
        # of the exact scheme: all are with the floor
        gaps = ContactSystem(plan.model, contacts=contact.contacts).gaps
        heights: list[float] = gaps.at(plan.q).gap.tolist()
        return heights
    poses = frame_poses(plan.model, plan.q)
    moving = [own for own in contact.colliders if own.shape.port.link is not None]
    return [_lowest(plan.model, own, poses) for own in moving]


def _lowest(model: Model, collider: Collider, poses: FloatArray) -> float:
    """The height of a collider's lowest point, for frames at poses (nf, 4, 4)."""
    shape, solid = collider.shape, solid_of(model, collider)
    *up, height = (poses[solid.frame] @ solid.frame_from_port)[2]
    if isinstance(shape, Cylinder):
        # round, and not the prism that stands for it among solids
        half = 0.5 * shape.length
        return float(height - half * abs(up[2]) - shape.radius * np.hypot(up[0], up[1]))
    return float((solid.points @ up).min() + height - solid.radius)
