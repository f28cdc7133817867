"""What a person or a file describes: mechanisms of components, and trees of rigid bodies.

A mechanism and a robot description both become a tree, which `dynamics` compiles.

    from dynarig.core.mechanism import Mechanism, planar
"""

from ..dynamics.constraints import Switch
from ..frames import get_rot, ori_2d
from ..tree import (
    LIMITED_JOINT_TYPES,
    MOVING_JOINT_TYPES,
    SINGLE_JOINT_TYPES,
    Body,
    Coefficient,
    JointType,
    Mimic,
    Tree,
    TreeJoint,
    planar_axes,
)
from . import planar, spatial
from .component import Component
from .frame import Frame
from .mechanism import Mechanism
from .solution_frames import get_frame, get_trans

__all__ = [
    "LIMITED_JOINT_TYPES",
    "MOVING_JOINT_TYPES",
    "SINGLE_JOINT_TYPES",
    "Body",
    "Coefficient",
    "Component",
    "Frame",
    "JointType",
    "Mechanism",
    "Mimic",
    "Switch",
    "Tree",
    "TreeJoint",
    "get_frame",
    "get_rot",
    "get_trans",
    "ori_2d",
    "planar",
    "planar_axes",
    "spatial",
]
