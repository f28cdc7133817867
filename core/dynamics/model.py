"""The compiled tree: a frozen struct of arrays that every function of `dynamics` reads.

A *frame* is a moving body of the tree: fixed links are merged into the frame that carries
them, and a joint of several degrees of freedom is a chain of frames with one each (a planar
joint: slide, slide, turn), except spherical and floating joints, which are one frame with
three and with six: the free frames. Frame 0 is the world. So every degree of freedom has a
constant unit twist in its own frame; where it is the only one, it is about or along the
frame's z.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import FloatArray, as_floats
from ..errors import ModelError
from ..tree import LIMITED_JOINT_TYPES, JointType

if TYPE_CHECKING:
    from .pose_plan import PosePlan
    from .workspaces import Workspaces

FLOATING_BASE = "floating_base"
IntArray = NDArray[np.intp]


@dataclass(frozen=True)
class Follower:
    """A coupled mimic joint: value = multiplier * value of the independent `leader` + offset."""

    leader: str
    multiplier: float
    offset: float


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """A tree of rigid bodies ready for evaluation; made by `compile_robot` or `compile_tree`.

    Frames: nf with the world as frame 0; scalar frames: ns, those with one degree of freedom;
    degrees of freedom: nd = nv plus those of coupled followers.
    """

    name: str
    link_names: tuple[str, ...]
    joint_names: tuple[str, ...]
    joint_types: Mapping[str, JointType]
    followers: Mapping[str, Follower]
    gravity: FloatArray  # (3,), m/s^2, world
    nq: int
    nv: int
    q_slices: Mapping[str, slice]
    v_slices: Mapping[str, slice]
    # frames
    parents: IntArray  # (nf,): the frame before each; the world's is itself
    scalar_frames: IntArray  # (ns,)
    scalar_features: FloatArray  # (ns, 4, 16): parent_from_frame of 1, sin x, cos x, x
    plain_q: IntArray  # (n,): the coordinates whose rates are velocities, and
    plain_v: IntArray  # (n,): these velocities
    coordinate_from_q: FloatArray | None  # (ns, nq); None where q is the coordinates as it is
    coordinate_offset: FloatArray  # (ns,)
    scalar_velocity: IntArray  # (ns,): the entry of v that drives the coordinate; -1 none
    free_frames: IntArray  # (nfree,): of spherical and floating joints
    free_parent_from_joint: FloatArray  # (nfree, 4, 4)
    free_sequences: tuple[str | None, ...]  # (nfree,): Euler sequence, None for a quaternion
    free_angular_v: IntArray  # (nfree, 3)
    floating_rows: IntArray  # (nfloating,): among the free frames
    floating_q: IntArray  # (nfloating, 3): positions
    floating_v: IntArray  # (nfloating, 3): linear velocities
    quaternion_rows: IntArray  # (nquaternions,): among the free frames
    quaternion_q: IntArray  # (nquaternions, 4)
    euler_rows: IntArray  # (neuler,): among the free frames
    euler_q: IntArray  # (neuler, 3)
    euler_axes: FloatArray  # (neuler, 3, 3): the axes of the three turns, by rows
    euler_features: FloatArray  # (neuler, 3, 3, 9): each turn of 1, sin, 1 - cos
    # degrees of freedom
    dof_frame: IntArray  # (nd,)
    dof_twist: FloatArray  # (nd, 6): constant unit twist in its frame
    dof_joint: tuple[str, ...]  # (nd,): the joint it belongs to
    scalar_dof: IntArray  # (ns,)
    dof_from_v: FloatArray | None  # (nd, nv); None where they are the same
    path: FloatArray  # (nf, nd): 1 where the degree of freedom moves the frame
    # bodies
    frame_pseudo_inertia: FloatArray  # (nf, 4, 4)
    link_frame: IntArray  # (n_links,)
    frame_from_link: FloatArray  # (n_links, 4, 4)
    armature: FloatArray | None  # (nd,): inertia of rotors, added to M; None where all are 0
    # passive forces, for each scalar frame
    damping: FloatArray  # (ns,)
    friction: FloatArray  # (ns,)
    friction_speed: FloatArray  # (ns,)
    stiffness: FloatArray  # (ns,)
    rest: FloatArray  # (ns,)
    effort: FloatArray  # (ns,): largest force of a motor, N m or N, inf where unlimited
    lower: FloatArray  # (ns,), -inf where unlimited
    upper: FloatArray  # (ns,)
    stop_inertia: FloatArray  # (ns,): inertia that a stop sees, kg m^2 or kg
    stop_depth: FloatArray  # (ns,): depth over which a stop's damper engages, rad or m
    free_damping: FloatArray  # (nfree, 3): of the turning velocity, N m s/rad
    massless: tuple[str, ...]  # joints that move no inertia

    def __repr__(self) -> str:
        return (
            f"<Model {self.name!r}: {len(self.link_names)} links, "
            f"{len(self.joint_types)} moving joints, nq {self.nq}, nv {self.nv}>"
        )

    def __getstate__(self) -> dict[str, Any]:
        # copies and pickles start with workspaces of their own
        return {name: value for name, value in vars(self).items() if name != "workspaces"}

    @cached_property
    def pose_plan(self) -> PosePlan:
        """How the poses of the frames are composed."""
        from .pose_plan import plan_poses  # it needs this module

        return plan_poses(self)

    @cached_property
    def workspaces(self) -> Workspaces:
        """Memory for evaluations, used again from one to the next."""
        from .workspaces import Workspaces  # it needs this module

        return Workspaces(self)

    def q_index(self, joint: str) -> slice:
        """Where a joint's coordinates stand in q.

        Raises:
            ModelError: for a coupled follower (naming its leader) and for an unknown joint.
        """
        return self._index(joint, self.q_slices)

    def v_index(self, joint: str) -> slice:
        """Where a joint's velocities stand in v; errors as `q_index`."""
        return self._index(joint, self.v_slices)

    def joint_type(self, joint: str) -> JointType:
        """The type of a moving joint, followers included; errors as `q_index`."""
        if joint not in self.joint_types:
            raise ModelError(self._unknown(joint))
        return self.joint_types[joint]

    def neutral(self) -> FloatArray:
        """q (nq,) with every joint at 0 and quaternions at identity."""
        q = np.zeros(self.nq)
        q[self.quaternion_q[:, 0]] = 1.0
        return q

    def limits(self) -> tuple[FloatArray, FloatArray]:
        """Bounds of q: (lower, upper), each (nq,), infinite where there are none."""
        lower, upper = np.full(self.nq, -np.inf), np.full(self.nq, np.inf)
        scalar = {int(dof): index for index, dof in enumerate(self.scalar_dof)}
        for joint, where in self.q_slices.items():
            if self.joint_types[joint] in LIMITED_JOINT_TYPES:
                index = scalar[self.dof_joint.index(joint)]
                lower[where], upper[where] = self.lower[index], self.upper[index]
        return lower, upper

    def effort_limits(self) -> FloatArray:
        """The largest force of a motor at each velocity (nv,), N m or N, infinite for none."""
        out = np.full(self.nv, np.inf)
        moved = self.scalar_velocity >= 0
        out[self.scalar_velocity[moved]] = self.effort[moved]
        return out

    def clamped(self, q: ArrayLike) -> FloatArray:
        """q (…, nq) with each limited joint moved to the nearest value inside its bounds."""
        return np.clip(as_floats(q, (self.nq,), "q"), *self.limits())

    def joint_values(self, q: ArrayLike) -> dict[str, FloatArray]:
        """The coordinates (…, n) of all moving joints, coupled followers included, by name."""
        states = as_floats(q, (self.nq,), "q")
        values = {joint: states[..., where] for joint, where in self.q_slices.items()}
        still = np.zeros((*states.shape[:-1], 1))  # a leader that is a fixed joint
        for joint, follower in self.followers.items():
            leader = values.get(follower.leader, still)
            values[joint] = follower.multiplier * leader + follower.offset
        return values

    def _index(self, joint: str, slices: Mapping[str, slice]) -> slice:
        if joint in slices:
            return slices[joint]
        if joint in self.followers:
            follower = self.followers[joint]
            raise ModelError(
                f"{self.name}: joint '{joint}' follows '{follower.leader}' and has no coordinate "
                f"of its own; use '{follower.leader}', or compile with mimic='independent'"
            )
        raise ModelError(self._unknown(joint))

    def _unknown(self, joint: str) -> str:
        return f"{self.name}: no moving joint '{joint}'; there are: {', '.join(self.joint_types)}"
