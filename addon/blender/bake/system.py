"""What a bake simulates: loops, contacts and motors put together, and a start that can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics import FLOATING_BASE, Model, Servo, System, hold_pose
from ....core.dynamics.collision import Collider
from ....core.dynamics.constraints import Constraint, Port
from ....core.dynamics.constraints.assembly import assemble
from ....core.dynamics.contact import Contact, ContactSystem, JointLimit
from ....core.dynamics.friction import CollisionSystem
from ....core.dynamics.kinematics import coordinates
from ..contact.plan import ContactPlan
from ..contact.settings import ContactSettings

# how far a start may be off (rad or m) before it is told: Blender's digits
DIGITS = 1e-5
ROUNDING = 1e-12  # rad or m


@dataclass(frozen=True, eq=False)
class Start:
    """Where a simulation starts: q (nq,), the stops that act, and what was mended."""

    q: FloatArray
    stops: tuple[JointLimit, ...]
    notes: tuple[str, ...]


def loop_system(model: Model, constraints: Sequence[Constraint], reference: FloatArray) -> System:
    """The model with its loops alone."""
    return System(model, constraints=tuple(constraints), reference=reference)


def touching_system(
    loops: System, contact: ContactPlan, settings: ContactSettings, pose: FloatArray
) -> System:
    """The model with its loops, contacts and motors.

    Args:
        loops: the model and its loops.
        pose: q (nq,) that motors hold.
    """
    motors: tuple[Servo, ...] = ()
    if settings.motors == "HOLD":
        motors = hold_pose(
            loops.model,
            pose,
            frequency=settings.motor_frequency,
            damping_ratio=settings.motor_damping,
        )
    if settings.scheme == "FRICTION":
        return CollisionSystem(
            loops.model,
            joint_forces=motors,
            constraints=loops.constraints,
            reference=loops.reference,
            colliders=contact.colliders,
            pairs=contact.pairs,
            ignored=_loop_neighbours(loops, contact.colliders),
            joint_stops=contact.stops,
        )
    own: tuple[Contact | JointLimit, ...] = (*contact.contacts, *contact.stops)
    if not own:
        return replace(loops, joint_forces=motors)
    return ContactSystem(
        loops.model,
        joint_forces=motors,
        constraints=loops.constraints,
        reference=loops.reference,
        contacts=own,
    )


def _loop_neighbours(loops: System, colliders: Sequence[Collider]) -> tuple[tuple[str, str], ...]:
    """The pairs of colliders whose bodies a loop joint connects.

    They meet at the joint, as neighbours in the tree do, which the core leaves out.
    """
    model = loops.model
    names: dict[int, list[str]] = {}
    for collider in colliders:
        names.setdefault(collider.shape.port.place(model)[0], []).append(collider.name)
    pairs: list[tuple[str, str]] = []
    for own in loops.constraints:
        ends = [getattr(own, end, None) for end in ("a", "b")]
        frames = [end.place(model)[0] for end in ends if isinstance(end, Port)]
        if len(frames) == 2:
            first, second = (names.get(frame, []) for frame in frames)
            pairs += product(first, second)
    return tuple(pair for pair in dict.fromkeys(pairs) if pair[0] != pair[1])


def possible_start(
    loops: System, contact: ContactPlan, pose: FloatArray, scale: float = 1.0
) -> Start:
    """The start next to a pose q (nq,) in which joints are at or inside limits that act.

    Joints beyond a limit are put to it. A limit that a joint is beyond all the same, because
    loops or a leader hold it there, does not act. A robot that floats is lifted out of a floor
    that it meets in the exact scheme.

    Args:
        scale: metres of the scene to one of the robot's own.

    Raises:
        SimulationError: for loops that cannot close.
    """
    q, notes = _inside(loops.model, contact.stops, pose)
    stops, left_out = _reachable(loops, contact.stops, q)
    q, lifted = _above_the_floor(loops, contact, q, scale)
    return Start(q, stops, (*notes, *left_out, *lifted))


def _inside(
    model: Model, stops: Sequence[JointLimit], pose: FloatArray
) -> tuple[FloatArray, list[str]]:
    """The pose with joints at their limits that were beyond, and a note of which."""
    q, moved = pose.copy(), []
    lower, upper = model.limits()
    for stop in stops:
        if stop.joint not in model.q_slices:
            continue
        where = model.q_slices[stop.joint]
        q[where] = np.clip(q[where], lower[where], upper[where])
        change = float(np.abs(q[where] - pose[where])[0])
        if change > DIGITS:
            moved.append(f"{stop.joint} by {change:.3g}")
    if not moved:
        return q, []
    return q, [f"the start pose is outside the limits, and was put to them: {', '.join(moved)}"]


def _reachable(
    loops: System, stops: tuple[JointLimit, ...], q: FloatArray
) -> tuple[tuple[JointLimit, ...], list[str]]:
    """The stops that joints are not beyond where the simulation will start, and a note."""
    model = loops.model
    if loops.projection is not None and stops:
        q = assemble(loops.projection, 0.0, q, np.zeros(model.nv)).q
    elif not model.followers:
        return stops, []
    x = coordinates(model, q)
    beyond = np.maximum(model.lower - x, x - model.upper)
    depth = {model.dof_joint[int(dof)]: beyond[i] for i, dof in enumerate(model.scalar_dof)}
    out = [stop.joint for stop in stops if depth[stop.joint] > ROUNDING]
    kept = tuple(stop for stop in stops if stop.joint not in out)
    if not out:
        return kept, []
    return kept, [
        "loops or leaders hold joints beyond their limits, which do not act: "
        + ", ".join(f"{joint} by {depth[joint]:.3g}" for joint in out)
    ]


def _above_the_floor(
    loops: System, contact: ContactPlan, q: FloatArray, scale: float
) -> tuple[FloatArray, list[str]]:
    """The pose with a floating base lifted out of the floor, and a note of how far."""
    model = loops.model
    if not contact.contacts or FLOATING_BASE not in model.q_slices:
        return q, []
    system = ContactSystem(model, contacts=contact.contacts)
    depth = float(system.gaps.depth(system.gaps.at(q)).max(initial=0.0))
    if not depth > 0.0:
        return q, []
    plane = contact.contacts[0].a
    normal = plane.port.link_from_port[:3, :3] @ plane.up  # type: ignore[attr-defined]
    lifted = q.copy()
    lifted[model.q_slices[FLOATING_BASE]][:3] += depth * normal
    note = f"the robot starts in the floor, and was lifted out of it by {depth * scale:.3g} m"
    return lifted, [note] if depth > DIGITS else []
