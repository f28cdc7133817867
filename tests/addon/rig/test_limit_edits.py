"""Limits that a user edits on bones: a bake, a pose, a panel and an export all go by them."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.contact.settings import ContactSettings
from dynarig.addon.blender.export import export_robot
from dynarig.addon.blender.joint_limits import CONSTRAINT_NAME
from dynarig.addon.blender.pose import get_configuration, set_joint_values
from dynarig.addon.blender.repair import repair_rig
from dynarig.addon.blender.rig_access import open_rig
from dynarig.addon.errors import RigError
from dynarig.addon.panels import limits_text
from dynarig.core.simulate import run, simulate
from dynarig.core.trajectory import read_npz
from dynarig.core.urdf import load_urdf

LIMIT = '<limit lower="-2" upper="2" effort="5" velocity="3"/>'
BODY = f"""
<link name="base"/>
<link name="upper"><inertial><origin xyz="0.2 0 0"/><mass value="1"/>
 <inertia ixx=".01" ixy="0" ixz="0" iyy=".01" iyz="0" izz=".01"/></inertial></link>
<link name="fore"><inertial><origin xyz="0.2 0 0"/><mass value="1"/>
 <inertia ixx=".01" ixy="0" ixz="0" iyy=".01" iyz="0" izz=".01"/></inertial></link>
<joint name="shoulder" type="TYPE"><parent link="base"/><child link="upper"/><axis xyz="AXIS"/>
 {LIMIT}</joint>
<joint name="elbow" type="revolute"><origin xyz="0.4 0 0"/><parent link="upper"/>
 <child link="fore"/><axis xyz="0 1 0"/><limit lower="-4" upper="4" effort="5" velocity="3"/>
