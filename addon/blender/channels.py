"""Joint coordinates as Blender channels: a constant matrix for each joint, both ways.

    channels = A q_joint

A turns and slides are one channel of the bone (Euler Y in YXZ, or location Y), a planar joint
has location X, Z and Euler Y, a floating joint location and quaternion. A holds the sign of a
bone that points along the negative axis, and the rotation from the joint's frame to the
bone's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.arrays import FloatArray
from ...core.mechanism import planar_axes
from .bone_plan import Kind

LOCATION, EULER, QUATERNION = "location", "rotation_euler", "rotation_quaternion"
# all that can move a pose bone by itself
TRANSFORMS = (LOCATION, EULER, QUATERNION, "rotation_axis_angle", "rotation_mode", "scale")
PATHS: dict[Kind, tuple[tuple[str, int], ...]] = {
    "revolute": ((EULER, 1),),
    "continuous": ((EULER, 1),),
    "prismatic": ((LOCATION, 1),),
    "planar": ((LOCATION, 0), (LOCATION, 2), (EULER, 1)),
    "floating": (
        *((LOCATION, axis) for axis in range(3)),
        *((QUATERNION, component) for component in range(4)),
    ),
}


@dataclass(frozen=True, eq=False)
class JointChannels:
    """The channels of one joint: (property, index) pairs, and A with channels = A q."""

    paths: tuple[tuple[str, int], ...]
    channels_from_q: FloatArray  # (n, n)

    def from_coordinates(self, q: FloatArray) -> FloatArray:
        """Channel values (…, n) of joint coordinates (…, n); rates and slopes likewise."""
        return q @ self.channels_from_q.T

    def to_coordinates(self, channels: FloatArray) -> FloatArray:
        """Joint coordinates (…, n) of channel values (…, n)."""
        return channels @ np.linalg.inv(self.channels_from_q).T


def joint_channels(
    kind: Kind, sign: int, bone_from_link: FloatArray, axis: FloatArray
) -> JointChannels:
    """The channels of a joint.

    Args:
        kind: the type of the joint.
        sign: of the bone against the joint axis.
        bone_from_link: (4, 4), the joint frame at value 0 in the bone.
        axis: (3,), unit, in the joint frame; only a planar joint asks for it.

    Returns:
        The channels in the order of the joint's coordinates.
    """
    rotation = bone_from_link[:3, :3]
    if kind == "planar":
        slides = rotation @ planar_axes(axis).T
        matrix = np.zeros((3, 3))
        matrix[:2, :2] = slides[[0, 2]]
        matrix[2, 2] = sign
    elif kind == "floating":
        matrix = np.eye(7)
        matrix[:3, :3] = matrix[4:, 4:] = rotation
    else:
        matrix = np.array([[float(sign)]])
    return JointChannels(PATHS[kind], matrix)
