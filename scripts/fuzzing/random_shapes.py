"""Shapes and origins at random, and the elements that describe them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from dynarig.core.urdf import Box, Capsule, Cylinder, Geometry, Mesh, Origin, Sphere

from .nodes import Node

# none of them exists
MESHES = (
    *("meshes/none.stl", "package://nowhere/meshes/a b.dae", "file:///nowhere/%20.obj"),
    *("model://x/y.glb", "..\\up\\none.STL", "größe.ply"),
)
AXES_ALIGNED = (0.0, np.pi / 2, -np.pi / 2, np.pi)


def random_geometry(random: np.random.Generator) -> Geometry:
    """A shape of any kind; mesh files do not exist."""
    first, second, third = (float(value) for value in random.uniform(0.001, 2.0, 3))
    signs = random.choice((-1.0, 1.0), 3)
    sx, sy, sz = (float(value) for value in signs * (first, second, third))
    shapes: tuple[Geometry, ...] = (
        Box((first, second, third)),
        Cylinder(first, second),
        Capsule(first, second),
        Sphere(first),
        Mesh(MESHES[random.integers(len(MESHES))]),
        Mesh(MESHES[random.integers(len(MESHES))], scale=(sx, sy, sz)),
    )
    return shapes[random.integers(len(shapes))]


def geometry_node(shape: Geometry) -> Node:
    """The element of a shape."""
    match shape:
        case Box(size):
            return Node("box", {"size": numbers_text(size)})
        case Sphere(radius):
            return Node("sphere", {"radius": repr(radius)})
        case Mesh(filename, _, scale):
            plain = scale == (1.0, 1.0, 1.0)
            scaled = {} if plain else {"scale": numbers_text(scale)}
            return Node("mesh", {"filename": filename, **scaled})
        case Cylinder(radius, length) | Capsule(radius, length):
            tag = "cylinder" if isinstance(shape, Cylinder) else "capsule"
            return Node(tag, {"radius": repr(radius), "length": repr(length)})


def random_origin(random: np.random.Generator) -> Origin:
    """A pose; often none, or turned by right angles, where pitch locks."""
    if random.random() < 0.2:
        return Origin()
    x, y, z = (float(value) for value in random.normal(size=3))
    turned = random.choice(AXES_ALIGNED, 3) if random.random() < 0.3 else random.uniform(-4, 4, 3)
    roll, pitch, yaw = (float(value) for value in turned)
    return Origin((x, y, z), (roll, pitch, yaw))


def numbers_text(values: Sequence[float]) -> str:
    """The numbers as an attribute, exactly."""
    return " ".join(map(repr, values))
