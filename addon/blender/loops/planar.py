"""Loops in a plane: all joints between the two ends turn about one direction or slide across it.

Nothing can move the ends out of that plane, so rows that hold them in it say nothing new where
the axes are parallel exactly, and lock the loop where they are so but for a file's last digits
(rpy="1.5708 0 0") or Blender's. Such loops are closed by the rows of the plane alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics import Model
from ....core.dynamics.constraints import Constraint, PlanarHinge, Port
from ....core.dynamics.kinematics import frame_poses
from ....core.frames import minimal_rotation, transform
from ....core.mechanism.closing import PlanarSlide, PlanarWeld
from .kinds import LoopKind

PARALLEL = 1e-4  # rad: axes that differ by less are meant to be parallel
OFFSET = 1e-5  # of the robot's size: a loop that is further out of its plane says so
Z = np.array([0.0, 0.0, 1.0])
POINTS = ("BALL", "HINGE", "CYLINDRICAL")  # a point in the plane is all that is left of them
ALONG = ("HINGE", "CYLINDRICAL")  # Z must be along the axis, else they do lock the loop
ORIENTED = ("WELD", "PRISMATIC")


@dataclass(frozen=True, eq=False)
class Plane:
    """The plane of a loop, at the robot's reference pose.

    Attributes:
        axis: (3,), unit, in the robot's coordinates: what is turned about.
        spread: rad, the largest angle between the axes, or a slide and the plane.
    """

    axis: FloatArray
    spread: float


@dataclass(frozen=True, eq=False, kw_only=True)
class _Told(Constraint):
    """Messages call it by the kind that the user chose."""

    kind: str

    @property
    def label(self) -> str:
        """Such as "Hinge 'loop'"."""
        return f"{self.kind} '{self.name}'"


@dataclass(frozen=True, eq=False, kw_only=True)
class _Hinge(_Told, PlanarHinge):
    """Of 2 rows."""


@dataclass(frozen=True, eq=False, kw_only=True)
class _Slide(_Told, PlanarSlide):
    """Of 2 rows."""


@dataclass(frozen=True, eq=False, kw_only=True)
class _Weld(_Told, PlanarWeld):
    """Of 3 rows."""


def planar_constraint(
    model: Model, kind: LoopKind, name: str, a: Port, b: Port, size: float
) -> Constraint | None:
    """What closes a loop in a plane; None for one that is not, or that holds more than the plane.

    Args:
        model: the robot; a, b: the ends, on links that it has.
        kind, name: of the loop joint.
        size: of the robot, m.
    """
    if kind.id not in POINTS + ORIENTED:
        return None
    frames = frame_poses(model, model.neutral())
    places = [port.place(model) for port in (a, b)]
    plane = _plane(model, frames, places[0][0], places[1][0])
    if plane is None:
        return None
    ends = [frames[frame] @ frame_from_port for frame, frame_from_port in places]
    axes = [end[:3, :3].T @ plane.axis for end in ends]  # as the ends have it
    offset = abs(float(plane.axis @ (ends[1][:3, 3] - ends[0][:3, 3])))
    if kind.id != "CYLINDRICAL" and offset > (OFFSET + plane.spread) * size:
        return None
    if kind.id in POINTS:
        if kind.id in ALONG and not all(_angle(axis, Z) < PARALLEL for axis in axes):
            return None
        return _Hinge(kind=kind.label, name=name, a=a, b=b, axis=axes[0])
    if not np.linalg.norm(axes[0] - axes[1]) < PARALLEL:
        return None
    return _oriented(kind, name, a, b, axes[0])


def _oriented(kind: LoopKind, name: str, a: Port, b: Port, axis: FloatArray) -> Constraint | None:
    """A weld or a slide in the plane across an axis (3,) of the ends: their z is turned to it."""
    loop_from_plane = transform(minimal_rotation(Z, axis), np.zeros(3))
    a, b = (replace(port, link_from_port=port.link_from_port @ loop_from_plane) for port in (a, b))
    slide = loop_from_plane[:3, :3].T @ Z
    if kind.id == "WELD" or _angle(slide, Z) < PARALLEL:
        return _Weld(kind=kind.label, name=name, a=a, b=b)
    if abs(slide[2]) < PARALLEL:
        return _Slide(kind=kind.label, name=name, a=a, b=b, axis=(slide[0], slide[1], 0.0))
    return None


def _plane(model: Model, frames: FloatArray, frame_a: int, frame_b: int) -> Plane | None:
    """The plane that the joints between two frames move them in, if there is one."""
    between = np.flatnonzero(model.path[frame_a] != model.path[frame_b])
    twists = model.dof_twist[between]
    rotations = frames[model.dof_frame[between], :3, :3]
    turns, slides = (
        np.einsum("nij,nj->ni", rotations, part) for part in (twists[:, :3], twists[:, 3:])
    )
    turning, sliding = np.any(turns != 0.0, axis=1), np.any(slides != 0.0, axis=1)
    # a screw does both
    if not turning.any() or (turning & sliding).any():
        return None
    turns, slides = turns[turning], slides[sliding]
    angles = np.linalg.norm(np.cross(turns[:, None], turns[None]), axis=-1)
    axis = (np.sign(turns @ turns[0])[:, None] * turns).sum(axis=0)
    axis /= np.linalg.norm(axis)
    spread = max(float(angles.max()), float(np.abs(slides @ axis).max(initial=0.0)))
    return Plane(axis, spread) if spread < PARALLEL else None


def _angle(one: FloatArray, other: FloatArray) -> float:
    """rad, for small ones, between two unit vectors of either sense."""
    return float(np.linalg.norm(np.cross(one, other)))
