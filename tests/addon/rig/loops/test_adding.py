"""Loop joints between links as they stand: where both ends take hold, and what is refused."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.loops import (
    KINDS,
    WORLD,
    add_loop,
    loop_constraints,
    read_loops,
    update_loop,
)
from dynarig.addon.errors import RigError
from dynarig.core.dynamics import System
from dynarig.core.dynamics.constraints.kinematics import Places
from dynarig.core.dynamics.evaluation import evaluate
from mathutils import Euler, Matrix

from ....close import assert_close

GROUND = 0.45  # m, from the crank's pivot to the rocker's


def system(four_bar):
    """The robot's system with its loop joints."""
    rig, model = four_bar.lab.open(four_bar.result)
    loops = read_loops(four_bar.object)
    return System(model, constraints=loop_constraints(rig, model, loops))


def residual(own, q):
    """The rows of a system at q, of which no masses are asked."""
    places = Places.of(evaluate(own.model, q))
    return own.rows.positions(np.asarray(0.0), q, np.zeros(own.model.nv), places).residual


def place(obj):
    """Where an object is in the scene, evaluated."""
    bpy.context.view_layer.update()
    return np.array(obj.matrix_world)


def test_the_closed_angles_close_the_loop(four_bar):
    """The oracle of these tests against the core's own kinematics."""
    for drive in (0.0, 0.7, 2.0, -2.5):
        assert four_bar.gap(four_bar.closed(drive)) < 1e-15
    assert_close(four_bar.closed(0.0), np.zeros(3), 1e-15)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("DISTANCE", "SCREW")])
def test_a_joint_holds_where_it_was_added_and_along_the_closed_motion(four_bar, kind):
    four_bar.close(kind)
    own = system(four_bar)
    assert own.constraints[0].name == read_loops(four_bar.object)[0].name
    q = np.zeros(3) if kind in ("WELD", "PRISMATIC", "UNIVERSAL") else four_bar.closed(1.2)
    assert_close(residual(own, np.zeros(3)), 0.0, 1e-7)
    assert_close(residual(own, q), 0.0, 1e-7)
    # and it is no relation that always holds, except where the axis leaves the plane's motion free
    if kind != "POINT_ON_PLANE":
        assert np.abs(residual(own, np.array([0.3, 0.5, -0.2]))).max() > 1e-2


def test_the_axis_is_the_z_axis_of_the_empty(four_bar):
    """A plane across z of an Empty that lies in the plane of motion keeps the height along it."""
    frame = np.eye(4)
    frame[:3, 3] = GROUND, 0.0, 0.0
    add_loop(four_bar.object, "POINT_ON_PLANE", "pivot", "rocker_end", frame)
    own = system(four_bar)
    for drive in (0.4, -0.9):
        q = np.array([drive, 0.0, 0.0])
        # the whole chain turns about y as one body
        assert_close(residual(own, q), [-GROUND * np.sin(drive)], 1e-7)


@pytest.mark.parametrize("scale", [1.0, 0.25, 40.0])
def test_a_robot_that_is_moved_turned_and_scaled_has_the_same_constraints(four_bar, scale):
    four_bar.close()
    before = read_loops(four_bar.object)[0]
    bpy.data.objects.remove(bpy.data.objects[before.name])
    turn = Euler((0.3, -0.8, 1.9)).to_matrix().to_4x4()
    four_bar.object.matrix_world = (
        Matrix.Translation((3.0, -2.0, 1.0)) @ turn @ Matrix.Scale(scale, 4)
    )
    obj = four_bar.close()
    after = read_loops(four_bar.object)[0]
    for old, new in zip(before.ends, after.ends, strict=True):
        assert_close(new.link_from_loop, old.link_from_loop, 2e-6)
        rotation = new.link_from_loop[:3, :3]
        assert_close(rotation @ rotation.T, np.eye(3), 1e-12)
    # the Empty is where the joint is, whatever the scale
    world = place(obj)
    assert_close(world[:3, 3], four_bar.pivot()[:3, 3], 1e-5 * max(scale, 1.0))
    assert_close(world[:3, :3], four_bar.pivot()[:3, :3], 1e-5 * max(scale, 1.0))
    # and a robot that is moved afterwards takes its loop along
    four_bar.object.location = (0.0, 0.0, 0.0)
    assert_close(residual(system(four_bar), four_bar.closed(0.5)), 0.0, 2e-6)


def test_the_empty_goes_with_the_first_link(four_bar):
    obj = four_bar.close()
    assert (obj.parent, obj.type) == (four_bar.object, "EMPTY")
    assert_close(place(obj), four_bar.pivot(), 1e-6)
    q = four_bar.closed(1.5)
    four_bar.pose(*q)
    assert_close(place(obj)[:3, 3], [GROUND, 0.0, 0.0], 1e-6)
    four_bar.pose(0.0, 0.0, 0.3)
    assert np.abs(place(obj)[:3, 3] - [GROUND, 0.0, 0.0]).max() > 0.05


