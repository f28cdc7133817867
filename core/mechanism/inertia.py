"""Masses on one body, added up."""

from __future__ import annotations

import numpy as np

from ..arrays import FloatArray, frozen
from ..dynamics.spatial import pseudo_inertia
from ..tree import Body
from .component import Mass


def pseudo(mass: Mass, body_from_frame: FloatArray) -> FloatArray:
    """The pseudo-inertia (4, 4) of a mass, in the axes and about the origin of its body."""
    local = pseudo_inertia(mass.mass, mass.center_of_mass, mass.inertia)
    out: FloatArray = body_from_frame @ local @ body_from_frame.T
    return out


def as_body(name: str, total: FloatArray) -> Body:
    """The body of a pseudo-inertia J = [[S, m c], [m c^T, m]]:  I = tr(S_c) 1 - S_c.

    S_c = S - m c c^T is about the centre of mass, which is the origin where there is no mass.
    """
    mass = float(total[3, 3])
    center = total[:3, 3] / mass if mass > 0.0 else np.zeros(3)
    about_center = total[:3, :3] - mass * np.outer(center, center)
    inertia = np.trace(about_center) * np.eye(3) - about_center
    return Body(name, mass, frozen(center), frozen(inertia))
