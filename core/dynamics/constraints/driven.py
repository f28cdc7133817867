"""Frames whose pose is a function of time: their twists and accelerations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...arrays import FloatArray
from ...errors import ArgumentError
from .derivatives import derivatives, takes_complex
from .given_functions import called, numbers
from .pairs import PrescribedFrame

RIGID = 1e-9  # by which a pose may fail to be one


class DrivenFrames:
    """World_from_target of all prescribed frames.

    [V]^ = X' X^-1,   [A]^ = X'' X^-1 - [V]^ [V]^
    """

    def __init__(self, constraints: Sequence[PrescribedFrame]) -> None:
        self._constraints = constraints
        self._is_complex: list[bool | None] = [None] * len(constraints)

    def at(self, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """X, [V]^ and H, each (…, k, 4, 4), at times t (…), s."""
        count = len(self._constraints)
        out = np.empty((3, *t.shape, count, 4, 4))
        for index in np.ndindex(t.shape):
            for k in range(count):
                pose, rate, bend = self._one(k, float(t[index]))
                back = np.linalg.inv(pose)
                out[(slice(None), *index, k)] = pose, rate @ back, bend @ back
        return out[0], out[1], out[2]

    def poses(self, t: FloatArray) -> FloatArray:
        """(…, k, 4, 4) at times t (…), s."""
        out = np.empty((*t.shape, len(self._constraints), 4, 4))
        for index in np.ndindex(t.shape):
            for k in range(len(self._constraints)):
                out[(*index, k)] = np.asarray(self._pose(k, float(t[index])), dtype=np.float64)
        return out

    def _one(self, k: int, t: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The pose (4, 4) of one of them, and its first two derivatives."""
        is_complex = self._is_complex[k]
        if is_complex is None:
            is_complex = self._is_complex[k] = takes_complex(lambda s: self._pose(k, s), t)
        pose = np.asarray(self._pose(k, t), dtype=np.float64)
        return pose, *derivatives(lambda s: self._pose(k, s), t, is_complex)

    def _pose(self, k: int, t: Any) -> Any:
        own = self._constraints[k]
        owner = f"{own.label}: motion"
        pose = numbers(owner, t, called(owner, own.motion, t), (4, 4))
        if pose.dtype.kind != "c":
            turn = pose[:3, :3]
            off = float(np.abs(turn @ turn.T - np.eye(3)).max())
            known = np.isfinite(pose).all()
            if not (known and off < RIGID and (pose[3] == (0.0, 0.0, 0.0, 1.0)).all()):
                raise ArgumentError(
                    f"{owner}: wanted a pose, a rotation and a translation; got {pose.tolist()} at "
                    f"t = {t:.6g} s"
                )
        return pose
