"""The initial state of the model, out of the initial values of joints and roots.

Where constraints act the rest is put together around what was given: first with all joints held
that were given any values, then with these values alone, and where no motion of the others closes
the loops, by the least motion of all. Positions and velocities are found one after the other,
each around what was given of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..arrays import FloatArray, frozen
from ..dynamics import System
from ..dynamics.constraints.assembly import WORTH_TELLING, assemble_positions, holding
from ..dynamics.constraints.hold import Hold
from ..dynamics.coordinate_names import velocity_units
from ..dynamics.quantities import difference_q
from ..errors import SimulationError
from .component import JointEdge
from .cuts import carried
from .places import Places
from .reversal import mirrored_state

# q (nq,) and v (nv,) of joints, from frame_a to frame_b
Guess = Mapping[JointEdge, tuple[FloatArray, FloatArray]]
Kept = Literal["joints", "told", "none"]
KEPT: tuple[Kept, ...] = ("joints", "told")
TURN = 2.0 * np.pi
TOLD = 6  # components in a warning, of many


@dataclass(frozen=True)
class Start:
    """q (nq,), v (nv,); notice tells what constraints have moved, None where they did not."""

    q: FloatArray
    v: FloatArray
    notice: str | None = None


def start(
    places: Places, guess: Guess | None = None, kept: Kept = "joints"
) -> tuple[FloatArray, FloatArray]:
    """q (nq,) and v (nv,) as they were given, or else as they are guessed.

    What was given is kept for whole joints of which any part was, for these parts, or not at all.

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
        first_q, first_v = merged(edge, "q", near_q, kept), merged(edge, "v", near_v, kept)
        own_q = place.state(q, v, v)[0] if first_q is None else first_q
        own_v = np.zeros(edge.joint.nv) if first_v is None else first_v
        if place.mirrored:
            own_q, own_v, _ = mirrored_state(edge.joint, own_q, own_v, np.zeros_like(own_v))
        if first_q is not None:
            q[list(place.q)] = own_q
        if first_v is not None:
            v[list(place.v)] = own_v
    return frozen(q), frozen(v)


def merged(edge: JointEdge, what: str, guess: FloatArray | None, kept: Kept) -> FloatArray | None:
    """q or v of a joint as it was given, in those parts that are not kept as it is guessed."""
    own: FloatArray | None = getattr(edge, what)
    if own is None or guess is None:
        return guess if own is None else own
    told = edge.told.get(what, (True,) * edge.joint.nv)
    if kept == "none" or not any(told):
        return guess
    if kept == "joints" or all(told):
        return own
    if edge.joint.type != "floating":
        scalars: FloatArray = np.where(told, own, guess)
        return scalars
    # positions stand before the orientation, their velocities behind its
    turn, place = (own if told[0] else guess), (own if told[3] else guess)
    first, second = (place, turn) if what == "q" else (turn, place)
    parts: FloatArray = np.concatenate((first[:3], second[3:]))
    return parts


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
    if system.projection is None:
        return Start(frozen(given_q), frozen(given_v))
    when = np.asarray(t, dtype=np.float64)
    system = replace(system, reference=system.held(t, *start(places, guess))[0])
    projection = system.projection
    assert projection is not None

    def positions(kept: Kept) -> FloatArray:
        near = system.held(t, *start(places, guess, kept))
        held = _given(places, "q", kept)
        return assemble_positions(holding(projection, held), t, *near)

    def velocities(kept: Kept) -> FloatArray:
        _, near = system.held(t, *start(places, guess, kept))
        held = _given(places, "v", kept)
        return holding(projection, held).velocities(system.moment(when, q, near))

    try:
        q = _first(positions, places, "q")
    except SimulationError as error:
        raise SimulationError(f"{error}{_loops(places, str(error))}") from None
    q = _unwound(places, q)
    v = _first(velocities, places, "v")
    return Start(frozen(q), frozen(v), _notice(places, given_q, given_v, q, v))


def _first(attempt: Callable[[Kept], FloatArray], places: Places, what: str) -> FloatArray:
    """The first attempt that succeeds, with as much kept as can be.

    Raises:
        SimulationError: where none does.
    """
    held = set[frozenset[int]]()
    for kept in KEPT:
        own = _given(places, what, kept)
        if own in held or not own:
            continue
        held.add(own)
        try:
            return attempt(kept)
        except SimulationError:
            continue
    return attempt("none")


def _given(places: Places, what: str, kept: Kept) -> frozenset[int]:
    """The velocities of joints whose positions ('q') or velocities ('v') are kept as given."""
    out: set[int] = set()
    for edge, place in places.joints.items():
        if getattr(edge, what) is None or kept == "none":
            continue
        told = edge.told.get(what, (True,) * len(place.v))
        whole = kept == "joints" and any(told)
        out.update(index for index, own in zip(place.v, told, strict=True) if own or whole)
    return frozenset(out)


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
        kept = _given(places, "v" if per else "q", "told")
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
