"""The picture of a compiled mechanism: every component draws itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..dynamics import link_poses
from .drawing import Scene
from .shapes import Color, Line, LineKind, Picture, Solid, SolidKind

if TYPE_CHECKING:
    from .compiled import Compiled

__all__ = ["Color", "Line", "LineKind", "Picture", "Solid", "SolidKind", "picture"]

LEAST = 1e-6  # m: a mechanism without any length is drawn as one of 1 m


def picture(compiled: Compiled) -> Picture:
    """What is drawn of a mechanism: bodies, rods, joints and lines of force."""
    size = typical_length(compiled)
    scene = Scene(compiled.places, size)
    for component in compiled.assembly.components:
        component.drawn(scene)
    return Picture(tuple(scene.solids), tuple(scene.lines), size, planar=compiled.space == "planar")


def typical_length(compiled: Compiled) -> float:
    """The size of the mechanism at the start, m: the diagonal of the box around all its frames.

    Where all frames are in one place, the largest extent of a body's own shape.
    """
    poses = link_poses(compiled.model, compiled.q)
    assembly, links = compiled.assembly, compiled.places.links
    points = [np.zeros(3)]
    for node, body in assembly.body.items():
        points.append((poses[links[body]] @ assembly.body_from_node[node])[:3, 3])
    for mass in assembly.masses:
        node = assembly.graph.node[mass.frame]
        pose = poses[links[assembly.body[node]]] @ assembly.body_from_node[node]
        points.append((pose @ np.append(mass.center_of_mass, 1.0))[:3])
    extent = float(np.linalg.norm(np.ptp(points, axis=0)))
    own = max((component.extent for component in assembly.components), default=0.0)
    largest = max(extent, own)
    return largest if largest > LEAST else 1.0
