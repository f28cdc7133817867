"""The shapes of lines as mesh arrays: along +Y from the origin, the axis that Blender stretches."""

from __future__ import annotations

import numpy as np

from ....core.arrays import FloatArray
from ....core.mechanism.picture import Solid
from ....core.urdf.document import Box, Cylinder, Sphere
from ..geometry.mesh_arrays import MeshArrays, transformed
from ..geometry.shapes import shape_arrays

SIDES = 10  # of the wire of a coil
POINTS = 28  # of the wire in one turn
WIRE = 0.15  # radius of the wire, of the coil's
PITCH = 0.75  # of a turn at the coil's usual length, of its radius
TURNS = (4, 16)  # fewest and most
LEAD = 0.06  # straight wire at either end, of the length
EASED = 0.75  # turns over which the wire winds out of the axis
ALONG_Y = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])  # z to y


def solid_arrays(solid: Solid) -> MeshArrays:
    """The faces of a solid in its own frame."""
    if solid.kind == "box":
        x, y, z = solid.size
        return shape_arrays(Box((x, y, z)))
    if solid.kind == "cylinder":
        return shape_arrays(Cylinder(*solid.size))
    return shape_arrays(Sphere(*solid.size))


def rod_arrays(radius: float, length: float) -> MeshArrays:
    """A cylinder from the origin to (0, length, 0)."""
    pose = ALONG_Y.copy()
    pose[1, 3] = length / 2.0
    return transformed(shape_arrays(Cylinder(radius, length)), pose)


def coil_arrays(radius: float, length: float) -> MeshArrays:
    """A helical spring from the origin to (0, length, 0); its wire ends on the axis.

    Args:
        radius: of the coil, to the outside of the wire, m.
        length: m, at which the wire is round.
    """
    wire = WIRE * radius
    turns = int(np.clip(round(length / (PITCH * radius)), *TURNS))
    share = np.linspace(0.0, 1.0, turns * POINTS + 1)
    angle = 2.0 * np.pi * turns * share
    # out of the axis and back into it within EASED turns
    passed = np.clip(np.minimum(share, 1.0 - share) * turns / EASED, 0.0, 1.0)
    wound = (radius - wire) * passed**2 * (3.0 - 2.0 * passed)
    along = length * (LEAD + (1.0 - 2.0 * LEAD) * share)
    ends = np.array([0.0, length])
    angle, wound = np.pad(angle, 1, mode="edge"), np.pad(wound, 1)
    along = np.concatenate((ends[:1], along, ends[1:]))
    path = np.stack((wound * np.cos(angle), along, wound * np.sin(angle)), axis=1)
    return _swept(path, angle, wire)


def _swept(path: FloatArray, angle: FloatArray, radius: float) -> MeshArrays:
    """A tube about a path (n, 3) that winds about Y by the angles (n,), closed at its ends."""
    tangent = np.gradient(path, axis=0)
    tangent[0] = tangent[-1] = (0.0, 1.0, 0.0)  # it begins and ends on the axis
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    outward = np.stack((np.cos(angle), np.zeros_like(angle), np.sin(angle)), axis=1)
    outward -= (outward * tangent).sum(axis=1, keepdims=True) * tangent
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    across = np.stack(
        [
            tangent[:, i] * outward[:, j] - tangent[:, j] * outward[:, i]
            for i, j in ((1, 2), (2, 0), (0, 1))
        ],
        axis=1,
    )
    around = 2.0 * np.pi * np.arange(SIDES) / SIDES
    ring = np.cos(around)[:, None] * outward[:, None] + np.sin(around)[:, None] * across[:, None]
    positions = (path[:, None] + radius * ring).reshape(-1, 3)
    here, there = np.arange(SIDES), np.roll(np.arange(SIDES), -1)
    band = np.stack((here, there, SIDES + there, SIDES + here), axis=1)
    bands = len(path) - 1
    quads = band + SIDES * np.arange(bands)[:, None, None]
    last = bands * SIDES
    return MeshArrays(
        positions=positions,
        corners=np.concatenate((quads.ravel(), here[::-1], last + here)),
        face_sizes=np.concatenate((np.full(bands * SIDES, 4), np.full(2, SIDES))),
    )
