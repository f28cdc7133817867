"""Joint values to pose bones and back, and where the links are in the evaluated scene."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import bpy
import numpy as np

from ...core.arrays import FloatArray
from ...core.dynamics import Model
from .bone_plan import FREELY_TURNING, Kind
from .channels import EULER, LOCATION, PATHS, QUATERNION
from .joint_limits import limit_of
from .matrices import from_blender
from .rig_access import Rig, open_rig


def settle_rig(rig: Rig) -> None:
    """Make every bone of a robot move as its joint does, and those of fixed links not at all."""
    for record in rig.table.bones:
        settle_bone(rig.pose_bones[record.id], record.kind)
    for fixed in rig.table.fixed_bones:
        settle_bone(rig.pose_bones[fixed.id], None)


def settle_bone(bone: bpy.types.PoseBone, kind: Kind | None) -> None:
    """Make a bone move as its joint does: rotation mode, locks, and all else at rest.

    Args:
        bone: of a rig.
        kind: the type of its joint; None for a bone that stays where it is in its parent.
    """
    own = PATHS[kind] if kind is not None else ()
    free = kind in FREELY_TURNING
    turns = any(path != LOCATION for path, _ in own)
    slides_here, turns_here = (
        [(path, axis) in own for axis in range(3)] for path in (LOCATION, EULER)
    )
    wanted = {
        "rotation_mode": "QUATERNION" if free else "YXZ",
        "lock_location": tuple(not slides for slides in slides_here),
        "lock_rotation": tuple(not (turns or free) for turns in turns_here),
        "lock_rotation_w": not free,
        "lock_scale": (True, True, True),
        "lock_ik_x": not free,
        "lock_ik_y": not turns,
        "lock_ik_z": not free,
        "location": _kept(bone.location[:], slides_here),
        "rotation_euler": _kept(bone.rotation_euler[:], turns_here),
        "scale": (1.0, 1.0, 1.0),
    }
    # Blender tags the scene at every assignment, which takes its time with a thousand bones
    for name, value in wanted.items():
        found = getattr(bone, name)
        if value != (found if isinstance(value, str | bool) else tuple(found)):
            setattr(bone, name, value)


def _kept(values: Iterable[float], own: list[bool]) -> tuple[float, ...]:
    """The values of the joint's own axes, and 0 for the others."""
    return tuple(value if mine else 0.0 for value, mine in zip(values, own, strict=True))


def set_joint_values(rig: Rig, values: Mapping[str, FloatArray | float]) -> None:
    """Pose joints by name.

    Args:
        rig: the robot.
        values: coordinates of each joint: a number, or (n,) as in the model's q. Mimic joints
            are driven and take no value.
    """
    for joint, value in values.items():
        bone = rig.pose_bone(joint)
        channels = rig.channels[joint]
        numbers = channels.from_coordinates(np.atleast_1d(np.asarray(value, dtype=np.float64)))
        for (path, index), number in zip(channels.paths, numbers, strict=True):
            getattr(bone, path)[index] = number


def set_configuration(rig: Rig, model: Model, q: FloatArray) -> None:
    """Pose the robot at q (nq,)."""
    set_joint_values(rig, {joint: q[model.q_index(joint)] for joint in model.joint_names})


def get_configuration(rig: Rig, model: Model) -> FloatArray:
    """q (nq,) of the pose as the user sees it: channel values, clamped by active limits."""
    q = model.neutral()
    for joint in model.joint_names:
        q[model.q_index(joint)] = joint_coordinates(rig, joint)
    return q


def joint_coordinates(rig: Rig, joint: str) -> FloatArray:
    """The coordinates (n,) of one joint in the current pose."""
    bone = rig.pose_bone(joint)
    channels = rig.channels[joint]
    values = np.array([getattr(bone, path)[index] for path, index in channels.paths])
    limit = limit_of(bone)
    if limit is not None and len(values) == 1:
        values = np.clip(values, *limit)
    if channels.paths[-1][0] != QUATERNION:
        return channels.to_coordinates(values)
    values[-4:] = _unit(values[-4:])
    coordinates = channels.to_coordinates(values)
    coordinates[-4:] /= np.linalg.norm(coordinates[-4:])
    return coordinates


def _unit(quaternion: FloatArray) -> FloatArray:
    """The unit quaternion (4,) that Blender shows: it takes zero for half a turn about X."""
    norm = float(np.linalg.norm(quaternion))
    # its float32 squares vanish earlier
    gone = not np.square(quaternion.astype(np.float32)).sum() > 0.0
    return np.array((0.0, 1.0, 0.0, 0.0)) if gone else quaternion / norm


def evaluated_link_poses(
    context: bpy.types.Context, armature_object: bpy.types.Object, *, world: bool = False
) -> dict[str, FloatArray]:
    """Where Blender has the links of a robot at the current frame, from its evaluated scene.

    Args:
        context: whose depsgraph is asked.
        armature_object: the robot.
        world: whether to go through the armature object's own transform.

    Returns:
        armature_from_link (or world_from_link), (4, 4) float64, by exact link name.

    Raises:
        RigError: if the object is no robot.
    """
    rig = open_rig(armature_object)
    evaluated = armature_object.evaluated_get(context.evaluated_depsgraph_get())
    bones = {
        bone.name: from_blender(evaluated.pose.bones[bone.name].matrix)
        for bone in rig.pose_bones.values()
    }
    base = from_blender(evaluated.matrix_world) if world else np.eye(4)
    poses: dict[str, FloatArray] = {}
    for name in rig.table.links:
        bone, bone_from_link = rig.hanging(name)
        above = np.eye(4) if bone is None else bones[bone.name]
        poses[name] = base @ above @ bone_from_link
    return poses
