"""What a person or a file describes: rigid bodies joined in a tree, before it is compiled."""

from .tree import MOVING_JOINT_TYPES, Body, JointType, Mimic, Tree, TreeJoint, planar_axes

__all__ = [
    "MOVING_JOINT_TYPES",
    "Body",
    "JointType",
    "Mimic",
    "Tree",
    "TreeJoint",
    "planar_axes",
]
