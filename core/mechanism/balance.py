"""Cut forces: what acts through every frame follows from the balance of what hangs behind it.

    W_e = sum over the nodes n behind edge e of  (I A + V x* I V - weight)_n - F_n

is the wrench that edge e of the spanning tree passes on, away from the world; loads are what
masses need, F what force elements, constraints and edges that close loops exert. Such an edge
passes on, from its frame_a to its frame_b, what its constraint exerts; one that leads to a share,
welded to the rest by w, passes on what that needs of loads but does not get: (loads - w). All
wrenches are at the world origin in world axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray, frozen
from .assembly import Assembly
from .component import JointEdge, RigidEdge
from .constraint_wrenches import Column
from .frame import Frame
from .graph import Edge, TreeEdge
from .inertia import pseudo
from .places import Places

Ends = tuple[Frame | None, Frame | None]  # None is the world


class Flow(NamedTuple):
    """Wrenches as sums over what acts.

    loads (…, nm), forces (…, k), columns (…, c): the factors of the loads of masses, of the
    wrenches of force elements, and of those of constraints.
    """

    loads: FloatArray
    forces: FloatArray
    columns: FloatArray


@dataclass(frozen=True, eq=False)
class Balance:
    """The constant maps from loads of masses and wrenches of what acts to all frames.

    Attributes:
        frames: the row of each frame.
        carrier: (nm,), the model's frame that carries each mass.
        pseudo_inertia: (nm, 4, 4), of each mass in that frame.
        through: (frames, …): what acts on components through their frames.
        edges: the row of each edge, and whether it is run through backwards; those of the
            spanning tree, then those that close loops.
        passed: (edges, …): the wrench that each edge passes on, away from the world.
        columns: the pairs of ports between which constraints act.
    """

    frames: dict[Frame, int]
    carrier: NDArray[np.intp]
    pseudo_inertia: FloatArray
    through: Flow
    edges: dict[Edge, tuple[int, bool]]
    passed: Flow
    columns: tuple[Column, ...]

    @classmethod
    def of(
        cls,
        places: Places,
        acting: Sequence[Frame],
        columns: Sequence[Column],
        ends: Mapping[int, Ends],
    ) -> Balance:
        """Of an assembly.

        Args:
            places: where frames are.
            acting: the frames that the wrenches of force elements act through.
            columns: of all constraints; those of edges that close loops have the edge's name.
            ends: for each column of a component, the frames between which it acts.
        """
        assembly, graph = places.assembly, places.assembly.graph
        frames = {frame: row for row, frame in enumerate(graph.node)}
        tree = [step for step in graph.edges if step.child not in graph.shares]
        behind = _nodes_behind(assembly, tree)
        entering = _edges_at_frames(tree, frames)
        sources = _Sources(frames, graph.node, behind.shape[1])
        loads = sources.unit([(mass.frame, None) for mass in assembly.masses], -1.0)
        forces = sources.unit([(frame, None) for frame in acting], 1.0)
        pairs = [ends.get(index, (None, None)) for index in range(len(columns))]
        pulls = sources.unit([(b, a) for a, b in pairs], 1.0)
        own_loads, own_columns = _closing(places, columns)
        closing = sources.unit([(cut.edge.frame_b, cut.edge.frame_a) for cut in graph.cuts], 1.0)
        loads = loads.with_more(closing, own_loads)
        pulls = pulls.with_more(closing, own_columns)
        parts = loads, forces, pulls
        passed = [-behind @ own.on_nodes for own in parts]
        through = [entering @ away - own.on_frames for away, own in zip(passed, parts, strict=True)]
        more = own_loads, np.zeros((len(graph.cuts), len(acting))), own_columns
        passed = [np.concatenate(pair) for pair in zip(passed, more, strict=True)]
        at = [places.frame(mass.frame) for mass in assembly.masses]
        inertias = [pseudo(mass, pose) for mass, (_, pose) in zip(assembly.masses, at, strict=True)]
        steps = [(edge.edge, edge.reversed) for edge in tree]
        steps += [(cut.edge, False) for cut in graph.cuts]
        return cls(
            frames,
            np.array([carrier for carrier, _ in at], dtype=np.intp),
            frozen(np.array(inertias).reshape(-1, 4, 4)),
            Flow(*map(frozen, through)),
            {edge: (row, backwards) for row, (edge, backwards) in enumerate(steps)},
            Flow(*map(frozen, passed)),
            tuple(columns),
        )


@dataclass(frozen=True, eq=False)
class _Acting:
    """Wrenches (k) that act on nodes, (nodes, k), by components through frames, (frames, k)."""

    on_nodes: FloatArray
    on_frames: FloatArray

    def with_more(self, other: _Acting, wrenches: FloatArray) -> _Acting:
        """With others (n) that are combinations (n, k) of these wrenches."""
        return _Acting(
            self.on_nodes + other.on_nodes @ wrenches, self.on_frames + other.on_frames @ wrenches
        )


@dataclass(frozen=True, eq=False)
class _Sources:
    """Where wrenches act, by frames."""

    frames: Mapping[Frame, int]
    node: Mapping[Frame, int]
    nodes: int

    def unit(self, pairs: Sequence[Ends], sign: float) -> _Acting:
        """Wrenches of which each acts on the first frame, and the opposite on the second."""
        on_nodes = np.zeros((self.nodes, len(pairs)))
        on_frames = np.zeros((len(self.frames), len(pairs)))
        for column, (first, second) in enumerate(pairs):
            for frame, way in ((first, sign), (second, -sign)):
                if frame is not None:
                    on_nodes[self.node[frame], column] += way
                    on_frames[self.frames[frame], column] += way
        return _Acting(on_nodes, on_frames)


def _closing(places: Places, columns: Sequence[Column]) -> tuple[FloatArray, FloatArray]:
    """What edges that close loops pass on to their frame_b: of loads (n, nm), of columns (n, c)."""
    assembly, graph = places.assembly, places.assembly.graph
    loads = np.zeros((len(graph.cuts), len(assembly.masses)))
    pulls = np.zeros((len(graph.cuts), len(columns)))
    parts = dict.fromkeys(assembly.body.values(), 1)
    for original in graph.shares.values():
        parts[assembly.body[original]] += 1
    for row, cut in enumerate(graph.cuts):
        if isinstance(cut.edge, RigidEdge):
            continue
        own = [k for k, column in enumerate(columns) if column.constraint == cut.edge.joint.name]
        if cut.share is None:
            pulls[row, own] = 1.0
            continue
        body = assembly.body[cut.share.original]
        way = -1.0 if cut.share.backwards else 1.0
        for k, mass in enumerate(assembly.masses):
            if assembly.body[graph.node[mass.frame]] == body:
                loads[row, k] = way / parts[body]
        pulls[row, own] = -way
    return loads, pulls


def _nodes_behind(assembly: Assembly, edges: Sequence[TreeEdge]) -> FloatArray:
    """(edges, nodes): 1 where the node hangs behind the edge, as seen from the world."""
    behind = np.zeros((len(edges), 1 + max(assembly.graph.node.values(), default=0)))
    leading = {edge.child: row for row, edge in enumerate(edges)}
    for row in range(len(edges) - 1, -1, -1):
        behind[row, edges[row].child] = 1.0
        above = leading.get(edges[row].parent)
        if above is not None:
            behind[above] += behind[row]
    return behind


def _edges_at_frames(edges: Sequence[TreeEdge], frames: Mapping[Frame, int]) -> FloatArray:
    """(frames, edges): +1 where the edge's wrench enters its component, -1 where it leaves."""
    out = np.zeros((len(frames), len(edges)))
    for column, step in enumerate(edges):
        near, far = step.edge.frame_a, step.edge.frame_b
        if step.reversed:
            assert near is not None  # the world is nobody's child
            near, far = far, near
        if near is not None:
            out[frames[near], column] += 1.0
        elif isinstance(step.edge, JointEdge):
            continue  # the free motion of a root is no joint that could carry anything
        out[frames[far], column] -= 1.0
    return out
