"""Exact impacts by the Bake operator: the floor, the keys of bounces, limits, what is refused."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.contact.settings import ContactSettings
from dynarig.addon.blender.pose import set_joint_values
from dynarig.addon.blender.rig_access import open_rig

from .conftest import CORNERS, SLED, crate

TUMBLING = (1.0, 0.2, 0.3, 0.1)
FLOOR = {"ground": "FLOOR"}


def floor_settings(end, **contact):
    return BakeSettings(1, end, contact=ContactSettings(ground="FLOOR", **contact))


def ball(lab, radius=0.1):
    return lab.load_text(crate(f'<sphere radius="{radius}"/>'), True).object


def test_a_box_falls_on_the_floor_and_stays_above_it(lab, scene):
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.1, 0.0, 0.8), TUMBLING)
    scene.bake(robot, frame_start=1, frame_end=49, restitution=0.4, **FLOOR)
    heights = scene.lowest(robot, 1, 49)
    assert heights.min() > -1e-3
    # it gets there, and lies on a face in the end
    assert heights[:40].max() > 0.4
    assert heights[-8:] == pytest.approx(0.0, abs=1e-4)


def test_a_bounce_has_a_key_with_both_slopes(lab, scene):
    robot = ball(lab)
    scene.place(robot, (0.0, 0.0, 1.0))
    scene.bake(robot, frame_start=1, frame_end=25, restitution=0.5, **FLOOR)
    fall = np.sqrt(2.0 * 0.9 / 9.81)
    curve = scene.curve(robot, "floating_base", 2)
    keys = list(curve.keyframe_points)
    hit = min(keys, key=lambda key: abs(key.co.x - (1.0 + 24.0 * fall)))
    assert hit.co[:] == pytest.approx((1.0 + 24.0 * fall, 0.1), abs=1e-5)
    assert hit.handle_left_type == hit.handle_right_type == "FREE"
    speed = 9.81 * fall / 24.0  # m a frame
    left = (hit.co.y - hit.handle_left.y) / (hit.co.x - hit.handle_left.x)
    right = (hit.handle_right.y - hit.co.y) / (hit.handle_right.x - hit.co.x)
    assert (left, right) == pytest.approx((-speed, 0.5 * speed), abs=1e-4)
    # and the curve does what the handles say
    step = 0.02
    before, after = (curve.evaluate(hit.co.x + part) - hit.co.y for part in (-step, step))
    assert (before, after) == pytest.approx((speed * step, 0.5 * speed * step), abs=2e-5)


def test_without_impact_keys_there_are_whole_frames_only(lab, scene):
    robot = ball(lab)
    scene.place(robot, (0.0, 0.0, 1.0))
    scene.bake(robot, frame_start=1, frame_end=25, restitution=0.5, use_impact_keys=False, **FLOOR)
    curve = scene.curve(robot, "floating_base", 2)
    assert [key.co.x for key in curve.keyframe_points] == list(range(1, 26))
    assert {key.handle_left_type for key in curve.keyframe_points} == {"ALIGNED"}


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_restitution_is_how_high_a_ball_comes_back(lab, scene, restitution):
    robot = ball(lab)
    scene.place(robot, (0.0, 0.0, 0.6))
    result = bake_robot(bpy.context, robot, floor_settings(31, restitution=restitution))
    fall = np.sqrt(2.0 * 0.5 / 9.81)
    height = result.trajectory.sample(fall * (1.0 + restitution))[0][2] - 0.1
    assert height == pytest.approx(0.5 * restitution**2, abs=1e-7)
    assert "Exact impacts: " in result.summary()


def test_a_robot_that_is_scaled_turned_and_moved_meets_the_same_floor(lab, scene):
    robot = lab.load_text(crate(), True).object
    robot.location, robot.scale = (0.3, -0.2, 1.5), (2.0, 2.0, 2.0)
    robot.rotation_euler = (0.4, 0.2, 1.0)
    bpy.context.view_layer.update()
    scene.bake(robot, frame_start=1, frame_end=40, **FLOOR)
    heights = scene.lowest(robot, 1, 40)
    assert heights.min() > -1e-3
    assert heights[-4:] == pytest.approx(0.0, abs=1e-3)
    # in the world it falls as any body does
    assert heights[0] - heights[16] == pytest.approx(0.5 * 9.81 * (4 / 24) ** 2, abs=2e-3)


@pytest.mark.parametrize(
    ("shape", "height"),
    [
        ('<sphere radius=".1"/>', 0.1),
        ('<capsule radius=".1" length=".4"/>', 0.3),
        ('<box size=".2 .2 .2"/>', 0.1),
    ],
)
def test_simple_shapes_come_to_rest_on_the_floor(lab, scene, shape, height):
    robot = lab.load_text(crate(shape), True).object
    scene.place(robot, (0.0, 0.0, height + 0.05))
    result = bake_robot(bpy.context, robot, floor_settings(12))
    assert result.trajectory.q[-1][:3] == pytest.approx([0.0, 0.0, height], abs=1e-9)


def test_limits_are_impacts_with_a_restitution_of_their_bone(lab):
    robot = lab.load_text(SLED).object
    fall = np.sqrt(2.0 * 0.5 / 9.81)
    dead = bake_robot(bpy.context, robot, BakeSettings(1, 25))
    assert dead.trajectory.q.min() == pytest.approx(-0.5, abs=1e-12)
    assert dead.trajectory.q[-1] == pytest.approx([-0.5], abs=1e-12)
    assert dead.muted == ()
    bone = open_rig(robot).pose_bone("slide").bone
    bone.dynarig.limit_restitution = 0.5
    bpy.context.scene.frame_set(1)
    lively = bake_robot(bpy.context, robot, BakeSettings(1, 25))
    assert lively.trajectory.sample(1.5 * fall)[0] == pytest.approx([-0.5 + 0.125], abs=1e-9)
    bone.dynarig.use_limit = False
    bpy.context.scene.frame_set(1)
    loose = bake_robot(bpy.context, robot, BakeSettings(1, 25))
    assert loose.trajectory.q[-1] == pytest.approx([-0.5 * 9.81], abs=1e-9)
    assert loose.muted == ("slide",)


def test_a_limit_that_a_leader_holds_its_follower_beyond_does_not_act(lab):
    follower = (
        SLED.replace("slide", "after")
        .replace("sled", "tender")
        .replace("</joint>", '<mimic joint="slide" offset="3"/></joint>')
    )
    robot = lab.load_text(SLED + follower.partition("/>")[2]).object
    result = bake_robot(bpy.context, robot, BakeSettings(1, 25))
    assert "leaders hold joints beyond their limits, which do not act: after by 1" in (
        result.summary()
    )
    assert result.trajectory.q[-1] == pytest.approx([-0.5], abs=1e-9)


def test_a_start_in_the_floor_is_lifted_out_of_it_and_told(lab, scene):
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.15))
    result = bake_robot(bpy.context, robot, floor_settings(6))
    assert result.trajectory.q[:, 2] == pytest.approx(0.2, abs=1e-9)
    assert "starts in the floor, and was lifted out of it by 0.05 m" in result.summary()
    # Blender's digits are not worth telling
    scene.place(robot, (0.0, 0.0, np.float32(0.2) - 1e-8))
    assert "lifted" not in bake_robot(bpy.context, robot, floor_settings(6)).summary()


def test_hold_pose_holds_against_gravity(lab):
    robot = lab.load_text(SLED.replace('effort="1"', 'effort="100"')).object
    set_joint_values(open_rig(robot), {"slide": 0.25})
    held = bake_robot(
        bpy.context, robot, BakeSettings(1, 49, contact=ContactSettings(motors="HOLD"))
    )
    # k = I w^2, w = 2 pi 5 Hz: it sags by g / w^2
    sag = 9.81 / (10.0 * np.pi) ** 2
    assert held.trajectory.q[-1] == pytest.approx([0.25 - sag], abs=1e-4)
    bpy.context.scene.frame_set(1)
    weak = lab.load_text(SLED).object
    fallen = bake_robot(
        bpy.context, weak, BakeSettings(1, 49, contact=ContactSettings(motors="HOLD"))
    )
    assert fallen.trajectory.q[-1] == pytest.approx([-0.5], abs=1e-9)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ('<cylinder radius=".1" length=".4"/>', "link 'crate' touches with a cylinder"),
        ('<mesh filename="{ball}"/>', "link 'crate' touches with a mesh with 482 corners"),
    ],
)
def test_shapes_that_it_does_not_know_name_link_and_way_out(lab, scene, shape, words):
    file = lab.folder / "ball.obj"
    angles = np.linspace(0.0, 2.0 * np.pi, 32, endpoint=False)
    rings = np.linspace(0.0, np.pi, 17)[1:-1]
    points = [(0, 0, 1), (0, 0, -1)] + [
        (np.sin(b) * np.cos(a), np.sin(b) * np.sin(a), np.cos(b)) for b in rings for a in angles
    ]
    lines = [f"v {x} {y} {z}" for x, y, z in points]
    lines += [f"f {i} {i + 1} {i + 2}" for i in range(1, len(points) - 1)]
    file.write_text("\n".join(lines))
    robot = lab.load_text(crate(shape.format(ball=file)), True).object
    bpy.context.view_layer.objects.active = robot
    with pytest.raises(RuntimeError, match=words) as caught:
        bpy.ops.dynarig.bake_simulation(**FLOOR)
    assert "choose the scheme 'Contacts with friction'" in str(caught.value)
    # a link that does not collide needs no shape
    open_rig(robot).pose_bone("floating_base").bone.dynarig.collides = False
    bpy.ops.dynarig.bake_simulation(frame_end=3, **FLOOR)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"friction": 0.3}, "friction 0.3: 'Exact impacts' know none"),
        ({"contact_step": 0.001}, "a contact step of 0.001 s"),
        ({"use_self_collision": True}, "links that touch each other"),
        ({"ground_objects": [{"name": "table"}]}, "picked objects as the ground"),
    ],
)
def test_what_it_does_not_know_is_refused_and_not_left_out(lab, options, words):
    robot = ball(lab)
    bpy.context.view_layer.objects.active = robot
    with pytest.raises(RuntimeError, match=words) as caught:
        bpy.ops.dynarig.bake_simulation(**options)
    assert "choose the scheme 'Contacts with friction' (FRICTION)" in str(caught.value)
    assert robot.animation_data is None or robot.animation_data.action is None


def test_points_of_a_mesh_are_the_corners_that_touch(lab, scene):
    file = lab.folder / "crate.obj"
    lines = [f"v {x * 1000} {y * 1000} {z * 1000}" for x, y, z in CORNERS]
    lines += ["f 1 2 4 3", "f 5 7 8 6", "f 1 5 6 2", "f 3 4 8 7", "f 1 3 7 5", "f 2 6 8 4"]
    file.write_text("\n".join(lines))
    mesh = f'<mesh filename="{file}" scale=".001 .001 .001"/>'
    robot = lab.load_text(crate(mesh), True).object
    before = {block.name for block in bpy.data.meshes}, len(bpy.data.objects), len(bpy.data.scenes)
    scene.place(robot, (0.0, 0.0, 0.4), TUMBLING)
    scene.bake(robot, frame_start=1, frame_end=30, **FLOOR)
    after = {block.name for block in bpy.data.meshes}, len(bpy.data.objects), len(bpy.data.scenes)
    assert after == before
    heights = scene.lowest(robot, 1, 30)
    assert heights.min() > -1e-3
    assert heights[-4:] == pytest.approx(0.0, abs=1e-4)


def test_a_missing_mesh_is_told(lab):
    robot = lab.load_text(crate('<mesh filename="nowhere.stl"/>'), True).object
    result = bake_robot(bpy.context, robot, floor_settings(3))
    assert "'nowhere.stl': not found" in result.summary()
    assert "has no shape that could touch anything" in result.summary()


def test_a_robot_without_collision_geometry_touches_with_what_is_seen(lab, scene):
    seen = '<visual><geometry><box size=".2 .3 .4"/></geometry></visual>'
    robot = lab.load_text(crate("", seen), True).object
    scene.place(robot, (0.0, 0.0, 0.3))
    result = bake_robot(bpy.context, robot, floor_settings(12))
    assert result.trajectory.q[-1][2] == pytest.approx(0.2, abs=1e-9)
    assert "has no collision geometry: what is seen touches" in result.summary()
