"""The corners and edges of boxes, with the faces about them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from ...arrays import FloatArray
from ..constraints import Port
from .shapes import Box


@dataclass(frozen=True, eq=False)
class Corner:
    """A corner, or a point.

    Attributes:
        port: at it.
        normals: (3,) in the port, of the faces about it: each as long as the box is there.
    """

    name: str
    port: Port
    normals: tuple[FloatArray, ...] = ()


@dataclass(frozen=True, eq=False)
class Edge:
    """An edge.

    Attributes:
        port: in its middle.
        axis: (3,) along it; half: m, half its length, inf without end.
        normals: (3,), unit vectors in the port, of the two faces about it.
    """

    name: str
    port: Port
    axis: FloatArray
    half: float
    normals: tuple[FloatArray, ...]


def corners(box: Box) -> list[Corner]:
    """The 4 or 8 corners of a box."""
    out = []
    for index, corner in enumerate(box.corners()):
        normals = tuple(2.0 * x * np.eye(3)[axis] for axis, x in enumerate(corner) if x != 0.0)
        out.append(Corner(f"corner {index}", shifted(box.port, corner), normals))
    return out


def edges(box: Box) -> list[Edge]:
    """The 12 edges of a solid box, named by their direction and side, such as "edge x+-"."""
    if box.is_flat:
        return []
    out = []
    for axis, half in enumerate(box.sizes):
        others = [k for k in range(3) if k != axis]
        for signs in product((1.0, -1.0), repeat=2):
            normals = tuple(s * np.eye(3)[k] for s, k in zip(signs, others, strict=True))
            middle = sum(n * box.sizes[k] for n, k in zip(normals, others, strict=True))
            marks = "".join("+" if s > 0.0 else "-" for s in signs)
            name = f"edge {'xyz'[axis]}{marks}"
            port = shifted(box.port, np.asarray(middle))
            out.append(Edge(name, port, np.eye(3)[axis], float(half), normals))
    return out


def shifted(port: Port, shift: FloatArray) -> Port:
    """A port moved along its own axes, m."""
    pose = port.link_from_port.copy()
    pose[:3, 3] += pose[:3, :3] @ shift
    return Port(port.link, pose)
