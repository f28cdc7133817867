"""The answer: a motion, at the sampled times and at any time between."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats, frozen
from ..dynamics import (
    Model,
    System,
    inverse_dynamics,
    link_accelerations,
    link_poses,
    link_velocities,
)
from ..dynamics.constraints.outputs import ConstraintOutput
from ..errors import TrajectoryError
from ..integrate import DenseOutput
from ..integrate.slopes import slope
from ..motion import Motion
from ..phased_motion import Side, parts_of
from .constraint_outputs import Acting, acting_over_time, constraint_over_time
from .forces import (
    Energies,
    JointForces,
    energies,
    needed_forces,
    simulated_forces,
)
from .frame import LinkFrame
from .impact import Impact
from .jump import Jump
from .table import table_of
from .touches import Touches

STILL = 1e-9  # rad or m
BLOCK = 2000  # samples of a simulation that are evaluated in one call: bounds the memory


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """A motion of a model.

    What is asked for at times t (…) is answered in one batch, whatever their number; only tau and
    prescribed motions, which are functions of one time, are called for each. Outside the motion
    everything is as at the nearest end. Where it jumps, everything is as behind the jump, and as
    before it where side='left' is asked for.

    Attributes:
        model: whose motion.
        times: (n,), s.
        q, v, a: (n, nq), (n, nv), (n, nv) at those times, rad, m and their rates.
        method: the schemes that made it, or 'table'.
        dense: the motion as a piecewise polynomial in y = (q, v, …), of the scheme's own degree.
        equations: what acts. Of a motion that was given: force elements and passive forces.
        given: whether the motion was given and not simulated. Its accelerations are the slopes of
            v, and so are those of time stepping; else they are those of the equations of motion.
        energy: (n,), kinetic plus potential, J; None where the motion was given.
        work: (n,), what all forces but gravity have taken out since the start, J; None as above.
        steps, evaluations: the scheme's work.
        remarks: what is to be known of how it was made: when and why it was found to be stiff, and
            which constraints were switched.
        jumps: the instants at which velocities or accelerations jump, in order of time.
        impacts: those of contacts, in order of time.
        touches: contacts with friction, of a motion by time stepping; None of others.
    """

    model: Model
    times: FloatArray
    q: FloatArray
    v: FloatArray
    a: FloatArray
    method: str
    dense: DenseOutput
    equations: Motion
    given: bool = False
    energy: FloatArray | None = None
    work: FloatArray | None = None
    steps: int = 0
    evaluations: int = 0
    remarks: tuple[str, ...] = ()
    jumps: tuple[Jump, ...] = ()
    impacts: tuple[Impact, ...] = ()
    touches: Touches | None = None
    _acting: dict[tuple[bytes, tuple[int, ...], Side], list[Acting]] = field(
        default_factory=dict, init=False, repr=False
    )

    @classmethod
    def from_simulation(
        cls,
        motion: Motion,
        times: FloatArray,
        dense: DenseOutput,
        method: str,
        evaluations: int,
        remarks: tuple[str, ...] = (),
        jumps: tuple[Jump, ...] = (),
        impacts: tuple[Impact, ...] = (),
        touches: Touches | None = None,
    ) -> Trajectory:
        """Of the dense output of a scheme, sampled at the output times."""
        y = dense(times)
        q, v, work = (frozen(part.copy()) for part in motion.unpack(y))
        blocks = [slice(first, first + BLOCK) for first in range(0, len(times), BLOCK)]
        if touches is None:
            a = np.concatenate([_accelerations(motion, times[own], y[own]) for own in blocks])
        else:
            a = _slopes_of_v(motion, dense, times)
        energy = np.concatenate([motion.energy(q[own], v[own]) for own in blocks])
        return cls(
            model=motion.model,
            times=frozen(times.copy()),
            q=q,
            v=v,
            a=frozen(a),
            method=method,
            remarks=remarks,
            jumps=jumps,
            impacts=impacts,
            touches=touches,
            dense=dense,
            equations=motion,
            energy=frozen(energy),
            work=work,
            steps=len(dense.powers),
            evaluations=evaluations,
        )

    @classmethod
    def from_table(
        cls,
        model: Model | System,
        times: ArrayLike,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
    ) -> Trajectory:
        """Of states at given times: see `trajectory_table` for what is between them.

        Quaternions are made unit, with continuous sign; Euler angles are unwrapped.

        Args:
            model: whose states, or a System, whose force elements then count in `joint_forces`.
            times: (n,), s, increasing, at least two.
            q: (n, nq).
            v: (n, nv), if known: joints follow cubics then and not straight lines; columns of nan
                for joints whose velocities are not known.
            a: (n, nv), if known beside v: joints follow quintics; nan likewise.

        Raises:
            TrajectoryError: for states that do not fit the model or each other.
        """
        system = model if isinstance(model, System) else System(model)
        states = _checked_table(system.model, times, q, v, a)
        table = table_of(system.model, *states)
        motion = Motion(system, None, damping=0.0, limits=False, passive=True)
        return cls(
            model=system.model,
            times=frozen(table.times.copy()),
            q=frozen(table.q),
            v=frozen(table.v),
            a=frozen(_slopes_of_v(motion, table.dense, table.times)),
            method="table",
            dense=table.dense,
            equations=motion,
            given=True,
        )

    def __repr__(self) -> str:
        start, end = self.times[0], self.times[-1]
        return (
            f"<Trajectory of {self.model.name!r}: {len(self.times)} times from {start:g} s to "
            f"{end:g} s, by {self.method}>"
        )

    @property
    def energy_drift(self) -> float | None:
        """max |E + work - (E + work at the start)|, J; None where the motion was given."""
        if self.energy is None or self.work is None:
            return None
        total = self.energy + self.work
        return float(np.abs(total - total[0]).max())

    @property
    def is_still(self) -> bool:
        """Whether nothing moves: all coordinates stay within STILL of where they start."""
        return bool(np.abs(self.q - self.q[0]).max(initial=0.0) < STILL)

    def sample(self, t: ArrayLike, side: Side = "right") -> tuple[FloatArray, FloatArray]:
        """q (…, nq) and v (…, nv) at any times t (…), s; side counts where the motion jumps."""
        y = self._state(t, side)
        return y[..., : self.model.nq], y[..., self.model.nq : self.model.nq + self.model.nv]

    def accelerations(self, t: ArrayLike, side: Side = "right") -> FloatArray:
        """a (…, nv) at any times t (…), s, rad/s^2 and m/s^2; side as for `sample`."""
        when = self._inside(t)
        if self.given or self.touches is not None:
            return _slopes_of_v(self.equations, self.dense, when)
        y = self._state(when, side)
        out = np.empty((*when.shape, self.model.nv))
        for motion, where in parts_of(self.equations, when, side):
            out[where] = _accelerations(motion, when[where], y[where])
        return out

    def joint_forces(self, t: ArrayLike) -> JointForces:
        """What acts on the joints at times t (…), s, by its cause."""
        when = self._inside(t)
        q, v = self.sample(when)
        if self.given:
            return needed_forces(self.equations, when, q, v, self.accelerations(when))
        return simulated_forces(self.equations, when, q, v, self.touches)

    def constraint(self, name: str, t: ArrayLike, side: Side = "right") -> ConstraintOutput:
        """What a constraint tells at times t (…), s: its equation, force and displacement.

        Its force is 0 while it does not act; that of a motion that was given is not known, and told
        as nan. What a `Hold` tells is nan before it first holds. side is as for `sample`.

        Raises:
            ModelError: for an unknown constraint, listing those that exist.
        """
        when = self._inside(t)
        # what acts at the last times is kept for further constraints
        key = (when.tobytes(), when.shape, side)
        if key not in self._acting:
            parts = parts_of(self.equations, when, side)
            state = self.sample(when, side)
            self._acting.clear()
            self._acting[key] = acting_over_time(parts, when, *state, self.given, self.touches)
        return constraint_over_time(self._acting[key], name, when.shape)

    def inverse_dynamics(self, t: ArrayLike) -> FloatArray:
        """M(q) a + b(q, v) (…, nv) at times t (…), s: the joint forces that make this motion."""
        return inverse_dynamics(self.model, *self.sample(t), self.accelerations(t))

    def energies(self, t: ArrayLike) -> Energies:
        """Kinetic, potential and stored in springs, J, at times t (…), s."""
        when = self._inside(t)
        return energies(self.equations, when, *self.sample(when))

    def link_poses(self, t: ArrayLike) -> FloatArray:
        """world_from_link (…, n_links, 4, 4) at times t (…), s, in the order of link_names."""
        return link_poses(self.model, self.sample(t)[0])

    def link_velocities(self, t: ArrayLike) -> FloatArray:
        """Of the links' origins in world axes (…, n_links, 6), angular first, at times t (…), s."""
        return link_velocities(self.model, *self.sample(t))

    def link_accelerations(self, t: ArrayLike) -> FloatArray:
        """Of the links' origins in world axes (…, n_links, 6), angular first, at times t (…), s."""
        return link_accelerations(self.model, *self.sample(t), self.accelerations(t))

    def frame(self, link: str, t: ArrayLike) -> LinkFrame:
        """The frame of one link at times t (…), s: `get_rot(motion.frame("tip", 1.0))`.

        Raises:
            TrajectoryError: for an unknown link, listing those that exist.
        """
        names = self.model.link_names
        if link not in names:
            raise TrajectoryError(
                f"{self.model.name}: no link '{link}'; there are: {', '.join(names)}"
            )
        pose = self.link_poses(t)[..., names.index(link), :, :].copy()
        return LinkFrame(link, frozen(pose))

    def save(self, path: Path | str) -> None:
        """Write a file that `load_trajectory` reads: .npz, all of it, or .csv, its samples.

        Raises:
            TrajectoryError: for another suffix, and for joints that a table cannot tell apart.
        """
        from .files import save_trajectory  # which reads motions too

        save_trajectory(self, path)

    def _state(self, t: ArrayLike, side: Side) -> FloatArray:
        """y (…, n) at times t (…), at jumps on the side that is asked for."""
        if side not in ("left", "right"):
            raise TrajectoryError(f"side: wanted 'left' or 'right', got {side!r}")
        y = self.dense(t)
        if side == "left":
            when = np.asarray(t, dtype=np.float64)
            nq, nv = self.model.nq, self.model.nv
            for jump in self.jumps:
                here = when == jump.time
                y[here, :nq], y[here, nq : nq + nv] = jump.q_left, jump.v_left
        return y

    def _inside(self, t: ArrayLike) -> FloatArray:
        """The times of the motion that are nearest to t (…)."""
        knots = self.dense.knots
        return np.clip(np.asarray(t, dtype=np.float64), knots[0], knots[-1])


