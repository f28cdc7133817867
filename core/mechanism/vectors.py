"""Vectors (…, 3) between the axes of two frames."""

from __future__ import annotations

from ..arrays import FloatArray


def turned(a_from_b_rot: FloatArray, vector_in_b: FloatArray) -> FloatArray:
    """vector_in_a = a_from_b_rot vector_in_b."""
    out: FloatArray = (a_from_b_rot @ vector_in_b[..., None])[..., 0]
    return out


def local(world_from_frame_rot: FloatArray, vector_in_world: FloatArray) -> FloatArray:
    """A vector of the world, in the axes of the frame."""
    return turned(world_from_frame_rot.swapaxes(-1, -2), vector_in_world)
