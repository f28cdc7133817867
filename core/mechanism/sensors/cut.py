"""Sensors that hold two frames together and tell what passes from one to the other.

What stands behind frame_a acts through the sensor on what follows frame_b: with the force f and
the torque tau (about the common origin), and with the power f . v + tau . omega.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from ...arrays import FloatArray
from ..component import Output
from ..places import Places
from ..rigid import RigidPart
from .axes import Axes, about_normal, checked_axes, resolved

if TYPE_CHECKING:
    from ..snapshot import Snapshot


class CutPart(RigidPart):
    """A cut: frame_b is frame_a, and all forces go through.

    Args:
        name: of the component.
        resolve_in_frame: the axes of its vectors, 'frame_a' or 'world'.
    """

    needs: ClassVar[Literal["all", "any", "none"]] = "all"

    def __init__(self, name: str, *, resolve_in_frame: Axes = "frame_a") -> None:
        super().__init__(name, np.eye(4))
        self.resolve_in_frame = checked_axes(self, ("frame_a",), resolve_in_frame)

    def force(self) -> Output:
        """The force that passes through."""
        return resolved(self, self.resolve_in_frame, lambda at: at.force(self.frame_a))

    def torque(self) -> Output:
        """The torque that passes through."""

        def torque(at: Snapshot) -> FloatArray:
            return at.torque(self.frame_a)

        if self.space == "planar":
            return about_normal(torque)
        return resolved(self, self.resolve_in_frame, torque)


class CutForcePart(CutPart):
    """The force that passes from frame_a to frame_b. Variable: force, N."""

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """force, in the axes asked for."""
        del places
        return {"force": self.force()}


class CutTorquePart(CutPart):
    """The torque that passes from frame_a to frame_b. Variable: torque, N m."""

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """torque, in the axes asked for."""
        del places
        return {"torque": self.torque()}


class CutForceAndTorquePart(CutPart):
    """What passes from frame_a to frame_b. Variables: force, N, and torque, N m."""

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """force and torque, in the axes asked for."""
        del places
        return {"force": self.force(), "torque": self.torque()}


class PowerPart(RigidPart):
    """The power that passes from frame_a to frame_b. Variable: power, W.

    Args:
        name: of the component.
    """

    needs: ClassVar[Literal["all", "any", "none"]] = "all"

    def __init__(self, name: str) -> None:
        super().__init__(name, np.eye(4))

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """power, in the world."""
        del places

        def power(at: Snapshot) -> FloatArray:
            frame = self.frame_a
            moved = at.force(frame) * at.velocity(frame)
            turned = at.torque(frame) * at.angular_velocity(frame)
            out: FloatArray = (moved + turned).sum(axis=-1)
            return out

        return {"power": power}
