"""Coordinates and frames that move as they are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...arrays import as_finite
from ...dynamics import constraints as kinds
from ...dynamics.constraints import Constraint, Switch
from ...errors import ArgumentError, SimulationError
from ..component import Output
from ..drawing import Scene
from ..frame import Frame
from ..places import Places
from ..shapes import Color
from . import sketches
from .choice import Choice
from .part import ConstraintPart
from .plane import PlanarHold, PlanarPrescribedFrame
from .relations import RelationPart, Term

# by space and rows: shapes of what a motion returns, in words
MOTIONS: Mapping[str, Mapping[str, tuple[tuple[tuple[int, ...], ...], str]]] = {
    "spatial": {
        "pose": (((4, 4),), "a pose (4, 4)"),
        "position": (((3,), (4, 4)), "a position (3,) or a pose (4, 4)"),
        "orientation": (((3, 3), (4, 4)), "a rotation matrix (3, 3) or a pose (4, 4)"),
    },
    "planar": {
        "pose": (((3,),), "(x, y, phi)"),
        "position": (((2,), (3,)), "(x, y) or (x, y, phi)"),
        "orientation": (((), (3,)), "phi or (x, y, phi)"),
    },
}


class PrescribedCoordinatePart(RelationPart):
    """coordinate = motion(t), whatever it takes: 1 row.

    Other than `PrescribedMotion` it also drives coordinates of joints that have several, it can be
    switched, and it may drive what other constraints tie.

    Variables: displacement (…, 1), the coordinate, and velocity, its rate; tau (…), what the drive
    exerts along the coordinate, N m (N on a slide), and power = tau w, W; equation, force (…, 1).

    Args:
        name: of the component.
        coordinate: a joint, or the name of one or of a coordinate ('hinge', 'slider.s').
        motion: rad or m: a number, or a function of t that returns x, or (x, x', x''). Of x alone
            the derivatives are found, exactly where it takes complex numbers.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        coordinate: Choice,
        motion: float | Callable[[float], Any],
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        terms = (Term("coordinate", coordinate, 1.0),)
        super().__init__(name, terms, active, switches, show, color)
        self.motion = _function(self.label, motion)

    def constraint(self, places: Places) -> Constraint:
        """The driven coordinate."""
        (name,) = self.names(places)
        return kinds.PrescribedCoordinate(**self.common(), coordinate=name, motion=self.motion)

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also what drives it."""
        out, tau = dict(super().outputs(places)), self.lagrange(factor=-1.0)
        rate = out["velocity"]
        return {**out, "tau": tau, "power": lambda at: tau(at) * rate(at)[..., 0]}


class PrescribedFramePart(ConstraintPart):
    """frame_b follows a pose in the world that is a function of time: 6 rows, in a plane 3.

    Variables: displacement and velocity (…, 3), of frame_b in the world, m, m/s, in a plane
    (…, 2); equation, force.

    Args:
        name: of the component.
        motion: a function of t, or what it would return: in space world_from_frame_b (4, 4), for
            the position alone also (3,), for the orientation alone (3, 3); in a plane (x, y, phi),
            for the position alone also (x, y), for the orientation alone phi. m, rad. Where it
            takes complex numbers its derivatives are exact, else they are found from its values.
        rows: what of it is followed: 'pose', 'position' or 'orientation'.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        motion: ArrayLike | Callable[[float], Any],
        rows: str = "pose",
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, ("frame_b",), active, switches, show, color)
        if rows not in MOTIONS[self.space]:
            raise ArgumentError(
                f"{self.label}: rows: wanted 'pose', 'position' or 'orientation', got {rows!r}"
            )
        self.rows: Any = rows
        self.motion = _function(self.label, motion)

    def constraint(self, places: Places) -> Constraint:
        """The driven frame."""
        kind = PlanarPrescribedFrame if self.space == "planar" else kinds.PrescribedFrame
        port = places.port(self.frame_b)
        return kind(**self.common(), port=port, motion=self.pose, rows=self.rows)

    def pose(self, t: Any) -> Any:
        """world_from_target (4, 4) at a time, which may be complex.

        Raises:
            ArgumentError: where the function returns something else.
        """
        given = np.asarray(self.motion(t))
        shapes, wanted = MOTIONS[self.space][self.rows]
        if given.shape not in shapes or given.dtype.kind not in "biufc":
            raise ArgumentError(
                f"{self.label}: motion: wanted {wanted}, got {given.tolist()!r} at t = {t:g}"
            )
        return _planar_pose(given) if self.space == "planar" else _pose(given)

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also where frame_b is."""
        return {**super().outputs(places), **_in_world(self.frame_b, self.space)}

    def sketch(self, scene: Scene) -> None:
        """A small box."""
        sketches.box(self, scene, self.frame_b, self.shown)


class HoldPart(ConstraintPart):
    """frame_b is welded to the world where it is, and let go: 6 rows, in a plane 3.

    The pose that it is held at is that of the start, or of the instant at which it is switched on.

    Variables: displacement and velocity (…, 3), of frame_b in the world, m, m/s, in a plane
    (…, 2); equation, force.

    Args:
        name: of the component.
        active: whether it acts from the start; switches: when that changes; see `Switch`.
        show: whether it is drawn; color: red, green and blue in 0..1.
    """

    def __init__(
        self,
        name: str,
        *,
        active: bool = True,
        switches: Sequence[Switch] = (),
        show: bool = True,
        color: Color | None = None,
    ) -> None:
        super().__init__(name, ("frame_b",), active, switches, show, color)

    def constraint(self, places: Places) -> Constraint:
        """The weld."""
        kind = PlanarHold if self.space == "planar" else kinds.Hold
        return kind(**self.common(), port=places.port(self.frame_b))

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also where frame_b is."""
        return {**super().outputs(places), **_in_world(self.frame_b, self.space)}

    def sketch(self, scene: Scene) -> None:
        """A small box."""
        sketches.box(self, scene, self.frame_b, self.shown)


