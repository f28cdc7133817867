"""The keys of a mechanism's joints, as bones take them: quaternions unit, no Euler states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics import Model
from ....core.frames import quaternion_from_euler
from ....core.key_segments import CLOSEST_KEYS, key_frames
from ....core.keyframes import JointKeys
from ....core.mechanism import Tree, TreeJoint
from ....core.trajectory import Trajectory
from ..bone_plan import FREELY_TURNING

STEP = 1e-4  # of a frame, for the slopes of quaternions of Euler angles

Values = tuple[FloatArray, FloatArray]  # (n, k) each: coordinates of a joint, slopes per frame


def joint_motion(
    tree: Tree, trajectory: Trajectory, times: FloatArray, fps: float, frame_start: float
) -> dict[str, JointKeys]:
    """Keys of every moving joint at times (n,), s, one frame apart, the first at `frame_start`.

    Where velocities jump between them there are keys too, with the slopes on both sides.
    """
    # the frame of the start of the motion, of which only a part may be asked for
    origin = frame_start - (times[0] - trajectory.times[0]) * fps
    whole = frame_start + np.arange(len(times), dtype=np.float64)
    known = np.unique(np.append(whole, min(origin, whole[0])))
    clock, frames = key_frames(trajectory, fps, known, "BEZIER", at_jumps=True)
    frames = frames[frames > whole[0] - CLOSEST_KEYS]
    q, slopes, before = clock.key_states(frames)
    found = {
        joint: JointKeys(joint, frames, q[:, where], slopes[:, where], before[:, where])
        for joint, where in trajectory.model.q_slices.items()
    }
    return bone_keys(tree, trajectory.model, found, frames)


def bone_keys(
    tree: Tree, model: Model, own: Mapping[str, JointKeys], frames: FloatArray
) -> dict[str, JointKeys]:
    """The keys of all moving joints, of those that have coordinates of their own.

    Spherical and floating joints end in a unit quaternion, whatever their state is. A coupled
    mimic joint has those of its leader.

    Args:
        tree: of the joints; model: the same, compiled.
        own: keys of all joints that have coordinates.
        frames: (n,), of keys of joints whose leader stands still.
    """
    found = {
        joint.name: _settled(joint, own[joint.name]) for joint in tree.joints if joint.name in own
    }
    nothing = np.zeros((len(frames), 1))
    for name, follower in model.followers.items():
        leader = found.get(follower.leader, JointKeys(name, frames, nothing, nothing, nothing))
        found[name] = JointKeys(
            name,
            leader.frames,
            follower.multiplier * leader.values + follower.offset,
            follower.multiplier * leader.slopes,
            follower.multiplier * leader.slopes_before,
        )
    return found


def _settled(joint: TreeJoint, keys: JointKeys) -> JointKeys:
    """Keys with the orientation of a free joint as a unit quaternion."""
    if joint.type not in FREELY_TURNING:
        return keys
    values, slopes = _with_quaternion(joint, keys.values, keys.slopes)
    before = _with_quaternion(joint, keys.values, keys.slopes_before)[1]
    return replace(keys, values=values, slopes=slopes, slopes_before=before)


def _with_quaternion(joint: TreeJoint, q: FloatArray, rates: FloatArray) -> Values:
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
