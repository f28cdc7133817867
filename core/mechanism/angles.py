"""The angle of every planar frame as a sum over joints: phi = row @ q + offset, over all turns."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..arrays import FloatArray
from .component import RigidEdge
from .graph import WORLD
from .places import Places

Angle = tuple[FloatArray, float]  # the row (nq,) and the offset, rad


def planar_angles(places: Places) -> Mapping[int, Angle]:
    """For each node of a planar mechanism."""
    nothing = np.zeros(places.model.nq)
    out: dict[int, Angle] = {WORLD: (nothing, 0.0)}
    for step in places.assembly.graph.edges:
        row, offset = out[step.parent]
        way = -1.0 if step.reversed else 1.0
        if isinstance(step.edge, RigidEdge):
            out[step.child] = row, offset + way * step.edge.angle
            continue
        joint, at = step.edge.joint, places.joints[step.edge].q
        row = row.copy()
        if joint.type != "prismatic":  # the turn of a planar joint is its last coordinate
            row[at[-1]] += way * np.sign(joint.axis[2])
        out[step.child] = row, offset
    return {node: (row, phi + places.turns.get(node, 0.0)) for node, (row, phi) in out.items()}
