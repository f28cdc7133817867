"""From the mechanism to the model: merge welded bodies, lay out coordinates, index the tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import FloatArray, as_floats, frozen
from ..errors import ModelError
from ..frames.sequences import euler_sequence
from ..tree import LIMITED_JOINT_TYPES, SINGLE_JOINT_TYPES, Tree, TreeJoint
from ..urdf.build import tree_from_robot
from ..urdf.document import Robot
from .inertia_facts import with_inertia_facts
from .layout import Layout
from .model import FLOATING_BASE, Follower, IntArray, Model
from .orientation_states import TURNS
from .spatial import pseudo_inertia

MimicMode = Literal["coupled", "independent"]

LARGEST_GRAVITY = 1e6  # m/s^2
STOP_DEPTH_TURN = 1e-3  # rad: a stop's damper engages smoothly over this depth
STOP_DEPTH_SLIDE = 1e-4  # m


def compile_robot(
    robot: Robot,
    floating_base: bool = False,
    gravity: ArrayLike = (0.0, 0.0, -9.81),
    mimic: MimicMode = "coupled",
) -> Model:
    """Compile a robot description.

    Args:
        robot: the description (see `load_urdf`).
        floating_base: whether the root link moves freely; its joint comes first in q and is
            called `FLOATING_BASE`.
        gravity: (3,), m/s^2, in the frame of a fixed root link (the world).
        mimic: 'coupled' gives a follower no coordinate of its own; 'independent' ignores mimics.

    Returns:
        The model. Its joints stand depth first, in the order of the file.

    Raises:
        ModelError: for a mimic cycle, a follower or leader with other than one coordinate, or a
            wrong argument.
    """
    return compile_tree(tree_from_robot(robot), floating_base, gravity, mimic)


def compile_tree(
    tree: Tree,
    floating_base: bool = False,
    gravity: ArrayLike = (0.0, 0.0, -9.81),
    mimic: MimicMode = "coupled",
) -> Model:
    """Compile a mechanism; arguments, result and errors as `compile_robot`."""
    if mimic not in ("coupled", "independent"):
        raise ModelError(f"mimic: wanted 'coupled' or 'independent', got {mimic!r}")
    down = as_floats(gravity, (3,), "gravity")
    if down.shape != (3,) or not np.abs(down).max() <= LARGEST_GRAVITY:
        raise ModelError(
            f"gravity: wanted three numbers up to {LARGEST_GRAVITY:g} m/s^2, got {gravity!r}"
        )

    joints = tree.joints_from_root()
    moving = [joint for joint in joints if joint.type != "fixed"]
    if floating_base and any(joint.name == FLOATING_BASE for joint in moving):
        raise ModelError(
            f"{tree.name}: a moving joint is called '{FLOATING_BASE}', which is the name of a "
            "floating base's own joint; rename it, or compile with floating_base=False"
        )
    followers = _followers(tree, joints) if mimic == "coupled" else {}
    layout = Layout()
    if floating_base:
        layout.add_free(_base_joint(tree), parent_frame=0, frame_from_joint=np.eye(4))
    carriers = {tree.root: (len(layout.parents) - 1, np.eye(4))}
    for joint in joints:
        carrier, frame_from_parent = carriers[joint.parent]
        carriers[joint.child] = layout.add(
            joint, carrier, frame_from_parent @ joint.parent_from_joint, joint.name in followers
        )

    with np.errstate(all="ignore"):  # inertias out of range are refused below
        model = _assemble(tree, layout, carriers, followers, down.copy())
    return with_inertia_facts(model)


def _base_joint(tree: Tree) -> TreeJoint:
    return TreeJoint(FLOATING_BASE, "floating", "", tree.root, np.eye(4), np.zeros(3))


def _followers(tree: Tree, joints: Sequence[TreeJoint]) -> dict[str, Follower]:
    """Mimic chains folded into one relation with the leader that moves by itself."""
    by_name = {joint.name: joint for joint in joints}
    out: dict[str, Follower] = {}
    for joint in joints:
        if joint.mimic is None or joint.type == "fixed":
            continue
        # a dictionary: in order, and quick to look up
        multiplier, offset, seen, here = 1.0, 0.0, {joint.name: True}, joint
        while here.mimic is not None:
            if here.type not in (*SINGLE_JOINT_TYPES, "fixed"):
                raise ModelError(
                    f"{tree.name}: joint '{here.name}' is {here.type} and cannot mimic; "
                    f"allowed: {', '.join(SINGLE_JOINT_TYPES)}"
                )
            offset += multiplier * here.mimic.offset
            multiplier *= here.mimic.multiplier
            leader = here.mimic.leader
            if leader in seen or leader not in by_name:
                what = "mimics itself" if leader in seen else "mimics an unknown joint"
                raise ModelError(f"{tree.name}: {what}: {' -> '.join([*seen, leader])}")
            seen[leader] = True
            here = by_name[leader]
        if here.type not in (*SINGLE_JOINT_TYPES, "fixed"):
            raise ModelError(
                f"{tree.name}: joint '{joint.name}' mimics the {here.type} joint '{here.name}'; "
                f"allowed: {', '.join(SINGLE_JOINT_TYPES)}"
            )
        out[joint.name] = Follower(here.name, multiplier, offset)
    return out


def _assemble(
    tree: Tree,
    layout: Layout,
    carriers: dict[str, tuple[int, FloatArray]],
    followers: dict[str, Follower],
    gravity: FloatArray,
) -> Model:
    """Fill the model's arrays from the layout."""
    frames, dofs = len(layout.parents), len(layout.dof_frame)
    dof_frame = np.array(layout.dof_frame, dtype=np.intp)
    path = _paths(layout.parents, dof_frame)
    coordinate_from_q, offset, dof_from_v = _mimic_maps(layout, followers)
    pseudo = np.zeros((frames, 4, 4))
    for body in tree.bodies:
        frame, frame_from_body = carriers[body.name]
        local = pseudo_inertia(body.mass, body.center_of_mass, body.inertia)
        pseudo[frame] += frame_from_body @ local @ frame_from_body.T
    scalar = layout.scalar_joints
    turns = np.array(layout.scalar_turns, dtype=bool)
    bounded = [joint.type in LIMITED_JOINT_TYPES for joint in scalar]

    def passive(name: str) -> FloatArray:
        """A coefficient of each scalar frame, (ns,)."""
        pairs = zip(scalar, layout.scalar_index, strict=True)
        return np.array([joint.coefficients(name)[index] for joint, index in pairs])

    # a joint's own rotor turns gear_ratio times as fast
    armature = np.zeros(dofs)
    armature[layout.scalar_dof] = passive("gear_ratio") ** 2 * passive("rotor_inertia")
    return Model(
        name=tree.name,
        link_names=tuple(body.name for body in tree.bodies),
        joint_names=tuple(layout.q_slices),
        joint_types=layout.joint_types,
        followers=followers,
        gravity=frozen(gravity),
        nq=layout.nq,
        nv=layout.nv,
        q_slices=layout.q_slices,
        v_slices=layout.v_slices,
        parents=_indices(layout.parents),
        scalar_frames=_indices(layout.scalar_frames),
        scalar_features=frozen(np.array(layout.features).reshape(-1, 4, 16)),
        plain_q=_indices([q for q in layout.scalar_q if q >= 0]),
        plain_v=_indices([v for v in layout.scalar_v if v >= 0]),
        coordinate_from_q=coordinate_from_q,
        coordinate_offset=frozen(offset),
        scalar_velocity=_indices(layout.scalar_v),
        **_free_arrays(layout),
        dof_frame=dof_frame,
        dof_twist=frozen(np.array(layout.dof_twist).reshape(-1, 6)),
        dof_joint=tuple(layout.dof_joint),
        scalar_dof=_indices(layout.scalar_dof),
        dof_from_v=dof_from_v,
        path=frozen(path),
        frame_pseudo_inertia=frozen(pseudo),
        link_frame=_indices([carriers[body.name][0] for body in tree.bodies]),
        frame_from_link=frozen(np.array([carriers[body.name][1] for body in tree.bodies])),
        armature=frozen(armature) if armature.any() else None,
        damping=frozen(passive("damping")),
        friction=frozen(passive("friction")),
        friction_speed=frozen(np.array([joint.friction_speed for joint in scalar])),
        stiffness=frozen(passive("stiffness")),
        rest=frozen(passive("rest")),
        effort=frozen(_efforts(scalar)),
        lower=frozen(np.where(bounded, [joint.lower for joint in scalar], -np.inf)),
        upper=frozen(np.where(bounded, [joint.upper for joint in scalar], np.inf)),
        stop_inertia=frozen(np.zeros(len(scalar))),
        stop_depth=frozen(np.where(turns, STOP_DEPTH_TURN, STOP_DEPTH_SLIDE)),
        massless=(),
    )


