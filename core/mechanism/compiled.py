"""A mechanism ready to run: the tree, its model and system, and every variable by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..arrays import FloatArray
from ..dynamics import Model, System, compile_tree
from ..dynamics.inertia_facts import with_inertia_facts
from ..errors import ModelError
from ..tree import Tree
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
    t: float = 0.0,
) -> Compiled:
    """Compile; see `Mechanism.compile`. t is when the motion starts, s."""
    graph = span(name, components, connections)
    assembly = assemble(name, world.space, components, graph, world.name)
    model = compile_tree(assembly.tree, gravity=world.gravity)
    places = Places.of(assembly, model)
    acting = Forces() if graph.loops else gathered(c.forces(places) for c in components)
    system = System(
        model,
        acting.joint_forces,
        tuple(element for element, _ in acting.frame_forces),
        acting.prescribed,
        tuple(own for c in components for own in c.constraints(places)),
        tuple(own for c in components for own in c.markers(places)),
    )
    q, v = start(places)
    # what moves no inertia at zero may do so where the motion starts
    model = with_inertia_facts(model, system.held(t, q, v)[0])
    refuse_massless(assembly, model)
    places, system = replace(places, model=model), replace(system, model=model)
    outputs: dict[str, Output] = {}
    for component in components:
        for frame in component.frames:
            outputs.update(frame_outputs(frame, world.space))
        if not graph.loops:
            own = component.outputs(places)
            outputs.update({f"{component.name}.{key}": out for key, out in own.items()})
    return Compiled(
        name,
        world.space,
        assembly.tree,
        model,
        system,
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
    graph = assembly.graph
    edge = next(
        edge
        for edge, placed in assembly.placed.items()
        if model.massless[0] in (name for name, _ in placed.steps)
    )
    reached = {step.child for step in graph.edges if step.edge is edge}
    for step in graph.edges:
        if step.parent in reached:
            reached.add(step.child)
    moved = [mass.name for mass in assembly.masses if graph.node[mass.frame] in reached]
    raise ModelError(
        f"{assembly.name}: {edge.label} moves no inertia where the motion starts: "
        f"{', '.join(map(repr, moved))} beyond it stay in place when it moves; give them inertia "
        "about its axis, or mass away from it"
    )
