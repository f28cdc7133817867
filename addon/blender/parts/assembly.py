"""All that is seen of a robot: made from its description and hung on its rig."""

from __future__ import annotations

import bpy

from ....core.urdf.document import Robot
from ..attach import attach_visuals
from ..geometry.mesh_settings import MeshSettings, Progress
from ..geometry.visuals import (
    Part,
    PartRole,
    VisualObject,
    collision_parts,
    make_objects,
    visual_parts,
)
from ..importing.options import ImportOptions
from ..rig_access import Rig
from .collision_shapes import show_as_wires
from .inertia_ellipsoids import create_ellipsoids
from .link_frames import create_link_frames
from .made_layers import remember_layers
from .part_record import remember_parts
from .part_tags import PartTag, set_tag
from .skin import create_skin
from .sub_collections import find_sub_collection, hide_in_views, sub_collection


def create_parts(
    robot: Robot,
    rig: Rig,
    collection: bpy.types.Collection,
    options: ImportOptions,
    warnings: list[str],
    progress: Progress | None = None,
) -> tuple[bpy.types.Object, ...]:
    """Make the objects of a robot, parent and tag them.

    Collision shapes, ellipsoids and frames have collections of their own below the robot's. Who
    calls removes what was made if this fails.

    Args:
        robot: with its mesh files found.
        rig: whose bones carry them.
        collection: the robot's own; linking is quickest while it is in no scene.
        options: what is wanted.
        warnings: takes a line for each thing that cannot be shown.
        progress: is called before each file.

    Returns:
        All that was made.
    """
    wanted: list[Part] = []
    collections: dict[PartRole, bpy.types.Collection] = {"visual": collection}
    if options.shown != "COLLISION":
        wanted += visual_parts(robot)
    if options.shown != "VISUAL":
        shapes = list(collision_parts(robot))
        wanted += shapes
        if shapes:
            collections["collision"] = sub_collection(collection, "collision")
    made = make_objects(wanted, collections, warnings, MeshSettings.of(options), progress)
    visuals = [visual for visual in made if visual.part.role == "visual"]
    collisions = [visual for visual in made if visual.part.role == "collision"]
    show_as_wires(shape.object for shape in collisions)
    objects = _hung(rig, collisions)
    if options.mesh_parent == "SKIN":
        skin = create_skin(rig, collection, visuals)
        objects += [] if skin is None else [skin]
    else:
        objects += _hung(rig, visuals)
    if options.inertia:
        objects += create_ellipsoids(robot, rig, collection, warnings)
    if options.fixed_frames:
        objects += create_link_frames(robot, rig, collection)
    remember_parts(rig.object, objects)
    remember_layers(objects)
    return tuple(objects)


def hide_collisions(collection: bpy.types.Collection) -> None:
    """Close the eye of a robot's collision shapes wherever its collection is in a scene.

    Args:
        collection: the robot's own.
    """
    shapes = find_sub_collection(collection, "collision")
    if shapes is not None:
        hide_in_views(shapes)


def _hung(rig: Rig, parts: list[VisualObject]) -> list[bpy.types.Object]:
    """Objects of parts, on their bones and with their tags."""
    attach_visuals(rig, parts)
    for own in parts:
        set_tag(own.object, PartTag(own.part.role, own.link, own.part.index))
    return [own.object for own in parts]
