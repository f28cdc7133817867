"""Bodies whose mass and inertia follow from a shape and a density."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray
from ...errors import ArgumentError
from ...frames import transform
from ..arguments import array, direction, number, positive
from ..drawing import Scene
from ..free_state import FreeArgument, FreeState, free_arguments
from ..shapes import Color
from .bodies import SpatialBody

STEEL = 7700.0  # kg/m^3


class BodyBox(SpatialBody):
    """A box along r, from r_shape to the tip of r, solid or hollow along its length.

        m = rho l (w h - w_i h_i),   I_length = (m_o (w^2 + h^2) - m_i (w_i^2 + h_i^2)) / 12, …

    Args:
        name: of the component.
        r: frame_b in frame_a (3,), m; r_shape: where the box begins, in frame_a.
        width_dir: direction of the width (3,), in frame_a; the height is across both.
        length: m, that of r - r_shape if none; width, 0.3 of the length if none; height, as wide
            as high if none; inner_width and inner_height of the hollow.
        density: kg/m^3, of steel if none.
        color: of its picture, red, green and blue in 0..1.
        free: orientation_state, sequence, r0, v0, phi0, R0, Q0, w0, w_a0, as for `Body`.
    """

    def __init__(
        self,
        name: str,
        *,
        r: ArrayLike = (0.1, 0.0, 0.0),
        r_shape: ArrayLike = (0.0, 0.0, 0.0),
        width_dir: ArrayLike = (0.0, 1.0, 0.0),
        length: float | None = None,
        width: float | None = None,
        height: float | None = None,
        inner_width: float = 0.0,
        inner_height: float = 0.0,
        density: float = STEEL,
        color: Color | None = None,
        **free: FreeArgument,
    ) -> None:
        owner = f"BodyBox '{name}'"
        self.r, self.r_shape = (
            array(owner, key, x, (3,)) for key, x in (("r", r), ("r_shape", r_shape))
        )
        along = _along(owner, self.r - self.r_shape)
        self.length = _length(owner, length, self.r - self.r_shape)
        self.width = positive(owner, "width", 0.3 * self.length if width is None else width)
        self.height = positive(owner, "height", self.width if height is None else height)
        self.inner_width = _inner(owner, "inner_width", inner_width, self.width)
        self.inner_height = _inner(owner, "inner_height", inner_height, self.height)
        self.density = positive(owner, "density", density)
        self.frame_from_shape = _box_axes(owner, along, width_dir)
        self.frame_from_shape[:3, 3] = self.r_shape + 0.5 * self.length * along
        outer = self.density * self.length * self.width * self.height
        hollow = self.density * self.length * self.inner_width * self.inner_height
        edges = np.array([self.length, self.width, self.height]) ** 2
        within = np.array([self.length, self.inner_width, self.inner_height]) ** 2
        moments = outer * (edges.sum() - edges) - hollow * (within.sum() - within)
        _finish(
            self,
            name,
            outer - hollow,
            moments / 12.0,
            free_arguments(owner, free),
            color,
        )

    @property
    def extent(self) -> float:
        """Its longest edge, m."""
        return max(self.length, self.width, self.height)

    def drawn(self, scene: Scene) -> None:
        """The box."""
        edges = (self.length, self.width, self.height)
        scene.solid(self, "box", self.frame_a, self.frame_from_shape, edges, self.color)


class BodyCylinder(SpatialBody):
    """A cylinder along r, from r_shape to the tip of r, solid or hollow.

        m = rho pi l (R^2 - R_i^2),   I_axis = (m_o R^2 - m_i R_i^2) / 2,
        I_across = (m_o (l^2 + 3 R^2) - m_i (l^2 + 3 R_i^2)) / 12

    Args:
        name: of the component.
        r: frame_b in frame_a (3,), m; r_shape: where the cylinder begins, in frame_a.
        length: m, that of r - r_shape if none.
        diameter, inner_diameter: m.
        density: kg/m^3, of steel if none.
        color: of its picture, red, green and blue in 0..1.
        free: orientation_state, sequence, r0, v0, phi0, R0, Q0, w0, w_a0, as for `Body`.
    """

    def __init__(
        self,
        name: str,
        *,
        r: ArrayLike = (0.1, 0.0, 0.0),
        r_shape: ArrayLike = (0.0, 0.0, 0.0),
        length: float | None = None,
        diameter: float = 0.05,
        inner_diameter: float = 0.0,
        density: float = STEEL,
        color: Color | None = None,
        **free: FreeArgument,
    ) -> None:
        owner = f"BodyCylinder '{name}'"
        self.r, self.r_shape = (
            array(owner, key, x, (3,)) for key, x in (("r", r), ("r_shape", r_shape))
        )
        along = _along(owner, self.r - self.r_shape)
        self.length = _length(owner, length, self.r - self.r_shape)
        self.diameter = positive(owner, "diameter", diameter)
        self.inner_diameter = _inner(owner, "inner_diameter", inner_diameter, self.diameter)
        self.density = positive(owner, "density", density)
        across = (0.0, 1.0, 0.0) if abs(along[1]) < 0.9 else (0.0, 0.0, 1.0)
        self.frame_from_shape = _box_axes(owner, along, across)
        self.frame_from_shape[:3, 3] = self.r_shape + 0.5 * self.length * along
        squares = [(0.5 * d) ** 2 for d in (self.diameter, self.inner_diameter)]
        outer, hollow = (self.density * np.pi * self.length * square for square in squares)
        axis = 0.5 * (outer * squares[0] - hollow * squares[1])
        side = outer * (self.length**2 + 3.0 * squares[0])
        side = (side - hollow * (self.length**2 + 3.0 * squares[1])) / 12.0
        _finish(
            self,
            name,
            outer - hollow,
            np.array([axis, side, side]),
            free_arguments(owner, free),
            color,
        )

    @property
    def extent(self) -> float:
        """Its length or diameter, m."""
        return max(self.length, self.diameter)

    def drawn(self, scene: Scene) -> None:
        """The cylinder; a picture's lies along z, which is x of the shape here."""
        pose = self.frame_from_shape.copy()
        pose[:3, :3] = pose[:3, [1, 2, 0]]
        size = (0.5 * self.diameter, self.length)
        scene.solid(self, "cylinder", self.frame_a, pose, size, self.color)


