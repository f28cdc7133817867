"""What is baked equals the motion, at the keys and between them, and nothing else is touched."""

import bpy
import numpy as np
import pytest
from dynarig.addon import compat
from dynarig.addon.blender.bake.bake import bake_robot, prepare_bake, simulate_bake
from dynarig.addon.blender.bake.key_ranges import value_range
from dynarig.addon.blender.bake.settings import BakeSettings, gravity_in_armature
from dynarig.addon.blender.contact.settings import ContactSettings
from dynarig.addon.blender.joint_limits import CONSTRAINT_NAME
from dynarig.addon.blender.pose import (
    evaluated_link_poses,
    get_configuration,
    set_joint_values,
)
from dynarig.addon.blender.rig_access import find_robot, open_rig
from dynarig.addon.errors import RigError
from dynarig.core.dynamics import link_poses
from dynarig.core.errors import DynarigError
from dynarig.core.keyframes import JointKeys
from dynarig.core.trajectory import Trajectory

WITH_INERTIA = ("panda", "ur5", "solo12", "talos")
WITHOUT = ("case01", "case03", "case05", "case06", "case09", "case11", "case13")
START, END, FPS = 3, 15, 24.0


def settings(**changes):
    return BakeSettings(**{"frame_start": START, "frame_end": END, "fps": FPS, **changes})


def go(frame, part=0.0):
    bpy.context.scene.frame_set(frame, subframe=part)


def check_motion(lab, obj, trajectory, start=START, end=END):
    """Every link at every frame and half frame, within the bounds of DESIGN.md section 5."""
    rig = open_rig(obj)
    model = trajectory.model
    for frame in range(start, end + 1):
        go(frame)
        q, _ = trajectory.sample(trajectory.times[0] + (frame - start) / FPS)
        assert lab.error(obj, model, q) < 1e-5 + 1.2e-7 * np.abs(q).max()
        if frame < end:
            go(frame, 0.5)
            assert lab.error(obj, model, lab.evaluated_q(rig, model)) < 1e-5


def curves(obj):
    """Every F-curve of the robot: its path and index, and the frames of its keys."""
    return {
        (curve.data_path, curve.array_index): [point.co.x for point in curve.keyframe_points]
        for curve in compat.existing_channels(obj)
    }


@pytest.mark.parametrize("name", WITH_INERTIA)
def test_a_simulated_motion(lab, name, tmp_path):
    result = lab.load(name)
    baked = bake_robot(bpy.context, result.object, settings())
    assert baked.frames == END - START + 1
    assert baked.channels == len(curves(result.object))
    assert baked.keys == sum(len(frames) for frames in curves(result.object).values())
    # it moves
    assert np.abs(baked.trajectory.q[-1] - baked.trajectory.q[0]).max() > 1e-3
    check_motion(lab, result.object, baked.trajectory)
    obj = save_and_load(result.object, tmp_path)
    check_motion(lab, obj, baked.trajectory)


@pytest.mark.parametrize("name", WITHOUT)
def test_a_given_motion_of_a_robot_without_inertia(lab, name, tmp_path):
    result = lab.load(name)
    _, model = lab.open(result)
    motion = lab.random_motion(model)
    baked = bake_robot(bpy.context, result.object, settings(), motion)
    assert baked.muted == ()
    check_motion(lab, result.object, motion)
    check_motion(lab, save_and_load(result.object, tmp_path), motion)


@pytest.mark.parametrize("name", ["panda", "case03"])
def test_meshes_move_with_their_links(lab, name, tmp_path):
    result = lab.load(name, meshes=True)
    _, model = lab.open(result)
    motion = lab.random_motion(model)
    bake_robot(bpy.context, result.object, settings(), motion)
    check_meshes(lab, result.object, model)
    check_meshes(lab, save_and_load(result.object, tmp_path), model)


def check_meshes(lab, obj, model):
    rig = open_rig(obj)
    assert len(obj.children) > 3
    for frame, part in ((START, 0.0), (START + 4, 0.5), (END, 0.0)):
        go(frame, part)
        assert lab.visual_error(rig, model, lab.evaluated_q(rig, model)) < 1e-5


