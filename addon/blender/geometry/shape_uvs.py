"""Where pictures lie on boxes, cylinders, spheres and capsules.

Seen from outside, no picture is mirrored, and on what stands upright its top is towards +z:

* a box shows the whole picture on each face;
* round sides show it once around, u = 1/2 + angle / (2 pi), its middle on +x and its seam on -x;
* on spheres and capsules v goes along the profile by its length, from the south to the north pole;
* the caps of a cylinder show the disc that fits into the picture.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.urdf.document import Box, Capsule, Cylinder, Sphere
from .mesh_arrays import MeshArrays

# u and v of the faces of a box along x, y and z, by the direction they look: u x v is outward
_BOX_AXES = {
    (0, -1): ((0, -1, 0), (0, 0, 1)),
    (0, 1): ((0, 1, 0), (0, 0, 1)),
    (1, -1): ((1, 0, 0), (0, 0, 1)),
    (1, 1): ((-1, 0, 0), (0, 0, 1)),
    (2, -1): ((1, 0, 0), (0, -1, 0)),
    (2, 1): ((1, 0, 0), (0, 1, 0)),
}


def shape_uvs(shape: Box | Cylinder | Sphere | Capsule, arrays: MeshArrays) -> NDArray[Any]:
    """The place in the picture, 0..1, of each corner of a shape's faces, (c, 2)."""
    points = arrays.positions[arrays.corners]
    if isinstance(shape, Box):
        return _on_box(np.sign(points).reshape(-1, 4, 3))
    faces = np.repeat(np.arange(len(arrays.face_sizes)), arrays.face_sizes)
    u = _around(points, faces)
    if isinstance(shape, Cylinder):
        side = np.stack([u, (np.sign(points[:, 2]) + 1.0) / 2.0], axis=1)
        is_cap = arrays.face_sizes[faces] > 4
        return np.where(is_cap[:, None], _on_cap(points), side)
    length = shape.length if isinstance(shape, Capsule) else 0.0
    return np.stack([u, _along(points, shape.radius, length)], axis=1)


def _on_box(signs: NDArray[Any]) -> NDArray[Any]:
    """Corners (f, 4, 3) of faces as signs of x, y, z."""
    uvs = np.empty((len(signs), 4, 2))
    for face, corners in enumerate(signs):
        axis = int(np.argmax(np.abs(corners.sum(axis=0))))
        axes = np.array(_BOX_AXES[axis, 1 if corners[0, axis] > 0 else -1])
        uvs[face] = (corners @ axes.T + 1.0) / 2.0
    return uvs.reshape(-1, 2)


def _around(points: NDArray[Any], faces: NDArray[Any]) -> NDArray[Any]:
    """u (c,) by the angle about z: of each face near its own middle, on either side of the seam."""
    x, y = (np.bincount(faces, points[:, axis])[faces] for axis in (0, 1))
    middle = np.arctan2(y, x)
    off = np.arctan2(points[:, 1], points[:, 0]) - middle
    # a pole has every angle: each triangle takes its middle
    on_axis = (points[:, :2] == 0.0).all(axis=1)
    off = np.where(on_axis, 0.0, (off + np.pi) % (2.0 * np.pi) - np.pi)
    return np.clip(0.5 + (middle + off) / (2.0 * np.pi), 0.0, 1.0)


def _on_cap(points: NDArray[Any]) -> NDArray[Any]:
    angle = np.arctan2(points[:, 1], points[:, 0])
    up = np.sign(points[:, 2])  # from below, y runs down the picture
    return 0.5 + 0.5 * np.stack([np.cos(angle), up * np.sin(angle)], axis=1)


def _along(points: NDArray[Any], radius: float, length: float) -> NDArray[Any]:
    """v (c,) by the length of the way from the south pole, pi r + length to the north pole."""
    side, height = np.sign(points[:, 2]), np.abs(points[:, 2]) - length / 2.0
    latitude = np.arctan2(np.maximum(height, 0.0), np.hypot(points[:, 0], points[:, 1]))
    # by the radius first: the product of two large lengths is beyond what floats hold
    part = length / radius if radius > 0.0 else 0.0
    return np.clip(0.5 + side * (latitude + part / 2.0) / (np.pi + part), 0.0, 1.0)
