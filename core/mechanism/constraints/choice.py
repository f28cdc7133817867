"""Which coordinates a constraint names: those of joints and bodies, or single ones of them.

A joint is named by its component or its name ('hinge', 'arm.elbow'), a body or a link by its
component, its frame, or its name ('body', 'arm.hand'): it stands for the joint that carries it,
or for its own free motion. One coordinate of several has the name of the joint's variable behind
it: 'slider.s', 'ball.qw', 'body.x'.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol, runtime_checkable

from ...dynamics.coordinate_names import coordinate_names, coordinate_units
from ...errors import ArgumentError, ModelError
from ..component import Component, JointEdge
from ..frame import Frame
from ..motors.joint_choice import LISTED, HasEdge, joint_names
from ..places import Places

Choice = Component | HasEdge | JointEdge | Frame | str
QUATERNION, ANGLES = ("qw", "qx", "qy", "qz"), ("phi1", "phi2", "phi3")


@runtime_checkable
class HasNames(Protocol):
    """A joint whose coordinates have names, such as (('phi', 'w', 'a'),)."""

    names: Sequence[tuple[str, str, str]]


@dataclass(frozen=True, eq=False)
class Chosen:
    """Coordinates of one joint.

    Attributes:
        edge: the joint.
        names: of the coordinates as the compiled model calls them, in the joint's own order.
    """

    edge: JointEdge
    names: tuple[str, ...]


def checked_choice(owner: str, parameter: str, given: Choice) -> Choice:
    """What was given, if it can name coordinates.

    Raises:
        ArgumentError: for what is neither a joint, a body, a frame nor a name, and for a component
            of several joints.
    """
    if isinstance(given, str) and given:
        return given
    if isinstance(given, Component):
        edges = given.joint_edges()
        if len(edges) > 1:
            raise ArgumentError(
                f"{owner}: {parameter}: {given.label} has {len(edges)} joints; choose one by name: "
                f"{listed(list(joint_names([given])))}"
            )
        if edges or given.masses():
            return given
    elif isinstance(given, HasEdge | JointEdge | Frame):
        return given
    raise ArgumentError(
        f"{owner}: {parameter}: wanted a joint, a body, or the name of one or of a coordinate, got "
        f"{given!r}"
    )


def chosen(owner: str, parameter: str, given: Choice, places: Places) -> Chosen:
    """The coordinates that were named.

    Raises:
        ModelError: for what is not in this mechanism, listing what is, what stands still, a joint
            that closes a loop, and a spherical or free joint that is given backwards.
    """
    owner = f"{places.assembly.name}: {owner}: {parameter}"
    suffix = ""
    if isinstance(given, str):
        edge, suffix = _named(owner, given, places)
    else:
        edge = _edge(owner, given, places)
    place = places.joint(edge)
    if place.mirrored:
        raise ModelError(
            f"{owner}: {edge.label} is connected with its frame_b towards the world, so its "
            "coordinates are not those of the compiled model; connect it the other way round"
        )
    if edge.joint.mimic is not None:  # it goes by its own name, which the model knows
        return Chosen(edge, (places.assembly.placed[edge].steps[0][0],))
    known = coordinate_names(places.model)
    names = tuple(known[at] for at in place.q)
    if not suffix:
        return Chosen(edge, names)
    own = own_names(edge)
    for called, name in zip(own, names, strict=True):
        if suffix in (called, name.removeprefix(f"{edge.joint.name}.")):
            return Chosen(edge, (name,))
    raise ModelError(f"{owner}: no coordinate '{given}'; {edge.label} has {', '.join(own)}")


def chosen_one(owner: str, parameter: str, given: Choice, places: Places) -> Chosen:
    """One coordinate.

    Raises:
        ModelError: as `chosen`, and for a joint of several, listing them.
    """
    out = chosen(owner, parameter, given, places)
    if len(out.names) != 1:
        path = path_of(out.edge, places)
        names = ", ".join(f"'{path}.{name}'" for name in own_names(out.edge))
        raise ModelError(
            f"{places.assembly.name}: {owner}: {parameter}: wanted one coordinate, and "
            f"{out.edge.label} has {len(out.names)}; name one of {names}"
        )
    return out


def unit(choice: Chosen, places: Places) -> str:
    """'rad', 'm' or '1' of the first of the coordinates."""
    if choice.edge.joint.mimic is not None:
        return "m" if choice.edge.joint.type == "prismatic" else "rad"
    return coordinate_units(places.model)[coordinate_names(places.model).index(choice.names[0])]


def own_names(edge: JointEdge) -> tuple[str, ...]:
    """What a joint's coordinates are called in a mechanism, one for each."""
    joint = edge.joint
    if joint.type in ("spherical", "floating"):
        place = ("x", "y", "z") if joint.type == "floating" else ()
        return place + (QUATERNION if joint.sequence is None else ANGLES)
    if isinstance(edge.component, HasNames) and edge.component.names:
        return tuple(name for name, _, _ in edge.component.names)
    names = {
        "prismatic": ("s",),
        "planar": ("x", "y", "phi"),
        "cylindrical": ("phi", "s"),
        "universal": ("phi_a", "phi_b"),
    }
    return names.get(joint.type, ("phi",))


