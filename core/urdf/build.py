"""From the description to the mechanism: every link a body, every joint a tree joint."""

from __future__ import annotations

import numpy as np

from ..frames import rotation_from_rpy, transform_from_xyz_rpy
from ..tree import SINGLE_JOINT_TYPES, Body, Mimic, Tree, TreeJoint
from .document import Joint, Link, Robot


def tree_from_robot(robot: Robot) -> Tree:
    """The mechanism that a robot description means.

    Args:
        robot: a checked description (see `load_urdf`).

    Returns:
        The tree with a body for each link, in the order of the file.
    """
    return Tree(
        name=robot.name,
        bodies=tuple(_body(link) for link in robot.links),
        joints=tuple(_joint(joint) for joint in robot.joints),
        root=robot.root,
    )


def _body(link: Link) -> Body:
    if link.inertial is None:
        return Body(link.name, 0.0, np.zeros(3), np.zeros((3, 3)))
    ixx, ixy, ixz, iyy, iyz, izz = link.inertial.inertia
    local = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
    # the file gives the inertia in the axes of the inertial frame
    link_from_inertial_rot = rotation_from_rpy(link.inertial.origin.rpy)
    return Body(
        name=link.name,
        mass=link.inertial.mass,
        center_of_mass=np.array(link.inertial.origin.xyz),
        inertia=link_from_inertial_rot @ local @ link_from_inertial_rot.T,
    )


def _joint(joint: Joint) -> TreeJoint:
    lower, upper = -np.inf, np.inf
    if joint.limit is not None and joint.type in ("revolute", "prismatic"):
        lower = lower if joint.limit.lower is None else joint.limit.lower
        upper = upper if joint.limit.upper is None else joint.limit.upper
    mimic = None
    if joint.mimic is not None:
        mimic = Mimic(joint.mimic.joint, joint.mimic.multiplier, joint.mimic.offset)
    return TreeJoint(
        name=joint.name,
        type=joint.type,
        parent=joint.parent,
        child=joint.child,
        parent_from_joint=transform_from_xyz_rpy(joint.origin.xyz, joint.origin.rpy),
        axis=np.array(joint.axis),
        lower=lower,
        upper=upper,
        damping=joint.dynamics.damping,
        friction=joint.dynamics.friction,
        mimic=mimic,
        effort=_effort(joint),
    )


def _effort(joint: Joint) -> float:
    """The largest force of the joint's motor, N m or N; infinite without a limit.

    An effort of 0 is read as none: the specification demands the attribute, so that files
    which know no limit have effort="0", and a motor that can do nothing is no motor. Joints of
    several coordinates have none, of whose forces and torques one number would not tell.
    """
    if joint.limit is None or joint.type not in SINGLE_JOINT_TYPES:
        return np.inf
    return joint.limit.effort or np.inf
