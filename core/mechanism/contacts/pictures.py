"""How shapes that may touch are drawn."""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray
from ..component import Component
from ..constraints import sketches
from ..drawing import Scene, along
from ..frame import Frame
from ..shapes import Color
from .shapes import Box, Capsule, ContactShape, Cylinder, Plane, Sphere, Wall

# of the mechanism's size: how thick and far planes are drawn, and how deep what moves in a plane
THICK, WIDE, DEEP = 0.02, 1.5, 0.25


def draw(
    component: Component,
    scene: Scene,
    frame: Frame,
    shape: ContactShape,
    size: int,
    color: Color | None,
) -> None:
    """A shape on a frame, where points have `size` numbers; nothing of a point."""
    point = shape.point(component.label, size)
    pose = np.eye(4)
    pose[:3, 3] = point
    if isinstance(shape, Sphere) and size == 3:
        scene.ball(component, frame, point, shape.radius, color)
    elif isinstance(shape, Sphere):
        axis = np.array([0.0, 0.0, 1.0])
        sketches.disc(component, scene, frame, axis, shape.radius, color, point)
    elif isinstance(shape, Box):
        edges = [float(edge) for edge in np.asarray(shape.size)]
        edges += [DEEP * min(edges)] * (3 - len(edges))
        scene.solid(component, "box", frame, pose, tuple(edges), color)
    elif isinstance(shape, Cylinder):
        way = shape.way(component.label)
        scene.solid(
            component, "cylinder", frame, along(way, point), (shape.radius, shape.length), color
        )
        if isinstance(shape, Capsule):
            for end in (-0.5, 0.5):
                tip = point + end * shape.length * way
                scene.ball(component, frame, tip, shape.radius, color)
    elif isinstance(shape, Plane):
        _draw_plane(component, scene, frame, shape, size, color)


def _draw_plane(
    component: Component,
    scene: Scene,
    frame: Frame,
    shape: Plane,
    size: int,
    color: Color | None,
) -> None:
    """A plate below the surface; long as it is, or as it is to be shown, or else endless."""
    up, point = shape.up(component.label, size), shape.point(component.label, size)
    wide = WIDE * scene.size if shape.shown is None else shape.shown
    long = shape.length if isinstance(shape, Wall) and shape.length is not None else wide
    thick = THICK * scene.size
    endless: tuple[int, ...] = ()
    if shape.shown is None and not (isinstance(shape, Wall) and shape.length is not None):
        endless = (0,) if size == 2 else (0, 2)
    if size == 2:
        way, wide = np.array([up[1], -up[0], 0.0]), DEEP * scene.size
    elif isinstance(shape, Wall) and shape.along is not None:
        way = np.asarray(shape.along, dtype=np.float64)
    else:
        way = along(up)[:3, 0]
    plate = _plate(up, way, point - 0.5 * thick * up)
    scene.solid(component, "box", frame, plate, (long, thick, wide), color, endless)


def _plate(up: FloatArray, way: FloatArray, point: FloatArray) -> FloatArray:
    """frame_from_solid (4, 4): x along the way (3,), y along up (3,)."""
    x = way - (way @ up) * up
    x = x / np.linalg.norm(x)
    out = np.eye(4)
    out[:3, :3] = np.stack((x, up, np.cross(x, up)), axis=1)
    out[:3, 3] = point
    return out
