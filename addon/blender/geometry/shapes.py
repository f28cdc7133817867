"""Boxes, cylinders, spheres and capsules as exact mesh data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.urdf.document import Box, Capsule, Cylinder, Sphere
from .mesh_arrays import MeshArrays, build_mesh
from .shape_uvs import shape_uvs

Shape = Box | Cylinder | Sphere | Capsule

# Multiples of 4, so that vertices lie on the axes and bounds are exact.
SEGMENTS = 32  # around the axis: 11.25 degrees, shaded smooth below mesh_arrays.SMOOTH_ANGLE
RINGS = 16  # from pole to pole


def shape_mesh(shape: Shape) -> bpy.types.Mesh:
    """New mesh data for a shape, centred at its frame, along z, with one empty material slot.

    It has a UV map, whoever may give it a texture later; of what it costs, 0.1 to 0.4 ms,
    half goes into the map itself.
    """
    arrays = shape_arrays(shape)
    return build_mesh(type(shape).__name__, replace(arrays, uvs=shape_uvs(shape, arrays)))


def shape_arrays(shape: Shape) -> MeshArrays:
    """The faces of a shape, facing outward (m)."""
    if isinstance(shape, Box):
        return _box(np.asarray(shape.size, dtype=np.float64))
    if isinstance(shape, Cylinder):
        return _cylinder(shape.radius, shape.length)
    if isinstance(shape, Sphere):
        return _rounded(shape.radius, 0.0)
    return _rounded(shape.radius, shape.length)


def _box(size: NDArray[Any]) -> MeshArrays:
    # corner i has its x, y, z on the high side where bit 2, 1, 0 of i is set
    bits = (np.arange(8)[:, None] >> np.array([2, 1, 0])) & 1
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return MeshArrays((bits - 0.5) * size, np.array(quads).ravel(), np.full(6, 4))


def _cylinder(radius: float, length: float) -> MeshArrays:
    rings = np.array([[radius, -length / 2], [radius, length / 2]])
    caps = np.concatenate([np.arange(SEGMENTS)[::-1], SEGMENTS + np.arange(SEGMENTS)])
    return MeshArrays(
        positions=_ring_positions(rings),
        corners=np.concatenate([_side_quads(1), caps]),
        face_sizes=np.concatenate([np.full(SEGMENTS, 4), np.full(2, SEGMENTS)]),
    )


def _rounded(radius: float, length: float) -> MeshArrays:
    """A sphere cut at its equator and pulled apart along z by `length` (0: left whole)."""
    latitudes = np.linspace(-np.pi / 2, np.pi / 2, RINGS + 1)[1:-1]
    if length > 0.0:
        # the equator is there twice, below and above the cylinder
        latitudes = np.insert(latitudes, RINGS // 2, 0.0)
    shift = np.where(np.arange(len(latitudes)) < len(latitudes) / 2, -length / 2, length / 2)
    rings = np.stack([radius * np.cos(latitudes), radius * np.sin(latitudes) + shift], axis=1)
    # rings first, then the south and the north pole
    tip = radius + length / 2
    positions = np.concatenate([_ring_positions(rings), [[0.0, 0.0, -tip], [0.0, 0.0, tip]]])
    last = (len(rings) - 1) * SEGMENTS
    south, north = len(positions) - 2, len(positions) - 1
    here, there = np.arange(SEGMENTS), np.roll(np.arange(SEGMENTS), -1)
    fans = [
        np.stack([np.full(SEGMENTS, south), there, here], axis=1).ravel(),
        np.stack([np.full(SEGMENTS, north), last + here, last + there], axis=1).ravel(),
    ]
    bands = len(rings) - 1
    return MeshArrays(
        positions=positions,
        corners=np.concatenate([_side_quads(bands), *fans]),
        face_sizes=np.concatenate([np.full(bands * SEGMENTS, 4), np.full(2 * SEGMENTS, 3)]),
    )


def _ring_positions(rings: NDArray[Any]) -> NDArray[Any]:
    """Points on circles about z: (r, 2) radii and heights to (r * SEGMENTS, 3)."""
    angles = np.arange(SEGMENTS) * (2 * np.pi / SEGMENTS)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    xy = rings[:, None, :1] * circle
    z = np.broadcast_to(rings[:, None, 1:], (len(rings), SEGMENTS, 1))
    return np.concatenate([xy, z], axis=2).reshape(-1, 3)


def _side_quads(bands: int) -> NDArray[Any]:
    """Corners of the quads between each ring and the next one above it, facing outward."""
    here, there = np.arange(SEGMENTS), np.roll(np.arange(SEGMENTS), -1)
    band = np.stack([here, there, SEGMENTS + there, SEGMENTS + here], axis=1)
    return (band + SEGMENTS * np.arange(bands)[:, None, None]).ravel()
