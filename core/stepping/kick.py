"""What one step of the time-stepping scheme makes of velocities.

Coordinates stand at the ends of steps and velocities v in their middles, as in the leapfrog:

    A (v+ - v) = h (f - b) + J^T p,    q <- q moved by h v+

A = M + h D + h^2 K with the slopes of implicit forces, p the impulses of contacts, with u = J v+:

    contact   0 <= p_n  _|_  u_n + gap / h >= 0,    |p_t| <= mu p_n against the sliding
    limit     0 <= p    _|_  u   + gap / h >= 0

so that bodies touch at the end of a step and nothing passes through (`position`). Where the gaps,
which are linear in v+, mislead bodies that turn or meet with other edges than they seemed to, they
are taken again at the end of the step, and impulses are solved for again. Where a contact
that acts bounces, or is deeper than it may be and therefore pushed out, the velocity that goes on
is solved for again (`velocity`), with what restitution asks for, u_n >= -e u_n^-, and without what
has pushed: taking back penetration moves bodies and gives them no velocity.

Source: J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics (1988), section
10, for velocities in the middle of steps; D. E. Stewart, J. C. Trinkle, An implicit time-stepping
scheme for rigid body dynamics with inelastic collisions and Coulomb friction (1996), for gaps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..arrays import BoolArray, FloatArray
from ..dynamics import Moment
from ..dynamics.evaluation import bias_at, frame_poses
from ..motion import Motion
from .bounce import Times
from .contacts import ContactFinder, Contacts
from .definite import DefiniteInverse, TreesInverse
from .drift import Drift
from .forces import Forces, Limited, StepForces
from .impulses import Answer, Impulses
from .joint_rows import DryFriction, JointRows, Limits, servo_rows
from .mobility import Mobility, mobility
from .rows import Rows

LOOKS = 2  # at where a step would lead, after which impulses are solved for again
KEPT = 0.9  # of its largest force: a servo that exerts more may reach it in the next step too


class Kick(NamedTuple):
    """What has happened at an instant.

    Attributes:
        v: (nv,), the velocity at the instant.
        after: (nv,), the velocity that goes on; moving: (nv,), that of the displacement.
        work: J, what all forces but gravity have taken out; part: of it, up to the instant.
        contacts: the points looked at; impulses: (k, 3), in the world, N s, on the first body.
        answer: of the solve for impulses.
        lifted: J, the energy that taking back penetration has given, beyond what contacts have
            taken at the same instant.
    """

    v: FloatArray
    after: FloatArray
    moving: FloatArray
    work: float
    part: float
    contacts: Contacts | None
    impulses: FloatArray
    answer: Answer
    lifted: float

    @property
    def acted(self) -> bool:
        """Whether contacts or limits have exerted impulses."""
        return self.answer.acted


class Kicker:
    """Makes kicks, one after the other.

    Args:
        motion: what moves, and what acts on it.
        find: finds contacts; None where nothing can touch.
        limits: those of joints, None where none act.
        tolerance: of impulses, m/s.
    """

    def __init__(
        self, motion: Motion, find: ContactFinder | None, limits: Limits | None, tolerance: float
    ) -> None:
        self._motion, self._system, self._model = motion, motion.system, motion.model
        self._find, self._limits = find, limits
        self.drift = Drift(motion.model)
        self._forces = Forces(motion)
        friction = self._forces.friction
        self._friction = DryFriction(motion.model, friction) if friction.any() else None
        self._impulses = Impulses(float(np.linalg.norm(motion.model.gravity)), tolerance)
        self._rows = self._system.rows
        self._driven = np.array([own.v_index for own in self._system.prescribed], dtype=np.intp)
        free = np.setdiff1d(np.arange(self._model.nv), self._driven)
        self._free = free if len(self._driven) else None
        self._invert = TreesInverse(motion.model, free)
        self._whole = DefiniteInverse(motion.model.nv)
        self._sees = self._forces.needs_velocities or self._rows is not None
        self._sees |= motion.tau is not None
        self._change = np.zeros(self._model.nv)  # of v in the last step, without impacts
        # of it, by contacts that were closed before, in the world's axes
        self._held = np.zeros(self._model.nv)
        self._limited: list[BoolArray] = []  # servos that were at their limits in the last step

    def __call__(self, t: float, q: FloatArray, v: FloatArray, before: float, after: float) -> Kick:
        """The velocities at an instant, and those that go on from there.

        Args:
            t: s; q: (nq,); v: (nv,), of the middle of the step before.
            before, after: s, the steps before and after, 0 for none.
        """
        times = Times(t, before, after)
        moment, bias, own = self._kinematics(t, q, v + 0.5 * self._change)
        acting = self._forces(moment, v, after)
        contacts = first = None
        looks, limited = LOOKS if after > 0.0 else 0, self._limited
        if len(limited) != len(acting.limited):
            limited = [np.zeros(self._model.nv, dtype=bool) for _ in acting.limited]
        while True:
            free, answers = self._free_velocity(moment, bias, own, acting, limited, v, times)
            if self._find is not None and first is None:
                motions = self._find.motions(moment, np.stack((v, free)))
                first = contacts = self._find(moment, motions.fastest, times.reach)
            joints, places = self._joint_rows(q, free, v, acting, limited, times)
            rows = Rows(contacts, joints, free, answers.answer, times.reach)
            answer = self._impulses(rows, v, times)
            beyond = self._beyond(acting, limited, v, answer, times.reach)
            if any(mask.any() for mask in beyond):
                limited = [one | two for one, two in zip(limited, beyond, strict=True)]
                continue
            if self._find is None or first is None or not looks:
                break
            if not (answer.landed or self._find.doubtful(first, motions, after)):
                break
            then, _ = self.drift(q, answer.after, answer.moving, after)
            poses = frame_poses(self._model, then)
            again = self._find.again(first, moment, answer.moving, poses, after)
            if again is None:
                break
            contacts, looks = again, looks - 1
        self._keep(acting, limited, joints, places, answer, times.kick)
        return self._told(moment, bias, v, free, answer, contacts, times)

    def _kinematics(
        self, t: float, q: FloatArray, v: FloatArray
    ) -> tuple[Moment, FloatArray, FloatArray | None]:
        """The moment, what inertia and gravity need (nv,), and what the drift does of it.

        The forces of inertia that the drift takes care of are left out, see `Drift.still`.
        """
        still = self.drift.still(v)
        if not self._sees or still is v:
            moment = self._system.moment(t, q, still)
            assert moment.one is not None
            return moment, moment.one.bias, None
        moment = self._system.moment(t, q, v)
        assert moment.one is not None
        bias = bias_at(self._model, q, still)
        return moment, bias, moment.one.bias - bias

    def _free_velocity(
        self,
        moment: Moment,
        bias: FloatArray,
        own: FloatArray | None,
        acting: StepForces,
        limited: list[BoolArray],
        v: FloatArray,
        times: Times,
    ) -> tuple[FloatArray, Mobility]:
        """v+ without contacts (nv,), and how it answers impulses."""
        h, reach = times.kick, times.reach
        assert moment.one is not None
        mass = moment.one.mass
        force, damping, stiffness = acting.force, acting.damping, acting.stiffness
        for element, mask in zip(acting.limited, limited, strict=True):
            within = ~mask
            force = force + within * element.force
            damping = damping + within * element.damping
            stiffness = stiffness + within * element.stiffness
        matrix = mass.copy()
        matrix.reshape(-1)[:: len(mass) + 1] += h * (damping + reach * stiffness)
        push = h * (acting.explicit + force - bias - reach * stiffness * v)
        start = v
        if len(self._driven):
            start = v.copy()
            start[self._driven] = self._given(times.t, times.after)
            push = push - matrix @ (start - v)
        positions = None if self._rows is None else self._rows.at(moment)
        jacobian = None if positions is None else positions.jacobian
        answers = mobility(self._model, self._invert, matrix, jacobian, self._free)
        free = start + answers.answer @ push
        if self._rows is not None and positions is not None and jacobian is not None:
            # the rows' rates vanish in the middle of the step that follows
            rates = self._rows.rates(moment, positions) - jacobian @ moment.v
            bend = self._rows.gamma(moment, positions)
            if own is not None:
                bend = bend + jacobian @ (self._whole(mass[None])[0] @ own)
            assert answers.turn is not None
            free = free + answers.turn @ (0.5 * times.after * bend - rates - jacobian @ start)
        return free, answers

    def _given(self, t: float, after: float) -> FloatArray:
        """The velocities of prescribed coordinates over the step that follows."""
        now = np.array([own.motion(t) for own in self._system.prescribed], dtype=np.float64)
        if after == 0.0:
            return now[:, 1]
        then = np.array([own.motion(t + after) for own in self._system.prescribed])
        rates: FloatArray = (then[:, 0] - now[:, 0]) / after
        return rates

    def _joint_rows(
        self,
        q: FloatArray,
        free: FloatArray,
        v: FloatArray,
        acting: StepForces,
        limited: list[BoolArray],
        times: Times,
    ) -> tuple[JointRows | None, list[tuple[int, int]]]:
        """The scalar rows, and where those of each limited element begin and end."""
        parts: list[JointRows] = []
        if self._limits is not None:
            at_limit = self._limits.at(q, v, free, times.reach)
            if at_limit is not None:
                parts.append(at_limit)
        if self._friction is not None:
            parts.append(self._friction.over(times.kick))
        places, count = [], sum(map(len, parts))
        for element, mask in zip(acting.limited, limited, strict=True):
            joints = np.flatnonzero(mask)
            if len(joints):
                parts.append(servo_rows(element, joints, v, times.kick, times.reach))
            places.append((count, count + len(joints)))
            count += len(joints)
        return JointRows.joined(parts), places

    def _beyond(
        self,
        acting: StepForces,
        limited: list[BoolArray],
        v: FloatArray,
        answer: Answer,
        reach: float,
    ) -> list[BoolArray]:
        """The velocities at which elements would exert more than they can."""
        out = []
        for element, mask in zip(acting.limited, limited, strict=True):
            over = np.zeros(len(v), dtype=bool)
            for then in (answer.moving, answer.after):
                over |= np.abs(_force(element, v, then, reach)) > element.effort
                if answer.moving is answer.after:
                    break
            out.append(over & ~mask)
        return out

    def _keep(
        self,
        acting: StepForces,
        limited: list[BoolArray],
        joints: JointRows | None,
        places: list[tuple[int, int]],
        answer: Answer,
        h: float,
    ) -> None:
        """Remember which elements are near their limits."""
        self._limited = []
        for element, mask, (first, last) in zip(acting.limited, limited, places, strict=True):
            kept = mask.copy()
            if joints is not None and last > first:
                near = np.abs(answer.scalars[first:last]) > KEPT * h * element.effort[mask]
                kept[mask] = near
            self._limited.append(kept)

    def _told(
        self,
        moment: Moment,
        bias: FloatArray,
        v: FloatArray,
        free: FloatArray,
        answer: Answer,
        contacts: Contacts | None,
        times: Times,
    ) -> Kick:
        """The kick, and what the next one is to guess of velocities."""
        part = times.before / (times.before + times.after)
        assert moment.one is not None
        whole, smooth = answer.after - v, free - v
        # an impact is in the middle of the step that follows, and not at the instant
        poses, held = moment.poses, self._held
        at = v + part * (smooth + self.drift.into(held, poses) if answer.landed else whole)
        self._held = np.zeros(len(v))
        if not answer.landed:
            self._held = self.drift.out_of(whole - smooth, poses)
        steady = np.abs(whole).sum() < np.abs(smooth).sum()
        self._change = whole if steady else smooth
        push = moment.one.mass @ whole + times.kick * bias
        work = -0.5 * float(push @ (v + answer.after))
        lifted = 0.0
        if answer.corrected:
            given = times.reach * float(bias @ (answer.moving - answer.after))
            taken = -0.5 * float(answer.push @ (v + answer.after))
            lifted = max(given - max(taken, 0.0), 0.0)
        count = 0 if contacts is None else len(contacts)
        impulses = np.zeros((count, 3))
        if contacts is not None and answer.acted:
            impulses = (answer.contacts[:, None, :] @ contacts.basis)[:, 0]
        return Kick(
            at,
            answer.after,
            answer.moving,
            work,
            part * work,
            contacts,
            impulses,
            answer,
            lifted,
        )


def _force(element: Limited, v: FloatArray, then: FloatArray, h: float) -> FloatArray:
    """f - D (v+ - v) - K h v+ (nv,)."""
    out: FloatArray = element.force - element.damping * (then - v) - h * element.stiffness * then
    return out
