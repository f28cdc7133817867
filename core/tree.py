"""A tree of rigid bodies: the plain value between a description file and the compiled model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from .arrays import FloatArray, as_floats
from .errors import ModelError
from .frames import minimal_rotation

JointType = Literal[
    "fixed",
    "revolute",
    "continuous",
    "prismatic",
    "screw",
    "cylindrical",
    "universal",
    "planar",
    "spherical",
    "floating",
]
MOVING_JOINT_TYPES: tuple[JointType, ...] = (
    "revolute",
    "continuous",
    "prismatic",
    "screw",
    "cylindrical",
    "universal",
    "planar",
    "spherical",
    "floating",
)
# joints of one coordinate: those that may have limits, and mimic or be mimicked
SINGLE_JOINT_TYPES: tuple[JointType, ...] = ("revolute", "continuous", "prismatic", "screw")
LIMITED_JOINT_TYPES: tuple[JointType, ...] = ("revolute", "prismatic", "screw")
VELOCITIES: Mapping[JointType, int] = {
    "fixed": 0,
    "revolute": 1,
    "continuous": 1,
    "prismatic": 1,
    "screw": 1,
    "cylindrical": 2,
    "universal": 2,
    "planar": 3,
    "spherical": 3,
    "floating": 6,
}

FRICTION_SPEED = 0.01  # rad/s or m/s over which dry friction changes sign, where none is given
Coefficient = float | tuple[float, ...]  # one for all coordinates of a joint, or one for each


@dataclass(frozen=True)
class Body:
    """A rigid body with its frame.

    mass in kg; center_of_mass (3,) in the body frame, m; inertia (3, 3) about the centre of
    mass in body axes, kg m^2.
    """

    name: str
    mass: float
    center_of_mass: FloatArray
    inertia: FloatArray


@dataclass(frozen=True)
class Mimic:
    """value = multiplier * value of the joint `leader` + offset."""

    leader: str
    multiplier: float
    offset: float


@dataclass(frozen=True)
class TreeJoint:
    """A joint from the body `parent` to the body `child`.

    parent_from_joint (4, 4) is the pose of the joint frame, which is the child's at value 0;
    axis (3,) is a unit vector in it: what a revolute joint turns about, a prismatic one slides
    along, and a planar one's plane is normal to.

    Attributes:
        lower, upper: infinite where there are none, rad or m; a screw's are of its turn.
        damping: N m s/rad or N s/m; friction: N m or N.
        second_axis: of a universal joint, (3,), unit, in the joint frame at value 0; the child
            turns about it after the first turn.
        pitch: of a screw, m/rad.
        sequence: Euler sequence of the state of a spherical or floating joint ('XYZ': R = R_X(a)
            R_Y(b) R_Z(c)); None for a quaternion.
        rotor_inertia: of a motor before its gear, kg m^2 (kg for a slide); gear_ratio: turns of
            the rotor for one of the joint. M_kk grows by gear_ratio^2 rotor_inertia.
        stiffness: N m/rad or N/m, and rest, rad or m, of a spring.
        friction_speed: rad/s or m/s over which dry friction changes sign, c tanh(v / speed).
        effort: the largest force of a motor, N m or N, infinite where there is no limit.

    A spherical joint has damping only, tau = -d omega; a floating one nothing of all this.
    """

    name: str
    type: JointType
    parent: str
    child: str
    parent_from_joint: FloatArray
    axis: FloatArray
    lower: float = -np.inf
    upper: float = np.inf
    damping: Coefficient = 0.0
    friction: Coefficient = 0.0
    mimic: Mimic | None = None
    second_axis: FloatArray | None = None
    pitch: float = 0.0
    sequence: str | None = None
    rotor_inertia: Coefficient = 0.0
    gear_ratio: Coefficient = 1.0
    stiffness: Coefficient = 0.0
    rest: Coefficient = 0.0
    friction_speed: float = FRICTION_SPEED
    effort: float = np.inf

    @property
    def nv(self) -> int:
        """How many velocities it has."""
        return VELOCITIES[self.type]

    @property
    def nq(self) -> int:
        """How many coordinates it has: one more where a quaternion is the state."""
        return self.nv + (self.type in ("spherical", "floating") and self.sequence is None)

    def coefficients(self, name: str) -> FloatArray:
        """(nv,): one of its coefficients, such as 'damping', for each velocity.

        Raises:
            ModelError: where it is neither a number nor one for each.
        """
        given = np.asarray(getattr(self, name), dtype=np.float64)
        if given.shape not in ((), (self.nv,)) or not np.isfinite(given).all():
            raise ModelError(
                f"joint '{self.name}': {name}: wanted a finite number, or {self.nv} of them (one "
                f"for each velocity of a {self.type} joint), got {getattr(self, name)!r}"
            )
        return np.broadcast_to(given, (self.nv,)).copy()


@dataclass(frozen=True)
class Tree:
    """Bodies and the joints between them; `root` is the one body that is no joint's child."""

    name: str
    bodies: tuple[Body, ...]
    joints: tuple[TreeJoint, ...]
    root: str

    def joints_from_root(self) -> list[TreeJoint]:
        """The joints depth first, children in the order they were given."""
        below: dict[str, list[TreeJoint]] = {}
        for joint in self.joints:
            below.setdefault(joint.parent, []).append(joint)
        ordered: list[TreeJoint] = []
        stack = list(reversed(below.get(self.root, [])))
        while stack:
            joint = stack.pop()
            ordered.append(joint)
            stack.extend(reversed(below.get(joint.child, [])))
        if len(ordered) != len(self.joints):
            lost = sorted({joint.name for joint in self.joints} - {joint.name for joint in ordered})
            raise ModelError(
                f"{self.name}: joints not reached from root '{self.root}': {', '.join(lost)}; "
                "bodies and joints must form one tree"
            )
        return ordered


def planar_axes(normal: ArrayLike) -> FloatArray:
    """The two slide axes of a planar joint: images of x and y under the least turn of z to normal.

    Args:
        normal: (3,), unit length, in the joint frame.

    Returns:
        (2, 3): rows e1, e2 with e1 x e2 = normal.
    """
    return minimal_rotation((0.0, 0.0, 1.0), as_floats(normal, (3,), "normal"))[:, :2].T.copy()
