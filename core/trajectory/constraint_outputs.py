"""What a constraint tells along a motion, whose phases have equations of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from ..arrays import FloatArray, frozen
from ..dynamics import Moment, System
from ..dynamics.constraints.outputs import ConstraintOutput, constraint_output
from ..motion import Motion
from ..phased_motion import Where
from .touches import Touches


@dataclass(frozen=True, eq=False)
class Acting:
    """What acts at some of the times: moment, and multipliers lambda (…, m) of all rows there.

    where says which of the times they are.
    """

    where: Where
    system: System
    moment: Moment
    multipliers: FloatArray


def acting_over_time(
    parts: Sequence[tuple[Motion, Where]],
    t: FloatArray,
    q: FloatArray,
    v: FloatArray,
    given: bool,
    touches: Touches | None = None,
) -> list[Acting]:
    """What acts at times t (…), q (…, nq), v (…, nv), in parts with equations of their own.

    Args:
        parts: the equations that hold, and where they do.
        given: whether the motion was given, so that no forces are known.
        touches: contacts with friction, whose forces act too.
    """
    out = []
    for motion, where in parts:
        system = motion.system
        moment = system.moment(t[where], q[where], v[where])
        if given:
            count = 0 if system.rows is None else len(system.rows)
            multipliers = np.full((*moment.t.shape, count), np.nan)
        else:
            contact = None if touches is None else touches.joint_forces(moment.t)
            multipliers = _multipliers(motion, moment, contact)
        out.append(Acting(where, system, moment, multipliers))
    return out


def constraint_over_time(
    acting: Sequence[Acting], name: str, shape: tuple[int, ...]
) -> ConstraintOutput:
    """What the constraint of that name tells at times of a shape.

    Raises:
        ModelError: for an unknown constraint, listing those that exist.
    """
    told = [
        (own.where, constraint_output(own.system, name, own.moment, own.multipliers))
        for own in acting
    ]
    first = told[0][1]
    if len(told) == 1 and told[0][0] is ...:
        return first
    out: dict[str, FloatArray | None] = {}
    for field in fields(ConstraintOutput)[1:]:
        own = getattr(first, field.name)
        if own is not None:
            own = np.empty((*shape, own.shape[-1]))
            for where, part in told:
                own[where] = getattr(part, field.name)
            own = frozen(own)
        out[field.name] = own
    return ConstraintOutput(first.rows, **out)  # type: ignore[arg-type]


def _multipliers(motion: Motion, moment: Moment, contact: FloatArray | None) -> FloatArray:
    """lambda (…, m): of index 1 by the equations of motion, else the scheme's.

    The scheme has them at its steps; in between they are on straight lines.
    """
    if not motion.told:
        return motion.respond(moment, more=contact).multipliers
    times = np.array([time for time, _ in motion.told])
    values = np.array([own for _, own in motion.told])
    out = [np.interp(moment.t, times, column) for column in values.T]
    return np.stack(out, axis=-1) if out else np.zeros((*moment.t.shape, 0))
