"""Frames in a plane: orientation by one angle, SE(2), and the lift into space."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_finite
from ..errors import ArgumentError
from .checks import ROTATION_TOLERANCE, as_points, as_transforms, as_unit_vectors
from .packing import common_lead
from .rigid import transform
from .rotations import minimal_rotation


@runtime_checkable
class PlanarFrame(Protocol):
    """A frame of a planar solution: anything with its orientation `phi`, (…), rad."""

    @property
    def phi(self) -> ArrayLike:
        """The angle from the world's x axis to the frame's, about the plane's normal, rad."""


def ori_2d(phi: ArrayLike | PlanarFrame) -> FloatArray:
    """The matrix that takes coordinates in the world to coordinates in a turned frame.

        frame_from_world_rot = [[cos, sin], [-sin, cos]]

    Args:
        phi: (…), rad, or a planar frame of a solution, whose phi is taken.

    Returns:
        (…, 2, 2), world to local: the transpose of the block in `transform_2d`.

    Raises:
        ArgumentError: for anything but finite numbers.
    """
    given = phi.phi if isinstance(phi, PlanarFrame) else phi
    angle = as_finite(given, (), "phi")
    out = np.empty((*angle.shape, 2, 2))
    out[..., 0, 0] = out[..., 1, 1] = np.cos(angle)
    out[..., 0, 1] = np.sin(angle)
    out[..., 1, 0] = -out[..., 0, 1]
    return out


def transform_2d(phi: ArrayLike, translation: ArrayLike) -> FloatArray:
    """[[cos, -sin, x], [sin, cos, y], [0, 0, 1]]: a_from_b in the plane; composed with @.

    Args:
        phi: (…), rad, from a's x axis to b's.
        translation: (…, 2), m, the origin of b in a.

    Returns:
        (…, 3, 3).

    Raises:
        ArgumentError: for a wrong shape or NaN.
    """
    rotation = ori_2d(phi).swapaxes(-1, -2)
    p = as_finite(translation, (2,), "translation")
    lead = common_lead(phi=rotation.shape[:-2], translation=p.shape[:-1])
    out = np.zeros((*lead, 3, 3))
    out[..., :2, :2], out[..., :2, 2], out[..., 2, 2] = rotation, p, 1.0
    return out


def phi_and_translation(a_from_b: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """The inverse of `transform_2d`: the angle (…), rad, in [-pi, pi], and the origin (…, 2), m.

    Raises:
        ArgumentError: for anything but planar transforms (…, 3, 3).
    """
    t = _as_transforms_2d(a_from_b, "a_from_b")
    return np.arctan2(t[..., 1, 0], t[..., 0, 0]), t[..., :2, 2].copy()


def inverse_transform_2d(a_from_b: ArrayLike) -> FloatArray:
    """b_from_a = [[R^T, -R^T p], [0, 1]] of planar transforms (…, 3, 3).

    Raises:
        ArgumentError: for anything but planar transforms.
    """
    t = _as_transforms_2d(a_from_b, "a_from_b")
    out = np.zeros_like(t)
    back = t[..., :2, :2].swapaxes(-1, -2)
    out[..., :2, :2], out[..., 2, 2] = back, 1.0
    out[..., :2, 2] = -(back @ t[..., :2, 2, None])[..., 0]
    return out


def transform_points_2d(a_from_b: ArrayLike, points_in_b: ArrayLike) -> FloatArray:
    """points_in_a = R points_in_b + p.

    Args:
        a_from_b: (…, 3, 3).
        points_in_b: (…, n, 2), m: n points for each transform. One point is [point].

    Returns:
        (…, n, 2), m.

    Raises:
        ArgumentError: for anything but planar transforms and points.
    """
    t = _as_transforms_2d(a_from_b, "a_from_b")
    points = as_points(points_in_b, 2, "points_in_b")
    common_lead(a_from_b=t.shape[:-2], points_in_b=points.shape[:-2])
    turned: FloatArray = points @ t[..., :2, :2].swapaxes(-1, -2)
    return turned + t[..., None, :2, 2]


def transform_vectors_2d(a_from_b: ArrayLike, vectors_in_b: ArrayLike) -> FloatArray:
    """vectors_in_a = R vectors_in_b: free vectors (…, n, 2) feel no translation.

    Raises:
        ArgumentError: for anything but planar transforms (…, 3, 3) and vectors.
    """
    t = _as_transforms_2d(a_from_b, "a_from_b")
    vectors = as_points(vectors_in_b, 2, "vectors_in_b")
    common_lead(a_from_b=t.shape[:-2], vectors_in_b=vectors.shape[:-2])
    turned: FloatArray = vectors @ t[..., :2, :2].swapaxes(-1, -2)
    return turned


def plane_from_normal(normal: ArrayLike, origin: ArrayLike = (0.0, 0.0, 0.0)) -> FloatArray:
    """world_from_plane of the plane through a point with a given normal.

    The plane's x and y axes are the images of x and y under the smallest rotation that takes z
    to the normal, as for planar joints.

    Args:
        normal: (…, 3), of any length but 0, in the world.
        origin: (…, 3), m, in the world.

    Returns:
        (…, 4, 4).

    Raises:
        ArgumentError: for a wrong shape, NaN, or a zero normal.
    """
    up, point = as_unit_vectors(normal, "normal"), as_finite(origin, (3,), "origin")
    common_lead(normal=up.shape[:-1], origin=point.shape[:-1])
    return transform(minimal_rotation((0.0, 0.0, 1.0), up), point)


def lift_planar(a_from_b: ArrayLike, world_from_plane: ArrayLike | None = None) -> FloatArray:
    """A planar frame as a frame in space: world_from_b = world_from_plane a_from_b.

    Args:
        a_from_b: (…, 3, 3), a planar transform in the x and y of the plane, which is a.
        world_from_plane: (…, 4, 4), see `plane_from_normal`; None for the world's xy plane.

    Returns:
        (…, 4, 4): world_from_b; a positive phi is a positive turn about the plane's z.

    Raises:
        ArgumentError: for anything but transforms.
    """
    t = _as_transforms_2d(a_from_b, "a_from_b")
    lifted = np.zeros((*t.shape[:-2], 4, 4))
    lifted[..., :2, :2], lifted[..., :2, 3] = t[..., :2, :2], t[..., :2, 2]
    lifted[..., 2, 2] = lifted[..., 3, 3] = 1.0
    if world_from_plane is None:
        return lifted
    plane = as_transforms(world_from_plane, "world_from_plane")
    common_lead(a_from_b=t.shape[:-2], world_from_plane=plane.shape[:-2])
    world: FloatArray = plane @ lifted
    return world


def _as_transforms_2d(value: ArrayLike, name: str) -> FloatArray:
    t = as_finite(value, (3, 3), name)
    rotation = t[..., :2, :2]
    off = np.abs(rotation @ rotation.swapaxes(-1, -2) - np.eye(2)).max(initial=0.0)
    positive = (rotation[..., 0, 0] * rotation[..., 1, 1] > 0.0) | (
        rotation[..., 0, 1] * rotation[..., 1, 0] < 0.0
    )
    if off > ROTATION_TOLERANCE or not positive.all() or (t[..., 2, :] != (0, 0, 1)).any():
        raise ArgumentError(
            f"{name}: wanted planar transforms [[cos, -sin, x], [sin, cos, y], [0, 0, 1]], got "
            f"{t.tolist() if t.ndim == 2 else f'an array {t.shape} with others among them'}"
        )
    return t
