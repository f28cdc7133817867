"""From components and connections to a mechanism that is ready to run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..arrays import FloatArray
from ..dynamics import Model, System, compile_tree
from ..dynamics.constraints import Constraint
from ..dynamics.contact import ContactSystem, ImpactRule, held_rows
from ..dynamics.inertia_facts import with_inertia_facts
from ..errors import DynarigError, ModelError
from .angles import Angle
from .assembly import Assembly, assemble
from .balance import Balance, Ends
from .closing import closing_constraint, constraint_outputs
from .compiled import Compiled
from .component import Component, JointEdge, Output
from .constraint_wrenches import Column, columns_of
from .contacts.touching_pairs import TouchingPairs
from .cut_joints import CutJoint
from .cuts import carried, needed
from .forces.batches import gathered
from .frame import Frame
from .frame_outputs import frame_outputs
from .graph import Graph, span
from .motors.drives import layered
from .places import Places
from .start import TURN, Guess, Start, acting, assembled, start
from .world import World


def compile_components(
    name: str,
    world: World,
    components: Sequence[Component],
    connections: Sequence[Sequence[Frame]],
    t: float = 0.0,
    impacts: ImpactRule = "joint",
    stepped: bool = False,
) -> Compiled:
    """Compile; see `Mechanism.compile`.

    t is when the motion starts, s; where `stepped`, contacts are for time stepping.
    """
    content = carried(components)
    graph = span(name, components, connections, content)
    usual_start = UsualStart()
    if graph.cuts:
        usual = span(name, components, connections, needed(components), by_name=True)
        where, there = ({cut.edge: cut.share is None for cut in g.cuts} for g in (graph, usual))
        if where != there:
            usual_start = _usual_start(name, world, components, usual, t)
    made = _compiled(name, world, components, graph, t, usual_start, stepped)
    outputs: dict[str, Output] = {}
    closing = {cut.edge for cut in made.assembly.graph.cuts}
    for component in components:
        for frame in component.frames:
            outputs.update(frame_outputs(frame, world.space))
        own = component.outputs(made.places)
        outputs.update({f"{component.name}.{key}": out for key, out in own.items()})
        for edge in component.joint_edges():
            if edge in closing:
                outputs.update(constraint_outputs(edge.joint.name))
    system = made.system
    if isinstance(system, ContactSystem):
        system = replace(system, impacts=impacts)
    return replace(made, outputs=outputs, system=system)


@dataclass(frozen=True)
class UsualStart:
    """The start of a mechanism with its loops cut where names decide.

    joints: of all joints; angles: rad, of the nodes of a planar mechanism. Empty where unknown.
    """

    joints: Guess = field(default_factory=dict)
    angles: Mapping[int, float] = field(default_factory=dict)


def _usual_start(
    name: str, world: World, components: Sequence[Component], graph: Graph, t: float
) -> UsualStart:
    """Of the graph that is cut by names; empty where loops cannot close so.

    So the way in which loops close, and the whole turns of angles, do not depend on the order of
    the components, nor on springs, dampers and limits.
    """
    from ..motion import Motion
    from .snapshot import Snapshot

    try:
        made = _compiled(name, world, components, graph, t, UsualStart())
    except DynarigError:
        return UsualStart()
    if made.failure is not None:
        return UsualStart()
    motion = Motion(made.system, None, damping=0.0, limits=False, passive=False)
    at = Snapshot(made, np.asarray(t), made.q, made.v, motion)
    out = {edge: (at.coordinates(edge), at.velocities(edge)) for edge in made.places.joints}
    for edge, cut in made.cut_joints.items():
        q = at.coordinates(edge).copy()
        angles = list(cut.angles)
        q[angles] -= TURN * np.round(q[angles] / TURN)
        out[edge] = q, at.velocities(edge)
    return UsualStart(out, _angles(made.angles, made.q))


def _angles(angles: Mapping[int, Angle], q: FloatArray) -> dict[int, float]:
    """The angle of each node at q (nq,), rad."""
    return {node: float(row @ q + offset) for node, (row, offset) in angles.items()}


def _compiled(
    name: str,
    world: World,
    components: Sequence[Component],
    graph: Graph,
    t: float,
    usual: UsualStart,
    stepped: bool = False,
) -> Compiled:
    """All but the variables; the usual start is for joints that were given no values."""
    assembly = assemble(name, world.space, components, graph, world.name)
    model = compile_tree(assembly.tree, gravity=world.gravity)
    places = replace(Places.of(assembly, model), stepped=stepped)
    if usual.angles:
        own = _angles(places.angles, start(places, usual.joints, "none")[0])
        shifts = {node: phi - own[node] for node, phi in usual.angles.items() if node in own}
        turns = {node: TURN * round(shift / TURN) for node, shift in shifts.items()}
        places = replace(places, turns=turns)
    forces = gathered(c.forces(places) for c in components)
    constraints, columns, ends = _constraints(places, components)
    plain = System(
        model,
        layered(forces.joint_forces) if stepped else forces.joint_forces,
        tuple(element for element, _ in forces.frame_forces),
        forces.prescribed,
        constraints,
        tuple(own for c in components for own in c.markers(places)),
    )
    touching = TouchingPairs.of(places, components) if stepped else TouchingPairs()
    system = touching.system(plain) if stepped else _exact_system(plain, places, components)
    at_start = acting(system, t)
    assert at_start.rows is None or len(at_start.rows)  # unknown and doubled names are refused
    begin = Start(*system.held(t, *start(places)))
    failure = None
    if not with_inertia_facts(model, begin.q).massless:
        try:
            begin = assembled(places, at_start, t, usual.joints)
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
    acting_at += touching.frames
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
        None if stepped else next((c.only_stepped for c in components if c.only_stepped), None),
        touching,
    )


def _exact_system(plain: System, places: Places, components: Sequence[Component]) -> System:
    """The system with contacts for exact impacts, where there are some."""
    contacts = tuple(own for c in components for own in c.contacts(places))
    if not contacts:
        return plain
    return ContactSystem(
        plain.model,
        plain.joint_forces,
        plain.frame_forces,
        plain.prescribed,
        plain.constraints,
        plain.markers,
        contacts=contacts,
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
        contacts = () if places.stepped else component.contacts(places)
        own = [*component.constraints(places), *held_rows(contacts)]
        frame_of = {id(places.port(frame)): frame for frame in component.frames}
        if contacts:
            # each on a link of its own, with ports of their own for what touches
            on = {places.link(frame)[0]: frame for frame in component.frames}
            ports = [port for column in columns_of(own) for port in column.pair if port]
            frame_of.update({id(port): on[port.link] for port in ports if port.link in on})
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
