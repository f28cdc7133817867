"""The coordinates of joints over time, as bones take them: quaternions unit, no Euler states."""

from __future__ import annotations

import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics import q_derivative
from ....core.frames import quaternion_from_euler
from ....core.mechanism import Tree, TreeJoint
from ....core.trajectory import Trajectory
from ..bone_plan import FREELY_TURNING

STEP = 1e-4  # of a frame, for the slopes of quaternions of Euler angles

Values = tuple[FloatArray, FloatArray]  # (n, k) each: coordinates of a joint, slopes per frame


def joint_motion(
    tree: Tree, trajectory: Trajectory, times: FloatArray, fps: float
) -> dict[str, Values]:
    """Values and slopes of every moving joint at times (n,), s; slopes per frame.

    Spherical and floating joints end in a unit quaternion, whatever their state is. A coupled
    mimic joint has those of its leader.
    """
    model = trajectory.model
    q, v = trajectory.sample(times)
    rates = q_derivative(model, q, v) / fps
    found: dict[str, Values] = {}
    for joint in tree.joints:
        if joint.name in model.q_slices:
            where = model.q_slices[joint.name]
            found[joint.name] = _settled(joint, q[:, where], rates[:, where])
    still = np.zeros((len(times), 1)), np.zeros((len(times), 1))
    for name, follower in model.followers.items():
        values, slopes = found.get(follower.leader, still)
        found[name] = (
            follower.multiplier * values + follower.offset,
            follower.multiplier * slopes,
        )
    return found


def _settled(joint: TreeJoint, q: FloatArray, rates: FloatArray) -> Values:
    """Coordinates with the orientation of a free joint as a unit quaternion."""
    if joint.type not in FREELY_TURNING:
        return q, rates
    place = 3 if joint.type == "floating" else 0
    turn, rate = q[:, place:], rates[:, place:]
    if joint.sequence is None:
        length = np.linalg.norm(turn, axis=1, keepdims=True)
        unit, rate = turn / length, rate / length
        slope = rate - unit * (unit * rate).sum(axis=1, keepdims=True)
    else:
        before, unit, after = (
            quaternion_from_euler(turn + step * rate, joint.sequence) for step in (-STEP, 0.0, STEP)
        )
        slope = (after - before) / (2.0 * STEP)
    return (
        np.concatenate((q[:, :place], unit), axis=1),
        np.concatenate((rates[:, :place], slope), axis=1),
    )
