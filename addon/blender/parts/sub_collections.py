"""A robot's collections below its own: shapes that touch, inertia, frames.

What is hidden in there is hidden by the eye of the outliner, which is what it shows without any
setting: one click shows it. Blender keeps that with the view layer, and saves it.
"""

from __future__ import annotations

from collections.abc import Iterator

import bpy

from ..labels import NAME_BYTES, label
from .part_tags import PART_KEY, Role

ENDINGS: dict[Role, str] = {"frame": "frames"}  # of names, where the role alone reads badly


def sub_collection(collection: bpy.types.Collection, role: Role) -> bpy.types.Collection:
    """The collection for parts of a role in a robot's own: the one that is there, or a new one."""
    found = find_sub_collection(collection, role)
    if found is not None:
        return found
    ending = f" {ENDINGS.get(role, role)}"
    # cut where Blender would cut, so that the role can always be read
    made = bpy.data.collections.new(label(collection.name, NAME_BYTES - len(ending)) + ending)
    made[PART_KEY] = role
    collection.children.link(made)
    return made


def find_sub_collection(
    collection: bpy.types.Collection, role: Role
) -> bpy.types.Collection | None:
    """The collection for parts of a role, if the robot has one."""
    return next((child for child in collection.children if child.get(PART_KEY) == role), None)


def hide_in_views(collection: bpy.types.Collection) -> None:
    """Close the eye of a collection in every view layer that has it."""
    for scene in bpy.data.scenes:
        for view_layer in scene.view_layers:
            for layer in _layers(view_layer.layer_collection):
                if layer.collection == collection:
                    layer.hide_viewport = True


def _layers(layer: bpy.types.LayerCollection) -> Iterator[bpy.types.LayerCollection]:
    yield layer
    for child in layer.children:
        yield from _layers(child)
