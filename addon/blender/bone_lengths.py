"""How long bones are: exact first, then of a pleasant length beside joints and shapes.

A bone's length has no part in the motion. Heads and tails are float32, though: the axis of a bone
of length L at distance d from the armature's origin is off by 6e-8 d/L.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...core.arrays import FloatArray
from ...core.urdf.document import Box, Capsule, Cylinder, Geometry, Link, Robot, Sphere

# Keeps the axis within 2e-6, and every link of a robot of 1 m within 5e-6 (m) at any pose.
LENGTH_PER_DISTANCE = 0.03
# Blender loses the direction of bones below 2e-6 (m).
LEAST_LENGTH = 1e-5
# Bones of pleasant length: half the way to the nearest joint that is elsewhere, within these
# parts of the robot's size, and no longer than the link's shapes unless these are smaller still.
SHORTEST, LONGEST = 0.02, 0.2
ONE_PLACE = 0.05  # of the robot's size: joints nearer than this are at one place
STILL = 0.03  # of the robot's size, for bones that do not move
SIZE_OF_A_POINT = 1.0  # m, for a robot whose joints all sit at its origin, without shapes


def least_lengths(heads: FloatArray) -> FloatArray:
    """The lengths (n,) from which on the axes of bones with heads (n, 3) are exact, m."""
    distances = np.linalg.norm(heads, axis=1)
    return np.asarray(np.maximum(LENGTH_PER_DISTANCE * distances, LEAST_LENGTH))


def pleasant_lengths(
    heads: FloatArray, moving: Sequence[bool], shapes: Sequence[float], reach: float
) -> FloatArray:
    """A length for each bone that looks well, m.

    Args:
        heads: (n, 3), in the armature; moving: (n,), whether a joint moves the bone.
        shapes: (n,), the size of the shapes of each bone's link, inf where it is not known.
        reach: how far the farthest link is from the root, m.

    Returns:
        (n,), not yet long enough to be exact.
    """
    known = [size for size in shapes if np.isfinite(size)]
    size = reach or max(known, default=SIZE_OF_A_POINT)
    joints = heads[list(moving)]
    lengths = np.full(len(heads), STILL * size)
    for index in np.flatnonzero(moving):
        gaps = np.linalg.norm(joints - heads[index], axis=1)
        half = 0.5 * gaps[gaps > ONE_PLACE * size].min(initial=np.inf)
        wished = min(half, LONGEST * size, shapes[index])
        lengths[index] = max(wished, SHORTEST * size)
    return lengths


def shape_sizes(robot: Robot) -> dict[str, float]:
    """The size of each link whose shapes are all primitives: the longest edge of the largest, m."""
    sizes = {link.name: _size(link) for link in robot.links}
    return {name: size for name, size in sizes.items() if size is not None}


def size_of(link: str, sizes: Mapping[str, float]) -> float:
    """The size of a link's shapes, inf where it is not known or nothing, m."""
    return sizes.get(link) or np.inf


def _size(link: Link) -> float | None:
    """The size of a link, None without shapes and for one that has meshes, m."""
    shapes = [shape.geometry for shape in link.visuals or link.collisions]
    sizes = [_edge(shape) for shape in shapes]
    known = [size for size in sizes if size is not None]
    return max(known) if known and len(known) == len(sizes) else None


def _edge(shape: Geometry) -> float | None:
    """The longest edge of the box around a primitive, None for a mesh, m."""
    match shape:
        case Box(size=size):
            return max(size)
        case Sphere(radius=radius):
            return 2.0 * radius
        case Cylinder(radius=radius, length=length):
            return max(2.0 * radius, length)
        case Capsule(radius=radius, length=length):
            return length + 2.0 * radius
    return None
