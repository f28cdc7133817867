"""Closed loops stay closed in Blender's evaluated scene, between keys too, and gaps are told."""

import bpy
import mathutils
import numpy as np
import pytest
from dynarig.addon import compat
from dynarig.addon.blender.bake.bake import bake_robot, prepare_bake
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.loops import add_loop, update_loop
from dynarig.addon.blender.pose import evaluated_link_poses, set_joint_values
from dynarig.addon.blender.rig_access import open_rig
from dynarig.addon.errors import RigError
from dynarig.core.dynamics import System, constraints
from dynarig.core.errors import SimulationError
from dynarig.core.simulate import run, simulate
from dynarig.core.trajectory import Trajectory

from ..test_panels import drawn

START, END, FPS = 3, 15, 24.0
TOLERANCE = 1e-4  # m of the scene
GROUND, CRANK, COUPLER, ROCKER = 0.3, 0.1, 0.3, 0.25
HEAVY = (0.0, 0.0, -40.0)  # so that it becomes fast in half a second


def rod(name, length, parent, joint, at):
    """A rod along x with its hinge about y, so that it swings in the x-z plane."""
    return (
        f'<link name="{name}"><inertial><origin xyz="{length / 2} 0 0"/><mass value="1"/><inertia '
        f'ixx="1e-4" iyy="{length**2 / 12}" izz="{length**2 / 12}" ixy="0" ixz="0" iyz="0"/>'
        f'</inertial></link><joint name="{joint}" type="continuous"><parent link="{parent}"/>'
        f'<child link="{name}"/><origin xyz="{at} 0 0"/><axis xyz="0 -1 0"/></joint>'
    )


FOUR_BAR = (
    '<link name="base"/>'
    + rod("rod0", CRANK, "base", "crank", 0.0)
    + rod("rod1", COUPLER, "rod0", "coupler", CRANK)
    + rod("rod2", ROCKER, "rod1", "rocker", COUPLER)
)


def closed():
    """Joint values at which the four-bar is closed, by the law of cosines."""
    tip = CRANK * np.exp(1j)
    away = GROUND - tip
    cosine = (COUPLER**2 + abs(away) ** 2 - ROCKER**2) / (2 * COUPLER * abs(away))
    second = np.angle(away) + np.arccos(cosine)
    third = np.angle(GROUND - tip - COUPLER * np.exp(1j * second))
    return {"crank": 1.0, "coupler": second - 1.0, "rocker": third - second}


@pytest.fixture
def robot(lab):
    """A four-bar, closed, with a hinge between its last rod and the base."""
    return four_bar(lab)


def four_bar(lab, kind="HINGE", scale=1.0):
    obj = lab.load_text(FOUR_BAR).object
    obj.scale = (scale,) * 3
    pose(obj, **closed())
    add_loop(obj, kind, "base", "rod2", along_y(scale * GROUND), name="four-bar")
    return obj


def pose(obj, **values):
    set_joint_values(open_rig(obj), values)
    bpy.context.view_layer.update()


def curves(obj):
    """The keys of every F-curve of the robot."""
    return {
        (curve.data_path, curve.array_index): [tuple(key.co) for key in curve.keyframe_points]
        for curve in compat.existing_channels(obj)
    }


def along_y(x):
    """(4, 4) at a place on the x axis, its Z axis along -y as those of the hinges."""
    return np.array([[1.0, 0, 0, x], [0, 0, -1.0, 0], [0, 1.0, 0, 0], [0, 0, 0, 1.0]])


def settings(**changes):
    frames = {"frame_start": START, "frame_end": END, "fps": FPS}
    return BakeSettings(**{**frames, "gravity": HEAVY, **changes})


