"""A mechanism at one instant or at many: what its variables are computed from.

Everything is worked out when it is first asked for, for all times in one batch. Positions,
velocities, accelerations and wrenches are in world axes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray
from ..dynamics.spatial import CROSS, INERTIA_FROM_PSEUDO, motion_cross
from ..phased_motion import parts_of
from .component import JointEdge
from .constraint_wrenches import exerted
from .frame import Frame

if TYPE_CHECKING:
    from ..dynamics import Moment
    from ..dynamics.constraints.outputs import ConstraintOutput
    from ..dynamics.system import Response
    from ..motion import Motion
    from .balance import Flow
    from .compiled import Compiled
    from .contacts.touch_forces import Touch, TouchForces
    from .cut_joints import CutJoint

ORIGIN = (0.0, 0.0, 0.0)
# what the constraint of a name tells at times t (…), s
Told = Callable[[str, FloatArray], "ConstraintOutput"]
# accelerations (…, nv) of the model at times t (…), s
Slopes = Callable[[FloatArray], FloatArray]
# the coordinates of a cut joint with all turns, out of what poses tell at times t (…), s
Follow = Callable[["CutJoint", FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """State and everything that follows from it.

    Attributes:
        compiled: the mechanism.
        t: (…), s; q: (…, nq); v: (…, nv), of the model.
        motion: the equations of motion.
        told: what constraints tell; None of an instant that is part of no motion.
        follow: how often cut joints have turned; None where that does not matter.
        slopes: accelerations that are not those of the equations of motion, as those of time
            stepping, which are slopes of v; None where they are.
        touching: the contact forces of time stepping.
    """

    compiled: Compiled
    t: FloatArray
    q: FloatArray
    v: FloatArray
    motion: Motion
    told: Told | None = None
    follow: Follow | None = None
    slopes: Slopes | None = None
    touching: TouchForces | None = None

    @cached_property
    def moment(self) -> Moment:
        """Kinematics of all frames of the model, as force elements see it."""
        return self.compiled.system.moment(self.t, self.q, self.v)

    @cached_property
    def _solved(self) -> Response:
        return self.motion.respond(self.moment)

    @cached_property
    def _constraints(self) -> dict[str, ConstraintOutput]:
        return {}

    def constraint(self, name: str) -> ConstraintOutput:
        """What a constraint of the system tells: displacement, velocity, equation and force.

        The force (…, n) is lambda, with M a + J^T lambda = f.

        Raises:
            ModelError: for an unknown constraint, listing those that exist.
        """
        assert self.told is not None
        if name not in self._constraints:
            self._constraints[name] = self.told(name, self.t)
        return self._constraints[name]

    @property
    def a(self) -> FloatArray:
        """Accelerations (…, nv) of the model."""
        return self._solved.a if self.slopes is None else self.slopes(self.t)

    @property
    def drive(self) -> FloatArray:
        """Forces (…, nv) that hold prescribed coordinates to their motion; 0 elsewhere."""
        return self._solved.drive

    def touch(self, name: str) -> Touch:
        """What acts between the sides of a contact component, of time stepping."""
        assert self.touching is not None
        return self.touching.touch(name, self.t)

    @cached_property
    def accelerations(self) -> FloatArray:
        """Of all frames of the model (…, nf, 6), at the world origin: the rates of twists."""
        model, at = self.compiled.model, self.moment
        mapped = model.dof_from_v
        rates = self.v if mapped is None else self.v @ mapped.T
        gains = self.a if mapped is None else self.a @ mapped.T
        cross = motion_cross(at.velocities)[..., model.dof_frame, :, :]
        turning = (cross @ (at.tableau.twists * rates[..., None])[..., None])[..., 0]
        out: FloatArray = model.path @ (at.tableau.twists * gains[..., None] + turning)
        return out

    @cached_property
    def loads(self) -> FloatArray:
        """What each mass needs (…, nm, 6): I A + V x* I V - weight, at the world origin."""
        balance, model = self.compiled.balance, self.compiled.model
        carriers = self.moment.poses[..., balance.carrier, :, :]
        inertia = carriers @ balance.pseudo_inertia @ carriers.swapaxes(-1, -2)
        matrix = (inertia.reshape(*inertia.shape[:-2], 16) @ INERTIA_FROM_PSEUDO).reshape(
            *inertia.shape[:-2], 6, 6
        )
        acceleration = self.accelerations[..., balance.carrier, :].copy()
        acceleration[..., 3:] -= model.gravity
        velocity = self.moment.velocities[..., balance.carrier, :]
        momentum = matrix @ velocity[..., None]
        turning = motion_cross(velocity).swapaxes(-1, -2) @ momentum
        out: FloatArray = (matrix @ acceleration[..., None] - turning)[..., 0]
        return out

    @cached_property
    def wrenches(self) -> FloatArray:
        """What acts through frames (…, frames, 6): torque, force, at the world origin."""
        return self._balanced(self.compiled.balance.through)

    @cached_property
    def passed(self) -> FloatArray:
        """What edges pass on (…, edges, 6), at the world origin."""
        return self._balanced(self.compiled.balance.passed)

    @cached_property
    def _acting(self) -> FloatArray:
        """The wrenches (…, k, 6) of all force elements."""
        elements = self.compiled.system.frame_forces
        return np.concatenate([e.wrenches(self.moment) for e in elements], axis=-2)

    @cached_property
    def _pulls(self) -> FloatArray:
        """The wrenches (…, c, 6) of all constraints, by columns."""
        columns, at = self.compiled.balance.columns, self.moment
        out = np.zeros((*self.t.shape, len(columns), 6))
        for motion, where in parts_of(self.motion, self.t):
            system, part, response = motion.system, at, self._solved
            if motion is not self.motion:
                part = system.moment(self.t[where], at.q[where], at.v[where])
                response = motion.respond(part)
            multipliers, rows = response.multipliers, system.rows
            if rows is not None:
                own = {name: multipliers[..., index] for name, index in rows.where.items()}
                out[where] = exerted(system, part, own, columns)
        return out

    def _balanced(self, flow: Flow) -> FloatArray:
        out: FloatArray = flow.loads @ self.loads
        if flow.forces.shape[1]:
            out = out + flow.forces @ self._acting
        if flow.columns.shape[1]:
            out = out + flow.columns @ self._pulls
        return out

    def pose(self, frame: Frame) -> FloatArray:
        """world_from_frame (…, 4, 4)."""
        carrier, carrier_from_frame = self.compiled.places.frame(frame)
        out: FloatArray = self.moment.poses[..., carrier, :, :] @ carrier_from_frame
        return out

    def rotation(self, frame: Frame) -> FloatArray:
        """world_from_frame_rot (…, 3, 3)."""
        return self.pose(frame)[..., :3, :3]

    def position(self, frame: Frame, point: ArrayLike = ORIGIN) -> FloatArray:
        """Of the frame's origin, or of a point (3,) in the frame: (…, 3), m."""
        homogeneous = np.append(np.asarray(point, dtype=np.float64), 1.0)
        out: FloatArray = (self.pose(frame) @ homogeneous)[..., :3]
        return out

    def angle(self, frame: Frame) -> FloatArray:
        """Of a planar frame (…), rad, with all its turns: the sum over the joints before it."""
        row, offset = self.compiled.angles[self.compiled.assembly.graph.node[frame]]
        out: FloatArray = self.q @ row + offset
        return out

    def angular_velocity(self, frame: Frame) -> FloatArray:
        """(…, 3), rad/s."""
        return self._of(self.moment.velocities, frame)[..., :3]

    def velocity(self, frame: Frame, point: ArrayLike = ORIGIN) -> FloatArray:
        """Of the origin, or of a point (3,) fixed in the frame: v + omega x p, (…, 3), m/s."""
        twist = self._of(self.moment.velocities, frame)
        return twist[..., 3:] + cross(twist[..., :3], self.position(frame, point))

    def angular_acceleration(self, frame: Frame) -> FloatArray:
        """(…, 3), rad/s^2."""
        return self._of(self.accelerations, frame)[..., :3]

    def acceleration(self, frame: Frame, point: ArrayLike = ORIGIN) -> FloatArray:
        """Of the origin, or of a point (3,) fixed in the frame, (…, 3), m/s^2.

        a + alpha x p + omega x (v + omega x p), with a, v the linear parts at the world origin.
        """
        rate, place = self._of(self.accelerations, frame), self.position(frame, point)
        omega = self.angular_velocity(frame)
        centripetal = cross(omega, self.velocity(frame, point))
        return rate[..., 3:] + cross(rate[..., :3], place) + centripetal

    def force(self, frame: Frame) -> FloatArray:
        """What acts on the component through its frame (…, 3), N."""
        return self.wrenches[..., self.compiled.balance.frames[frame], 3:]

    def torque(self, frame: Frame) -> FloatArray:
        """What acts on the component through its frame, about the frame's origin (…, 3), N m."""
        wrench = self.wrenches[..., self.compiled.balance.frames[frame], :]
        return wrench[..., :3] - cross(self.position(frame), wrench[..., 3:])

    def joint_wrench(self, edge: JointEdge) -> tuple[FloatArray, FloatArray]:
        """Force (…, 3) that a joint exerts on what follows frame_b, and torque about its origin."""
        row, backwards = self.compiled.balance.edges[edge]
        wrench = -self.passed[..., row, :] if backwards else self.passed[..., row, :]
        torque = wrench[..., :3] - cross(self.position(edge.frame_b), wrench[..., 3:])
        return wrench[..., 3:], torque

    def joint(self, edge: JointEdge) -> tuple[FloatArray, FloatArray, FloatArray]:
        """q (…, nq), v and a (…, nv) of a joint, as it was given from frame_a to frame_b."""
        cut = self.compiled.cut_joints.get(edge)
        if cut is not None:
            return self._followed(cut), cut.velocities(self), cut.accelerations(self)
        return self.compiled.places.joint(edge).state(self.q, self.v, self.a)

    def coordinates(self, edge: JointEdge) -> FloatArray:
        """q (…, nq) of a joint; needs no accelerations, as `joint` does."""
        cut = self.compiled.cut_joints.get(edge)
        if cut is not None:
            return self._followed(cut)
        still = np.zeros_like(self.v)
        return self.compiled.places.joint(edge).state(self.q, still, still)[0]

    def velocities(self, edge: JointEdge) -> FloatArray:
        """v (…, nv) of a joint; needs no accelerations, as `joint` does."""
        cut = self.compiled.cut_joints.get(edge)
        if cut is not None:
            return cut.velocities(self)
        return self.compiled.places.joint(edge).state(self.q, self.v, np.zeros_like(self.v))[1]

    def _followed(self, cut: CutJoint) -> FloatArray:
        q = cut.coordinates(self)
        return q if self.follow is None else self.follow(cut, self.t, q)

    def _of(self, values: FloatArray, frame: Frame) -> FloatArray:
        return values[..., self.compiled.places.frame(frame)[0], :]


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """a x b of vectors (…, 3)."""
    matrix = (a @ CROSS).reshape(*a.shape, 3)
    out: FloatArray = (matrix @ b[..., None])[..., 0]
    return out
