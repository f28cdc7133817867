"""The description in a robot table, held against what else the table says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from ...core.dynamics import FLOATING_BASE
from ...core.errors import UrdfError
from ...core.urdf import parse_urdf
from ...core.urdf.document import Robot
from ..errors import RigError
from .robot_table import CACHED, RobotTable


@lru_cache(maxsize=CACHED)
def described_robot(table: RobotTable) -> Robot:
    """The description in a table, read once for each table.

    Raises:
        RigError: if the text is no URDF, or not that of the table's bones and links.
    """
    try:
        robot = parse_urdf(table.text, Path(table.source) if table.source else None)
    except UrdfError as error:
        raise RigError(
            f"the robot table of '{table.name}' is damaged (its description: {error}); import the "
            "robot again"
        ) from error
    moving = {joint.name: joint.type for joint in robot.joints if joint.type != "fixed"}
    if table.floating_base:
        moving[FLOATING_BASE] = "floating"
    bones = {bone.joint: bone.kind for bone in table.bones}
    for name in (*moving, *bones):
        kind, wanted = bones.get(name, "no bone"), moving.get(name, "no joint that moves")
        if kind != wanted:
            raise RigError(
                f"the robot table of '{table.name}' is damaged (joint '{name}': {kind}, and in its "
                f"description: {wanted}); import the robot again"
            )
    strange = set(table.links) ^ {link.name for link in robot.links}
    if strange:
        raise RigError(
            f"the robot table of '{table.name}' is damaged (link '{min(strange)}' is not both in "
            "the table and in its description); import the robot again"
        )
    _check_fixed_bones(table, robot)
    return robot


def _check_fixed_bones(table: RobotTable, robot: Robot) -> None:
    """Refuse a table whose options ask for other fixed bones than it has."""
    wanted: set[str] = set()
    if table.options.fixed_links == "KEEP":
        wanted = set(table.links) - {bone.link for bone in table.bones}
    elif table.options.mesh_parent == "SKIN" and not table.floating_base:
        wanted = {robot.root}
    found = {bone.link for bone in table.fixed_bones}
    for link in sorted(wanted ^ found):
        have, want = ("one", "none") if link in found else ("no", "one")
        raise RigError(
            f"the robot table of '{table.name}' is damaged (link '{link}': {have} fixed bone, and "
            f"wanted: {want}); import the robot again"
        )


@lru_cache(maxsize=CACHED)
def hanging_bones(table: RobotTable) -> Mapping[str, str | None]:
    """The id of the bone that what belongs to a link hangs from, by link.

    Its own bone, which may be a fixed one; else the moving bone that carries it; else the fixed
    bone of the root link; else None: the armature itself.

    Raises:
        RigError: as `described_robot`.
    """
    fixed = {bone.link: bone.id for bone in table.fixed_bones}
    root = fixed.get(described_robot(table).root)
    return {name: fixed.get(name) or record.bone or root for name, record in table.links.items()}


@lru_cache(maxsize=CACHED)
def bones_above(table: RobotTable) -> Mapping[str, str | None]:
    """The id of the bone that each bone hangs from, by id; None at the top.

    Raises:
        RigError: as `described_robot`.
    """
    hanging = hanging_bones(table)
    parents = {joint.child: joint.parent for joint in described_robot(table).joints}
    links = {bone.id: bone.link for bone in table.all_bones}
    return {key: hanging[parents[link]] if link in parents else None for key, link in links.items()}
