"""A screw between two frames: a nut that turns on a thread and slides by it.

With the pose of port b in port a, (R, p), the axis u in a and w in b, and n1, n2 across u,
m1, m2 across w, the angle about the axis and the row that ties the slide to it are

    s = n2 . R m1 - n1 . R m2,   c = n1 . R m1 + n2 . R m2,   angle = atan2(s, c)
    g = u . p - offset - pitch angle                                         m

g is taken to the nearest of the thread's zeros, which are one lead 2 pi pitch apart. So the angle
may be that of any number of turns, and no turns need be counted: the nut stays on its thread as
long as nothing moves it by half a lead at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray, as_floats
from ...frames import minimal_rotation
from ..model import IntArray, Model
from ..spatial import TWIST_ENTRIES
from .frame_terms import Terms
from .pair_terms import PairTerms
from .pairs import AxisConstraint, Relation

LEAST_PITCH = 1e-12  # m/rad: a pitch below it is none


@dataclass(frozen=True, eq=False, kw_only=True)
class ScrewJoint(AxisConstraint):
    """Port b turns about the axis and slides along it in proportion: 5 rows.

        slide (m) = pitch (m/rad) * turn (rad) + offset (m)

    The turn is zero where the axes of both ports agree, or, where axis and axis_b have different
    numbers, where the smallest turn that takes axis_b to the axis is all there is between them.
    The slide is that of the origin of b along the axis of a. Among threads that differ by whole
    turns the start decides: it is put onto the nearest.

    Attributes:
        pitch: m/rad, not 0; positive for a right-handed thread, 1 / (2 pi) of the lead.
        offset: m.
    """

    pitch: float
    offset: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not abs(self.number(self.pitch, "pitch")) > LEAST_PITCH:
            raise self.refused("pitch", "a number that is not 0 (Hinge turns only)", self.pitch)
        self.number(self.offset, "offset")

    def relations(self) -> list[Relation]:
        """Positions across the axis, then turns across it; the thread has terms of its own."""
        return [*self.offsets(), *self.alignments()]

    def parts(self) -> tuple[Relation, Relation, Relation]:
        """Slide u . p, and s and c of the angle."""
        axis, other = self._axis, as_floats(self.axis_b, (3,), "axis_b")  # type: ignore[arg-type]
        n = self.across()
        m = n @ minimal_rotation(axis, other).T
        turn, none = np.zeros((3, 3)), np.zeros((3, 1))
        slide = np.concatenate((turn, axis[:, None]), axis=1)
        sine = np.outer(n[1], m[0]) - np.outer(n[0], m[1])
        cosine = np.outer(n[0], m[0]) + np.outer(n[1], m[1])
        return (
            Relation("slide", slide),
            Relation("sine", np.concatenate((sine, none), axis=1)),
            Relation("cosine", np.concatenate((cosine, none), axis=1)),
        )


class ScrewTerms:
    """The threads of all screws, one term for each.

    With the rates of slide, s and c from `PairTerms`, D = s^2 + c^2,

        angle'  = (c s' - s c') / D
        angle'' = (c s'' - s c'' - 2 angle' (s s' + c c')) / D
    """

    def __init__(self, model: Model, constraints: Sequence[ScrewJoint]) -> None:
        places = [(own.a.place(model), own.b.place(model)) for own in constraints]
        relations = zip(*(own.parts() for own in constraints), strict=True)
        self._parts = PairTerms(places * 3, [part for kind in relations for part in kind])
        self._count = len(constraints)
        self.frame_a: IntArray = self._parts.frame_a[: self._count]
        self.frame_b: IntArray = self._parts.frame_b[: self._count]
        self._pitch = np.array([float(own.pitch) for own in constraints])
        self._offset = np.array([float(own.offset) for own in constraints])
        self._lead = 2.0 * np.pi * np.abs(self._pitch)

    def terms(self, poses: FloatArray) -> Terms:
        """See `FrameTerms.terms`."""
        inner = self._parts.terms(poses)
        slide, sine, cosine = self._thirds(inner.residual)
        off = slide - self._offset - self._pitch * np.arctan2(sine, cosine)
        # the nearest zero
        residual = off - self._lead * np.round(off / self._lead)
        along, of_sine, of_cosine = self._thirds(inner.wrench, axis=-2)
        square = sine * sine + cosine * cosine
        by_sine, by_cosine = (cosine / square)[..., None], (-sine / square)[..., None]
        wrench = along - self._pitch[:, None] * (by_sine * of_sine + by_cosine * of_cosine)
        return Terms(residual, wrench, (inner.residual, inner.wrench, *inner.kept))

    def bend(self, terms: Terms, hats: FloatArray, seconds: FloatArray) -> FloatArray:
        """See `FrameTerms.bend`."""
        values, wrenches, *kept = terms.kept
        inner = self._parts.bend(Terms(values, wrenches, tuple(kept)), hats, seconds)
        slide_bend, sine_bend, cosine_bend = self._thirds(inner)
        apart = hats.take(self.frame_b, axis=-3) - hats.take(self.frame_a, axis=-3)
        twist = apart.reshape(*apart.shape[:-2], 16).take(TWIST_ENTRIES, axis=-1)
        _, sine, cosine = self._thirds(values)
        _, of_sine, of_cosine = self._thirds(wrenches, axis=-2)
        sine_rate, cosine_rate = (of_sine * twist).sum(axis=-1), (of_cosine * twist).sum(axis=-1)
        square = sine * sine + cosine * cosine
        rate = (cosine * sine_rate - sine * cosine_rate) / square
        spread = sine * sine_rate + cosine * cosine_rate
        turn_bend = (cosine * sine_bend - sine * cosine_bend - 2.0 * rate * spread) / square
        bend: FloatArray = slide_bend - self._pitch * turn_bend
        return bend

    def _thirds(
        self, values: FloatArray, axis: int = -1
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """What there is of slides, sines and cosines."""
        first, second, third = np.split(values, 3, axis=axis)
        return first, second, third
