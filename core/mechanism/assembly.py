"""From the graph of a mechanism to a tree of rigid bodies, and where everything went.

Frames that stand still against each other make one body of the tree. Its frame is the child
frame of the joint that leads to it: the joint's frame_b, or where the joint is run through
backwards its frame_a.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..arrays import FloatArray
from ..errors import ModelError
from ..frames import inverse_transform
from ..tree import Tree, TreeJoint
from .component import Component, JointEdge, Mass, RigidEdge, Space
from .graph import WORLD, Graph, TreeEdge
from .inertia import as_body, pseudo
from .reversal import reversed_joints

FITS = 1e-9  # of the lengths, and rad: what rods of a closed loop may be apart by


@dataclass(frozen=True, eq=False)
class PlacedJoint:
    """A joint of the spanning tree, and the joints of the tree of bodies that it became.

    steps has for each of these its name and the numbers of the coordinates of `edge` that it has.
    """

    edge: JointEdge
    reversed: bool
    steps: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, eq=False)
class Assembly:
    """A tree, and what became of nodes and joints.

    Attributes:
        name, space: of the mechanism.
        components: in the order they were given.
        graph: nodes and spanning tree.
        tree: bodies and joints.
        body: the body of each node, shares included; body_from_node: (4, 4) each.
        masses: all of them.
        placed: each joint of the spanning tree.
    """

    name: str
    space: Space
    components: tuple[Component, ...]
    graph: Graph
    tree: Tree
    body: Mapping[int, str]
    body_from_node: Mapping[int, FloatArray]
    masses: tuple[Mass, ...]
    placed: Mapping[JointEdge, PlacedJoint]


@dataclass
class _Growth:
    """The tree as it grows."""

    bodies: list[str] = field(default_factory=list)
    joints: list[TreeJoint] = field(default_factory=list)
    body: dict[int, str] = field(default_factory=dict)
    body_from_node: dict[int, FloatArray] = field(default_factory=dict)
    placed: dict[JointEdge, PlacedJoint] = field(default_factory=dict)


def assemble(
    name: str, space: Space, components: Sequence[Component], graph: Graph, world: str
) -> Assembly:
    """The tree of a graph; `world` names its root body.

    Raises:
        ModelError: for a joint that moves nothing with mass or inertia, and rods that do not fit.
    """
    masses = tuple(mass for component in components for mass in component.masses())
    refuse_empty_ends(name, graph, masses)
    names = _body_names(graph, masses)
    grown = _Growth([world], [], {WORLD: world}, {WORLD: np.eye(4)})
    for step in graph.edges:
        if isinstance(step.edge, RigidEdge):
            a_from_b = step.edge.a_from_b
            parent_from_child = inverse_transform(a_from_b) if step.reversed else a_from_b
            grown.body[step.child] = grown.body[step.parent]
            grown.body_from_node[step.child] = grown.body_from_node[step.parent] @ parent_from_child
        else:
            _add_joint(grown, step, step.edge, names[step.child])
    refuse_misfits(name, graph, grown)
    total = _shared_masses(graph, grown, masses)
    bodies = tuple(as_body(body, total[body]) for body in grown.bodies)
    tree = Tree(name, bodies, tuple(grown.joints), world)
    return Assembly(
        name,
        space,
        tuple(components),
        graph,
        tree,
        grown.body,
        grown.body_from_node,
        masses,
        grown.placed,
    )


def _shared_masses(graph: Graph, grown: _Growth, masses: Sequence[Mass]) -> dict[str, FloatArray]:
    """The pseudo-inertia (4, 4) of each body; a body that has shares leaves equal parts to them."""
    total = {body: np.zeros((4, 4)) for body in grown.bodies}
    for mass in masses:
        node = graph.node[mass.frame]
        total[grown.body[node]] += pseudo(mass, grown.body_from_node[node])
    whole = dict.fromkeys(grown.bodies, 1)
    for original in graph.shares.values():
        whole[grown.body[original]] += 1
    for body, parts in whole.items():
        total[body] /= parts
    for copy, original in graph.shares.items():
        there = grown.body_from_node[copy] @ inverse_transform(grown.body_from_node[original])
        total[grown.body[copy]] = there @ total[grown.body[original]] @ there.T
    return total


def refuse_misfits(name: str, graph: Graph, grown: _Growth) -> None:
    """Raise where rods that close a loop do not fit between the others."""
    size = max(float(np.abs(pose[:3, 3]).max()) for pose in grown.body_from_node.values())
    for cut in graph.cuts:
        if not isinstance(cut.edge, RigidEdge):
            continue
        a = WORLD if cut.edge.frame_a is None else graph.node[cut.edge.frame_a]
        there = grown.body_from_node[a] @ cut.edge.a_from_b
        off = np.abs(there - grown.body_from_node[graph.node[cut.edge.frame_b]])
        by, turn = float(off[:3, 3].max()), float(off[:3, :3].max())
        if by > FITS * max(size, float(np.abs(there[:3, 3]).max())) or turn > FITS:
            told = f"by {by:.6g} m" if by > FITS * size else f"by a turn of about {turn:.6g} rad"
            raise ModelError(
                f"{name}: the loop {' - '.join(cut.around)} cannot close: nothing in it moves, and "
                f"{cut.edge.component.label} does not fit {told}"
            )


def _add_joint(grown: _Growth, step: TreeEdge, edge: JointEdge, body: str) -> None:
    """Append the joints of an edge, bodies between them, and the body beyond."""
    steps = reversed_joints(edge.joint) if step.reversed else _as_it_is(edge.joint)
    parent = grown.body[step.parent]
    parent_from_joint = grown.body_from_node[step.parent]
    a_from_joint = edge.joint.parent_from_joint
    if not step.reversed:
        parent_from_joint = parent_from_joint @ a_from_joint
    for index, (joint, _) in enumerate(steps):
        child = body if index == len(steps) - 1 else joint.name
        grown.joints.append(
            replace(joint, parent=parent, child=child, parent_from_joint=parent_from_joint)
        )
        grown.bodies.append(child)
        parent, parent_from_joint = child, np.eye(4)
    grown.body[step.child] = body
    grown.body_from_node[step.child] = (
        inverse_transform(a_from_joint) if step.reversed else np.eye(4)
    )
    went = tuple((joint.name, order) for joint, order in steps)
    grown.placed[edge] = PlacedJoint(edge, step.reversed, went)


def _as_it_is(joint: TreeJoint) -> list[tuple[TreeJoint, tuple[int, ...]]]:
    return [(joint, tuple(range(joint.nv)))]


def _body_names(graph: Graph, masses: Sequence[Mass]) -> dict[int, str]:
    """For each node behind a joint, the body's name: of its first mass, else of the frame."""
    piece = {WORLD: WORLD}
    first_frame: dict[int, str] = {}
    for frame, node in graph.node.items():
        first_frame.setdefault(node, frame.path)
    for step in graph.edges:
        rigid = isinstance(step.edge, RigidEdge)
        piece[step.child] = piece[step.parent] if rigid else step.child
    names: dict[int, str] = {}
    for mass in masses:
        names.setdefault(piece[graph.node[mass.frame]], mass.name)
    for step in graph.edges:
        if step.child in graph.shares:
            assert isinstance(step.edge, JointEdge)  # rods have none
            names[step.child] = f"{step.edge.joint.name}.share"
        elif isinstance(step.edge, JointEdge):
            end = step.edge.frame_a if step.reversed else step.edge.frame_b
            assert end is not None  # the world is never a child
            names.setdefault(step.child, end.path)
    return names


