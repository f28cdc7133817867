"""What touches the floor in the scheme of exact impacts: spheres, boxes and points of few.

A capsule is the two spheres at its ends, and a mesh with few corners is these corners. Round
edges and meshes with many corners are for the other scheme.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics.collision import Collider
from ....core.dynamics.constraints import Port
from ....core.dynamics.contact import (
    Box,
    Capsule,
    Contact,
    Hull,
    Plane,
    Point,
    Shape,
    Sphere,
)
from ...errors import RigError
from .ground import FLOOR
from .settings import LET_OFF, OTHER_SCHEME, SCHEME_NAMES

MOST_CORNERS = 32  # of one mesh: each of them is a gap of its own


def floor_contacts(colliders: Sequence[Collider], floor: Plane) -> tuple[Contact, ...]:
    """The contacts of colliders with the floor, named as they are.

    Raises:
        RigError: for a shape that this scheme does not know, naming it and its link.
    """
    return tuple(
        Contact(
            name=f"{FLOOR} {collider.name}{part}",
            a=floor,
            b=shape,
            restitution=collider.restitution,
        )
        for collider in colliders
        for part, shape in simple_shapes(collider)
    )


def simple_shapes(collider: Collider) -> list[tuple[str, Shape]]:
    """What stands for a collider, and what is added to its name."""
    shape = collider.shape
    if isinstance(shape, Sphere | Box | Point):
        return [("", shape)]
    if isinstance(shape, Capsule):
        tips = 0.5 * shape.length * np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])
        return [
            (f" end {number}", Sphere(_moved(shape.port, tip), shape.radius))
            for number, tip in enumerate(tips, start=1)
        ]
    if isinstance(shape, Hull):
        corners = np.unique(shape.corners, axis=0)
        if len(corners) <= MOST_CORNERS:
            return [
                (f" corner {number}", Point(_moved(shape.port, corner)))
                for number, corner in enumerate(corners, start=1)
            ]
        raise _refused(collider, f"a mesh with {len(corners)} corners")
    raise _refused(collider, f"a {type(shape).__name__.lower()}")


def _refused(collider: Collider, what: str) -> RigError:
    return RigError(
        f"link '{collider.shape.port.link}' touches with {what} ('{collider.name}'), and "
        f"'{SCHEME_NAMES['EXACT']}' know spheres, boxes, capsules and meshes with up to "
        f"{MOST_CORNERS} corners; {OTHER_SCHEME}, or {LET_OFF}"
    )


def _moved(port: Port, shift: FloatArray) -> Port:
    pose = port.link_from_port.copy()
    pose[:3, 3] += pose[:3, :3] @ shift
    return Port(port.link, pose)