def test_a_joint_that_is_added_in_another_pose_holds_there(four_bar):
    q = four_bar.closed(-1.1)
    four_bar.pose(*q)
    four_bar.close()
    own = system(four_bar)
    assert_close(residual(own, four_bar.q()), 0.0, 1e-12)
    assert_close(residual(own, np.zeros(3)), 0.0, 1e-6)


def test_a_rod_has_the_present_length_or_a_given_one(four_bar):
    # from the crank's own tip to the rocker's origin: as long as the coupler
    tip = [0.0, 0.0, 0.1]
    obj = add_loop(four_bar.object, "DISTANCE", "crank", "rocker", tip)
    assert read_loops(four_bar.object)[0].number == pytest.approx(0.3, abs=1e-7)
    # the coupler keeps it: it holds in every pose
    assert_close(residual(system(four_bar), np.array([0.4, 1.0, -0.3])), 0.0, 1e-7)
    obj["dynarig_loop_length"] = 0.25
    assert_close(residual(system(four_bar), np.zeros(3)), [0.05], 1e-7)
    bpy.data.objects.remove(obj)
    add_loop(four_bar.object, "DISTANCE", "crank", "rocker", tip, number=0.31)
    assert_close(residual(system(four_bar), np.zeros(3)), [-0.01], 1e-7)


def test_a_rods_length_is_that_of_the_robot_and_not_of_the_scene(four_bar):
    four_bar.object.scale = (10.0, 10.0, 10.0)
    add_loop(four_bar.object, "DISTANCE", "crank", "rocker", [0.0, 0.0, 1.0])
    assert read_loops(four_bar.object)[0].number == pytest.approx(0.3, abs=1e-6)


def test_a_screw_slides_by_its_lead_in_a_turn(lab):
    body = "<link name='base'/>"
    for name in ("nut", "bolt"):
        body += (
            f"<link name='{name}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
            "ixy='0' ixz='0' iyz='0'/></inertial></link>"
        )
    slide, turn = ("prismatic", "continuous")
    limit = "<limit lower='-9' upper='9' effort='1' velocity='1'/>"
    body += (
        f"<joint name='slide' type='{slide}'><parent link='base'/><child link='nut'/>"
        f"<axis xyz='0 0 1'/>{limit}</joint>"
        f"<joint name='turn' type='{turn}'><parent link='nut'/><child link='bolt'/>"
        "<axis xyz='0 0 1'/></joint>"
    )
    result = lab.load_text(body)
    rig, model = lab.open(result)
    with pytest.raises(RigError, match="lead"):
        add_loop(result.object, "SCREW", "base", "bolt", np.eye(4))
    add_loop(result.object, "SCREW", "base", "bolt", np.eye(4), number=0.02)
    own = System(model, constraints=loop_constraints(rig, model, read_loops(result.object)))
    q = np.zeros(2)
    q[model.q_index("slide")], q[model.q_index("turn")] = 0.005, 0.5 * np.pi
    assert_close(residual(own, q), 0.0, 1e-12)
    q[model.q_index("slide")] = 0.007
    assert np.abs(residual(own, q)).max() == pytest.approx(0.002, abs=1e-12)


def test_the_world_is_the_armature_also_for_a_robot_that_floats(lab, data):
    result = lab.load_file(data / "loops" / "four_bar.urdf", floating_base=True)
    rig, model = lab.open(result)
    add_loop(result.object, "BALL", "ground", None, [0.0, 0.0, 0.0])
    add_loop(result.object, "BALL", WORLD, "rocker_end", [GROUND, 0.0, 0.0])
    loops = read_loops(result.object)
    assert [(loop.a.link, loop.b.link) for loop in loops] == [
        ("ground", None),
        (None, "rocker_end"),
    ]
    own = System(model, constraints=loop_constraints(rig, model, loops))
    q = model.neutral()
    q[model.q_index("floating_base")][:3] = 0.1, 0.2, 0.3
    assert_close(residual(own, q), [-0.1, -0.2, -0.3, 0.1, 0.2, 0.3], 1e-7)