def refuse_empty_ends(name: str, graph: Graph, masses: Sequence[Mass]) -> None:
    """Raise where a joint moves nothing that has mass or inertia."""
    heavy = {graph.node[mass.frame] for mass in masses if mass.mass > 0.0 or mass.inertia.any()}
    heavy |= set(graph.shares)  # which have half of something
    beyond: dict[int, list[str]] = {}
    for step in reversed(graph.edges):
        here = beyond.get(step.child, [])
        # the joint itself is not beyond it; the links of a robot are
        own = step.edge.joint.name if isinstance(step.edge, JointEdge) else ""
        parts = [
            frame.component.label if frame.name.startswith("frame_") else frame.path
            for frame, node in graph.node.items()
            if node == step.child and frame.component.name != own
        ]
        if step.child in heavy:
            heavy.add(step.parent)
        elif isinstance(step.edge, JointEdge) and not any(_rotors(step.edge.joint)):
            names = ", ".join(dict.fromkeys([*parts, *here])) or "nothing"
            raise ModelError(
                f"{name}: {step.edge.label} moves nothing that has mass: beyond it "
                f"there is {names}; give a Body there mass or inertia, or connect one"
            )
        beyond.setdefault(step.parent, []).extend([*parts, *here])


def _rotors(joint: TreeJoint) -> tuple[float, ...]:
    given = joint.rotor_inertia
    return given if isinstance(given, tuple) else (given,)