def save_and_load(obj, folder):
    name, path = obj.name, str(folder / "baked.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    return bpy.data.objects[name]


def test_curves_between_keys_are_cubics_with_exact_slopes(lab):
    result = lab.load("panda")
    baked = bake_robot(bpy.context, result.object, settings(use_limits=False))
    rig, model = lab.open(result)
    motion = baked.trajectory
    for joint in model.joint_names:
        where, velocity = model.q_index(joint).start, model.v_index(joint).start
        ((path, index),) = rig.channels[joint].paths
        data_path = rig.pose_bone(joint).path_from_id(path)
        curve = compat.existing_channels(result.object).find(data_path, index)
        sign = rig.bone_of_joint[joint].sign
        q0, q1 = sign * motion.q[:2, where]
        m0, m1 = sign * motion.v[:2, velocity] / FPS
        for s in (0.1, 0.25, 0.5, 0.9):
            hermite = (
                q0 * (1 + 2 * s) * (1 - s) ** 2 + q1 * s * s * (3 - 2 * s)
                + m0 * s * (1 - s) ** 2 - m1 * s * s * (1 - s)
            )  # fmt: skip
            assert curve.evaluate(START + s) == pytest.approx(hermite, abs=1e-6)
        point = curve.keyframe_points[1]
        assert point.interpolation == "BEZIER"
        assert point.handle_left_type == point.handle_right_type == "ALIGNED"


def test_the_deviation_is_what_it_says_and_keys_between_frames_mend_it(lab):
    result = lab.load("panda")
    smeared = {"contact": ContactSettings(use_impact_keys=False)}
    plain = bake_robot(bpy.context, result.object, settings(**smeared))
    assert plain.deviation > 1e-3
    rig, _ = lab.open(result)
    assert largest_deviation(lab, rig, plain.trajectory) <= plain.deviation + 1e-5
    go(START)
    fine = bake_robot(bpy.context, result.object, settings(tolerance=1e-3, **smeared))
    assert fine.deviation <= 1e-3
    assert fine.keys > plain.keys
    assert largest_deviation(lab, rig, fine.trajectory) < 1.1e-3
    check_motion(lab, result.object, fine.trajectory)


def largest_deviation(lab, rig, motion):
    """How far the channels in Blender are from the simulation, between the keys."""
    worst = 0.0
    for frame in range(START, END):
        for part in (0.25, 0.5, 0.75):
            go(frame, part)
            q, _ = motion.sample((frame + part - START) / FPS)
            worst = max(worst, np.abs(lab.evaluated_q(rig, motion.model) - q).max())
    return worst


def test_a_second_bake_replaces_the_robots_channels_and_nothing_else(lab):
    result = lab.load("ur5")
    obj = result.object
    other = bpy.data.objects.new("other", None)
    bpy.context.scene.collection.objects.link(other)
    other.keyframe_insert("location", frame=7)
    bake_robot(bpy.context, obj, settings(frame_end=40))
    obj.keyframe_insert("location", frame=100)
    rig, model = lab.open(result)
    bone = rig.pose_bone(model.joint_names[0])
    bone["mine"] = 1.0
    bone.keyframe_insert('["mine"]', frame=90)
    action = obj.animation_data.action
    channel = rig.pose_bone(model.joint_names[1])
    curve = compat.existing_channels(obj).find(channel.path_from_id("rotation_euler"), 1)
    curve.modifiers.new("CYCLES")
    curve.mute = True

    go(START)
    baked = bake_robot(bpy.context, obj, settings())
    assert obj.animation_data.action == action
    found = curves(obj)
    assert found.pop(("location", 0)) == [100.0]
    assert found.pop(("location", 1)) == found.pop(("location", 2)) == [100.0]
    assert found.pop((bone.path_from_id() + '["mine"]', 0)) == [90.0]
    assert len(found) == baked.channels == model.nq
    assert all(frames == list(range(START, END + 1)) for frames in found.values())
    curve = compat.existing_channels(obj).find(channel.path_from_id("rotation_euler"), 1)
    assert not curve.mute
    assert not len(curve.modifiers)
    assert curves(other)[("location", 0)] == [7.0]
    check_motion(lab, obj, baked.trajectory)


def test_curves_stand_in_groups_called_like_the_bones(lab):
    result = lab.load("ur5")
    bake_robot(bpy.context, result.object, settings())
    bones = {bone.name for bone in result.object.pose.bones}
    assert {curve.group.name for curve in compat.existing_channels(result.object)} == bones


def test_two_robots_keep_their_own_motion(lab):
    first, second = lab.load("ur5"), lab.load("ur5")
    one = bake_robot(bpy.context, first.object, settings(), motion_of(lab, first))
    two = bake_robot(bpy.context, second.object, settings(), motion_of(lab, second))
    check_motion(lab, first.object, one.trajectory)
    check_motion(lab, second.object, two.trajectory)


def motion_of(lab, result):
    return lab.random_motion(lab.open(result)[1])


def test_an_action_that_others_use_is_left_to_them(lab):
    first, second = lab.load("ur5"), lab.load("ur5")
    one = bake_robot(bpy.context, first.object, settings(), motion_of(lab, first))
    shared = first.object.animation_data
    borrowed = second.object.animation_data_create()
    borrowed.action = shared.action
    if compat.HAS_ACTION_SLOTS:
        borrowed.action_slot = shared.action_slot
    two = bake_robot(bpy.context, second.object, settings(), motion_of(lab, second))
    assert borrowed.action != shared.action
    check_motion(lab, first.object, one.trajectory)
    check_motion(lab, second.object, two.trajectory)


def test_the_simulation_starts_at_the_current_pose(lab):
    result = lab.load("panda")
    rig, model = lab.open(result)
    go(START)
    set_joint_values(rig, {"panda_joint1": 0.3, "panda_joint4": -1.5, "panda_joint6": 2.0})
    q = get_configuration(rig, model)
    baked = bake_robot(bpy.context, result.object, settings())
    assert np.array_equal(baked.trajectory.q[0], q)
    go(START)
    assert lab.error(result.object, model, q) < 1e-5
    # and, baked again, at the pose of the frame where the scene stands
    go(END)
    again = bake_robot(bpy.context, result.object, settings())
    assert again.trajectory.q[0] == pytest.approx(baked.trajectory.q[-1], abs=1e-6)
    assert "started from the pose at" not in baked.summary()
    assert f"started from the pose at frame {END}" in again.summary()


def test_a_start_outside_the_limits_is_told(lab):
    result = lab.load("panda")
    rig, _ = lab.open(result)
    inside_limits = bake_robot(bpy.context, result.object, settings())
    assert not any("start pose" in warning for warning in inside_limits.warnings)
    go(START)
    for constraint in rig.pose_bone("panda_joint2").constraints:
        constraint.mute = True
    set_joint_values(rig, {"panda_joint2": 2.1})
    bpy.context.view_layer.update()
    outside = bake_robot(bpy.context, result.object, settings())
    assert "the start pose is outside the limits, and was put to them: panda_joint2 by 0.33" in (
        outside.summary()
    )


def test_the_scene_keeps_its_frame_and_shows_its_pose(lab):
    result = lab.load("ur5")
    go(9, 0.25)
    baked = bake_robot(bpy.context, result.object, settings())
    scene = bpy.context.scene
    assert (scene.frame_current, scene.frame_subframe) == (9, 0.25)
    rig, model = lab.open(result)
    assert lab.error(result.object, model, lab.evaluated_q(rig, model)) < 1e-5
    q, _ = baked.trajectory.sample((9.25 - START) / FPS)
    assert lab.evaluated_q(rig, model) == pytest.approx(q, abs=0.02)


def test_limits_hold_and_a_motion_that_leaves_them_mutes_the_constraint(lab):
    result = lab.load("panda")
    rig, model = lab.open(result)
    lower, upper = model.limits()
    held = bake_robot(bpy.context, result.object, settings(frame_end=START + 24))
    assert (held.trajectory.q > lower - 0.05).all()
    assert (held.trajectory.q < upper + 0.05).all()
    go(START)
    free = bake_robot(bpy.context, result.object, settings(frame_end=START + 24, use_limits=False))
    left = {
        joint
        for joint, low, high in zip(model.joint_names, lower, upper, strict=True)
        if CONSTRAINT_NAME in rig.pose_bone(joint).constraints
        and not inside(free.trajectory.q[:, model.q_index(joint)], low - 1e-3, high + 1e-3)
    }
    assert left
    for joint in left:
        assert rig.pose_bone(joint).constraints[CONSTRAINT_NAME].mute
        assert joint in {*held.muted, *free.muted}
    assert all(joint in free.summary() for joint in free.muted)
    check_motion(lab, result.object, free.trajectory, START, START + 24)


def inside(values, low, high):
    return low <= values.min() and values.max() <= high


def test_a_curve_that_leaves_a_limit_only_between_keys_mutes_too(lab):
    result = lab.load("case13")
    _, model = lab.open(result)
    times = np.linspace(0.0, 0.5, 501)
    # 0.58 at every frame, 0.61 between the frames, and the limit is 0.6
    feather = 0.58 + 0.03 * np.sin(np.pi * times * FPS) ** 2
    q = np.stack((0.0 * times, feather), axis=1)
    motion = Trajectory.from_table(model, times, q)
    assert bake_robot(bpy.context, result.object, settings(), motion).muted == ()
    fine = bake_robot(bpy.context, result.object, settings(tolerance=1e-3), motion)
    assert fine.muted == ("feather",)


def test_the_range_of_a_cubic_is_that_of_its_extremes():
    frames = np.array([1.0, 2.0, 4.0])
    values, slopes = np.array([0.0, 1.0, 0.5]), np.array([2.0, 1.5, -3.0])
    keys = JointKeys("j", frames, values[:, None], slopes[:, None], slopes[:, None])
    s = np.linspace(0.0, 1.0, 10001)
    found = []
    for i, h in enumerate(np.diff(frames)):
        found.append(
            values[i] * (1 + 2 * s) * (1 - s) ** 2 + values[i + 1] * s * s * (3 - 2 * s)
            + h * slopes[i] * s * (1 - s) ** 2 - h * slopes[i + 1] * s * s * (1 - s)
        )  # fmt: skip
    low, high = value_range(keys, "BEZIER")
    assert (low, high) == pytest.approx((np.min(found), np.max(found)), abs=1e-6)
    assert value_range(keys, "LINEAR") == (0.0, 1.0)


def test_followers_are_driven_and_not_keyed(lab):
    result = lab.load("case06")
    _, model = lab.open(result)
    baked = bake_robot(bpy.context, result.object, settings(), lab.random_motion(model))
    assert baked.channels == 1
    assert len(curves(result.object)) == 1
    check_motion(lab, result.object, baked.trajectory)


def test_a_renamed_rig_bakes_its_followers_too(lab):
    result = lab.load("case06")
    for index, bone in enumerate(result.object.data.bones):
        bone.name = f"my bone {index}"
    _, model = lab.open(result)
    motion = lab.random_motion(model)
    bake_robot(bpy.context, result.object, settings(), motion)
    assert len(result.object.animation_data.drivers) == 4
    check_motion(lab, result.object, motion)


def test_bones_that_the_user_moved_by_other_channels_are_settled(lab):
    result = lab.load("ur5")
    rig, model = lab.open(result)
    bone = rig.pose_bone(model.joint_names[2])
    bone.rotation_mode = "XYZ"
    bone.rotation_euler = (0.3, 0.5, 0.7)
    bone.location = (0.1, 0.2, 0.3)
    bone.scale = (1.0, 2.0, 1.0)
    baked = bake_robot(bpy.context, result.object, settings())
    assert baked.trajectory.q[0][2] == pytest.approx(
        0.5 * rig.bone_of_joint[model.joint_names[2]].sign
    )
    check_motion(lab, result.object, baked.trajectory)


TURN = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]])


