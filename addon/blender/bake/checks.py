"""What is looked at before a bake touches the robot, and what its report warns of."""

from __future__ import annotations

import bpy
import numpy as np

from ....core.arrays import FloatArray
from ....core.dynamics import Model
from ....core.key_segments import CLOSEST_KEYS
from ....core.keyframes import KeyTable
from ....core.trajectory import Trajectory
from ...errors import RigError
from ..channels import TRANSFORMS
from ..joint_limits import is_rig_limit
from ..rig_access import Rig

# Blender keeps values as float32, 7 digits. Beyond a thousand turns one digit is worth more than
# any tolerance of the rig (rad, or m); beyond the second number an angle has no meaning left.
LARGEST_EXACT = 2000.0 * np.pi
LARGEST_VALUE = 1e6
DIGITS = 1e-6  # relative to 1 rad or m: what a posed loop is open by in single precision
LARGEST_SLOPE = 1e30  # per frame: its handles are still finite in float32


def check_editable(obj: bpy.types.Object) -> None:
    """Refuse a robot whose pose or animation Blender would not keep.

    Raises:
        RigError: for one that is linked, or in edit mode.
    """
    if obj.library is not None:
        raise RigError(
            f"robot '{obj.name}' is linked from another file and cannot be animated; make a "
            "library override of it (Object > Library Override > Make)"
        )
    if isinstance(obj.data, bpy.types.Armature) and obj.data.is_editmode:
        raise RigError(f"robot '{obj.name}' is in edit mode; leave it first (Tab)")


def check_fits(rig: Rig, model: Model) -> None:
    """Refuse a motion of another robot.

    Raises:
        RigError: for joints that the rig does not have, or has with other coordinates.
    """
    for joint in model.joint_names:
        rig.pose_bone(joint)
        has, wants = len(rig.channels[joint].paths), model.neutral()[model.q_index(joint)].size
        if has != wants:
            raise RigError(
                f"joint '{joint}' of robot '{rig.object.name}' has {has} channels, and the motion "
                f"has {wants} coordinates for it; wanted a motion of this robot"
            )


def check_values(table: KeyTable) -> None:
    """Refuse values that an F-curve cannot hold.

    Raises:
        RigError: naming the joint and the value.
    """
    for keys in table.keys:
        value = np.abs(keys.values).max(initial=0.0)
        slope = np.abs(keys.slopes).max(initial=0.0)
        if not value <= LARGEST_VALUE:
            raise RigError(
                f"joint '{keys.joint}' reaches {value:.3g} rad or m; wanted values up to "
                f"{LARGEST_VALUE:g}, Blender's curves hold no more digits"
            )
        if not slope <= LARGEST_SLOPE:
            raise RigError(
                f"joint '{keys.joint}' moves by {slope:.3g} rad or m a frame, which Blender's "
                "curves cannot hold"
            )


def warnings_of(
    rig: Rig, model: Model, table: KeyTable, tolerance: float | None
) -> tuple[str, ...]:
    """What will make the robot in Blender stand elsewhere than in the motion; a line for each.

    Args:
        tolerance: rad or m, that was asked for; None for none.
    """
    return (
        *_missed(table, tolerance),
        *_inexact(table),
        *_foreign_drivers(rig, model),
        *_foreign_constraints(rig),
    )


def start_warnings(trajectory: Trajectory, pose: FloatArray) -> list[str]:
    """How far loops moved the start of a simulation from the pose q (nq,) that it was given."""
    notice = trajectory.equations.notice
    if trajectory.energy is None or notice is None:
        return []
    change = np.abs(trajectory.q[0] - pose)
    return [notice] if (change > DIGITS * np.maximum(np.abs(pose), 1.0)).any() else []


def _missed(table: KeyTable, tolerance: float | None) -> list[str]:
    """A tolerance that keys cannot keep, as something hits next to the last frame or a key."""
    if tolerance is None or table.deviation <= tolerance:
        return []
    return [
        f"the tolerance of {tolerance:g} rad or m is missed: at frame {table.deviation_frame:.2f} "
        f"curves are {table.deviation:.2g} off, and keys may stand no closer than {CLOSEST_KEYS:g} "
        "frames"
    ]


def _inexact(table: KeyTable) -> list[str]:
    found = []
    for keys in table.keys:
        value = np.abs(keys.values).max(initial=0.0)
        if value > LARGEST_EXACT:
            found.append(
                f"joint '{keys.joint}' reaches {value:.4g} rad or m, where Blender's 7 digits are "
                f"only exact to {np.spacing(np.float32(value)):.1g}"
            )
    return found


def _foreign_drivers(rig: Rig, model: Model) -> list[str]:
    """Drivers on transforms of the robot's bones that are not those of its mimic joints."""
    animation = rig.object.animation_data
    if animation is None:
        return []
    joint_of = {
        rig.pose_bones[key].path_from_id(path): joint
        for key, joint in rig.joint_of_bone.items()
        for path in TRANSFORMS
    }
    own = {
        (rig.pose_bone(joint).path_from_id(path), index)
        for joint in model.followers
        for path, index in rig.channels[joint].paths
    }
    driven = {
        joint_of[curve.data_path]: None
        for curve in animation.drivers
        if curve.data_path in joint_of
        and (curve.data_path, curve.array_index) not in own
        and not curve.mute
    }
    return [f"joint '{joint}' has a driver, which overrules its keys" for joint in driven]


def _foreign_constraints(rig: Rig) -> list[str]:
    return [
        f"the constraint '{item.name}' on the bone of joint '{joint}' bends its motion"
        for key, joint in rig.joint_of_bone.items()
        for item in rig.pose_bones[key].constraints
        if not item.mute and item.influence > 0.0 and not is_rig_limit(rig.pose_bones[key], item)
    ]
