"""A tree of rigid bodies: the plain value between a description file and the compiled model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats
from ..errors import ModelError
from ..frames import minimal_rotation

JointType = Literal["fixed", "revolute", "continuous", "prismatic", "planar", "floating"]
MOVING_JOINT_TYPES: tuple[JointType, ...] = (
    "revolute",
    "continuous",
    "prismatic",
    "planar",
    "floating",
)


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
    axis (3,) is a unit vector in it. Bounds are infinite where there are none (rad or m);
    damping in N m s/rad or N s/m, friction in N m or N.
    """

    name: str
    type: JointType
    parent: str
    child: str
    parent_from_joint: FloatArray
    axis: FloatArray
    lower: float = -np.inf
    upper: float = np.inf
    damping: float = 0.0
    friction: float = 0.0
    mimic: Mimic | None = None


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
