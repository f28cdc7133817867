"""Every number of the reference cases, in Blender, with and without bones for fixed links."""

import json

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.pose import evaluated_link_poses, set_joint_values
from dynarig.addon.blender.rig_access import open_rig
from dynarig.core.errors import UrdfError

OPTIONS = ({}, {"fixed_links": "KEEP"})
NINE_DIGITS = 1e-6  # what Blender's 7 digits leave of the files' 9, at these robots' sizes


def expected(lab, name):
    return json.loads((lab.path(name).parent / "expected.json").read_text(encoding="utf-8"))


def check_frames(obj, frames):
    bpy.context.view_layer.update()
    found = evaluated_link_poses(bpy.context, obj)
    assert set(found) == set(frames)
    for link, frame in frames.items():
        assert found[link][:3, 3] == pytest.approx(frame["xyz"], abs=NINE_DIGITS)
        assert np.abs(found[link][:3, :3] - frame["R"]).max() < NINE_DIGITS


def value_of(rig, joint):
    """A joint's value as Blender evaluates its channel."""
    evaluated = rig.object.evaluated_get(bpy.context.evaluated_depsgraph_get())
    ((path, index),) = rig.channels[joint].paths
    bone = evaluated.pose.bones[rig.pose_bone(joint).name]
    return getattr(bone, path)[index] * rig.bone_of_joint[joint].sign


def axis_of(rig, joint):
    """A joint's axis in the scene, which is Y of its bone."""
    evaluated = rig.object.evaluated_get(bpy.context.evaluated_depsgraph_get())
    matrix = np.array(evaluated.pose.bones[rig.pose_bone(joint).name].matrix)
    return matrix[:3, 1] * rig.bone_of_joint[joint].sign


@pytest.mark.parametrize("options", OPTIONS)
def test_axes(lab, options):
    numbers = expected(lab, "case05")
    result = lab.load("case05", **options)
    rig = open_rig(result.object)
    check_frames(result.object, numbers["fk_zero"])
    frames = evaluated_link_poses(bpy.context, result.object)
    for joint, axis in numbers["axis_unit"].items():
        child = rig.robot.joint(joint).child
        assert axis_of(rig, joint) == pytest.approx(frames[child][:3, :3] @ axis, abs=1e-6)
    set_joint_values(rig, numbers["q"])
    check_frames(result.object, numbers["fk_q"])


@pytest.mark.parametrize("options", OPTIONS)
def test_mimic(lab, options):
    numbers = expected(lab, "case06")
    result = lab.load("case06", **options)
    rig, model = lab.open(result)
    assert list(model.joint_names) == numbers["independent_dofs"]
    for q, values in (
        ({"knob": 0.0}, numbers["joint_values_knob_0"]),
        (numbers["q"], numbers["joint_values"]),
    ):
        set_joint_values(rig, q)
        bpy.context.view_layer.update()
        found = {joint: value_of(rig, joint) for joint in values}
        assert found == pytest.approx(values, abs=1e-6)
    check_frames(result.object, numbers["fk_q"])


def test_mimics_that_cannot_be_are_told(lab, inventory):
    folder, before = lab.path("case06").parent, inventory()
    with pytest.raises(UrdfError, match="p -> q -> p"):
        lab.load_file(folder / "loop.urdf")
    assert inventory() == before
    result = lab.load_file(folder / "dangling.urdf")
    (told,) = [line for line in result.warnings if "no_such_joint" in line]
    assert "'p'" in told
    rig = open_rig(result.object)
    bpy.context.view_layer.update()
    assert value_of(rig, "p") == 0.0


@pytest.mark.parametrize("options", OPTIONS)
def test_names(lab, options):
    numbers = expected(lab, "case09")
    result = lab.load("case09", **options)
    rig = open_rig(result.object)
    assert (result.links, result.joints) == (numbers["links"], numbers["joints"])
    told = {bone.get("urdf_link") for bone in result.object.pose.bones}
    told |= {bone.get("urdf_joint") for bone in result.object.pose.bones}
    names = {len(name.encode()): name for name in told if name}
    for name, size in numbers["name_bytes"].items():
        assert len(name.encode()) == size
        assert name in told
    assert max(names) == max(numbers["name_bytes"].values())
    assert all(len(bone.name.encode()) <= 63 for bone in result.object.data.bones)
    set_joint_values(rig, numbers["q"])
    bpy.context.view_layer.update()
    found = evaluated_link_poses(bpy.context, result.object)
    assert set(found) == set(numbers["link_xyz_q"])
    for link, xyz in numbers["link_xyz_q"].items():
        assert found[link][:3, 3] == pytest.approx(xyz, abs=NINE_DIGITS)


def bounds(obj):
    """The least and the greatest corner (2, 3) of a mesh object in the scene."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.array([evaluated.matrix_world @ point.co for point in evaluated.data.vertices])
    return np.array((points.min(axis=0), points.max(axis=0)))


@pytest.mark.parametrize("options", OPTIONS)
def test_angles(lab, options):
    numbers = expected(lab, "case11")
    result = lab.load("case11", meshes=True, **options)
    rig = open_rig(result.object)
    for suffix, q in (("zero", dict.fromkeys(numbers["q"], 0.0)), ("q", numbers["q"])):
        set_joint_values(rig, q)
        check_frames(result.object, numbers[f"fk_{suffix}"])
        for joint, axis in numbers[f"joint_axis_world_{suffix}"].items():
            assert axis_of(rig, joint) == pytest.approx(axis, abs=1e-6)
        found = [bounds(obj) for obj in result.object.children if obj.type == "MESH"]
        wanted = [np.array(value) for value in numbers[f"visual_bounds_{suffix}"].values()]
        assert len(found) >= len(wanted) > 0
        for box in wanted:
            assert min(np.abs(box - other).max() for other in found) < 2e-6
