"""Joints in space with axes.

All take, besides what their class names, what acts inside a joint: d, friction, friction_speed,
stiffness, rest, rotor_inertia, gear_ratio; see `joint_part.inside`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...errors import ArgumentError
from ...tree import Coefficient
from ..arguments import direction, number
from ..axis_joints import (
    Limits,
    PlanePart,
    PrismaticPart,
    RevolutePart,
    axis_joint,
    refuse_limits,
)
from ..component import Output, Space
from ..drawing import JOINT_COLOR, Scene, along
from ..joint_part import JointPart, given_of, initial
from ..places import Places
from ..planar.joints import plane_state
from ..rigid import RigidPart

PARALLEL = 1e-6  # sine of the angle between two axes that count as one


class Revolute(RevolutePart):
    """A hinge: frame_b is turned by phi about n against frame_a.

    Variables: phi, w, a, and tau, the torque about n that it passes on to frame_b, N m.

    Args:
        name: of the component.
        n: axis (3,), in frame_a and in frame_b, of any length but 0.
        phi0, w0: initial angle and angular velocity, rad, rad/s.
        limits: (lower, upper), rad; None for none.
        inside: what acts inside, such as d, N m s/rad.
    """

    space: ClassVar[Space] = "spatial"

    def __init__(
        self,
        name: str,
        *,
        n: ArrayLike = (0.0, 0.0, 1.0),
        phi0: float | None = None,
        w0: float | None = None,
        limits: Limits = None,
        **inside: Coefficient,
    ) -> None:
        self.n = direction(f"{type(self).__name__} '{name}'", "n", n, 3)
        super().__init__(name, self.n, phi0, w0, limits, inside)


class Continuous(Revolute):
    """A hinge that turns without limits, as URDF calls it; all else as `Revolute`."""

    def __init__(
        self,
        name: str,
        *,
        n: ArrayLike = (0.0, 0.0, 1.0),
        phi0: float | None = None,
        w0: float | None = None,
        **inside: Coefficient,
    ) -> None:
        refuse_limits(name, inside)
        super().__init__(name, n=n, phi0=phi0, w0=w0, limits=None, **inside)


class Prismatic(PrismaticPart):
    """A slide: frame_b is shifted by s along n of frame_a.

    Variables: s, v, a, and f, the force along n that it passes on to frame_b, N.

    Args:
        name: of the component.
        n: direction (3,) in frame_a, of any length but 0.
        s0, v0: initial position and velocity, m, m/s.
        limits: (lower, upper), m; None for none.
        inside: what acts inside, such as d, N s/m.
    """

    space: ClassVar[Space] = "spatial"

    def __init__(
        self,
        name: str,
        *,
        n: ArrayLike = (1.0, 0.0, 0.0),
        s0: float | None = None,
        v0: float | None = None,
        limits: Limits = None,
        **inside: Coefficient,
    ) -> None:
        self.n = direction(f"{type(self).__name__} '{name}'", "n", n, 3)
        super().__init__(name, self.n, s0, v0, limits, inside)


class Planar(PlanePart):
    """Slides x and y in a plane of frame_a, and a turn phi about its normal.

    x and y are along the images of frame_a's x and y under the smallest turn of z to n.
    Variables: x, y, phi; v_x, v_y, w; a_x, a_y, wd.

    Args:
        name: of the component.
        n: normal (3,) in frame_a, of any length but 0.
        r0, v0: initial (x, y) and their rates, m, m/s; phi0, w0: angle and its rate, rad, rad/s.
        inside: what acts inside, one number for all of (x, y, phi), or one for each.
    """

    space: ClassVar[Space] = "spatial"

    def __init__(
        self,
        name: str,
        *,
        n: ArrayLike = (0.0, 0.0, 1.0),
        r0: ArrayLike | None = None,
        v0: ArrayLike | None = None,
        phi0: float | None = None,
        w0: float | None = None,
        **inside: Coefficient,
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        self.n = direction(owner, "n", n, 3)
        joint = axis_joint(owner, name, "planar", self.n, None, 3, inside)
        q = plane_state(owner, ("r0", r0), ("phi0", phi0))
        told = {"q": given_of(r0, r0, phi0), "v": given_of(v0, v0, w0)}
        super().__init__(name, joint, q, plane_state(owner, ("v0", v0), ("w0", w0)), told=told)

    def drawn(self, scene: Scene) -> None:
        """A small box that moves in the plane."""
        edges = (0.08 * scene.size, 0.08 * scene.size, 0.03 * scene.size)
        scene.solid(self, "box", self.frame_b, along(self.n), edges, JOINT_COLOR)


class Cylindrical(JointPart):
    """A turn by phi about n and a slide by s along it.

    Variables: phi, w, wd; s, v, a.

    Args:
        name: of the component.
        n: axis (3,), in frame_a and in frame_b, of any length but 0.
        phi0, w0: initial angle and its rate, rad, rad/s; s0, v0: initial slide, m, m/s.
        inside: what acts inside, one number for both of (phi, s), or one for each.
    """

    space: ClassVar[Space] = "spatial"
    names: Sequence[tuple[str, str, str]] = (("phi", "w", "wd"), ("s", "v", "a"))

    def __init__(
        self,
        name: str,
        *,
        n: ArrayLike = (1.0, 0.0, 0.0),
        phi0: float | None = None,
        w0: float | None = None,
        s0: float | None = None,
        v0: float | None = None,
        **inside: Coefficient,
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        self.n = direction(owner, "n", n, 3)
        joint = axis_joint(owner, name, "cylindrical", self.n, None, 2, inside)
        q = initial(owner, [("phi0", phi0), ("s0", s0)])
        told = {"q": given_of(phi0, s0), "v": given_of(w0, v0)}
        super().__init__(name, joint, q, initial(owner, [("w0", w0), ("v0", v0)]), told=told)

    def drawn(self, scene: Scene) -> None:
        """A pin, and the rod that it slides along."""
        scene.pin(self, self.frame_b, self.n)
        scene.rail(self, self.frame_a, self.frame_b)


class Screw(JointPart):
    """A turn by phi about n that slides by s = pitch phi along it.

    Variables: phi, w, wd; s, v, a.

    Args:
        name: of the component.
        pitch: m/rad, of the slide along n for a positive turn about n.
        n: axis (3,), in frame_a and in frame_b, of any length but 0.
        phi0, w0: initial angle and its rate, rad, rad/s.
        limits: (lower, upper) of phi, rad; None for none.
        inside: what acts inside, of the turn, such as d, N m s/rad.
    """

    space: ClassVar[Space] = "spatial"
    names: Sequence[tuple[str, str, str]] = (("phi", "w", "wd"),)

    def __init__(
        self,
        name: str,
        *,
        pitch: float,
        n: ArrayLike = (1.0, 0.0, 0.0),
        phi0: float | None = None,
        w0: float | None = None,
        limits: Limits = None,
        **inside: Coefficient,
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        self.n, self.pitch = direction(owner, "n", n, 3), number(owner, "pitch", pitch)
        joint = axis_joint(owner, name, "screw", self.n, limits, 1, inside)
        q, v = initial(owner, [("phi0", phi0)]), initial(owner, [("w0", w0)])
        super().__init__(name, replace(joint, pitch=self.pitch), q, v)

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also the slide, which is the turn times the pitch."""
        turns = super().outputs(places)
        slides = zip(("s", "v", "a"), ("phi", "w", "wd"), strict=True)
        return {**turns, **{slide: _scaled(turns[turn], self.pitch) for slide, turn in slides}}

    def drawn(self, scene: Scene) -> None:
        """A pin, and the rod that it slides along."""
        scene.pin(self, self.frame_b, self.n)
        scene.rail(self, self.frame_a, self.frame_b)


