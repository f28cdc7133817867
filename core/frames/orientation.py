"""The two directions of a frame's rotation, by the names that users of solutions know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

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


@dataclass(frozen=True, eq=False)
class Orientation:
    """How a frame is turned.

    Attributes:
        R: (…, 3, 3), frame_from_world_rot: world to local, the transpose of `get_rot`.
    """

    R: FloatArray


def get_rot(frame: SpatialFrame | ArrayLike) -> FloatArray:
    """world_from_frame_rot, local to world: the transpose of `ori(frame).R`.

    Args:
        frame: a frame of a solution, or its pose world_from_frame (…, 4, 4), or the rotation
            (…, 3, 3) of that.

    Returns:
        (…, 3, 3): its columns are the frame's axes in the world.

    Raises:
        ArgumentError: for anything else.
    """
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
