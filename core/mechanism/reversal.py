"""A joint run through from its frame_b to its frame_a, with the coordinates of the way forth.

    a_from_b = X(q),  so  b_from_a = X(q)^-1

For turns and slides that is a joint about the opposite axes in the opposite order. Spherical and
floating joints have no such order: their state is mapped by `mirrored_state`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..arrays import FloatArray
from ..frames import (
    quaternion_conjugate,
    rotation_from_euler,
    rotation_from_quaternion,
)
from ..tree import Coefficient, JointType, TreeJoint, planar_axes

COEFFICIENTS = ("damping", "friction", "rotor_inertia", "gear_ratio", "stiffness", "rest")


def reversed_joints(joint: TreeJoint) -> list[tuple[TreeJoint, tuple[int, ...]]]:
    """The joints, one behind the other, that make the way back.

    Returns:
        Each joint with the numbers of the coordinates of the given one that it has; parents,
        children and the pose of the first are left to be filled in.
    """
    if joint.type == "planar":
        return _reversed_planar(joint)
    if joint.type == "universal":
        second = joint.second_axis
        assert second is not None
        back = replace(joint, axis=-second, second_axis=-joint.axis, **_picked(joint, (1, 0)))
        return [(back, (1, 0))]
    if joint.type in ("spherical", "floating"):
        label = None if joint.sequence is None else joint.sequence[::-1]
        return [(replace(joint, sequence=label), tuple(range(joint.nv)))]
    return [(replace(joint, axis=-joint.axis), tuple(range(joint.nv)))]


def _reversed_planar(joint: TreeJoint) -> list[tuple[TreeJoint, tuple[int, ...]]]:
    first, second = planar_axes(joint.axis)
    steps: Sequence[tuple[int, str, JointType, FloatArray]] = (
        (2, "phi", "continuous", -joint.axis),
        (1, "y", "prismatic", -second),
        (0, "x", "prismatic", -first),
    )
    return [
        (
            replace(
                joint,
                name=f"{joint.name}.{suffix}",
                type=kind,
                axis=axis,
                **_picked(joint, (index,)),
            ),
            (index,),
        )
        for index, suffix, kind, axis in steps
    ]


def _picked(joint: TreeJoint, order: Sequence[int]) -> dict[str, Any]:
    """Its coefficients for some of its coordinates."""
    return {name: _at(getattr(joint, name), order) for name in COEFFICIENTS}


def mirrored_state(
    joint: TreeJoint, q: FloatArray, v: FloatArray, a: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """State of a spherical or floating joint as seen from its other side; its own inverse.

        R' = R^T,  p' = -R^T p,  V' = -Ad(X) V,  with V the body twist of X = (R, p)

    Args:
        joint: the one that q, v and a are coordinates of (its sequence tells how to read q).
        q: (…, nq); v, a: (…, nv), the second being the rate of the first.

    Returns:
        The same of the joint run through the other way, whose sequence reads backwards.
    """
    place = 3 if joint.type == "floating" else 0
    state = q[..., place:]
    if joint.sequence is None:
        rotation = rotation_from_quaternion(state)
        back = quaternion_conjugate(state)
    else:
        rotation = rotation_from_euler(state, joint.sequence)
        back = -state[..., ::-1]
    # of the angular part: omega of a in b is minus that of b in a, in the other's axes
    turned = [-(rotation @ rate[..., :3, None])[..., 0] for rate in (v, a)]
    if not place:
        return back, turned[0], turned[1]
    position = q[..., :3]
    moved = [
        -(rotation @ rate[..., 3:, None])[..., 0] - np.cross(turn, position)
        for rate, turn in zip((v, a), turned, strict=True)
    ]
    origin = -(rotation.swapaxes(-1, -2) @ position[..., None])[..., 0]
    return (
        np.concatenate((origin, back), axis=-1),
        np.concatenate((turned[0], moved[0]), axis=-1),
        np.concatenate((turned[1], moved[1]), axis=-1),
    )


def _at(value: Coefficient, order: Sequence[int]) -> Coefficient:
    if not isinstance(value, tuple):
        return value
    picked = tuple(value[index] for index in order)
    return picked[0] if len(picked) == 1 else picked
