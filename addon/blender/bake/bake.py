"""Simulate a robot from its pose, and bake the motion to keyframes.

In three parts, so that a long run can be watched and stopped: `prepare_bake` reads all it needs
from the scene, `simulate_bake` works on plain values, `write_bake` finds the robot by name and
writes. `bake_robot` does all three.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import bpy
import numpy as np

from ....core.dynamics import System
from ....core.dynamics.constraints.assembly import WORTH_TELLING
from ....core.dynamics.contact import Resting
from ....core.keyframes import joint_keys
from ....core.trajectory import Trajectory
from ...errors import RigError
from ...single_thread import single_thread
from ..contact.moving import carried_warnings
from ..contact.report import contact_warnings, told_contacts
from ..joint_limits import unmute_limit
from ..keyframes import clear_other_curves, write_keys
from ..limit_muting import mute_left_limits
from ..loops import world_end_warnings
from ..mimic_drivers import set_mimic_drivers
from ..pose import settle_rig
from ..rig_access import open_rig
from .checks import (
    check_editable,
    check_fits,
    check_values,
    start_warnings,
    warnings_of,
)
from .key_ranges import joint_ranges
from .plan import BakePlan, prepare_bake
from .result import BakeResult
from .run import simulate_bake
from .settings import BakeSettings
from .untouched import all_or_nothing

__all__ = ["BakePlan", "bake_robot", "prepare_bake", "simulate_bake", "write_bake"]

Progress = Callable[[float], None]


@single_thread()
def bake_robot(
    context: bpy.types.Context,
    armature_object: bpy.types.Object,
    settings: BakeSettings,
    trajectory: Trajectory | None = None,
    progress: Progress | None = None,
) -> BakeResult:
    """Simulate a robot and bake the motion; the scene's frame stays as it is.

    Args:
        context: whose scene the robot is in.
        armature_object: the robot.
        settings: how.
        trajectory: a motion of this robot to bake instead of a simulated one; it is baked from
            frame_start to its end, or to frame_end.
        progress: called with the part that is done, 0 to 1.

    Returns:
        What was baked.

    Raises:
        RigError: for an object that is no robot, a transform that it cannot have, and a loop joint
            that cannot be used.
        SimulationError: for a motion that cannot be continued, and for loops that cannot close,
            which it names, with their gaps.
    """
    started = time.perf_counter()
    plan = prepare_bake(context, armature_object, settings, simulated=trajectory is None)
    if trajectory is None:
        steps = simulate_bake(plan)
        while True:
            try:
                done = next(steps)
            except StopIteration as end:
                trajectory = end.value
                break
            if progress and not isinstance(done, str):
                progress(done)
    assert trajectory is not None
    return write_bake(context, plan, trajectory, started)


@single_thread()
def write_bake(
    context: bpy.types.Context, plan: BakePlan, trajectory: Trajectory, started: float
) -> BakeResult:
    """Write the keys of a motion to the robot of a plan: all of them, or nothing at all.

    Args:
        context: whose view layer is brought up to date.
        plan: as prepared.
        trajectory: the motion; its first time falls on frame_start.
        started: time.perf_counter() at the beginning, for the report.

    Raises:
        RigError: for a robot that is gone or was edited, and for a motion that does not fit it.
    """
    settings = plan.settings
    settings.check()
    obj = bpy.data.objects.get((plan.object_name, None))
    if obj is None:
        raise RigError(f"the robot '{plan.object_name}' is gone; nothing was baked")
    check_editable(obj)
    rig = open_rig(obj)
    check_fits(rig, trajectory.model)
    table = joint_keys(
        trajectory,
        settings.fps,
        settings.frame_start,
        settings.frame_end,
        interpolation=settings.interpolation,
        tolerance=plan.tolerance,
        loop_tolerance=settings.loop_tolerance / plan.scale,
        system=_system_of(plan, trajectory),
        keys_at_jumps=settings.contact.use_impact_keys,
    )
    check_values(table)
    with all_or_nothing(rig):
        settle_rig(rig)
        for record in rig.table.bones:
            unmute_limit(rig.pose_bones[record.id])
        channels = write_keys(rig, table)
        cleared = clear_other_curves(rig, table)
        stopped = {stop.joint for stop in plan.start.stops}
        muted = mute_left_limits(rig, trajectory.model, joint_ranges(table, stopped))
        set_mimic_drivers(rig, trajectory.model)
    context.view_layer.update()
    return BakeResult(
        trajectory=trajectory,
        frames=int(table.keys[0].frames[-1] - table.keys[0].frames[0]) + 1,
        keys=table.count,
        channels=channels,
        deviation=table.deviation,
        cleared=cleared,
        muted=muted,
        warnings=(
            *warnings_of(rig, trajectory.model, table, settings.tolerance),
            *plan.start.notes,
            *plan.contact.notes,
            *contact_warnings(trajectory, plan.scale),
            *start_warnings(trajectory, plan.start.q),
            *world_end_warnings(obj, plan.constraints),
            *(() if trajectory.given else carried_warnings(obj)),
        ),
        seconds=time.perf_counter() - started,
        pose_frame=_other_frame(plan, trajectory),
        gaps=tuple(gap.scaled(plan.scale) for gap in table.gaps),
        contact=told_contacts(trajectory, plan.scale),
    )


def _system_of(plan: BakePlan, trajectory: Trajectory) -> System | None:
    """Whose loops count: the robot's, or those that a motion was simulated with (None)."""
    simulated = trajectory.equations.system.constraints
    if any(not isinstance(own, Resting) for own in simulated):
        return None
    return System(trajectory.model, constraints=plan.constraints)


def _other_frame(plan: BakePlan, trajectory: Trajectory) -> float | None:
    """The frame of the start pose, where a simulation did not start from the first frame's."""
    if trajectory.given or plan.frame == plan.settings.frame_start:
        return None
    # a motion from a file starts where the file says; loops may have moved the start
    moved = trajectory.equations.notice is not None
    near = np.abs(trajectory.q[0] - plan.start.q).max(initial=0.0) <= WORTH_TELLING
    return plan.frame if moved or near else None
