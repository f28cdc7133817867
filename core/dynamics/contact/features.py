"""What of two shapes can touch: a gap phi each, between a part of body a and a part of body b.

    point above a plane    phi = n . (p - o) - offset          n fixed in b
    two points             phi = |p - o| - offset
    point off a line       phi = |(p - o) across the line| - offset
    edges that cross       phi = n . (p - o)                   n across both

Faces and edges have ends, and corners and edges are met from outside only: a part that is touched
has its normal n, which points from b to a, within the cone of the normals of b there, and -n
within that of a. So a corner that slides along a face does not catch at the next one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray
from ..constraints import Port
from .contact import Contact

Extent = tuple[FloatArray, float]  # a direction (3,) of a port, and the half length along it, m


@dataclass(frozen=True, eq=False, kw_only=True)
class Feature:
    """One gap between a part of body a and a part of body b.

    Attributes:
        name: of its own.
        contact: that it belongs to.
        a, b: where the parts are: p is the origin of port a, o that of port b.
        offset: m, radii of round bodies.
        extents: of the part of b, from o.
        outward: directions (3,) of port b in which p is from o where they touch.
        normals_a, normals_b: (3,), m, in ports a and b: the faces about the part, each as long as
            what would be in the other body if its normal were off by 1.
    """

    name: str
    contact: Contact
    a: Port
    b: Port
    offset: float = 0.0
    extents: tuple[Extent, ...] = ()
    outward: tuple[FloatArray, ...] = ()
    normals_a: tuple[FloatArray, ...] = ()
    normals_b: tuple[FloatArray, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class OnPlane(Feature):
    """A point above a plane.

    Attributes:
        normal: (3,), in port b.
        behind: m, how thick the solid behind the plane is.
    """

    normal: FloatArray
    behind: float = np.inf


@dataclass(frozen=True, eq=False, kw_only=True)
class Apart(Feature):
    """Two points, of which at least one has a ball about it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class OffLine(Feature):
    """A ball about a point, off a line; axis: (3,), along it, in port b."""

    axis: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class Crossing(Feature):
    """Two edges.

    Attributes:
        axis_a, axis_b: (3,), along them, in ports a and b.
        half_a, half_b: m, their half lengths from the origins of the ports.
    """

    axis_a: FloatArray
    axis_b: FloatArray
    half_a: float
    half_b: float