def test_nothing_but_the_empty_is_new(four_bar, inventory):
    before = inventory()
    selected = bpy.context.selected_objects[:]
    obj = four_bar.close()
    after = inventory()
    # from 5.3 on there is a list of all kinds too
    changed = {kind for kind in after if after[kind] != before[kind]} - {"all_ids"}
    assert changed == {"objects"}
    assert after["objects"] - before["objects"] == {obj.name}
    assert (bpy.context.selected_objects[:], bpy.context.object) == (selected, four_bar.object)
    assert obj.name in four_bar.result.collection.objects


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (("HINGES", "crank", "rocker", np.eye(4)), "HINGE"),
        (("HINGE", "crank", "nowhere", np.eye(4)), "second end.*'nowhere'.*rocker_end"),
        (("HINGE", "bone_1", "rocker", np.eye(4)), "first end.*'bone_1'"),
        (("HINGE", "rocker", "rocker_end", np.eye(4)), "no joint moves 'rocker'"),
        (("HINGE", None, "pivot", np.eye(4)), "no joint moves 'world' and 'pivot'"),
        (("HINGE", "crank", "rocker", np.zeros((4, 4))), "no length"),
        (("HINGE", "crank", "rocker", [np.nan, 0, 0]), "finite"),
        (("HINGE", "crank", "rocker", "here"), "wanted numbers"),
        (("DISTANCE", "pivot", "rocker_end", [GROUND, 0, 0]), "one place"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(four_bar, inventory, arguments, match):
    before = inventory()
    with pytest.raises(RigError, match=f"(?s){match}"):
        add_loop(four_bar.object, *arguments)
    assert inventory() == before


def test_numbers_that_do_not_fit_are_refused(four_bar, inventory):
    before = inventory()
    for kind, number in (("HINGE", 1.0), ("DISTANCE", -1.0), ("DISTANCE", np.inf), ("SCREW", 0.0)):
        with pytest.raises(RigError, match="wanted"):
            add_loop(four_bar.object, kind, "crank", "rocker", [0, 0, 0.2], number=number)
    assert inventory() == before


def test_a_robot_that_cannot_have_one_says_why(four_bar):
    four_bar.object.scale = (1.0, 2.0, 1.0)
    with pytest.raises(RigError, match=r"'four_bar'.*one positive scale"):
        four_bar.close()
    four_bar.object.scale = (1.0, 1.0, 1.0)
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RigError, match="edit mode"):
        four_bar.close()
    bpy.ops.object.mode_set(mode="OBJECT")
    cube = bpy.data.objects.new("cube", None)
    with pytest.raises(RigError, match="'cube' is no robot"):
        add_loop(cube, "BALL", "crank", None, [0, 0, 0])


def test_a_moved_empty_counts_after_an_update_only(four_bar):
    obj = four_bar.close("BALL")
    before = read_loops(four_bar.object)[0]
    obj.location.x += 0.1
    assert_close(read_loops(four_bar.object)[0].a.link_from_loop, before.a.link_from_loop, 0.0)
    here = place(obj)[:3, 3]
    update_loop(obj)
    after = read_loops(four_bar.object)[0]
    assert np.abs(after.a.link_from_loop[:3, 3] - before.a.link_from_loop[:3, 3]).max() > 0.05
    assert_close(residual(system(four_bar), np.zeros(3)), 0.0, 1e-7)
    assert_close(place(obj)[:3, 3], here, 1e-6)


def test_an_update_of_one_end_opens_the_loop_by_what_the_empty_was_moved(four_bar):
    obj = four_bar.close("BALL")
    obj.location = obj.location + obj.matrix_basis.to_3x3() @ Matrix.Identity(3).col[0] * 0.02
    moved = place(obj)[:3, 3] - [GROUND, 0.0, 0.0]
    update_loop(obj, "SECOND")
    assert_close(np.linalg.norm(residual(system(four_bar), np.zeros(3))), 0.02, 1e-6)
    assert np.linalg.norm(moved) == pytest.approx(0.02, abs=1e-6)
    # the Empty shows the first end again
    assert_close(place(obj)[:3, 3], [GROUND, 0.0, 0.0], 1e-6)


def test_an_update_measures_a_rod_anew_unless_it_keeps_its_length(four_bar):
    obj = add_loop(four_bar.object, "DISTANCE", "crank", "rocker", [0.0, 0.0, 0.1])
    obj.matrix_world = Matrix.Translation((0.24, 0.0, 0.08))
    bpy.context.view_layer.update()
    assert update_loop(obj, "FIRST").number == pytest.approx(0.2, abs=1e-6)
    obj.matrix_world = Matrix.Translation((0.24, 0.0, 0.18))
    assert update_loop(obj, keep_number=True).number == pytest.approx(0.2, abs=1e-6)
    assert update_loop(obj).number == pytest.approx(0.1, abs=1e-6)


def test_an_update_may_change_the_kind(four_bar):
    obj = four_bar.close("BALL")
    assert obj.empty_display_type == "SPHERE"
    assert update_loop(obj, kind="HINGE").kind.id == "HINGE"
    assert obj.empty_display_type == "SINGLE_ARROW"
    assert_close(residual(system(four_bar), four_bar.closed(0.8)), 0.0, 1e-7)
    with pytest.raises(RigError, match="lead"):
        update_loop(obj, kind="SCREW")
    assert read_loops(four_bar.object)[0].kind.id == "HINGE"


def test_an_empty_of_any_size_is_as_good(four_bar):
    obj = four_bar.close()
    obj.scale = (2.0, -3.0, 0.5)
    update_loop(obj)
    assert_close(obj.scale, (1.0, 1.0, 1.0), 0.0)
    joint = read_loops(four_bar.object)[0]
    assert_close(joint.b.link_from_loop, four_bar.about_y, 1e-6)
