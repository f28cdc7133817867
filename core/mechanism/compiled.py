"""A mechanism ready to run: the tree, its model and system, and every variable by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..arrays import FloatArray
from ..dynamics import Model, System, compile_tree
from ..errors import ModelError
from .angles import Angle
from .assembly import Assembly, assemble
from .balance import Balance
from .component import Component, Forces, Output, Space
from .forces.batches import gathered
from .frame import Frame
from .frame_outputs import frame_outputs
from .graph import span
from .places import Places
from .start import start
from .tree import Tree
from .world import World


@dataclass(frozen=True, eq=False, repr=False)
class Compiled:
    """What `Mechanism.compile` makes.

    Attributes:
        name, space: of the mechanism.
        tree, model, system: a body of the tree for all that stands still against each other.
        assembly, places: where nodes, frames and joints went.
        loops: for each closed loop the names of the components around it, the closing one last.
            While there are any, `outputs` has frames only and the system no force elements.
        balance: how wrenches reach frames.
        angles: of the nodes of a planar mechanism.
        outputs: every variable, by its full name such as 'rod.frame_b.x'.
        q (nq,), v (nv,): initial state.
    """

    name: str
    space: Space
    tree: Tree
    model: Model
    system: System
    assembly: Assembly
    places: Places
    loops: tuple[tuple[str, ...], ...]
    balance: Balance
    angles: Mapping[int, Angle]
    outputs: Mapping[str, Output]
    q: FloatArray
    v: FloatArray

    def __repr__(self) -> str:
        loops = f", {len(self.loops)} closed loops" if self.loops else ""
        return (
            f"<Compiled {self.space} mechanism {self.name!r}: {len(self.tree.bodies)} bodies, "
            f"{len(self.tree.joints)} joints, {self.model.nv} degrees of freedom{loops}>"
        )


def compile_components(
    name: str,
    world: World,
    components: Sequence[Component],
    connections: Sequence[Sequence[Frame]],
) -> Compiled:
    """Compile; see `Mechanism.compile`."""
    graph = span(name, components, connections)
    assembly = assemble(name, world.space, components, graph, world.name)
    model = compile_tree(assembly.tree, gravity=world.gravity)
    refuse_massless(assembly, model)
    places = Places.of(assembly, model)
    acting = Forces() if graph.loops else gathered(c.forces(places) for c in components)
    outputs: dict[str, Output] = {}
    for component in components:
        for frame in component.frames:
            outputs.update(frame_outputs(frame, world.space))
        if not graph.loops:
            own = component.outputs(places)
            outputs.update({f"{component.name}.{key}": out for key, out in own.items()})
    q, v = start(places)
    return Compiled(
        name,
        world.space,
        assembly.tree,
        model,
        System(
            model,
            acting.joint_forces,
            tuple(element for element, _ in acting.frame_forces),
            acting.prescribed,
        ),
        assembly,
        places,
        graph.loops,
        Balance.of(places, [frame for _, frames in acting.frame_forces for frame in frames]),
        places.angles if world.space == "planar" else {},
        outputs,
        q,
        v,
    )


def refuse_massless(assembly: Assembly, model: Model) -> None:
    """Raise where a joint moves masses, but none that it has to set in motion."""
    if not model.massless:
        return
    joint = next(joint for joint in assembly.tree.joints if joint.name == model.massless[0])
    edges = {name: e for e, p in assembly.placed.items() for name, _ in p.steps}
    moved, step = [], {s.edge: s for s in assembly.graph.edges}[edges[joint.name]]
    reached = {step.child}
    for edge in assembly.graph.edges:
        if edge.parent in reached:
            reached.add(edge.child)
    moved = [m.name for m in assembly.masses if assembly.graph.node[m.frame] in reached]
    raise ModelError(
        f"{assembly.name}: {edges[joint.name].label} moves no inertia: "
        f"{', '.join(map(repr, moved))} beyond it stay in place when it moves; give them inertia "
        "about its axis, or mass away from it"
    )