def test_gravity_and_lengths_go_through_the_armatures_transform(lab):
    """Moved, turned and twice as large: as under R^T g / 2 in its own coordinates."""
    result = lab.load("ur5")
    obj = result.object
    world = np.eye(4)
    world[:3, :3], world[:3, 3] = 2.0 * TURN, (1.0, -2.0, 3.0)
    parent = bpy.data.objects.new("parent", None)
    bpy.context.scene.collection.objects.link(parent)
    obj.parent = parent
    parent.location = (0.0, 0.0, 3.0)
    parent.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    import mathutils

    obj.matrix_world = mathutils.Matrix(world.tolist())
    bpy.context.view_layer.update()
    assert np.allclose(np.array(obj.matrix_world), world, atol=1e-6)
    baked = bake_robot(bpy.context, obj, settings())
    gravity = TURN.T @ (0.0, 0.0, -9.81) / 2.0
    assert baked.trajectory.model.gravity == pytest.approx(gravity, abs=1e-5)
    check_motion(lab, obj, baked.trajectory)
    go(END)
    in_world = evaluated_link_poses(bpy.context, obj, world=True)
    poses = link_poses(baked.trajectory.model, baked.trajectory.q[-1])
    for name, pose in zip(baked.trajectory.model.link_names, poses, strict=True):
        assert np.abs(in_world[name] - world @ pose).max() < 3e-5


