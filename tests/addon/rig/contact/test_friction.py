"""Contacts with friction by the Bake operator: floor, picked objects, bones, a robot that lands."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.bake.bake import bake_robot, prepare_bake, simulate_bake
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.contact.moving import may_change
from dynarig.addon.blender.contact.report import with_few_pairs
from dynarig.addon.blender.contact.settings import ContactSettings
from dynarig.addon.blender.loops import add_loop
from dynarig.addon.blender.pose import set_joint_values
from dynarig.addon.blender.rig_access import open_rig
from dynarig.addon.job import Run
from dynarig.addon.operators.bake_simulation import settings_of_scene

from .conftest import SLED, crate

TUMBLING = (1.0, 0.2, 0.3, 0.1)
FLOOR = {"scheme": "FRICTION", "ground": "FLOOR"}


def settings(end, **contact):
    given = {"scheme": "FRICTION", "ground": "FLOOR", **contact}
    return BakeSettings(1, end, contact=ContactSettings(**given))


def slope(angle, size=5.0, name="slope"):
    """A plane mesh that is turned about y, so that it falls along +x."""
    mesh = bpy.data.meshes.new(name)
    half = 0.5 * size
    corners = [(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    obj = bpy.data.objects.new(name, mesh)
    obj.rotation_euler = (0.0, angle, 0.0)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    return obj


def test_a_box_falls_on_the_floor_and_stays_above_it(lab, scene):
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.1, 0.0, 0.8), TUMBLING)
    scene.bake(robot, frame_start=1, frame_end=49, restitution=0.3, friction=0.6, **FLOOR)
    heights = scene.lowest(robot, 1, 49)
    assert heights.min() > -1e-3
    assert heights[:40].max() > 0.3
    assert heights[-8:] == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize(("friction", "sticks"), [(0.5, True), (0.3, False)])
def test_a_box_on_a_picked_slope_sticks_or_slides(lab, scene, friction, sticks):
    angle = np.radians(22.0)
    ramp = slope(angle)
    robot = lab.load_text(crate(), True).object
    turn = (np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0)
    scene.place(robot, 0.2 * np.array([np.sin(angle), 0.0, np.cos(angle)]), turn)
    scene.bake(
        robot,
        frame_start=1,
        frame_end=25,
        scheme="FRICTION",
        friction=friction,
        ground_objects=[{"name": ramp.name}],
    )
    up = (np.sin(angle), 0.0, np.cos(angle), 0.0)
    assert scene.lowest(robot, 1, 25, up=up).min() > -1e-3
    bpy.context.scene.frame_set(25)
    moved = np.array(robot.pose.bones[0].matrix.translation) @ (np.cos(angle), 0, -np.sin(angle))
    pull = 0.0 if sticks else 9.81 * (np.sin(angle) - friction * np.cos(angle))
    assert moved == pytest.approx(0.5 * pull, abs=5e-3)


def test_a_scaled_robot_lands_on_what_it_is_seen_on(lab, scene):
    ramp = slope(0.0)
    ramp.location = (0.0, 0.0, 0.5)
    robot = lab.load_text(crate(), True).object
    robot.location, robot.scale = (0.3, -0.2, 1.2), (0.5, 0.5, 0.5)
    robot.rotation_euler = (0.1, 0.2, 1.0)
    bpy.context.view_layer.update()
    scene.bake(
        robot, frame_start=1, frame_end=40, scheme="FRICTION", ground_objects=[{"name": "slope"}]
    )
    heights = scene.lowest(robot, 1, 40, up=(0.0, 0.0, 1.0, -0.5))
    assert heights.min() > -1e-3
    assert heights[-4:] == pytest.approx(0.0, abs=1e-3)
    assert heights[0] - heights[12] == pytest.approx(0.5 * 9.81 * (3 / 24) ** 2, abs=2e-3)


def test_modifiers_of_picked_objects_count(lab, scene):
    ramp = slope(0.0)
    ramp.modifiers.new("thick", "SOLIDIFY").thickness = -0.3  # grows upwards
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.6))
    result = bake_robot(bpy.context, robot, settings(13, ground="OBJECTS", objects=("slope",)))
    assert result.trajectory.q[-1, 2] == pytest.approx(0.5, abs=1e-4)


def test_an_animated_object_is_met_as_it_stands_and_told(lab, scene):
    ramp = slope(0.0)
    ramp.keyframe_insert("location", frame=1)
    ramp.location = (0.0, 0.0, 3.0)
    ramp.keyframe_insert("location", frame=20)
    bpy.context.scene.frame_set(1)
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.3))
    result = bake_robot(bpy.context, robot, settings(13, ground="OBJECTS", objects=("slope",)))
    assert result.trajectory.q[-1, 2] == pytest.approx(0.2, abs=1e-4)
    assert "ground 'slope' is animated: the robot meets it as it stands" in result.summary()


def carrier():
    """An empty that goes up and down."""
    obj = bpy.data.objects.new("lift", None)
    bpy.context.scene.collection.objects.link(obj)
    for frame in (1, 20):
        obj.location.z = frame - 1.0
        obj.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    return obj


def set_in_motion(obj, how):
    """What moves or bends an object of a scene."""
    if how == "constraint":
        obj.constraints.new("COPY_LOCATION").target = carrier()
    elif how == "strip":
        lift = carrier().animation_data
        track = obj.animation_data_create().nla_tracks.new()
        track.strips.new("lift", 1, lift.action)
    elif how == "shape key":
        obj.shape_key_add()
        key = obj.shape_key_add()
        key.keyframe_insert("value", frame=1)
    elif how == "mesh":
        obj.data.vertices[0].keyframe_insert("co", frame=1)
    elif how == "modifier":
        obj.modifiers.new("hook", "HOOK").object = carrier()
    elif how == "grandparent":
        obj.parent = bpy.data.objects.new("between", None)
        obj.parent.parent = carrier()
    elif how == "cloth":
        obj.modifiers.new("cloth", "CLOTH")
    elif how == "still constraint":
        obj.constraints.new("COPY_LOCATION").target = bpy.data.objects.new("nail", None)
    elif how == "switched off":
        obj.constraints.new("COPY_LOCATION").target = carrier()
        obj.constraints[0].mute = True


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("constraint", True),
        ("strip", True),
        ("shape key", True),
        ("mesh", True),
        ("modifier", True),
        ("grandparent", True),
        ("cloth", True),
        ("still constraint", False),
        ("switched off", False),
    ],
)
def test_whatever_moves_the_ground_is_told(how, told):
    ramp = slope(0.0)
    assert not may_change(ramp)
    set_in_motion(ramp, how)
    assert may_change(ramp) is told


@pytest.mark.parametrize("how", ["keys", "driver", "strip", "constraint", "grandparent"])
def test_an_armature_object_that_moves_is_told(lab, scene, how):
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.3))
    words = "the armature object 'made' is animated: the robot is simulated as it stands"
    # what a bake leaves behind moves its bones, and not the object
    for _ in range(2):
        assert words not in bake_robot(bpy.context, robot, settings(3)).summary()
    own = robot.animation_data
    own.nla_tracks.new().strips.new("bake", 1, own.action)
    own.action = None
    assert words not in bake_robot(bpy.context, robot, settings(3)).summary()
    if how == "keys":
        robot.keyframe_insert("location", frame=1)
    elif how == "driver":
        robot.driver_add("rotation_euler", 2)
    else:
        set_in_motion(robot, how)
    assert words in bake_robot(bpy.context, robot, settings(3)).summary()


def test_a_linked_object_is_not_taken_for_one_of_the_same_name(lab, scene, tmp_path):
    ramp, file = slope(0.0), str(tmp_path / "stage.blend")
    bpy.data.libraries.write(file, {ramp})
    ramp.location.z = -5.0
    with bpy.data.libraries.load(file, link=True) as (_, wanted):
        wanted.objects = ["slope"]
    (linked,) = wanted.objects
    bpy.context.scene.collection.objects.link(linked)
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.3))
    panel = bpy.context.scene.dynarig
    panel.scheme, panel.ground = "FRICTION", "OBJECTS"
    bpy.context.scene.dynarig_ground.add().object = linked
    scene.bake(robot, frame_start=1, frame_end=13)
    assert scene.lowest(robot, 10, 13) == pytest.approx(0.0, abs=1e-4)
    # both at once are two grounds
    bpy.context.scene.dynarig_ground.add().object = ramp
    plan = prepare_bake(bpy.context, robot, settings_of_scene(bpy.context.scene))
    assert [own.name for own in plan.contact.colliders] == ["crate", "slope", "ground slope"]


def test_an_object_that_is_gone_is_not_replaced_by_another_of_its_name(lab):
    robot = lab.load_text(crate(), True).object
    ramp = slope(0.0)
    bpy.context.scene.dynarig_ground.add().object = ramp
    bpy.data.objects.remove(ramp)
    slope(0.0)
    bpy.context.view_layer.objects.active = robot
    with pytest.raises(RuntimeError, match="ground: 'slope' is gone"):
        bpy.ops.dynarig.bake_simulation(scheme="FRICTION", ground="OBJECTS")


def test_a_mirrored_object_keeps_its_outside(lab, scene):
    ramp = slope(0.0)
    ramp.scale = (-1.0, 1.0, 1.0)
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.3))
    result = bake_robot(bpy.context, robot, settings(13, ground="OBJECTS", objects=("slope",)))
    assert result.trajectory.q[-1, 2] == pytest.approx(0.2, abs=1e-4)


def test_a_bone_has_friction_and_restitution_of_its_own(lab, scene):
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.2))
    own = open_rig(robot).pose_bone("floating_base").bone.dynarig

    def slid(**contact):
        """How far the box slides under a wind, in half a second."""
        bpy.context.scene.frame_set(1)
        plan = settings(13, **contact)
        windy = BakeSettings(1, 13, gravity=(4.0, 0.0, -9.81), contact=plan.contact)
        return bake_robot(bpy.context, robot, windy).trajectory.q[-1, 0]

    assert slid(friction=0.5) == pytest.approx(0.0, abs=1e-6)
    own.use_friction, own.friction = True, 0.02
    # with the ground's 0.5 that is 0.1
    assert slid(friction=0.5) == pytest.approx(0.5 * (4.0 - 0.981) * 0.25, abs=1e-2)
    own.use_friction = False
    assert slid(friction=0.5) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("scheme", ["EXACT", "FRICTION"])
def test_a_bone_bounces_by_a_restitution_of_its_own(lab, scene, scheme):
    robot = lab.load_text(crate('<sphere radius=".1"/>'), True).object
    scene.place(robot, (0.0, 0.0, 0.6))
    own = open_rig(robot).pose_bone("floating_base").bone.dynarig
    own.use_restitution, own.restitution = True, 0.0
    dead = bake_robot(bpy.context, robot, settings(25, scheme=scheme, restitution=0.8))
    assert dead.trajectory.q[10:, 2] == pytest.approx(0.1, abs=1e-4)
    bpy.context.scene.frame_set(1)
    own.restitution = 0.8
    lively = bake_robot(bpy.context, robot, settings(25, scheme=scheme, restitution=0.0))
    top = lively.trajectory.q[8:, 2].max() - 0.1
    assert top == pytest.approx(0.5 * 0.8**2, rel=0.03)


def test_a_link_that_does_not_collide_falls_through(lab, scene):
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.25))
    open_rig(robot).pose_bone("floating_base").bone.dynarig.collides = False
    result = bake_robot(bpy.context, robot, settings(13))
    assert result.trajectory.q[-1, 2] == pytest.approx(0.25 - 0.5 * 9.81 * 0.25, abs=1e-2)
    assert "has no shape that could touch anything" in result.summary()


def test_limits_stop_joints_and_a_bone_switches_its_own_off(lab):
    robot = lab.load_text(SLED).object
    held = bake_robot(bpy.context, robot, settings(25, ground="NONE"))
    assert held.trajectory.q[-1] == pytest.approx([-0.5], abs=1e-4)
    bone = open_rig(robot).pose_bone("slide").bone
    bone.dynarig.limit_restitution = 0.5
    bpy.context.scene.frame_set(1)
    lively = bake_robot(bpy.context, robot, settings(25, ground="NONE"))
    fall = np.sqrt(2.0 * 0.5 / 9.81)
    assert lively.trajectory.sample(1.5 * fall)[0] == pytest.approx([-0.375], abs=5e-3)
    bone.dynarig.use_limit = False
    bpy.context.scene.frame_set(1)
    loose = bake_robot(bpy.context, robot, settings(25, ground="NONE"))
    assert loose.trajectory.q[-1] == pytest.approx([-0.5 * 9.81], abs=2e-2)


def test_limits_that_curves_swing_beyond_stay_on(lab):
    robot = lab.load("panda").object
    result = bake_robot(bpy.context, robot, settings(49, ground="NONE"))
    lower, upper = result.trajectory.model.limits()
    assert (result.trajectory.q > lower - 1e-5).all()
    assert (result.trajectory.q < upper + 1e-5).all()
    # it does get to some
    assert (result.trajectory.q < lower + 1e-3).any()
    assert result.muted == ()


TWO = f"""<link name="base"/>{crate()}{crate().replace("crate", "lid")}
<joint name="low" type="prismatic"><parent link="base"/><child link="crate"/><axis xyz="0 0 1"/>
<limit lower="-9" upper="9" effort="1" velocity="1"/></joint>
<joint name="high" type="prismatic"><parent link="base"/><child link="lid"/><axis xyz="0 0 1"/>
<limit lower="-9" upper="9" effort="1" velocity="1"/></joint>"""


@pytest.mark.parametrize("touch", [True, False])
def test_links_touch_each_other_where_that_is_asked_for(lab, touch):
    robot = lab.load_text(TWO).object
    set_joint_values(open_rig(robot), {"low": 0.2, "high": 0.8})
    result = bake_robot(bpy.context, robot, settings(25, use_self_collision=touch))
    assert result.trajectory.q[-1] == pytest.approx([0.2, 0.6 if touch else 0.2], abs=1e-3)


def test_links_that_a_loop_joint_connects_do_not_collide(lab):
    robot = lab.load_text(TWO).object
    rig = open_rig(robot)
    set_joint_values(rig, {"low": 0.2, "high": 0.6})
    bpy.context.view_layer.update()
    at_seam = np.eye(4)
    at_seam[2, 3] = 0.4
    add_loop(robot, "HINGE", "crate", "lid", at_seam)
    contact = ContactSettings("FRICTION", "FLOOR", use_self_collision=True)
    plan = prepare_bake(bpy.context, robot, BakeSettings(1, 3, contact=contact))
    assert plan.touching_system().ignored == (("crate", "lid"),)


def test_a_run_that_is_stopped_leaves_everything_untouched(lab, scene, inventory):
    robot = lab.load("solo12", meshes=True).object
    scene.place(robot, (0.0, 0.0, 0.5))
    before, pose = inventory(), [bone.matrix_basis.copy() for bone in robot.pose.bones]
    run = Run(simulate_bake(prepare_bake(bpy.context, robot, settings(2400, motors="HOLD"))))
    for _ in range(30):
        run.advance(0.0)
    run.stop()
    assert 0.0 < run.progress < 1.0
    assert inventory() == before
    assert [bone.matrix_basis for bone in robot.pose.bones] == pose


def test_links_that_overlap_at_the_start_are_told_the_first_of_them(lab):
    robot = lab.load_text(TWO).object
    set_joint_values(open_rig(robot), {"low": 1.2, "high": 1.3})
    result = bake_robot(bpy.context, robot, settings(3, use_self_collision=True))
    assert "overlap at the start and do not collide: 'crate' and 'lid'" in result.summary()
    pairs = ", ".join(f"'{name}' and 'lid'" for name in "abcde")
    told = with_few_pairs(f"overlap: {pairs}")
    assert told == "overlap: 'a' and 'lid', 'b' and 'lid', 'c' and 'lid', and 2 more"


def test_a_start_in_the_ground_is_told_by_name_and_pushed_out(lab, scene):
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.19))
    result = bake_robot(bpy.context, robot, settings(25))
    assert result.trajectory.q[-1, 2] == pytest.approx(0.2, abs=1e-4)
    assert "'crate' starts 0.01 m inside 'floor' and is pushed out" in result.summary()
    assert "scaled by" not in result.summary()
    robot.scale = (2.0, 2.0, 2.0)
    bpy.context.scene.frame_set(1)
    large = bake_robot(bpy.context, robot, settings(3)).summary()
    assert "(lengths are the robot's own, which is scaled by 2)" in large


def test_the_report_says_how_deep_and_is_flawless(lab, scene):
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.5))
    result = bake_robot(bpy.context, robot, settings(25))
    assert "Contacts with friction: at most " in result.summary()
    assert result.is_flawless
    scene.place(robot, (0.0, 0.0, 50.0))
    far = bake_robot(bpy.context, robot, settings(3))
    assert "Contacts with friction: nothing touched" in far.summary()


@pytest.mark.parametrize("flipped", [True, False])
def test_a_body_that_falls_through_is_a_warning_that_says_why(lab, scene, flipped):
    ramp = slope(0.0)
    if flipped:
        ramp.data.flip_normals()
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.4))
    result = bake_robot(bpy.context, robot, settings(25, ground="OBJECTS", objects=("slope",)))
    words = "inside 'slope', and did not come out: its faces may look the other way"
    assert (words in result.summary()) is flipped
    assert result.is_flawless is not flipped


def test_meshes_are_read_in_a_slice_of_their_own_that_is_told(lab, scene):
    slope(0.0)
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.4))
    on_mesh = prepare_bake(bpy.context, robot, settings(5, ground="OBJECTS", objects=("slope",)))
    run = Run(simulate_bake(on_mesh))
    run.advance(60.0)
    assert (run.doing, run.progress, run.finished) == ("Reading the ground", 0.0, False)
    run.advance(60.0)
    assert (run.doing, run.finished) == ("", True)
    # all at once it does not stop for it, and a floor needs no reading
    for plan in (on_mesh, prepare_bake(bpy.context, robot, settings(5))):
        run = Run(simulate_bake(plan))
        run.advance(float("inf"))
        assert run.finished
    run = Run(simulate_bake(plan))
    run.advance(0.0)
    assert run.doing == ""


def test_a_depth_that_is_seen_is_a_warning(lab, scene):
    slope(0.0)
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.19))
    result = bake_robot(bpy.context, robot, settings(25, ground="OBJECTS", objects=("slope",)))
    assert "'crate' was up to 0.01 m inside 'slope'" in result.summary()
    assert "other way" not in result.summary()
    assert not result.is_flawless


def picked(kind):
    """A ground of which something is wrong, and what the error says."""
    collection = bpy.context.scene.collection
    if kind == "gone":
        obj = slope(0.0)
        bpy.data.objects.remove(obj)
        return "slope", "ground: 'slope' is gone"
    if kind == "deleted":
        obj = slope(0.0)
        collection.objects.unlink(obj)
        return "slope", "ground: 'slope' is gone"
    if kind == "camera":
        obj = bpy.data.objects.new("eye", bpy.data.cameras.new("eye"))
        collection.objects.link(obj)
        return "eye", "'eye' is no mesh object but of type CAMERA"
    if kind == "empty":
        obj = bpy.data.objects.new("hollow", bpy.data.meshes.new("hollow"))
        collection.objects.link(obj)
        return "hollow", "'hollow' has no faces"
    if kind == "line":
        mesh = bpy.data.meshes.new("line")
        mesh.from_pydata([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [], [(0, 1, 2)])
        collection.objects.link(bpy.data.objects.new("line", mesh))
        return "line", "'line' has no faces with an area"
    if kind == "hidden":
        slope(0.0).hide_viewport = True
        return "slope", "'slope' is disabled in viewports"
    obj = slope(0.0)
    obj.parent = bpy.context.view_layer.objects.active
    return "slope", "'slope' is a part of the robot 'made' itself"


@pytest.mark.parametrize("kind", ["gone", "deleted", "camera", "empty", "line", "hidden", "own"])
def test_ground_that_cannot_be_used_is_named_and_nothing_changes(lab, inventory, kind):
    robot = lab.load_text(crate(), True).object
    bpy.context.view_layer.objects.active = robot
    name, words = picked(kind)
    before = inventory()
    with pytest.raises(RuntimeError, match=words):
        bpy.ops.dynarig.bake_simulation(scheme="FRICTION", ground_objects=[{"name": name}])
    assert inventory() == before
    assert robot.animation_data is None or robot.animation_data.action is None


def test_a_motion_from_a_file_asks_for_no_ground(lab, scene, tmp_path):
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.4))
    file = tmp_path / "fall.npz"
    baked = bake_robot(bpy.context, robot, settings(13))
    baked.trajectory.save(file)
    panel = bpy.context.scene.dynarig
    panel.ground = "OBJECTS"  # of which there are none
    scene.bake(robot, trajectory=str(file))
    assert scene.lowest(robot, 1, 13).min() > -1e-3
    keys = scene.curve(robot, "floating_base", 2).keyframe_points
    assert len(keys) * 7 == baked.keys


@pytest.mark.parametrize("scheme", ["EXACT", "FRICTION"])
def test_why_nothing_moves_is_told_as_it_is(lab, scene, scheme):
    def told(robot, **more):
        plan = settings(3, scheme=scheme)
        given = BakeSettings(1, 3, contact=plan.contact, **more)
        return bake_robot(bpy.context, robot, given).summary()

    box = lab.load_text(crate('<box size=".5 .5 .5"/>'), True).object
    scene.place(box, (0.0, 0.0, 0.25))
    rest = told(box)
    # steps of time let it sink by less than a micrometre
    assert "does not move: it rests where it starts" in rest or scheme == "FRICTION"
    assert "balanced" not in rest
    scene.place(box, (0.0, 0.0, 0.5))
    assert "balanced where it starts" in told(box, gravity=(0.0, 0.0, 0.0))
    welded = lab.load_text(SLED.replace("-0.5", "0").replace('upper="2"', 'upper="0"')).object
    assert "the limits of its joints leave it no motion" in told(welded)
    stopped = lab.load_text(SLED.replace("-0.5", "0")).object
    assert "it rests where it starts" in told(stopped)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"restitution": 2.0}, "restitution: wanted a number from 0 to 1, got 2"),
        ({"restitution": -1.0}, "restitution: wanted a number from 0 to 1, got -1"),
        ({"friction": -1.0}, "friction: wanted a number from 0 to 1e.06, got -1"),
        ({"friction": float("inf")}, "friction: wanted a number from 0 to 1e.06, got"),
        ({"contact_step": 1e-9}, "contact step: wanted a number from 1e-05 to 0.05 s, got 1e-09"),
        ({"contact_step": 10.0}, "contact step: wanted a number from 1e-05 to 0.05 s, got 10"),
        ({"contact_step": float("nan")}, "contact step: wanted"),
        ({"motor_frequency": -1.0}, "stiffness of motors: wanted a number from 0 to 1000 Hz"),
        ({"motor_frequency": 1e9}, "stiffness of motors: wanted a number from 0 to 1000 Hz"),
        ({"motor_damping": 1e9}, "damping of motors: wanted a number from 0 to 100"),
    ],
)
def test_numbers_that_do_not_fit_are_told_and_not_cut(lab, options, words):
    lab.load_text(crate(), True)
    with pytest.raises(RuntimeError, match=words):
        bpy.ops.dynarig.bake_simulation(**FLOOR, **options)
    assert not len(bpy.data.actions)


def test_the_ends_of_what_is_told_are_taken():
    bpy.context.scene.dynarig.scheme = "FRICTION"
    for step in (1e-5, 0.05):
        bpy.context.scene.dynarig.contact_step = step
        plan = settings_of_scene(bpy.context.scene)
        plan.contact.check()
        assert plan.contact.step == step


def test_no_picked_object_is_an_error(lab):
    lab.load_text(crate(), True)
    with pytest.raises(RuntimeError, match="ground: no object is picked"):
        bpy.ops.dynarig.bake_simulation(scheme="FRICTION", ground="OBJECTS")


def test_the_list_in_the_scene_is_the_ground(lab, scene):
    ramp = slope(0.0)
    other = slope(0.0, name="other")
    robot = lab.load_text(crate(), True).object
    robot.select_set(False)
    for obj in (ramp, other):
        obj.select_set(True)
    assert bpy.ops.dynarig.add_ground() == {"FINISHED"}
    listed = bpy.context.scene.dynarig_ground
    assert {item.title for item in listed} == {"slope", "other"}
    # again, it is a warning, and a renamed object is still the same
    assert bpy.ops.dynarig.add_ground() == {"CANCELLED"}
    ramp.name = "table"
    assert {item.title for item in listed} == {"table", "other"}
    where = [item.title for item in listed].index("other")
    assert bpy.ops.dynarig.remove_ground(index=where) == {"FINISHED"}
    panel = bpy.context.scene.dynarig
    panel.scheme, panel.ground = "FRICTION", "OBJECTS"
    scene.place(robot, (0.0, 0.0, 0.25))
    scene.bake(robot, frame_start=1, frame_end=13)
    assert scene.lowest(robot, 10, 13) == pytest.approx(0.0, abs=1e-4)
    assert bpy.ops.dynarig.clear_ground() == {"FINISHED"}
    assert len(bpy.context.scene.dynarig_ground) == 0


def test_a_bone_keeps_what_it_says_through_edit_mode_and_files(lab, tmp_path):
    robot = lab.load_text(f'<link name="base"/>{SLED.partition("/>")[2]}'.replace("rail", "base"))
    bone = open_rig(robot.object).pose_bone("slide").bone
    bone.dynarig.limit_restitution, bone.dynarig.collides = 0.25, False
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.object.mode_set(mode="OBJECT")
    name, file = robot.object.name, str(tmp_path / "kept.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.open_mainfile(filepath=file)
    kept = open_rig(bpy.data.objects[name]).pose_bone("slide").bone.dynarig
    assert (kept.limit_restitution, kept.collides) == (0.25, False)


def test_one_undo_takes_a_bake_with_ground_back(lab, scene):
    robot = lab.load_text(crate(), True).object
    scene.place(robot, (0.0, 0.0, 0.25))
    name = robot.name
    with bpy.context.temp_override(window=bpy.context.window_manager.windows[0]):
        bpy.ops.ed.undo_push(message="before")
        bpy.ops.dynarig.bake_simulation("EXEC_DEFAULT", True, frame_end=5, **FLOOR)
        assert len(bpy.data.actions) == 1
        bpy.ops.ed.undo()
    assert not len(bpy.data.actions)
    assert bpy.data.objects[name].animation_data is None


def crouch(rig):
    """Solo12 with bent knees, symmetric."""
    legs = {"HAA": 0.0, "HFE": 0.8, "KFE": -1.6}
    pose = {
        joint: legs[joint[-3:]] * (1.0 if joint.startswith("F") else -1.0)
        for joint in rig.bone_of_joint
        if joint[-3:] in legs
    }
    set_joint_values(rig, pose)


def test_a_quadruped_lands_and_stays_on_its_feet(lab, scene):
    robot = lab.load("solo12", meshes=True).object
    crouch(open_rig(robot))
    # half a metre above the height at which it stands
    scene.place(robot, (0.0, 0.0, 0.74))
    baked = bake_robot(bpy.context, robot, settings(49, motors="HOLD"))
    motion = baked.trajectory
    assert baked.warnings == ()
    assert motion.touches.deepest < 1e-3
    # it stands, level, and nothing trembles
    rest = motion.sample(np.linspace(1.6, 2.0, 201))[0]
    assert np.ptp(rest, axis=0).max() < 1e-4
    assert rest[-1, 2] > 0.2
    assert rest[-1, 3:7] == pytest.approx([1.0, 0.0, 0.0, 0.0], abs=0.02)
    # and so does what Blender shows
    heights = scene.lowest_mesh(robot, 1, 49)
    assert heights.min() > -1e-3
    assert heights[0] > 0.4
    assert np.ptp(heights[-40:]) < 1e-4
