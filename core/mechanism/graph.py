"""The graph of a mechanism: connected frames are nodes, rods and joints are edges.

A spanning tree is grown from the world: first over rigid edges, then over joints in the order
of the components, last over joints that leave all motion free. An edge that would close a loop
stays out of the tree and is reported: of a loop, it is the last joint that was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..errors import ModelError
from .component import Component, JointEdge, RigidEdge
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
        edges: of the tree, parents before children.
        closing: the edges that close a loop each.
        loops: for each of them the names of the components around the loop, its own last.
    """

    node: Mapping[Frame, int]
    edges: tuple[TreeEdge, ...]
    closing: tuple[Edge, ...]
    loops: tuple[tuple[str, ...], ...]


def span(
    mechanism: str, components: Sequence[Component], connections: Iterable[Sequence[Frame]]
) -> Graph:
    """The graph of components whose frames are connected.

    Raises:
        ModelError: for a part that nothing with mass belongs to, a free joint between frames that
            are tied already, and initial values of a body that other joints decide on.
    """
    node = _nodes(components, connections)
    reached = _Sets(1 + max(node.values(), default=0))
    chosen: list[Edge] = []
    closing: list[Edge] = []
    for edge in _by_rank(components):
        a, b = _ends(edge, node)
        if reached.unite(a, b):
            chosen.append(edge)
        elif isinstance(edge, JointEdge) and edge.free:
            raise ModelError(
                f"{mechanism}: {edge.label}: its frames are tied by other components "
                "already, so it adds no freedom; remove it"
            )
        else:
            closing.append(edge)
    roots = []
    for component in components:
        for frame in component.frames:
            if not reached.same(node[frame], WORLD):
                part = [c for c in components if _within(c, node, reached, node[frame])]
                root = choose_root(mechanism, part)
                chosen.append(root.edge)
                reached.unite(WORLD, node[root.edge.frame_b])
                roots.append(root)
    refuse_idle_starts(mechanism, components, roots)
    edges = _oriented(chosen, node)
    above = {edge.child: edge for edge in edges}
    loops = tuple(_around(edge, node, above) for edge in closing)
    return Graph(node, edges, tuple(closing), loops)


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


def _around(
    edge: Edge, node: Mapping[Frame, int], above: Mapping[int, TreeEdge]
) -> tuple[str, ...]:
    """The components on the way from one end of a closing edge to the other, its own last."""
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
    names = [step.edge.component.name for step in [*first, *reversed(second)]]
    return tuple(dict.fromkeys([*names, edge.component.name]))


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
