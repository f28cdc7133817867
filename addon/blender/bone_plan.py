"""Which bones a tree of bodies needs, and where: plain values, before Blender is touched.

One bone for each link that a joint can move: head at the joint's origin in the zero pose,
+Y along the joint axis, parent the bone of the nearest link above that moves. A universal joint
has two, one for each turn. Links held by fixed joints ride on the bone of the link that carries
them, or have bones of their own that never move in their parents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import atan2, hypot
from types import MappingProxyType
from typing import Literal

import numpy as np

from ...core.arrays import FloatArray
from ...core.dynamics import FLOATING_BASE
from ...core.mechanism import Tree, TreeJoint
from .bone_lengths import least_lengths, pleasant_lengths, size_of
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
NO_SIZES: Mapping[str, float] = MappingProxyType({})
FREELY_TURNING: tuple[Kind, ...] = ("spherical", "floating")

# Blender snaps a bone within 2.5e-4 rad of its parent's -Y to it (rad, with some room).
SNAPPED = 3e-4
# Between these angles from the parent's -Y, Blender's rest matrix is sheared by up to 9e-5 in
# every version, which a turn about the bone would show as a wrong pose; at 3 and at 20 degrees
# it is below 8e-6 and falling (rad).
SHEARED = (np.radians(3.0), np.radians(20.0))


@dataclass(frozen=True)
class PlacedBone:
    """A bone to be made, wherever its place comes from.

    Attributes:
        id: ascii, the name by which the rig finds the bone whatever the user calls it.
        label: the bone's name in Blender.
        link: the link that it carries.
        parent: id of the parent bone, None at the top.
        armature_from_link: (4, 4), pose of the link at the zero pose.
        direction: (3,), unit, the bone's +Y in the armature; z: (3,), where its +Z shall
            point, None for roll 0.
        length: m.
    """

    id: str
    label: str
    link: str
    parent: str | None
    armature_from_link: FloatArray
    direction: FloatArray
    z: FloatArray | None
    length: float


@dataclass(frozen=True)
class PlannedBone(PlacedBone):
    """The bone of a link that a joint moves.

    Attributes:
        joint: the joint; kind: its type.
        sign: -1 where the bone points along the negative axis, else 1.
        turn: which turn of a universal joint, 0 or 1. The bone of the first one carries no link.
    """

    joint: str
    kind: Kind
    sign: int
    turn: int = 0


@dataclass(frozen=True)
class BoneWishes:
    """What the user wants of the bones.

    Attributes:
        floating_base: whether the root link moves freely too.
        fixed_links: whether links held by fixed joints, and the root link of a fixed base, have
            bones of their own, with the links' own axes.
        root: whether the root link of a fixed base has one.
        length: m, of every bone that is exact at that length; 0 chooses.
    """

    floating_base: bool = False
    fixed_links: bool = False
    root: bool = False
    length: float = 0.0


@dataclass(frozen=True)
class RigPlan:
    """All bones; where every link is at the zero pose; which bone carries it.

    Attributes:
        bones: those that joints move, each after the bones that move it.
        fixed_bones: those that stay where they are in their parents.
        armature_from_link: (4, 4), by link.
        carrier: id of the nearest bone above (or of) each link that a joint moves, None where
            the armature carries it.
        lengthened: how many bones are longer than was wished, as shorter ones would be inexact.
    """

    bones: tuple[PlannedBone, ...]
    fixed_bones: tuple[PlacedBone, ...]
    armature_from_link: Mapping[str, FloatArray]
    carrier: Mapping[str, str | None]
    lengthened: int


def plan_rig(
    tree: Tree, wishes: BoneWishes = BoneWishes(), sizes: Mapping[str, float] = NO_SIZES
) -> RigPlan:
    """Decide on the bones of a tree of bodies.

    Args:
        tree: a checked description.
        wishes: what the user wants of them.
        sizes: of the shapes of links, where they are known, m.

    Returns:
        The plan; links on a fixed base have no carrier.
    """
    poses: dict[str, FloatArray] = {tree.root: np.eye(4)}
    carrier: dict[str, str | None] = {tree.root: None}
    # the bone that the links below hang from: a fixed one too
    parents: dict[str, str | None] = {tree.root: None}
    drafts = _Drafts(poses)
    if wishes.floating_base:
        up = np.array([0.0, 1.0, 0.0])
        carrier[tree.root] = drafts.add(tree.root, FLOATING_BASE, "floating", up, None)
        parents[tree.root] = carrier[tree.root]
    elif wishes.fixed_links or wishes.root:
        parents[tree.root] = drafts.add_fixed(tree.root, None)
    for joint in _joints_from_root(tree):
        link = joint.child
        poses[link] = poses[joint.parent] @ joint.parent_from_joint
        above = parents[joint.parent]
        if joint.type == "fixed":
            carrier[link] = carrier[joint.parent]
            parents[link] = drafts.add_fixed(link, above) if wishes.fixed_links else above
            continue
        bone = drafts.add(link, joint.name, joint.type, joint.axis, above)
        if joint.second_axis is not None:
            bone = drafts.add(link, joint.name, joint.type, joint.second_axis, bone, turn=1)
        carrier[link] = parents[link] = bone
    return drafts.finished(carrier, wishes.length, sizes)


class _Drafts:
    """Bones as they are thought of, still without labels and lengths."""

    def __init__(self, poses: Mapping[str, FloatArray]) -> None:
        """Take the links' poses (4, 4) at zero, which the caller goes on filling."""
        self._poses = poses
        self._bones: dict[str, PlacedBone] = {}

    def add(
        self,
        link: str,
        joint: str,
        kind: Kind,
        axis: FloatArray,
        parent: str | None,
        turn: int = 0,
    ) -> str:
        """A bone that a joint moves; returns its id."""
        direction, z, sign = _aim(kind, self._poses[link], axis, self._above(parent))
        name = f"bone_{len(self._bones)}"
        self._bones[name] = PlannedBone(
            name, "", link, parent, self._poses[link], direction, z, 0.0, joint, kind, sign, turn
        )
        return name

    def add_fixed(self, link: str, parent: str | None) -> str:
        """A bone with the link's own axes that no joint moves; returns its id."""
        up = np.array([0.0, 1.0, 0.0])
        direction, z, _ = _aim("floating", self._poses[link], up, self._above(parent))
        name = f"fixed_{len(self._bones)}"
        self._bones[name] = PlacedBone(name, "", link, parent, self._poses[link], direction, z, 0.0)
        return name

    def finished(
        self, carrier: Mapping[str, str | None], length: float, sizes: Mapping[str, float]
    ) -> RigPlan:
        """The plan, with labels, and with lengths (m): the wished one, or pleasant ones for 0."""
        drafts = tuple(self._bones.values())
        heads = np.reshape([bone.armature_from_link[:3, 3] for bone in drafts], (-1, 3))
        least = least_lengths(heads).tolist()
        wished = [length] * len(drafts) if length else self._pleasant(heads, sizes).tolist()
        labels: dict[str, None] = {}  # in order, and quick to look up
        for bone in drafts:
            labels[unique_label(bone.link, labels)] = None
        bones = [
            replace(bone, label=text, length=max(own, shortest))
            for bone, text, own, shortest in zip(drafts, labels, wished, least, strict=True)
        ]
        return RigPlan(
            tuple(bone for bone in bones if isinstance(bone, PlannedBone)),
            tuple(bone for bone in bones if not isinstance(bone, PlannedBone)),
            self._poses,
            carrier,
            sum(bone.length > length for bone in bones) if length else 0,
        )

    def _pleasant(self, heads: FloatArray, sizes: Mapping[str, float]) -> FloatArray:
        """A length (n,) for each bone that looks well, for heads (n, 3), m."""
        moving = [isinstance(bone, PlannedBone) for bone in self._bones.values()]
        shapes = [size_of(bone.link, sizes) for bone in self._bones.values()]
        reach = max(float(np.linalg.norm(pose[:3, 3])) for pose in self._poses.values())
        return pleasant_lengths(heads, moving, shapes, reach)

    def _above(self, parent: str | None) -> FloatArray:
        """+Y (3,) of the bone above, or of the armature, in the armature."""
        return self._bones[parent].direction if parent else np.array([0.0, 1.0, 0.0])


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
    (x, y, z), (a, b, c) = direction.tolist(), parent_y.tolist()
    sine = hypot(y * c - z * b, z * a - x * c, x * b - y * a)
    off = atan2(sine, -(x * a + y * b + z * c))
    return off < SNAPPED or SHEARED[0] < off < SHEARED[1]
