"""Simulate a robot from its pose, and bake the motion to keyframes.

In three parts, so that a long run can be watched and stopped: `prepare_bake` reads all it needs
from the scene, `simulate_bake` works on plain values, `write_bake` finds the robot by name and
writes. `bake_robot` does all three.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Generator
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.arrays import FloatArray
from ...core.dynamics import Model, System
from ...core.dynamics.constraints import Constraint
from ...core.dynamics.constraints.assembly import WORTH_TELLING
from ...core.errors import SimulationError
from ...core.keyframes import JointKeys, KeyTable, joint_keys
from ...core.simulate import ConstraintWarning, Simulation
from ...core.trajectory import Trajectory
from ..errors import RigError
from .bake_checks import (
    check_editable,
    check_fits,
    check_values,
    start_warnings,
    warnings_of,
)
from .bake_result import BakeResult
from .bake_settings import UNIFORM, BakeSettings, gravity_in_armature, scale_of
from .joint_limits import unmute_limit
from .keyframes import clear_other_curves, write_keys
from .limit_muting import mute_left_limits
from .loops import loop_constraints, read_loops, world_end_warnings
from .matrices import from_blender
from .mimic_drivers import set_mimic_drivers
from .pose import get_configuration, settle_bone
from .rig_access import open_rig
from .untouched import all_or_nothing

Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class BakePlan:
    """A bake ready to be simulated: plain values and the robot's name, no Blender objects.

    gravity in model is that of the armature's own coordinates; q (nq,) is the pose to start at,
    which is the robot's at `frame` of the scene. The constraints are those of its loop joints;
    scale is how many metres of the scene one of the armature's own is.
    """

    object_name: str
    model: Model
    q: FloatArray
    settings: BakeSettings
    frame: float
    constraints: tuple[Constraint, ...] = ()
    scale: float = 1.0

    @property
    def system(self) -> System:
        """The model with its loops."""
        return System(self.model, constraints=self.constraints, reference=self.q)


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
    plan = prepare_bake(context, armature_object, settings)
    if trajectory is None:
        steps = simulate_bake(plan)
        while True:
            try:
                done = next(steps)
            except StopIteration as end:
                trajectory = end.value
                break
            if progress:
                progress(done)
    assert trajectory is not None
    return write_bake(context, plan, trajectory, started)


def prepare_bake(
    context: bpy.types.Context, armature_object: bpy.types.Object, settings: BakeSettings
) -> BakePlan:
    """Read from the scene what a bake needs; errors as `bake_robot`."""
    settings.times()
    check_editable(armature_object)
    rig = open_rig(armature_object)
    evaluated = armature_object.evaluated_get(context.evaluated_depsgraph_get())
    if not rig.channels:
        raise RigError(f"robot '{armature_object.name}' has no joint that moves: nothing to bake")
    gravity = np.array(settings.gravity, dtype=float)
    world_from_armature = from_blender(evaluated.matrix_world)
    model = rig.compile(gravity_in_armature(world_from_armature, gravity))
    return BakePlan(
        armature_object.name,
        model,
        get_configuration(rig, model),
        settings,
        context.scene.frame_current_final,
        loop_constraints(rig, model, read_loops(armature_object)),
        scale_of(world_from_armature),
    )


def simulate_bake(plan: BakePlan) -> Generator[float, None, Trajectory]:
    """Simulate, yielding the part that is done (0 to 1); the scene is not touched."""
    times = plan.settings.times()
    steps = Simulation(
        plan.system,
        times,
        plan.q,
        damping=plan.settings.damping,
        limits=plan.settings.use_limits,
    ).steps()
    start, length = float(times[0]), float(times[-1] - times[0])
    while True:
        try:
            with warnings.catch_warnings():
                # what is put together is told in the result
                warnings.simplefilter("ignore", ConstraintWarning)
                reached = next(steps)
        except StopIteration as finished:
            trajectory: Trajectory = finished.value
            return trajectory
        except SimulationError as error:
            if plan.constraints and abs(plan.scale - 1.0) > UNIFORM:
                raise SimulationError(
                    f"{error} (lengths are the robot's own, which is scaled by {plan.scale:.6g})"
                ) from error
            raise
        yield (reached - start) / length if length else 1.0


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
        tolerance=settings.tolerance,
        loop_tolerance=settings.loop_tolerance / plan.scale,
        system=_system_of(plan, trajectory),
    )
    check_values(table)
    with all_or_nothing(rig):
        for record in rig.table.bones:
            settle_bone(rig.pose_bones[record.id], record.kind)
            unmute_limit(rig.pose_bones[record.id])
        channels = write_keys(rig, table)
        cleared = clear_other_curves(rig, table)
        muted = mute_left_limits(rig, trajectory.model, _ranges(table))
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
            *warnings_of(rig, trajectory.model, table),
            *start_warnings(trajectory, plan.q),
            *world_end_warnings(obj, plan.constraints),
        ),
        seconds=time.perf_counter() - started,
        pose_frame=_other_frame(plan, trajectory),
        gaps=tuple(gap.scaled(plan.scale) for gap in table.gaps),
    )


def _system_of(plan: BakePlan, trajectory: Trajectory) -> System | None:
    """Whose loops count: the robot's, or those that a motion was simulated with (None)."""
    if trajectory.equations.system.constraints:
        return None
    return System(trajectory.model, constraints=plan.constraints)


def _other_frame(plan: BakePlan, trajectory: Trajectory) -> float | None:
    """The frame of the start pose, where a simulation did not start from the first frame's."""
    if trajectory.given or plan.frame == plan.settings.frame_start:
        return None
    # a motion from a file starts where the file says; loops may have moved the start
    moved = trajectory.equations.notice is not None
    near = np.abs(trajectory.q[0] - plan.q).max(initial=0.0) <= WORTH_TELLING
    return plan.frame if moved or near else None


def _ranges(table: KeyTable) -> dict[str, tuple[float, float]]:
    """The range of each joint with one coordinate."""
    return {
        keys.joint: value_range(keys, table.interpolation)
        for keys in table.keys
        if keys.values.shape[1] == 1
    }


def value_range(keys: JointKeys, interpolation: str) -> tuple[float, float]:
    """The least and the greatest value that the interpolant of a one-coordinate joint takes."""
    values = keys.values[:, 0]
    if interpolation == "LINEAR" or len(values) < 2:
        return float(values.min()), float(values.max())
    gaps = np.diff(keys.frames)
    y0, y1 = values[:-1], values[1:]
    m0, m1 = keys.slopes[:-1, 0] * gaps, keys.slopes_before[1:, 0] * gaps
    # y(s) = y0 + m0 s + b s^2 + a s^3 has its extremes where 3 a s^2 + 2 b s + m0 = 0
    a, b = 2.0 * (y0 - y1) + m0 + m1, 3.0 * (y1 - y0) - 2.0 * m0 - m1
    root = np.sqrt(np.maximum(b * b - 3.0 * a * m0, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        # both roots without cancellation: w / 3a and m0 / w
        w = -(b + np.copysign(root, b))
        places = np.nan_to_num(np.stack((w / (3.0 * a), m0 / w)), posinf=0.0, neginf=0.0)
    s = np.clip(places, 0.0, 1.0)
    inner = y0 + s * (m0 + s * (b + s * a))
    return float(min(values.min(), inner.min())), float(max(values.max(), inner.max()))
