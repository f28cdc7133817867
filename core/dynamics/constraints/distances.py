"""Rods and cables of fixed length between points of bodies.

A cable runs through two or more points and is always taut:

    g = sum_i |p_(i+1) - p_i| - length

lambda is its tension with the sign turned: a taut cable, which pulls its ends together, has
lambda > 0 (M a + J^T lambda = f). A rod is a cable of two points that may push as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import FloatArray
from ...errors import ModelError
from ..model import IntArray, Model
from ..spatial import CROSS
from .constraint import Constraint
from .frame_terms import Terms
from .port import Port

NOTHING = 1e-10  # of the length: a shorter stretch has no direction, but for rounding


@dataclass(frozen=True, eq=False, kw_only=True)
class Distance(Constraint):
    """The origins of two ports stay `length` (m) apart, as a rod between them keeps them."""

    a: Port
    b: Port
    length: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self.number(self.length, "length (for two points in one place use Ball)", positive=True)

    @property
    def points(self) -> tuple[Port, ...]:
        """Its ends."""
        return self.a, self.b


@dataclass(frozen=True, eq=False, kw_only=True)
class Cable(Constraint):
    """A taut cable of fixed length (m) from the first port through all others to the last."""

    points: Sequence[Port]
    length: float

    def __post_init__(self) -> None:
        super().__post_init__()
        self.number(self.length, "length", positive=True)
        points = tuple(self.points)
        if len(points) < 2 or not all(isinstance(point, Port) for point in points):
            raise self.refused("points", "two or more ports", self.points)
        object.__setattr__(self, "points", points)


class DistanceTerms:
    """The stretches between neighbouring points of all rods and cables.

    With e the unit vector from p_a to p_b and d = p_b - p_a,

        w = (p_a x e, e),   g'' = e . (p_b'' - p_a'') + (|d'|^2 - (e . d')^2) / |d|
    """

    def __init__(self, model: Model, constraints: Sequence[Distance | Cable]) -> None:
        ends_a = [point.place(model) for own in constraints for point in own.points[:-1]]
        ends_b = [point.place(model) for own in constraints for point in own.points[1:]]
        self.frame_a: IntArray = np.array([frame for frame, _ in ends_a], dtype=np.intp)
        self.frame_b: IntArray = np.array([frame for frame, _ in ends_b], dtype=np.intp)
        # which constraint each stretch belongs to
        pieces = [len(own.points) - 1 for own in constraints]
        self.owner: IntArray = np.repeat(np.arange(len(constraints)), pieces)
        self._frames = np.concatenate((self.frame_a, self.frame_b))
        self._points = np.array([pose[:, 3:] for _, pose in (*ends_a, *ends_b)])
        # the whole length counts with the first stretch
        self._length = np.zeros(len(self.frame_a))
        self._length[np.searchsorted(self.owner, np.arange(len(pieces)))] = [
            own.length for own in constraints
        ]
        self._least = NOTHING * np.repeat([own.length for own in constraints], pieces)
        self._places = np.concatenate([np.arange(count) for count in pieces])
        self._labels = [own.label for own in constraints]

    def terms(self, poses: FloatArray) -> Terms:
        """See `FrameTerms.terms`.

        Raises:
            ModelError: where two neighbouring points coincide, so that there is no direction. A
                motion that brings them so close has no way to go on: it neither passes nor stops.
        """
        n = len(self.frame_a)
        points = poses.take(self._frames, axis=-3) @ self._points
        start, end = points[..., :n, :3, 0], points[..., n:, :3, 0]
        apart = end - start
        distance = np.sqrt((apart * apart).sum(axis=-1))
        if (distance < self._least).any():
            nearest = (distance - self._least).reshape(-1, n).min(axis=0)
            raise self._without_direction(int(np.argmin(nearest)))
        along = apart / distance[..., None]
        wrench = np.empty((*distance.shape, 6))
        arm = (start @ CROSS).reshape(*start.shape, 3)
        wrench[..., :3] = (arm @ along[..., None])[..., 0]
        wrench[..., 3:] = along
        return Terms(distance - self._length, wrench, (points, along, distance))

    def bend(self, terms: Terms, hats: FloatArray, seconds: FloatArray) -> FloatArray:
        """See `FrameTerms.bend`."""
        n = len(self.frame_a)
        points, along, distance = terms.kept
        rates = (hats.take(self._frames, axis=-3) @ points)[..., :3, 0]
        gains = (seconds.take(self._frames, axis=-3) @ points)[..., :3, 0]
        apart = rates[..., n:, :] - rates[..., :n, :]
        stretching = (along * apart).sum(axis=-1)
        across = (apart * apart).sum(axis=-1) - stretching * stretching
        bend: FloatArray = (along * (gains[..., n:, :] - gains[..., :n, :])).sum(axis=-1)
        bend += across / distance
        return bend

    def _without_direction(self, stretch: int) -> ModelError:
        """The error for two neighbouring points in one place."""
        at = int(self._places[stretch])
        return ModelError(
            f"{self._labels[self.owner[stretch]]}: its stretch from point {at} to point {at + 1} "
            "shrinks to nothing, and a length has no direction there; start elsewhere, stop the "
            "motion before (a longer cable, a limit, a switch), or use Ball for points in one place"
        )