class Universal(JointPart):
    """A turn by phi_a about n_a of frame_a, then by phi_b about n_b of frame_b.

    Variables: phi_a, w_a, wd_a; phi_b, w_b, wd_b; phi, w and wd (…, 2) are both.

    Args:
        name: of the component.
        n_a, n_b: axes (3,), of any length but 0 and in different directions.
        phi_a0, phi_b0, w_a0, w_b0: initial angles and their rates, rad, rad/s.
        inside: what acts inside, one number for both of (phi_a, phi_b), or one for each.
    """

    space: ClassVar[Space] = "spatial"
    names: Sequence[tuple[str, str, str]] = (("phi_a", "w_a", "wd_a"), ("phi_b", "w_b", "wd_b"))

    def __init__(
        self,
        name: str,
        *,
        n_a: ArrayLike = (1.0, 0.0, 0.0),
        n_b: ArrayLike = (0.0, 1.0, 0.0),
        phi_a0: float | None = None,
        phi_b0: float | None = None,
        w_a0: float | None = None,
        w_b0: float | None = None,
        **inside: Coefficient,
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        self.n_a, self.n_b = direction(owner, "n_a", n_a, 3), direction(owner, "n_b", n_b, 3)
        if np.linalg.norm(np.cross(self.n_a, self.n_b)) < PARALLEL:
            raise ArgumentError(f"{owner}: n_b: wanted another direction than n_a, got {n_b!r}")
        joint = axis_joint(owner, name, "universal", self.n_a, None, 2, inside)
        q = initial(owner, [("phi_a0", phi_a0), ("phi_b0", phi_b0)])
        v = initial(owner, [("w_a0", w_a0), ("w_b0", w_b0)])
        told = {"q": given_of(phi_a0, phi_b0), "v": given_of(w_a0, w_b0)}
        super().__init__(name, replace(joint, second_axis=self.n_b), q, v, told=told)

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also both turns together."""
        edge = self.edge
        return {
            **super().outputs(places),
            "phi": lambda at: at.coordinates(edge),
            "w": lambda at: at.velocities(edge),
            "wd": lambda at: at.joint(edge)[2],
        }

    def drawn(self, scene: Scene) -> None:
        """A pin for each turn."""
        scene.pin(self, self.frame_a, self.n_a)
        scene.pin(self, self.frame_b, self.n_b)


class Weld(RigidPart):
    """The fixed joint: frame_b is frame_a. It moves nothing.

    Between frames that must come together, such as those of a loop, WeldConstraint holds them.

    Args:
        name: of the component.
    """

    space: ClassVar[Space] = "spatial"

    def __init__(self, name: str) -> None:
        super().__init__(name, np.eye(4))


def _scaled(output: Output, factor: float) -> Output:
    return lambda at: factor * output(at)
