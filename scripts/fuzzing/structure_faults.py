"""Faults in the structure of a description: well-formed XML that says something wrong."""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np

from .nodes import Node

# none, too few, too many or odd numbers, and texts where numbers belong
VALUES = (
    *("", " ", "0", "-0.0", "1", "-1", "1 2 3", "1,2,3", "0,5", "0 0 0", "1 2", "1 2 3 4 5"),
    *(
        "nan",
        "inf",
        "-inf",
        "nan nan nan",
        "1e308 1e308 1e308",
        "-1e308",
        "1e-320",
        "1e16",
        "1e999",
    ),
    *("abc", "0x10", "1_000", "١٢٣", "1.0.0", "--1", "+1", "1d0", "½", "true", "\t1\n2 3 ", "${x}"),
    *("$(find x)", "{{x}}", "%s", "a" * 5000, "9" * 5000, "1 " * 5000, "\x85", "\u2028"),
)
TYPES = (
    *("revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical", "ball"),
    *("Revolute", "hinge", "", "screw", "revolute2"),
)
TAGS = (
    "link",
    "joint",
    "robot",
    "visual",
    "origin",
    "geometry",
    "mesh",
    "mimic",
    "x:y",
    "material",
)


def broken(robot: Node, random: np.random.Generator) -> Node:
    """A copy of a <robot> with one to three faults; the robot itself stays as it is."""
    changed = copy.deepcopy(robot)
    for _ in range(random.integers(1, 4)):
        FAULTS[random.integers(len(FAULTS))](changed, random)
    return changed


def _any_node(robot: Node, random: np.random.Generator, tag: str | None = None) -> Node:
    """An element below the robot, of one tag where there is one; else the robot."""
    found = [node for node in robot.below() if node is not robot and tag in (None, node.tag)]
    return found[random.integers(len(found))] if found else robot


def _any_parent(robot: Node, random: np.random.Generator) -> Node:
    found = [node for node in robot.below() if node.children]
    return found[random.integers(len(found))] if found else robot


def _drop(robot: Node, random: np.random.Generator) -> None:
    parent = _any_parent(robot, random)
    if parent.children:
        parent.children.pop(random.integers(len(parent.children)))


def _duplicate(robot: Node, random: np.random.Generator) -> None:
    parent = _any_parent(robot, random)
    if parent.children:
        twin = copy.deepcopy(parent.children[random.integers(len(parent.children))])
        parent.children.insert(int(random.integers(len(parent.children) + 1)), twin)


def _reorder(robot: Node, random: np.random.Generator) -> None:
    parent = _any_parent(robot, random)
    parent.children = [parent.children[index] for index in random.permutation(len(parent.children))]


def _move(robot: Node, random: np.random.Generator) -> None:
    """An element into one where it does not belong."""
    parent = _any_parent(robot, random)
    if parent.children:
        moved = parent.children.pop(random.integers(len(parent.children)))
        _any_node(robot, random).children.append(moved)


def _swap_tag(robot: Node, random: np.random.Generator) -> None:
    _any_node(robot, random).tag = TAGS[random.integers(len(TAGS))]


def _drop_attribute(robot: Node, random: np.random.Generator) -> None:
    attributes = _any_node(robot, random).attributes
    if attributes:
        del attributes[list(attributes)[random.integers(len(attributes))]]


def _swap_value(robot: Node, random: np.random.Generator) -> None:
    attributes = _any_node(robot, random).attributes
    if attributes:
        name = list(attributes)[random.integers(len(attributes))]
        attributes[name] = VALUES[random.integers(len(VALUES))]


def _swap_type(robot: Node, random: np.random.Generator) -> None:
    _any_node(robot, random, "joint").attributes["type"] = TYPES[random.integers(len(TYPES))]


def _swap_end(robot: Node, random: np.random.Generator) -> None:
    """A joint that leads to another link: two parents, two roots or a cycle."""
    end = _any_node(robot, random, ("parent", "child")[random.integers(2)])
    end.attributes["link"] = _any_node(robot, random, "link").attributes.get("name", "")


def _swap_leader(robot: Node, random: np.random.Generator) -> None:
    """A joint that follows any other, itself included: circles, and leaders that cannot lead."""
    joint = _any_node(robot, random, "joint")
    leader = _any_node(robot, random, "joint").attributes.get("name", "")
    joint.children.append(Node("mimic", {"joint": leader}))


def _same_name(robot: Node, random: np.random.Generator) -> None:
    tag = ("link", "joint", "material")[random.integers(3)]
    name = _any_node(robot, random, tag).attributes.get("name", "")
    _any_node(robot, random, tag).attributes["name"] = name


def _lone_link(robot: Node, random: np.random.Generator) -> None:
    robot.children.append(Node("link", {"name": f"lone{random.integers(1000)}"}))


FAULTS: tuple[Callable[[Node, np.random.Generator], None], ...] = (
    *(_drop, _duplicate, _reorder, _move, _swap_tag, _drop_attribute, _swap_value, _swap_value),
    *(_swap_value, _swap_type, _swap_end, _swap_leader, _same_name, _lone_link),
)
