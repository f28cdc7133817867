"""Planar rigid bodies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray
from ...tree import TreeJoint
from ..arguments import array, number
from ..component import JointEdge, Output, Root, Space
from ..joint_part import given_of
from ..massive import MassivePart
from ..places import Places
from ..rigid import in_space, planar_pose
from ..shapes import Color


class PlanarBody(MassivePart):
    """What Body and BodyShape share: mass, free motion, variables.

    Variables, all in the world: r, v, a (…, 2) of frame_a; r_cm, v_cm, a_cm (…, 2) of the centre
    of mass; phi, w, wd (…), rad, rad/s, rad/s^2.
    """

    space: ClassVar[Space] = "planar"

    def __init__(
        self,
        name: str,
        m: float,
        I: float,  # noqa: E741, N803
        r_cm: ArrayLike,
        a_from_b: FloatArray | None,
        start: tuple[ArrayLike | None, ArrayLike | None, float | None, float | None],
        look: tuple[float | None, Color | None],
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        self.r_cm = array(owner, "r_cm", r_cm, (2,))
        self.I = number(owner, "I", I, 0.0)
        # a flat plate: the moments in the plane are half of the one about its normal
        inertia = np.diag([0.5 * self.I, 0.5 * self.I, self.I])
        mass, center = number(owner, "m", m, 0.0), in_space(self.r_cm)
        super().__init__(name, mass, center, inertia, a_from_b, *look)
        self._carry(_free(self, *start))

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Position and motion of frame_a and of the centre of mass."""
        del places
        frame, center = self.frame_a, self.center_of_mass
        return {
            "r": lambda at: at.position(frame)[..., :2],
            "v": lambda at: at.velocity(frame)[..., :2],
            "a": lambda at: at.acceleration(frame)[..., :2],
            "r_cm": lambda at: at.position(frame, center)[..., :2],
            "v_cm": lambda at: at.velocity(frame, center)[..., :2],
            "a_cm": lambda at: at.acceleration(frame, center)[..., :2],
            "phi": lambda at: at.angle(frame),
            "w": lambda at: at.angular_velocity(frame)[..., 2],
            "wd": lambda at: at.angular_acceleration(frame)[..., 2],
        }


class Body(PlanarBody):
    """A rigid body with one frame.

    Args:
        name: of the component.
        m: mass, kg; I: inertia about the centre of mass, kg m^2.
        r_cm: centre of mass (2,), m, in frame_a.
        r0, v0: initial position and velocity of frame_a (2,), m, m/s; phi0, w0: its initial angle
            and angular velocity, rad, rad/s. All are in the world, and only for a body that
            moves freely and is the root of its assembly.
        radius, color: of its picture, m, and red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        m: float = 1.0,
        I: float = 0.1,  # noqa: E741, N803
        r_cm: ArrayLike = (0.0, 0.0),
        r0: ArrayLike | None = None,
        v0: ArrayLike | None = None,
        phi0: float | None = None,
        w0: float | None = None,
        radius: float | None = None,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, m, I, r_cm, None, (r0, v0, phi0, w0), (radius, color))


class BodyShape(PlanarBody):
    """A rigid body with two frames: frame_b at r in frame_a.

    Args:
        name: of the component.
        r: (2,), m, in frame_a.
        r_cm: centre of mass (2,), m, in frame_a; half of r if none.
        m: mass, kg; I: inertia about the centre of mass, kg m^2.
        radius: of its picture, m; if none a share of the mechanism's size.
        color: of its picture, red, green and blue in 0..1.
        r0, v0, phi0, w0: as for `Body`.
    """

    def __init__(
        self,
        name: str,
        *,
        r: ArrayLike = (1.0, 0.0),
        r_cm: ArrayLike | None = None,
        m: float = 1.0,
        I: float = 0.1,  # noqa: E741, N803
        radius: float | None = None,
        color: Color | None = None,
        r0: ArrayLike | None = None,
        v0: ArrayLike | None = None,
        phi0: float | None = None,
        w0: float | None = None,
    ) -> None:
        self.r = array(f"BodyShape '{name}'", "r", r, (2,))
        center = 0.5 * self.r if r_cm is None else r_cm
        pose = planar_pose(self.r, 0.0)
        super().__init__(name, m, I, center, pose, (r0, v0, phi0, w0), (radius, color))


def _free(
    body: PlanarBody,
    r0: ArrayLike | None,
    v0: ArrayLike | None,
    phi0: float | None,
    w0: float | None,
) -> Root:
    """Its free motion: q = (x, y, phi), v their rates."""
    owner = body.label
    q, v = np.zeros(3), np.zeros(3)
    q[:2] = array(owner, "r0", np.zeros(2) if r0 is None else r0, (2,))
    v[:2] = array(owner, "v0", np.zeros(2) if v0 is None else v0, (2,))
    q[2] = number(owner, "phi0", 0.0 if phi0 is None else phi0)
    v[2] = number(owner, "w0", 0.0 if w0 is None else w0)
    joint = TreeJoint(
        f"{body.name}.free", "planar", "", "", np.eye(4), axis=np.array([0.0, 0.0, 1.0])
    )
    given = not (r0 is None and v0 is None and phi0 is None and w0 is None)
    told = {"q": given_of(r0, r0, phi0), "v": given_of(v0, v0, w0)}
    edge = JointEdge(body, joint, None, body.frame_a, q, v, free=True, told=told)
    return Root(edge, given, given)