def opened(obj, frames):
    """How far the rod's end is from its place on the base in the scene (m), at frames."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        poses = evaluated_link_poses(bpy.context, obj, world=True)
        ground = poses["base"] @ (GROUND, 0.0, 0.0, 1.0)
        end = poses["rod2"] @ (ROCKER, 0.0, 0.0, 1.0)
        found.append(np.linalg.norm((end - ground)[:3]))
    return np.array(found)


def quarters():
    """All quarter frames."""
    return np.arange(START, END + 0.125, 0.25)


@pytest.mark.parametrize("interpolation", ["BEZIER", "LINEAR"])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_fast_four_bar_stays_closed_between_keys(lab, interpolation, scale):
    obj = four_bar(lab, scale=scale)
    whole = settings(interpolation=interpolation, loop_tolerance=1.0)
    (gap,) = bake_robot(bpy.context, obj, whole).gaps
    # whole frames alone open it, and by as much as it says
    assert opened(obj, quarters()).max() > 5.0 * TOLERANCE
    assert opened(obj, [gap.frame]) == pytest.approx(gap.opening, abs=2e-6)
    assert opened(obj, range(START, END + 1)).max() < 3e-6
    bpy.context.scene.frame_set(START)
    baked = bake_robot(bpy.context, obj, settings(interpolation=interpolation))
    (gap,) = baked.gaps
    assert gap.is_met
    assert opened(obj, quarters()).max() < TOLERANCE
    assert opened(obj, [gap.frame]) == pytest.approx(gap.opening, abs=2e-6)
    assert f"loop 'four-bar' opens at most {1e3 * gap.opening:.2g} mm" in baked.summary()
    assert np.abs(baked.trajectory.v).max() > 10.0
    # what is baked is the simulation at every key, between frames too
    first, *others = curves(obj).values()
    frames = [frame for frame, _ in first]
    assert all([frame for frame, _ in keys] == frames for keys in others)
    assert len(frames) > END - START + 1
    for frame in frames:
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        q, _ = baked.trajectory.sample((frame - START) / FPS)
        assert lab.error(obj, baked.trajectory.model, q) < 1e-5 + 1.2e-7 * np.abs(q).max()


def test_a_robot_that_floats_on_a_ball_stays_on_it(lab):
    """Quaternions between keys: Blender's gap is the one that is told."""
    heavy = FOUR_BAR.replace(
        '<link name="base"/>',
        '<link name="base"><inertial><mass value="2"/><inertia ixx=".02" iyy=".03" izz=".01" '
        'ixy="0" ixz="0" iyz="0"/></inertial></link>',
    )
    obj = lab.load_text(heavy, floating_base=True).object
    pose(obj, **closed(), floating_base=np.array([0.1, 0.2, 0.3, 0.9, 0.1, -0.3, 0.2]))
    base = evaluated_link_poses(bpy.context, obj)["base"]
    add_loop(obj, "HINGE", "base", "rod2", base @ along_y(GROUND), name="four-bar")
    hook = base @ (0.0, 0.3, 0.0, 1.0)
    add_loop(obj, "BALL", None, "base", hook[:3], name="hook")
    baked = bake_robot(bpy.context, obj, settings(gravity=(0.0, 0.0, -9.81)))
    gaps = {gap.name: gap for gap in baked.gaps}
    assert all(gap.is_met for gap in baked.gaps)
    frame = gaps["four-bar"].frame
    assert opened(obj, [frame]) == pytest.approx(gaps["four-bar"].opening, abs=1e-6)
    assert gaps["hook"].opening > 1e-5
    for frame in (gaps["hook"].frame, *quarters()):
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        apart = evaluated_link_poses(bpy.context, obj)["base"] @ (0.0, 0.3, 0.0, 1.0) - hook
        assert np.linalg.norm(apart) < gaps["hook"].opening + 1e-6


def test_a_start_that_is_not_closed_is_put_together_and_told(robot):
    pose(robot, coupler=closed()["coupler"] + 0.05)
    plan = prepare_bake(bpy.context, robot, settings())
    baked = bake_robot(bpy.context, robot, settings())
    moved = np.abs(baked.trajectory.q[0] - plan.q).max()
    told = f"the constraints have moved the initial positions by up to {moved:.6g} rad"
    assert told in baked.summary()
    assert not baked.is_flawless
    assert f"started from the pose at frame {bpy.context.scene.frame_current}" in baked.summary()
    assert opened(robot, quarters()).max() < TOLERANCE


def test_a_loop_that_cannot_close_is_named_with_its_gap_and_nothing_is_changed(robot):
    bake_robot(bpy.context, robot, settings())
    before = curves(robot)
    bpy.data.objects.remove(bpy.data.objects["four-bar"])
    # the three rods reach 0.65
    place, end = np.eye(4), evaluated_link_poses(bpy.context, robot)["rod2"].copy()
    place[0, 3] = 0.75
    end[:3, 3] += ROCKER * end[:3, 0]
    add_loop(robot, "BALL", None, "rod2", place, world_from_second=end, name="far")
    with pytest.raises(SimulationError, match=r"stay open: Ball 'far' by 0\.1"):
        bake_robot(bpy.context, robot, settings())
    assert curves(robot) == before
    robot.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    with pytest.raises(SimulationError, match=r"the robot's own, which is scaled by 2"):
        bake_robot(bpy.context, robot, settings())
    # a loop that is broken is refused before
    bpy.data.objects["far"]["dynarig_loop"] = "?"
    with pytest.raises(RigError, match="loop joint 'far' of robot 'made'"):
        prepare_bake(bpy.context, robot, settings())
    assert curves(robot) == before


