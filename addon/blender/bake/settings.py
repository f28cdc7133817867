"""What a bake is asked for, as plain values: nothing of it needs Blender."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ....core.arrays import FloatArray
from ....core.key_segments import Interpolation
from ....core.loop_gap import LOOP_TOLERANCE
from ...errors import RigError
from ..contact.settings import ContactSettings

# Relative difference of the scale along the axes that is still taken for float32 noise.
UNIFORM = 1e-5
ROUNDING = 1e-9  # frames, so that 0.7 s at 10 fps, which is 6.999..., has 7
LAST_FRAME = 1_048_574  # Blender's frames lie between this and its negative


@dataclass(frozen=True)
class BakeSettings:
    """How to simulate and to bake.

    Attributes:
        frame_start, frame_end: keys stand at these frames and every whole frame between; the
            current pose is the one at frame_start.
        fps: frames per second.
        gravity: (x, y, z) in the world, m/s^2.
        damping: added to every joint, N m s/rad or N s/m.
        use_limits: whether the joints stop at their limits.
        interpolation: 'BEZIER' with exact slopes, or 'LINEAR'.
        tolerance: how far the motion between keys may be from the simulation (rad or m); keys
            are added between frames until it holds. None adds none.
        loop_tolerance: how far loops may open between keys, in metres of the scene; keys are added
            likewise.
        contact: how bodies touch.
    """

    frame_start: int = 1
    frame_end: int = 250
    fps: float = 24.0
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    damping: float = 0.0
    use_limits: bool = True
    interpolation: Interpolation = "BEZIER"
    tolerance: float | None = None
    loop_tolerance: float = LOOP_TOLERANCE
    contact: ContactSettings = field(default_factory=ContactSettings)

    def check(self) -> None:
        """Check frames, rate and numbers; those of contact are checked for a simulation.

        Raises:
            RigError: for the first that does not fit.
        """
        if not (np.isfinite(self.fps) and self.fps > 0.0):
            raise RigError(f"frame rate: wanted a positive number, got {self.fps}")
        for frame in (self.frame_start, self.frame_end):
            if not -LAST_FRAME <= frame <= LAST_FRAME:
                raise RigError(
                    f"frame {frame}: Blender has frames from {-LAST_FRAME} to {LAST_FRAME} only"
                )
        if self.frame_end <= self.frame_start:
            raise RigError(
                f"frame range {self.frame_start} to {self.frame_end}: wanted an end after the start"
            )
        if not np.isfinite(self.gravity).all():
            raise RigError(f"gravity: wanted finite numbers, got {self.gravity}")
        if not (np.isfinite(self.damping) and self.damping >= 0.0):
            raise RigError(f"damping: wanted a number that is not negative, got {self.damping}")
        if self.tolerance is not None and not (np.isfinite(self.tolerance) and self.tolerance > 0):
            raise RigError(f"tolerance: wanted a positive number, got {self.tolerance}")
        if not (np.isfinite(self.loop_tolerance) and self.loop_tolerance > 0):
            raise RigError(f"loop tolerance: wanted a positive number, got {self.loop_tolerance}")

    def times(self) -> FloatArray:
        """The time of each frame, s; the first is 0. Errors as `check`."""
        self.check()
        return np.arange(self.frame_end - self.frame_start + 1) / self.fps


def whole_frames(seconds: float, fps: float) -> int:
    """How many whole frames fit into a time, the one at its start not counted.

    The one rule for a duration: rounded down, up to ROUNDING.

    Raises:
        RigError: for less than one frame, and for more than Blender has.
    """
    frames = seconds * fps
    if not 1.0 - ROUNDING <= frames <= 2 * LAST_FRAME:
        raise RigError(
            f"{seconds:g} s at {fps:g} frames a second are {frames:g} frames; wanted 1 at least, "
            f"and Blender has frames from {-LAST_FRAME} to {LAST_FRAME} only"
        )
    return int(np.floor(frames + ROUNDING))


def gravity_in_armature(world_from_armature: FloatArray, gravity: FloatArray) -> FloatArray:
    """Gravity through the transform of the armature object.

        world_from_armature = [[s R, p], [0, 1]],   gravity_in_armature = R^T g / s

    A robot that is shown s times as large in the world has lengths divided by s in its own
    coordinates, and falls with an acceleration divided by s there.

    Args:
        world_from_armature: (4, 4).
        gravity: (3,) in the world, m/s^2.

    Returns:
        (3,), armature units/s^2.

    Raises:
        RigError: for a transform that is not finite, a scale that is not uniform or not positive.
    """
    block = world_from_armature[:3, :3]
    return block.T @ gravity / scale_of(world_from_armature) ** 2


def scale_of(world_from_armature: FloatArray) -> float:
    """The scale s of world_from_armature (4, 4), the same along all axes; errors as above."""
    if not np.isfinite(world_from_armature).all():
        raise RigError("the robot's location, rotation or scale is not a finite number")
    block = world_from_armature[:3, :3]
    square = block.T @ block
    scale = float(np.sqrt(np.trace(square) / 3.0))
    if scale == 0.0:
        raise RigError("the robot's scale must not be zero")
    if np.abs(square / scale**2 - np.eye(3)).max() > 2.0 * UNIFORM:
        sizes = ", ".join(f"{size:.6g}" for size in np.sqrt(np.diag(square)))
        raise RigError(
            f"the robot is scaled by ({sizes}) along its axes, or sheared; a robot keeps its "
            "mechanics only under one positive scale for all axes"
        )
    if np.linalg.det(block) < 0.0:
        raise RigError("the robot's scale is negative (mirrored); wanted one positive scale")
    return scale
