"""Robots in a mechanism: their meshes, where a description has some."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.urdf.document import Mesh, Robot
from ...messages import one_line
from ..geometry.visuals import create_visuals
from .carriers import Carrier

Corners = tuple[str, FloatArray]  # a link of the tree, and points (8, 3) in it, m


@dataclass(frozen=True, eq=False)
class ShownRobot:
    """A robot that is shown by its visuals.

    places: for each link of the description the link of the tree that carries it, and its pose
    (4, 4) there.
    """

    robot: Robot
    places: Mapping[str, tuple[str, FloatArray]]


def has_meshes(robot: Robot) -> bool:
    """Whether a mesh of it was found."""
    shapes = [visual.geometry for link in robot.links for visual in link.visuals]
    return any(isinstance(shape, Mesh) and shape.path is not None for shape in shapes)


def hang_robot(
    shown: ShownRobot, collection: bpy.types.Collection, carrier: Carrier
) -> list[Corners]:
    """Make a robot's visuals and let them follow its links; a mesh that is missing is a warning.

    Returns:
        The corners of the boxes around all of them.
    """
    lines: list[str] = []
    corners = []
    for visual in create_visuals(shown.robot, collection, lines):
        link, link_from_part = shown.places[visual.link]
        pose = link_from_part @ visual.link_from_visual
        carrier.hang(visual.object, link, pose)
        box = np.array([tuple(corner) for corner in visual.object.bound_box], dtype=np.float64)
        corners.append((link, box @ pose[:3, :3].T + pose[:3, 3]))
    for line in lines:
        warnings.warn(one_line(line), stacklevel=2)
    return corners
