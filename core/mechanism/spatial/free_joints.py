"""Joints that leave the orientation free."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray
from ..arguments import number
from ..component import Component, JointEdge, Output, Space
from ..drawing import JOINT_COLOR, Scene
from ..free_state import (
    OrientationKind,
    Start,
    free_edge,
    orientation_outputs,
    relative_rotation,
    state_output,
)
from ..places import Places
from ..vectors import turned

if TYPE_CHECKING:
    from ..snapshot import Snapshot


class FreeJoint(Component):
    """What Spherical and FreeMotion share.

    Attributes:
        edge: the joint as the mechanism sees it; see `component.JointEdge`.
        orientation: the kind of its state.
    """

    space: ClassVar[Space] = "spatial"
    edge: JointEdge
    orientation: OrientationKind

    def __init__(self, name: str) -> None:
        super().__init__(name, ("frame_a", "frame_b"))

    def joint_edges(self) -> Sequence[JointEdge]:
        """Its own."""
        return (self.edge,)

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Orientation and angular velocity of frame_b against frame_a."""
        del places
        edge, rotation = self.edge, relative_rotation(self.edge)
        return {
            **orientation_outputs(rotation, state_output(edge), self.orientation),
            "w": lambda at: turned(rotation(at), at.velocities(edge)[..., :3]),
            "w_b": lambda at: at.velocities(edge)[..., :3],
            "wd": lambda at: turned(rotation(at), at.joint(edge)[2][..., :3]),
        }


class Spherical(FreeJoint):
    """A ball joint: the origins are together, the orientation is free.

    Variables, of frame_b against frame_a: R (…, 3, 3) from b to a, phi (…, 3) its Euler angles,
    Q its unit quaternion and Q_hat the state; w and its rate wd (…, 3) in the axes of frame_a,
    w_b in those of frame_b.

    Args:
        name: of the component.
        orientation_state: 'quaternion' (the default) or 'euler'; sequence: its axes, 'XYZ' or
            (1, 2, 3), or another of the twelve.
        phi0, R0, Q0: one of: initial Euler angles of `sequence`, rotation matrix (from b to a),
            quaternion of any length.
        w0, w_b0: one of: initial angular velocity in the axes of frame_a, of frame_b, rad/s.
        d: damping, N m s/rad: the torque is -d omega.
    """

    def __init__(
        self,
        name: str,
        *,
        orientation_state: str | None = None,
        sequence: str | ArrayLike = "XYZ",
        phi0: ArrayLike | None = None,
        R0: ArrayLike | None = None,  # noqa: N803
        Q0: ArrayLike | None = None,  # noqa: N803
        w0: ArrayLike | None = None,
        w_b0: ArrayLike | None = None,
        d: float = 0.0,
    ) -> None:
        super().__init__(name)
        self.orientation = OrientationKind.of(self.label, orientation_state, sequence)
        self.edge = free_edge(
            self,
            name,
            "spherical",
            (self.frame_a, self.frame_b),
            self.orientation,
            Start(phi0=phi0, R0=R0, Q0=Q0, w0=w0, w_b0=w_b0),
            number(self.label, "d", d, 0.0),
        )

    def drawn(self, scene: Scene) -> None:
        """A ball."""
        scene.ball(self, self.frame_a, color=JOINT_COLOR)


class FreeMotion(FreeJoint):
    """No constraint: frame_b moves freely against frame_a, and its motion is the state.

    Variables: r, v, a (…, 3), the position of frame_b in frame_a and its rates; and as for
    `Spherical` R, phi, Q, Q_hat, w, w_b, wd.

    Args:
        name: of the component.
        orientation_state, sequence, phi0, R0, Q0, w0, w_b0: as for `Spherical`.
        r0, v0: initial position in frame_a (3,) and its rate, m, m/s.
    """

    def __init__(
        self,
        name: str,
        *,
        orientation_state: str | None = None,
        sequence: str | ArrayLike = "XYZ",
        r0: ArrayLike | None = None,
        v0: ArrayLike | None = None,
        phi0: ArrayLike | None = None,
        R0: ArrayLike | None = None,  # noqa: N803
        Q0: ArrayLike | None = None,  # noqa: N803
        w0: ArrayLike | None = None,
        w_b0: ArrayLike | None = None,
    ) -> None:
        super().__init__(name)
        self.orientation = OrientationKind.of(self.label, orientation_state, sequence)
        self.edge = free_edge(
            self,
            name,
            "floating",
            (self.frame_a, self.frame_b),
            self.orientation,
            Start(r0, v0, phi0, R0, Q0, w0, w_b0),
        )

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also the position and its rates: p' = R u, p'' = R (u' + omega x u)."""
        edge, rotation = self.edge, relative_rotation(self.edge)

        def acceleration(at: Snapshot) -> FloatArray:
            _, v, a = at.joint(edge)
            return turned(rotation(at), a[..., 3:] + np.cross(v[..., :3], v[..., 3:]))

        return {
            **super().outputs(places),
            "r": lambda at: at.coordinates(edge)[..., :3],
            "v": lambda at: turned(rotation(at), at.velocities(edge)[..., 3:]),
            "a": acceleration,
        }
