"""Which joint a motor or a torsion spring acts on: a joint's component, or its name.

A name is that of a joint's component, 'hinge', or for a component with several joints, such as a
robot, its name and the joint's: 'robot.elbow'.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Protocol, runtime_checkable

from ...errors import ArgumentError, ModelError
from ...tree import SINGLE_JOINT_TYPES
from ..component import Component, JointEdge
from ..places import JointPlace, Places

LISTED = 12  # names in a message, of many


@runtime_checkable
class HasEdge(Protocol):
    """A joint that is no component of its own, such as one of a robot."""

    @property
    def edge(self) -> JointEdge:
        """The joint as the mechanism sees it."""
        ...


Joint = Component | HasEdge | JointEdge | str


def checked_joint(owner: str, joint: Joint) -> Joint:
    """The joint as it was given.

    Raises:
        ArgumentError: for what is neither a joint nor a name, and for a joint of several
            coordinates; names are looked up when the mechanism is compiled.
    """
    if isinstance(joint, str) and joint:
        return joint
    edge = _edge(owner, joint)
    refuse_many(owner, edge)
    return joint


def place_of(owner: str, joint: Joint, places: Places) -> JointPlace:
    """Where the joint's one coordinate is in the compiled model.

    Raises:
        ModelError: for a joint that is not in this mechanism, listing those that exist, one of
            several coordinates, and one that closes a loop.
    """
    edge = _named(owner, joint, places) if isinstance(joint, str) else _edge(owner, joint)
    mechanism = places.assembly.name
    if edge not in places.joints and edge not in places.assembly.graph.closing:
        raise ModelError(
            f"{mechanism}: {owner}: joint: {edge.label} is not in this mechanism; there "
            f"are: {_listed(list(joint_names(places.assembly.components)))}"
        )
    refuse_many(f"{mechanism}: {owner}", edge)
    return places.joint(edge)


def joint_names(components: Sequence[Component]) -> Mapping[str, JointEdge]:
    """Every joint of a mechanism by the name that a motor may give."""
    out: dict[str, JointEdge] = {}
    for component in components:
        edges = component.joint_edges()
        for edge in edges:
            own = edge.joint.name.removeprefix(f"{component.name}.")
            single = len(edges) == 1 and edge.joint.name == component.name
            out[component.name if single else f"{component.name}.{own}"] = edge
    return out


def refuse_many(owner: str, edge: JointEdge) -> None:
    """Raise for a joint that has not exactly one coordinate."""
    if edge.joint.type not in SINGLE_JOINT_TYPES:
        kinds = ", ".join(SINGLE_JOINT_TYPES)
        raise ArgumentError(
            f"{owner}: joint: wanted a joint of one coordinate ({kinds}), got "
            f"{edge.label}, a {edge.joint.type} joint of {edge.joint.nv}"
        )


def _edge(owner: str, joint: object) -> JointEdge:
    if isinstance(joint, JointEdge):
        return joint
    if isinstance(joint, Component):
        edges = joint.joint_edges()
        if len(edges) == 1:
            return edges[0]
        if edges:
            raise ArgumentError(
                f"{owner}: joint: {joint.label} has {len(edges)} joints; choose one by name: "
                f"{_listed(list(joint_names([joint])))}"
            )
    elif isinstance(joint, HasEdge) and isinstance(joint.edge, JointEdge):
        return joint.edge
    raise ArgumentError(
        f"{owner}: joint: wanted a joint such as revolute, or its name, got {joint!r}"
    )


def _named(owner: str, name: str, places: Places) -> JointEdge:
    joints = joint_names(places.assembly.components)
    if name not in joints:
        near = get_close_matches(name, joints, 1)
        hint = f" (did you mean '{near[0]}'?)" if near else ""
        raise ModelError(
            f"{places.assembly.name}: {owner}: joint: no joint '{name}'{hint}; there are: "
            f"{_listed(list(joints))}"
        )
    return joints[name]


def _listed(names: Sequence[str]) -> str:
    if not names:
        return "none"
    more = f", … ({len(names)} in all)" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more
