"""The bake operator, its options and the panel's, the job it runs, and undo."""

import bpy
import numpy as np
import pytest
from dynarig.addon import compat
from dynarig.addon.active_robot import NO_ROBOT
from dynarig.addon.job import Run
from dynarig.addon.operators.bake_simulation import settings_of_scene
from dynarig.addon.panels import limits_text


def frames(obj):
    """The frames of all keys of a robot."""
    return sorted(
        {
            point.co.x
            for curve in compat.existing_channels(obj) or ()
            for point in curve.keyframe_points
        }
    )


@pytest.fixture
def robot(lab):
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 5, 9
    return lab.load("ur5").object


def test_the_scene_range_and_rate(robot):
    assert bpy.ops.dynarig.bake_simulation() == {"FINISHED"}
    assert frames(robot) == [5, 6, 7, 8, 9]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"frame_start": 2, "frame_end": 4}, (2, 4)),
        ({"frame_end": 7}, (5, 7)),
        ({"duration": 0.125}, (5, 8)),
        ({"duration": 0.16}, (5, 8)),
        ({"duration": 0.125, "frame_start": 1}, (1, 4)),
        ({"range": "FRAMES", "frame_start": 1, "frame_end": 3}, (1, 3)),
        ({"range": "DURATION", "duration": 0.25}, (5, 11)),
    ],
)
def test_a_range_given_to_the_operator(robot, options, expected):
    bpy.ops.dynarig.bake_simulation(**options)
    assert frames(robot) == list(range(expected[0], expected[1] + 1))


def test_the_panels_settings(robot):
    scene = bpy.context.scene
    panel = scene.dynarig
    panel.range, panel.frame_start, panel.frame_end = "FRAMES", 11, 20
    panel.use_scene_gravity, panel.gravity = False, (1.0, 2.0, 3.0)
    panel.damping, panel.use_limits = 0.5, False
    panel.interpolation = "LINEAR"
    panel.use_tolerance, panel.tolerance = True, 0.25
    scene.render.fps, scene.render.fps_base = 30, 1.5
    found = settings_of_scene(scene)
    assert (found.frame_start, found.frame_end, found.fps) == (11, 20, 20.0)
    assert found.gravity == pytest.approx((1.0, 2.0, 3.0))
    assert (found.damping, found.use_limits) == (0.5, False)
    assert (found.interpolation, found.tolerance) == ("LINEAR", 0.25)
    panel.range, panel.duration = "DURATION", 2.0
    found = settings_of_scene(scene)
    assert (found.frame_start, found.frame_end) == (5, 45)
    # what the operator is told goes before the panel
    bpy.ops.dynarig.bake_simulation(range="SCENE", interpolation="BEZIER", use_tolerance=False)
    assert frames(robot) == [5, 6, 7, 8, 9]
    curve = next(iter(compat.existing_channels(robot)))
    assert curve.keyframe_points[0].interpolation == "BEZIER"


def test_gravity_of_the_scene(robot):
    scene = bpy.context.scene
    scene.gravity = (0.0, 1.0, -2.0)
    assert settings_of_scene(scene).gravity == (0.0, 1.0, -2.0)
    scene.use_gravity = False
    assert settings_of_scene(scene).gravity == (0.0, 0.0, 0.0)


def test_a_trajectory_file_is_cut_only_by_a_range_of_ones_own(lab, data):
    file = str(data / "urdf" / "13_bake_many_turns" / "traj.csv")
    lab.load("case13")
    robot = bpy.context.view_layer.objects.active
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 10
    bpy.ops.dynarig.bake_simulation(trajectory=file)
    assert frames(robot) == list(range(1, 74))
    bpy.ops.dynarig.bake_simulation(trajectory=file, frame_end=30)
    assert frames(robot) == list(range(1, 31))
    bpy.ops.dynarig.bake_simulation(trajectory=file, duration=0.5)
    assert frames(robot) == list(range(1, 14))
    with pytest.raises(RuntimeError, match="cannot be read"):
        bpy.ops.dynarig.bake_simulation(trajectory=file + ".none")


