"""Shapes and meshes in the size that an object has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....core.arrays import FloatArray
from ....core.frames import rpy_from_rotation
from ....core.urdf.document import Box, Cylinder, Geometry, Mesh, Origin, Sphere, Vector3
from ..seven_digits import rounded, rounded_sums

# Two factors are the same, and axes are square to each other, up to float32 noise.
SAME = 1e-5
FLAT = 1e-6  # of unit axes: a determinant below this is that of axes in a plane, up to noise


@dataclass(frozen=True)
class Parted:
    """A pose with scale taken apart: link_from_object = origin diag(scale)."""

    origin: Origin
    scale: Vector3


def is_flat(link_from_object: FloatArray) -> bool:
    """Whether a (4, 4) pose with scale leaves no volume of anything."""
    linear = link_from_object[:3, :3]
    lengths = np.linalg.norm(linear, axis=0)
    return bool(lengths.min() == 0.0 or abs(np.linalg.det(linear / lengths)) < FLAT)


def taken_apart(link_from_object: FloatArray, signs: Vector3 = (1.0, 1.0, 1.0)) -> Parted | None:
    """Origin and scale of a (4, 4) pose; None where it is sheared or flat.

    Args:
        link_from_object: with scale in its axes.
        signs: which axes are mirrored, if the pose is mirrored and these fit.
    """
    linear = link_from_object[:3, :3]
    lengths = np.linalg.norm(linear, axis=0)
    if not lengths.min() > 0.0:
        return None
    mirrored = np.linalg.det(linear) < 0.0
    wanted = np.sign(signs)
    if (np.prod(wanted) < 0.0) != mirrored:
        wanted = np.array([-1.0, 1.0, 1.0] if mirrored else [1.0, 1.0, 1.0])
    rotation = linear / (lengths * wanted)
    if np.abs(rotation.T @ rotation - np.eye(3)).max() > SAME * 10.0:
        return None
    u, _, v = np.linalg.svd(rotation)
    x, y, z = rounded_sums(link_from_object[:3, 3])
    roll, pitch, yaw = rounded_sums(rpy_from_rotation(u @ v))
    sx, sy, sz = (rounded(factor) for factor in lengths * wanted)
    return Parted(Origin((x, y, z), (roll, pitch, yaw)), (sx, sy, sz))


def resized(geometry: Geometry, scale: Vector3) -> Geometry | None:
    """A geometry whose object has that scale; None where it would be another kind of shape.

    A mesh gets the scale itself, the others are multiplied by it.
    """
    if isinstance(geometry, Mesh):
        return Mesh(geometry.filename, geometry.path, scale)
    x, y, z = (abs(factor) for factor in scale)
    if isinstance(geometry, Box):
        a, b, c = geometry.size
        return Box((rounded(a * x), rounded(b * y), rounded(c * z)))
    is_round = abs(x - y) <= SAME * x
    if not is_round:
        return None
    if isinstance(geometry, Cylinder):
        return Cylinder(rounded(geometry.radius * x), rounded(geometry.length * z))
    if abs(x - z) > SAME * x:
        return None
    if isinstance(geometry, Sphere):
        return Sphere(rounded(geometry.radius * x))
    return type(geometry)(rounded(geometry.radius * x), rounded(geometry.length * x))
