"""Torsion springs and dampers, between two frames or on a joint, in a plane and in space."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from ...arrays import FloatArray
from ...errors import ArgumentError
from ..arguments import number
from ..component import Component, Forces, Output
from ..motors.drive_parts import drive
from ..motors.drives import JointDrives
from ..motors.joint_choice import Joint, checked_joint, place_of
from ..places import Places
from .ports import Ports
from .signals import Signal
from .turn_rows import TurnRow, turn_row
from .turns import TurnForces

if TYPE_CHECKING:
    from ..snapshot import Snapshot

Turn = Callable[["Snapshot"], tuple[FloatArray, FloatArray]]  # phi and w, (…)


class TurnPart(Component):
    """tau = c (phi_rel - phi_rel0) + d w_rel, which turns two frames back towards each other.

    Variables: phi_rel, w_rel (rad, rad/s), of frame_b against frame_a or of the joint; tau, N m,
    positive where it turns frame_b back; energy, stored, J; lossPower, that it takes out of the
    motion, W.
    """

    needs: ClassVar[Literal["all", "any", "none"]] = "all"

    def __init__(
        self,
        name: str,
        axis: FloatArray,
        joint: Joint | None,
        c: float,
        phi_rel0: float,
        d: float,
    ) -> None:
        super().__init__(name, () if joint is not None else ("frame_a", "frame_b"))
        self.axis = axis
        self.joint = None if joint is None else checked_joint(self.label, joint)
        self.c = number(self.label, "c", c, 0.0)
        self.phi_rel0 = number(self.label, "phi_rel0", phi_rel0)
        self.d = number(self.label, "d", d, 0.0)

    def forces(self, places: Places) -> Forces:
        """On its two frames, or along the coordinate of its joint."""
        if self.joint is not None:
            return Forces(joint_forces=(self._on_joint(self.joint, places),))
        return Forces(frame_forces=((self._on_frames(places), (self.frame_a, self.frame_b)),))

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Angle, rate, torque, energy and loss."""
        turn = self._turn(places)

        def torque(at: Snapshot) -> FloatArray:
            phi, w = turn(at)
            return self.c * (phi - self.phi_rel0) + self.d * w

        return {
            "phi_rel": lambda at: turn(at)[0],
            "w_rel": lambda at: turn(at)[1],
            "tau": torque,
            "energy": lambda at: 0.5 * self.c * (turn(at)[0] - self.phi_rel0) ** 2,
            "lossPower": lambda at: self.d * turn(at)[1] ** 2,
        }

    def _turn(self, places: Places) -> Turn:
        if self.joint is not None:
            edge = place_of(self.label, self.joint, places).edge
            return lambda at: (at.coordinates(edge)[..., 0], at.velocities(edge)[..., 0])
        law = self._on_frames(places)

        def of_frames(at: Snapshot) -> tuple[FloatArray, FloatArray]:
            state = law.state(at.moment)
            return state.phi[..., 0], state.w[..., 0]

        return of_frames

    def _on_joint(self, joint: Joint, places: Places) -> JointDrives:
        place = place_of(self.label, joint, places)
        if place.edge.joint.type == "prismatic":
            raise ArgumentError(
                f"{places.assembly.name}: {self.label}: joint: wanted a joint that turns, got "
                f"{place.edge.label}; connect a Spring or Damper between its frames"
            )
        constants = (("tau", 0.0), ("phi_ref", self.phi_rel0), ("w_ref", 0.0))
        signals = {name: Signal.of(self.label, name, value, ()) for name, value in constants}
        return drive(
            places.model.nv,
            place,
            tau=signals["tau"],
            phi_ref=signals["phi_ref"],
            w_ref=signals["w_ref"],
            kp=self.c,
            kd=self.d,
            limit=np.inf,
            spring=True,
        )

    def _on_frames(self, places: Places) -> TurnForces:
        ends = places.frame(self.frame_a), places.frame(self.frame_b)
        row = self._row(places)
        nothing = np.zeros(places.model.nq)
        return TurnForces(
            Ports.of(ends),
            self.axis[None],
            (self.axis if row is None else row.axis_in_b)[None],
            np.array([row is not None]),
            (nothing if row is None else row.row)[None],
            np.array([0.0 if row is None else row.offset]),
            *(np.array([value]) for value in (self.c, self.phi_rel0, self.d)),
        )

    def _row(self, places: Places) -> TurnRow | None:
        """The angle as a sum of joint coordinates, where it is one."""
        if self.space == "planar":
            angles, node = places.angles, places.assembly.graph.node
            (row_a, offset_a), (row_b, offset_b) = (angles[node[f]] for f in self.frames)
            return TurnRow(row_b - row_a, offset_b - offset_a, self.axis)
        ends = places.frame(self.frame_a), places.frame(self.frame_b)
        return turn_row(places.model, *ends, self.axis)