def test_a_saved_motion_is_baked_with_its_own_slopes(lab, tmp_path):
    from dynarig.addon.blender.rig_access import open_rig
    from dynarig.core.trajectory import Trajectory

    lab.load("case13")
    robot = bpy.context.view_layer.objects.active
    model = open_rig(robot).compile((0.0, 0.0, -9.81))
    times = np.linspace(0.0, 0.5, 13)
    q, v = np.outer(times**2, np.ones(model.nq)), np.outer(2.0 * times, np.ones(model.nv))
    Trajectory.from_table(model, times, q, v).save(tmp_path / "motion.npz")
    bpy.ops.dynarig.bake_simulation(trajectory=str(tmp_path / "motion.npz"))
    assert frames(robot) == list(range(1, 14))
    # the last key's handle carries v, which straight lines between the rows would not have
    curve = next(iter(compat.existing_channels(robot)))
    last = curve.keyframe_points[-1]
    slope = (last.co.y - last.handle_left.y) / (last.co.x - last.handle_left.x)
    assert abs(slope) == pytest.approx(2.0 * 0.5 / 24.0, abs=1e-6)


def test_a_part_of_the_robot_may_be_active(lab):
    bpy.context.scene.frame_end = 3
    result = lab.load("panda", meshes=True)
    part = next(obj for obj in result.collection.objects if obj.type == "MESH")
    bpy.context.view_layer.objects.active = part
    assert bpy.ops.dynarig.bake_simulation(use_limits=False) == {"FINISHED"}
    assert frames(result.object) == [1, 2, 3]


def test_without_a_robot_it_says_what_to_select():
    assert not bpy.ops.dynarig.bake_simulation.poll()
    with pytest.raises(RuntimeError, match=NO_ROBOT):
        bpy.ops.dynarig.bake_simulation()


def test_a_robot_without_inertia_is_one_clear_error(lab, inventory):
    lab.load("case05")
    before = inventory()
    with pytest.raises(RuntimeError, match="no_axis"):
        bpy.ops.dynarig.bake_simulation()
    assert inventory() == before


def test_one_undo_takes_a_bake_back(robot):
    name = robot.name
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        bpy.ops.ed.undo_push(message="before")
        bpy.ops.dynarig.bake_simulation("EXEC_DEFAULT", True)
        assert frames(bpy.data.objects[name])
        bpy.ops.ed.undo()
    assert frames(bpy.data.objects[name]) == []
    assert not len(bpy.data.actions)


def test_the_bake_is_no_operator_to_redo():
    """The redo panel would simulate all over again."""
    assert bpy.types.DYNARIG_OT_bake_simulation.bl_options == {"UNDO"}


def counting(seen, end=5):
    try:
        for number in range(end):
            seen.append(number)
            yield number / end
    finally:
        seen.append("closed")
    return "answer"


def test_work_goes_in_slices():
    seen = []
    run = Run(counting(seen))
    run.advance(0.0)
    assert seen == [0]
    assert (run.progress, run.finished) == (0.0, False)
    run.advance(0.0)
    assert run.progress == 0.2
    run.advance(60.0)
    assert (run.progress, run.finished, run.answer) == (1.0, True, "answer")
    run.advance(60.0)
    assert seen == [0, 1, 2, 3, 4, "closed"]


def test_work_that_is_stopped_stays_undone():
    seen = []
    run = Run(counting(seen))
    run.advance(0.0)
    run.stop()
    assert seen == [0, "closed"]
    assert not run.finished


def test_the_panel_tells_the_limits_that_no_constraint_can_hold(lab):
    rig, _ = lab.open(lab.load("panda"))
    told = {joint.name: limits_text(joint) for joint in rig.edited_robot.joints}
    assert told["panda_joint6"] == "limits -1.003° to 215°"
    assert told["panda_finger_joint1"] == "limits 0 m to 0.04 m"
    rig, _ = lab.open(lab.load("solo12"))
    assert rig.table.bones[0].joint not in {joint.name for joint in rig.edited_robot.joints}
    assert limits_text(None) == "no limits"


def test_nothing_is_left_after_unregister_and_it_comes_back():
    import dynarig

    before = set(dir(bpy.types)), set(dir(bpy.ops.dynarig))
    dynarig.unregister()
    assert not any("dynarig" in name.lower() for name in dir(bpy.types))
    assert not hasattr(bpy.types.Scene, "dynarig")
    assert dir(bpy.ops.dynarig) == []
    entries = bpy.types.TOPBAR_MT_file_import._dyn_ui_initialize()
    assert "menu_import" not in [entry.__name__ for entry in entries]
    dynarig.register()
    assert (set(dir(bpy.types)), set(dir(bpy.ops.dynarig))) == before


def test_the_panels_are_in_a_tab_of_their_own():
    for name in ("DYNARIG_PT_robot", "DYNARIG_PT_joint", "DYNARIG_PT_bake"):
        panel = getattr(bpy.types, name)
        assert (panel.bl_space_type, panel.bl_region_type) == ("VIEW_3D", "UI")
        assert panel.bl_category == "Dynarig"
