"""Joints with an axis: revolute, prismatic, screw, cylindrical, universal and planar ones.

Each class here has its axis in space; the planar and spatial components give it one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..arrays import FloatArray
from ..errors import ArgumentError
from ..tree import Coefficient, JointType, TreeJoint
from .arguments import limits as checked_limits
from .component import JointEdge, Output
from .drawing import Scene
from .joint_part import JointPart, initial, inside
from .places import Places

Limits = tuple[float, float] | None


class RevolutePart(JointPart):
    """A turn by phi about an axis."""

    names: Sequence[tuple[str, str, str]] = (("phi", "w", "a"),)

    def __init__(
        self,
        name: str,
        axis: FloatArray,
        phi0: float | None,
        w0: float | None,
        limits: Limits,
        given: Mapping[str, Coefficient],
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        kind: JointType = "continuous" if limits is None else "revolute"
        joint = axis_joint(owner, name, kind, axis, limits, 1, given)
        q, v = initial(owner, [("phi0", phi0)]), initial(owner, [("w0", w0)])
        super().__init__(name, joint, q, v)

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also tau: the torque about the axis that frame_a exerts on what follows frame_b, N m."""
        return {**super().outputs(places), "tau": passed_torque(self.edge)}

    def drawn(self, scene: Scene) -> None:
        """Its pin."""
        scene.pin(self, self.frame_a, self.edge.joint.axis)


class PrismaticPart(JointPart):
    """A slide by s along an axis."""

    names: Sequence[tuple[str, str, str]] = (("s", "v", "a"),)

    def __init__(
        self,
        name: str,
        axis: FloatArray,
        s0: float | None,
        v0: float | None,
        limits: Limits,
        given: Mapping[str, Coefficient],
    ) -> None:
        owner = f"{type(self).__name__} '{name}'"
        joint = axis_joint(owner, name, "prismatic", axis, limits, 1, given)
        q, v = initial(owner, [("s0", s0)]), initial(owner, [("v0", v0)])
        super().__init__(name, joint, q, v)

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Also f: the force along the axis that frame_a exerts on what follows frame_b, N."""
        return {**super().outputs(places), "f": passed_force(self.edge)}

    def drawn(self, scene: Scene) -> None:
        """A slider, and the rod that it slides along."""
        scene.slider(self, self.frame_b, self.edge.joint.axis)
        scene.rail(self, self.frame_a, self.frame_b)


class PlanePart(JointPart):
    """Slides x and y in frame_a, then a turn phi about the normal.

    Variables: x, y, phi; v_x, v_y, w; a_x, a_y, wd.
    """

    names: Sequence[tuple[str, str, str]] = (
        ("x", "v_x", "a_x"),
        ("y", "v_y", "a_y"),
        ("phi", "w", "wd"),
    )


def axis_joint(
    owner: str,
    name: str,
    kind: JointType,
    axis: FloatArray,
    limits: Limits,
    count: int,
    given: Mapping[str, Coefficient],
) -> TreeJoint:
    """The joint of the tree, its axis in frame_a."""
    lower, upper = checked_limits(owner, limits)
    fields = inside(owner, count, given)
    return TreeJoint(
        name,
        kind,
        "",
        "",
        np.eye(4),
        axis,
        lower=lower,
        upper=upper,
        **fields,  # type: ignore[arg-type]
    )


def refuse_limits(name: str, given: Mapping[str, Coefficient]) -> None:
    """Raise an ArgumentError where limits were given to a joint that has none."""
    if "limits" in given:
        raise ArgumentError(
            f"Continuous '{name}': limits: it turns without any; wanted a Revolute, which has them"
        )


def passed_torque(edge: JointEdge) -> Output:
    """The torque about its axis that a joint exerts on what follows frame_b (…), N m."""
    end, axis = edge.frame_b, edge.joint.axis  # the axis is the same in the joint and in frame_b
    return lambda at: (at.joint_wrench(edge)[1] * (at.rotation(end) @ axis)).sum(axis=-1)


def passed_force(edge: JointEdge) -> Output:
    """The force along its axis that a joint exerts on what follows frame_b (…), N."""
    end, axis = edge.frame_b, edge.joint.axis
    return lambda at: (at.joint_wrench(edge)[0] * (at.rotation(end) @ axis)).sum(axis=-1)
