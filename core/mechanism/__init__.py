"""What a person or a file describes: rigid bodies joined in a tree, before it is compiled."""

from .tree import (
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

__all__ = [
    "LIMITED_JOINT_TYPES",
    "MOVING_JOINT_TYPES",
    "SINGLE_JOINT_TYPES",
    "Body",
    "Coefficient",
    "JointType",
    "Mimic",
    "Tree",
    "TreeJoint",
    "planar_axes",
]
