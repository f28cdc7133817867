"""What each object of a robot stands for, kept on the object with exact names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal, get_args

import bpy

PART_KEY = "dynarig_part"  # on objects, and on the robot's sub-collections (role alone)

Role = Literal["visual", "collision", "inertia", "frame", "skin"]


@dataclass(frozen=True)
class PartTag:
    """The place of an object in its robot.

    Attributes:
        role: what it is.
        link: exact name of its link; empty for a skin, which is of all links.
        index: which visual or collision of the link it is, from 0.
    """

    role: Role
    link: str
    index: int = 0


def set_tag(obj: bpy.types.Object, tag: PartTag) -> None:
    """Mark an object as a part."""
    obj[PART_KEY] = json.dumps(asdict(tag))


def tag_of(obj: bpy.types.Object) -> PartTag | None:
    """What part an object is; None for the user's own objects."""
    text = obj.get(PART_KEY)
    if not isinstance(text, str):
        return None
    try:
        entries = json.loads(text)
        tag = PartTag(str(entries["role"]), str(entries["link"]), int(entries["index"]))  # type: ignore[arg-type]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return tag if tag.role in get_args(Role) else None


def parts_of(robot: bpy.types.Object) -> Iterator[tuple[bpy.types.Object, PartTag]]:
    """The parts that hang from a robot's armature object."""
    for obj in robot.children:
        tag = tag_of(obj)
        if tag is not None:
            yield obj, tag
