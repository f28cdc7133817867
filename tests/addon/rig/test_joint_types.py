"""Joints of every type, in trees and under each other, stand where the core has them."""

import bpy
import numpy as np
import pytest
from dynarig.addon.blender.bake.bake import bake_robot
from dynarig.addon.blender.bake.settings import BakeSettings
from dynarig.addon.blender.pose import get_configuration, set_configuration
from dynarig.addon.blender.repair import repair_rig

TYPES = ("revolute", "continuous", "prismatic", "planar", "spherical", "floating", "fixed")
OPTIONS = ({}, {"fixed_links": "KEEP"}, {"mesh_parent": "SKIN"})
AXES = ("0 0 1", "0 -1 0", "0.1 -1 0.05", "1 2 3", "-1 0 0")


def every_type_under_every_type():
    """Each pair of types twice, with axes of all sorts, and a welded link at each end."""
    body, count = '<link name="root"/>', 0

    def add(kind, parent, axis):
        nonlocal body, count
        count += 1
        name = f"{count} {kind}"
        ends = ' lower="-1.5" upper="2"' if kind in ("revolute", "prismatic") else ""
        body += (
            f'<link name="{name}"/><joint name="j{name}" type="{kind}"><parent link="{parent}"/>'
            f'<child link="{name}"/><origin xyz="0.1 -0.05 0.2" rpy="{0.1 * count} 0.4 -1.2"/>'
            f'<axis xyz="{axis}"/><limit{ends} effort="1" velocity="1"/></joint>'
        )
        return name

    for number, first in enumerate(TYPES):
        for other, second in enumerate(TYPES):
            above = add(first, "root", AXES[(number + other) % len(AXES)])
            below = add(second, above, AXES[(2 * number + other) % len(AXES)])
            add("fixed", below, "1 0 0")
    return body


@pytest.mark.parametrize("floating_base", [False, True])
@pytest.mark.parametrize("options", OPTIONS)
def test_links_are_where_the_core_has_them(lab, options, floating_base):
    result = lab.load_text(every_type_under_every_type(), floating_base, **options)
    rig, model = lab.open(result)
    assert {record.kind for record in rig.table.bones} == set(TYPES) - {"fixed"}
    for _ in range(3):
        q = lab.random_q(model)
        set_configuration(rig, model, q)
        assert lab.error(result.object, model, q) < 1e-5
        assert np.allclose(get_configuration(rig, model), q, atol=2e-6)


def test_locks_leave_what_the_joint_can_do(lab):
    result = lab.load_text(every_type_under_every_type())
    rig, _ = lab.open(result)
    free = {
        "revolute": ((), (1,)),
        "continuous": ((), (1,)),
        "prismatic": ((1,), ()),
        "planar": ((0, 2), (1,)),
        "spherical": ((), (0, 1, 2)),
        "floating": ((0, 1, 2), (0, 1, 2)),
    }
    for record in rig.table.bones:
        bone, (slides, turns) = rig.pose_bones[record.id], free[record.kind]
        assert [not lock for lock in bone.lock_location] == [axis in slides for axis in range(3)]
        assert [not lock for lock in bone.lock_rotation] == [axis in turns for axis in range(3)]
        turning = record.kind in ("spherical", "floating")
        assert bone.rotation_mode == ("QUATERNION" if turning else "YXZ")
        assert bone.lock_rotation_w == (not turning)
        assert list(bone.lock_scale) == [True] * 3


@pytest.mark.parametrize("kind", ["spherical", "floating"])
@pytest.mark.parametrize("given", [(0, 0, 0, 0), (0, 3, 0, 4), (1e-25, 0, 0, 1e-25), (-2, 0, 0, 0)])
def test_a_quaternion_of_any_length_is_read_as_blender_shows_it(lab, kind, given):
    body = (
        f'<link name="a"/><link name="b"/><joint name="ball" type="{kind}"><parent link="a"/>'
        '<child link="b"/><origin xyz="1 2 3" rpy="0.3 0.2 0.1"/></joint>'
    )
    result = lab.load_text(body)
    rig, model = lab.open(result)
    bone = rig.pose_bone("ball")
    bone.rotation_quaternion = given
    q = get_configuration(rig, model)
    assert np.linalg.norm(q[-4:]) == pytest.approx(1.0, abs=1e-12)
    assert lab.error(result.object, model, q) < 1e-6
    assert repair_rig(bpy.context, result.object).channels == ()
    assert list(bone.rotation_quaternion) == pytest.approx(given)


def test_a_ball_joint_is_baked(lab):
    body = (
        '<link name="a"/><link name="b"><inertial><origin xyz="0 0.3 0"/><mass value="1"/>'
        '<inertia ixx=".1" ixy="0" ixz="0" iyy=".2" iyz="0" izz=".15"/></inertial></link>'
        '<link name="tip"/><joint name="ball" type="spherical"><parent link="a"/>'
        '<child link="b"/><origin xyz="0 0 1" rpy="0.3 0.2 0.1"/></joint>'
        '<joint name="weld" type="fixed"><parent link="b"/><child link="tip"/>'
        '<origin xyz="0 0.5 0"/></joint>'
    )
    result = lab.load_text(body, fixed_links="KEEP")
    told = bake_robot(bpy.context, result.object, BakeSettings(frame_end=25))
    assert told.channels == 4
    _, model = lab.open(result)
    for frame in (1, 8, 25):
        bpy.context.scene.frame_set(frame)
        q, _ = told.trajectory.sample((frame - 1) / 24.0)
        assert lab.error(result.object, model, q) < 1e-5
