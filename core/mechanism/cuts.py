"""Where loops are opened: which joints may be cut, and which had better stay in the tree.

A joint that carries something (springs, dampers, friction, limits, rotor inertia, initial values,
a motor) is one whose coordinates are needed. Of a loop the last plain joint is cut and becomes a
constraint between its frames. Where every joint of a loop carries something none is cut: one of
them leads to a share, a body with half of the mass and inertia of what it carries, which is welded
to the other half. So its coordinates stay, and all that acts on them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import FloatArray
from ..errors import ModelError
from ..frames import cross_matrix, inverse_transform
from ..tree import TreeJoint, planar_axes
from .component import Component, JointEdge, Mass, RigidEdge
from .inertia import pseudo

RIGHT_ANGLE = 1e-12  # cosine of the angle between the axes of a plain universal joint
INSIDE = ("stiffness", "damping", "friction", "rotor_inertia", "limits")
LEAST_PITCH = 1e-9  # m/rad: of a thread that a constraint could hold
INERT = 1e-9  # of what a share could weigh, taken for none


@dataclass(frozen=True, eq=False)
class Share:
    """The end of a joint that closes a loop and keeps its coordinates.

    Attributes:
        node: what the joint leads to in the tree, a copy of `original`, to which it is welded.
        backwards: whether that is the joint's frame_a.
    """

    node: int
    original: int
    backwards: bool


@dataclass(frozen=True, eq=False)
class Cut:
    """Where a loop is opened.

    Attributes:
        edge: the joint or rod that closes it.
        around: the names of the components around the loop, its own last.
        share: where the edge keeps its coordinates; None for plain joints and rods.
    """

    edge: RigidEdge | JointEdge
    around: tuple[str, ...]
    share: Share | None = None


def carried(components: Sequence[Component]) -> Mapping[JointEdge, str]:
    """What each joint carries that is more than plain, in words."""
    return needed(components, INSIDE)


def needed(components: Sequence[Component], inside: Sequence[str] = ()) -> Mapping[JointEdge, str]:
    """Why each joint's coordinates are needed at the start, in words.

    Args:
        components: of the mechanism.
        inside: what inside joints counts too.
    """
    from .motors.joint_choice import joint_names  # which knows where joints went

    out: dict[JointEdge, str] = {}
    edges = [edge for component in components for edge in component.joint_edges()]
    leaders = {edge.joint.mimic.leader for edge in edges if edge.joint.mimic is not None}
    for edge in edges:
        own = _inside(edge.joint, inside)
        if edge.joint.mimic is not None or edge.joint.name in leaders:
            own = "a coupling with another joint"
        elif own is None and (edge.q is not None or edge.v is not None):
            own = "initial values"
        if own is not None:
            out[edge] = own
    names = joint_names(components)
    for component in components:
        for given in component.acts_on():
            named = _edge(given, names)
            if named is not None:
                out[named] = component.label
    return out


def _inside(joint: TreeJoint, inside: Sequence[str]) -> str | None:
    """What acts inside a joint, or makes it none that a constraint could replace."""
    for what in inside:
        if what == "limits" and (joint.lower > -np.inf or joint.upper < np.inf):
            return what
        if what != "limits" and np.any(getattr(joint, what)):
            return what.replace("_", " ")
    if joint.sequence is not None:
        return "Euler angles as its state"
    if joint.type == "screw" and abs(joint.pitch) < LEAST_PITCH:
        return "a thread without pitch"
    if joint.type == "universal":
        second = joint.second_axis
        assert second is not None
        if abs(float(joint.axis @ second)) > RIGHT_ANGLE:
            return "axes that are not at right angles"
    return None


def _edge(given: object, names: Mapping[str, JointEdge]) -> JointEdge | None:
    """The joint that a component names; None where it names none of this mechanism."""
    from .motors.joint_choice import HasEdge

    if isinstance(given, JointEdge):
        return given
    if isinstance(given, Component):
        edges = given.joint_edges()
        return edges[0] if len(edges) == 1 else None
    if isinstance(given, str):
        return names.get(given) or names.get(given.rpartition(".")[0])
    return given.edge if isinstance(given, HasEdge) else None


@dataclass(frozen=True, eq=False)
class Pieces:
    """Rigid pieces with their masses.

    Attributes:
        of: the piece of each node, which is one of its nodes.
        pose: (4, 4), piece_from_node of each node.
        masses: (4, 4), the pseudo-inertia of each piece that has any, in the piece's frame.
    """

    of: Mapping[int, int]
    pose: Mapping[int, FloatArray]
    masses: Mapping[int, FloatArray]

    @classmethod
    def grown(
        cls,
        nodes: Sequence[int],
        rigid: Sequence[tuple[RigidEdge, int, int]],
        masses: Sequence[tuple[Mass, int]],
    ) -> Pieces:
        """Of the rigid edges of the tree, with the nodes at their ends, and masses at nodes."""
        at: dict[int, list[tuple[int, FloatArray]]] = {node: [] for node in nodes}
        for edge, a, b in rigid:
            at[a].append((b, edge.a_from_b))
            at[b].append((a, inverse_transform(edge.a_from_b)))
        of: dict[int, int] = {}
        pose: dict[int, FloatArray] = {}
        for first in nodes:
            if first in of:
                continue
            of[first], pose[first] = first, np.eye(4)
            stack = [first]
            while stack:
                node = stack.pop()
                for other, between in at[node]:
                    if other not in of:
                        of[other], pose[other] = first, pose[node] @ between
                        stack.append(other)
        total: dict[int, FloatArray] = {}
        for mass, node in masses:
            own = pseudo(mass, pose[node])
            if own.any():
                total[of[node]] = total.get(of[node], np.zeros((4, 4))) + own
        return cls(of, pose, total)

    def moved(self, joint: TreeJoint, node: int, node_from_joint: FloatArray) -> float:
        """The least inertia that a joint moves which leads to a node, of the largest; 0 to 1."""
        if self.of[node] not in self.masses:
            return 0.0
        back = inverse_transform(self.pose[node] @ node_from_joint)
        about_joint = back @ self.masses[self.of[node]] @ back.T
        own = spatial_inertia(about_joint)
        # in the length at which mass and inertia weigh the same
        length = np.sqrt(max(float(np.trace(about_joint[:3, :3])), 0.0) / max(own[3, 3], 1e-300))
        scale = np.repeat([1.0 / length if length > 0.0 else 1.0, 1.0], 3)
        moves = freedoms(joint) * scale
        felt = moves @ own @ moves.T
        sizes = np.linalg.eigvalsh(felt)
        largest = max(float(np.abs(own * np.outer(scale, scale)).max()), 1e-300)
        return float(sizes.min() / largest)


def spatial_inertia(pseudo_inertia: FloatArray) -> FloatArray:
    """(6, 6) about the origin, angular first, of a pseudo-inertia (4, 4)."""
    second, first, mass = pseudo_inertia[:3, :3], pseudo_inertia[:3, 3], pseudo_inertia[3, 3]
    out = np.zeros((6, 6))
    out[:3, :3] = np.trace(second) * np.eye(3) - second
    out[:3, 3:] = cross_matrix(first)
    out[3:, :3] = out[:3, 3:].T
    out[3:, 3:] = mass * np.eye(3)
    return out


def freedoms(joint: TreeJoint) -> FloatArray:
    """(nv, 6): the unit twists of a joint at value 0, angular first, in its own frame."""
    axis, none = joint.axis, np.zeros(3)
    turn, slide = np.append(axis, none), np.append(none, axis)
    if joint.type in ("revolute", "continuous"):
        return turn[None]
    if joint.type == "prismatic":
        return slide[None]
    if joint.type == "screw":
        thread: FloatArray = turn + joint.pitch * slide
        return thread[None]
    if joint.type == "cylindrical":
        return np.stack((turn, slide))
    if joint.type == "universal":
        assert joint.second_axis is not None
        return np.stack((turn, np.append(joint.second_axis, none)))
    if joint.type == "planar":
        return np.stack((*(np.append(none, way) for way in planar_axes(axis)), turn))
    return np.eye(6)[: joint.nv]


def share_of(
    mechanism: str,
    edge: JointEdge,
    ends: tuple[int, int],
    pieces: Pieces,
    world: int,
    new: Callable[[], int],
    why: str,
) -> Share:
    """The share that a joint with content leads to: of the end that weighs more.

    Args:
        ends: the nodes of its frames a and b; world is that of the world.
        new: gives the number of a new node.
        why: what the joint carries.

    Raises:
        ModelError: where neither end has a mass that the joint moves.
    """
    a, b = ends
    still = pieces.of[world]
    poses = {b: np.eye(4), a: edge.joint.parent_from_joint}
    weights = [
        0.0 if pieces.of[end] == still else pieces.moved(edge.joint, end, poses[end])
        for end in (b, a)
    ]
    best = int(np.argmax(weights))
    if not weights[best] > INERT:
        raise ModelError(
            f"{mechanism}: {edge.label} closes a loop in which every joint carries something, so "
            f"none can be cut (this one: {why}); then it needs a Body with mass and inertia at one "
            "of its ends; give it one, or take away what one joint of the loop carries"
        )
    return Share(new(), (b, a)[best], best == 1)
