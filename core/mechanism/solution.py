"""A motion of a mechanism: every variable of every component at any time."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats, frozen
from ..errors import ArgumentError, ModelError, TrajectoryError
from ..motion import Motion
from ..simulate import ConstraintWarning, run, simulate
from ..trajectory import Trajectory, load_trajectory
from ..trajectory.npz_content import read_content
from ..trajectory.whole_file import checked_path
from .compiled import Compiled
from .contacts.touch_forces import TouchForces
from .cut_joints import CutJoint
from .frame import Frame
from .mechanism import Mechanism
from .snapshot import Follow, Snapshot
from .windings import Windings

LISTED = 12  # names in a message, of many


@dataclass(frozen=True, eq=False)
class SolutionFrame:
    """A frame along a motion.

    path is its name, world_from_frame (…, 4, 4) its pose.
    """

    path: str
    world_from_frame: FloatArray
    _angle: FloatArray | None

    @property
    def phi(self) -> FloatArray:
        """The angle (…), rad, of a planar frame, with all its turns.

        Raises:
            ArgumentError: for a frame in space, whose orientation is no single angle.
        """
        if self._angle is None:
            raise ArgumentError(
                f"{self.path}: wanted a frame of a planar mechanism, got one in space"
            )
        return self._angle


@dataclass(frozen=True, eq=False, repr=False)
class MechanismSolution:
    """`sol(t, 'body.r')`: what `Mechanism.simulate` answers.

    Attributes:
        mechanism, compiled: what moved.
        trajectory: of the tree's model.
    """

    mechanism: Mechanism
    compiled: Compiled
    trajectory: Trajectory
    _last: dict[bytes, Snapshot] = field(default_factory=dict)

    def __call__(self, t: ArrayLike, name: str) -> FloatArray:
        """A variable at any times.

        Args:
            t: (…), s, within the simulated time.
            name: 'component.variable' or 'component.frame.variable'.

        Returns:
            (…), or (…, n) for vectors, (…, n, n) for matrices; in SI units.

        Raises:
            ArgumentError: for an unknown name, listing those that exist, and for times outside.
        """
        output = self.compiled.outputs.get(name) if isinstance(name, str) else None
        if output is None:
            raise ArgumentError(f"{self.mechanism.name}: {self._unknown(name)}")
        return np.array(output(self.at(t)))

    @property
    def names(self) -> tuple[str, ...]:
        """All variables."""
        return tuple(self.compiled.outputs)

    @property
    def times(self) -> FloatArray:
        """(n,), s: where the simulation was sampled."""
        return self.trajectory.times

    def at(self, t: ArrayLike) -> Snapshot:
        """The mechanism at times t (…), s; the last answer is kept.

        Raises:
            ArgumentError: for times outside the simulation.
        """
        when = as_floats(t, (), "t", ArgumentError)
        start, end = self.times[0], self.times[-1]
        if not ((when >= start) & (when <= end)).all():
            raise ArgumentError(
                f"{self.mechanism.name}: t: wanted times from {start:g} s to {end:g} s, got {t!r}"
            )
        key = when.tobytes() + str(when.shape).encode()
        if key not in self._last:
            q, v = self.compiled.system.held(when, *self.trajectory.sample(when))
            self._last.clear()
            self._last[key] = self._snapshot(when, q, v, self._windings.follow)
        return self._last[key]

    def save(self, path: Path | str) -> None:
        """Write the motion: .npz, which `Mechanism.load` reads back, or .csv, its samples.

        Raises:
            TrajectoryError: for another suffix, and for a file that cannot be written.
        """
        self.trajectory.save(path)

    def rotation(self, frame: Frame, t: ArrayLike) -> FloatArray:
        """world_from_frame_rot at times t (…): (…, 2, 2) of a planar frame, else (…, 3, 3)."""
        size = 2 if self.compiled.space == "planar" else 3
        return self.pose(frame, t)[..., :size, :size].copy()

    def translation(self, frame: Frame, t: ArrayLike) -> FloatArray:
        """The origin at times t (…): (…, 2) of a planar frame, else (…, 3), m."""
        size = 2 if self.compiled.space == "planar" else 3
        return self.pose(frame, t)[..., :size, 3].copy()

    def pose(self, frame: Frame, t: ArrayLike) -> FloatArray:
        """world_from_frame (…, 4, 4) at times t (…), s.

        Raises:
            ArgumentError: for anything but a frame of this mechanism, and times outside.
        """
        if not isinstance(frame, Frame):
            raise ArgumentError(
                f"{self.mechanism.name}: wanted a frame such as rod.frame_b, got {frame!r}"
            )
        return self.at(t).pose(frame)

    def frame(self, frame: Frame, t: ArrayLike) -> SolutionFrame:
        """A frame at times t (…), s, as `get_rot`, `ori` and `ori_2d` take it."""
        pose = frozen(self.pose(frame, t).copy())
        angle = self.at(t).angle(frame) if self.compiled.space == "planar" else None
        return SolutionFrame(frame.path, pose, angle)

    def __repr__(self) -> str:
        return (
            f"<MechanismSolution of {self.mechanism.name!r}: {len(self.names)} variables, "
            f"{self.times[0]:g} s to {self.times[-1]:g} s, by {self.trajectory.method}>"
        )

    def _snapshot(
        self, t: FloatArray, q: FloatArray, v: FloatArray, follow: Follow | None
    ) -> Snapshot:
        motion, told = self.trajectory.equations, self.trajectory.constraint
        if self._touching is None:
            return Snapshot(self.compiled, t, q, v, motion, told, follow)
        compiled, motion, touching = self._touching
        slopes = self.trajectory.accelerations
        return Snapshot(compiled, t, q, v, motion, told, follow, slopes, touching)

    @cached_property
    def _touching(self) -> tuple[Compiled, Motion, TouchForces] | None:
        """Mechanism and equations with the contact forces of time stepping, and these.

        None of a motion without.
        """
        touches, compiled = self.trajectory.touches, self.compiled
        if touches is None or not compiled.touching.names:
            return None
        frames = [compiled.places.frame(frame)[0] for frame in compiled.touching.frames]
        own = TouchForces(compiled.touching, np.array(frames, dtype=np.intp), touches)
        motion = self.trajectory.equations
        elements = (*compiled.system.frame_forces, own)
        system = replace(compiled.system, frame_forces=elements)
        options = motion.tau, motion.damping, motion.limits, motion.passive, motion.index
        return replace(compiled, system=system), Motion(system, *options), own

    @cached_property
    def _windings(self) -> Windings:
        """The whole turns of cut joints."""

        def raw(joint: CutJoint, t: FloatArray) -> tuple[FloatArray, FloatArray]:
            q, v = self.compiled.system.held(t, *self.trajectory.sample(t))
            at = self._snapshot(t, q, v, None)
            return joint.coordinates(at), joint.velocities(at)

        return Windings(self.trajectory.dense.knots, raw)

    def _unknown(self, name: object) -> str:
        if not isinstance(name, str):
            return f"wanted the name of a variable, such as {self.names[0]!r}, got {name!r}"
        owner = name.split(".")[0]
        own = [key for key in self.names if key.startswith(owner + ".")]
        if not own:
            near = get_close_matches(owner, self.mechanism.components, 1)
            hint = f" (did you mean '{near[0]}'?)" if near else ""
            return (
                f"no component '{owner}'{hint}; there are: {', '.join(self.mechanism.components)}"
            )
        if len(own) > LISTED:
            rest = name[len(owner) + 1 :]
            shown = get_close_matches(name, own, LISTED, 0.0) if rest else own[:LISTED]
            more = f", … ({len(own)} in all, see `names`)"
        else:
            shown, more = own, ""
        return f"no variable '{name}'; of '{owner}' there are: {', '.join(shown)}{more}"


def solve(
    mechanism: Mechanism, compiled: Compiled, times: ArrayLike, options: Mapping[str, Any]
) -> MechanismSolution:
    """Simulate a compiled mechanism; see `Mechanism.simulate`."""
    if compiled.model.nv == 0:
        raise ModelError(f"{mechanism.name}: nothing can move; connect a body by a joint")
    if compiled.failure is not None:
        raise compiled.failure
    if compiled.only_stepped is not None:
        raise ArgumentError(f"{mechanism.name}: {compiled.only_stepped}")
    unknown = sorted(set(options) & {"model", "q", "v", "tau"})
    if unknown:
        raise ArgumentError(
            f"{mechanism.name}: simulate: {', '.join(unknown)}: give initial values to components, "
            "and forces by components"
        )
    try:
        signature(simulate).bind(compiled.system, times, compiled.q, compiled.v, **options)
    except TypeError as reason:
        raise ArgumentError(f"{mechanism.name}: simulate: {reason}") from None
    simulation = simulate(compiled.system, times, compiled.q, compiled.v, **options)
    if compiled.notice is not None:
        told = f"{mechanism.name}: {compiled.notice}"
        warnings.warn(told, ConstraintWarning, stacklevel=3)
    return MechanismSolution(mechanism, compiled, run(simulation))


def method_of(path: Path | str) -> str:
    """The schemes that made the motion of a file; 'table' of one that holds samples alone.

    Raises:
        TrajectoryError: as `load_trajectory`.
    """
    file = checked_path(path)
    return read_content(file).text("method") if file.suffix.lower() == ".npz" else "table"


def load(mechanism: Mechanism, compiled: Compiled, path: Path | str) -> MechanismSolution:
    """Read a solution; see `Mechanism.load`."""
    trajectory = load_trajectory(path, compiled.system)
    if trajectory.given:
        raise TrajectoryError(
            f"{path}: holds a motion whose forces are not those of the mechanism "
            f"'{mechanism.name}' as it is now; wanted a .npz file that a solution of it has saved"
        )
    return MechanismSolution(mechanism, compiled, trajectory)
