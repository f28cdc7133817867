"""Where links are at rest after their bones were edited, and the joints' origins there.

A bone that was moved or turned in edit mode takes its link along, with all that hangs from it:

    armature_from_link' = delta armature_from_link,    delta = rest' rest^-1.

The axis of a joint stays as it is in the joint's own frame, which turns with the bone. Joints
whose ends did not move against each other keep the numbers of the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ....core.arrays import FloatArray
from ....core.frames import rpy_from_rotation, transform_from_xyz_rpy
from ....core.urdf.document import Joint, Origin, Robot
from ...errors import RigError
from ..matrices import from_blender
from ..rig_access import REST_TOLERANCE, Rig
from ..robot_table import BONE_KEY
from ..seven_digits import rounded_sums
from .kept_numbers import kept

SURELY = 2  # bones that no move of one of them brings the same factor from the origin
SAME_FACTOR = 1e-4  # two factors are the same: positions are float32


def with_edited_origins(rig: Rig, robot: Robot) -> tuple[Robot, tuple[str, ...]]:
    """The robot with the joints' origins as the bones are at rest now.

    Args:
        rig: opened with rest_edited.
        robot: the description in its table.

    Returns:
        The robot, and the names of the joints that have another origin.

    Raises:
        RigError: for a bone that is not at a finite place, or bones that were scaled as one.
    """
    deltas = _deltas(rig)
    if not deltas:
        return robot, ()
    _check_size(rig)
    moves = {link.name: _delta_of_link(rig, link.name, deltas) for link in robot.links}
    joints = []
    changed = []
    for joint in robot.joints:
        above, own = moves[joint.parent], moves[joint.child]
        # float32 noise of bones that were moved as one
        room = REST_TOLERANCE * max(1.0, float(np.abs(own).max()))
        if np.abs(above - own).max() > room:
            joint = replace(joint, origin=_moved_origin(rig, joint, above, own))
            changed.append(joint.name)
        joints.append(joint)
    return replace(robot, joints=tuple(joints)), tuple(changed)


def _deltas(rig: Rig) -> Mapping[str, FloatArray]:
    """delta (4, 4) of each bone that is elsewhere than in the table, by id."""
    deltas: dict[str, FloatArray] = {}
    for record in rig.table.all_bones:
        before = record.armature_from_bone
        bone = rig.pose_bones[record.id].bone
        now = from_blender(bone.matrix_local)
        if not np.isfinite(now).all():
            raise RigError(
                f"robot '{rig.object.name}': bone '{bone.name}' is at no finite place at rest; a "
                "URDF has finite numbers only: set its head, tail and roll anew"
            )
        if np.abs(now - before).max() > REST_TOLERANCE * np.abs(before).max():
            deltas[record.id] = _delta(before, now)
    return deltas


def _check_size(rig: Rig) -> None:
    """Refuse a robot whose bones are all the same factor farther from the origin.

    So they are once the armature's scale was applied. That changes neither inertias nor limits of
    sliding joints, and all but the bones is out of proportion then.
    """
    records = rig.table.all_bones
    bones = [rig.pose_bones[record.id].bone for record in records]
    before = np.array([np.linalg.norm(record.armature_from_bone[:3, 3]) for record in records])
    now = np.array([bone.head_local.length for bone in bones])
    away = before > REST_TOLERANCE
    if np.count_nonzero(away) < SURELY:
        return
    factors = now[away] / before[away]
    factor = float(np.median(factors))
    noise = SAME_FACTOR * max(1.0, factor)
    if abs(factor - 1.0) > noise and np.abs(factors - factor).max() <= noise:
        raise RigError(
            f"robot '{rig.object.name}': its bones were scaled by {factor:.4g}, or its scale was "
            "applied; inertias and limits do not follow that: undo, and scale the object alone"
        )


def _delta(before: FloatArray, now: FloatArray) -> FloatArray:
    """now before^-1 as a proper rotation and a place; no turn at all where there is only noise."""
    delta = np.eye(4)
    u, _, v = np.linalg.svd(now[:3, :3] @ np.linalg.inv(before[:3, :3]))
    turn = u @ v
    if np.abs(turn - np.eye(3)).max() > REST_TOLERANCE:
        delta[:3, :3] = turn
    delta[:3, 3] = now[:3, 3] - delta[:3, :3] @ before[:3, 3]
    return delta


def _delta_of_link(rig: Rig, link: str, deltas: Mapping[str, FloatArray]) -> FloatArray:
    bone, _ = rig.hanging(link)
    return np.eye(4) if bone is None else deltas.get(bone.bone[BONE_KEY], np.eye(4))


def _moved_origin(rig: Rig, joint: Joint, above: FloatArray, own: FloatArray) -> Origin:
    """The origin of a joint whose ends were moved by `above` and `own` (4, 4) in the armature."""
    parent = _armature_from_link(rig, joint.parent)
    parent_from_joint = transform_from_xyz_rpy(joint.origin.xyz, joint.origin.rpy)
    moved = np.linalg.inv(above @ parent) @ own @ parent @ parent_from_joint
    x, y, z = kept(joint.origin.xyz, rounded_sums(moved[:3, 3]))
    if np.abs(above[:3, :3] - own[:3, :3]).max() <= REST_TOLERANCE:
        return Origin((x, y, z), joint.origin.rpy)
    roll, pitch, yaw = rounded_sums(rpy_from_rotation(moved[:3, :3]))
    return Origin((x, y, z), kept(joint.origin.rpy, (roll, pitch, yaw)))


def _armature_from_link(rig: Rig, link: str) -> FloatArray:
    """(4, 4), as in the table."""
    record = rig.table.links[link]
    if record.bone is None:
        return record.bone_from_link
    rest = next(bone for bone in rig.table.bones if bone.id == record.bone).armature_from_bone
    pose: FloatArray = rest @ record.bone_from_link
    return pose