def _in_world(frame: Frame, space: str) -> dict[str, Output]:
    """Displacement and velocity of a frame."""
    size = 2 if space == "planar" else 3
    return {
        "displacement": lambda at: at.position(frame)[..., :size],
        "velocity": lambda at: at.velocity(frame)[..., :size],
    }


def _function(owner: str, given: Any) -> Callable[[Any], Any]:
    """A function of t that says whose it is where it fails; constants are one too.

    Raises:
        ArgumentError: for what is neither.
    """
    if not callable(given):
        constant = as_finite(given, (), f"{owner}: motion")
        return lambda t: constant

    def motion(t: Any) -> Any:
        try:
            return given(t)
        except Exception as reason:  # whatever a user's function may do
            if isinstance(t, complex | np.complexfloating):
                raise TypeError(str(reason)) from reason  # one that takes real numbers only
            raise SimulationError(
                f"{owner}: motion: the function failed at t = {t:g} s: "
                f"{type(reason).__name__}: {reason}"
            ) from reason

    return motion


def _pose(given: Any) -> Any:
    """(4, 4) of a position (3,), a rotation matrix (3, 3) or a pose."""
    if given.shape == (4, 4):
        return given
    out = np.eye(4, dtype=np.result_type(given, np.float64))
    if given.shape == (3,):
        out[:3, 3] = given
    else:
        out[:3, :3] = given
    return out


def _planar_pose(given: Any) -> Any:
    """(4, 4) of (x, y, phi), of (x, y) or of phi."""
    flat = np.atleast_1d(given)
    out = np.eye(4, dtype=np.result_type(flat, np.float64))
    if len(flat) > 1:
        out[:2, 3] = flat[:2]
    if len(flat) != 2:
        c, s = np.cos(flat[-1]), np.sin(flat[-1])
        out[:2, :2] = [[c, -s], [s, c]]
    return out
