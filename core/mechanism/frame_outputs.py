"""The variables that every frame of a mechanism has, all in world axes.

A planar frame: x, y (m), phi (rad, with all its turns), fx, fy (N), tau (N m, about +z).
A frame in space: r_0 (…, 3), v_0, R = world_from_frame_rot (…, 3, 3), Q (…, 4), w, and f (N),
tau (N m) about the frame's origin.
Forces and torques are what acts on the component through the frame.
"""

from __future__ import annotations

from ..frames import quaternion_from_rotation
from .component import Output, Space
from .frame import Frame


def frame_outputs(frame: Frame, space: Space) -> dict[str, Output]:
    """The variables of a frame, by their full names."""
    own = _planar(frame) if space == "planar" else _spatial(frame)
    return {f"{frame.path}.{key}": output for key, output in own.items()}


def _planar(frame: Frame) -> dict[str, Output]:
    return {
        "x": lambda at: at.position(frame)[..., 0],
        "y": lambda at: at.position(frame)[..., 1],
        "phi": lambda at: at.angle(frame),
        "fx": lambda at: at.force(frame)[..., 0],
        "fy": lambda at: at.force(frame)[..., 1],
        "tau": lambda at: at.torque(frame)[..., 2],
    }


def _spatial(frame: Frame) -> dict[str, Output]:
    return {
        "r_0": lambda at: at.position(frame),
        "v_0": lambda at: at.velocity(frame),
        "R": lambda at: at.rotation(frame),
        "Q": lambda at: quaternion_from_rotation(at.rotation(frame)),
        "w": lambda at: at.angular_velocity(frame),
        "f": lambda at: at.force(frame),
        "tau": lambda at: at.torque(frame),
    }