</joint>"""
# the arm falls: about +y by positive angles, about -y by negative ones
AXES = {"0 1 0": 1.0, "0 -1 0": -1.0}
SCHEMES = ("EXACT", "FRICTION")


@pytest.fixture(params=AXES)
def axis(request):
    return request.param


@pytest.fixture
def rig(lab, axis):
    return open_rig(lab.load_text(BODY.replace("TYPE", "revolute").replace("AXIS", axis)).object)


def constraint_of(rig, joint="shoulder"):
    return rig.pose_bone(joint).constraints[CONSTRAINT_NAME]


def limit_fall(rig, axis, end):
    """Let the shoulder fall to an end, rad, and no further; returns it as a value of the joint."""
    channel = rig.bone_of_joint["shoulder"].sign * AXES[axis]
    name = "max_y" if channel > 0 else "min_y"
    setattr(constraint_of(rig), name, channel * end)
    return AXES[axis] * end


def baked(rig, scheme="EXACT", **options):
    settings = BakeSettings(frame_end=31, contact=ContactSettings(scheme=scheme), **options)
    return bake_robot(bpy.context, rig.object, settings)


def furthest(result, joint="shoulder"):
    values = result.trajectory.q[:, result.trajectory.model.q_index(joint)]
    return float(values.flat[np.abs(values).argmax()])


def test_the_sign_of_the_bone_is_not_that_of_the_axis(lab):
    signs = {
        open_rig(lab.load_text(BODY.replace("TYPE", "revolute").replace("AXIS", way)).object)
        .bone_of_joint["shoulder"]
        .sign
        for way in AXES
    }
    assert signs == {1, -1}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("muted", [False, True])
def test_bake_and_export_stop_at_the_same_edited_limit(rig, axis, scheme, muted, tmp_path):
    end = limit_fall(rig, axis, 0.8)
    constraint_of(rig).mute = muted
    told = baked(rig, scheme)
    assert furthest(told) == pytest.approx(end, abs=1e-4)
    assert told.muted == ()
    assert constraint_of(rig).mute is muted
    export_robot(bpy.context, rig.object, tmp_path / "a.urdf")
    limit = load_urdf(tmp_path / "a.urdf").joint("shoulder").limit
    assert sorted((limit.lower, limit.upper), key=abs) == [end, -2.0 * AXES[axis]]
    model = open_rig(rig.object).compile(np.zeros(3))
    lower, upper = model.limits()
    where = model.q_index("shoulder")
    assert (lower[where], upper[where]) == (limit.lower, limit.upper)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_limit_that_was_removed_is_none_in_a_bake_too(rig, axis, scheme):
    assert abs(furthest(baked(rig, scheme))) == pytest.approx(2.0, abs=1e-4)
    bone = rig.pose_bone("shoulder")
    bone.constraints.remove(constraint_of(rig))
    told = baked(rig, scheme)
    assert furthest(told) * AXES[axis] > 2.1
    assert told.muted == ()


def test_a_limit_that_was_added_counts(lab, axis):
    rig = open_rig(lab.load_text(BODY.replace("TYPE", "continuous").replace("AXIS", axis)).object)
    assert abs(furthest(baked(rig))) > 2.1
    added = rig.pose_bone("shoulder").constraints.new("LIMIT_ROTATION")
    added.owner_space, added.use_limit_y = "LOCAL", True
    added.min_y, added.max_y = -0.5, 0.5
    assert furthest(baked(rig)) == pytest.approx(0.5 * AXES[axis], abs=1e-6)


def test_a_slide_loses_both_ends_or_one(lab):
    body = BODY.replace("TYPE", "prismatic").replace("AXIS", "0 0 -1")
    rig = open_rig(lab.load_text(body).object)
    assert furthest(baked(rig)) == pytest.approx(2.0, abs=1e-6)
    constraint = constraint_of(rig)
    down = "max" if rig.bone_of_joint["shoulder"].sign > 0 else "min"
    setattr(constraint, f"{down}_y", 0.25 if down == "max" else -0.25)
    assert furthest(baked(rig)) == pytest.approx(0.25, abs=1e-6)
    setattr(constraint, f"use_{down}_y", False)
    assert furthest(baked(rig)) > 2.1
    limit = open_rig(rig.object).edited_robot.joint("shoulder").limit
    assert (limit.lower, limit.upper) == (-2.0, None)
    assert limits_text(open_rig(rig.object).edited_robot.joint("shoulder")) == (
        "limits -2 m to none"
    )


def test_limits_without_a_constraint_are_those_of_the_file(rig):
    assert CONSTRAINT_NAME not in rig.pose_bone("elbow").constraints
    assert rig.edited_robot is rig.robot
    _, upper = rig.compile(np.zeros(3)).limits()
    assert upper[1] == 4.0


@pytest.mark.parametrize("name", ["panda", "solo12", "talos", "case05", "case06"])
def test_what_nobody_edited_is_what_the_file_says(lab, name):
    rig = open_rig(lab.load(name).object)
    assert rig.edited_robot is rig.robot


def test_the_start_is_inside_the_edited_limit(rig, axis):
    set_joint_values(rig, {"shoulder": 1.5 * AXES[axis]})
    end = limit_fall(rig, axis, 0.8)
    again = open_rig(rig.object)
    model = again.compile(np.zeros(3))
    assert get_configuration(again, model)[0] == pytest.approx(end, abs=1e-6)
    told = baked(rig)
    assert told.trajectory.q[0, 0] == pytest.approx(end, abs=1e-6)
    assert told.warnings == ()


def test_a_motion_past_an_edited_limit_mutes_it_and_keeps_its_numbers(rig, axis):
    end = limit_fall(rig, axis, 0.8)
    told = baked(rig, use_limits=False)
    assert told.muted == ("shoulder",)
    told = baked(rig)
    assert furthest(told) == pytest.approx(end, abs=1e-6)
    assert told.muted == ()
    assert not constraint_of(rig).mute


def test_limits_the_wrong_way_round_are_named_and_a_repair_mends_them(rig):
    constraint = constraint_of(rig)
    constraint.min_y, constraint.max_y = float("nan"), 0.5
    with pytest.raises(RigError, match=f"'{CONSTRAINT_NAME}' of bone 'upper' .*least"):
        baked(rig)
    assert not bpy.data.actions
    assert repair_rig(bpy.context, rig.object).limits == ("shoulder",)
    assert open_rig(rig.object).edited_robot is rig.robot


def test_the_panel_tells_the_edited_limit(rig, axis):
    limit_fall(rig, axis, 0.5)
    shown = limits_text(open_rig(rig.object).edited_robot.joint("shoulder"))
    assert shown in ("limits -114.6° to 28.65°", "limits -28.65° to 114.6°")
    bone = rig.pose_bone("shoulder")
    bone.constraints.remove(constraint_of(rig))
    assert limits_text(open_rig(rig.object).edited_robot.joint("shoulder")) == "no limits"


def test_a_saved_motion_fits_a_robot_whose_limits_were_removed(rig, tmp_path):
    model = rig.compile(np.zeros(3))
    run(simulate(model, (0.0, 0.2))).save(tmp_path / "a.npz")
    rig.pose_bone("shoulder").constraints.remove(constraint_of(rig))
    free = open_rig(rig.object).compile(np.zeros(3))
    assert free.joint_type("shoulder") == "continuous"
    assert read_npz(free, tmp_path / "a.npz").model is free
