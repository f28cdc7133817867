"""What all joints share: two frames, one edge, and the forces that act inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, frozen
from ..errors import ArgumentError
from ..tree import FRICTION_SPEED, LIMITED_JOINT_TYPES, Coefficient, TreeJoint
from .arguments import coefficients, number, positive, within
from .component import Component, JointEdge, Output
from .places import Places

# by the name that a component's user gives it: the field of TreeJoint, its default, its least
INSIDE: Mapping[str, tuple[str, float, float]] = {
    "d": ("damping", 0.0, 0.0),
    "friction": ("friction", 0.0, 0.0),
    "stiffness": ("stiffness", 0.0, 0.0),
    "rest": ("rest", 0.0, -np.inf),
    "rotor_inertia": ("rotor_inertia", 0.0, 0.0),
    "gear_ratio": ("gear_ratio", 1.0, -np.inf),
}


class JointPart(Component):
    """A joint from frame_a to frame_b, which are together at value 0.

    Attributes:
        edge: the joint as the mechanism sees it; see `component.JointEdge`.
        names: of its scalar coordinates, their velocities and accelerations, in order, such as
            (('phi', 'w', 'a'),); empty where the orientation is free.
    """

    names: Sequence[tuple[str, str, str]] = ()

    def __init__(
        self,
        name: str,
        joint: TreeJoint,
        q: FloatArray | None = None,
        v: FloatArray | None = None,
        free: bool = False,
        told: Mapping[str, tuple[bool, ...]] | None = None,
    ) -> None:
        super().__init__(name, ("frame_a", "frame_b"))
        if q is not None and joint.type in LIMITED_JOINT_TYPES:
            within(self.label, f"{self.names[0][0]}0", float(q[0]), joint.lower, joint.upper)
        q, v = (None if x is None else frozen(x) for x in (q, v))
        self.edge = JointEdge(self, joint, self.frame_a, self.frame_b, q, v, free, told or {})

    def joint_edges(self) -> Sequence[JointEdge]:
        """Its own."""
        return (self.edge,)

    def outputs(self, places: Places) -> Mapping[str, Output]:
        """Its scalar coordinates, their velocities and accelerations."""
        del places
        return scalar_outputs(self.edge, self.names)


def scalar_outputs(edge: JointEdge, names: Sequence[tuple[str, str, str]]) -> dict[str, Output]:
    """Coordinates, velocities and accelerations of a joint by their names."""
    out: dict[str, Output] = {}
    for index, (value, rate, gain) in enumerate(names):
        out[value] = _coordinate(edge, index)
        out[rate] = _velocity(edge, index)
        out[gain] = _acceleration(edge, index)
    return out


def inside(owner: str, count: int, given: Mapping[str, Coefficient]) -> dict[str, Coefficient]:
    """The fields of a TreeJoint for what acts inside a joint of `count` coordinates.

    Args:
        owner: for messages.
        count: of coordinates: each entry is one number for all, or one for each.
        given: any of d (damping, N m s/rad or N s/m), friction (Coulomb, N m or N, smoothed as
            c tanh(v / friction_speed)), friction_speed (rad/s or m/s), stiffness (N m/rad or N/m)
            with its rest value (rad or m), rotor_inertia (kg m^2 or kg, before the gear) and
            gear_ratio (turns of the rotor for one of the joint).

    Raises:
        ArgumentError: for any other name, and numbers out of range.
    """
    allowed = [*INSIDE, "friction_speed"]
    for name in given:
        if name not in allowed:
            raise ArgumentError(
                f"{owner}: no parameter '{name}'; besides its own, which `help` lists, a joint "
                f"takes {', '.join(allowed)}"
            )
    fields: dict[str, Coefficient] = {
        field: coefficients(owner, name, given.get(name, default), count, least)
        for name, (field, default, least) in INSIDE.items()
    }
    speed = given.get("friction_speed", FRICTION_SPEED)
    fields["friction_speed"] = positive(owner, "friction_speed", speed)
    return fields


def given_of(*values: ArrayLike | None) -> tuple[bool, ...]:
    """Which initial values were given."""
    return tuple(value is not None for value in values)


def initial(owner: str, given: Sequence[tuple[str, ArrayLike | None]]) -> FloatArray | None:
    """(n,) of named numbers; None where none was given, 0 for those left out."""
    if all(value is None for _, value in given):
        return None
    return np.array([number(owner, name, 0.0 if x is None else x) for name, x in given])


def _coordinate(edge: JointEdge, index: int) -> Output:
    return lambda at: at.coordinates(edge)[..., index]


def _velocity(edge: JointEdge, index: int) -> Output:
    return lambda at: at.velocities(edge)[..., index]


def _acceleration(edge: JointEdge, index: int) -> Output:
    return lambda at: at.joint(edge)[2][..., index]
