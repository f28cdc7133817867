"""The two directions of a frame's rotation, by the names that users of solutions know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray
from ..errors import ArgumentError
from .checks import as_rotations, as_transforms


@runtime_checkable
class SpatialFrame(Protocol):
    """A frame of a solution: anything with its pose `world_from_frame`, (…, 4, 4)."""

    @property
    def world_from_frame(self) -> ArrayLike:
        """The pose of the frame in the world."""


@runtime_checkable
class FrameSolution(Protocol):
    """A solution that knows how its frames are turned at any time."""

    def rotation(self, frame: Any, t: ArrayLike, /) -> FloatArray:
        """The rotation of a frame at times t, local to world."""
        ...


@dataclass(frozen=True, eq=False)
class Orientation:
    """How a frame is turned.

    Attributes:
        R: (…, 3, 3), frame_from_world_rot: world to local, the transpose of `get_rot`.
    """

    R: FloatArray


def get_rot(
    frame: SpatialFrame | FrameSolution | ArrayLike,
    port: object = None,
    t: ArrayLike | None = None,
) -> FloatArray:
    """world_from_frame_rot, local to world: the transpose of `ori(frame).R`.

        get_rot(motion.frame("tip", 1.0))         get_rot(sol, rod.frame_b, 1.0)

    Args:
        frame: a frame of a solution, or its pose world_from_frame (…, 4, 4), or the rotation
            (…, 3, 3) of that; or the solution of a mechanism, followed by
        port: one of its frames, and
        t: the times (…), s.

    Returns:
        (…, 3, 3): its columns are the frame's axes in the world; of a planar mechanism's frame
        (…, 2, 2), the transpose of `ori_2d`.

    Raises:
        ArgumentError: for anything else.
    """
    if isinstance(frame, FrameSolution):
        if port is None or t is None:
            raise ArgumentError("get_rot: wanted a solution, one of its frames, and times")
        return frame.rotation(port, t)
    if port is not None or t is not None:
        raise ArgumentError(f"get_rot: wanted the solution of a mechanism first, got {frame!r}")
    pose = frame.world_from_frame if isinstance(frame, SpatialFrame) else frame
    try:
        shape = np.shape(pose)
    except ValueError as reason:
        raise ArgumentError(f"frame: wanted rows of one length, got {pose!r}") from reason
    if shape[-2:] == (4, 4):
        return as_transforms(pose, "frame")[..., :3, :3].copy()
    if shape[-2:] == (3, 3):
        return as_rotations(pose, "frame").copy()
    raise ArgumentError(
        f"frame: wanted a frame, or shape (…, 4, 4) or (…, 3, 3), got {shape or repr(pose)}"
    )


def ori(frame: SpatialFrame | ArrayLike) -> Orientation:
    """The orientation of a frame; its R is world to local, the transpose of `get_rot(frame)`.

    Args:
        frame: as in `get_rot`.

    Returns:
        The orientation, with R (…, 3, 3) = frame_from_world_rot.

    Raises:
        ArgumentError: for anything but a frame.
    """
    return Orientation(get_rot(frame).swapaxes(-1, -2).copy())
