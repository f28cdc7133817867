"""Cases 05, 06 and 09: axes, mimic joints and names, in frames, channels and drivers."""

import numpy as np
import pytest
from dynarig.core.errors import UrdfError

from .frames import NINE_DIGITS, check_frames, check_positions


def test_axes(cases, options):
    numbers = cases.expected("05")
    robot = cases.load("05", "axes.urdf", **options)
    for frames, q in (("fk_zero", {}), ("fk_q", numbers["q"])):
        robot.pose(q)
        links = robot.links()
        check_frames(links, numbers[frames])
        for joint, axis in numbers["axis_unit"].items():
            child = robot.rig.robot.joint(joint).child
            wanted = links[child][:3, :3] @ axis
            assert robot.axis(joint) == pytest.approx(wanted, abs=NINE_DIGITS), joint
    for joint, value in numbers["q"].items():
        assert robot.value(joint) == pytest.approx(value, abs=NINE_DIGITS)


def test_a_slide_goes_as_far_as_its_value(cases):
    numbers = cases.expected("05")
    robot = cases.load("05", "axes.urdf")
    slide, before = numbers["q"]["slide"], robot.links()["l4"][:3, 3]
    robot.pose({"slide": slide})
    gone = np.linalg.norm(robot.links()["l4"][:3, 3] - before)
    assert gone == pytest.approx(slide, abs=NINE_DIGITS)
    assert gone != pytest.approx(numbers["wrong"]["slide_not_normalised_shift_m"], abs=0.5)


def test_axes_that_are_not_unit_are_told(cases):
    robot = cases.load("05", "axes.urdf")
    told = [line.split('name="')[1].split('"')[0] for line in robot.result.warnings]
    assert told == ["long_axis", "skew", "slide"]


def test_mimic_joints(cases, options):
    numbers = cases.expected("06")
    robot = cases.load("06", "claw.urdf", **options)
    assert list(robot.model.joint_names) == numbers["independent_dofs"]
    assert robot.result.drivers == len(numbers["joint_values"]) - len(numbers["independent_dofs"])
    assert robot.result.warnings == ()
    for q, values in (({}, "joint_values_knob_0"), (numbers["q"], "joint_values")):
        robot.pose(q)
        found = {joint: robot.value(joint) for joint in numbers[values]}
        assert found == pytest.approx(numbers[values], abs=NINE_DIGITS)
    check_frames(robot.links(), numbers["fk_q"])


def test_mimics_that_cannot_be_are_told(cases, inventory):
    before = inventory()
    with pytest.raises(UrdfError, match="p -> q -> p"):
        cases.load("06", "loop.urdf")
    assert inventory() == before
    robot = cases.load("06", "dangling.urdf")
    (line,) = robot.result.warnings
    assert "no_such_joint" in line
    assert '"p"' in line
    assert robot.value("p") == 0.0
    assert robot.result.drivers == 0


def test_names(cases, options):
    numbers = cases.expected("09")
    robot = cases.load("09", "names.urdf", **options)
    assert (robot.result.links, robot.result.joints) == (numbers["links"], numbers["joints"])
    bones = robot.object.pose.bones
    # each kind on its own: a link and a joint may have the same name
    links = [bone["urdf_link"] for bone in bones if "urdf_link" in bone]
    joints = [bone["urdf_joint"] for bone in bones if "urdf_joint" in bone]
    assert len(set(links)) == len(links)
    assert len(set(joints)) == len(joints)
    assert set(numbers["q"]) <= set(joints)
    for name, size in numbers["name_bytes"].items():
        assert len(name.encode()) == size
        assert name in (*links, *joints)
    limit = numbers["blender_limits_measured_5.0.1"]["bone"]
    assert all(len(bone.name.encode()) <= limit for bone in bones)
    assert {"arm"} <= set(robot.links()) & set(joints)


def test_joints_with_long_names_move_by_their_exact_names(cases, options):
    numbers = cases.expected("09")
    robot = cases.load("09", "names.urdf", **options)
    robot.pose(numbers["q"])
    check_positions(robot.links(), numbers["link_xyz_q"])
    for joint, value in numbers["q"].items():
        assert robot.value(joint) == pytest.approx(value, abs=NINE_DIGITS)
