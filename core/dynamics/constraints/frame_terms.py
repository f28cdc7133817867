"""What rows between frames are made of, so that the rows of every kind share their products.

A row between frame a and frame b of the model has the rate

    g' = w . (V_b - V_a)

with the twists V of both frames and a wrench w, all at the world origin in world axes. So with the
degrees of freedom k on the paths to the frames its Jacobian is

    G_k = w . s_k (path_bk - path_ak)

The second derivative with a = 0 is made of the frames' H = X'' X^-1, where X = world_from_frame:
H p is the acceleration of a point p of the frame. Each kind of constraint works out all its rows
in one batch.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from ...arrays import FloatArray
from ..model import IntArray
from ..spatial import HAT

# the wrench w with K . [V]^ = w . V for K (3, 4), flattened by rows
WRENCH = HAT[:, :12].T.copy()


class Terms(NamedTuple):
    """The terms of one kind at a pose.

    residual (…, n), m and rad; wrench (…, n, 6), with unit torque for residuals in rad.
    `kept` is what `bend` of the same kind needs.
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

    def bend(self, terms: Terms, hats: FloatArray, seconds: FloatArray) -> FloatArray:
        """g'' (…, n) with a = 0, at [V]^ and X'' X^-1 of all frames, each (…, nf, 4, 4)."""
        ...


def hats_of(velocities: FloatArray) -> FloatArray:
    """[V]^ (…, 4, 4) of twists (…, 6)."""
    return (velocities @ HAT).reshape(*velocities.shape[:-1], 4, 4)
