"""Cut forces: what acts through every frame follows from the balance of what hangs behind it.

    W_e = sum over the nodes n behind edge e of  (I A + V x* I V - weight)_n - F_n

is the wrench that edge e of the spanning tree passes on, away from the world; loads are what
masses need, F what force elements exert. All wrenches are at the world origin in world axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray, frozen
from .assembly import Assembly
from .component import JointEdge
from .frame import Frame
from .graph import Edge
from .inertia import pseudo
from .places import Places


@dataclass(frozen=True, eq=False)
class Balance:
    """The constant maps from loads of masses and wrenches of force elements to all frames.

    Attributes:
        frames: the row of each frame.
        carrier: (nm,), the model's frame that carries each mass.
        pseudo_inertia: (nm, 4, 4), of each mass in that frame.
        through_loads: (frames, nm); through_forces: (frames, k), of the k wrenches of force
            elements: what acts on the component through the frame is the sum of both products.
        edges: the row of each edge of the spanning tree, and whether it is run through backwards.
        passed_loads: (edges, nm); passed_forces: (edges, k): likewise the wrench that the edge
            passes on, away from the world.
    """

    frames: dict[Frame, int]
    carrier: NDArray[np.intp]
    pseudo_inertia: FloatArray
    through_loads: FloatArray
    through_forces: FloatArray
    edges: dict[Edge, tuple[int, bool]]
    passed_loads: FloatArray
    passed_forces: FloatArray

    @classmethod
    def of(cls, places: Places, acting: Sequence[Frame]) -> Balance:
        """Of an assembly; acting are the frames that the wrenches of force elements act through."""
        assembly, graph = places.assembly, places.assembly.graph
        frames = {frame: row for row, frame in enumerate(graph.node)}
        loads_at = [graph.node[mass.frame] for mass in assembly.masses]
        behind = _nodes_behind(assembly)
        forces_at = [graph.node[frame] for frame in acting]
        passed_loads, passed_forces = behind[:, loads_at], -behind[:, forces_at]
        entering = _edges_at_frames(assembly, frames)
        through_loads, through_forces = entering @ passed_loads, entering @ passed_forces
        for column, mass in enumerate(assembly.masses):
            through_loads[frames[mass.frame], column] += 1.0
        for column, frame in enumerate(acting):
            through_forces[frames[frame], column] -= 1.0
        at = [places.frame(mass.frame) for mass in assembly.masses]
        inertias = [pseudo(mass, pose) for mass, (_, pose) in zip(assembly.masses, at, strict=True)]
        return cls(
            frames,
            np.array([carrier for carrier, _ in at], dtype=np.intp),
            frozen(np.array(inertias).reshape(-1, 4, 4)),
            frozen(through_loads),
            frozen(through_forces),
            {edge.edge: (row, edge.reversed) for row, edge in enumerate(graph.edges)},
            frozen(passed_loads),
            frozen(passed_forces),
        )


def _nodes_behind(assembly: Assembly) -> FloatArray:
    """(edges, nodes): 1 where the node hangs behind the edge, as seen from the world."""
    edges = assembly.graph.edges
    behind = np.zeros((len(edges), 1 + max(assembly.graph.node.values(), default=0)))
    leading = {edge.child: row for row, edge in enumerate(edges)}
    for row in range(len(edges) - 1, -1, -1):
        behind[row, edges[row].child] = 1.0
        above = leading.get(edges[row].parent)
        if above is not None:
            behind[above] += behind[row]
    return behind


def _edges_at_frames(assembly: Assembly, frames: dict[Frame, int]) -> FloatArray:
    """(frames, edges): +1 where the edge's wrench enters its component, -1 where it leaves."""
    out = np.zeros((len(frames), len(assembly.graph.edges)))
    for column, step in enumerate(assembly.graph.edges):
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
