"""The core's rotations and bones against mathutils and Blender's own bones, in this Blender."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import bpy
import numpy as np
import pytest
from dynarig.addon.blender import bone_plan
from dynarig.core.frames import (
    TAIT_BRYAN,
    axis_angle_from_quaternion,
    axis_roll_from_matrix,
    bone_matrix,
    child_bone_pose,
    euler_from_rotation,
    head_tail_roll,
    joint_value_from_pose,
    matrix_from_axis_roll,
    quaternion_distance,
    quaternion_from_rotation,
    quaternion_multiply,
    quaternion_rotate,
    quaternion_slerp,
    rotation_from_axis_angle,
    rotation_from_euler,
    rotation_from_quaternion,
)
from mathutils import Euler, Matrix, Quaternion, Vector

Array = Any
FLOAT32 = 2e-6  # rounding of Blender's bones, away from -Y; and of mathutils
NEAR_MINUS_Y = 5e-5  # within 35 degrees of -Y
CONE = -np.cos(np.radians(35.0))
SNAPPED = 2.5e-4  # rad, of Blender's snap to -Y
# how far Blender's matrices are from orthonormal, max |R R^T - 1|: at most, and between which
# degrees from -Y by more than a fifth of that; outside of the wider ones by next to nothing
SHEAR, A_FIFTH, NOTHING = 9e-5, 2e-5, 1e-5
SHEARED, AVOIDED = (4.5, 13.5), (3.0, 20.0)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20)


@pytest.fixture
def axes(rng: np.random.Generator) -> Array:
    """10,000 random axes."""
    return unit(rng.normal(size=(10_000, 3)))


@pytest.fixture
def fan(rng: np.random.Generator) -> Array:
    """Axes around -Y from 1e-6 rad to 35 degrees, none on the edge of the snap."""
    distance = np.logspace(-6, np.log10(np.radians(35.0)), 3000)
    distance = distance[np.abs(distance / SNAPPED - 1.0) > 0.01]
    around = rng.uniform(0.0, 2.0 * np.pi, len(distance))
    sine = np.sin(distance)
    return np.stack((sine * np.cos(around), -np.cos(distance), sine * np.sin(around)), axis=-1)


def unit(vectors: Array) -> Array:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def turned_by(difference: Array) -> Array:
    """The size of an angle, whole turns aside."""
    return np.abs(np.remainder(np.asarray(difference) + np.pi, 2.0 * np.pi) - np.pi)


def largest(difference: Array) -> float:
    return float(np.abs(difference).max())


def blender_matrices(axes: Array, rolls: Array) -> Array:
    make = bpy.types.Bone.MatrixFromAxisRoll
    return np.array(
        [make(Vector(axis), roll) for axis, roll in zip(axes.tolist(), rolls.tolist(), strict=True)]
    )


def test_ten_thousand_axes_make_blenders_matrices(axes: Array, rng: np.random.Generator) -> None:
    rolls = rng.uniform(-np.pi, np.pi, len(axes))
    difference = matrix_from_axis_roll(axes, rolls) - blender_matrices(axes, rolls)
    near = axes[:, 1] < CONE
    assert largest(difference[~near]) < FLOAT32
    # the axes nearest to -Y have a test of their own
    snapped = axes[:, 1] < -1.0 + 1e-6
    assert largest(difference[near & ~snapped]) < NEAR_MINUS_Y


def test_a_fan_of_axes_around_minus_y_makes_them_too(fan: Array, rng: np.random.Generator) -> None:
    rolls = rng.uniform(-np.pi, np.pi, len(fan))
    difference = matrix_from_axis_roll(fan, rolls) - blender_matrices(fan, rolls)
    assert largest(difference) < NEAR_MINUS_Y


def test_where_and_how_far_blenders_matrices_are_sheared(rng: np.random.Generator) -> None:
    degrees = np.linspace(0.1, 35.0, 60_000)
    around = rng.uniform(0.0, 2.0 * np.pi, len(degrees))
    sine, cosine = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    axes = np.stack((sine * np.cos(around), -cosine, sine * np.sin(around)), axis=-1)
    made = blender_matrices(axes, rng.uniform(-np.pi, np.pi, len(axes))).astype(float)
    off = np.abs(made @ made.swapaxes(-1, -2) - np.eye(3)).max(axis=(-1, -2))
    assert 0.8 * SHEAR < off.max() < SHEAR
    assert degrees[off.argmax()] == pytest.approx(6.4, abs=0.1)
    within = (degrees > SHEARED[0]) & (degrees < SHEARED[1])
    assert off[~within].max() < A_FIFTH
    # the range in which the add-on aims along the negative axis leaves room on both sides
    assert tuple(np.degrees(bone_plan.SHEARED)) == pytest.approx(AVOIDED)
    far = (degrees < AVOIDED[0]) | (degrees > AVOIDED[1])
    assert off[far].max() < NOTHING
    # ours are those of the same head, tail and roll, and orthonormal where Blender's are
    ours = matrix_from_axis_roll(axes, exact=True)
    assert largest(ours @ ours.swapaxes(-1, -2) - np.eye(3)) < 1e-14


def test_axes_and_rolls_are_read_as_blender_does(axes: Array, rng: np.random.Generator) -> None:
    turns = rotation_from_quaternion(rng.normal(size=(len(axes), 4)))
    read = bpy.types.Bone.AxisRollFromMatrix
    own = [read(Matrix(turn.tolist())) for turn in turns]
    axis, roll = axis_roll_from_matrix(turns)
    near = axis[:, 1] < CONE
    assert largest(axis - np.array([pair[0] for pair in own])) < FLOAT32
    off = turned_by(roll - np.array([pair[1] for pair in own]))
    assert off[~near].max() < FLOAT32
    assert off[near & (axis[:, 1] > -1.0 + 1e-6)].max() < NEAR_MINUS_Y


def test_the_roll_about_another_axis_is_blenders(rng: np.random.Generator) -> None:
    turns = rotation_from_quaternion(rng.normal(size=(2000, 4)))
    # an axis some way off the Y column, which is what the argument is for
    others = unit(turns[:, :, 1] + rng.uniform(-0.3, 0.3, (2000, 3)))
    read = bpy.types.Bone.AxisRollFromMatrix
    own = [
        read(Matrix(turn.tolist()), axis=Vector(axis.tolist()))
        for turn, axis in zip(turns, others, strict=True)
    ]
    roll = axis_roll_from_matrix(turns, others)[1]
    away = others[:, 1] > CONE
    assert turned_by(roll - np.array([pair[1] for pair in own]))[away].max() < 2.0 * FLOAT32


def make_armature(bones: list[tuple[Array, Array, float, int | None]]) -> Any:
    """An armature of (head, tail, roll, number of the parent)."""
    armature = bpy.data.armatures.new("frames")
    thing = bpy.data.objects.new("frames", armature)
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.view_layer.objects.active = thing
    bpy.ops.object.mode_set(mode="EDIT")
    made: list[Any] = []
    for head, tail, roll, parent in bones:
        bone = armature.edit_bones.new(f"bone_{len(made)}")
        bone.head, bone.tail, bone.roll = head.tolist(), tail.tolist(), float(roll)
        bone.parent = None if parent is None else made[parent]
        made.append(bone)
    edited = [np.array(bone.matrix) for bone in made]
    bpy.ops.object.mode_set(mode="OBJECT")
    return thing, edited


def test_rest_matrices_are_those_of_head_tail_and_roll(rng: np.random.Generator) -> None:
    head, tail = np.float32(rng.uniform(-1, 1, (2, 500, 3))).astype(float)
    tail = head + unit(tail)
    roll = rng.uniform(-np.pi, np.pi, 500)
    thing, edited = make_armature(
        [(h, t, r, None) for h, t, r in zip(head, tail, roll, strict=True)]
    )
    tail = np.float32(tail).astype(float)
    expected = bone_matrix(head, tail, roll)
    near = expected[:, 1, 1] < CONE
    for matrices in (edited, [np.array(bone.matrix_local) for bone in thing.data.bones]):
        difference = np.array(matrices) - expected
        assert largest(difference[~near]) < FLOAT32
        assert largest(difference[near]) < NEAR_MINUS_Y
    lengths = np.array([bone.length for bone in thing.data.bones])
    back = head_tail_roll(expected, lengths)
    for value, name in zip(back[:2], ("head_local", "tail_local"), strict=True):
        own = np.array([getattr(bone, name) for bone in thing.data.bones])
        assert largest(value - own) < FLOAT32
    assert turned_by(back[2] - roll)[~near].max() < FLOAT32


@pytest.mark.parametrize("joint", ["revolute", "prismatic"])
def test_a_posed_child_is_where_the_formula_puts_it(rng: np.random.Generator, joint: str) -> None:
    # a chain of six bones that lead away from each other's -Y
    heads = np.cumsum(rng.uniform(0.1, 0.4, (7, 3)), axis=0)
    thing, _ = make_armature(
        [
            (
                heads[n],
                heads[n] + 0.3 * unit(heads[n + 1] - heads[n]),
                0.5 * n,
                n - 1 if n else None,
            )
            for n in range(6)
        ]
    )
    values = np.float32(rng.uniform(-2, 2, 6)).astype(float)
    for bone, value in zip(thing.pose.bones, values, strict=True):
        bone.rotation_mode = "YXZ"
        if joint == "revolute":
            bone.rotation_euler[1] = value
        else:
            bone.location[1] = value
    bpy.context.view_layer.update()

    rest = [np.array(bone.matrix_local, dtype=float) for bone in thing.data.bones]
    pose = [np.array(bone.matrix, dtype=float) for bone in thing.pose.bones]
    # Blender's last rows are exact, its blocks float32
    for n in range(6):
        parents = (rest[n - 1], pose[n - 1]) if n else (None, None)
        expected = child_bone_pose(joint, values[n], rest[n], *parents)
        assert largest(pose[n] - expected) < 2.0 * FLOAT32
        back = joint_value_from_pose(joint, pose[n], rest[n], *parents, near=values[n])
        assert back == pytest.approx(values[n], abs=5.0 * FLOAT32)


@pytest.mark.parametrize("order", TAIT_BRYAN)
def test_blenders_euler_orders_are_ours_in_reverse(rng: np.random.Generator, order: str) -> None:
    for angles in np.float32(rng.uniform(-3, 3, (200, 3))).astype(float):
        # 'XYZ' in Blender turns about X first, all axes being those of the parent
        by_axis = [angles["XYZ".index(axis)] for axis in order]
        own = Euler(angles.tolist(), order).to_matrix()
        ours = rotation_from_euler(by_axis[::-1], order[::-1])
        assert largest(ours - np.array(own)) < FLOAT32
        # and back, by way of the matrix, away from lock
        if abs(np.cos(by_axis[1])) > 0.1:
            back = euler_from_rotation(ours, order[::-1])[::-1]
            euler = own.to_euler(order)
            theirs = rotation_from_euler([euler["XYZ".index(a)] for a in order[::-1]], order[::-1])
            assert largest(rotation_from_euler(back[::-1], order[::-1]) - theirs) < 10 * FLOAT32


def test_quaternions_and_axis_angles_are_those_of_mathutils(rng: np.random.Generator) -> None:
    for p, q, v in zip(
        *np.float32(unit(rng.normal(size=(2, 300, 4)))).astype(float),
        np.float32(rng.uniform(-1, 1, (300, 3))).astype(float),
        strict=True,
    ):
        one, two = Quaternion(p.tolist()), Quaternion(q.tolist())
        pairs: list[tuple[Array, Array]] = [
            (quaternion_multiply(p, q), one @ two),
            (rotation_from_quaternion(p), one.to_matrix()),
            (quaternion_rotate(p, v), one @ Vector(v.tolist())),
        ]
        for ours, theirs in pairs:
            assert largest(ours - np.array(theirs)) < FLOAT32
        # mathutils takes the short way too, and any of the two signs
        assert quaternion_distance(quaternion_slerp(p, q, 0.3), one.slerp(two, 0.3)) < 2 * FLOAT32
        own = np.array(one.to_matrix().to_quaternion())
        ours = quaternion_from_rotation(rotation_from_quaternion(p))
        assert quaternion_distance(own, ours) < 4.0 * FLOAT32
        axis, angle = axis_angle_from_quaternion(p)
        own_axis, own_angle = one.to_axis_angle()
        assert (
            largest(
                rotation_from_axis_angle(axis, angle)
                - rotation_from_axis_angle(own_axis, own_angle)
            )
            < FLOAT32
        )
        turn = Matrix.Rotation(float(angle), 3, Vector(axis.tolist()))
        assert largest(rotation_from_axis_angle(axis, angle) - np.array(turn)) < FLOAT32


def test_mathutils_values_are_read_as_they_are(rng: np.random.Generator) -> None:
    calls: list[tuple[Callable[..., Array], Any]] = [
        (rotation_from_quaternion, Quaternion((0.5, 0.5, -0.5, 0.5))),
        (quaternion_from_rotation, Matrix.Rotation(0.5, 3, "X")),
        (matrix_from_axis_roll, Vector((0.0, 0.6, 0.8))),
    ]
    for function, value in calls:
        np.testing.assert_array_equal(function(value), function(np.array(value)))


def test_units_of_hamilton_in_mathutils_too() -> None:
    units = [Quaternion(row) for row in np.eye(4).tolist()]
    for one, two in itertools.product(units, repeat=2):
        np.testing.assert_array_equal(quaternion_multiply(one, two), np.array(one @ two))
