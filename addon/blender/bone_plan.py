"""Which bones a tree of bodies needs, and where: plain values, before Blender is touched.

One bone for each link that a joint can move: head at the joint's origin in the zero pose,
+Y along the joint axis, parent the bone of the nearest link above that moves. A universal joint
has two, one for each turn. Links held by fixed joints ride on the bone of the link that carries
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ...core.arrays import FloatArray
from ...core.dynamics import FLOATING_BASE
from ...core.mechanism import Tree, TreeJoint
from .labels import unique_label

# the types of joints that move a bone
Kind = Literal[
    "revolute",
    "continuous",
    "prismatic",
    "screw",
    "cylindrical",
    "universal",
    "planar",
    "spherical",
    "floating",
]
FREELY_TURNING: tuple[Kind, ...] = ("spherical", "floating")

# Blender snaps a bone within 2.5e-4 rad of its parent's -Y to it (rad, with some room).
SNAPPED = 3e-4
# Between these angles from the parent's -Y, Blender's rest matrix is sheared by up to 9e-5 in
# every version, which a turn about the bone would show as a wrong pose; at 3 and at 20 degrees
# it is below 8e-6 and falling (rad).
SHEARED = (np.radians(3.0), np.radians(20.0))
# Heads and tails are float32: the axis is off by 6e-8 d/L for a bone of length L at distance d
# from the armature's origin, so this ratio keeps it below 1e-6.
LENGTH_PER_DISTANCE = 0.1
# Bones of pleasant length: half the way to the nearest neighbour, within these parts of the
# robot's size.
SHORTEST, LONGEST = 0.05, 0.2
SIZE_OF_A_POINT = 1.0  # m, for a robot whose joints all sit at its origin


@dataclass(frozen=True)
class PlannedBone:
    """A bone to be made.

    Attributes:
        id: ascii, the name by which the rig finds the bone whatever the user calls it.
        label: the bone's name in Blender.
        link: the link that it carries; joint: the joint that moves it; turn: which turn of a
            universal joint, 0 or 1. The bone of the first one carries no link.
        parent: id of the parent bone, None at the top.
        armature_from_link: (4, 4), pose of the link at the zero pose.
        direction: (3,), unit, the bone's +Y in the armature; z: (3,), where its +Z shall
            point, None for roll 0.
        sign: -1 where the bone points along the negative axis, else 1.
        length: m.
    """

    id: str
    label: str
    link: str
    joint: str
    kind: Kind
    parent: str | None
    armature_from_link: FloatArray
    direction: FloatArray
    z: FloatArray | None
    sign: int
    length: float
    turn: int = 0


@dataclass(frozen=True)
class RigPlan:
    """All bones, parents first; where every link is at the zero pose; which bone carries it."""

    bones: tuple[PlannedBone, ...]
    armature_from_link: Mapping[str, FloatArray]
    carrier: Mapping[str, str | None]


def plan_rig(tree: Tree, floating_base: bool = False) -> RigPlan:
    """Decide on the bones of a tree of bodies.

    Args:
        tree: a checked description.
        floating_base: whether the root link moves freely too.

    Returns:
        The plan; links on a fixed base have no carrier.
    """
    poses: dict[str, FloatArray] = {tree.root: np.eye(4)}
    carrier: dict[str, str | None] = {tree.root: None}
    bones: dict[str, PlannedBone] = {}

    def add(
        link: str, joint: str, kind: Kind, axis: FloatArray, parent: str | None, turn: int = 0
    ) -> str:
        above = bones[parent].direction if parent else np.array([0.0, 1.0, 0.0])
        direction, z, sign = _aim(kind, poses[link], axis, above)
        name = f"bone_{len(bones)}"
        bones[name] = PlannedBone(
            name, "", link, joint, kind, parent, poses[link], direction, z, sign, 0.0, turn
        )
        return name

    if floating_base:
        up = np.array([0.0, 1.0, 0.0])
        carrier[tree.root] = add(tree.root, FLOATING_BASE, "floating", up, None)
    for joint in _joints_from_root(tree):
        poses[joint.child] = poses[joint.parent] @ joint.parent_from_joint
        above = carrier[joint.parent]
        if joint.type == "fixed":
            carrier[joint.child] = above
            continue
        bone = add(joint.child, joint.name, joint.type, joint.axis, above)
        if joint.second_axis is not None:
            bone = add(joint.child, joint.name, joint.type, joint.second_axis, bone, turn=1)
        carrier[joint.child] = bone
    return RigPlan(_finished(tuple(bones.values()), poses), poses, carrier)


def _finished(
    bones: tuple[PlannedBone, ...], poses: Mapping[str, FloatArray]
) -> tuple[PlannedBone, ...]:
    """The bones with labels and lengths."""
    labels: dict[str, None] = {}  # in order, and quick to look up
    for bone in bones:
        labels[unique_label(bone.link, labels)] = None
    return tuple(
        replace(bone, label=text, length=length)
        for bone, text, length in zip(bones, labels, _lengths(bones, poses), strict=True)
    )


def _joints_from_root(tree: Tree) -> list[TreeJoint]:
    """The joints with every parent before its children."""
    below: dict[str, list[TreeJoint]] = {}
    for joint in tree.joints:
        below.setdefault(joint.parent, []).append(joint)
    ordered: list[TreeJoint] = []
    links = [tree.root]
    for link in links:
        ordered.extend(below.get(link, ()))
        links.extend(joint.child for joint in below.get(link, ()))
    return ordered


def _aim(
    kind: Kind, armature_from_link: FloatArray, axis: FloatArray, parent_y: FloatArray
) -> tuple[FloatArray, FloatArray | None, int]:
    """The bone's +Y, its +Z (None: roll 0) and its sign against the axis."""
    rotation = armature_from_link[:3, :3]
    if kind in FREELY_TURNING:
        # the bone's frame is the link's own, so that channels read as position and orientation
        along, z = rotation[:, 1], rotation[:, 2]
    else:
        along, z = rotation @ axis, None
    if _is_awkward(along, parent_y):
        return -along, z, -1
    return along, z, 1


def _is_awkward(direction: FloatArray, parent_y: FloatArray) -> bool:
    """Whether Blender would snap or shear a bone along `direction` under such a parent."""
    off = np.arctan2(np.linalg.norm(np.cross(direction, parent_y)), -(direction @ parent_y))
    return bool(off < SNAPPED or SHEARED[0] < off < SHEARED[1])


def _lengths(bones: tuple[PlannedBone, ...], poses: Mapping[str, FloatArray]) -> list[float]:
    """A length (m) for each bone: pleasant, and enough for an exact axis."""
    size = max(float(np.linalg.norm(pose[:3, 3])) for pose in poses.values()) or SIZE_OF_A_POINT
    heads = {bone.id: bone.armature_from_link[:3, 3] for bone in bones}
    nearest = {bone.id: LONGEST * size for bone in bones}
    for bone in bones:
        if bone.parent is None:
            continue
        gap = float(np.linalg.norm(heads[bone.id] - heads[bone.parent]))
        if gap > SHORTEST * size:
            for end in (bone.id, bone.parent):
                nearest[end] = min(nearest[end], gap / 2.0)
    return [
        max(
            float(np.clip(nearest[bone.id], SHORTEST * size, LONGEST * size)),
            LENGTH_PER_DISTANCE * float(np.linalg.norm(heads[bone.id])),
        )
        for bone in bones
    ]
