"""Rigid bodies in space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray
from ...frames import transform
from ..arguments import array, inertia, number
from ..component import Output, Space
from ..free_state import (
    FreeArgument,
    FreeState,
    OrientationKind,
    Start,
    free_arguments,
    free_root,
    orientation_outputs,
    state_output,
)
from ..massive import MassivePart
from ..places import Places
from ..shapes import Color
from ..vectors import local

SMALL = 0.001  # kg m^2: the moments of inertia of a body that was given none


class SpatialBody(MassivePart):
    """What all bodies in space share: mass, free motion, variables.

    Variables, in the world where nothing else is said: r, v, a (…, 3) of frame_a; r_cm, v_cm,
    a_cm of the centre of mass; R (…, 3, 3) local to world, phi (…, 3) its Euler angles, Q its
    unit quaternion and Q_hat the state, of any length; w, wd (…, 3), and w_a in the body's axes.
    """

    space: ClassVar[Space] = "spatial"

    def __init__(
        self,
        name: str,
        m: float,
        moments: FloatArray,
        center: FloatArray,
        r: FloatArray | None,
        state: FreeState,
        look: tuple[float | None, Color | None],
    ) -> None:
        end = None if r is None else transform(np.eye(3), r)
        super().__init__(name, m, center, moments, end, *look)
        self.r_cm, self.I = center, moments
        self.orientation = state.orientation
        self._carry(free_root(self, self.frame_a, state))

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Position, orientation and motion of frame_a and of the centre of mass."""
        frame, center, root = self.frame_a, self.center_of_mass, self._root.edge
        state = state_output(root) if root in places.joints else None
        return {
            "r": lambda at: at.position(frame),
            "v": lambda at: at.velocity(frame),
            "a": lambda at: at.acceleration(frame),
            "r_cm": lambda at: at.position(frame, center),
            "v_cm": lambda at: at.velocity(frame, center),
            "a_cm": lambda at: at.acceleration(frame, center),
            **orientation_outputs(lambda at: at.rotation(frame), state, self.orientation),
            "w": lambda at: at.angular_velocity(frame),
            "w_a": lambda at: local(at.rotation(frame), at.angular_velocity(frame)),
            "wd": lambda at: at.angular_acceleration(frame),
        }


class Body(SpatialBody):
    """A rigid body with one frame.

    Args:
        name: of the component.
        m: mass, kg.
        r_cm: centre of mass (3,), m, in frame_a.
        I: inertia about the centre of mass in the axes of frame_a, kg m^2: one moment, three
            principal ones, or a matrix (3, 3); or entries I_11, I_22, I_33, I_21, I_31, I_32.
        orientation_state: 'quaternion' (the default) or 'euler', and sequence its axes, 'XYZ' or
            (1, 2, 3), or another of the twelve: for a body that moves freely and is the root of
            its assembly. Its variable phi is told in the same sequence.
        r0, v0: initial position and velocity of frame_a in the world (3,), m, m/s.
        phi0, R0, Q0: one of: initial Euler angles of `sequence`, rotation matrix (local to
            world), quaternion of any length.
        w0, w_a0: one of: initial angular velocity in the world's axes, in the body's, rad/s.
            All initial values are for a root, as the orientation state is.
        radius, color: of its picture, m, and red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        m: float = 1.0,
        r_cm: ArrayLike = (0.0, 0.0, 0.0),
        I: ArrayLike | None = None,  # noqa: E741, N803
        I_11: float = SMALL,  # noqa: N803
        I_22: float = SMALL,  # noqa: N803
        I_33: float = SMALL,  # noqa: N803
        I_21: float = 0.0,  # noqa: N803
        I_31: float = 0.0,  # noqa: N803
        I_32: float = 0.0,  # noqa: N803
        orientation_state: str | None = None,
        sequence: str | ArrayLike = "XYZ",
        r0: ArrayLike | None = None,
        v0: ArrayLike | None = None,
        phi0: ArrayLike | None = None,
        R0: ArrayLike | None = None,  # noqa: N803
        Q0: ArrayLike | None = None,  # noqa: N803
        w0: ArrayLike | None = None,
        w_a0: ArrayLike | None = None,
        radius: float | None = None,
        color: Color | None = None,
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        given = inertia_of(owner, I, (I_11, I_22, I_33, I_21, I_31, I_32))
        center = array(owner, "r_cm", r_cm, (3,))
        start = Start(r0, v0, phi0, R0, Q0, w0, w_a0, "w_a0")
        chosen = start.given or orientation_state is not None
        super().__init__(
            name,
            number(owner, "m", m, 0.0),
            given,
            center,
            None,
            FreeState(OrientationKind.of(owner, orientation_state, sequence), start, chosen),
            (radius, color),
        )


class BodyShape(SpatialBody):
    """A rigid body with two frames: frame_b at r in frame_a, turned as frame_a is.

    Args:
        name: of the component.
        r: (3,), m, in frame_a.
        r_cm: centre of mass (3,), m, in frame_a; half of r if none.
        m, I, I_11, I_22, I_33, I_21, I_31, I_32: as for `Body`.
        radius, color: of its picture, m, and red, green and blue in 0..1.
        free: orientation_state, sequence, r0, v0, phi0, R0, Q0, w0, w_a0, as for `Body`.
    """

    def __init__(
        self,
        name: str,
        *,
        r: ArrayLike = (0.0, 0.0, 0.0),
        r_cm: ArrayLike | None = None,
        m: float = 1.0,
        I: ArrayLike | None = None,  # noqa: E741, N803
        I_11: float = SMALL,  # noqa: N803
        I_22: float = SMALL,  # noqa: N803
        I_33: float = SMALL,  # noqa: N803
        I_21: float = 0.0,  # noqa: N803
        I_31: float = 0.0,  # noqa: N803
        I_32: float = 0.0,  # noqa: N803
        radius: float | None = None,
        color: Color | None = None,
        **free: FreeArgument,
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        self.r = array(owner, "r", r, (3,))
        given = inertia_of(owner, I, (I_11, I_22, I_33, I_21, I_31, I_32))
        center = array(owner, "r_cm", 0.5 * self.r if r_cm is None else r_cm, (3,))
        super().__init__(
            name,
            number(owner, "m", m, 0.0),
            given,
            center,
            self.r,
            free_arguments(owner, free),
            (radius, color),
        )


def inertia_of(owner: str, given: ArrayLike | None, entries: tuple[float, ...]) -> FloatArray:
    """(3, 3) of I, or of (I_11, I_22, I_33, I_21, I_31, I_32) where that is None."""
    if given is not None:
        return inertia(owner, "I", given)
    names = ("I_11", "I_22", "I_33", "I_21", "I_31", "I_32")
    xx, yy, zz, xy, xz, yz = (
        number(owner, name, value) for name, value in zip(names, entries, strict=True)
    )
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return inertia(owner, "I_11 … I_32", matrix)