def _free_arrays(layout: Layout) -> dict[str, Any]:
    """What the model keeps of spherical and floating joints."""
    joints, places = layout.free_joints, layout.free_orientation
    labels = [joint.sequence and euler_sequence(joint.sequence).label for joint in joints]
    quaternions = [row for row, label in enumerate(labels) if label is None]
    eulers = [row for row, label in enumerate(labels) if label is not None]
    # the axis of each turn: 0, 1, 2
    turns = np.array([["XYZ".index(letter) for letter in labels[row] or ""] for row in eulers])
    turns = turns.reshape(-1, 3).astype(np.intp)
    damping = [
        joint.coefficients("damping") if joint.type == "spherical" else np.zeros(3)
        for joint in joints
    ]
    return {
        "free_frames": _indices(layout.free_frames),
        "free_parent_from_joint": frozen(np.array(layout.free_parent).reshape(-1, 4, 4)),
        "free_sequences": tuple(labels),
        "free_angular_v": _indices(layout.free_angular_v).reshape(-1, 3),
        "floating_rows": _indices(list(layout.free_position)),
        "floating_q": _indices(list(layout.free_position.values())).reshape(-1, 3),
        "floating_v": _indices(list(layout.free_linear_v.values())).reshape(-1, 3),
        "quaternion_rows": _indices(quaternions),
        "quaternion_q": _indices([places[row] for row in quaternions]).reshape(-1, 4),
        "euler_rows": _indices(eulers),
        "euler_q": _indices([places[row] for row in eulers]).reshape(-1, 3),
        "euler_axes": frozen(np.eye(3)[turns]),
        "euler_features": frozen(TURNS[turns]),
        "free_damping": frozen(np.array(damping).reshape(-1, 3)),
    }


