"""A joint on a bone: the turn about the bone's Y is the turn about the joint's axis."""

import numpy as np
import pytest
from dynarig.core.errors import ArgumentError
from dynarig.core.frames import (
    bone_basis,
    bone_from_link,
    child_bone_pose,
    inverse_transform,
    joint_value_from_pose,
    rotation_from_axis_angle,
    transform,
)

from ...close import assert_close
from .samples import random_rotations, unit

JOINTS = ("revolute", "continuous", "prismatic")


def random_poses(rng, count):
    return transform(random_rotations(rng, count), rng.uniform(-2, 2, (count, 3)))


def link_motion(joint, axis, value):
    """link_from_moved of a URDF joint: Rodrigues' turn, or the slide along the axis."""
    if joint == "prismatic":
        return transform(np.broadcast_to(np.eye(3), (*value.shape, 3, 3)), axis * value[..., None])
    return transform(rotation_from_axis_angle(axis, value), np.zeros(3))


@pytest.mark.parametrize("joint", JOINTS)
@pytest.mark.parametrize("sign", [1, -1])
def test_the_bone_moves_the_link_as_the_joint_does(rng, joint, sign):
    axes, value = rng.normal(size=(200, 3)), rng.uniform(-4, 4, 200)
    rest, roll = random_poses(rng, 200), rng.uniform(-3, 3, 200)
    tie = bone_from_link(axes, roll, armature_from_link=rest, sign=sign)
    # +Y of the bone is the axis, or the negative axis; head and origin are one point
    assert_close(
        (tie[:, :3, :3] @ unit(axes)[..., None])[..., 0],
        np.broadcast_to((0.0, sign, 0.0), (200, 3)),
        atol=1e-14,
    )
    np.testing.assert_array_equal(tie[:, :3, 3], 0.0)
    armature_from_bone = rest @ inverse_transform(tie)
    posed = child_bone_pose(joint, value, armature_from_bone, sign=sign) @ tie
    assert_close(posed, rest @ link_motion(joint, unit(axes), value), atol=2e-14)


@pytest.mark.parametrize("joint", JOINTS)
def test_every_bone_of_a_batch_has_its_own_sign(rng, joint):
    sign = rng.choice([-1, 1], (4, 5))
    axes, value = rng.normal(size=(5, 3)), rng.uniform(-3, 3, (4, 1))
    rest, near = random_poses(rng, 5), value + 0.1
    tie = bone_from_link(axes, armature_from_link=rest, sign=sign)
    basis = bone_basis(joint, value, sign=sign)
    pose = child_bone_pose(joint, value, rest, sign=sign)
    back = joint_value_from_pose(joint, pose, rest, sign=sign, near=near)
    for i, j in np.ndindex(4, 5):
        one = {"sign": int(sign[i, j])}
        alone = bone_from_link(axes[j], armature_from_link=rest[j], **one)
        assert_close(tie[i, j], alone, atol=1e-15)
        np.testing.assert_array_equal(basis[i, j], bone_basis(joint, value[i, 0], **one))
        alone = child_bone_pose(joint, value[i, 0], rest[j], **one)
        assert_close(pose[i, j], alone, atol=1e-15)
        assert_close(back[i, j], value[i, 0], atol=1e-13)


def test_without_a_rest_pose_the_link_is_the_armature(rng):
    axis = rng.normal(size=3)
    np.testing.assert_array_equal(
        bone_from_link(axis), bone_from_link(axis, armature_from_link=np.eye(4))
    )
    np.testing.assert_array_equal(bone_from_link((0, 3, 0)), np.eye(4))


@pytest.mark.parametrize("joint", JOINTS)
def test_joint_values_come_back_from_poses(rng, joint):
    child_rest, parent_rest, parent_pose = (random_poses(rng, 300) for _ in range(3))
    value = rng.uniform(-np.pi, np.pi, 300)
    for parents in ((None, None), (parent_rest, None), (parent_rest, parent_pose)):
        for sign in (1, -1):
            pose = child_bone_pose(joint, value, child_rest, *parents, sign=sign)
            back = joint_value_from_pose(joint, pose, child_rest, *parents, sign=sign)
            assert_close(back, value, atol=1e-13)


def test_the_parents_motion_carries_the_child(rng):
    child_rest, parent_rest, parent_pose = (random_poses(rng, 50) for _ in range(3))
    pose = child_bone_pose("revolute", np.zeros(50), child_rest, parent_rest, parent_pose)
    assert_close(
        inverse_transform(parent_pose) @ pose,
        inverse_transform(parent_rest) @ child_rest,
        atol=1e-14,
    )


def test_turns_are_counted_near_a_guess():
    values = np.array([0.0, 3.0, 40.0, -100.0])
    pose = child_bone_pose("continuous", values, np.eye(4))
    assert_close(
        joint_value_from_pose("continuous", pose, np.eye(4), near=values + 1.0), values, atol=1e-13
    )
    alone = joint_value_from_pose("continuous", pose, np.eye(4))
    assert (np.abs(alone) <= np.pi).all()


def test_a_twist_of_another_kind_is_left_out(rng):
    # a tilt about X after the turn does not change the value of the hinge
    pose = bone_basis("revolute", 0.4) @ transform(
        rotation_from_axis_angle((1, 0, 0), 0.3), (1, 2, 3)
    )
    assert joint_value_from_pose("prismatic", pose, np.eye(4)) == pytest.approx(2.0)
    swing = rotation_from_axis_angle((np.cos(0.7), 0.0, np.sin(0.7)), 0.3)
    turned = transform(swing, np.zeros(3)) @ bone_basis("revolute", 0.4)
    assert joint_value_from_pose("revolute", turned, np.eye(4)) == pytest.approx(0.4, abs=1e-14)


def test_wrong_joints_signs_and_parents_are_named():
    with pytest.raises(ArgumentError, match=r"joint: wanted one of revolute, .* got 'planar'"):
        bone_basis("planar", 0.0)
    with pytest.raises(ArgumentError, match="sign: wanted 1 or -1, got 2"):
        bone_basis("revolute", 0.0, sign=2)
    with pytest.raises(ArgumentError, match="parent_rest: wanted"):
        child_bone_pose("revolute", 0.0, np.eye(4), None, np.eye(4))
