"""What may touch, as it is fixed to a frame; planar components take 2 numbers for points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray
from ...dynamics import contact as kinds
from ...dynamics.constraints import Port
from ...frames import minimal_rotation
from ..arguments import array, direction, positive
from ..rigid import in_space

Z = (0.0, 0.0, 1.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class ContactShape:
    """A shape; at: a point of the frame (2,) or (3,), m, its origin if none."""

    at: ArrayLike | None = None

    in_plane: ClassVar[bool] = True  # whether planar mechanisms have it
    exact: ClassVar[bool] = True  # whether exact impacts know it

    def on(self, owner: str, port: Port, size: int) -> kinds.Shape:
        """The shape on a port of the frame, where points have `size` numbers."""
        raise NotImplementedError

    def place(self, owner: str, port: Port, size: int) -> Port:
        """The port at its point."""
        pose = port.link_from_port.copy()
        pose[:3, 3] += pose[:3, :3] @ self.point(owner, size)
        return Port(port.link, pose)

    def point(self, owner: str, size: int) -> FloatArray:
        """Its point (3,) in the frame."""
        return in_space(array(owner, "at", np.zeros(size) if self.at is None else self.at, (size,)))

    def extent(self) -> float:
        """How long it is, m; 0 of what has no end."""
        return 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Point(ContactShape):
    """A point of the frame."""

    def on(self, owner: str, port: Port, size: int) -> kinds.Shape:
        """See `ContactShape`."""
        return kinds.Point(self.place(owner, port, size))


@dataclass(frozen=True, eq=False, kw_only=True)
class Sphere(ContactShape):
    """A ball, in a plane a circle; radius in m."""

    radius: float

    def on(self, owner: str, port: Port, size: int) -> kinds.Shape:
        """See `ContactShape`."""
        return kinds.Sphere(self.place(owner, port, size), self.radius)

    def extent(self) -> float:
        """See `ContactShape`."""
        return 2.0 * self.radius


@dataclass(frozen=True, eq=False, kw_only=True)
class Box(ContactShape):
    """A box along the frame's axes, in a plane a rectangle; size: its edges (2,) or (3,), m."""

    size: ArrayLike

    def on(self, owner: str, port: Port, size: int) -> kinds.Shape:
        """See `ContactShape`."""
        half = 0.5 * array(owner, "size", self.size, (size,))
        return kinds.Box(self.place(owner, port, size), half)

    def extent(self) -> float:
        """See `ContactShape`."""
        return float(np.max(self.size))


@dataclass(frozen=True, eq=False, kw_only=True)
class Plane(ContactShape):
    """Ground without end; normal (2,) or (3,) out of it, y in a plane and z in space if none.

    shown: how much of it is drawn, m; a share of the mechanism's size if none.
    """

    normal: ArrayLike | None = None
    shown: float | None = None

    def up(self, owner: str, size: int) -> FloatArray:
        """The normal (3,), a unit vector."""
        given = np.eye(size)[-1] if self.normal is None else self.normal
        return in_space(direction(owner, "normal", given, size))

    def on(self, owner: str, port: Port, size: int) -> kinds.Shape:
        """See `ContactShape`."""
        return kinds.Plane(self.place(owner, port, size), self.up(owner, size))

    def extent(self) -> float:
        """See `ContactShape`."""
        return self.shown or 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Wall(Plane):
    """A thin wall about its point, free behind.

    length: m, without end if none; double_sided: whether it is met from behind too; along: in
    space, the direction of a wall that has a length. Time stepping takes walls without end that
    are met from their front, and as a plane.
    """

    length: float | None = None
    double_sided: bool = False
    along: ArrayLike | None = None

    def on(self, owner: str, port: Port, size: int) -> kinds.Shape:
        """See `ContactShape`."""
        up = self.up(owner, size)
        along = np.array([up[1], -up[0], 0.0]) if size == 2 else self.along
        own = self.place(owner, port, size)
        return kinds.Wall(own, up, along, self.length, self.double_sided)

    def extent(self) -> float:
        """See `ContactShape`."""
        return self.length or self.shown or 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Cylinder(ContactShape):
    """A solid cylinder in space, centred, about an axis (3,) of the frame, z if none.

    radius, length: m. For time stepping alone.
    """

    radius: float
    length: float
    axis: ArrayLike = Z

    in_plane: ClassVar[bool] = False
    exact: ClassVar[bool] = False

    def on(self, owner: str, port: Port, size: int) -> kinds.Shape:
        """See `ContactShape`."""
        radius, length = self.sizes(owner)
        return kinds.Cylinder(self._turned(owner, port, size), radius, length)

    def sizes(self, owner: str) -> tuple[float, float]:
        """Radius and length, m, checked."""
        return positive(owner, "radius", self.radius), positive(owner, "length", self.length)

    def way(self, owner: str) -> FloatArray:
        """The axis (3,), a unit vector."""
        return direction(owner, "axis", self.axis, 3)

    def extent(self) -> float:
        """See `ContactShape`."""
        return max(2.0 * self.radius, self.length)

    def _turned(self, owner: str, port: Port, size: int) -> Port:
        """The port at its point with z along the axis."""
        own = self.place(owner, port, size)
        pose = own.link_from_port.copy()
        pose[:3, :3] = pose[:3, :3] @ minimal_rotation(Z, self.way(owner))
        return Port(own.link, pose)


@dataclass(frozen=True, eq=False, kw_only=True)
class Capsule(Cylinder):
    """A cylinder as `Cylinder` with half spheres beyond both ends; length of the cylinder alone."""

    def on(self, owner: str, port: Port, size: int) -> kinds.Shape:
        """See `ContactShape`."""
        radius, length = self.sizes(owner)
        return kinds.Capsule(self._turned(owner, port, size), radius, length)

    def extent(self) -> float:
        """See `ContactShape`."""
        return 2.0 * self.radius + self.length
