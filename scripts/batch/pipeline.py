"""From a robot file to the products, step by step."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace

import bpy
import numpy as np
from dynarig.addon.blender.bake.bake import BakePlan, prepare_bake, simulate_bake, write_bake
from dynarig.addon.blender.bake.result import BakeResult, told_gaps, told_stillness
from dynarig.addon.blender.contact.report import told_rests
from dynarig.addon.blender.film.look import check_renderer, set_look
from dynarig.addon.blender.film.movie import (
    render_film,
    set_clock,
    set_film,
    stop_shadow_leaks,
)
from dynarig.addon.blender.film.studio import build_studio, show_through_camera
from dynarig.addon.blender.film.sweep import Sweep, sweep_of
from dynarig.addon.blender.importing.importer import ImportResult, import_robot
from dynarig.addon.blender.loops import loop_constraints, read_loops
from dynarig.addon.blender.rig_access import open_rig
from dynarig.addon.errors import RigError
from dynarig.addon.single_thread import single_thread
from dynarig.core.simulate import run as run_simulation
from dynarig.core.trajectory import Trajectory, table_columns, write_csv, write_npz

from .collision_look import show_bare_collisions
from .contact_figures import contact_figures
from .contact_options import FLOOR
from .contact_sheet import render_sheet
from .figures import Figures, broken_promise, difference_at_frames, difference_between
from .ground import Ground, load_ground
from .loop_file import GivenLoop, add_loops, read_loop_file
from .motion import closed_start, start_pose, table_motion
from .options import DURATION, Options
from .outputs import OutputError, check_inputs, check_outputs, naming
from .settings import FRAME_START, bake_settings, import_options, in_these_words
from .start_height import dropped
from .surface_file import put_on_bones, read_surface_file

BELOW_GROUND = 0.002  # of the reach: how far the floor is below ground that is seen


def run(options: Options, figures: Figures) -> None:
    """Import, move, bake, check, show, write.

    Raises:
        DynarigError: for all that a user can put right, before the long work where possible.
    """
    check_inputs(options)
    check_outputs(options)
    loops = read_loop_file(options.loops) if options.loops else ()
    own = options.contact.surfaces
    surfaces = read_surface_file(own) if own else None
    if options.render or options.sheet:
        check_renderer()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    context = bpy.context
    robot = import_file(context, options, figures)
    if surfaces is not None:
        put_on_bones(open_rig(robot.object), surfaces)
    ground = load_ground(context, options.contact.ground_files)
    figures.note(ground.notes)
    baked = bake(context, robot, loops, ground, options, figures)
    frames = range(FRAME_START, FRAME_START + baked.frames)
    check_poses(context, robot, baked.trajectory, frames, options, figures)
    if options.csv:
        with naming("csv", options.csv):
            write_csv(at_frames(baked.trajectory, frames, options.fps), options.csv)
    if options.npz:
        with naming("npz", options.npz):
            write_npz(baked.trajectory, options.npz)
    sweep = set_scene(context, robot, ground, frames, options)
    if options.out:
        save(options)
    render(context, robot, sweep, frames, options, figures)
    if options.report:
        with naming("report", options.report):
            options.report.write_text(json.dumps(figures.report, indent=2) + "\n", encoding="utf-8")
    figures.written(options.products().values())


def import_file(context: bpy.types.Context, options: Options, figures: Figures) -> ImportResult:
    """The robot into the empty scene."""
    start = time.perf_counter()
    robot = import_robot(context, options.robot, import_options(options))
    show_bare_collisions(robot)
    seconds = time.perf_counter() - start
    figures.title(robot.name or options.robot.stem)
    figures.add(links=robot.links, joints=robot.joints, bones=robot.bones, meshes=robot.meshes)
    figures.note(robot.warnings)
    figures.add(seconds_import=seconds)
    return robot


@single_thread()
def bake(
    context: bpy.types.Context,
    robot: ImportResult,
    loops: Sequence[GivenLoop],
    ground: Ground,
    options: Options,
    figures: Figures,
) -> BakeResult:
    """A motion, simulated or from a table, onto the robot."""
    assert context.scene is not None
    set_clock(context.scene, options.fps, FRAME_START)
    duration = DURATION if options.duration is None else options.duration
    settings = bake_settings(options, ground, duration)
    try:
        plan = prepare_bake(context, robot.object, settings, simulated=options.trajectory is None)
    except RigError as error:
        raise in_these_words(error) from error
    if options.csv:
        table_columns(plan.model)  # refuses joint names that no table can have, before the work
    trajectory = None
    if options.trajectory:
        trajectory = table_motion(plan.model, options.trajectory, options.fps, options.duration)
        if options.duration is None:
            duration = float(trajectory.times[-1] - trajectory.times[0])
            plan = replace(plan, settings=bake_settings(options, ground, duration))
        q = trajectory.q[0]
    else:
        q = start_pose(plan.model, options.pose, options.limits)
    plan = with_loops(replace(plan, q=q), robot, loops, figures)
    if trajectory is None:
        q, notes = closed_start(plan.system, q, options.pose)
        figures.note(notes)
        plan = replace(plan, q=q)
        if options.contact.drop is not None:
            plan = replace(plan, q=dropped(plan, options.contact.drop))
        trajectory = simulated(plan, figures)
    if trajectory.energy_drift is not None and trajectory.work is not None:
        figures.add(energy_drift=trajectory.energy_drift, dissipated=float(trajectory.work[-1]))
    return write(context, plan, trajectory, figures)


def simulated(plan: BakePlan, figures: Figures) -> Trajectory:
    """The motion of a plan, and how it went."""
    start = time.perf_counter()
    trajectory = run_simulation(simulate_bake(plan))
    seconds = time.perf_counter() - start
    figures.add(**contact_figures(trajectory))
    figures.note(told_rests(trajectory))
    length = float(trajectory.times[-1] - trajectory.times[0])
    figures.add(seconds_simulation=seconds, real_time_factor=length / seconds)
    return trajectory


def with_loops(
    plan: BakePlan, robot: ImportResult, loops: Sequence[GivenLoop], figures: Figures
) -> BakePlan:
    """A plan whose robot has loop joints, at the pose that it starts from."""
    if not loops:
        return plan
    rig = open_rig(robot.object)
    figures.note(add_loops(rig, plan.model, plan.q, loops))
    constraints = loop_constraints(rig, plan.model, read_loops(robot.object))
    return replace(plan, constraints=constraints)


def write(
    context: bpy.types.Context, plan: BakePlan, trajectory: Trajectory, figures: Figures
) -> BakeResult:
    """The keys of a motion."""
    start = time.perf_counter()
    context.scene.frame_end = plan.settings.frame_end
    baked = write_bake(context, plan, trajectory, start)
    figures.add(frames=baked.frames, keys=baked.keys, deviation=baked.deviation)
    figures.note(told_stillness(trajectory))
    if baked.muted:
        names = ", ".join(baked.muted)
        figures.note([f"the motion leaves these limits, their constraints are muted: {names}"])
    if baked.gaps:
        figures.add(loop_gap=max(gap.opening for gap in baked.gaps))
    figures.note(told_gaps(baked.gaps))
    figures.note(baked.warnings)
    figures.add(seconds_bake=time.perf_counter() - start)
    return baked


def check_poses(
    context: bpy.types.Context,
    robot: ImportResult,
    trajectory: Trajectory,
    frames: range,
    options: Options,
    figures: Figures,
) -> None:
    """How far the links in Blender are from where the core has them."""
    difference = difference_at_frames(context, robot.object, trajectory, frames, options.fps)
    figures.add(
        pose_difference=difference,
        pose_difference_between=difference_between(context, robot.object, trajectory.model, frames),
    )
    remark = broken_promise(difference, trajectory)
    figures.note([remark] if remark else [])


def at_frames(trajectory: Trajectory, frames: range, fps: float) -> Trajectory:
    """The motion as a table with one row for each frame; the first is at 0 s."""
    times = np.arange(len(frames)) / fps
    when = trajectory.times[0] + times
    q, v = trajectory.sample(when)
    return Trajectory.from_table(trajectory.model, times, q, v, trajectory.accelerations(when))


def set_scene(
    context: bpy.types.Context,
    robot: ImportResult,
    ground: Ground,
    frames: range,
    options: Options,
) -> Sweep:
    """Studio, look and views, as the saved scene and all pictures have them."""
    sweep = sweep_of(context, list(robot.collection.all_objects), frames)
    # the floor is where the robot stands, or below ground that is seen itself
    height = 0.0 if options.contact.ground == (FLOOR,) else None
    if ground.objects:
        height = min(0.0, ground.lowest, sweep.lowest) - BELOW_GROUND * sweep.reach
    held = not options.floating_base
    build_studio(context, sweep, options.size, held, floor_height=height)
    set_look(context.scene, options.size)
    film = options.render or options.out or options.robot
    set_film(context.scene, f"{film.stem}.mp4")
    show_through_camera(bpy.data.screens)
    return sweep


def save(options: Options) -> None:
    """The scene as a .blend file, without a backup of the one it replaces."""
    assert options.out is not None
    bpy.context.preferences.filepaths.save_version = 0
    try:
        bpy.ops.wm.save_as_mainfile(
            filepath=str(options.out.absolute()), compress=True, check_existing=False
        )
    except RuntimeError as error:
        raise OutputError(f"--out {options.out}: {' '.join(str(error).split())}") from error


def render(
    context: bpy.types.Context,
    robot: ImportResult,
    sweep: Sweep,
    frames: range,
    options: Options,
    figures: Figures,
) -> None:
    """Film and contact sheet, where they are asked for."""
    if not (options.render or options.sheet):
        return
    start = time.perf_counter()
    figures.say(f"  rendering {len(frames)} frames …")
    stop_shadow_leaks(robot.collection.all_objects)
    if options.render:
        with naming("render", options.render):
            render_film(context.scene, options.render)
    if options.sheet:
        with naming("sheet", options.sheet):
            render_sheet(context.scene, options.sheet, sweep.seen(), options.fps, frames)
    figures.add(seconds_render=time.perf_counter() - start)
