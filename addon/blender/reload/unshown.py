"""What changed in a description and is not seen in the scene: its name, shapes not imported."""

from __future__ import annotations

from dataclasses import replace

from ....core.urdf.document import Robot
from ..importing.options import Shown
from ..parts import PartTag
from .part_lines import Shape, told_part

# a change of a reload, besides what is counted
UNSHOWN = "description updated (what is not shown)"
LINES = 9  # that a report names


def unshown_lines(old: Robot, new: Robot, shown: Shown) -> list[str]:
    """A line for each change of the robot's name and of shapes that do not come in."""
    lines = [] if old.name == new.name else [f"name of the robot: '{old.name}' -> '{new.name}'"]
    if shown == "BOTH":
        return lines
    before, after = (_unshown(robot, shown) for robot in (old, new))
    for tag in {**before, **after}:
        one, other = before.get(tag), after.get(tag)
        if one != other:
            lines.append(f"{told_part(tag)} (not shown): {_what(one, other)}")
    more = len(lines) - LINES
    return lines if more <= 0 else [*lines[: LINES - 1], f"(and {more + 1:,} more not shown)"]


def is_described_otherwise(old: Robot, new: Robot) -> bool:
    """Whether two texts say different things, and not the same in other words."""
    one, other = (replace(own, text="", source=None, warnings=()) for own in (old, new))
    return one != other


def _what(old: Shape, new: Shape) -> str:
    return "new" if old is None else "removed" if new is None else "changed"


def _unshown(robot: Robot, shown: Shown) -> dict[PartTag, Shape]:
    """The shapes that do not come in where one kind of them is shown."""
    shapes: dict[PartTag, Shape] = {}
    for link in robot.links:
        if shown == "VISUAL":
            for index, collision in enumerate(link.collisions):
                shapes[PartTag("collision", link.name, index)] = collision
        else:
            for index, visual in enumerate(link.visuals):
                shapes[PartTag("visual", link.name, index)] = visual
    return shapes