class BodySphere(SpatialBody):
    """A sphere around r_shape, solid or hollow.

        m = 4/3 pi rho (R^3 - R_i^3),   I = 2/5 (m_o R^2 - m_i R_i^2)

    Args:
        name: of the component.
        r: frame_b in frame_a (3,), m; r_shape: the middle of the sphere, in frame_a.
        diameter, inner_diameter: m.
        density: kg/m^3, of steel if none.
        color: of its picture, red, green and blue in 0..1.
        free: orientation_state, sequence, r0, v0, phi0, R0, Q0, w0, w_a0, as for `Body`.
    """

    def __init__(
        self,
        name: str,
        *,
        r: ArrayLike = (0.0, 0.0, 0.0),
        r_shape: ArrayLike = (0.0, 0.0, 0.0),
        diameter: float = 0.1,
        inner_diameter: float = 0.0,
        density: float = STEEL,
        color: Color | None = None,
        **free: FreeArgument,
    ) -> None:
        owner = f"BodySphere '{name}'"
        self.r, self.r_shape = (
            array(owner, key, x, (3,)) for key, x in (("r", r), ("r_shape", r_shape))
        )
        self.diameter = positive(owner, "diameter", diameter)
        self.inner_diameter = _inner(owner, "inner_diameter", inner_diameter, self.diameter)
        self.density = positive(owner, "density", density)
        self.frame_from_shape = transform(np.eye(3), self.r_shape)
        radii = [0.5 * d for d in (self.diameter, self.inner_diameter)]
        outer, hollow = (4.0 / 3.0 * np.pi * self.density * radius**3 for radius in radii)
        moment = 0.4 * (outer * radii[0] ** 2 - hollow * radii[1] ** 2)
        _finish(
            self,
            name,
            outer - hollow,
            np.full(3, moment),
            free_arguments(owner, free),
            color,
        )

    @property
    def extent(self) -> float:
        """Its diameter, m."""
        return self.diameter

    def drawn(self, scene: Scene) -> None:
        """The sphere."""
        scene.ball(self, self.frame_a, self.r_shape, 0.5 * self.diameter, self.color)


Solid = BodyBox | BodyCylinder | BodySphere


def _finish(
    body: Solid,
    name: str,
    mass: float,
    moments: FloatArray,
    state: FreeState,
    color: Color | None,
) -> None:
    """Make it a body with principal moments (3,) in the axes of its shape."""
    axes = body.frame_from_shape[:3, :3]
    inertia = axes @ np.diag(moments) @ axes.T
    SpatialBody.__init__(
        body, name, mass, inertia, body.frame_from_shape[:3, 3].copy(), body.r, state, (None, color)
    )


def _along(owner: str, way: FloatArray) -> FloatArray:
    if not way.any():
        raise ArgumentError(f"{owner}: r and r_shape: wanted a way between them, got none")
    return direction(owner, "r", way, 3)


def _length(owner: str, given: float | None, way: FloatArray) -> float:
    return positive(owner, "length", np.linalg.norm(way) if given is None else given)


def _inner(owner: str, name: str, given: float, outer: float) -> float:
    inner = number(owner, name, given, 0.0)
    if inner >= outer:
        raise ArgumentError(f"{owner}: {name}: wanted less than {outer:g}, got {inner:g}")
    return inner


def _box_axes(owner: str, along: FloatArray, width_dir: ArrayLike) -> FloatArray:
    """frame_from_shape (4, 4) with x along, y as near to width_dir as that allows."""
    wide = direction(owner, "width_dir", width_dir, 3)
    wide = wide - (wide @ along) * along
    if np.linalg.norm(wide) < 1e-6:
        raise ArgumentError(f"{owner}: width_dir: wanted another direction than along the body")
    wide = wide / np.linalg.norm(wide)
    return transform(np.stack([along, wide, np.cross(along, wide)], axis=-1), np.zeros(3))
