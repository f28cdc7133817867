"""The ends that a loop joint of a robot can have: its links, and the armature's origin."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import RigError
from ..robot_table import RobotTable

# no link is called that: a URDF would have to write &lt;world&gt;
WORLD = "<world>"
ORIGIN = "Armature origin (fixed base)"  # as the fields show it


@dataclass(frozen=True)
class EndChoice:
    """An end to choose: text as it is shown, link (None: the world), bone id (None: no bone)."""

    text: str
    link: str | None
    bone: str | None


def end_choices(table: RobotTable) -> tuple[EndChoice, ...]:
    """All ends of a robot: the world, then its links in the order of the file."""
    joints = {bone.link: bone.joint for bone in table.bones}
    carriers = {bone.id: bone.link for bone in table.bones}
    choices = [EndChoice(ORIGIN, None, None)]
    for link, record in table.links.items():
        if record.bone is None:
            text = f"{link} (fixed)"
        elif link in joints:
            text = f"{link} (joint {joints[link]})"
        else:
            text = f"{link} (fixed to {carriers[record.bone]})"
        choices.append(EndChoice(text, link, record.bone))
    return tuple(choices)


def end_choice(table: RobotTable, link: str | None, whose: str) -> EndChoice:
    """The end of a link's exact name, None or WORLD for the world.

    Raises:
        RigError: for an unknown link, listing those that exist; it begins with `whose`.
    """
    if link == WORLD:
        link = None
    for choice in end_choices(table):
        if choice.link == link:
            return choice
    raise RigError(
        f"{whose}: wanted a link of robot '{table.name}', or None for the world, got {link!r}; "
        f"there are: {', '.join(table.links)}"
    )


def end_text(link: str | None) -> str:
    """An end as lists show it."""
    return "world" if link is None else link
