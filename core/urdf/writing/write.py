"""A Robot -> the text of a URDF file that reads to an equal Robot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..document import Robot
from .elements import (
    INDENT,
    MaterialWriter,
    joint_lines,
    link_lines,
    material_lines,
)
from .kept_text import Kept, KeptText, kept_text
from .xml_text import tag_text

DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'


def write_urdf(robot: Robot) -> str:
    """The URDF text of a robot.

    The law is parse_urdf(write_urdf(robot)) == robot in links, joints, root, materials and name
    for every robot that parse_urdf can give: numbers are written so that they read back exactly.
    A limit with one end only, which URDF cannot say, has +-1e16 as the other.

    What robot.text holds besides is kept as it stands: elements at the top, in links and in
    joints that the reader does not know (gazebo, transmission, ros2_control), attributes of
    <robot>, and comments at the top. Links, joints and materials stay in the order of that text,
    new ones follow. Comments inside links and joints are not kept.

    Args:
        robot: a description; mesh names are written as they are (see `with_references`).

    Returns:
        The text, indented, with a declaration; to be written as UTF-8.

    Raises:
        UrdfError: for a name with a character that XML cannot hold, or a number that is not
            finite.
    """
    kept = kept_text(robot.text)
    attributes = {**kept.attributes, "name": robot.name}
    lines = [DECLARATION, *kept.before, tag_text("robot", attributes, ">")]
    lines += (INDENT + line for line in _lines(robot, _in_order(robot, kept)))
    lines.append("</robot>")
    return "\n".join(lines) + "\n"


def _in_order(robot: Robot, kept: KeptText) -> list[Kept]:
    """All that is at the top: in the order of the text where the robot's own order allows it."""
    wanted = {("material", name): Kept("material", name) for name in robot.materials if name}
    wanted.update({("link", link.name): Kept("link", link.name) for link in robot.links})
    wanted.update({("joint", joint.name): Kept("joint", joint.name) for joint in robot.joints})
    ordered: list[Kept] = []
    known: dict[tuple[str, str], Kept] = {}
    for item in kept.items:
        key = (item.tag, item.name)
        if not item.tag:
            ordered.append(item)
        elif key in wanted and key not in known:
            known[key] = item
            ordered.append(item)
    ordered += (item for key, item in wanted.items() if key not in known)
    kinds = ("link", "joint")
    if all(_names(ordered, kind) == _names(wanted.values(), kind) for kind in kinds):
        return ordered
    return [
        *(known.get(key, item) for key, item in wanted.items()),
        *(item for item in kept.items if not item.tag),
    ]


def _names(items: Iterable[Kept], tag: str) -> list[str]:
    return [item.name for item in items if item.tag == tag]


def _lines(robot: Robot, items: list[Kept]) -> Iterator[str]:
    materials = MaterialWriter(robot.materials)
    links = {link.name: link for link in robot.links}
    joints = {joint.name: joint for joint in robot.joints}
    for item in items:
        if item.tag == "link":
            yield from link_lines(links[item.name], materials, item.inside)
        elif item.tag == "joint":
            yield from joint_lines(joints[item.name], item.inside)
        elif item.tag == "material":
            yield from material_lines(robot.materials[item.name])
        else:
            yield item.text
