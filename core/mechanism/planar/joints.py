"""Joints of planar mechanisms.

All take, besides what their class names, what acts inside a joint: d, friction, friction_speed,
stiffness, rest, rotor_inertia, gear_ratio; see `joint_part.inside`.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray, frozen
from ...tree import Coefficient
from ..arguments import array, direction, number
from ..axis_joints import (
    Limits,
    PlanePart,
    PrismaticPart,
    RevolutePart,
    axis_joint,
    refuse_limits,
)
from ..component import Space
from ..joint_part import given_of
from ..rigid import RigidPart, in_space

NORMAL = frozen(np.array([0.0, 0.0, 1.0]))


class Revolute(RevolutePart):
    """A hinge: frame_b is turned by phi against frame_a.

    Variables: phi, w, a, and tau, the torque that it passes on to frame_b, N m.

    Args:
        name: of the component.
        phi0, w0: initial angle and angular velocity, rad, rad/s.
        limits: (lower, upper), rad; None for none.
        inside: what acts inside, such as d, N m s/rad.
    """

    space: ClassVar[Space] = "planar"

    def __init__(
        self,
        name: str,
        *,
        phi0: float | None = None,
        w0: float | None = None,
        limits: Limits = None,
        **inside: Coefficient,
    ) -> None:
        super().__init__(name, NORMAL, phi0, w0, limits, inside)


class Continuous(Revolute):
    """A hinge that turns without limits, as URDF calls it; all else as `Revolute`."""

    def __init__(
        self,
        name: str,
        *,
        phi0: float | None = None,
        w0: float | None = None,
        **inside: Coefficient,
    ) -> None:
        refuse_limits(name, inside)
        super().__init__(name, phi0=phi0, w0=w0, limits=None, **inside)


class Prismatic(PrismaticPart):
    """A slide: frame_b is shifted by s along a direction of frame_a.

    Variables: s, v, a, and f, the force along the slide that it passes on to frame_b, N.

    Args:
        name: of the component.
        n: direction (2,) in frame_a, of any length but 0.
        s0, v0: initial position and velocity, m, m/s.
        limits: (lower, upper), m; None for none.
        inside: what acts inside, such as d, N s/m.
    """

    space: ClassVar[Space] = "planar"

    def __init__(
        self,
        name: str,
        *,
        n: ArrayLike = (1.0, 0.0),
        s0: float | None = None,
        v0: float | None = None,
        limits: Limits = None,
        **inside: Coefficient,
    ) -> None:
        self.n = direction(f"{type(self).__name__} '{name}'", "n", n, 2)
        super().__init__(name, frozen(in_space(self.n)), s0, v0, limits, inside)


class Free(PlanePart):
    """No constraint: frame_b is at (x, y) in frame_a, turned by phi.

    Variables: x, y, phi; v_x, v_y, w; a_x, a_y, wd.

    Args:
        name: of the component.
        r0, v0: initial (x, y) and their rates, m, m/s; phi0, w0: angle and its rate, rad, rad/s.
        inside: what acts inside, one number for all of (x, y, phi), or one for each.
    """

    space: ClassVar[Space] = "planar"

    def __init__(
        self,
        name: str,
        *,
        r0: ArrayLike | None = None,
        v0: ArrayLike | None = None,
        phi0: float | None = None,
        w0: float | None = None,
        **inside: Coefficient,
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        joint = axis_joint(owner, name, "planar", NORMAL, None, 3, inside)
        q = plane_state(owner, ("r0", r0), ("phi0", phi0))
        v = plane_state(owner, ("v0", v0), ("w0", w0))
        told = {"q": given_of(r0, r0, phi0), "v": given_of(v0, v0, w0)}
        super().__init__(name, joint, q, v, free=True, told=told)


class Planar(Free):
    """Another name of `Free`: in a plane, the planar joint constrains nothing."""


class Weld(RigidPart):
    """The fixed joint: frame_b is frame_a. It moves nothing.

    Between frames that must come together, such as those of a loop, WeldConstraint holds them.

    Args:
        name: of the component.
    """

    space: ClassVar[Space] = "planar"

    def __init__(self, name: str) -> None:
        super().__init__(name, np.eye(4))


def plane_state(
    owner: str, shift: tuple[str, ArrayLike | None], turn: tuple[str, float | None]
) -> FloatArray | None:
    """(3,) of a vector (2,) and a number; None where neither was given."""
    if shift[1] is None and turn[1] is None:
        return None
    out = np.zeros(3)
    if shift[1] is not None:
        out[:2] = array(owner, shift[0], shift[1], (2,))
    if turn[1] is not None:
        out[2] = number(owner, turn[0], turn[1])
    return out
