"""The text of a URDF file -> a Robot, all checks included; no other file is opened."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import UrdfError
from .decode import decode_xml
from .document import Robot
from .expansion import refuse_xacro, warn_of_xacro
from .file_size import refuse_large
from .joints import read_joints
from .links import read_links
from .materials import read_material_table
from .mimics import settle_mimics
from .report import Report
from .tree import find_root
from .xml_element import Element
from .xml_tree import parse_xml

UNNAMED_ROBOT = "robot"


def parse_urdf(text: str | bytes, source: str | os.PathLike[str] | None = None) -> Robot:
    """The robot that a URDF text describes; mesh files are not looked for (see resolve_meshes).

    Args:
        text: the XML; bytes are decoded by their byte order mark or declaration.
        source: the file it came from, for messages and for resolving meshes later.

    Returns:
        The robot. Its `text` holds the decoded XML: parsing that again gives an equal robot.

    Raises:
        UrdfError: nothing else, whatever the text.

    Source: wiki.ros.org/urdf/XML.
    """
    report = Report(None if source is None else Path(source))
    if not isinstance(text, str | bytes):
        raise UrdfError(
            f"{type(text).__name__}: is no text; wanted str or bytes with the XML of a robot"
        )
    refuse_large(len(text), report)
    decoded = decode_xml(text, report) if isinstance(text, bytes) else text
    return read_robot(decoded.removeprefix("\ufeff"), report)


def read_robot(text: str, report: Report) -> Robot:
    """The same for decoded text, with a report that says where its lines come from."""
    robot = parse_xml(text, report)
    if robot.tag != "robot":
        raise report.incomplete(robot, "is not the root of a URDF file; wanted <robot>")
    refuse_xacro(robot, report)
    warn_of_xacro(robot, text, report)

    materials = read_material_table(robot, report)
    links = read_links(robot, materials, report)
    joints = read_joints(robot, report)
    root = find_root(links, joints, robot, report)
    joints = settle_mimics(joints, robot, report)
    return Robot(
        name=_robot_name(robot, report),
        links=links,
        joints=joints,
        root=root,
        materials=materials.top,
        source=report.source,
        text=text,
        warnings=report.told(),
        left_out=report.left_out,
    )


def _robot_name(robot: Element, report: Report) -> str:
    name = robot.get("name")
    if name is None or not name.strip():
        report.warn(robot, f"without a name was called '{UNNAMED_ROBOT}'")
        return UNNAMED_ROBOT
    return name
