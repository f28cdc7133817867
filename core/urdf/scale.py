"""The same robot in another size: every length times a factor, masses as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from .document import (
    Box,
    Calibration,
    Capsule,
    Collision,
    Cylinder,
    Geometry,
    Joint,
    Limit,
    Link,
    Mesh,
    Mimic,
    Origin,
    Robot,
    Sphere,
    Vector3,
    Visual,
)


def scaled_robot(robot: Robot, factor: float) -> Robot:
    """The robot with every length times a factor above 0.

    Positions, sizes and the values of sliding joints (m) are multiplied, inertias (kg m^2) by the
    square. Masses, efforts, damping and friction stay. A sliding joint that follows a turning
    one slides `factor` times as far for the same turn.
    """
    types = {joint.name: joint.type for joint in robot.joints}
    return replace(
        robot,
        links=tuple(_link(link, factor) for link in robot.links),
        joints=tuple(_joint(joint, types, factor) for joint in robot.joints),
    )


def _link(link: Link, factor: float) -> Link:
    inertial = link.inertial
    if inertial is not None:
        ixx, ixy, ixz, iyy, iyz, izz = (entry * factor * factor for entry in inertial.inertia)
        inertial = replace(
            inertial,
            inertia=(ixx, ixy, ixz, iyy, iyz, izz),
            origin=_origin(inertial.origin, factor),
        )
    return Link(
        link.name,
        inertial,
        tuple(_visual(item, factor) for item in link.visuals),
        tuple(_collision(item, factor) for item in link.collisions),
    )


def _visual(visual: Visual, factor: float) -> Visual:
    return replace(
        visual,
        geometry=_geometry(visual.geometry, factor),
        origin=_origin(visual.origin, factor),
    )


def _collision(collision: Collision, factor: float) -> Collision:
    return replace(
        collision,
        geometry=_geometry(collision.geometry, factor),
        origin=_origin(collision.origin, factor),
    )


def _geometry(geometry: Geometry, factor: float) -> Geometry:
    if isinstance(geometry, Box):
        return Box(_vector(geometry.size, factor))
    if isinstance(geometry, Sphere):
        return Sphere(geometry.radius * factor)
    if isinstance(geometry, Mesh):
        return replace(geometry, scale=_vector(geometry.scale, factor))
    if isinstance(geometry, Cylinder):
        return Cylinder(geometry.radius * factor, geometry.length * factor)
    return Capsule(geometry.radius * factor, geometry.length * factor)


def _joint(joint: Joint, types: Mapping[str, str], factor: float) -> Joint:
    own = factor if joint.type == "prismatic" else 1.0
    mimic = joint.mimic
    if mimic is not None:
        leader = factor if types[mimic.joint] == "prismatic" else 1.0
        mimic = Mimic(mimic.joint, mimic.multiplier * own / leader, mimic.offset * own)
    joint = replace(joint, origin=_origin(joint.origin, factor), mimic=mimic)
    if own == 1.0:
        return joint
    limit, calibration, safety = joint.limit, joint.calibration, joint.safety
    if limit is not None:
        limit = Limit(
            _times(limit.lower, own),
            _times(limit.upper, own),
            limit.effort,
            _times(limit.velocity, own),
        )
    if calibration is not None:
        calibration = Calibration(_times(calibration.rising, own), _times(calibration.falling, own))
    if safety is not None:
        safety = replace(
            safety,
            soft_lower_limit=safety.soft_lower_limit * own,
            soft_upper_limit=safety.soft_upper_limit * own,
        )
    return replace(joint, limit=limit, calibration=calibration, safety=safety)


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def _origin(origin: Origin, factor: float) -> Origin:
    return replace(origin, xyz=_vector(origin.xyz, factor))


def _vector(vector: Vector3, factor: float) -> Vector3:
    return (vector[0] * factor, vector[1] * factor, vector[2] * factor)
