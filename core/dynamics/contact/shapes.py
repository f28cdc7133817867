"""Shapes that may touch, each fixed to a link or to the world by a port.

In a planar mechanism a sphere whose centre lies in the plane is a circle, and a box of two half
sizes a rectangle in the x, y plane of its port.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray, as_finite, frozen
from ...errors import ArgumentError
from ..constraints import Port

UNIT_LENGTH = 1e-12  # a direction that is shorter, m or 1, is none


@dataclass(frozen=True, eq=False)
class Shape:
    """A shape on a port."""

    port: Port

    def __post_init__(self) -> None:
        if not isinstance(self.port, Port):
            raise self.refused("port", "a Port", self.port)

    @property
    def place(self) -> str:
        """Where it is fixed, for messages."""
        return "the world" if self.port.link is None else f"link '{self.port.link}'"

    def refused(self, argument: str, wanted: str, given: object) -> ArgumentError:
        """The error for an argument that does not fit."""
        kind = type(self).__name__
        return ArgumentError(f"{kind}: {argument}: wanted {wanted}, got {given!r}")

    def _positive(self, value: object, argument: str, finite: bool = True) -> None:
        fits = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not fits or not value > 0.0 or (finite and not np.isfinite(value)):  # type: ignore
            raise self.refused(argument, "a positive number of metres", value)

    def _unit(self, value: ArrayLike, argument: str) -> FloatArray:
        vector = as_finite(value, (3,), f"{type(self).__name__}: {argument}")
        length = float(np.linalg.norm(vector)) if vector.shape == (3,) else 0.0
        if length < UNIT_LENGTH:
            raise self.refused(argument, "a direction (3,)", value)
        return frozen(vector / length)

    def _rows(self, value: ArrayLike, argument: str) -> FloatArray:
        points = as_finite(value, (3,), f"{type(self).__name__}: {argument}")
        if points.ndim != 2 or len(points) == 0:
            raise self.refused(argument, "points (n, 3), m", value)
        return frozen(points.copy())


@dataclass(frozen=True, eq=False)
class Point(Shape):
    """The origin of the port."""


@dataclass(frozen=True, eq=False)
class Sphere(Shape):
    """A solid ball about the origin of the port; radius in m."""

    radius: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._positive(self.radius, "radius")


@dataclass(frozen=True, eq=False)
class Box(Shape):
    """A solid box about the origin of the port, along its axes.

    Attributes:
        half_sizes: (3,), m; or (2,), a rectangle in the x, y plane of a planar mechanism.
    """

    half_sizes: ArrayLike

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            sizes = np.asarray(self.half_sizes, dtype=np.float64)
        except (TypeError, ValueError):
            sizes = np.zeros(0)
        fits = sizes.shape in ((2,), (3,)) and np.isfinite(sizes).all() and (sizes > 0.0).all()
        if not fits:
            raise self.refused("half_sizes", "2 or 3 positive numbers, m", self.half_sizes)
        object.__setattr__(self, "half_sizes", frozen(sizes.copy()))

    @property
    def sizes(self) -> FloatArray:
        """The half sizes (2,) or (3,), m."""
        return np.asarray(self.half_sizes, dtype=np.float64)

    @property
    def is_flat(self) -> bool:
        """Whether it is a rectangle of a planar mechanism."""
        return len(self.sizes) == 2

    def corners(self) -> FloatArray:
        """(4, 3) or (8, 3), in the port."""
        count = len(self.sizes)
        signs = np.array(np.meshgrid(*[[-1.0, 1.0]] * count, indexing="ij")).reshape(count, -1).T
        out = np.zeros((len(signs), 3))
        out[:, :count] = signs * self.sizes
        return out


@dataclass(frozen=True, eq=False)
class Plane(Shape):
    """The plane through the port's origin, with solid ground behind it.

    Attributes:
        normal: (3,), out of the ground, in the port; made a unit vector.
    """

    normal: ArrayLike = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "normal", self._unit(self.normal, "normal"))

    @property
    def up(self) -> FloatArray:
        """The normal (3,)."""
        return np.asarray(self.normal, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Wall(Plane):
    """A thin wall: a line in a planar mechanism, a strip in space; free space is behind it.

    Attributes:
        normal: (3,), of the side that can be touched.
        along: (3,), the direction of the line, at right angles to the normal; needed where the
            wall has a length.
        length: m, with the port's origin in the middle; without end if none.
        double_sided: whether the other side can be touched as well.
    """

    along: ArrayLike | None = None
    length: float | None = None
    double_sided: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.double_sided, bool | np.bool_):
            raise self.refused("double_sided", "True or False", self.double_sided)
        if self.length is None:
            return
        self._positive(self.length, "length")
        if self.along is None:
            raise self.refused("along", "the direction (3,) of a wall of finite length", None)
        along = self._unit(self.along, "along")
        if abs(float(along @ self.up)) > 1e-9:
            raise self.refused("along", "a direction at right angles to the normal", self.along)
        object.__setattr__(self, "along", along)


@dataclass(frozen=True, eq=False)
class Cylinder(Shape):
    """A solid cylinder about the port's z, centred at its origin; radius and length in m.

    For time stepping. On planes it is round, for all other shapes a prism of 24 sides.
    """

    radius: float
    length: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._positive(self.radius, "radius")
        self._positive(self.length, "length")


@dataclass(frozen=True, eq=False)
class Capsule(Shape):
    """A cylinder about the port's z, centred, with half spheres beyond both ends, m.

    For time stepping.

    Attributes:
        length: of the cylinder alone.
    """

    radius: float
    length: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self._positive(self.radius, "radius")
        self._positive(self.length, "length")


@dataclass(frozen=True, eq=False)
class Hull(Shape):
    """The convex hull of points, for time stepping.

    Against other polytopes and meshes one of more than 64 corners is met with its farthest 64.

    Attributes:
        points: (n, 3), in the port, m.
    """

    points: ArrayLike

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "points", self._rows(self.points, "points"))

    @property
    def corners(self) -> FloatArray:
        """The points (n, 3)."""
        return np.asarray(self.points, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class TriangleMesh(Shape):
    """Ground of triangles, on the world: solid behind their outward faces; for time stepping.

    Attributes:
        vertices: (n, 3), in the port, m.
        triangles: (m, 3), indices of vertices, counter-clockwise seen from outside.
    """

    vertices: ArrayLike
    triangles: ArrayLike

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.port.link is not None:
            raise self.refused("port", "a Port on the world (link None)", self.port)
        vertices = self._rows(self.vertices, "vertices")
        try:
            triangles = np.asarray(self.triangles)
        except ValueError:  # rows of different lengths
            triangles = np.zeros(0)
        fits = triangles.ndim == 2 and triangles.shape[1:] == (3,) and len(triangles) > 0
        if not fits or triangles.dtype.kind not in "iu":
            raise self.refused("triangles", "indices (m, 3) of vertices", self.triangles)
        if triangles.min() < 0 or triangles.max() >= len(vertices):
            wanted = f"indices from 0 to {len(vertices) - 1}"
            found = triangles.min() if triangles.min() < 0 else triangles.max()
            raise self.refused("triangles", wanted, int(found))
        object.__setattr__(self, "vertices", vertices)
        own = triangles.astype(np.intp)
        own.flags.writeable = False
        object.__setattr__(self, "triangles", own)
