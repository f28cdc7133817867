"""All that is seen of a robot: made from its description and hung on its rig."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import bpy

from ....core.urdf.document import Robot
from ..attach import attach_visuals
from ..import_options import ImportOptions
from ..rig_access import Rig
from ..visuals import create_visuals
from .part_tags import PartTag, set_tag

# takes the part that is done, 0 to 1, and what is being done
Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Parts:
    """What was made: objects, and how many different meshes they show."""

    objects: tuple[bpy.types.Object, ...]
    meshes: int


def create_parts(
    robot: Robot,
    rig: Rig,
    collection: bpy.types.Collection,
    options: ImportOptions,
    warnings: list[str],
    progress: Progress | None = None,
) -> Parts:
    """Make the objects of a robot and parent them.

    Args:
        robot: with its mesh files found.
        rig: whose bones carry them.
        collection: the robot's own; linking is quickest while it is in no scene.
        options: what is wanted.
        warnings: takes a line for each thing that cannot be shown.
        progress: is called before each file.
    """
    visuals = create_visuals(robot, collection, warnings)
    attach_visuals(rig, visuals)
    counts: dict[str, int] = {}
    for visual in visuals:
        index = counts.get(visual.link, 0)
        counts[visual.link] = index + 1
        set_tag(visual.object, PartTag("visual", visual.link, index))
    objects = tuple(visual.object for visual in visuals)
    return Parts(objects, len({obj.data.name for obj in objects if obj.data}))
