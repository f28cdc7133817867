"""Joint coordinates as Blender channels: a constant matrix for each joint, both ways.

    channels = A q_joint

A turns and slides are one channel of the bone (Euler Y in YXZ, or location Y), a cylindrical
joint and a screw have both, each bone of a universal joint has one turn, a planar joint location
X, Z and Euler Y, a spherical joint a quaternion, a floating joint location and quaternion. A
holds the sign of a bone that points along the negative axis, and the rotation from the joint's
frame to the bone's.
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
    "screw": ((EULER, 1), (LOCATION, 1)),
    "cylindrical": ((EULER, 1), (LOCATION, 1)),
    "universal": ((EULER, 1),),
    "planar": ((LOCATION, 0), (LOCATION, 2), (EULER, 1)),
    "spherical": tuple((QUATERNION, component) for component in range(4)),
    "floating": (
        *((LOCATION, axis) for axis in range(3)),
        *((QUATERNION, component) for component in range(4)),
    ),
}


@dataclass(frozen=True, eq=False)
class JointChannels:
    """The channels of one bone: (property, index) pairs, and A with channels = A q."""

    paths: tuple[tuple[str, int], ...]
    channels_from_q: FloatArray  # (channels, nq_joint)

    def from_coordinates(self, q: FloatArray) -> FloatArray:
        """Channel values (…, channels) of joint coordinates (…, nq_joint); slopes likewise."""
        return q @ self.channels_from_q.T

    def to_coordinates(self, channels: FloatArray) -> FloatArray:
        """Joint coordinates (…, nq_joint) of channel values (…, channels).

        A screw's two channels give the turn that fits them best.
        """
        return channels @ np.linalg.pinv(self.channels_from_q).T


def joint_channels(
    kind: Kind,
    sign: int,
    bone_from_link: FloatArray,
    axis: FloatArray,
    *,
    pitch: float = 0.0,
    turn: int = 0,
) -> JointChannels:
    """The channels of a bone.

    Args:
        kind: the type of the joint.
        sign: of the bone against the joint axis.
        bone_from_link: (4, 4), the joint frame at value 0 in the bone.
        axis: (3,), unit, in the joint frame; only a planar joint asks for it.
        pitch: of a screw, m/rad.
        turn: which turn of a universal joint the bone makes, 0 or 1.

    Returns:
        The channels, in the order of the joint's coordinates.
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
    elif kind == "spherical":
        matrix = np.eye(4)
        matrix[1:, 1:] = rotation
    elif kind == "cylindrical":
        matrix = float(sign) * np.eye(2)
    elif kind == "screw":
        matrix = float(sign) * np.array([[1.0], [pitch]])
    elif kind == "universal":
        matrix = float(sign) * np.eye(2)[[turn]]
    else:
        matrix = np.array([[float(sign)]])
    return JointChannels(PATHS[kind], matrix)
