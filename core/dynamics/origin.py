"""Where equations of motion are evaluated: near the robot, wherever it stands.

Twists and inertias are taken at the origin, and what they hold far from it is large numbers whose
differences matter. Where all joints of the world are floating ones, the equations of motion do
not depend on the place as a whole, so it is subtracted. Poses and what is made of them are not
evaluated this way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray, frozen
from .model import IntArray, Model

AT_ORIGIN = frozen(np.zeros((1, 1, 3)))


@dataclass(frozen=True, eq=False)
class Origin:
    """The floating joints, of which n are the world's."""

    all_q: IntArray  # (nfloating, 3): positions
    rows: IntArray  # (n,): the world's among them
    q: IntArray  # (n, 3): their positions

    def places(self, q: FloatArray) -> FloatArray:
        """Positions (…, nfloating, 3) at q (…, nq); the world's as seen from the first of them.

        Axes that all have the same entries may be of length one.
        """
        if len(self.all_q) == 1:
            return AT_ORIGIN
        places = q.take(self.all_q, -1)
        roots = q.take(self.q, -1)
        places[..., self.rows, :] = roots - roots[..., :1, :]
        return places

    def near(self, q: FloatArray) -> FloatArray:
        """q (…, nq) with the first of them at the origin, and all others as they are to it."""
        out = q.copy()
        out[..., self.all_q] = self.places(q)
        return out


def movable_origin(model: Model) -> Origin | None:
    """The joint to take as the origin; None where the world has other joints than floating.

    A pose between the world and a joint, which only a description gives, leaves the origin too.
    """
    children = np.flatnonzero(model.parents == 0)[1:]  # the world is its own parent
    frames = model.free_frames[model.floating_rows]
    if not len(children) or not np.isin(children, frames).all():
        return None
    rows = np.flatnonzero(np.isin(frames, children))
    if not (model.free_parent_from_joint[model.floating_rows[rows]] == np.eye(4)).all():
        return None
    return Origin(model.floating_q, rows, model.floating_q[rows])
