"""How a robot is drawn: its visuals of plain shapes; rods between joints where it has meshes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...frames import transform, transform_from_xyz_rpy
from ...urdf.document import Box, Capsule, Cylinder, Mesh, Sphere, Visual
from ..drawing import Scene
from ..shapes import Color

if TYPE_CHECKING:
    from ..frame import Frame
    from .robot import Robot


def draw_robot(robot: Robot, scene: Scene) -> None:
    """Add all links of a robot to the scene."""
    for link in robot.robot.links:
        frame = robot.frame(link.name)
        plain = [visual for visual in link.visuals if not isinstance(visual.geometry, Mesh)]
        for visual in plain:
            _shape(robot, frame, visual, scene)
        if not plain:
            for joint in robot.robot.joints:
                if joint.parent == link.name and any(joint.origin.xyz):
                    scene.rod(robot, frame, robot.frame(joint.child))


def _shape(robot: Robot, frame: Frame, visual: Visual, scene: Scene) -> None:
    shape, pose = visual.geometry, transform_from_xyz_rpy(visual.origin.xyz, visual.origin.rpy)
    color = _color(visual)
    if isinstance(shape, Box):
        scene.solid(robot, "box", frame, pose, shape.size, color)
    elif isinstance(shape, Sphere):
        scene.solid(robot, "sphere", frame, pose, (shape.radius,), color)
    elif isinstance(shape, Cylinder | Capsule):
        scene.solid(robot, "cylinder", frame, pose, (shape.radius, shape.length), color)
    if isinstance(shape, Capsule):
        for end in (-0.5 * shape.length, 0.5 * shape.length):
            cap = pose @ transform(np.eye(3), (0.0, 0.0, end))
            scene.solid(robot, "sphere", frame, cap, (shape.radius,), color)


def _color(visual: Visual) -> Color | None:
    rgba = None if visual.material is None else visual.material.rgba
    return None if rgba is None else (rgba[0], rgba[1], rgba[2])
