"""What rows between frames are made of, so that the rows of every kind share their products.

A row between frame a and frame b of the model has the rate

    g' = w . (V_b - V_a)

with the twists V of both frames and a wrench w, all at the world origin in world axes. So its
Jacobian and its second derivative are, with the degrees of freedom k on the paths to the frames,

    G_k = w . s_k (path_bk - path_ak),   g'' = w . (A_b - A_a) + drift

where A holds the accelerations of the frames; those with a = 0 give gamma. Each kind of
constraint works out the w of all its rows in one batch.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from ...arrays import FloatArray
from ..model import IntArray
from ..spatial import CROSS

# [V]^ = [[omega]x, v; 0, 0] of twists (6,), flattened by rows
HAT = np.zeros((6, 16))
HAT[:3].reshape(3, 4, 4)[:, :3, :3] = CROSS.reshape(3, 3, 3)
HAT[[3, 4, 5], [3, 7, 11]] = 1.0
# the wrench w with K . [V]^ = w . V for K (3, 4), flattened by rows
WRENCH = HAT[:, :12].T.copy()


class Terms(NamedTuple):
    """The terms of one kind at a pose.

    residual (…, n), m and rad; wrench (…, n, 6), with unit torque for residuals in rad.
    `kept` is what `drift` of the same kind needs.
    """

    residual: FloatArray
    wrench: FloatArray
    kept: tuple[FloatArray, ...]


class FrameTerms(Protocol):
    """A batch of constraint terms of one kind.

    frame_a, frame_b (n,): the frames of each term, those whose motion is prescribed counting on
    behind the model's own.
    """

    frame_a: IntArray
    frame_b: IntArray

    def terms(self, poses: FloatArray) -> Terms:
        """At poses world_from_frame (…, nf, 4, 4)."""
        ...

    def drift(self, terms: Terms, velocities: FloatArray, hats: FloatArray) -> FloatArray:
        """g'' - w . (A_b - A_a), (…, n), at twists (…, nf, 6), also as matrices (…, nf, 4, 4)."""
        ...


def hats_of(velocities: FloatArray) -> FloatArray:
    """[V]^ (…, 4, 4) of twists (…, 6)."""
    return (velocities @ HAT).reshape(*velocities.shape[:-1], 4, 4)