def _efforts(scalar: Sequence[TreeJoint]) -> FloatArray:
    """The largest force of the motor of each scalar frame (ns,), checked."""
    for joint in scalar:
        if not joint.effort > 0.0:
            raise ModelError(
                f"joint '{joint.name}': effort: wanted a number above 0, inf for no limit, got "
                f"{joint.effort!r}"
            )
    return np.array([joint.effort for joint in scalar], dtype=np.float64)


def _indices(values: Sequence[int] | Sequence[range]) -> IntArray:
    out = np.array(values, dtype=np.intp)
    out.flags.writeable = False
    return out


def _paths(parents: Sequence[int], dof_frame: IntArray) -> FloatArray:
    """(nf, nd): 1 where the degree of freedom lies between the world and the frame."""
    moved_by = np.eye(len(parents))
    for frame in range(1, len(parents)):
        moved_by[frame] += moved_by[parents[frame]]
    return moved_by[:, dof_frame]


def _mimic_maps(
    layout: Layout, followers: dict[str, Follower]
) -> tuple[FloatArray | None, FloatArray, FloatArray | None]:
    """coordinate_from_q, its offset and dof_from_v; None where the map is the identity."""
    scalars, dofs = len(layout.scalar_q), len(layout.dof_v)
    offset = np.zeros(scalars)
    if not followers and not layout.free_frames:
        return None, offset, None
    coordinate_from_q, dof_from_v = np.zeros((scalars, layout.nq)), np.zeros((dofs, layout.nv))
    for dof, v in enumerate(layout.dof_v):
        if v >= 0:
            dof_from_v[dof, v] = 1.0
    for index, q in enumerate(layout.scalar_q):
        if q >= 0:
            coordinate_from_q[index, q] = 1.0
            continue
        follower = followers[layout.scalar_joints[index].name]
        offset[index] = follower.offset
        if follower.leader in layout.q_slices:
            coordinate_from_q[index, layout.q_slices[follower.leader].start] = follower.multiplier
            leader_v = layout.v_slices[follower.leader].start
            dof_from_v[layout.scalar_dof[index], leader_v] = follower.multiplier
    return coordinate_from_q, offset, dof_from_v if followers else None
