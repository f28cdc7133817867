"""A bake does all or nothing, refuses what Blender cannot hold, and says what bends the motion."""

import dataclasses
import math

import bpy
import numpy as np
import pytest
from dynarig.addon import compat
from dynarig.addon.blender.bake import bake, untouched
from dynarig.addon.blender.bake.bake import bake_robot, prepare_bake, write_bake
from dynarig.addon.blender.bake.checks import LARGEST_EXACT, LARGEST_VALUE
from dynarig.addon.blender.bake.settings import LAST_FRAME, BakeSettings, whole_frames
from dynarig.addon.blender.joint_limits import MUTED_KEY
from dynarig.addon.errors import RigError
from dynarig.core.trajectory import Trajectory

SPINNER = """
<link name="base"/>
<link name="wheel"><inertial><origin xyz="0 .1 0"/><mass value="1"/>
 <inertia ixx=".1" ixy="0" ixz="0" iyy=".1" iyz="0" izz=".1"/></inertial></link>
<link name="flap"/>
<joint name="turn" type="continuous"><parent link="base"/><child link="wheel"/>
 <axis xyz="1 0 0"/></joint>
<joint name="fold" type="revolute"><parent link="base"/><child link="flap"/><axis xyz="1 0 0"/>
 <limit lower="-0.01" upper="0.01" effort="1" velocity="1"/><mimic joint="turn"/></joint>"""
NAN, INF = math.nan, math.inf


@pytest.fixture
def robot(lab):
    return lab.load_text(SPINNER).object


def settings(**changes):
    return BakeSettings(**{"frame_start": 1, "frame_end": 5, **changes})


def motion(obj, *values):
    """The joint at these values, one a frame."""
    plan = prepare_bake(bpy.context, obj, settings())
    return Trajectory.from_table(
        plan.model, np.arange(len(values)) / 24.0, np.array(values)[:, None]
    )


def keys(obj):
    channels = compat.existing_channels(obj)
    if channels is None:
        return {}
    return {
        (curve.data_path, curve.array_index): [tuple(point.co) for point in curve.keyframe_points]
        for curve in channels
    }


def state(obj):
    """All that a bake may change on a robot."""
    animation = obj.animation_data
    bones = [
        [
            *(str(getattr(bone, name)) for name in untouched.POSE[:1]),
            *(tuple(getattr(bone, name)) for name in ("location", "rotation_euler", "scale")),
            *(tuple(getattr(bone, name)) for name in ("lock_location", "lock_rotation")),
            *(item.mute for item in bone.constraints),
            bone.get(MUTED_KEY),
        ]
        for bone in obj.pose.bones
    ]
    action = animation.action.name if animation and animation.action else None
    return bones, action, keys(obj), sorted(action.name for action in bpy.data.actions)


def disarrange(obj):
    bone = obj.pose.bones["wheel"]
    bone.rotation_mode = "XYZ"
    bone.location, bone.scale, bone.lock_location = (1, 2, 3), (2, 2, 2), (False, True, False)
    for item in obj.pose.bones["flap"].constraints:
        item.mute = False


@pytest.mark.parametrize("before", ["nothing", "baked", "foreign", "shared"])
@pytest.mark.parametrize(
    "part", ["write_keys", "clear_other_curves", "mute_left_limits", "set_mimic_drivers"]
)
def test_a_bake_that_fails_leaves_the_robot_as_it_was(robot, before, part, monkeypatch):
    if before in ("baked", "shared"):
        bake_robot(bpy.context, robot, settings())
    if before == "foreign":
        robot.animation_data_create().action = bpy.data.actions.new("walk")
    if before == "shared":
        robot.copy().name = "other"
    disarrange(robot)
    old, work = state(robot), getattr(bake, part)

    def broken(*arguments):
        work(*arguments)
        raise MemoryError(part)

    monkeypatch.setattr(bake, part, broken)
    with pytest.raises(MemoryError):
        bake_robot(bpy.context, robot, settings(gravity=(0, 3, 9)))
    assert state(robot) == old


def test_a_failed_first_bake_leaves_no_action(robot, monkeypatch):
    monkeypatch.setattr(bake, "mute_left_limits", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        bake_robot(bpy.context, robot, settings())
    assert not bpy.data.actions


def test_a_bake_leaves_one_action_and_its_users(robot):
    for _ in range(3):
        bake_robot(bpy.context, robot, settings())
    assert [(action.name, action.users) for action in bpy.data.actions] == [("made motion", 1)]


def test_a_motion_of_another_robot_is_refused_untouched(lab, robot):
    plan = prepare_bake(bpy.context, robot, settings())
    other = lab.load_text(
        SPINNER.replace("continuous", "planar").replace('<mimic joint="turn"/>', "")
    )
    away = prepare_bake(bpy.context, other.object, settings())
    table = Trajectory.from_table(away.model, [0, 1], np.zeros((2, away.model.nq)))
    disarrange(robot)
    old = state(robot)
    with pytest.raises(RigError, match=r"'turn'.* 1 channels.* 3 coordinates"):
        write_bake(bpy.context, plan, table, 0.0)
    assert state(robot) == old


@pytest.mark.parametrize("slotted", [True, False])
def test_a_linked_action_is_copied_and_the_bake_lasts(lab, robot, slotted, tmp_path):
    bake_robot(bpy.context, robot, settings(frame_end=10))
    robot.animation_data.action.name = "from library"
    library, file = str(tmp_path / "library.blend"), str(tmp_path / "user.blend")
    bpy.data.libraries.write(library, {robot.animation_data.action}, fake_user=True)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    obj = lab.load_text(SPINNER).object
    with bpy.data.libraries.load(library, link=True) as (there, here):
        here.actions = list(there.actions)
    linked = bpy.data.actions[0]
    obj.animation_data_create().action = linked
    if slotted and compat.HAS_ACTION_SLOTS:
        obj.animation_data.action_slot = linked.slots[0]
    result = bake_robot(bpy.context, obj, settings(use_limits=False))
    assert result.channels == 1
    assert obj.animation_data.action.library is None
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.open_mainfile(filepath=file)
    kept = keys(bpy.data.objects["made"])
    assert [[x for x, _ in points] for points in kept.values()] == [[1, 2, 3, 4, 5]]


def test_a_robot_in_edit_mode_is_refused(robot):
    plan = prepare_bake(bpy.context, robot, settings())
    bpy.context.view_layer.objects.active = robot
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RigError, match="edit mode"):
        prepare_bake(bpy.context, robot, settings())
    bpy.ops.object.mode_set(mode="OBJECT")
    table = motion(robot, 0.0, 0.1)
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RigError, match="edit mode"):
        write_bake(bpy.context, plan, table, 0.0)


