"""Joints as bones: the bone along a joint's axis, its pose for a joint value, and back.

A joint turns about, or slides along, its bone's Y axis. Where the bone points along the
negative axis, a sign of -1 goes with the value.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_finite, at, first_index
from ..errors import ArgumentError
from .bones import matrix_from_axis_roll
from .checks import as_choice, as_transforms, as_unit_vectors
from .packing import common_lead
from .rigid import inverse_transform

ScalarJoint = Literal["revolute", "continuous", "prismatic"]
TURNING = ("revolute", "continuous")
SCALAR_JOINTS = (*TURNING, "prismatic")


def bone_from_link(
    axis: ArrayLike,
    roll: ArrayLike = 0.0,
    *,
    armature_from_link: ArrayLike | None = None,
    sign: ArrayLike = 1,
) -> FloatArray:
    """The constant that ties a link to the bone along its joint's axis.

        bone_from_link = armature_from_bone^-1 armature_from_link

    The bone's head is the origin of the link, which lies on the axis; its +Y is the axis.

    Args:
        axis: (…, 3), the joint's, of any length but 0, in the link.
        roll: (…), rad, of the bone in the armature.
        armature_from_link: (…, 4, 4), the rest pose of the link; None for the identity.
        sign: (…), 1, or -1 for a bone along the negative axis.

    Returns:
        (…, 4, 4). A turn of the bone by sign times the joint value about its Y is the turn of
        the link by the joint value about its axis.

    Raises:
        ArgumentError: for a wrong shape, NaN, a zero axis, a pose that is not rigid, or another
            sign than 1 and -1.
    """
    unit, turn, signs = as_unit_vectors(axis, "axis"), as_finite(roll, (), "roll"), _signs(sign)
    rest = np.eye(4) if armature_from_link is None else armature_from_link
    link = as_transforms(rest, "armature_from_link")
    common_lead(
        axis=unit.shape[:-1],
        roll=turn.shape,
        armature_from_link=link.shape[:-2],
        sign=signs.shape,
    )
    direction = signs[..., None] * unit
    rotation = link[..., :3, :3]
    along = (rotation @ direction[..., None])[..., 0]
    back = matrix_from_axis_roll(along, turn, exact=True).swapaxes(-1, -2)
    turned = back @ rotation
    out = np.zeros((*turned.shape[:-2], 4, 4))
    out[..., :3, :3] = turned
    out[..., 3, 3] = 1.0
    return out


def bone_basis(joint: ScalarJoint, value: ArrayLike, *, sign: ArrayLike = 1) -> FloatArray:
    """The turn about, or the slide along, a bone's Y for a joint value: `matrix_basis`.

    Args:
        joint: 'revolute', 'continuous' or 'prismatic'.
        value: (…), rad or m.
        sign: (…), 1, or -1 for a bone along the negative axis.

    Returns:
        (…, 4, 4): rest_from_pose in the bone's own axes.

    Raises:
        ArgumentError: for NaN, another joint, or another sign.
    """
    amount, signs = as_finite(value, (), "value"), _signs(sign)
    common_lead(value=amount.shape, sign=signs.shape)
    channel = signs * amount
    out = np.zeros((*channel.shape, 4, 4))
    out[..., range(4), range(4)] = 1.0
    if _turns(joint):
        out[..., 0, 0] = out[..., 2, 2] = np.cos(channel)
        out[..., 0, 2] = np.sin(channel)
        out[..., 2, 0] = -out[..., 0, 2]
    else:
        out[..., 1, 3] = channel
    return out


def child_bone_pose(
    joint: ScalarJoint,
    value: ArrayLike,
    child_rest: ArrayLike,
    parent_rest: ArrayLike | None = None,
    parent_pose: ArrayLike | None = None,
    *,
    sign: ArrayLike = 1,
) -> FloatArray:
    """The pose of a bone for a joint value, from rest matrices and the pose of its parent.

        armature_from_child = parent_pose parent_rest^-1 child_rest basis(value)

    Where the parent's tail is has no part in it.

    Args:
        joint: 'revolute', 'continuous' or 'prismatic'.
        value: (…), rad or m.
        child_rest: (…, 4, 4), armature_from_child at rest: `bone.matrix_local`.
        parent_rest: (…, 4, 4), that of the parent; None for a bone without one.
        parent_pose: (…, 4, 4), armature_from_parent as posed; None for the rest pose.
        sign: (…), 1, or -1 for a bone along the negative axis.

    Returns:
        (…, 4, 4): `pose_bone.matrix`.

    Raises:
        ArgumentError: for a wrong shape, NaN, matrices that are not rigid, another joint or
            sign, or a parent's pose without its rest matrix.
    """
    amount, signs = as_finite(value, (), "value"), _signs(sign)
    at_rest = _posed_rest(
        child_rest, parent_rest, parent_pose, value=amount.shape, sign=signs.shape
    )
    pose: FloatArray = at_rest @ bone_basis(joint, amount, sign=signs)
    return pose


def joint_value_from_pose(
    joint: ScalarJoint,
    child_pose: ArrayLike,
    child_rest: ArrayLike,
    parent_rest: ArrayLike | None = None,
    parent_pose: ArrayLike | None = None,
    *,
    sign: ArrayLike = 1,
    near: ArrayLike = 0.0,
) -> FloatArray:
    """The joint value of a posed bone, the inverse of `child_bone_pose`.

        basis = (parent_pose parent_rest^-1 child_rest)^-1 child_pose

    A turn is the twist of the basis about Y, a slide its way along Y; whatever else the basis
    holds is left out.

    Args:
        joint: 'revolute', 'continuous' or 'prismatic'.
        child_pose: (…, 4, 4), armature_from_child as posed: `pose_bone.matrix`.
        child_rest, parent_rest, parent_pose, sign: as in `child_bone_pose`.
        near: (…), rad: of the values a whole number of turns apart, the one nearest to this.

    Returns:
        (…), rad or m.

    Raises:
        ArgumentError: as `child_bone_pose`.
    """
    signs, guess = _signs(sign), as_finite(near, (), "near")
    pose = as_transforms(child_pose, "child_pose")
    others = {"child_pose": pose.shape[:-2], "sign": signs.shape, "near": guess.shape}
    at_rest = _posed_rest(child_rest, parent_rest, parent_pose, **others)
    basis = inverse_transform(at_rest) @ pose
    if not _turns(joint):
        slide: FloatArray = signs * basis[..., 1, 3]
        return slide + np.zeros_like(guess)
    sine, cosine = basis[..., 0, 2] - basis[..., 2, 0], basis[..., 0, 0] + basis[..., 2, 2]
    angle = signs * np.arctan2(sine, cosine)
    turn = 2.0 * np.pi
    value: FloatArray = angle + turn * np.rint((guess - angle) / turn)
    return value


def _posed_rest(
    child_rest: ArrayLike,
    parent_rest: ArrayLike | None,
    parent_pose: ArrayLike | None,
    **others: tuple[int, ...],
) -> FloatArray:
    """Where the child is when its own value is 0: parent_pose parent_rest^-1 child_rest.

    `others` are leading axes of further arguments, which are to fit to those of the matrices.
    """
    child = as_transforms(child_rest, "child_rest")
    given = {"parent_rest": parent_rest, "parent_pose": parent_pose}
    parents = {name: as_transforms(x, name) for name, x in given.items() if x is not None}
    common_lead(
        **others,
        child_rest=child.shape[:-2],
        **{name: x.shape[:-2] for name, x in parents.items()},
    )
    if parent_pose is None:
        return child
    if parent_rest is None:
        raise ArgumentError("parent_rest: wanted the rest matrix of the parent that has a pose")
    posed: FloatArray = parents["parent_pose"] @ inverse_transform(parents["parent_rest"]) @ child
    return posed


def _turns(joint: str) -> bool:
    return as_choice(joint, SCALAR_JOINTS, "joint") in TURNING


def _signs(sign: ArrayLike) -> FloatArray:
    signs = as_finite(sign, (), "sign")
    wrong = np.abs(signs) != 1.0
    if wrong.any():
        where = first_index(wrong)
        raise ArgumentError(f"sign: wanted 1 or -1, got {signs[where]:g}{at(where)}")
    return signs
