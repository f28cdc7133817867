"""Where the links of a mechanism are at frames: positions and orientations with slopes.

Orientations follow the motion without a jump: unwrapped angles for a motion in the world's xy
plane, quaternions of continuous sign otherwise. Between two frames a link may turn many times, so
the motion is looked at as often as its fastest link asks for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....core.arrays import FloatArray
from ....core.frames import continuous_quaternions, quaternion_from_rotation
from ....core.trajectory import Trajectory

LARGEST_TURN = 1.0  # rad between two looks at the motion
MOST_LOOKS = 1000  # between two frames
LOOK_AROUND = 1e-4  # s before and after a frame, for slopes


@dataclass(frozen=True, eq=False)
class LinkMotion:
    """The poses of all links at frames.

    frames (n,); poses (n, n_links, 4, 4) world_from_link; positions (n, n_links, 3); turns
    (n, n_links, k): quaternions (k = 4), or the angle about the world's z (k = 1, rad). Slopes
    are per frame.
    """

    frames: FloatArray
    poses: FloatArray
    turns: FloatArray
    position_slopes: FloatArray
    turn_slopes: FloatArray

    @property
    def positions(self) -> FloatArray:
        """(n, n_links, 3): the links' origins."""
        out: FloatArray = self.poses[..., :3, 3]
        return out


def link_motion(
    trajectory: Trajectory, times: FloatArray, fps: float, frame_start: float, planar: bool
) -> LinkMotion:
    """The motion of all links of a trajectory.

    Args:
        trajectory: the motion.
        times: (n,), s, of the trajectory, one frame apart.
        fps: frames per second.
        frame_start: the frame of the first time.
        planar: whether it moves in the world's xy plane.
    """
    start, end = float(trajectory.times[0]), float(trajectory.times[-1])
    before, after = (
        np.clip(times - LOOK_AROUND, start, end),
        np.clip(times + LOOK_AROUND, start, end),
    )
    poses = trajectory.link_poses(times)
    early, late = trajectory.link_poses(before), trajectory.link_poses(after)
    scale = 1.0 / fps / np.maximum(after - before, 1e-12)
    turns = _turns(trajectory, times, planar, _looks(early, late, times, after - before))
    around = [_nearest_turns(_turn(near, planar), turns) for near in (early, late)]
    return LinkMotion(
        frames=frame_start + np.arange(len(times)),
        poses=poses,
        turns=turns,
        position_slopes=(late - early)[..., :3, 3] * scale[:, None, None],
        turn_slopes=(around[1] - around[0]) * scale[:, None, None],
    )


def _looks(early: FloatArray, late: FloatArray, times: FloatArray, span: FloatArray) -> int:
    """How many looks between two frames the fastest link asks for."""
    if len(times) < 2:
        return 1
    # |R1 - R0| is sqrt(2) times a small angle between them
    change = np.linalg.norm((late - early)[..., :3, :3], axis=(-2, -1)) / np.sqrt(2.0)
    speed = float((change / np.maximum(span, 1e-12)[:, None]).max(initial=0.0))
    # twice as many: between frames it may be faster
    return int(np.clip(np.ceil(2.0 * speed * np.diff(times).max() / LARGEST_TURN), 1, MOST_LOOKS))


def _turns(trajectory: Trajectory, times: FloatArray, planar: bool, looks: int) -> FloatArray:
    """Orientations (n, n_links, k) at times that follow the motion."""
    shares = np.arange(looks) / looks
    finer = (times[:-1, None] + np.diff(times)[:, None] * shares).ravel()
    turns = _turn(trajectory.link_poses(np.append(finer, times[-1])), planar)
    followed = np.unwrap(turns, axis=0) if planar else _continuous(turns)
    return followed[::looks]


def _turn(poses: FloatArray, planar: bool) -> FloatArray:
    if planar:
        return np.arctan2(poses[..., 1, :1], poses[..., 0, :1])
    return quaternion_from_rotation(poses[..., :3, :3])


def _continuous(quaternions: FloatArray) -> FloatArray:
    """Quaternions (n, n_links, 4), each link's with continuous sign."""
    return continuous_quaternions(quaternions.swapaxes(0, 1)).swapaxes(0, 1)


def _nearest_turns(turns: FloatArray, reference: FloatArray) -> FloatArray:
    """The same orientations, on the branch of those nearby."""
    if turns.shape[-1] == 1:
        whole = 2.0 * np.pi
        angles: FloatArray = turns + whole * np.rint((reference - turns) / whole)
        return angles
    signs = np.where((turns * reference).sum(axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    signed: FloatArray = turns * signs
    return signed