def test_gravity_in_armature_refuses_what_has_no_mechanics():
    eye = np.eye(4)
    down = np.array([0.0, 0.0, -9.81])
    assert gravity_in_armature(np.diag([3.0, 3.0, 3.0, 1.0]), down) == pytest.approx(down / 3)
    nearly = np.diag([1.0, 1.0, 1.0 + 5e-6, 1.0])
    assert gravity_in_armature(nearly, down) == pytest.approx(down, rel=1e-5)
    for bad, word in (
        (np.diag([1.0, 1.0, 1.1, 1.0]), "one positive scale"),
        (np.diag([1.0, 1.0, 1.0 + 3e-5, 1.0]), "one positive scale"),
        (-eye, "negative"),
        (np.diag([1.0, -1.0, 1.0, 1.0]), "negative"),
        (np.diag([0.0, 0.0, 0.0, 1.0]), "zero"),
        (eye + np.eye(4, k=1) * 0.01, "one positive scale"),
    ):
        with pytest.raises(RigError, match=word):
            gravity_in_armature(bad, down)


def test_a_scaled_robot_is_refused_and_nothing_is_baked(lab):
    result = lab.load("ur5")
    result.object.scale = (1.0, 1.0, 1.5)
    bpy.context.view_layer.update()
    with pytest.raises(RigError, match=r"scaled by \(1, 1, 1\.5\)"):
        bake_robot(bpy.context, result.object, settings())
    assert result.object.animation_data is None