@pytest.mark.parametrize("value", [1.1 * LARGEST_VALUE, 1e30, 1e300])
def test_values_beyond_an_f_curve_are_refused_untouched(robot, value):
    table, old = motion(robot, 0.0, -value), state(robot)
    with pytest.raises(RigError, match=r"'turn' reaches .* wanted values up to 1e\+06"):
        bake_robot(bpy.context, robot, settings(), table)
    assert state(robot) == old


@pytest.mark.parametrize("sign", [1, -1])
def test_the_report_says_where_digits_do_not_suffice(robot, sign):
    near, far = (sign * factor * LARGEST_EXACT for factor in (0.9, 1.1))
    assert not bake_robot(bpy.context, robot, settings(), motion(robot, 0.0, near)).warnings
    result = bake_robot(bpy.context, robot, settings(), motion(robot, 0.0, far))
    (line,) = result.warnings
    assert "'turn' reaches 6912 rad" in line
    assert line in result.summary()


def test_the_report_names_drivers_and_constraints_of_others(robot):
    loose = settings(use_limits=False)
    assert not bake_robot(bpy.context, robot, loose).warnings
    bone = robot.pose.bones["wheel"]
    for path, index in (("rotation_euler", 1), ("location", 0)):
        bone.driver_add(path, index).driver.expression = "0.5"
    robot.driver_add("location", 0).driver.expression = "0"
    added = bone.constraints.new("COPY_ROTATION")
    added.name = "two\nlines"
    for muted in (bone.constraints.new("TRACK_TO"), bone.constraints.new("LIMIT_SCALE")):
        muted.mute = True
    result = bake_robot(bpy.context, robot, loose)
    assert len(result.warnings) == 3
    assert "joint 'turn' has a driver" in result.summary()
    assert "the armature object 'made' is animated" in result.summary()
    assert "constraint 'two lines'" in result.summary()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"frame_end": LAST_FRAME + 1}, "Blender has frames"),
        ({"frame_start": -LAST_FRAME - 1}, "Blender has frames"),
        ({"frame_start": 5}, "after the start"),
        ({"fps": NAN}, "frame rate"),
        ({"gravity": (0.0, INF, 0.0)}, "gravity"),
        ({"tolerance": NAN}, "tolerance"),
        ({"tolerance": 0.0}, "tolerance"),
    ],
)
def test_settings_are_checked_before_anything_is_made(robot, changes, words):
    plan = prepare_bake(bpy.context, robot, settings())
    table, old = motion(robot, 0.0, 0.1), state(robot)
    with pytest.raises(RigError, match=words):
        prepare_bake(bpy.context, robot, settings(**changes))
    with pytest.raises(RigError, match=words):
        write_bake(
            bpy.context,
            dataclasses.replace(plan, settings=settings(**changes)),
            table,
            0.0,
        )
    assert state(robot) == old


@pytest.mark.parametrize("seconds", [NAN, INF, -1.0, 0.0, 1e6, 1e300])
def test_a_duration_beyond_blenders_frames_is_refused(seconds):
    with pytest.raises(RigError, match="frames"):
        whole_frames(seconds, 24.0)


@pytest.mark.parametrize("path", ["location", "rotation_euler", "scale"])
def test_an_armature_whose_transform_is_not_finite_is_refused(robot, path):
    setattr(robot, path, (NAN, 1.0, 1.0))
    bpy.context.view_layer.update()
    with pytest.raises(RigError, match="not a finite number"):
        prepare_bake(bpy.context, robot, settings())


def test_frames_of_the_operator_are_neither_cut_nor_turned_to_zero(robot):
    bpy.context.view_layer.objects.active = robot
    bpy.ops.dynarig.bake_simulation(frame_start=-5, frame_end=-2, use_limits=False)
    assert [[x for x, _ in points] for points in keys(robot).values()] == [[-5, -4, -3, -2]]
    for frames in ({"frame_end": 2_000_000}, {"frame_start": -2_000_000}, {"duration": 1e30}):
        with pytest.raises(RuntimeError, match="Blender has frames"):
            bpy.ops.dynarig.bake_simulation(**frames)


def test_a_table_of_a_huge_span_is_refused(robot, tmp_path):
    bpy.context.view_layer.objects.active = robot
    file = tmp_path / "long.csv"
    file.write_text("time,turn\n0,0\n1e300,1\n")
    for range_kind in ("SCENE", "DURATION"):
        bpy.context.scene.dynarig.range = range_kind
        if range_kind == "SCENE":
            with pytest.raises(RuntimeError, match="Blender has frames"):
                bpy.ops.dynarig.bake_simulation(trajectory=str(file))
        else:
            bpy.ops.dynarig.bake_simulation(trajectory=str(file), duration=0.5)
