"""The elements that describe a robot, its parts among each other as files may have them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from dynarig.core.urdf import Collision, Joint, Link, Material, Origin, Robot, Visual

from .nodes import Node
from .random_shapes import geometry_node, numbers_text


def robot_node(robot: Robot, random: np.random.Generator) -> Node:
    """The elements in the order of the robot, links, joints and materials among each other."""
    groups = [
        [_material_node(material) for material in robot.materials.values()],
        [_link_node(link) for link in robot.links],
        [_joint_node(joint) for joint in robot.joints],
    ]
    children: list[Node] = []
    while any(groups):
        filled = [group for group in groups if group]
        children.append(filled[random.integers(len(filled))].pop(0))
    attributes = {"name": robot.name}
    if random.random() < 0.3:
        attributes["xmlns:xacro"] = "http://www.ros.org/wiki/xacro"
    return Node("robot", attributes, children)


def _material_node(material: Material) -> Node:
    node = Node("material", {"name": material.name} if material.name else {})
    if material.rgba is not None:
        node.children.append(Node("color", {"rgba": numbers_text(material.rgba)}))
    if material.texture_filename is not None:
        node.children.append(Node("texture", {"filename": material.texture_filename}))
    return node


def _link_node(link: Link) -> Node:
    node = Node("link", {"name": link.name})
    if link.inertial is not None:
        names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        values = dict(zip(names, map(repr, link.inertial.inertia), strict=True))
        node.children.append(
            Node(
                "inertial",
                {},
                [
                    _origin_node(link.inertial.origin),
                    Node("mass", {"value": repr(link.inertial.mass)}),
                    Node("inertia", values),
                ],
            )
        )
    for visual in link.visuals:
        shown = _shape_node("visual", visual)
        material = visual.material
        if material is not None:
            # a mere reference, where the material has a name
            shown.children.append(
                Node("material", {"name": material.name})
                if material.name
                else _material_node(material)
            )
        node.children.append(shown)
    node.children += [_shape_node("collision", collision) for collision in link.collisions]
    return node


def _shape_node(tag: str, shape: Visual | Collision) -> Node:
    attributes = {} if shape.name is None else {"name": shape.name}
    geometry = Node("geometry", {}, [geometry_node(shape.geometry)])
    return Node(tag, attributes, [_origin_node(shape.origin), geometry])


def _origin_node(origin: Origin) -> Node:
    return Node("origin", {"xyz": numbers_text(origin.xyz), "rpy": numbers_text(origin.rpy)})


def _joint_node(joint: Joint) -> Node:
    node = Node("joint", {"name": joint.name, "type": joint.type})
    node.children += [
        _origin_node(joint.origin),
        Node("parent", {"link": joint.parent}),
        Node("child", {"link": joint.child}),
        Node("axis", {"xyz": numbers_text(joint.axis)}),
        Node("dynamics", _numbers(vars(joint.dynamics))),
    ]
    for tag, value in (
        ("limit", joint.limit),
        ("calibration", joint.calibration),
        ("safety_controller", joint.safety),
    ):
        if value is not None:
            node.children.append(Node(tag, _numbers(vars(value))))
    if joint.mimic is not None:
        follows = {"multiplier": joint.mimic.multiplier, "offset": joint.mimic.offset}
        if (joint.mimic.multiplier, joint.mimic.offset) == (1.0, 0.0):
            follows = {}
        node.children.append(Node("mimic", {"joint": joint.mimic.joint, **_numbers(follows)}))
    return node


def _numbers(values: Mapping[str, float | None]) -> dict[str, str]:
    return {name: repr(value) for name, value in values.items() if value is not None}
