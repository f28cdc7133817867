"""Valid robots at random: the description as values, and as the elements that say the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from dynarig.core.urdf import (
    JOINT_TYPES,
    Calibration,
    Collision,
    Inertial,
    Joint,
    JointDynamics,
    JointType,
    Limit,
    Link,
    Material,
    Mimic,
    Robot,
    Safety,
    Visual,
)

from .nodes import Node
from .odd_names import distinct_names
from .random_shapes import random_geometry, random_origin
from .robot_nodes import robot_node

SINGLE: tuple[JointType, ...] = ("revolute", "continuous", "prismatic")
BOUNDED: tuple[JointType, ...] = ("revolute", "prismatic")
AXIAL: tuple[JointType, ...] = (*SINGLE, "planar")


def random_robot(random: np.random.Generator, links: int) -> tuple[Robot, Node]:
    """A robot whose reading makes no errors, and the <robot> element that describes it.

    Args:
        random: where all choices come from.
        links: how many links.

    Returns:
        The robot as it must be read, with neither source nor text nor warnings, and the element.
    """
    names = distinct_names(random, links)
    materials = {name: _material(name, random) for name in distinct_names(random, 4)}
    bodies = [_link(name, materials, random) for name in names]
    joints = _joints(names, random)
    robot = Robot(
        name=distinct_names(random, 1)[0],
        links=tuple(bodies[index] for index in random.permutation(links)),
        joints=tuple(joints[index] for index in random.permutation(len(joints))),
        root=names[0],
        materials=materials,
    )
    return robot, robot_node(robot, random)


def same_robot(read: Robot, made: Robot) -> bool:
    """Whether a robot was read as it was made; axes up to the rounding of their length."""
    if len(read.joints) != len(made.joints):
        return False
    pairs = zip(read.joints, made.joints, strict=True)
    if not all(np.allclose(ours.axis, theirs.axis, rtol=0, atol=1e-12) for ours, theirs in pairs):
        return False
    axes = [joint.axis for joint in made.joints]
    ours = tuple(replace(joint, axis=axis) for joint, axis in zip(read.joints, axes, strict=True))
    same_materials = dict(read.materials) == dict(made.materials)
    plain = replace(read, joints=ours, source=None, text="", warnings=(), materials=made.materials)
    return same_materials and plain == made


def _material(name: str, random: np.random.Generator) -> Material:
    red, green, blue, alpha = (float(value) for value in random.random(4))
    texture = "textures/größe 1.png" if random.random() < 0.3 else None
    return Material(name, (red, green, blue, alpha), texture)


def _link(name: str, materials: dict[str, Material], random: np.random.Generator) -> Link:
    known = [*materials.values(), None, Material("", (0.1, 0.2, 0.3, 1.0))]
    visuals = tuple(
        Visual(
            geometry=random_geometry(random),
            origin=random_origin(random),
            name=_maybe_name(random),
            material=known[random.integers(len(known))],
        )
        for _ in range(random.integers(4))
    )
    collisions = tuple(
        Collision(random_geometry(random), random_origin(random), _maybe_name(random))
        for _ in range(random.integers(3))
    )
    return Link(name, _inertial(random), visuals, collisions)


def _maybe_name(random: np.random.Generator) -> str | None:
    return distinct_names(random, 1)[0] if random.random() < 0.3 else None


def _inertial(random: np.random.Generator) -> Inertial | None:
    if random.random() < 0.3:
        return None
    # of four point masses: an inertia that a body can have
    points = random.normal(size=(4, 3))
    matrix = sum(np.eye(3) * (point @ point) - np.outer(point, point) for point in points)
    ixx, ixy, ixz, iyy, iyz, izz = (
        float(value) for value in np.asarray(matrix)[np.triu_indices(3)]
    )
    return Inertial(
        float(random.uniform(0.01, 50)), (ixx, ixy, ixz, iyy, iyz, izz), random_origin(random)
    )


def _joints(names: list[str], random: np.random.Generator) -> list[Joint]:
    """A joint to each link but the first, from any link before it; names may equal links'."""
    count = len(names) - 1
    own = list(names[:count]) if random.random() < 0.3 else distinct_names(random, count)
    joints: list[Joint] = []
    for number, name in enumerate(own):
        kind = JOINT_TYPES[random.integers(len(JOINT_TYPES))]
        parent = names[number - random.integers(min(number, 3) + 1)]
        joint = Joint(name, kind, parent, names[number + 1], random_origin(random))
        leaders = [other.name for other in joints if other.type in SINGLE]
        joints.append(_with_details(joint, leaders, random))
    return joints


def _with_details(joint: Joint, leaders: list[str], random: np.random.Generator) -> Joint:
    kind = joint.type
    mimic = None
    if kind in SINGLE and leaders and random.random() < 0.4:
        leader = leaders[random.integers(len(leaders))]
        multiplier, offset = (float(value) for value in random.normal(size=2))
        mimic = Mimic(leader, multiplier, offset) if random.random() < 0.7 else Mimic(leader)
    axis = (1.0, 0.0, 0.0)
    if kind in AXIAL and random.random() < 0.8:
        direction = random.normal(size=3)
        x, y, z = (float(value) for value in direction / np.linalg.norm(direction))
        axis = (x, y, z)
    low, high = sorted(float(value) for value in random.uniform(-3, 3, 2))
    limit = None
    if random.random() < 0.8:
        effort, velocity = (float(value) for value in random.uniform(0, 100, 2))
        limit = Limit(None, None, effort, velocity)
        if kind in BOUNDED:
            limit = replace(limit, lower=low, upper=high)
    return replace(
        joint,
        axis=axis,
        mimic=mimic,
        limit=limit,
        dynamics=JointDynamics(*(float(value) for value in random.random(2))),
        calibration=Calibration(0.25, None) if random.random() < 0.1 else None,
        safety=Safety(low, high, 5.0, 0.5) if random.random() < 0.1 else None,
    )
