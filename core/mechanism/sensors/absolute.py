"""Sensors of one frame against the world."""

from __future__ import annotations

from collections.abc import Mapping

from ...frames import euler_from_rotation, quaternion_from_rotation
from ..arguments import sequence as checked_sequence
from ..component import Output
from ..places import Places
from .axes import Axes, SensorPart, about_normal


class AbsolutePart(SensorPart):
    """A sensor at frame_a.

    Args:
        name: of the component.
        resolve_in_frame: the axes of its vectors, 'world' or 'frame_a'.
    """

    def __init__(self, name: str, *, resolve_in_frame: Axes = "world") -> None:
        super().__init__(name, ("frame_a",), resolve_in_frame)


class AbsolutePositionPart(AbsolutePart):
    """Where frame_a is. Variable: r, m."""

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """r, in the axes asked for."""
        del places
        return {"r": self.vector(lambda at: at.position(self.frame_a))}


class AbsoluteVelocityPart(AbsolutePart):
    """How fast the origin of frame_a moves. Variable: v, m/s."""

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """v, in the axes asked for."""
        del places
        return {"v": self.vector(lambda at: at.velocity(self.frame_a))}


class AbsoluteAccelerationPart(AbsolutePart):
    """The acceleration of the origin of frame_a, without gravity. Variable: a, m/s^2."""

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """a, in the axes asked for."""
        del places
        return {"a": self.vector(lambda at: at.acceleration(self.frame_a))}


class AbsoluteAngularVelocityPart(AbsolutePart):
    """How fast frame_a turns. Variables: w, rad/s, and its rate wd, rad/s^2."""

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Numbers about +z in a plane, vectors in space."""
        del places
        return turning(
            self,
            w=lambda at: at.angular_velocity(self.frame_a),
            wd=lambda at: at.angular_acceleration(self.frame_a),
        )


class AbsoluteAnglePart(SensorPart):
    """The angle of frame_a in the plane. Variable: phi, rad, with all its turns.

    Args:
        name: of the component.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, ("frame_a",), "world")

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """phi, as frames count it."""
        del places
        return {"phi": lambda at: at.angle(self.frame_a)}


class AbsoluteAnglesPart(SensorPart):
    """The orientation of frame_a in the world.

    Variables: angles (…, 3), rad, with R = R_A(phi) R_B(theta) R_C(psi) for the sequence 'ABC'; Q
    (…, 4), the unit quaternion (w, x, y, z); R (…, 3, 3), world_from_frame_a_rot.

    Args:
        name: of the component.
        sequence: 'XYZ' or (1, 2, 3), or any other of the twelve.
    """

    def __init__(self, name: str, *, sequence: str | tuple[int, int, int] = "XYZ") -> None:
        super().__init__(name, ("frame_a",), "world")
        self.sequence = checked_sequence(self.label, sequence)

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Angles, quaternion and matrix."""
        del places
        return orientation(lambda at: at.rotation(self.frame_a), self.sequence)


def turning(sensor: SensorPart, **outputs: Output) -> Mapping[str, Output]:
    """Angular vectors in world axes as the sensor answers them."""
    if sensor.space == "planar":
        return {name: about_normal(output) for name, output in outputs.items()}
    return {name: sensor.vector(output) for name, output in outputs.items()}


def orientation(rotation: Output, sequence: str) -> Mapping[str, Output]:
    """The variables of a rotation matrix (…, 3, 3)."""
    return {
        "angles": lambda at: euler_from_rotation(rotation(at), sequence),
        "Q": lambda at: quaternion_from_rotation(rotation(at)),
        "R": rotation,
    }
