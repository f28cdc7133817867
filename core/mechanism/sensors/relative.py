"""Sensors of frame_b against frame_a, as one who moves with frame_a sees it.

    r = p_b - p_a
    v = v_b - v_a - omega_a x r                     (the rate of r in the axes of frame_a)
    a = a_b - a_a - alpha_a x r - omega_a x (omega_a x r) - 2 omega_a x v
    w = omega_b - omega_a
    wd = alpha_b - alpha_a - omega_a x w            (the rate of w in the axes of frame_a)

resolve_in_frame tells only in which axes these vectors are answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import FloatArray
from ..arguments import sequence as checked_sequence
from ..component import Output
from ..forces.ports import cross
from ..places import Places
from .absolute import orientation, turning
from .axes import Axes, SensorPart

if TYPE_CHECKING:
    from ..snapshot import Snapshot


class RelativePart(SensorPart):
    """A sensor between frame_a and frame_b.

    Args:
        name: of the component.
        resolve_in_frame: the axes of its vectors, 'frame_a', 'frame_b' or 'world'.
    """

    def __init__(self, name: str, *, resolve_in_frame: Axes = "frame_a") -> None:
        super().__init__(name, ("frame_a", "frame_b"), resolve_in_frame)

    def across(self, at: Snapshot) -> FloatArray:
        """r, in world axes (…, 3)."""
        return at.position(self.frame_b) - at.position(self.frame_a)

    def parting(self, at: Snapshot) -> FloatArray:
        """v, in world axes (…, 3)."""
        seen = at.velocity(self.frame_b) - at.velocity(self.frame_a)
        return seen - cross(at.angular_velocity(self.frame_a), self.across(at))

    def gaining(self, at: Snapshot) -> FloatArray:
        """a, in world axes (…, 3)."""
        omega, r = at.angular_velocity(self.frame_a), self.across(at)
        seen = at.acceleration(self.frame_b) - at.acceleration(self.frame_a)
        seen = seen - cross(at.angular_acceleration(self.frame_a), r)
        return seen - cross(omega, cross(omega, r)) - 2.0 * cross(omega, self.parting(at))

    def turn(self, at: Snapshot) -> FloatArray:
        """w, in world axes (…, 3)."""
        return at.angular_velocity(self.frame_b) - at.angular_velocity(self.frame_a)

    def turn_rate(self, at: Snapshot) -> FloatArray:
        """wd, in world axes (…, 3)."""
        gain = at.angular_acceleration(self.frame_b) - at.angular_acceleration(self.frame_a)
        return gain - cross(at.angular_velocity(self.frame_a), self.turn(at))


class RelativePositionPart(RelativePart):
    """Where frame_b is, seen from frame_a. Variable: r, m."""

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """r, in the axes asked for."""
        del places
        return {"r": self.vector(self.across)}


class RelativeVelocityPart(RelativePart):
    """How fast frame_b moves, seen from frame_a: the rate of r in its axes. Variable: v, m/s."""

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """v, in the axes asked for."""
        del places
        return {"v": self.vector(self.parting)}


class RelativeAccelerationPart(RelativePart):
    """The acceleration of frame_b, seen from frame_a. Variable: a, m/s^2."""

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """a, in the axes asked for."""
        del places
        return {"a": self.vector(self.gaining)}


class RelativeAngularVelocityPart(RelativePart):
    """How fast frame_b turns against frame_a. Variables: w, rad/s, and its rate wd, rad/s^2."""

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Numbers about +z in a plane, vectors in space."""
        del places
        return turning(self, w=self.turn, wd=self.turn_rate)


class RelativeAnglePart(SensorPart):
    """The angle from frame_a to frame_b in the plane. Variable: phi, rad, with all its turns.

    Args:
        name: of the component.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, ("frame_a", "frame_b"), "world")

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """phi, as frames count it."""
        del places
        return {"phi": lambda at: at.angle(self.frame_b) - at.angle(self.frame_a)}


class RelativeAnglesPart(SensorPart):
    """The orientation of frame_b in frame_a: angles, Q and R, as those of `AbsoluteAngles`.

    Args:
        name: of the component.
        sequence: 'XYZ' or (1, 2, 3), or any other of the twelve.
    """

    def __init__(self, name: str, *, sequence: str | tuple[int, int, int] = "XYZ") -> None:
        super().__init__(name, ("frame_a", "frame_b"), "world")
        self.sequence = checked_sequence(self.label, sequence)

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Angles, quaternion and matrix."""
        del places
        return orientation(
            lambda at: at.rotation(self.frame_a).swapaxes(-1, -2) @ at.rotation(self.frame_b),
            self.sequence,
        )


class DistancePart(SensorPart):
    """The distance between the origins of two frames. Variable: s, m.

    Args:
        name: of the component.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, ("frame_a", "frame_b"), "world")

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """s, never negative."""
        del places
        return {
            "s": lambda at: np.linalg.norm(
                at.position(self.frame_b) - at.position(self.frame_a), axis=-1
            )
        }
