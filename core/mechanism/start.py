"""The initial state of the model, out of the initial values of joints and roots.

Where constraints act the rest is put together around what was given: first with all joints that
were given values held, and where no motion of the others closes the loops, by the least motion of
all. Positions and velocities are found one after the other, each around what was given of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import FloatArray, frozen
from ..dynamics import System
from ..dynamics.constraints.assembly import WORTH_TELLING, assemble_positions
from ..dynamics.constraints.hold import Hold
from ..dynamics.constraints.projection import Projection
from ..dynamics.coordinate_names import velocity_units
from ..dynamics.quantities import difference_q
from ..errors import SimulationError
from .component import JointEdge
from .cuts import carried
from .places import Places
from .reversal import mirrored_state

# q (nq,) and v (nv,) of joints, from frame_a to frame_b
Guess = Mapping[JointEdge, tuple[FloatArray, FloatArray]]
TURN = 2.0 * np.pi
TOLD = 6  # components in a warning, of many


@dataclass(frozen=True)
class Start:
    """q (nq,), v (nv,); notice tells what constraints have moved, None where they did not."""

    q: FloatArray
    v: FloatArray
    notice: str | None = None


def start(
    places: Places, guess: Guess | None = None, over: bool = False
) -> tuple[FloatArray, FloatArray]:
    """q (nq,) and v (nv,) as they were given, or else as they are guessed; or `over` what is given.

    Joints without either start at 0 and at rest, inside their limits; free ones with their frames
    together.
    """
    guess = {} if guess is None else guess
    model = places.model
    q, v = model.clamped(model.neutral()), np.zeros(model.nv)
    for edge, place in places.joints.items():
        if edge.joint.name in model.followers:
            continue  # a follower starts where its leader has it
        near_q, near_v = guess.get(edge, (None, None))
        first_q = near_q if edge.q is None or (over and near_q is not None) else edge.q
        first_v = near_v if edge.v is None or (over and near_v is not None) else edge.v
        own_q = place.state(q, v, v)[0] if first_q is None else first_q
        own_v = np.zeros(edge.joint.nv) if first_v is None else first_v
        if place.mirrored:
            own_q, own_v, _ = mirrored_state(edge.joint, own_q, own_v, np.zeros_like(own_v))
        if first_q is not None:
            q[list(place.q)] = own_q
        if first_v is not None:
            v[list(place.v)] = own_v
    return frozen(q), frozen(v)


def acting(system: System, t: float) -> System:
    """The system with the constraints as they act at time t (s), switches up to then made.

    Holds that take the pose of the start are not among those that act, which they do not move.
    """
    constraints = []
    for own in system.constraints:
        is_active = own.active
        timed = [(switch.time, switch.active) for switch in own.switches if switch.time is not None]
        for time, after in sorted(timed):
            is_active = after if time <= t else is_active
        if isinstance(own, Hold) and own.world_from_port is None:
            is_active = False
        constraints.append(own if own.active == is_active else replace(own, active=is_active))
    return replace(system, constraints=tuple(constraints))


def assembled(places: Places, system: System, t: float, guess: Guess) -> Start:
    """The start at time t (s) with its constraints met.

    Args:
        places: where joints are.
        system: with the constraints that act then; see `acting`.
        guess: of joints that were given no values.

    Raises:
        SimulationError: for an impossible assembly, naming the loops and by how much they fail.
    """
    given_q, given_v = system.held(t, *start(places))
    if system.rows is None:
        return Start(frozen(given_q), frozen(given_v))
    near_q, near_v = system.held(t, *start(places, guess))
    system = replace(system, reference=near_q)
    when = np.asarray(t, dtype=np.float64)
    free = _movable(system)
    held_q = free - _given(places, "q")
    held_v = free - _given(places, "v")
    try:
        q = assemble_positions(_projection(system, held_q), t, near_q, near_v)
    except SimulationError:
        anew_q, anew_v = system.held(t, *start(places, guess, over=True))
        try:
            q = assemble_positions(_projection(system, free), t, anew_q, anew_v)
        except SimulationError as error:
            raise SimulationError(f"{error}{_loops(places, str(error))}") from None
    q = _unwound(places, q)
    at = system.moment(when, q, near_v)
    try:
        v = _projection(system, held_v).velocities(at)
    except SimulationError:
        _, anew_v = system.held(t, *start(places, guess, over=True))
        v = _projection(system, free).velocities(system.moment(when, q, anew_v))
    return Start(frozen(q), frozen(v), _notice(places, given_q, given_v, q, v))


def _movable(system: System) -> frozenset[int]:
    """The velocities that are not those of prescribed coordinates."""
    driven = {own.v_index for own in system.prescribed}
    return frozenset(range(system.model.nv)) - driven


def _given(places: Places, what: str) -> frozenset[int]:
    """The velocities of joints whose positions ('q') or velocities ('v') were given."""
    return frozenset(
        index
        for edge, place in places.joints.items()
        if getattr(edge, what) is not None
        for index in place.v
    )


def _projection(system: System, free: Collection[int]) -> Projection:
    assert system.rows is not None
    if len(free) == system.model.nv:
        return Projection(system.rows, system.moment)
    return Projection(system.rows, system.moment, np.array(sorted(free), dtype=np.intp))


def _unwound(places: Places, q: FloatArray) -> FloatArray:
    """q (nq,) with the angles that nobody gave and nothing acts on from -pi to pi."""
    out, content = q.copy(), carried(places.assembly.components)
    plain = [edge for edge in places.joints if edge not in content]
    turning = ("continuous", "revolute", "cylindrical", "universal")
    for edge, place in places.joints.items():
        if edge in plain and edge.joint.type in turning:
            angles = list(place.q if edge.joint.type == "universal" else place.q[:1])
            out[angles] -= TURN * np.round(out[angles] / TURN)
        elif edge in plain and edge.joint.type == "planar":
            out[place.q[2]] -= TURN * np.round(out[place.q[2]] / TURN)
    return out


def _loops(places: Places, told: str) -> str:
    """The loops whose joints an error tells of."""
    loops = [
        " - ".join(cut.around)
        for cut in places.assembly.graph.cuts
        if isinstance(cut.edge, JointEdge) and f"'{cut.edge.joint.name}'" in told
    ]
    if not loops:
        return ""
    one = "the loop that cannot close is" if len(loops) == 1 else "the loops that cannot close are"
    return f"; {one} {'; '.join(loops)}"


def _notice(
    places: Places, q: FloatArray, v: FloatArray, end: FloatArray, rate: FloatArray
) -> str | None:
    """Which components the constraints have moved, and by how much."""
    model = places.model
    units = [unit.removesuffix("/s") for unit in velocity_units(model)]
    moved = difference_q(model, q, end)
    parts = []
    for what, change, per in (("positions", moved, ""), ("velocities", rate - v, "/s")):
        told = []
        kept = _given(places, "v" if per else "q")
        for edge, place in places.joints.items():
            own = list(place.v)
            if not own or edge.joint.mimic is not None:
                continue
            most = own[int(np.argmax(np.abs(change[own])))]
            if abs(change[most]) > WORTH_TELLING:
                size, given = float(abs(change[most])), most in kept
                against = ", against what was given" if given else ""
                text = f"{edge.label} by {size:.6g} {units[most]}{per}{against}"
                told.append((not given, -size, text))
        if told:
            names = [text for _, _, text in sorted(told)[:TOLD]]
            more = f", … ({len(told)} in all)" if len(told) > TOLD else ""
            parts.append(f"initial {what} of {', '.join(names)}{more}")
    return f"the constraints have moved the {'; and the '.join(parts)}" if parts else None
