"""Where each joint of a tree stands: frames, degrees of freedom, places in q and v."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..arrays import FloatArray
from ..frames import cross_matrix
from ..mechanism import JointType, TreeJoint, planar_axes
from .model import COORDINATES, VELOCITIES


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
    free_frames: list[int] = field(default_factory=list)
    free_parent: list[FloatArray] = field(default_factory=list)
    free_q: list[range] = field(default_factory=list)
    free_v: list[range] = field(default_factory=list)
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
        if joint.type == "floating":
            return self.add_free(joint, parent_frame, frame_from_joint), np.eye(4)
        q, v = self._claim(joint, follows)
        offset = frame_from_joint
        for index, (turns, axis) in enumerate(_steps(joint)):
            entry = (-1, -1) if follows else (q + index, v + index)
            parent_frame = self._add_scalar(joint, parent_frame, offset, turns, axis, entry)
            offset = np.eye(4)
        return parent_frame, np.eye(4)

    def add_free(self, joint: TreeJoint, parent_frame: int, frame_from_joint: FloatArray) -> int:
        """Append one frame with six degrees of freedom; returns it."""
        q, v = self._claim(joint, follows=False)
        frame = self._new_frame(parent_frame)
        self.free_frames.append(frame)
        self.free_parent.append(frame_from_joint)
        self.free_q.append(range(q, q + 7))
        self.free_v.append(range(v, v + 6))
        for index in range(6):
            self._new_dof(joint, frame, np.eye(6)[index], v + index)
        return frame

    def _claim(self, joint: TreeJoint, follows: bool) -> tuple[int, int]:
        """Give a joint its places in q and v; returns where they start."""
        self.joint_types[joint.name] = joint.type
        q, v = self.nq, self.nv
        if not follows:
            self.nq, self.nv = q + COORDINATES[joint.type], v + VELOCITIES[joint.type]
            self.q_slices[joint.name] = slice(q, self.nq)
            self.v_slices[joint.name] = slice(v, self.nv)
        return q, v

    def _add_scalar(
        self,
        joint: TreeJoint,
        parent_frame: int,
        parent_from_frame: FloatArray,
        turns: bool,
        axis: FloatArray,
        entry: tuple[int, int],
    ) -> int:
        frame = self._new_frame(parent_frame)
        self.scalar_frames.append(frame)
        self.features.append(_scalar_features(parent_from_frame, turns, axis))
        self.scalar_joints.append(joint)
        self.scalar_q.append(entry[0])
        self.scalar_v.append(entry[1])
        self.scalar_turns.append(turns)
        self.scalar_dof.append(len(self.dof_frame))
        still = np.zeros(3)
        twist = np.concatenate((axis, still) if turns else (still, axis))
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


def _steps(joint: TreeJoint) -> list[tuple[bool, FloatArray]]:
    """The chain of one-degree steps that a joint is: (turns, axis in the joint frame)."""
    if joint.type == "planar":
        e1, e2 = planar_axes(joint.axis)
        return [(False, e1), (False, e2), (True, joint.axis)]
    return [(joint.type != "prismatic", joint.axis)]


def _scalar_features(parent_from_frame: FloatArray, turns: bool, axis: FloatArray) -> FloatArray:
    """(4, 16): parent_from_frame(x) = f0 + f1 sin x + f2 (1 - cos x) + f3 x, each a flat 4x4."""
    parts = np.zeros((4, 4, 4))
    parts[0] = np.eye(4)
    if turns:
        skew = cross_matrix(axis)
        parts[1, :3, :3], parts[2, :3, :3] = skew, skew @ skew
    else:
        parts[3, :3, 3] = axis
    return (parent_from_frame @ parts).reshape(4, 16)
