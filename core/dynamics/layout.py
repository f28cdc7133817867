"""Where each joint of a tree stands: frames, degrees of freedom, places in q and v."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..arrays import FloatArray
from ..errors import ModelError
from ..frames import transform
from ..tree import JointType, TreeJoint, planar_axes

UNIT = 1e-9  # by which a unit vector's length may be off
PARALLEL = 1e-6  # sine of the angle between two axes that count as one


@dataclass
class Layout:
    """Frames, degrees of freedom and coordinates as they are laid out, joint by joint."""

    parents: list[int] = field(default_factory=lambda: [0])
    joint_types: dict[str, JointType] = field(default_factory=dict)
    q_slices: dict[str, slice] = field(default_factory=dict)
    v_slices: dict[str, slice] = field(default_factory=dict)
    nq: int = 0
    nv: int = 0
    scalar_frames: list[int] = field(default_factory=list)
    features: list[FloatArray] = field(default_factory=list)
    scalar_joints: list[TreeJoint] = field(default_factory=list)
    scalar_q: list[int] = field(default_factory=list)  # -1 for a follower
    scalar_v: list[int] = field(default_factory=list)
    scalar_turns: list[bool] = field(default_factory=list)
    scalar_dof: list[int] = field(default_factory=list)
    scalar_index: list[int] = field(default_factory=list)  # among the joint's coordinates
    free_frames: list[int] = field(default_factory=list)
    free_joints: list[TreeJoint] = field(default_factory=list)
    free_parent: list[FloatArray] = field(default_factory=list)
    free_orientation: list[range] = field(default_factory=list)  # places in q
    free_angular_v: list[range] = field(default_factory=list)
    free_position: dict[int, range] = field(default_factory=dict)  # of floating ones, by row
    free_linear_v: dict[int, range] = field(default_factory=dict)
    dof_frame: list[int] = field(default_factory=list)
    dof_twist: list[FloatArray] = field(default_factory=list)
    dof_joint: list[str] = field(default_factory=list)
    dof_v: list[int] = field(default_factory=list)  # -1 for a follower

    def add(
        self, joint: TreeJoint, parent_frame: int, frame_from_joint: FloatArray, follows: bool
    ) -> tuple[int, FloatArray]:
        """Append a joint's frames; returns the child's frame and frame_from_child."""
        if joint.type == "fixed":
            return parent_frame, frame_from_joint
        if joint.type in ("spherical", "floating"):
            return self.add_free(joint, parent_frame, frame_from_joint), np.eye(4)
        q, v = self._claim(joint, follows)
        frame_from_here = frame_from_joint
        for index, (axis, turn, slide) in enumerate(_steps(joint)):
            here_from_frame = _along_z(axis)
            features = _scalar_features(frame_from_here @ here_from_frame, turn, slide)
            entry = (-1, -1) if follows else (q + index, v + index)
            twist = np.array((0.0, 0.0, turn, 0.0, 0.0, slide))
            parent_frame = self._add_scalar(joint, index, parent_frame, features, twist, entry)
            frame_from_here = here_from_frame.T
        return parent_frame, frame_from_here

    def add_free(self, joint: TreeJoint, parent_frame: int, frame_from_joint: FloatArray) -> int:
        """Append one frame that turns freely, and moves freely if floating; returns it."""
        q, v = self._claim(joint, follows=False)
        frame = self._new_frame(parent_frame)
        row = len(self.free_frames)
        self.free_frames.append(frame)
        self.free_joints.append(joint)
        self.free_parent.append(frame_from_joint)
        self.free_angular_v.append(range(v, v + 3))
        if joint.type == "floating":
            self.free_position[row] = range(q, q + 3)
            self.free_linear_v[row] = range(v + 3, v + 6)
            q += 3
        self.free_orientation.append(range(q, self.nq))
        for index in range(joint.nv):
            self._new_dof(joint, frame, np.eye(6)[index], v + index)
        return frame

    def _claim(self, joint: TreeJoint, follows: bool) -> tuple[int, int]:
        """Give a joint its places in q and v; returns where they start."""
        self.joint_types[joint.name] = joint.type
        q, v = self.nq, self.nv
        if not follows:
            self.nq, self.nv = q + joint.nq, v + joint.nv
            self.q_slices[joint.name] = slice(q, self.nq)
            self.v_slices[joint.name] = slice(v, self.nv)
        return q, v

    def _add_scalar(
        self,
        joint: TreeJoint,
        index: int,
        parent_frame: int,
        features: FloatArray,
        twist: FloatArray,
        entry: tuple[int, int],
    ) -> int:
        frame = self._new_frame(parent_frame)
        self.scalar_frames.append(frame)
        self.features.append(features)
        self.scalar_joints.append(joint)
        self.scalar_q.append(entry[0])
        self.scalar_v.append(entry[1])
        self.scalar_turns.append(bool(twist[:3].any()))
        self.scalar_index.append(index)
        self.scalar_dof.append(len(self.dof_frame))
        self._new_dof(joint, frame, twist, entry[1])
        return frame

    def _new_frame(self, parent: int) -> int:
        self.parents.append(parent)
        return len(self.parents) - 1

    def _new_dof(self, joint: TreeJoint, frame: int, twist: FloatArray, v: int) -> None:
        self.dof_frame.append(frame)
        self.dof_twist.append(twist)
        self.dof_joint.append(joint.name)
        self.dof_v.append(v)


def _steps(joint: TreeJoint) -> list[tuple[FloatArray, float, float]]:
    """The chain of one-degree steps that a joint is: axis in the joint frame, turn, slide.

    A step turns by turn * x about its axis and slides by slide * x along it.
    """
    axis = joint.axis
    if joint.type == "planar":
        e1, e2 = planar_axes(axis)
        return [(e1, 0.0, 1.0), (e2, 0.0, 1.0), (axis, 1.0, 0.0)]
    if joint.type == "cylindrical":
        return [(axis, 1.0, 0.0), (axis, 0.0, 1.0)]
    if joint.type == "universal":
        return [(axis, 1.0, 0.0), (_second_axis(joint), 1.0, 0.0)]
    if joint.type == "screw":
        return [(axis, 1.0, joint.pitch)]
    return [(axis, 0.0, 1.0) if joint.type == "prismatic" else (axis, 1.0, 0.0)]


def _second_axis(joint: TreeJoint) -> FloatArray:
    """The second axis of a universal joint, checked."""
    axis = joint.second_axis
    if axis is None or np.shape(axis) != (3,) or not abs(np.linalg.norm(axis) - 1.0) < UNIT:
        raise ModelError(
            f"joint '{joint.name}': a universal joint needs second_axis, a unit vector (3,); "
            f"got {axis!r}"
        )
    if np.linalg.norm(np.cross(axis, joint.axis)) < PARALLEL:
        raise ModelError(
            f"joint '{joint.name}': the two axes of a universal joint must not be parallel"
        )
    return axis


def _along_z(axis: FloatArray) -> FloatArray:
    """joint_from_frame (4, 4), a turn that puts the frame's z along the axis.

    It holds only 0, 1 and -1 where the axis is one of the joint frame's own.
    """
    z = axis / np.linalg.norm(axis)
    y = np.cross(z, np.eye(3)[np.argmin(np.abs(z))])
    y /= np.linalg.norm(y)
    return transform(np.stack((np.cross(y, z), y, z), axis=-1), np.zeros(3))


def _scalar_features(parent_from_frame: FloatArray, turn: float, slide: float) -> FloatArray:
    """(4, 16): parent_from_frame(x) = f0 + f1 sin x + f2 cos x + f3 x, each a flat 4x4.

    A turn by x about z and a slide along z, after parent_from_frame at x = 0; turn is 0 or 1.
    """
    parts = np.zeros((4, 4, 4))
    parts[0] = np.eye(4)
    if turn:
        parts[0, :2, :2] = 0.0
        parts[1, :2, :2] = ((0.0, -1.0), (1.0, 0.0))
        parts[2, :2, :2] = np.eye(2)
    parts[3, 2, 3] = slide
    return (parent_from_frame @ parts).reshape(4, 16)
