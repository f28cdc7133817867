"""A mechanism ready to run: the tree, its model and system, and every variable by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..arrays import FloatArray
from ..dynamics import Model, System, compile_tree
from ..dynamics.constraints import Constraint
from ..dynamics.inertia_facts import with_inertia_facts
from ..errors import DynarigError, ModelError
from ..tree import Tree
from .angles import Angle
from .assembly import Assembly, assemble
from .balance import Balance, Ends
from .closing import closing_constraint
from .component import Component, JointEdge, Output, RigidEdge, Space
from .constraint_wrenches import Column, columns_of
from .cut_joints import CutJoint
from .cuts import carried, needed
from .forces.batches import gathered
from .frame import Frame
from .frame_outputs import frame_outputs
from .graph import Graph, span
from .places import Places
from .start import TURN, Guess, Start, acting, assembled, start
from .world import World


@dataclass(frozen=True, eq=False, repr=False)
class Compiled:
    """What `Mechanism.compile` makes.

    Attributes:
        name, space: of the mechanism.
        tree, model, system: a body of the tree for all that stands still against each other.
        assembly, places: where nodes, frames and joints went.
        loops: for each closed loop the names of the components around it, the closing one last.
        cut_joints: those that close a loop and have no coordinates in the tree.
        balance: how wrenches reach frames.
        angles: of the nodes of a planar mechanism.
        outputs: every variable, by its full name such as 'rod.frame_b.x'.
        q (nq,), v (nv,): initial state, with all constraints met; as it was given where they
            cannot be, which `failure` tells.
        t: when the motion starts, s.
        acting: the system with the constraints that act at the start.
        notice: what constraints have moved against what was given; None where nothing.
        failure: why the loops cannot close, which a simulation raises; None where they do.
    """

    name: str
    space: Space
    tree: Tree
    model: Model
    system: System
    assembly: Assembly
    places: Places
    loops: tuple[tuple[str, ...], ...]
    cut_joints: Mapping[JointEdge, CutJoint]
    balance: Balance
    angles: Mapping[int, Angle]
    outputs: Mapping[str, Output]
    q: FloatArray
    v: FloatArray
    t: float
    acting: System
    notice: str | None
    failure: DynarigError | None

    @cached_property
    def independent(self) -> int:
        """How many of the rows of constraints are independent of each other at the start."""
        rows = self.acting.rows
        if rows is None or self.failure is not None:
            return 0 if rows is None else len(rows)
        try:
            return rows.independent(self.acting.moment(self.t, self.q, self.v)).shape[1]
        except np.linalg.LinAlgError:  # a mass matrix that a simulation refuses
            return len(rows)

    @property
    def redundant(self) -> int:
        """How many rows of constraints follow from the others at the start."""
        return (0 if self.acting.rows is None else len(self.acting.rows)) - self.independent

    @property
    def freedom(self) -> int:
        """Degrees of freedom that constraints and prescribed motions leave, at the start."""
        return self.model.nv - self.independent - len(self.system.prescribed)

    @property
    def report(self) -> str:
        """What there is to know of loops, in lines: where each is cut, and the rows it gives."""
        rows = self.acting.rows
        lines = [repr(self)[1:-1]]
        for cut in self.assembly.graph.cuts:
            told = f"loop {' - '.join(cut.around)}: "
            if isinstance(cut.edge, RigidEdge):
                lines.append(f"{told}nothing in it moves, '{cut.around[-1]}' carries nothing")
                continue
            name = cut.edge.joint.name
            how = "cut at" if cut.share is None else "all joints carry something; shared beyond"
            count = 0 if rows is None else len(rows.where[name])
            lines.append(f"{told}{how} '{name}', {count} rows")
        others = [own for own in self.acting.constraints if own.name not in self._joints]
        for own in others:
            count = 0 if rows is None or not own.active else len(rows.where[own.name])
            lines.append(f"{own.label}: {count} rows" if own.active else f"{own.label}: inactive")
        return "\n".join(lines)

    @property
    def _joints(self) -> set[str]:
        """The names of joints that close loops."""
        edges = self.assembly.graph.closing
        return {edge.joint.name for edge in edges if isinstance(edge, JointEdge)}

    def __repr__(self) -> str:
        rows = self.acting.rows
        loops = f", {len(self.loops)} closed loops" if self.loops else ""
        if rows is not None:
            redundant = f" ({self.redundant} redundant)" if self.redundant else ""
            redundant = redundant if self.failure is None else " that cannot be met"
            loops += f", {len(rows)} constraint rows{redundant} on {self.model.nv} coordinates"
        freedom = self.model.nv - self.independent
        return (
            f"<Compiled {self.space} mechanism {self.name!r}: {len(self.tree.bodies)} bodies, "
            f"{len(self.tree.joints)} joints, {freedom} degrees of freedom{loops}>"
        )


def compile_components(
    name: str,
    world: World,
    components: Sequence[Component],
    connections: Sequence[Sequence[Frame]],
    t: float = 0.0,
) -> Compiled:
    """Compile; see `Mechanism.compile`. t is when the motion starts, s."""
    content = carried(components)
    graph = span(name, components, connections, content)
    guess: Guess = {}
    if graph.cuts:
        usual = span(name, components, connections, needed(components), by_name=True)
        where, there = ({cut.edge: cut.share is None for cut in g.cuts} for g in (graph, usual))
        if where != there:
            guess = _usual_start(name, world, components, usual, t)
    made = _compiled(name, world, components, graph, t, guess)
    outputs: dict[str, Output] = {}
    for component in components:
        for frame in component.frames:
            outputs.update(frame_outputs(frame, world.space))
        own = component.outputs(made.places)
        outputs.update({f"{component.name}.{key}": out for key, out in own.items()})
    return replace(made, outputs=outputs)


def _usual_start(
    name: str, world: World, components: Sequence[Component], graph: Graph, t: float
) -> Guess:
    """The start of all joints with loops cut where names decide; nothing where that fails.

    So the way in which loops close depends neither on the order of the components nor on springs,
    dampers and limits.
    """
    from ..motion import Motion
    from .snapshot import Snapshot

    try:
        made = _compiled(name, world, components, graph, t, {})
    except DynarigError:
        return {}
    if made.failure is not None:
        return {}
    motion = Motion(made.system, None, damping=0.0, limits=False, passive=False)
    at = Snapshot(made, np.asarray(t), made.q, made.v, motion)
    out = {edge: (at.coordinates(edge), at.velocities(edge)) for edge in made.places.joints}
    for edge, cut in made.cut_joints.items():
        q = at.coordinates(edge).copy()
        angles = list(cut.angles)
        q[angles] -= TURN * np.round(q[angles] / TURN)
        out[edge] = q, at.velocities(edge)
    return out


def _compiled(
    name: str,
    world: World,
    components: Sequence[Component],
    graph: Graph,
    t: float,
    guess: Guess,
) -> Compiled:
    """All but the variables; guess is for joints that were given no values."""
    assembly = assemble(name, world.space, components, graph, world.name)
    model = compile_tree(assembly.tree, gravity=world.gravity)
    places = Places.of(assembly, model)
    forces = gathered(c.forces(places) for c in components)
    constraints, columns, ends = _constraints(places, components)
    system = System(
        model,
        forces.joint_forces,
        tuple(element for element, _ in forces.frame_forces),
        forces.prescribed,
        constraints,
        tuple(own for c in components for own in c.markers(places)),
    )
    at_start = acting(system, t)
    assert at_start.rows is None or len(at_start.rows)  # unknown and doubled names are refused
    begin = Start(*system.held(t, *start(places)))
    failure = None
    if not with_inertia_facts(model, begin.q).massless:
        try:
            begin = assembled(places, at_start, t, guess)
        except DynarigError as error:
            failure = error
    # what moves no inertia at zero may do so where the motion starts
    rows = at_start.rows
    held = None
    if rows is not None and failure is None:
        held = rows.at(at_start.moment(t, begin.q, begin.v)).jacobian
    model = with_inertia_facts(model, begin.q, held)
    refuse_massless(assembly, model)
    places, system = replace(places, model=model), replace(system, model=model)
    acting_at = [frame for _, frames in forces.frame_forces for frame in frames]
    return Compiled(
        name,
        world.space,
        assembly.tree,
        model,
        system,
        assembly,
        places,
        graph.loops,
        {
            edge: CutJoint(edge, world.space)
            for edge in graph.closing
            if isinstance(edge, JointEdge) and edge not in places.joints
        },
        Balance.of(places, acting_at, columns, ends),
        places.angles if world.space == "planar" else {},
        {},
        begin.q,
        begin.v,
        t,
        replace(at_start, model=model),
        begin.notice,
        failure,
    )


def _constraints(
    places: Places, components: Sequence[Component]
) -> tuple[tuple[Constraint, ...], list[Column], dict[int, Ends]]:
    """All constraints, the columns of their wrenches, and the frames that components' act on."""
    assembly = places.assembly
    closing = [closing_constraint(cut, places, assembly.space) for cut in assembly.graph.cuts]
    out = [own for own in closing if own is not None]
    columns, ends = columns_of(out), {}
    for component in components:
        own = component.constraints(places)
        frame_of = {id(places.port(frame)): frame for frame in component.frames}
        for column in columns_of(own):
            first, second = (frame_of.get(id(port)) for port in column.pair)
            ends[len(columns)] = (first, second)
            columns.append(column)
        out.extend(own)
    return tuple(out), columns, ends


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
    reached |= {graph.shares[node] for node in reached if node in graph.shares}
    for step in graph.edges:
        if step.parent in reached:
            reached.add(step.child)
    moved = [mass.name for mass in assembly.masses if graph.node[mass.frame] in reached]
    raise ModelError(
        f"{assembly.name}: {edge.label} moves no inertia where the motion starts: "
        f"{', '.join(map(repr, moved))} beyond it stay in place when it moves; give them inertia "
        "about its axis, or mass away from it"
    )