def _accelerations(motion: Motion, t: FloatArray, y: FloatArray) -> FloatArray:
    """a (…, nv) by the equations of motion."""
    return motion.derivative(t, y)[..., motion.nq : motion.nq + motion.nv].copy()


def _slopes_of_v(motion: Motion, dense: DenseOutput, t: FloatArray) -> FloatArray:
    """a (…, nv) as the slopes of v."""
    return slope(dense, t)[..., motion.nq : motion.nq + motion.nv].copy()


def _checked_table(
    model: Model, times: ArrayLike, q: ArrayLike, v: ArrayLike | None, a: ArrayLike | None
) -> tuple[FloatArray, FloatArray, FloatArray | None, FloatArray | None]:
    """times (n,), q (n, nq), v and a (n, nv) as arrays that fit each other."""
    when = as_floats(times, (), "times", TrajectoryError)
    states = as_floats(q, (model.nq,), "q", TrajectoryError)
    if when.ndim != 1 or states.shape != (len(when), model.nq) or len(when) < 2:
        raise TrajectoryError(
            f"wanted at least two times (n,) and q (n, {model.nq}); "
            f"got {when.shape} and {states.shape}"
        )
    if not (np.isfinite(when).all() and (np.diff(when) > 0.0).all()):
        raise TrajectoryError("times must be finite and increasing")
    if not np.isfinite(states).all():
        raise TrajectoryError("joint values must be finite")
    count = len(when)
    return when, states, _checked_rates(model, count, "v", v), _checked_rates(model, count, "a", a)


def _checked_rates(
    model: Model, count: int, name: str, rates: ArrayLike | None
) -> FloatArray | None:
    """v or a (count, nv) as an array, where it is given."""
    if rates is None:
        return None
    values = as_floats(rates, (model.nv,), name, TrajectoryError)
    if values.shape != (count, model.nv):
        raise TrajectoryError(f"wanted {name} of shape {(count, model.nv)}, got {values.shape}")
    return values