def path_of(edge: JointEdge, places: Places) -> str:
    """The name by which a joint is chosen."""
    return next((name for name, own in _all(places).items() if own is edge), edge.joint.name)


def listed(names: Sequence[str]) -> str:
    """Names in a message, cut where there are many."""
    if not names:
        return "none"
    more = f", … ({len(names)} in all)" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more


def _all(places: Places) -> Mapping[str, JointEdge]:
    """Every joint by name, and the free motions of roots by those of their bodies."""
    out = dict(joint_names(places.assembly.components))
    for edge in places.joints:
        if edge not in out.values():
            out[edge.component.name] = edge
    return out


def _edge(owner: str, given: Component | HasEdge | JointEdge | Frame, places: Places) -> JointEdge:
    """The joint that was given, or the one that carries a body."""
    if isinstance(given, Component):
        edges = given.joint_edges()
        if not edges:
            return _carrier(owner, given.label, given.frames[0], places)
        edge = edges[0]
    elif isinstance(given, Frame):
        return _carrier(owner, given.path, given, places)
    else:
        edge = given if isinstance(given, JointEdge) else given.edge
    if edge not in places.joints and edge not in places.assembly.graph.closing:
        raise ModelError(
            f"{owner}: {edge.label} is not in this mechanism; there are: "
            f"{listed(list(_all(places)))}"
        )
    return edge


def _named(owner: str, name: str, places: Places) -> tuple[JointEdge, str]:
    """The joint of a name, and what stands behind it for one coordinate, or ''."""
    joints, frames = _all(places), dict(_frames(places))
    behind, _, last = name.rpartition(".")
    for base, suffix in ((name, ""), (behind, last)):
        if base in joints:
            return joints[base], suffix
        if base in frames:
            return _carrier(owner, f"'{base}'", frames[base], places), suffix
    near = get_close_matches(name, [*joints, *frames], 1)
    hint = f" (did you mean '{near[0]}'?)" if near else ""
    raise ModelError(
        f"{owner}: no joint, body or coordinate '{name}'{hint}; there are joints and free bodies: "
        f"{listed(list(joints))}"
    )


def _frames(places: Places) -> Iterator[tuple[str, Frame]]:
    """Bodies, and frames of all components, by name."""
    for component in places.assembly.components:
        if component.masses():
            yield component.name, component.frames[0]
        for frame in component.frames:
            yield frame.path, frame


def _carrier(owner: str, label: str, frame: Frame, places: Places) -> JointEdge:
    """The joint behind which a frame hangs."""
    if frame not in places.assembly.graph.node:
        raise ModelError(
            f"{owner}: {label} is not in this mechanism; there are: {listed(list(_all(places)))}"
        )
    link, _ = places.link(frame)
    joint = next((own.name for own in places.assembly.tree.joints if own.child == link), None)
    for edge, placed in places.assembly.placed.items():
        if any(name == joint for name, _ in placed.steps):
            return edge
    raise ModelError(f"{owner}: {label} stands still in the world and has no coordinates")
