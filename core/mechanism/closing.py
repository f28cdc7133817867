"""The constraint that a cut joint becomes, between its frames.

    planar      revolute PlanarHinge 2 rows, prismatic 2, a share PlanarWeld 3
    in space    revolute Hinge 5, prismatic Prismatic 5, screw ScrewJoint 5, cylindrical
                Cylindrical 4, universal Universal 4, spherical Ball 3, planar PlaneContact 3, a
                share Weld 6

Rods need none: they close loops in which nothing moves. Constraints are named as the joint is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray, as_floats
from ..dynamics.constraints import (
    Ball,
    Constraint,
    Cylindrical,
    Hinge,
    PlanarHinge,
    Port,
    Prismatic,
    ScrewJoint,
    Universal,
    Weld,
)
from ..dynamics.constraints.pairs import AxisConstraint, PairConstraint, Relation
from ..errors import ModelError
from .component import JointEdge, Output, RigidEdge, Space
from .cuts import Cut
from .places import Places

NORMAL = (0.0, 0.0, 1.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class PlanarSlide(AxisConstraint):
    """In the xy plane, port b slides along the axis without turning: 2 rows."""

    def relations(self) -> Sequence[Relation]:
        """The position across the axis, then the turn about z."""
        axis = as_floats(self.axis, (3,), "axis")
        return [_position("across", np.cross(NORMAL, axis)), _turn()]


@dataclass(frozen=True, eq=False, kw_only=True)
class PlanarWeld(PairConstraint):
    """In the xy plane, both ports coincide: 3 rows."""

    def relations(self) -> Sequence[Relation]:
        """Positions, then the turn about z."""
        return [_position("x", np.eye(3)[0]), _position("y", np.eye(3)[1]), _turn()]


@dataclass(frozen=True, eq=False, kw_only=True)
class PlaneContact(AxisConstraint):
    """Port b stays in the plane through port a across the axis, its axis along it: 3 rows."""

    def relations(self) -> Sequence[Relation]:
        """The height above the plane, then turns across the axis."""
        axis = as_floats(self.axis, (3,), "axis")
        return [_position("height", axis), *self.alignments()]


def closing_constraint(cut: Cut, places: Places, space: Space) -> Constraint | None:
    """What closes a loop where it was cut; None where nothing is needed.

    Raises:
        ModelError: for a joint between frames of one body.
    """
    edge = cut.edge
    if isinstance(edge, RigidEdge):
        return None
    assert edge.frame_a is not None  # a root closes no loop
    if places.link(edge.frame_a)[0] == places.link(edge.frame_b)[0]:
        raise ModelError(
            f"{places.assembly.name}: {edge.label}: its frames stand still against each other, "
            f"tied by {' - '.join(cut.around[:-1]) or 'their connection'}, so it cannot move; "
            "remove it, or connect it to bodies that move"
        )
    name = edge.joint.name
    if cut.share is not None:
        original, copy = places.node_port(cut.share.original), places.node_port(cut.share.node)
        if space == "planar":
            return PlanarWeld(name=name, a=original, b=copy)
        return Weld(name=name, a=original, b=copy)
    return _of_joint(edge, *joint_ports(edge, places), space)


def constraint_outputs(name: str) -> dict[str, Output]:
    """The variables of a joint that closes a loop as its constraint has them, by full names."""
    return {
        f"{name}.equation": lambda at: at.constraint(name).equation,
        f"{name}.force": lambda at: at.constraint(name).force,
    }


def joint_ports(edge: JointEdge, places: Places) -> tuple[Port, Port]:
    """The joint's frame on the side of frame_a, and frame_b: together at value 0."""
    assert edge.frame_a is not None  # a root closes no loop
    link, link_from_frame = places.link(edge.frame_a)
    return Port(link, link_from_frame @ edge.joint.parent_from_joint), places.port(edge.frame_b)


def _of_joint(edge: JointEdge, a: Port, b: Port, space: Space) -> Constraint:
    joint, name = edge.joint, edge.joint.name
    axis = joint.axis
    if space == "planar":
        if joint.type == "prismatic":
            return PlanarSlide(name=name, a=a, b=b, axis=axis)
        return PlanarHinge(name=name, a=a, b=b, axis=NORMAL)
    if joint.type == "spherical":
        return Ball(name=name, a=a, b=b)
    if joint.type == "universal":
        assert joint.second_axis is not None
        return Universal(name=name, a=a, b=b, axis_a=axis, axis_b=joint.second_axis)
    if joint.type == "prismatic":
        return Prismatic(name=name, a=a, b=b, axis=axis)
    if joint.type == "cylindrical":
        return Cylindrical(name=name, a=a, b=b, axis=axis)
    if joint.type == "planar":
        return PlaneContact(name=name, a=a, b=b, axis=axis)
    if joint.type == "screw":
        return ScrewJoint(name=name, a=a, b=b, axis=axis, pitch=joint.pitch)
    assert joint.type in ("revolute", "continuous")
    return Hinge(name=name, a=a, b=b, axis=axis)


def _position(name: str, direction: FloatArray) -> Relation:
    """direction . p = 0."""
    return Relation(name, np.concatenate((np.zeros((3, 3)), direction[:, None]), axis=1))


def _turn() -> Relation:
    """2 tan(phi / 2) = 0 for the turn about z: 2 (R_10 - R_01) / (1 + tr R)."""
    weights = np.zeros((3, 4))
    weights[1, 0], weights[0, 1] = 2.0, -2.0
    return Relation("turn", weights, np.eye(3, 4), is_angle=True)
