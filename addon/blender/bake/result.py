"""What a bake has done, and how it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....core.dynamics import System
from ....core.dynamics.contact import ContactSystem, JointLimit, Resting
from ....core.dynamics.friction import CollisionSystem
from ....core.dynamics.kinematics import coordinates
from ....core.loop_gap import LoopGap
from ....core.trajectory import Trajectory
from ...messages import one_line

STILL = "the robot does not move: it is balanced where it starts, choose another pose"
RESTS = "the robot does not move: it rests where it starts"
STOPPED = "the robot does not move: the limits of its joints leave it no motion"
HELD = (
    "the robot does not move: its loops leave it no motion; the axes of a loop in a plane must be "
    "parallel to 1e-4 rad"
)
AT_LIMIT = 1e-6  # rad or m: what Blender's digits, and steps of time, leave
MOST_NOTES, FIRST_NOTES = 5, 3  # a handful is told whole, of more the first
MOST_NAMES = 12  # of joints in one line
MOST_LOOPS = 3  # that are told one by one where all of them stay closed


@dataclass(frozen=True)
class BakeResult:
    """What was baked.

    Attributes:
        trajectory: the motion itself.
        frames: whole frames covered; keys: over all channels; channels: F-curves written.
        deviation: largest distance of the motion between keys from the simulation, rad or m.
        cleared: joints whose bones had other keys of location, rotation or scale: they are gone.
        muted: joints whose limit constraint was switched off because the motion leaves it.
        warnings: what makes Blender show another motion: drivers, constraints, too few digits.
        seconds: of simulation and writing.
        pose_frame: the frame whose pose the simulation started from, where that is another than
            the first one baked.
        gaps: how far each loop opens between keys, in metres of the scene.
        contact: what the contacts of a simulation did, a line for each thing to tell.
    """

    trajectory: Trajectory
    frames: int
    keys: int
    channels: int
    deviation: float
    cleared: tuple[str, ...]
    muted: tuple[str, ...]
    warnings: tuple[str, ...]
    seconds: float
    pose_frame: float | None = None
    gaps: tuple[LoopGap, ...] = ()
    contact: tuple[str, ...] = ()

    @property
    def is_flawless(self) -> bool:
        """Whether there is nothing that the user must be warned of."""
        met = all(gap.is_met for gap in self.gaps)
        return met and not (self.cleared or self.muted or self.warnings)

    @property
    def untold(self) -> tuple[str, ...]:
        """The warnings that the summary has no room for."""
        return self.warnings[FIRST_NOTES:] if len(self.warnings) > MOST_NOTES else ()

    def summary(self) -> str:
        """One line for the user; of many warnings it has the first."""
        text = (
            f"{self.keys} keys in {self.channels} channels over {self.frames} frames, at most "
            f"{self.deviation:.2g} rad or m from the motion between keys, in {self.seconds:.2f} s"
        )
        if self.pose_frame is not None:
            text += f"; started from the pose at frame {self.pose_frame:g}"
        text += "".join(f"; {reason}" for reason in told_stillness(self.trajectory))
        if self.cleared:
            text += f"; keys on other channels of the bones removed: {_named(self.cleared)}"
        if self.muted:
            text += f"; limits muted, the motion leaves them: {_named(self.muted)}"
        count = len(self.untold)
        notes = self.warnings[: len(self.warnings) - count]
        told = [text, *self.contact, *told_gaps(self.gaps), *notes]
        told += [f"and {count} more notes in the Info log"] if count else []
        return one_line("; ".join(told))


def _named(joints: Sequence[str]) -> str:
    """Joints in one line, the first of a long list."""
    rest = len(joints) - MOST_NAMES
    shown = ", ".join(joints[:MOST_NAMES])
    return f"{shown} and {rest} more" if rest > 0 else shown


def told_stillness(trajectory: Trajectory) -> list[str]:
    """Why a motion that was simulated goes nowhere; nothing where it moves."""
    if not trajectory.is_still:
        return []
    model, system = trajectory.model, trajectory.equations.system
    loops = tuple(own for own in system.constraints if not isinstance(own, Resting))
    if loops and not _free(trajectory, System(model, constraints=loops)):
        return [HELD]
    stops = _stopping(system)
    x = coordinates(model, trajectory.q[0])
    at_lower, at_upper = x <= model.lower + AT_LIMIT, x >= model.upper - AT_LIMIT
    stopped = np.array([model.dof_joint[int(dof)] in stops for dof in model.scalar_dof], dtype=bool)
    if len(stopped) == model.nv and (at_lower & at_upper & stopped).all():
        return [STOPPED]
    touching = trajectory.touches is not None and len(trajectory.touches) > 0
    if isinstance(system, ContactSystem):
        touching = bool((system.gaps.at(trajectory.q[0]).gap <= AT_LIMIT).any())
    at_limit = ((at_lower | at_upper) & stopped).any()
    return [RESTS if touching or at_limit else STILL]


def _free(trajectory: Trajectory, loops: System) -> int:
    """How many motions loops leave a robot at its start."""
    assert loops.rows is not None
    start = loops.moment(trajectory.times[0], trajectory.q[0], trajectory.v[0])
    return trajectory.model.nv - loops.rows.independent(start).shape[1]


def _stopping(system: System) -> set[str]:
    """The joints that stop at their limits."""
    if isinstance(system, CollisionSystem):
        return {own.joint for own in system.joint_stops}
    if isinstance(system, ContactSystem):
        return {own.joint for own in system.contacts if isinstance(own, JointLimit)}
    return set()


def told_gaps(gaps: Sequence[LoopGap]) -> list[str]:
    """A line for each loop; where there are many, for those that stay open, and for the worst."""
    open_ones = [gap for gap in gaps if not gap.is_met]
    closed = sorted((gap for gap in gaps if gap.is_met), key=lambda gap: -gap.opening)
    lines = [gap.told() for gap in open_ones]
    if len(closed) <= MOST_LOOPS:
        return lines + [gap.told() for gap in closed]
    return [*lines, f"{closed[0].told()}, and {len(closed) - 1} others less"]
