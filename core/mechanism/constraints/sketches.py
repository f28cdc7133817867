"""Shapes of constraints in a picture; sizes are shares of the mechanism's own."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import FloatArray
from ..component import Component
from ..drawing import HINGE, HINGE_LENGTH, JOINT_COLOR, ORIGIN, RAIL, SLIDER, Scene, along
from ..frame import Frame
from ..shapes import Color

MARK, BAR = 0.035, 0.009  # radii of marks and of lines
LINE, EDGE, PLATE = 0.5, 0.3, 0.004  # length of a line; edge and thickness of a plane
ROPE = 1.4 * RAIL  # radius of a rope, so that it is seen along a slide
THICK, THICKEST = 0.03, 0.2  # of a disc, and at most so much of its radius
SPOKE, SPOKE_WIDTH = 1.3, 0.12  # of the bar across a disc: thickness of its, width of its radius


def ball(component: Component, scene: Scene, frame: Frame, color: Color) -> None:
    """A small ball."""
    scene.ball(component, frame, ORIGIN, MARK * scene.size, color)


def box(component: Component, scene: Scene, frame: Frame, color: Color) -> None:
    """A small box."""
    edge = 2.0 * MARK * scene.size
    scene.solid(component, "box", frame, np.eye(4), (edge, edge, edge), color)


def pin(component: Component, scene: Scene, frame: Frame, axis: FloatArray, color: Color) -> None:
    """The pin of a hinge along a unit axis (3,)."""
    size = (HINGE * scene.size, HINGE_LENGTH * scene.size)
    scene.solid(component, "cylinder", frame, along(axis), size, color)


def slider(
    component: Component, scene: Scene, frame: Frame, axis: FloatArray, color: Color
) -> None:
    """A slider along a unit axis (3,)."""
    turned = along(axis)
    turned[:3, :3] = turned[:3, [2, 0, 1]]  # its x along the axis
    edges = tuple(share * scene.size for share in SLIDER)
    scene.solid(component, "box", frame, turned, edges, color)


def rail(component: Component, scene: Scene, frame: Frame, axis: FloatArray, color: Color) -> None:
    """A line through the origin of a frame along a unit axis (3,)."""
    size = (0.5 * BAR * scene.size, LINE * scene.size)
    scene.solid(component, "cylinder", frame, along(axis), size, color)


def plate(
    component: Component, scene: Scene, frame: Frame, normal: FloatArray, color: Color
) -> None:
    """A plane through the origin of a frame across a unit normal (3,), its surface there."""
    thickness = PLATE * scene.size
    pose = along(normal, -0.5 * thickness * normal)
    edge = EDGE * scene.size
    scene.solid(component, "box", frame, pose, (edge, edge, thickness), color)


def disc(
    component: Component,
    scene: Scene,
    frame: Frame,
    axis: FloatArray,
    radius: float,
    color: Color | None,
    point: ArrayLike = ORIGIN,
) -> None:
    """A disc about a unit axis (3,) of a frame, with a bar across that shows its turn."""
    thickness = min(THICK * scene.size, THICKEST * radius)
    pose = along(axis, point)
    scene.solid(component, "cylinder", frame, pose, (radius, thickness), color)
    bar = (1.9 * radius, SPOKE_WIDTH * radius, SPOKE * thickness)
    dark = JOINT_COLOR if color is None else (0.5 * color[0], 0.5 * color[1], 0.5 * color[2])
    scene.solid(component, "box", frame, pose, bar, dark)


def line(
    component: Component,
    scene: Scene,
    kind: str,
    frames: tuple[Frame, Frame],
    color: Color,
) -> None:
    """A rod or a rope between the origins of two frames."""
    ends = (frames[0], ORIGIN), (frames[1], ORIGIN)
    radius = (ROPE if kind == "rope" else BAR) * scene.size
    scene.line(component, kind, *ends, radius, color)  # type: ignore[arg-type]
