"""The graph of a mechanism: connected frames are nodes, rods and joints are edges.

A spanning tree is grown from the world: first over rigid edges, then over joints that carry
something, then over plain ones in the order of the components, last over joints that leave all
motion free. So of a loop the last plain joint stays out of the tree; see `cuts`.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import ModelError
from .component import Component, JointEdge, Mass, RigidEdge
from .cuts import Cut, Pieces, share_of
from .frame import Frame
from .roots import choose_root, refuse_idle_starts

Edge = RigidEdge | JointEdge
WORLD = 0  # the node of the world


@dataclass(frozen=True, eq=False)
class TreeEdge:
    """An edge of the spanning tree; reversed where its frame_b is nearer to the world."""

    edge: Edge
    parent: int
    child: int
    reversed: bool


@dataclass(frozen=True, eq=False)
class Graph:
    """Nodes and spanning tree.

    Attributes:
        node: of each frame; 0 is the world.
        edges: of the tree, parents before children; last those that lead to shares.
        cuts: where loops are opened, in the order of the components.
        shares: for each node that is a copy the one that it is welded to.
    """

    node: Mapping[Frame, int]
    edges: tuple[TreeEdge, ...]
    cuts: tuple[Cut, ...]
    shares: Mapping[int, int]

    @property
    def closing(self) -> tuple[Edge, ...]:
        """The edges that close a loop each."""
        return tuple(cut.edge for cut in self.cuts)

    @property
    def loops(self) -> tuple[tuple[str, ...], ...]:
        """For each of them the names of the components around the loop, its own last."""
        return tuple(cut.around for cut in self.cuts)


def span(
    mechanism: str,
    components: Sequence[Component],
    connections: Iterable[Sequence[Frame]],
    content: Mapping[JointEdge, str],
    by_name: bool = False,
) -> Graph:
    """The graph of components whose frames are connected.

    Args:
        mechanism: its name, for messages.
        components, connections: of the mechanism.
        content: what joints carry, so that they are not to be cut.
        by_name: whether of equal joints the last by name is cut, else the last that was given.

    Raises:
        ModelError: for a part that nothing with mass belongs to, a free joint that does nothing
            between frames that are tied already, initial values of a body that other joints decide
            on, and a loop that cannot be cut anywhere.
    """
    node = _nodes(components, connections)
    reached = _Sets(1 + max(node.values(), default=0))
    edges = _by_rank(components)
    worth = by_worth(edges, content, by_name)
    tree = {edge for edge in worth if reached.unite(*_ends(edge, node))}
    roots = []
    for component in components:
        for frame in component.frames:
            if not reached.same(node[frame], WORLD):
                part = [c for c in components if _within(c, node, reached, node[frame])]
                root = choose_root(mechanism, part)
                reached.unite(WORLD, node[root.edge.frame_b])
                roots.append(root)
    refuse_idle_starts(mechanism, components, roots)
    free = [root.edge for root in roots]
    masses = [(mass, node[mass.frame]) for c in components for mass in c.masses()]
    if any(edge not in tree for edge in edges):
        heavy = {at for mass, at in masses if mass.mass > 0.0 or mass.inertia.any()}
        tree = with_heavy_ends(worth, tree, free, node, content, heavy)
    oriented = _oriented([*(edge for edge in edges if edge in tree), *free], node)
    closing = [edge for edge in edges if edge not in tree]
    for edge in closing:
        if isinstance(edge, JointEdge) and edge.free and edge not in content:
            raise ModelError(
                f"{mechanism}: {edge.label}: its frames are tied by other components "
                "already, so it adds no freedom; remove it"
            )
    return _with_cuts(mechanism, node, oriented, closing, content, masses)


def by_worth(edges: Sequence[Edge], content: Mapping[JointEdge, str], by_name: bool) -> list[Edge]:
    """Rods, joints that carry something, then plain ones: of robots, of their own, free ones."""

    def rank(edge: Edge) -> int:
        if isinstance(edge, RigidEdge):
            return 0
        if edge in content:
            return 1
        return 4 if edge.free else 2 if len(edge.component.joint_edges()) > 1 else 3

    def name(edge: Edge) -> str:
        return edge.joint.name if by_name and isinstance(edge, JointEdge) else ""

    return sorted(edges, key=lambda edge: (rank(edge), name(edge)))


def with_heavy_ends(
    edges: Sequence[Edge],
    tree: set[Edge],
    free: Sequence[Edge],
    node: Mapping[Frame, int],
    content: Mapping[JointEdge, str],
    heavy: Collection[int],
) -> set[Edge]:
    """The tree with loops cut elsewhere where that leaves fewer joints which move no mass."""

    def idle(chosen: set[Edge]) -> int:
        oriented = _oriented([*(edge for edge in edges if edge in chosen), *free], node)
        moved, count = set(heavy), 0
        for step in reversed(oriented):
            if step.child in moved:
                moved.add(step.parent)
            elif isinstance(step.edge, JointEdge) and not np.any(step.edge.joint.rotor_inertia):
                count += 1
        return count

    best = idle(tree)
    plain = [own for own in edges if isinstance(own, JointEdge) and own not in content]
    for edge in [own for own in plain if own not in tree]:
        if not best:
            break
        oriented = _oriented([*(own for own in edges if own in tree), *free], node)
        loop = {step.edge for step in _way_around(edge, node, oriented)}
        trials = [(tree - {own}) | {edge} for own in reversed(plain) if own in loop]
        counts = [idle(trial) for trial in trials]
        if counts and min(counts) < best:
            best = min(counts)
            tree = trials[counts.index(best)]
    return tree


def _with_cuts(
    mechanism: str,
    node: Mapping[Frame, int],
    edges: tuple[TreeEdge, ...],
    closing: Sequence[Edge],
    content: Mapping[JointEdge, str],
    masses: Sequence[tuple[Mass, int]],
) -> Graph:
    """The graph with its cuts, and the shares that joints with content lead to."""
    rods = [step.edge for step in edges if isinstance(step.edge, RigidEdge)]
    rigid = [(rod, *_ends(rod, node)) for rod in rods]
    pieces = Pieces.grown([WORLD, *node.values()], rigid, masses) if closing else None
    following = itertools.count(1 + max(node.values(), default=0))
    steps, cuts = list(edges), []
    shares: dict[int, int] = {}
    for edge in closing:
        around = _around(edge, node, edges)
        if not isinstance(edge, JointEdge) or edge not in content:
            cuts.append(Cut(edge, around))
            continue
        assert pieces is not None
        ends = a, b = _ends(edge, node)
        share = share_of(
            mechanism, edge, ends, pieces, WORLD, lambda: next(following), content[edge]
        )
        cuts.append(Cut(edge, around, share))
        parent = b if share.backwards else a
        steps.append(TreeEdge(edge, parent, share.node, share.backwards))
        shares[share.node] = share.original
    return Graph(node, tuple(steps), tuple(cuts), shares)


def _nodes(
    components: Sequence[Component], connections: Iterable[Sequence[Frame]]
) -> dict[Frame, int]:
    """Frames that are connected get one number, from 1 on, in the order of the components."""
    frames = [frame for component in components for frame in component.frames]
    index = {frame: i for i, frame in enumerate(frames)}
    sets = _Sets(len(frames))
    for connection in connections:
        for frame in connection[1:]:
            sets.unite(index[connection[0]], index[frame])
    numbers: dict[int, int] = {}
    return {
        frame: numbers.setdefault(sets.find(i), len(numbers) + 1) for i, frame in enumerate(frames)
    }


def _by_rank(components: Sequence[Component]) -> list[Edge]:
    rigid: list[Edge] = [edge for component in components for edge in component.rigid_edges()]
    joints = [edge for component in components for edge in component.joint_edges()]
    return [*rigid, *(e for e in joints if not e.free), *(e for e in joints if e.free)]


def _ends(edge: Edge, node: Mapping[Frame, int]) -> tuple[int, int]:
    return WORLD if edge.frame_a is None else node[edge.frame_a], node[edge.frame_b]


def _within(component: Component, node: Mapping[Frame, int], sets: _Sets, part: int) -> bool:
    return any(sets.same(node[frame], part) for frame in component.frames)


def _oriented(chosen: Sequence[Edge], node: Mapping[Frame, int]) -> tuple[TreeEdge, ...]:
    """The edges turned away from the world, depth first in the order they were chosen."""
    at: dict[int, list[Edge]] = {}
    for edge in chosen:
        for end in _ends(edge, node):
            at.setdefault(end, []).append(edge)
    done: set[Edge] = set()
    out: list[TreeEdge] = []
    stack = [(edge, WORLD) for edge in reversed(at.get(WORLD, []))]
    while stack:
        edge, parent = stack.pop()
        if edge in done:
            continue
        done.add(edge)
        a, b = _ends(edge, node)
        child = b if parent == a else a
        out.append(TreeEdge(edge, parent, child, parent == b))
        stack.extend((next_edge, child) for next_edge in reversed(at[child]))
    return tuple(out)


def _way_around(edge: Edge, node: Mapping[Frame, int], edges: Sequence[TreeEdge]) -> list[TreeEdge]:
    """The edges on the way from one end of a closing edge to the other."""
    above = {step.child: step for step in edges}
    ways: list[list[TreeEdge]] = []
    for end in _ends(edge, node):
        way: list[TreeEdge] = []
        while end != WORLD:
            way.append(above[end])
            end = above[end].parent
        ways.append(way)
    first, second = ways
    while first and second and first[-1] is second[-1]:  # the part that both ways share
        first.pop()
        second.pop()
    return [*first, *reversed(second)]


def _around(edge: Edge, node: Mapping[Frame, int], edges: Sequence[TreeEdge]) -> tuple[str, ...]:
    """The components around the loop of a closing edge, its own last."""
    own = edge.component.name
    names = [step.edge.component.name for step in _way_around(edge, node, edges)]
    return (*(name for name in dict.fromkeys(names) if name != own), own)


class _Sets:
    """Disjoint sets of 0 … count - 1."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def find(self, item: int) -> int:
        while self._above[item] != item:
            self._above[item] = self._above[self._above[item]]
            item = self._above[item]
        return item

    def same(self, a: int, b: int) -> bool:
        return self.find(a) == self.find(b)

    def unite(self, a: int, b: int) -> bool:
        """Whether they were two."""
        first, second = self.find(a), self.find(b)
        self._above[max(first, second)] = min(first, second)
        return first != second