def test_settings_are_checked_at_the_door(lab):
    result = lab.load("ur5")
    for bad in ({"frame_end": START}, {"frame_end": 0}, {"fps": 0.0}, {"damping": -1.0},
                {"tolerance": -1.0}, {"interpolation": "STEP"}):  # fmt: skip
        with pytest.raises(DynarigError):
            bake_robot(bpy.context, result.object, settings(**bad))


def test_a_robot_that_cannot_move_is_one_clear_error(lab):
    still = lab.load_text('<link name="a"/>')
    with pytest.raises(RigError, match="no joint that moves"):
        bake_robot(bpy.context, still.object, settings())
    assert not len(bpy.data.actions)


def test_damping_slows_the_motion(lab):
    result = lab.load("ur5")
    free = bake_robot(bpy.context, result.object, settings())
    go(START)
    slow = bake_robot(bpy.context, result.object, settings(damping=50.0))
    assert np.abs(slow.trajectory.v).max() < 0.5 * np.abs(free.trajectory.v).max()


def test_progress_runs_to_one(lab):
    seen = []
    bake_robot(bpy.context, lab.load("ur5").object, settings(), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_a_single_long_frame_can_be_stopped_on_its_way(lab):
    plan = prepare_bake(bpy.context, lab.load("ur5").object, settings(frame_end=START + 1, fps=0.1))
    work = simulate_bake(plan)
    seen = [next(work) for _ in range(20)]
    assert seen == sorted(set(seen))
    assert seen[-1] < 1.0
    work.close()


def test_preparing_touches_nothing(lab, inventory):
    result = lab.load("panda")
    before = inventory()
    plan = prepare_bake(bpy.context, result.object, settings())
    assert inventory() == before
    assert result.object.animation_data.action is None  # drivers only
    assert plan.object_name == result.object.name


def test_the_robot_of_a_part(lab):
    result = lab.load("case03", meshes=True)
    part = next(obj for obj in result.collection.objects if obj.type == "MESH")
    assert find_robot(part) == result.object
    assert find_robot(result.object) == result.object
    assert find_robot(None) is None
    assert find_robot(bpy.data.objects.new("lamp", bpy.data.lights.new("lamp", "POINT"))) is None
