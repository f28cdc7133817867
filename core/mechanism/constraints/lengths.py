"""Rods and cables of fixed length between the origins of frames, in a plane and in space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...arrays import FloatArray
from ...dynamics import constraints as kinds
from ...dynamics.constraints import Constraint, Switch
from ...errors import ArgumentError
from ..arguments import positive
from ..component import Output
from ..drawing import Scene
from ..frame import Frame
from ..places import Places
from ..shapes import Color, LineKind
from . import sketches
from .part import ConstraintPart, row_of

if TYPE_CHECKING:
    from ..snapshot import Snapshot


class LengthPart(ConstraintPart):
    """A line of fixed length through frames.

    Variables: displacement (…, 1), the length between its frames as they are, m; velocity, its
    rate, m/s; length and tension (…), the same length, and the force with which it pulls, N;
    equation and force (…, 1): force is the tension, as M a + J^T lambda = f has it.
    """

    line: ClassVar[LineKind]

    def __init__(
        self,
        name: str,
        frames: Sequence[str],
        length: float,
        active: bool,
        switches: Sequence[Switch],
        show: bool,
        color: Color | None,
    ) -> None:
        super().__init__(name, frames, active, switches, show, color)
        self.length = positive(self.label, "length", length)

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also length and tension."""
        return {
            **super().outputs(places),
            "displacement": row_of(self._length),
            "velocity": row_of(self._stretching),
            "length": self._length,
            "tension": self.lagrange(),
        }

    def sketch(self, scene: Scene) -> None:
        """A line from each frame to the next."""
        for pair in self._stretches:
            sketches.line(self, scene, self.line, pair, self.shown)

    @property
    def _stretches(self) -> list[tuple[Frame, Frame]]:
        return list(pairwise(self.frames))

    def _length(self, at: Snapshot) -> FloatArray:
        return self._sum(at)[0]

    def _stretching(self, at: Snapshot) -> FloatArray:
        return self._sum(at)[1]

    def _sum(self, at: Snapshot) -> tuple[FloatArray, FloatArray]:
        """Length and its rate (…)."""
        length = rate = np.zeros(at.q.shape[:-1])
        for a, b in self._stretches:
            apart, parting = at.position(b) - at.position(a), at.velocity(b) - at.velocity(a)
            own = np.linalg.norm(apart, axis=-1)
            length = length + own
            rate = rate + (apart * parting).sum(axis=-1) / own
        return length, rate


class DistancePart(LengthPart):
    """The origins of frame_a and frame_b stay `length` apart, as a rod keeps them: 1 row.

    Args:
        name: of the component.
        length: m, above 0.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    line = "rod"

    def __init__(
        self,
        name: str,
        *,
        length: float,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, ("frame_a", "frame_b"), length, active, switches, show, color)

    def constraint(self, places: Places) -> Constraint:
        """A rod."""
        a, b = (places.port(frame) for frame in self.frames)
        return kinds.Distance(**self.common(), a=a, b=b, length=self.length)


class CablePart(LengthPart):
    """A taut cable of fixed length from frame_a through frame_1, frame_2, … to frame_b: 1 row.

    It runs through the origins of the frames without friction, and can push as a rod does: where
    its tension becomes negative, a real one would be slack.

    Args:
        name: of the component.
        length: of all of it, m, above 0.
        through: how many frames there are between frame_a and frame_b.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    line = "rope"

    def __init__(
        self,
        name: str,
        *,
        length: float,
        through: int = 0,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        count = through if isinstance(through, int) and not isinstance(through, bool) else -1
        if count < 0:
            raise ArgumentError(
                f"{type(self).__name__} '{name}': through: wanted how many frames it runs through, "
                f"0 or more, got {through!r}"
            )
        between = [f"frame_{index + 1}" for index in range(count)]
        frames = ("frame_a", *between, "frame_b")
        super().__init__(name, frames, length, active, switches, show, color)

    def constraint(self, places: Places) -> Constraint:
        """A cable."""
        points = [places.port(frame) for frame in self.frames]
        return kinds.Cable(**self.common(), points=points, length=self.length)
