"""Where links are at rest, and how large a robot is by that."""

from __future__ import annotations

import numpy as np

from ....core.arrays import FloatArray
from ..bone_lengths import SIZE_OF_A_POINT
from ..rig_access import Rig


def rest_poses(rig: Rig) -> dict[str, FloatArray]:
    """armature_from_link, (4, 4), of every link where all bones rest: at zero of all joints."""
    rest = {bone.id: bone.armature_from_bone for bone in rig.table.bones}
    return {
        name: link.bone_from_link if link.bone is None else rest[link.bone] @ link.bone_from_link
        for name, link in rig.table.links.items()
    }


def robot_size(rig: Rig) -> float:
    """How far the link farthest from the root's frame is at rest, m; that of a point is 1 m."""
    reach = max(float(np.linalg.norm(pose[:3, 3])) for pose in rest_poses(rig).values())
    return reach or SIZE_OF_A_POINT