def test_a_motion_from_a_table_is_held_against_the_loops(robot):
    plan = prepare_bake(bpy.context, robot, settings())
    q = np.stack((plan.q, plan.q + np.array([0.0, 0.1, 0.0])))
    motion = Trajectory.from_table(plan.model, [0.0, 0.5], q)
    baked = bake_robot(bpy.context, robot, settings(), motion)
    (gap,) = baked.gaps
    assert gap.reason == "motion"
    assert baked.keys == 3 * (END - START + 1)
    assert opened(robot, [END])[0] == pytest.approx(gap.opening, abs=2e-6)
    assert "and 0.1 mm were wanted: the motion itself does not close it" in baked.summary()
    assert not baked.is_flawless


def test_without_loops_keys_stand_on_whole_frames_only(robot):
    bpy.data.objects["four-bar"]["dynarig_loop_enabled"] = False
    baked = bake_robot(bpy.context, robot, settings())
    assert baked.gaps == ()
    assert baked.keys == 3 * (END - START + 1)
    assert "loop" not in baked.summary()


def test_the_operator_takes_the_tolerance_of_the_panel(robot):
    scene = bpy.context.scene
    bpy.context.view_layer.objects.active = robot
    assert scene.dynarig.loop_tolerance == pytest.approx(1e-4)
    counts = []
    for tolerance in (1e-2, 1e-4):
        scene.dynarig.loop_tolerance = tolerance
        assert bpy.ops.dynarig.bake_simulation(duration=0.5) == {"FINISHED"}
        counts.append(sum(map(len, curves(robot).values())))
    assert counts[0] < counts[1]
    with pytest.raises(RigError, match="loop tolerance: wanted a positive number, got 0"):
        settings(loop_tolerance=0.0).check()


def test_a_jump_of_velocity_is_a_key_with_free_handles(robot, lab):
    loop = bpy.data.objects["four-bar"]
    loop["dynarig_loop_enabled"] = False
    plan = prepare_bake(bpy.context, robot, settings())
    caught = 6.3 / FPS
    hold = constraints.Hold(
        name="hold",
        port=constraints.Port("rod0"),
        active=False,
        switches=[constraints.Switch.at(caught, active=True)],
    )
    system = System(plan.model, constraints=(hold,))
    motion = run(simulate(system, plan.settings.times(), plan.q))
    baked = bake_robot(bpy.context, robot, settings(tolerance=0.01), motion)
    (gap,) = baked.gaps
    assert gap.name == "hold"
    assert gap.is_met
    assert baked.frames == END - START + 1
    for curve in compat.existing_channels(robot):
        (key,) = (key for key in curve.keyframe_points if key.handle_left_type == "FREE")
        assert key.co[0] == pytest.approx(START + 6.3, abs=1e-6)
        assert key.handle_right_type == "FREE"
    rig = open_rig(robot)
    for frame in np.arange(START + 5.0, START + 8.0, 0.125):
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        q, _ = motion.sample((frame - START) / FPS)
        off = np.abs(lab.evaluated_q(rig, plan.model) - q).max()
        assert off < baked.deviation + 1e-5
    # a corner without a key of its own would take keys as near as they may be
    assert baked.deviation <= 0.01
    frames = [frame for keys in curves(robot).values() for frame, _ in keys]
    assert np.diff(np.unique(np.round(frames, 4))).min() > 0.1


@pytest.mark.parametrize("way", ["given", "updated"])
def test_an_axis_of_seven_digits_does_not_lock_a_planar_loop(lab, way):
    """A hinge that is 1e-7 rad off the other axes would leave the four-bar no motion."""
    obj = lab.load_text(FOUR_BAR).object
    obj.rotation_euler, obj.location = (0.3, 0.4, 1.2), (3.0, -2.0, 1.0)
    pose(obj, **closed())
    # single precision, with another rounding than the robot's own
    place = obj.matrix_world @ mathutils.Matrix(along_y(GROUND).tolist())
    loop = add_loop(obj, "HINGE", "base", "rod2", np.array(place), name="four-bar")
    if way == "updated":
        bpy.context.view_layer.update()
        update_loop(loop)
    baked = bake_robot(bpy.context, obj, settings())
    assert not baked.trajectory.is_still
    assert opened(obj, quarters()).max() < TOLERANCE


def test_loops_that_leave_no_motion_are_told(lab):
    welded = bake_robot(bpy.context, four_bar(lab, "WELD"), settings())
    assert "its loops leave it no motion" in welded.summary()
    hanging = four_bar(lab, "HINGE")
    for gravity, told in ((HEAVY, False), ((0.0, 0.0, 0.0), True)):
        bpy.context.scene.frame_set(START)
        still = bake_robot(bpy.context, hanging, settings(gravity=gravity)).summary()
        assert ("it is balanced where it starts" in still) is told


def test_the_panel_shows_the_tolerance_for_robots_with_loops_only(robot):
    bpy.context.view_layer.objects.active = robot
    assert "loop_tolerance" in drawn()
    bpy.data.objects["four-bar"]["dynarig_loop_enabled"] = False
    assert "loop_tolerance" not in drawn()
